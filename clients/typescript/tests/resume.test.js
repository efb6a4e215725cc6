/** The client reconnects after a lost connection, and nothing is lost or done twice. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { ConnectionLost, ConnectionRefused, Core, CoreStopped, WebSocketTransport } from "../dist/index.js";
import { document, FakeCore, turn } from "./support.js";

/** A core that resumes a session, and performs requests with the same key only once. */
class ResumingCore extends FakeCore {
  handshake = { session: "s1" };
  performed = [];
  isDeaf = false;
  #frames = [];

  handle(message) {
    if (this.isDeaf) return;
    const { id, method, params } = message;
    if (method === "initialize" && params.resume?.session === this.handshake.session) {
      for (const line of this.#frames.filter(({ revision }) => revision > params.resume.revision)) this.line(line.text);
      this.answer(id, { protocol: 1, app: { name: "fake", version: "1" }, revision: this.revision, limits: {}, ...this.handshake });
    } else if (params?.key && this.performed.includes(params.key)) {
      this.answer(id, { revision: this.revision });
    } else {
      if (params?.key) this.performed.push(params.key);
      super.handle(message);
    }
  }

  line(text) {
    const { method, params } = JSON.parse(text);
    if (method === "frame") this.#frames.push({ revision: params.revision, text });
    super.line(text);
  }

  input(id, { value }) {
    this.frame([{ op: "replace", path: "/screens/1/output/count", value }], id);
  }

  lose() {
    this.end(new ConnectionLost("the connection is lost"));
  }
}

async function open(options = {}) {
  const fake = new ResumingCore(document(["1"], { output: { count: 0 } }));
  const core = await new Core(fake.connect, { reconnect: true, lifecycle: false, ...options }).start();
  return { fake, core };
}

test("an unanswered request is sent again and performed once", async () => {
  const { fake, core } = await open();
  const answered = core.input("1", "set", 1);
  await Promise.resolve();
  // The core performs it, but its answer is lost.
  fake.lose();
  assert.equal(core.status, "reconnecting");
  const later = core.input("1", "set", 2);
  await answered;
  await later;
  assert.equal(core.status, "connected");
  assert.equal(fake.connections, 2);
  assert.equal(core.document.get("/screens/1/output/count"), 2);
  assert.equal(new Set(fake.performed).size, 2);
  assert.equal(fake.performed.length, 2);
});

test("frames that were missed arrive, and the cause is the first request's", async () => {
  const { fake, core } = await open();
  const frames = core.frames();
  const field = core.field("1", "set");
  fake.isDeaf = true;
  const write = field.write("typed");
  await turn();
  fake.isDeaf = false;
  fake.lose();
  assert.equal(field.value, "typed");
  fake.frame([{ op: "replace", path: "/screens/1/output/count", value: 7 }]);
  await write;
  assert.equal(field.isPending, false);
  const missed = (await frames.next()).value;
  assert.equal(missed.patch[0].value, 7);
  const caused = (await frames.next()).value;
  assert.equal(caused.patch[0].value, "typed");
  // The id of the first attempt, not of the second.
  assert.equal(caused.cause, fake.received.find(({ method }) => method === "input").id);
});

test("another core fails what was not answered, and replaces the document", async () => {
  const { fake, core } = await open({ link: ({ session }) => `app://${session}` });
  fake.isDeaf = true;
  const lost = core.input("1", "set", 1);
  await turn();
  fake.isDeaf = false;
  fake.handshake = { session: "s2" };
  fake.state = document(["5"]);
  fake.lose();
  await assert.rejects(lost, ConnectionLost);
  // It does not know the key, and would perform the request once more.
  assert.deepEqual(fake.performed, []);
  assert.deepEqual(Object.keys(core.document.screens), ["5"]);
  // Each new core opens its link; a resumed one would not.
  const links = () => fake.requests("navigation/open").map(({ params }) => params.url);
  assert.deepEqual(links(), ["app://s1", "app://s2"]);
  fake.lose();
  await core.back();
  assert.equal(fake.connections, 3);
  assert.deepEqual(links(), ["app://s1", "app://s2"]);
});

test("a core that has ended is not reconnected", async () => {
  const { fake, core } = await open();
  const waiting = core.until(() => false);
  fake.end(new CoreStopped("the core has ended", "SIGKILL"));
  await assert.rejects(waiting, CoreStopped);
  assert.equal(core.status, "stopped");
  assert.equal(fake.connections, 1);
});

test("a core that is closed while it reconnects stays closed", async () => {
  const fake = new ResumingCore();
  let { connect } = fake;
  const core = await new Core(() => connect(), { reconnect: true, lifecycle: false }).start();
  let open;
  const opened = new Promise((resolve) => (open = resolve));
  let closed = 0;
  connect = async () => {
    await opened;
    return { ...(await fake.connect()), close: async () => void closed++ };
  };
  fake.lose();
  const received = fake.received.length;
  await core.close();
  open();
  await turn();
  assert.equal(core.status, "stopped");
  assert.equal(closed, 1);
  assert.equal(fake.received.length, received);
});

/** A WebSocket without a network. */
class Socket extends EventTarget {
  readyState = 1;
  sent = [];
  send(text) {
    this.sent.push(text);
  }
  close(code) {
    this.emit("close", { code });
  }
  emit(type, members = {}) {
    this.dispatchEvent(Object.assign(new Event(type), members));
  }
}

test("the close code of a WebSocket distinguishes a lost connection from an ended core", async () => {
  const reason = async (code, text) => {
    const socket = new Socket();
    const connected = WebSocketTransport.connect("ws://core", () => socket);
    socket.emit("open");
    const transport = await connected;
    const lines = [];
    const ended = new Promise((resolve) => transport.start({ line: (line) => lines.push(line), end: resolve }));
    socket.emit("message", { data: "{}" });
    transport.send("[]");
    socket.emit("close", { code, reason: text });
    assert.deepEqual([lines, socket.sent], [["{}"], ["[]"]]);
    return ended;
  };
  assert.ok((await reason(1006, "")) instanceof ConnectionLost);
  const ended = await reason(4001, "SIGKILL");
  assert.ok(!(ended instanceof ConnectionLost));
  assert.equal(ended.status, "SIGKILL");
  const full = await reason(4008, "too many visitors");
  assert.ok(full instanceof ConnectionRefused);
  assert.equal(full.code, 4008);
  assert.match(full.message, /too many visitors/);
  const refused = new Socket();
  const connecting = WebSocketTransport.connect("ws://core", () => refused);
  refused.emit("close", { code: 1006 });
  await assert.rejects(connecting, ConnectionLost);
});

test("a WebSocket that falls silent counts as lost", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const pass = (milliseconds) => context.mock.timers.tick(milliseconds);
  const socket = new Socket();
  socket.close = () => {}; // A network that is gone does not say so.
  const connected = WebSocketTransport.connect("ws://core", () => socket, { after: 5_000, patience: 15_000 });
  socket.emit("open");
  const transport = await connected;
  const [lines, ends] = [[], []];
  transport.start({ line: (line) => lines.push(line), end: (reason) => ends.push(reason) });
  pass(4_999);
  socket.emit("message", { data: "{}" });
  pass(4_999);
  assert.deepEqual(socket.sent, []);
  pass(1);
  assert.deepEqual(socket.sent, [""]);
  pass(14_999);
  socket.emit("message", { data: "" });
  pass(5_000);
  transport.probe(2_000);
  assert.deepEqual(socket.sent, ["", "", ""]);
  pass(1_999);
  assert.deepEqual(ends, []);
  pass(1);
  assert.ok(ends[0] instanceof ConnectionLost);
  // What arrives later belongs to a connection that has ended.
  socket.emit("message", { data: "[]" });
  socket.emit("close", { code: 1006 });
  pass(60_000);
  assert.deepEqual([lines, ends.length, socket.sent.length], [["{}"], 1, 3]);
  await transport.close();
});

test("a connection that the server refuses is not tried again", async () => {
  const { fake, core } = await open();
  fake.refusal = new ConnectionRefused("too many visitors", 4008);
  fake.lose();
  const unsent = core.input("1", "set", 1);
  await assert.rejects(core.until(() => false), ConnectionRefused);
  assert.equal(core.status, "stopped");
  assert.equal(core.error, fake.refusal);
  // A person tries it again.
  fake.refusal = undefined;
  assert.equal(await core.restart(), true);
  await unsent;
  assert.equal(fake.performed.length, 1);
});
