/** The generated types: what tsc accepts and rejects. */
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { generate } from "../dist/index.js";
import { repository, showcase } from "./support.js";

const folder = mkdtempSync(path.join(tmpdir(), "offstage-"));
after(() => rmSync(folder, { recursive: true }));

const good = `
import { Core, Dismissed } from "offstage";
import type { PromptHandlers, Screen } from "offstage";
import { launch } from "offstage/node";
import type { App } from "./app.js";

const prompts: PromptHandlers<App> = {
  alert: async ({ params }) => {
    const button = params.buttons[0];
    if (!button) throw new Dismissed();
    return { button: button.id };
  },
  share: ({ params }) => console.log(params.text),
};

export async function main(): Promise<string[]> {
  const core: Core<App> = await launch<App>(["showcase"], { prompts });
  const form: Screen<App, "signUp"> = await core.waitFor("signUp");
  const { revision } = await form.input("nameText", "Kim");
  await form.input("nameText", null, { settle: true });
  await form.input("confirm");
  await form.input("confirm", undefined, { settle: true });
  const isEnabled: boolean = form.output.isConfirmEnabled;
  await form.field("emailText").write("kim@example.com");
  const text: string | null | undefined = form.field("emailText").value;
  for await (const { value } of form.events("finished")) console.log(value.email, isEnabled, text, revision);
  const plan = await core.waitFor("map");
  await plan.input("boundsChanged", { minLat: 37.4, minLng: 126, maxLat: 37.7, maxLng: 128 });
  await plan.input("sortBy", "rating");
  return core.find("pokedex")?.output.pokemon.map((row) => row.name) ?? [];
}
`;

const bad = [
  'form.input("naemText", "Kim")',
  'form.input("nameText", 5)',
  'form.input("nameText")',
  'form.input("confirm", "now")',
  'form.field("nameText").write(5)',
  'form.field("confirm")',
  "form.output.isConfirmed",
  "form.output.isConfirmEnabled = true",
  'form.events("vanished")',
  'plan.input("sortBy", "colour")',
  'plan.input("boundsChanged", { minLat: 1 })',
  'plan.input("placeTapped", "1")',
  "plan.output.places[0]?.name.length.length",
  'core.find("pokedexes")',
  'core.waitFor(SignUp)',
];

/** Compiles files of the folder in strict mode. Returns the errors as `[file, line]`. */
function compile(...files) {
  const options = ["--strict", "--noEmit", "--target", "ES2022", "--module", "Node16", "--moduleResolution", "Node16"];
  const { stdout } = spawnSync("tsc", [...options, ...files], { cwd: folder, encoding: "utf8" });
  return [...stdout.matchAll(/^(\S+?)\((\d+),\d+\): error (.*)$/gm)].map(([, file, line, text]) => [file, Number(line), text]);
}

test("tsc accepts right uses of the generated types and rejects wrong ones", { timeout: 120_000 }, () => {
  const main = fileURLToPath(new URL("../dist/main.js", import.meta.url));
  execFileSync(process.execPath, [main, "--output", path.join(folder, "app.d.ts"), showcase, "--deterministic"]);
  mkdirSync(path.join(folder, "node_modules"));
  symlinkSync(fileURLToPath(new URL("..", import.meta.url)), path.join(folder, "node_modules/offstage"));
  writeFileSync(path.join(folder, "package.json"), '{"type":"module"}');
  writeFileSync(path.join(folder, "good.ts"), good);
  const lines = bad.map((use) => `  void (${use});`);
  writeFileSync(
    path.join(folder, "bad.ts"),
    [
      'import type { Core, Screen } from "offstage";',
      'import type { App } from "./app.js";',
      'export function main(core: Core<App>, form: Screen<App, "signUp">, plan: Screen<App, "map">): void {',
      ...lines,
      "}",
    ].join("\n"),
  );
  const errors = compile("good.ts", "bad.ts");
  assert.deepEqual(errors.filter(([file]) => file !== "bad.ts"), []);
  assert.deepEqual([...new Set(errors.map(([, line]) => line))], bad.map((_, index) => index + 4));
});

test("the description in the repository gives types", () => {
  const file = path.join(repository, "Protocol/openrpc.json");
  const source = generate(JSON.parse(readFileSync(file, "utf8")));
  assert.match(source, /^export type App = \{$/m);
});

test("named types keep their names, and awkward names become identifiers", { timeout: 60_000 }, () => {
  const pet = {
    type: "object",
    description: "A pet */ of the house.",
    properties: { class: { $ref: "#/components/schemas/Mood" }, "last-name": { type: "string" } },
    required: ["class"],
  };
  const reference = { $ref: "#/components/schemas/Pet" };
  const source = generate({
    info: { title: "pets", version: "1" },
    components: { schemas: { Pet: pet, Mood: { enum: ["fine", 'so "so"'] } } },
    "x-screens": {
      any: {
        title: "Any pet",
        inputs: { class: { "x-role": "trigger" }, "2nd-try": reference, none: { anyOf: [reference, { type: "null" }] } },
        fields: { note: { type: "string" } },
        outputs: { pet: reference, app: { type: "object", properties: { id: { type: "integer" } }, required: ["id"] } },
        events: {},
      },
      app: { inputs: {}, outputs: {} },
    },
    "x-prompts": { "location.current": { params: {}, answer: reference } },
  });
  writeFileSync(path.join(folder, "pets.ts"), source);
  assert.deepEqual(compile("pets.ts"), []);
  for (const line of [
    'export type Mood = "fine" | "so \\"so\\"";',
    'readonly "last-name"?: string;',
    "class: void;",
    '"2nd-try": Pet',
    "none: Pet | null;",
    "readonly app: AnyApp;",
    '"location.current": { params: unknown; answer: Pet };',
  ]) {
    assert.ok(source.includes(line), `${line} is not in\n${source}`);
  }
});

const cart = {
  info: { title: "cart", version: "1" },
  components: {
    schemas: {
      Line: {
        type: "object",
        properties: { id: { type: "string" }, lines: { type: "array", items: { $ref: "#/components/schemas/Line" } } },
        required: ["id", "lines"],
      },
      Header: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
    },
  },
  "x-screens": {
    cart: {
      outputs: {
        header: { anyOf: [{ $ref: "#/components/schemas/Header" }, { type: "null" }] },
        lines: { type: "array", items: { $ref: "#/components/schemas/Line" } },
      },
      children: { header: "Header", lines: "Line" },
    },
  },
  "x-parts": {
    Header: { inputs: { refresh: {} }, events: { refreshed: { type: "string" } } },
    Line: {
      inputs: { countText: { type: "string" }, add: {} },
      fields: { countText: { type: "string" } },
      outputs: { lines: { type: "array", items: { $ref: "#/components/schemas/Line" } } },
      children: { lines: "Line" },
    },
  },
};
const goodParts = `
import type { Core, Screen } from "offstage";
import type { App } from "./cart.js";

export async function main(core: Core<App>, cart: Screen<App, "cart">): Promise<string> {
  await cart.part("header").input("refresh");
  for await (const { value } of cart.part("header").events("refreshed")) console.log(value.length);
  const line = cart.part("lines", "a/b");
  await line.input("countText", "3");
  const text: string | undefined = line.field("countText").value;
  const inner: string[] = line.parts("lines").map((each) => each.output.id);
  const untyped = core as unknown as Core;
  await untyped.screen("1")?.part("lines", 7).part("header").input("refresh");
  return [text, ...inner, line.part("lines", 7).output.id].join();
}
`;
const badParts = [
  'cart.part("header", "1")',
  'cart.part("lines")',
  'cart.parts("header")',
  'cart.part("footer")',
  'cart.part("header").input("refreshh")',
  'cart.part("lines", "a/b").input("countText", 3)',
  'cart.part("lines", "a/b").field("add")',
  'cart.part("header").output.nam',
];

test("parts have types", { timeout: 60_000 }, () => {
  writeFileSync(path.join(folder, "cart.ts"), generate(cart));
  writeFileSync(path.join(folder, "good-parts.ts"), goodParts);
  const head = 'import type { Screen } from "offstage";\nimport type { App } from "./cart.js";\nexport declare const cart: Screen<App, "cart">;';
  writeFileSync(path.join(folder, "bad-parts.ts"), [head, ...badParts.map((use) => `void (${use});`)].join("\n"));
  const errors = compile("cart.ts", "good-parts.ts", "bad-parts.ts");
  assert.deepEqual(errors.filter(([file]) => file !== "bad-parts.ts"), []);
  assert.deepEqual([...new Set(errors.map(([, line]) => line))], badParts.map((_, index) => index + 4));
});
