/** A core's life, its requests, and its subscriptions. */
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { Core, CoreStopped, Dismissed, InvalidParams, ParseError, Refused, RequestCanceled, RPCError, UnknownInput, UnknownScreen } from "../dist/index.js";
import { Document, parseFrame } from "../dist/document.js";
import { launch, ProcessTransport } from "../dist/node.js";
import { Replica } from "../dist/replica.js";
import { document, FakeCore, showcase, turn } from "./support.js";

const limit = { timeout: 60_000 };
const start = (root, options) => launch([showcase, "--deterministic", "--root", root], options);

test("a form returns its result", limit, async () => {
  const core = await start("signUp");
  const form = await core.waitFor("signUp");
  await form.input("nameText", "Kim");
  await form.input("emailText", "kim@example.com");
  assert.equal(form.output.isConfirmEnabled, true);
  const finished = form.events("finished");
  await form.input("confirm", undefined, { settle: true });
  const { value } = await finished.next();
  assert.equal(value.value.email, "kim@example.com");
  await core.close();
  assert.equal((await finished.next()).done, true);
});

test("an error has the class of its code and the core's data", limit, async () => {
  const core = await start("signUp");
  await assert.rejects(core.input("1", "name", "Kim"), (error) => {
    assert.ok(error instanceof UnknownInput);
    assert.equal(error.name, "UnknownInput");
    assert.ok(error.inputs.includes("nameText"));
    return true;
  });
  await assert.rejects(core.input("1", "nameText", 5), (error) => {
    assert.ok(error instanceof InvalidParams);
    assert.equal(error.path, "/value");
    return true;
  });
  await assert.rejects(core.input("9", "nameText", "Kim"), UnknownScreen);
  await core.close();
});

test("each code of the protocol has a class with its name", () => {
  const { errors } = JSON.parse(readFileSync(new URL("../../../Protocol/openrpc.json", import.meta.url))).components;
  for (const [name, { code }] of Object.entries(errors)) {
    assert.equal(RPCError.fromWire({ code, message: "" }).name, name);
  }
});

test("a resource is read to its end", limit, async () => {
  class Library extends FakeCore {
    handle(message) {
      if (message.method !== "resource/read") return super.handle(message);
      const { uri, range } = message.params;
      const start = range?.start ?? 0;
      const piece = uri === "resource:cut" && start > 0 ? "" : "0123456789".slice(start, start + 4);
      this.answer(message.id, { mimeType: "text/plain", size: 10, base64: btoa(piece) });
    }
  }
  const core = await new Core(new Library().connect, { lifecycle: false }).start();
  const { mimeType, data } = await core.read("resource:a");
  assert.deepEqual([mimeType, Buffer.from(data).toString()], ["text/plain", "0123456789"]);
  await assert.rejects(core.read("resource:a", 9), /10 bytes, more than 9/);
  await assert.rejects(core.read("resource:cut"), /ends after 4 of 10 bytes/);
});

test("a canceled request is answered by the core", limit, async () => {
  class SlowCore extends FakeCore {
    handle(message) {
      if (message.method === "$/cancelRequest") {
        this.line(JSON.stringify({ id: message.params.id, error: { code: -32800, message: "canceled" } }));
      } else if (message.method !== "input") {
        super.handle(message);
      }
    }
  }
  const fake = new SlowCore();
  const core = await new Core(fake.connect).start();
  const controller = new AbortController();
  const answer = core.input("1", "save", undefined, { signal: controller.signal });
  await turn();
  controller.abort();
  await assert.rejects(answer, RequestCanceled);
  await assert.rejects(core.back({ signal: AbortSignal.abort() }), RequestCanceled);
});

test("an input without a value is sent without one", limit, async () => {
  const fake = new FakeCore();
  const core = await new Core(fake.connect).start();
  const values = [undefined, null, {}, false, 0, ""];
  for (const value of values) await core.input("1", "save", value);
  const inputs = fake.received.filter(({ method }) => method === "input").map(({ params }) => params);
  assert.deepEqual(inputs[0], { screen: "1", name: "save" });
  assert.deepEqual(inputs.slice(1).map(({ value }) => value), values.slice(1));
});

test("a killed core fails what waits, and restarts", limit, async () => {
  const transports = [];
  const core = await new Core(async () => {
    transports.push(await ProcessTransport.start([showcase, "--deterministic", "--root", "signUp"]));
    return transports.at(-1);
  }).start();
  const frames = core.frames();
  const waiting = core.until(() => core.find("pokedex"));
  transports[0].kill("SIGKILL");
  await assert.rejects(waiting, (error) => error instanceof CoreStopped && error.status === "SIGKILL");
  await assert.rejects(frames.next(), CoreStopped);
  await assert.rejects(core.back(), CoreStopped);
  assert.equal(core.document.screens["1"].kind, "signUp");
  assert.equal(await core.restart(), false);
  assert.equal((await frames.next()).value.revision, 1);
  await core.input("1", "nameText", "Kim");
  await core.close();
  assert.equal((await transports[1].ended).status, 0);
});

// Ends a core that keeps its state.
const stop = "SIGKILL";

test("a restarted core goes on with the session", limit, async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "offstage-"));
  const transports = [];
  const core = await new Core(
    async () => {
      const place = ["--data", folder, "--state", path.join(folder, "place")];
      transports.push(await ProcessTransport.start([showcase, ...place, "--root", "signUp"]));
      return transports.at(-1);
    },
    { reconnect: true },
  ).start();
  const { session } = core.handshake;
  const [name, email] = [core.field("1", "nameText"), core.field("1", "emailText")];
  await name.write("Kim");
  transports[0].kill(stop);
  await assert.rejects(core.until(() => false), CoreStopped);
  // What is typed meanwhile waits, and is sent once.
  const unsent = email.write("kim@example.com");
  assert.equal(email.value, "kim@example.com");
  assert.equal(await core.restart(), true);
  await unsent;
  assert.equal(core.handshake.session, session);
  assert.equal(email.isPending, false);
  assert.equal(core.field("1", "nameText"), name);
  assert.deepEqual([name.value, email.value], ["Kim", "kim@example.com"]);
  await core.close();
  rmSync(folder, { recursive: true });
});

test("a core that does not start says why", limit, async () => {
  await assert.rejects(start("nothing"), (error) => {
    assert.ok(error instanceof CoreStopped);
    assert.equal(error.status, 2);
    assert.match(error.message, /nothing/);
    return true;
  });
  await assert.rejects(launch(["/no/such/core"]), /cannot start/);
});

test("visible screens appear once, and disappear when they are covered", limit, async () => {
  class Tabs extends FakeCore {
    inputs = { didAppear: { "x-role": "lifecycle", "x-when": "appear" }, hides: { "x-role": "lifecycle", "x-when": "disappear" } };
  }
  const fake = new Tabs(document(["1"]));
  const core = await new Core(fake.connect).start();
  await turn();
  const sent = () => fake.requests("input").map(({ params }) => `${params.screen} ${params.name}`);
  assert.deepEqual(sent(), ["1 didAppear"]);
  const form = fake.state.screens["1"];
  const sheet = { id: "p1", style: "sheet", screens: ["2"] };
  fake.frame([
    { op: "add", path: "/screens/2", value: form },
    { op: "add", path: "/navigation/presented/-", value: sheet },
  ]);
  await turn();
  assert.deepEqual(sent().slice(1), ["2 didAppear"]);
  fake.frame([{ op: "replace", path: "/navigation/presented/0/style", value: "fullScreenCover" }]);
  await turn();
  assert.deepEqual(sent().slice(2), ["1 hides"]);
  fake.frame([{ op: "remove", path: "/navigation/presented/0" }, { op: "remove", path: "/screens/2" }]);
  await turn();
  assert.deepEqual(sent().slice(3), ["1 didAppear"]);
  assert.deepEqual(core.visible, ["1"]);
});

test("a line that the core could not take is refused", limit, async () => {
  const command = [showcase, "--deterministic", "--max-line", "65536", "--root", "signUp"];
  const core = await new Core(() => ProcessTransport.start(command)).start();
  const [screen] = core.visible;
  const waiting = core.input(screen, "nameText", "Lee");
  let deep = [];
  for (let level = 0; level < 600; level++) deep = [deep];
  for (const value of ["가".repeat(30_000), deep, "\ud800"]) {
    await assert.rejects(core.input(screen, "nameText", value), (error) => error instanceof ParseError);
  }
  await waiting;
  await core.input(screen, "nameText", "Kim");
  assert.equal(core.field(screen, "nameText").value, "Kim");
  await core.close();
});

test("the document has the state of the app, and the choices of the user", limit, async () => {
  const fake = new FakeCore({ ...document(["1"]), app: { output: { unread: 2 } }, display: { language: "ko", appearance: "dark" } });
  const core = await new Core(fake.connect).start();
  assert.deepEqual([core.document.app, core.document.language, core.document.appearance], [{ unread: 2 }, "ko", "dark"]);
});

test("a front end says which screens it shows side by side", limit, async () => {
  class Tabs extends FakeCore {
    inputs = { didAppear: { "x-role": "lifecycle", "x-when": "appear" }, hides: { "x-role": "lifecycle", "x-when": "disappear" } };
  }
  const fake = new Tabs(document(["1"]));
  let isWide = true;
  const visible = ({ root }) => [...root.screens].reverse().slice(0, isWide ? 2 : 1);
  const core = await new Core(fake.connect, { visible }).start();
  fake.frame([{ op: "add", path: "/screens/2", value: fake.state.screens["1"] }, { op: "add", path: "/navigation/root/screens/-", value: "2" }]);
  await turn();
  const sent = () => fake.requests("input").map(({ params }) => `${params.screen} ${params.name}`);
  assert.deepEqual(sent(), ["1 didAppear", "2 didAppear"]);
  assert.deepEqual(core.visible, ["2", "1"]);
  isWide = false;
  core.visibilityChanged();
  await turn();
  assert.deepEqual(sent().slice(2), ["1 hides"]);
});

test("the app as a whole has fields", limit, async () => {
  const state = { ...document(["1"]), app: { output: {}, fields: { name: { value: "Kim", error: "Too short." } } } };
  const fake = new FakeCore(state);
  const core = await new Core(fake.connect).start();
  const field = core.field("app", "name");
  assert.deepEqual([field.value, field.error], ["Kim", "Too short."]);
  fake.frame([{ op: "replace", path: "/app/fields/name/value", value: "Lee" }]);
  await turn();
  assert.equal(core.field("app", "name"), field);
  assert.equal(field.value, "Lee");
});

test("a link opens before any screen appears", limit, async () => {
  const appeared = [];
  const connect = async () => {
    const transport = await ProcessTransport.start([showcase, "--deterministic"]);
    const send = transport.send.bind(transport);
    transport.send = (line) => {
      const { params } = JSON.parse(line);
      if (params?.name === "didAppear") appeared.push(core.document.screens[params.screen].kind);
      send(line);
    };
    return transport;
  };
  const core = new Core(connect, {
    link: ({ links }) => links.find(({ screen }) => screen === "pokemonDetail").pattern.replace(":id", "25"),
  });
  await core.start();
  assert.deepEqual(appeared, ["pokemonDetail"]);
  await core.close();
});

test("a link that waits leads somewhere because of the request that opened it", limit, async () => {
  const fake = new FakeCore(document(["1", "2"]));
  const core = await new Core(fake.connect, { link: () => "app://first" }).start();
  const frames = core.frames();
  fake.frame([{ op: "replace", path: "/navigation/root/screens", value: ["1"] }], fake.requests("navigation/open")[0].id);
  assert.equal((await frames.next()).value.cause, core.link);
});

test("the description may come from elsewhere than the core", limit, async () => {
  const kept = { "x-screens": {} };
  for (const found of [kept, undefined]) {
    const fake = new FakeCore();
    fake.handshake = { schema: "abc" };
    const core = await new Core(fake.connect, { describe: async ({ schema }) => (schema === "abc" ? found : {}) }).start();
    assert.equal(fake.requests("rpc.discover").length, found ? 0 : 1);
    assert.equal(core.description === kept, Boolean(found));
  }
});

test("a core that ends while its description comes from elsewhere has not started", limit, async () => {
  const fake = new FakeCore();
  const describe = async () => {
    fake.end(new CoreStopped("the fake core has ended"));
    return {};
  };
  const core = new Core(fake.connect, { describe });
  await assert.rejects(core.start(), CoreStopped);
  assert.equal(core.status, "stopped");
});

test("a link that the core refuses is a fault, and the core goes on", limit, async () => {
  const faults = [];
  const core = await start("signUp", { link: () => "showcase://nowhere", onFault: (error) => faults.push(error) });
  assert.ok(faults[0] instanceof Refused);
  assert.equal(core.status, "connected");
  assert.ok(core.find("signUp"));
  await core.close();
});

test("a handler answers its prompts, and only its kind is announced", limit, async () => {
  const core = await start("gallery", {
    prompts: { alert: ({ params }) => ({ button: params.buttons[0].id }) },
  });
  const gallery = await core.waitFor("gallery");
  await gallery.input("alert", "one");
  const answer = await core.until(() => gallery.output.answer);
  assert.ok(answer.button);
  await core.close();

  const fake = new FakeCore();
  await new Core(fake.connect, { prompts: { alert() {} }, announce: ["share"] }).start();
  assert.deepEqual(fake.received[0].params.capabilities, ["alert", "share"]);

  const any = new FakeCore();
  await new Core(any.connect, { prompts: { alert() {} }, announce: ["*"] }).start();
  assert.deepEqual(any.received[0].params.capabilities, ["*"]);
});

test("a handler can dismiss, fail, and be aborted", limit, async () => {
  const fake = new FakeCore();
  const aborted = [];
  await new Core(fake.connect, {
    prompts: {
      dismiss: () => Promise.reject(new Dismissed()),
      fail: () => Promise.reject(new Error("no camera")),
      wait: ({ signal }) => new Promise(() => signal.addEventListener("abort", () => aborted.push(true))),
    },
  }).start();
  const ask = (id, kind) => fake.frame([{ op: "add", path: `/prompts/${id}`, value: { kind, screen: "1", params: {} } }]);
  ask("q1", "dismiss");
  ask("q2", "fail");
  ask("q3", "wait");
  await turn();
  assert.deepEqual(fake.requests("answer").map(({ params }) => params), [
    { prompt: "q1", dismissed: true },
    { prompt: "q2", error: { message: "no camera" } },
  ]);
  fake.frame([{ op: "remove", path: "/prompts/q3" }]);
  await turn();
  assert.deepEqual(aborted, [true]);
  assert.equal(fake.requests("answer").length, 2);
});

test("a revision gap asks for a snapshot and keeps the events", limit, async () => {
  const fake = new FakeCore(document(["1"], { output: { count: 0 } }));
  const core = await new Core(fake.connect).start();
  const events = core.events("1");
  fake.revision++; // A frame is lost.
  fake.state.screens["1"].output.count = 2;
  fake.frame([{ op: "replace", path: "/screens/1/output/count", value: 1 }], undefined, {
    events: [{ screen: "1", name: "counted", value: 1 }],
  });
  assert.equal((await events.next()).value.name, "counted");
  assert.equal(core.document.get("/screens/1/output/count"), 2);
  assert.equal(core.document.revision, fake.revision);
  assert.equal(fake.requests("state/snapshot").length, 1);
});

test("a whole frame closes a gap without the snapshot", () => {
  const copy = new Document();
  let asked = 0;
  const replica = new Replica(copy, () => asked++);
  const frame = (revision, path, value) =>
    parseFrame({
      revision,
      patch: [{ op: "replace", path, value }],
      events: [{ screen: "1", name: "told", value: revision }],
    });
  assert.ok(replica.receive(frame(1, "", { n: 1 })));
  assert.equal(replica.receive(frame(3, "/n", 3)), undefined);
  const whole = replica.receive(frame(9, "", { n: 9 }));
  assert.deepEqual(copy.value, { n: 9 });
  assert.deepEqual(whole.events.map(({ value }) => value), [3, 9]);
  // The snapshot may fail, as when another core takes over.
  replica.giveUp();
  assert.ok(replica.receive(frame(10, "/n", 10)));
  assert.deepEqual(copy.value, { n: 10 });
  assert.equal(asked, 1);
});

test("what a frame appends is added to the end of a text", limit, async () => {
  const fake = new FakeCore(document(["1"], { output: { answer: "one", count: 0 } }));
  const core = await new Core(fake.connect).start();
  assert.equal(fake.requests("initialize")[0].params.append, true);
  fake.frame([
    { op: "append", path: "/screens/1/output/answer", value: " two" },
    { op: "append", path: "/screens/1/output/answer", value: " three" },
  ]);
  await turn();
  assert.equal(core.document.get("/screens/1/output/answer"), "one two three");
  // It fits a text only.
  fake.state.screens["1"].output.count = 1;
  fake.frame([{ op: "append", path: "/screens/1/output/count", value: "1" }]);
  await turn();
  assert.equal(core.document.get("/screens/1/output/count"), 1);
  assert.equal(fake.requests("state/snapshot").length, 1);
});

test("a slow reader of frames gets one that replaces the document", limit, async () => {
  const fake = new FakeCore(document(["1"], { output: { count: 0 } }));
  const core = await new Core(fake.connect).start();
  const frames = core.frames();
  for (let count = 1; count <= 300; count++) {
    fake.frame([{ op: "replace", path: "/screens/1/output/count", value: count }], undefined, {
      events: [{ screen: "1", name: "counted", value: count }],
    });
  }
  await turn();
  const events = [];
  let revision = 0;
  while (revision < core.document.revision) {
    const { value: frame } = await frames.next();
    revision = frame.revision;
    events.push(...frame.events.map(({ value }) => value));
  }
  assert.deepEqual(events, Array.from({ length: 300 }, (_, index) => index + 1));
});

test("a watch gives the value now and whenever it changes", limit, async () => {
  const core = await start("signUp");
  const seen = [];
  const reading = (async () => {
    for await (const value of core.watch("/screens/1/output/isConfirmEnabled")) {
      seen.push(value);
      if (value) break;
    }
  })();
  await core.input("1", "nameText", "Kim");
  await core.input("1", "emailText", "kim@example.com");
  await reading;
  assert.deepEqual(seen, [false, true]);
  await core.close();
});

test("log entries are requested, and arrive", limit, async () => {
  const fake = new FakeCore();
  const entries = [];
  await new Core(fake.connect, { log: "warning", onLog: (entry) => entries.push(entry) }).start();
  assert.equal(fake.received[0].params.log, "warning");
  const entry = { level: "warning", message: "a turn took 80 ms", cause: 3 };
  fake.line(JSON.stringify({ jsonrpc: "2.0", method: "log", params: entry }));
  await turn();
  assert.deepEqual(entries, [entry]);
});

test("a message that is not JSON ends the connection", limit, async () => {
  const fake = new FakeCore();
  const core = await new Core(fake.connect).start();
  const frames = core.frames();
  fake.line("oops");
  await assert.rejects(frames.next(), /not JSON: oops/);
});
