/** A session of a host, and the core of a relay: what goes on after a lost connection, and after a restart. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { ConnectionLost, RPCError } from "../dist/index.js";
import { connect } from "../dist/node.js";
import { showcase } from "./support.js";

/** Runs a host. */
function host(folder, listen, ...options) {
  return run(showcase, "host", "--data", path.join(folder, "data"), "--root", "signUp", "--listen", listen, ...options);
}

/** Runs a program that listens. */
async function run(program, ...args) {
  const child = spawn(program, args, { stdio: ["ignore", "pipe", "inherit"] });
  const [line] = await once(createInterface(child.stdout), "line");
  const [, address] = /^listening on (.+)$/.exec(line);
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

test("front ends share the core of a relay, and come back to it", async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "share-"));
  const form = [showcase, "--root", "signUp", "--data", folder, "--state", path.join(folder, "state")];
  const share = ["-m", "offstage.share", "--listen", `unix:${path.join(folder, "socket")}`, "--", ...form];
  const first = await run("python3", ...share);
  const one = await connect(first.address, { reconnect: true });
  const two = await connect(first.address);
  await one.input("1", "nameText", "Kim");
  await two.until(() => name(two) === "Kim");
  await two.close();
  assert.deepEqual(await first.end("SIGTERM"), [0, null]);
  await one.until(() => one.status === "reconnecting");
  const typed = one.input("1", "nameText", "Kim Lee");
  const second = await run("python3", ...share);
  await typed;
  assert.equal(name(one), "Kim Lee");
  await one.close();
  assert.deepEqual(await second.end("SIGTERM"), [0, null]);
});
