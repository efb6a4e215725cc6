// The bare loop: read a line, parse it, change a field, print the frame and the response. It is the
// obvious implementation with Node's own line reader, and answers each request at once.

import { createInterface } from "node:readline";

const state = { greeting: "hello " };
let revision = 0;

createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method === "input") {
    state.greeting = "hello " + params.value;
    frame("/screens/1/output/greeting", state.greeting, id);
    print({ jsonrpc: "2.0", id, result: { revision } });
  } else {
    frame("", state, id);
    print({ jsonrpc: "2.0", id, result: { protocol: 1, revision } });
  }
});

function frame(path, value, cause) {
  revision += 1;
  const patch = [{ op: "replace", path, value }];
  print({ jsonrpc: "2.0", method: "frame", params: { revision, cause, patch } });
}

function print(message) {
  process.stdout.write(JSON.stringify(message) + "\n");
}
