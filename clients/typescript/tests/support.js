/** The program of the core, and a fake core in the test's own process. */
import { existsSync, readdirSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import path from "node:path";
import { CoreStopped } from "../dist/index.js";

export const repository = fileURLToPath(new URL("../../..", import.meta.url));

/** The program of the reference app: $SHOWCASE, or the newest build. */
export const showcase = (() => {
  if (process.env.SHOWCASE) return path.resolve(process.env.SHOWCASE);
  const builds = ["release", "debug"]
    .map((mode) => path.join(repository, ".build", mode, "showcase"))
    .filter(existsSync)
    .sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs);
  if (builds.length === 0) throw new Error("no core found; run swift build, or set SHOWCASE to the program");
  return builds[0];
})();

export function transcripts(folder = path.join(repository, "Protocol/transcripts")) {
  return readdirSync(folder, { withFileTypes: true })
    .flatMap((entry) => {
      const file = path.join(folder, entry.name);
      return entry.isDirectory() ? transcripts(file) : file.endsWith(".transcript") ? [file] : [];
    })
    .sort();
}

/** Returns a document with a stack of screens of the kind `form`. */
export function document(screens = ["1"], state = {}) {
  return {
    navigation: { root: { type: "stack", screens }, presented: [], modals: [] },
    screens: Object.fromEntries(screens.map((id) => [id, { kind: "form", output: {}, ...state }])),
    prompts: {},
  };
}

/** Lets all pending callbacks run. */
export const turn = () => new Promise((resolve) => setImmediate(resolve));

/** A clock that the test advances, for messages that take time. */
export class Clock {
  now = 0;
  #timers = [];

  after(delay, action) {
    this.#timers.push({ at: this.now + delay, action });
  }

  async advance(delay) {
    const end = this.now + delay;
    for (;;) {
      await turn();
      this.#timers.sort((a, b) => a.at - b.at); // Stable: messages keep their order.
      if (!(this.#timers[0]?.at <= end)) break;
      const { at, action } = this.#timers.shift();
      this.now = at;
      action();
    }
    this.now = end;
  }
}

/** Both ends of a line. The test plays the core by overriding `input` and calling `frame`. */
export class FakeCore {
  received = [];
  revision = 0;
  inputs = {};
  /** Members of the result of `initialize`. */
  handshake = {};
  connections = 0;
  /** The error of any later connection. */
  refusal = undefined;
  #receiver;

  constructor(state = document(), { clock, delay = 0 } = {}) {
    this.state = state;
    this.clock = clock;
    this.delay = delay;
  }

  connect = async () => {
    this.connections++;
    if (this.refusal) throw this.refusal;
    return {
      start: (receiver) => (this.#receiver = receiver),
      send: (line) => this.#later(() => this.#receive(JSON.parse(line))),
      close: async () => this.end(new CoreStopped("the fake core has ended")),
    };
  };

  /** Answers a request. */
  handle({ id, method, params }) {
    switch (method) {
      case "initialize":
        this.revision++;
        this.#send("frame", { revision: this.revision, cause: id, patch: [{ op: "replace", path: "", value: this.state }] });
        return this.answer(id, {
          protocol: 1, app: { name: "fake", version: "1" }, revision: this.revision, limits: {}, ...this.handshake,
        });
      case "rpc.discover":
        return this.answer(id, { "x-screens": { form: { inputs: this.inputs } } });
      case "state/snapshot":
        return this.answer(id, { revision: this.revision, state: this.state });
      case "input":
        this.input(id, params);
        return this.answer(id, { revision: this.revision });
      case "shutdown":
        return this.answer(id, null);
      default:
        if (id !== undefined) this.answer(id, { revision: this.revision });
    }
  }

  /** Handles an input. */
  input() {}

  frame(patch, cause, members = {}) {
    this.revision++;
    this.#send("frame", { revision: this.revision, patch, ...(cause === undefined ? {} : { cause }), ...members });
  }

  answer(id, result) {
    this.line(JSON.stringify({ jsonrpc: "2.0", id, result }));
  }

  line(text) {
    const receiver = this.#receiver;
    this.#later(() => receiver.line(text));
  }

  end(reason) {
    this.#receiver?.end(reason);
  }

  /** Returns the requests of a method that have arrived. */
  requests(method) {
    return this.received.filter((message) => message.method === method);
  }

  #send(method, params) {
    this.line(JSON.stringify({ jsonrpc: "2.0", method, params }));
  }

  #receive(message) {
    this.received.push(message);
    this.handle(message);
  }

  #later(action) {
    if (this.clock) this.clock.after(this.delay, action);
    else queueMicrotask(action);
  }
}
