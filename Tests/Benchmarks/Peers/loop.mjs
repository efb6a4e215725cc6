// The bare loop that a core in Node would be built around: parse a line, change a field, print the
// frame and the response. No screens, no schema, no checks; what Offstage does beyond it is extra.
//
// Written to be quick in the ordinary way: whole chunks, a line split by hand, one write per chunk.
// It stays on the event loop, as a core that also has timers and effects must; `loop-blocking.mjs`
// shows what Node can do where nothing else has to run.

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
