// What Node can do at most: `loop.mjs` with blocking reads and writes, and with the two lines put
// together by hand, so that only the value goes through JSON.stringify. No timer and no promise
// ever runs in here, so it is no design for a core; it is the line that Offstage is not to hide.

import { readSync, writeSync } from "node:fs";

const state = { nameText: null, greeting: "hello " };
let revision = 0;
let output = "";

let buffer = Buffer.allocUnsafe(1 << 16);
let filled = 0;
for (let count; (count = readSync(0, buffer, filled, buffer.length - filled)) > 0; ) {
  filled += count;
  // Whole lines only, so that no character is decoded in two halves.
  const end = buffer.lastIndexOf(10, filled - 1) + 1;
  if (end > 0) {
    handleLines(buffer.utf8Slice(0, end));
    buffer.copyWithin(0, end, filled);
    filled -= end;
  }
  if (filled === buffer.length) buffer = Buffer.concat([buffer], filled * 2);
}

function handleLines(text) {
  let start = 0;
  for (let end; (end = text.indexOf("\n", start)) >= 0; start = end + 1) {
    handle(JSON.parse(text.slice(start, end)));
  }
  const bytes = Buffer.from(output);
  for (let sent = 0; sent < bytes.length; ) sent += writeSync(1, bytes, sent);
  output = "";
}

function handle(request) {
  if (request.method === "input") {
    state.nameText = request.params.value;
    state.greeting = "hello " + state.nameText;
    frame("/screens/1/output/greeting", state.greeting, request.id);
    output += `{"jsonrpc":"2.0","id":${request.id},"result":{"revision":${revision}}}\n`;
  } else {
    frame("", state, request.id);
    output += `{"jsonrpc":"2.0","id":${request.id},"result":{"protocol":1,"revision":1}}\n`;
  }
}

function frame(path, value, cause) {
  revision += 1;
  output +=
    `{"jsonrpc":"2.0","method":"frame","params":{"revision":${revision},"cause":${cause},` +
    `"patch":[{"op":"replace","path":"${path}","value":${JSON.stringify(value)}}]}}\n`;
}
