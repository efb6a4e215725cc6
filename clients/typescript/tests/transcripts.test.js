/**
 * Applies the frames of all transcripts: after each, the document is that of a plain implementation of
 * RFC 6902. The Python client's tests compare such documents with the core's.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { Document, parseFrame } from "../dist/document.js";
import { transcripts } from "./support.js";

/** Returns the messages from the core in each run, up to a frame with a placeholder. */
function runs(file) {
  const found = [];
  let isStated = true;
  // Only LF ends a line: a raw line may hold other separators.
  for (const line of readFileSync(file, "utf8").replaceAll("\n  ", "").split("\n")) {
    if (line.startsWith("$ ")) {
      found.push([]);
      isStated = true;
    } else if (line.startsWith("< ") && isStated) {
      const message = JSON.parse(line.slice(2));
      isStated = message.method !== "frame" || !/"\$(_|[A-Za-z]\w*)"[\],}]/.test(line);
      if (isStated) found.at(-1).push(message);
    }
  }
  return found;
}

/** Applies an operation, and returns the new document. */
function patched(document, { op, path, from, value }) {
  if (op === "move") {
    value = keys(from).reduce((inner, key) => inner[key], document);
    document = patched(document, { op: "remove", path: from });
  }
  if (path === "") return structuredClone(value);
  const parent = keys(path).slice(0, -1).reduce((inner, key) => inner[key], document);
  const key = keys(path).at(-1);
  if (Array.isArray(parent)) {
    const index = key === "-" ? parent.length : Number(key);
    parent.splice(index, op === "add" || op === "move" ? 0 : 1, ...(op === "remove" ? [] : [structuredClone(value)]));
  } else if (op === "remove") {
    delete parent[key];
  } else {
    parent[key] = structuredClone(value);
  }
  return document;
}

const keys = (pointer) => pointer.split("/").slice(1).map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));

test("the document is that of the reference after every frame of every transcript", (t) => {
  const files = transcripts();
  assert.ok(files.length > 200);
  const total = { frames: 0, snapshots: 0 };
  for (const file of files) {
    for (const messages of runs(file)) {
      const document = new Document();
      let reference;
      for (const { method, params, result } of messages) {
        if (method === "frame") {
          if (params.revision > document.revision) reference = (params.patch ?? []).reduce(patched, reference);
          document.apply(parseFrame(params));
          assert.deepEqual(document.value, reference, `${file}: revision ${params.revision}`);
          total.frames++;
        } else if (result?.state) {
          assert.equal(result.revision, document.revision, file);
          assert.deepEqual(result.state, document.value, file);
          total.snapshots++;
        }
      }
    }
  }
  t.diagnostic(`${files.length} transcripts, ${total.frames} frames, ${total.snapshots} snapshots`);
  assert.ok(total.frames > 2_000 && total.snapshots > 10);
});
