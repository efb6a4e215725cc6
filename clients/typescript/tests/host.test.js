/** A session of a host: it goes on after a lost connection, and after the host's restart. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { ConnectionLost, RPCError } from "../dist/index.js";
import { connect } from "../dist/node.js";
import { showcase } from "./support.js";

/** Runs a host. */
async function host(folder, listen, ...options) {
  const args = ["host", "--data", path.join(folder, "data"), "--root", "signUp", "--listen", listen, ...options];
  const child = spawn(showcase, args, { stdio: ["ignore", "pipe", "inherit"] });
  const [line] = await once(child.stdout, "data");
  const [, address] = /^listening on (.+)\n$/.exec(line.toString());
  const end = async (signal) => {
    child.kill(signal);
    return once(child, "exit");
  };
  return { address, end };
}

const name = (core) => core.document.get("/screens/1/fields/nameText/value");

test("a session goes on after its host was killed", async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "host-"));
  const socket = `unix:${path.join(folder, "socket")}`;
  const first = await host(folder, socket);
  const core = await connect(first.address, { reconnect: true });
  const other = await connect(first.address);
  await core.input("1", "nameText", "Kim");
  assert.notEqual(other.handshake.session, core.handshake.session);
  await other.close();
  await first.end("SIGKILL");
  await core.until(() => core.status === "reconnecting");
  const typed = core.input("1", "nameText", "Kim Lee");
  const second = await host(folder, socket);
  await typed;
  assert.equal(name(core), "Kim Lee");
  await core.close();
  assert.deepEqual(await second.end("SIGTERM"), [0, null]);
});

test("a network needs the token", async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "host-"));
  const file = path.join(folder, "token");
  writeFileSync(file, "correct-horse-battery\n");
  const running = await host(folder, "127.0.0.1:0", "--token", file);
  await assert.rejects(connect(running.address), (error) => error instanceof RPCError && /token/.test(error.message));
  const core = await connect(running.address, { token: "correct-horse-battery" });
  assert.equal(name(core), null);
  await core.close();
  assert.deepEqual(await running.end("SIGTERM"), [0, null]);
  await assert.rejects(connect(running.address), ConnectionLost);
});
