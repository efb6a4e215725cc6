/** Replays all transcripts: after each frame, the document matches the core's. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { Document } from "../dist/index.js";
import { ProcessTransport } from "../dist/node.js";
import { parseFrame } from "../dist/document.js";
import { readTranscript } from "./transcript.js";
import { showcase, transcripts } from "./support.js";

/** Sends a run's lines, and compares the document with a snapshot after each frame. */
async function play(run, cwd) {
  const transport = await ProcessTransport.start([showcase, ...run.arguments], { cwd });
  const document = new Document();
  const counts = { frames: 0, compared: 0 };
  let passBarrier = () => {};
  let fail;
  const failed = new Promise((_, reject) => (fail = reject));
  failed.catch(() => {});
  // No transcript contains the ids of these requests.
  const ask = (method, id) => transport.send(JSON.stringify({ jsonrpc: "2.0", id, method }));
  const receive = (text) => {
    const message = JSON.parse(text);
    if (message.method === "frame") {
      document.apply(parseFrame(message.params));
      counts.frames++;
      ask("state/snapshot", "~s");
    } else if (message.id === "~b") {
      passBarrier();
    } else if (message.result?.state) {
      assert.equal(message.result.revision, document.revision);
      assert.deepEqual(message.result.state, document.value);
      counts.compared++;
    }
  };
  transport.start({
    line: (text) => {
      try {
        receive(text);
      } catch (error) {
        fail(error);
      }
    },
    end: () => passBarrier(),
  });
  for (const step of run.steps) {
    if (step) {
      transport.write(step);
      continue;
    }
    const barrier = new Promise((resolve) => (passBarrier = resolve));
    // Settling would initialize the core, so ask for nothing at first.
    ask(counts.frames > 0 ? "state/settle" : "no/such/method", "~b");
    await Promise.race([barrier, failed, transport.ended]);
  }
  await transport.close();
  const { status } = await transport.ended;
  await Promise.race([failed, Promise.resolve()]);
  assert.equal(status, run.status);
  return counts;
}

test("the document equals the snapshot after every frame of every transcript", { timeout: 600_000 }, async (t) => {
  const queue = transcripts();
  assert.ok(queue.length > 200);
  const total = { transcripts: queue.length, frames: 0, compared: 0 };
  const work = async () => {
    for (let file = queue.shift(); file; file = queue.shift()) {
      // The runs of a transcript may share a data directory.
      const folder = mkdtempSync(path.join(tmpdir(), "offstage-"));
      try {
        for (const run of readTranscript(file)) {
          const { frames, compared } = await play(run, folder);
          total.frames += frames;
          total.compared += compared;
        }
      } catch (error) {
        throw new Error(`${file}: ${error.message}`, { cause: error });
      } finally {
        rmSync(folder, { recursive: true });
      }
    }
  };
  await Promise.all(Array.from({ length: 4 }, work));
  t.diagnostic(`${total.transcripts} transcripts, ${total.frames} frames, ${total.compared} snapshots`);
  assert.ok(total.compared > total.transcripts);
});
