import type { Description, Schema, ScreenDescription } from "./app.js";

/** Returns the source of a module with the type `App`, and the types of its values. */
export function generate(description: Description): string {
  const { title, version } = description.info;
  return `/** The types of ${title} ${version}. Written by offstage-generate; do not edit. */\n\n${new Module(description).text()}`;
}

const indent = "  ";
const scalars: Record<string, string> = {
  string: "string",
  integer: "number",
  number: "number",
  boolean: "boolean",
  null: "null",
};
/** Members of a schema that say nothing about the values. */
const annotations = /^(title|description|placeholder|default|examples|x-.*)$/;

/** Writes the types of an app's values by name, then `App`. */
class Module {
  private readonly declarations: string[] = [];
  private readonly declared = new Map<string, string>();
  private readonly taken = new Set(["App"]);
  /** The names of the types of parts, by the names of the parts. */
  private readonly parts = new Map<string, string>();
  private readonly components: Readonly<Record<string, Schema>>;

  constructor(private readonly description: Description) {
    this.components = description.components?.schemas ?? {};
  }

  text(): string {
    const screens = Object.entries(this.description["x-screens"] ?? {});
    const parts = Object.entries(this.description["x-parts"] ?? {});
    const prompts = Object.entries(this.description["x-prompts"] ?? {});
    for (const [name] of parts) this.parts.set(name, this.pick(pascal(name, "part"), false));
    for (const [name, part] of parts) {
      const lines = this.members(name, part, () => [`output: ${this.component(name, false)};`]);
      this.declarations.push([`${doc(part)}export type ${this.parts.get(name)} = {`, ...lines.map((line) => indent + line), "};"].join("\n"));
    }
    const app = [
      "export type App = {",
      `${indent}screens: {`,
      ...screens.map(([kind, screen]) => this.screen(kind, screen)),
      `${indent}};`,
      `${indent}prompts: {`,
      ...prompts.map(([kind, { params, answer }]) => {
        const types = [
          `params: ${this.type(params, pascal(kind, "params"), false)}`,
          `answer: ${this.isEmpty(answer) ? "void" : this.type(answer, pascal(kind, "answer"), true)}`,
        ];
        return `${indent.repeat(2)}${property(kind)}: { ${types.join("; ")} };`;
      }),
      `${indent}};`,
      "};",
    ].join("\n");
    return [...this.declarations, app].join("\n\n") + "\n";
  }

  private screen(kind: string, screen: ScreenDescription): string {
    const events: Record<string, Schema> = { ...screen.events };
    if (screen.result && !this.isEmpty(screen.result)) events["finished"] ??= screen.result;
    const lines = [
      `argument: ${this.argument(screen.argument ?? {}, pascal(kind, "argument"))};`,
      ...this.members(kind, { ...screen, events }, () => this.ports("output", kind, screen.outputs ?? {}, false)),
    ];
    const title = screen.title ? [`/** ${comment(screen.title)} */`] : [];
    return [...title, `${property(kind)}: {`, ...lines.map((line) => indent + line), "};"]
      .map((line) => indent.repeat(2) + line)
      .join("\n");
  }

  /** Returns the members of the types of a screen or a part. */
  private members(name: string, about: ScreenDescription, output: () => string[]): string[] {
    const parts = Object.entries(about.children ?? {}).map(([child, part]) => {
      const isList = about.outputs?.[child]?.type === "array";
      return `${indent}${property(child)}: ${isList ? "readonly " : ""}${this.parts.get(part)}${isList ? "[]" : ""};`;
    });
    return [
      ...this.ports("inputs", name, about.inputs ?? {}, true),
      ...this.ports("fields", name, about.fields ?? {}, true),
      ...output(),
      ...this.ports("events", name, about.events ?? {}, false),
      ...block("parts", parts),
    ];
  }

  private ports(part: string, kind: string, ports: Readonly<Record<string, Schema>>, isSent: boolean): string[] {
    const lines = Object.entries(ports).flatMap(([name, schema]) => {
      const type = isSent && this.isEmpty(schema) ? "void" : this.type(schema, pascal(kind, name), isSent);
      const title = schema.title ? [`${indent}/** ${comment(schema.title)} */`] : [];
      return [...title, `${indent}${isSent ? "" : "readonly "}${property(name)}: ${type};`];
    });
    return block(part, lines);
  }

  private argument(schema: Schema, name: string): string {
    return this.isEmpty(schema) ? "void" : this.type(schema, name, true);
  }

  /**
   * Returns the type of a schema, named `name` if it needs a name. A core sends every member of an
   * object, with null for a missing value. A front end may leave out optional members.
   */
  private type(schema: Schema, name: string, isSent: boolean): string {
    if (schema.$ref !== undefined) return this.component(schema.$ref.split("/").at(-1) ?? "", isSent);
    const choices = schema.anyOf ?? schema.oneOf;
    if (choices) {
      const many = choices.filter((choice) => choice.type !== "null").length > 1;
      return union(choices.map((choice, index) => this.type(choice, many ? `${name}${index + 1}` : name, isSent)));
    }
    if ("const" in schema) return JSON.stringify(schema.const);
    if (schema.enum) return union(schema.enum.map((value) => JSON.stringify(value)));
    const kinds = typeof schema.type === "string" ? [schema.type] : (schema.type ?? []);
    return union(kinds.map((kind) => this.simple(kind, schema, name, isSent))) || "unknown";
  }

  private simple(kind: string, schema: Schema, name: string, isSent: boolean): string {
    if (kind === "array") return `readonly (${this.type(schema.items ?? {}, `${name}Item`, isSent)})[]`;
    if (kind !== "object") return scalars[kind] ?? "unknown";
    if (schema.properties) return this.declare(schema, name, isSent);
    const rest = schema.additionalProperties ?? true;
    const value = typeof rest === "boolean" ? "unknown" : this.type(rest, `${name}Value`, isSent);
    return `{ readonly [name: string]: ${value} }`;
  }

  private component(name: string, isSent: boolean): string {
    const schema = this.components[name];
    if (!schema) return "unknown";
    if (schema.type === "object" && schema.properties) return this.declare(schema, pascal(name), isSent);
    const variant = isSent && this.hasOptions(schema);
    const key = `${name} ${variant}`;
    const known = this.declared.get(key);
    if (known) return known;
    const type = this.pick(pascal(name), variant);
    this.declared.set(key, type);
    this.declarations.push(`${doc(schema)}export type ${type} = ${this.type(schema, type, isSent)};`);
    return type;
  }

  /** Declares the type of an object unless an equal one exists. */
  private declare(schema: Schema, name: string, isSent: boolean): string {
    const variant = isSent && this.hasOptions(schema);
    const key = JSON.stringify([variant, schema]);
    const known = this.declared.get(key);
    if (known) return known;
    const type = this.pick(name, variant);
    this.declared.set(key, type);
    const members = Object.entries(schema.properties ?? {}).map(([member, value]) => {
      const mark = variant && !schema.required?.includes(member) ? "?" : "";
      return `${indent}readonly ${property(member)}${mark}: ${this.type(value, pascal(name, member), variant)};`;
    });
    this.declarations.push([`${doc(schema)}export type ${type} = {`, ...members, "};"].join("\n"));
    return type;
  }

  /** Returns a name that no other type has. */
  private pick(name: string, isSentVariant: boolean): string {
    const base = isSentVariant && this.taken.has(name) ? `${name}Params` : name;
    let candidate = base;
    for (let number = 2; this.taken.has(candidate); number++) candidate = base + number;
    this.taken.add(candidate);
    return candidate;
  }

  /** True if a member may be left out, here or in a nested type. */
  private hasOptions(schema: unknown, seen: readonly string[] = []): boolean {
    if (Array.isArray(schema)) return schema.some((each) => this.hasOptions(each, seen));
    if (typeof schema !== "object" || schema === null) return false;
    const { $ref, properties, required = [] } = schema as Schema;
    if (typeof $ref === "string") {
      const name = $ref.split("/").at(-1) ?? "";
      return !seen.includes(name) && this.hasOptions(this.components[name], [...seen, name]);
    }
    if (Object.keys(properties ?? {}).some((name) => !required.includes(name))) return true;
    return Object.values(schema).some((each) => this.hasOptions(each, seen));
  }

  /** True if a value says nothing: that of a trigger, or of a screen without an argument or a result. */
  private isEmpty(schema: Schema): boolean {
    return Object.entries(schema).every(
      ([key, value]) => annotations.test(key) || (key === "type" && (value === "null" || value === "object")),
    );
  }
}

function pascal(...names: string[]): string {
  const words = names.flatMap((name) => name.split(/[^\p{L}\p{N}]+/u)).filter((word) => word !== "");
  const name = words.map((word) => word[0]?.toUpperCase() + word.slice(1)).join("");
  return /^\p{L}/u.test(name) ? name : `T${name}`;
}

function property(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
}

function block(name: string, lines: string[]): string[] {
  return lines.length === 0 ? [`${name}: {};`] : [`${name}: {`, ...lines, "};"];
}

function union(types: string[]): string {
  return [...new Set(types)].join(" | ");
}

function doc(schema: { readonly title?: string; readonly description?: string }): string {
  const text = schema.description ?? schema.title;
  return text ? `/** ${comment(text)} */\n` : "";
}

function comment(text: string): string {
  return text.replace(/\s+/g, " ").replace(/\*\//g, "* /");
}
