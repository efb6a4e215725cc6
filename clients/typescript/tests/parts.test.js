/** Parts of screens: their inputs, fields, events, and lifecycle. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Core, joinPath, UnknownScreen } from "../dist/index.js";
import { document, FakeCore, turn } from "./support.js";

const line = (id, count) => ({ id, cost: 3, notes: [], fields: { countText: { value: count, error: null } } });
const description = {
  "x-screens": { form: { inputs: {}, children: { header: "Header", lines: "Line" } } },
  "x-parts": {
    Header: { inputs: { didAppear: { "x-when": "appear" }, didDisappear: { "x-when": "disappear" } } },
    Line: { inputs: {}, children: { notes: "Note" } },
    Note: { inputs: { appeared: { "x-when": "appear" } } },
  },
};

class Cart extends FakeCore {
  constructor(options) {
    super(document(["1"], { output: { header: null, lines: [line("milk", "1"), line("a/b", "2")] } }), options);
  }

  handle(message) {
    if (message.method === "rpc.discover") return this.answer(message.id, description);
    super.handle(message);
  }

  get sent() {
    return this.requests("input").map(({ params }) => params.name);
  }
}

async function start() {
  const fake = new Cart();
  const core = await new Core(fake.connect).start();
  return { fake, core, cart: core.screen("1") };
}

test("a path is made of escaped tokens", () => {
  assert.equal(joinPath("lines", "a/b~", "countText"), "lines/a~1b~0/countText");
});

test("a part is found by its id, wherever its list moves it", async () => {
  const { fake, core, cart } = await start();
  const part = cart.part("lines", "a/b");
  assert.equal(part.path, "lines/a~1b");
  assert.equal(part.output.fields.countText.value, "2");
  await part.input("countText", "3");
  assert.deepEqual(fake.requests("input").at(-1).params, { screen: "1", name: "lines/a~1b/countText", value: "3" });
  fake.frame([{ op: "move", from: "/screens/1/output/lines/1", path: "/screens/1/output/lines/0" }]);
  await turn();
  assert.deepEqual(cart.parts("lines").map((each) => each.output.id), ["a/b", "milk"]);
  assert.equal(part.output.id, "a/b");
  fake.frame([{ op: "remove", path: "/screens/1/output/lines/0" }]);
  await turn();
  assert.equal(part.isOpen, false);
  assert.throws(() => part.output, UnknownScreen);
  assert.equal(cart.part("header").isOpen, false);
  await core.close();
});

test("a field of a part is written ahead, and confirmed by the frame that its write has caused", async () => {
  const { fake, core, cart } = await start();
  fake.input = (id, { value }) => {
    fake.frame([{ op: "replace", path: "/screens/1/output/lines/1/fields/countText", value: { value, error: "Too many." } }], id);
  };
  const field = cart.part("lines", "a/b").field("countText");
  assert.equal(field.value, "2");
  const written = field.write("99");
  assert.deepEqual([field.value, field.isPending, field.error], ["99", true, null]);
  await written;
  assert.deepEqual([field.value, field.isPending, field.error], ["99", false, "Too many."]);
  fake.frame([{ op: "replace", path: "/screens/1/output/lines/1/fields/countText/value", value: "9" }]);
  await turn();
  assert.equal(field.value, "9");
  await core.close();
});

test("a part that comes back under an id has a field of its own", async () => {
  const { fake, core } = await start();
  fake.handle = (message) => message.method === "shutdown" && fake.answer(message.id, null);
  core.field("1", "lines/a~1b/countText").write("99").catch(() => {});
  fake.frame([{ op: "remove", path: "/screens/1/output/lines/1" }]);
  fake.frame([{ op: "add", path: "/screens/1/output/lines/1", value: line("a/b", "1") }]);
  await turn();
  assert.equal(core.field("1", "lines/a~1b/countText").value, "1");
  await core.close();
});

test("events of a part have its path", async () => {
  const { fake, core, cart } = await start();
  const events = cart.part("lines", "a/b").events("sold");
  fake.frame([], undefined, {
    events: [{ screen: "1", name: "lines/milk/sold", value: 1 }, { screen: "1", name: "lines/a~1b/sold", value: 2 }],
  });
  assert.equal((await events.next()).value.value, 2);
  await core.close();
});

test("parts of a visible screen appear and disappear with it", async () => {
  const { fake, core } = await start();
  const show = (value) => fake.frame([{ op: "replace", path: "/screens/1/output/header", value }]);
  show({ name: "Kim" });
  show({ name: "Lee" });
  show(null);
  show({ name: "Ann" });
  fake.frame([{ op: "add", path: "/screens/1/output/lines/1/notes/0", value: { id: 7 } }]);
  await turn();
  assert.deepEqual(fake.sent, ["header/didAppear", "header/didAppear", "lines/a~1b/notes/7/appeared"]);
  const upper = { ...document(["1", "2"]).screens["2"] };
  fake.frame([
    { op: "add", path: "/screens/2", value: upper },
    { op: "replace", path: "/navigation/root/screens", value: ["1", "2"] },
  ]);
  await turn();
  assert.deepEqual(fake.sent.slice(3), ["header/didDisappear"]);
  await core.close();
});
