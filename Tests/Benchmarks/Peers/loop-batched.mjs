// The same loop, optimized for throughput: it splits whole chunks into lines by hand, and prints
// all output for a chunk in one write, so the first request of a chunk waits for the last.

const state = { nameText: null, greeting: "hello " };
let revision = 0;
let output = "";
let rest = "";

process.stdin.setEncoding("utf8");
process.stdin.on("data", (chunk) => {
  const text = rest + chunk;
  let start = 0;
  for (let end; (end = text.indexOf("\n", start)) >= 0; start = end + 1) {
    handle(JSON.parse(text.slice(start, end)));
  }
  rest = text.slice(start);
  process.stdout.write(output);
  output = "";
});

function handle(request) {
  if (request.method === "input") {
    state.nameText = request.params.value;
    state.greeting = "hello " + state.nameText;
    frame("/screens/1/output/greeting", state.greeting, request.id);
    print({ jsonrpc: "2.0", id: request.id, result: { revision } });
  } else {
    frame("", state, request.id);
    print({ jsonrpc: "2.0", id: request.id, result: { protocol: 1, revision } });
  }
}

function frame(path, value, cause) {
  revision += 1;
  const patch = [{ op: "replace", path, value }];
  print({ jsonrpc: "2.0", method: "frame", params: { revision, cause, patch } });
}

function print(message) {
  output += JSON.stringify(message) + "\n";
}
