/** Fields show typed text at once, however slow the core is. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Core } from "../dist/index.js";
import { launch } from "../dist/node.js";
import { Clock, document, FakeCore, showcase } from "./support.js";

const path = "/screens/1/fields/messageText/value";

/** A form that keeps its text in the document, and clears it when it is sent. */
class FormCore extends FakeCore {
  text = "";
  sent = [];

  constructor(clock, limit = 1000, masks = false) {
    super(document(["1"], { fields: { messageText: { value: "", error: null } } }), { clock, delay: 300 });
    this.limit = limit;
    this.masks = masks;
  }

  input(id, { name, value }) {
    if (name === "send") {
      this.sent.push(this.text);
      this.change("", id);
    } else {
      this.change(value.slice(0, this.limit), id);
    }
  }

  change(text, id) {
    if (text === this.text) return;
    this.text = text;
    this.frame([{ op: "replace", path, value: text && this.masks ? "••••" : text }], id);
  }
}

async function open(limit, masks) {
  const clock = new Clock();
  const fake = new FormCore(clock, limit, masks);
  const core = new Core(fake.connect);
  const started = core.start();
  await clock.advance(2000);
  await started;
  return { clock, fake, core, field: core.field("1", "messageText") };
}

/** Yields pseudorandom numbers, the same in each run. */
function* numbers(seed) {
  for (;;) {
    seed = (seed * 48271) % 2147483647;
    yield seed / 2147483647;
  }
}

test("with 300 ms of delay nothing typed is lost and nothing jumps", async () => {
  for (let seed = 1; seed <= 50; seed++) {
    const { clock, fake, core, field } = await open();
    const random = numbers(seed);
    const shown = [];
    core.observe(() => shown.push(field.value));
    let typed = "";
    for (let keys = Math.floor(random.next().value * 30); keys > 0; keys--) {
      await clock.advance(Math.floor(random.next().value * 1000));
      typed += "ab "[Math.floor(random.next().value * 3)];
      field.write(typed);
      assert.equal(field.value, typed);
    }
    await clock.advance(2000);
    assert.equal(fake.text, typed);
    assert.equal(field.value, typed);
    assert.equal(field.isPending, false);
    const lengths = shown.map((text) => text.length);
    assert.deepEqual(lengths, [...lengths].sort((a, b) => a - b));
  }
});

test("typing goes on while the core clears the text", async () => {
  const { clock, fake, core, field } = await open();
  field.write("hello");
  core.input("1", "send");
  await clock.advance(100);
  field.write("b");
  await clock.advance(550);
  assert.deepEqual(fake.sent, ["hello"]);
  assert.equal(field.value, "b");
  field.write("by");
  await clock.advance(2000);
  assert.equal(fake.text, "by");
  assert.equal(field.value, "by");
});

test("a masked secret stays what was typed", async () => {
  const { clock, fake, core, field } = await open(1000, true);
  fake.frame([{ op: "replace", path, value: "••••" }]);
  await clock.advance(1000);
  assert.equal(field.value, undefined);
  for (const text of ["h", "hunter2"]) {
    field.write(text);
    assert.equal(field.value, text);
    await clock.advance(1000);
    assert.deepEqual([field.value, fake.text], [text, text]);
  }
  core.input("1", "send");
  await clock.advance(1000);
  assert.deepEqual([field.value, fake.sent], ["", ["hunter2"]]);
});

test("the core has the last word once the user pauses", async () => {
  const { clock, field } = await open(4);
  field.write("abcdef");
  assert.equal(field.value, "abcdef");
  await clock.advance(2000);
  assert.equal(field.value, "abcd");
});

test("what another front end types shows unless something is pending", async () => {
  const { clock, fake, field } = await open();
  fake.frame([{ op: "replace", path, value: "theirs" }]);
  await clock.advance(300);
  assert.equal(field.value, "theirs");
  field.write("mine");
  fake.frame([{ op: "replace", path, value: "theirs again" }]);
  await clock.advance(300);
  assert.equal(field.value, "mine");
});

test("a refused write is taken back", async () => {
  const core = await launch([showcase, "--deterministic", "--root", "signUp"]);
  const field = core.field("1", "nameText");
  await field.write("Kim");
  const refused = field.write(5);
  assert.equal(field.value, 5);
  await assert.rejects(refused, /nameText|string/);
  assert.equal(field.value, "Kim");
  await core.close();
});

test("a field that was left says what is wrong with it", async () => {
  const core = await launch([showcase, "--deterministic", "--root", "signUp"]);
  const field = core.field("1", "emailText");
  core.field("1", "nameText").write("Kim");
  await field.check();
  assert.equal(field.error, "Enter an email address.");
  await core.close();
});
