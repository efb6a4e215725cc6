/** Reads the app's description: titles, roles, and the relations of inputs and outputs. */
import { joinPath, rootStack } from "offstage";
import { isSent, once } from "./busy.js";
import { isAway } from "./connection.js";
import { spell } from "./words.js";

const inputRoles = new Set(["trigger", "lifecycle", "text", "choice", "toggle", "row", "move", "sort", "file", "value", "hidden"]);

/** The ports of a screen, or of a part of it, with their description and actions. */
class PortsView {
  /** `id` names the screen, and `path` the part; `state` has the outputs and fields. */
  constructor(core, id, path, state, description) {
    this.core = core;
    this.id = id;
    this.path = path;
    this.state = state;
    this.description = description ?? {};
    this.inputs = this.description.inputs ?? {};
    this.outputs = this.description.outputs ?? {};
    this.output = state.output;
  }

  get title() {
    return this.valueWithRole("title") || (this.description.title ?? "");
  }

  /** The name of a port in requests to the core. */
  address(name) {
    return this.path === "" ? name : `${this.path}/${name}`;
  }

  /** The id in the page of a port's element. */
  elementID(name) {
    return `field-${this.id}-${encodeURIComponent(this.address(name))}`;
  }

  /** True if an output shows a part, or a list of parts. */
  hasParts(output) {
    return output in (this.description.children ?? {});
  }

  /** The description of the part, or of each of the parts, that an output shows. */
  partDescription(output) {
    return this.core.description["x-parts"]?.[this.description.children[output]];
  }

  /** The part that an output shows, or the one at a place in its list. */
  part(output, at) {
    const value = this.output[output];
    const part = at === undefined ? value : value[at];
    const description = this.partDescription(output);
    const path = this.address(at === undefined ? output : joinPath(output, String(part.id)));
    const outputs = Object.keys(description?.outputs ?? {}).map((name) => [name, part[name]]);
    const state = { output: Object.fromEntries(outputs), fields: part.fields };
    return new PortsView(this.core, this.id, path, state, description);
  }

  /** The parts that an output shows. */
  parts(output) {
    const value = this.output[output];
    return Array.isArray(value) ? value.map((_, at) => this.part(output, at)) : value === null ? [] : [this.part(output)];
  }

  /** The part at a path, or this screen; undefined if it is gone. */
  at(path) {
    if (path === this.path) return this;
    const parts = Object.keys(this.description.children ?? {}).flatMap((output) => this.parts(output));
    return parts.find((part) => path === part.path || path.startsWith(`${part.path}/`))?.at(path);
  }

  /** The current state of these ports in the document; undefined if they are gone. */
  get now() {
    return viewOf(this.core, this.id)?.at(this.path);
  }

  /** The label of a port, in the person's language. */
  label(name) {
    const output = this.outputFor("label", name);
    return (output && this.output[output]) || (this.inputs[name]?.title ?? this.outputs[name]?.title ?? spell(name));
  }

  placeholder(name) {
    return this.inputs[name]?.placeholder ?? "";
  }

  has(name) {
    return name in this.inputs;
  }

  isEnabled(name) {
    return this.#allows(this.inputs[name]?.["x-enabledBy"]);
  }

  /** Why an input is disabled; empty if it is enabled, or if a field says why. */
  reason(name) {
    if (this.isEnabled(name) || Object.keys(this.state.fields ?? {}).some((field) => this.field(field).error)) return "";
    return this.outputs[this.inputs[name]["x-enabledBy"]]?.description ?? "";
  }

  isVisible(name) {
    return this.#allows(this.inputs[name]?.["x-visibleBy"]);
  }

  #allows(condition) {
    return condition === undefined || this.output[condition] !== false;
  }

  field(name) {
    return this.core.field(this.id, this.address(name));
  }

  /** The value that an input has now: in its field, or in the output that shows it. */
  current(name) {
    const field = this.field(name);
    const output = this.outputFor("selection", name);
    return output !== undefined && !field.isPending ? (this.output[output] ?? null) : field.value;
  }

  /**
   * Sends an input. A value that stays appears at once. A second tap on the same control
   * is ignored until the first is answered. A refusal is a bug in the page, or the screen has
   * closed.
   */
  async send(name, value) {
    const [port, role] = [this.inputs[name], this.inputRole(name)];
    const address = this.address(name);
    // A covered screen opens nothing. On the left side of a wide window, it first comes back to the top.
    if (["trigger", "row"].includes(role) && port["x-shows"] === undefined && this.#isCovered) {
      const reply = await this.core.popTo(this.id).catch(report);
      if (reply?.outcome !== "done") return;
    }
    if (["choice", "toggle"].includes(role) || name in (this.state.fields ?? {})) {
      this.field(name).write(value).catch(report);
    } else if (["trigger", "row", "move"].includes(role)) {
      once(this.#tap(name, value), () => this.core.input(this.id, address, value)).catch(report);
    } else {
      this.core.input(this.id, address, value).catch(report);
    }
  }

  #tap(name, value) {
    return JSON.stringify([this.id, this.address(name), value]);
  }

  /** True if what a person has typed, chosen, or pressed waits for the server. */
  isUnsent(name, value) {
    const tap = this.#tap(name, value);
    return isAway(this.core) && (this.field(name).isPending || isSent(tap) || isSent(`press ${tap}`));
  }

  /** Sends a trigger after the core has all typed texts, if the trigger is then enabled. */
  press(name) {
    const isTyped = () => this.withRole("text").every(([text]) => !this.field(text).isPending);
    const pressed = once(`press ${this.#tap(name)}`, async () => {
      await this.core.until(isTyped).catch(() => {});
      const { now } = this;
      if (now?.isEnabled(name)) now.send(name);
    });
    if (isAway(this.core)) this.core.wake();
    return pressed;
  }

  /** True for a screen that is below the top of the root's stack. */
  get #isCovered() {
    return rootStack(this.core.document.navigation).slice(0, -1).includes(this.id);
  }

  // MARK: Roles

  /** The role of an output. */
  role(output) {
    return this.outputs[output]?.["x-role"];
  }

  /** The names of the outputs with a role. */
  outputsWithRole(role) {
    return Object.keys(this.outputs).filter((name) => this.role(name) === role);
  }

  /** The outputs with a role that are about another output. */
  about(role, output) {
    return this.outputsWithRole(role).filter((name) => this.outputs[name]["x-of"]?.includes(output));
  }

  /** The output that has the current value of an input, or the values to choose from. */
  outputFor(role, input) {
    return this.outputsWithRole(role).find((name) => this.outputs[name]["x-input"] === input);
  }

  /** The value of the only output with a role, if it has one. */
  valueWithRole(role) {
    return this.output[this.outputsWithRole(role)[0]] ?? undefined;
  }

  /** The sentence of a failure or a notice. */
  sentence(value, port) {
    const text = port["x-message"] === undefined ? value : value?.[port["x-message"]];
    return typeof text === "string" ? text : "";
  }

  /** The input that retries a failure, if that helps. */
  retry(value, port) {
    const name = port["x-retry"];
    return this.has(name) && value?.[port["x-retryable"]] !== false ? name : undefined;
  }

  /** The triggers that are drawn with what they belong to: a failure, a notice, or an empty list. */
  get owned() {
    const ports = [...Object.values(this.outputs), ...Object.values(this.description.events ?? {})];
    return new Set(ports.flatMap((port) => [port["x-retry"] ?? [], port["x-actions"] ?? []].flat()));
  }

  /** The button that the Return key presses. */
  get main() {
    return this.#buttonWith("main");
  }

  /** The button that the Escape key presses: it leaves without doing anything. */
  get wayOut() {
    const name = this.#buttonWith("cancel");
    return name !== undefined && this.isEnabled(name) ? name : undefined;
  }

  #buttonWith(weight) {
    return this.withRole("trigger").find(([name, port]) => port["x-weight"] === weight && this.isVisible(name))?.[0];
  }

  /** What is shown may be from an earlier time: since when, or true; undefined if it is up to date. */
  get stale() {
    const values = this.outputsWithRole("stale").map((name) => this.output[name]).filter((value) => typeof value === "number" || value === true);
    const times = values.filter((value) => value !== true);
    return times.length > 0 ? Math.min(...times) : values[0];
  }

  /** The inputs with a role, by name. */
  withRole(...roles) {
    return Object.entries(this.inputs).filter(([name]) => roles.includes(this.inputRole(name)));
  }

  /** The role of an input; one that the page does not know is that of its type. */
  inputRole(name) {
    const port = this.inputs[name];
    // Only a table has headers to sort by.
    const isForm = port["x-role"] === "sort" && !port["x-rows"].some(({ list }) => this.role(list) === "table");
    if (inputRoles.has(port["x-role"])) return isForm ? "value" : port["x-role"];
    const { type, enum: cases } = this.schema(port);
    return cases ? "choice" : ({ null: "trigger", boolean: "toggle", string: "text" }[type] ?? "value");
  }

  /**
   * The inputs that take a row of a list, each with a function that returns the value from the row
   * and its enclosing rows, one for each star in the list's path.
   */
  rowInputs(list) {
    return this.withRole("row").flatMap(([name, port]) =>
      (port["x-rows"] ?? [])
        .filter((rows) => rows.list === list)
        .map(({ member, members }) => ({ name, port, value: (rows) => rowValue(rows, member, members) })),
    );
  }

  /**
   * The inputs that move a row of a list, each with a function that returns the value for moving
   * the row at an index up (-1) or down (1); undefined past an end.
   */
  moveInputs(list) {
    return this.withRole("move").flatMap(([name, port]) =>
      (port["x-rows"] ?? [])
        .filter((rows) => rows.list === list)
        .map(({ members, before }) => ({ name, value: (rows, at, by) => moveValue(rows, at, by, members, before) })),
    );
  }

  /**
   * The input that sorts a table, with the current column and direction, and a function that returns
   * the value to sort by a column; undefined for a table without one.
   */
  sortInput(list) {
    for (const [name, port] of this.withRole("sort")) {
      const rows = port["x-rows"].find((each) => each.list === list);
      if (!rows || !this.isVisible(name)) continue;
      const { [rows.column]: column, [rows.descending]: isDescending } = this.current(name) ?? {};
      const columns = this.schema(this.schema(port).properties[rows.column]).enum;
      return {
        name, column, isDescending,
        takes: (each) => columns === undefined || columns.includes(each),
        by: (each) => ({ [rows.column]: each, [rows.descending]: each === column && !isDescending }),
      };
    }
    return undefined;
  }

  /** The input to send when the end of a list is visible, while the list can grow. */
  endInput(list) {
    if (this.about("more", list).some((name) => this.output[name] === false)) return undefined;
    return this.withRole("lifecycle").find(
      ([, port]) => port["x-when"] === "end" && (port["x-rows"] ?? [{ list }]).some((rows) => rows.list === list),
    )?.[0];
  }

  schema(schema = {}) {
    return resolve(this.core.description, schema);
  }
}

/** The app as a whole; undefined if it has no state. */
export function appView(core) {
  const state = core.document.at("app");
  return state && core.description ? new PortsView(core, "app", "", state, core.description["x-app"]) : undefined;
}

/** The screen with an id, or the app as a whole; undefined if it is gone. */
export function viewOf(core, id) {
  if (id === "app") return appView(core);
  return id in core.document.screens ? new ScreenView(core, id) : undefined;
}

/** A screen of the document. */
export class ScreenView extends PortsView {
  constructor(core, id) {
    const state = core.document.screens[id];
    super(core, id, "", state, core.description?.["x-screens"]?.[state.kind]);
    this.kind = state.kind;
  }

  get title() {
    return super.title || spell(this.kind);
  }

  /** The trigger that loads the screen again: the bar has its button, and a finger pulls it. */
  get refresh() {
    return this.withRole("trigger").find(([name, port]) => port["x-purpose"] === "refresh" && this.isVisible(name))?.[0];
  }

  /** Returns what loads the screen again; undefined if nothing does. */
  get refreshing() {
    const name = this.refresh;
    return name !== undefined && this.isEnabled(name) ? () => this.send(name) : undefined;
  }
}

/** The input value for a row: a member, or an object with members of it and enclosing rows. */
function rowValue(rows, member, members) {
  if (members === undefined) return member === undefined ? rows.at(-1) : rows.at(-1)[member];
  return Object.fromEntries(
    Object.entries(members).map(([name, path]) => {
      const stars = path.split("/").filter((token) => token === "*").length;
      return [name, rows[stars - 1]?.[path.split("/").at(-1)]];
    }),
  );
}

/** The value that moves a row: its id, and that of the row below its new place. */
function moveValue(rows, at, by, members, before) {
  if (rows[at + by] === undefined) return undefined;
  const [[member, path]] = Object.entries(members);
  const id = (row) => row?.[path.split("/").at(-1)] ?? null;
  return { [member]: id(rows[at]), [before]: id(rows[by < 0 ? at + by : at + by + 1]) };
}

export function report(error) {
  if (error.name !== "RequestCanceled" && error.name !== "UnknownScreen") console.info(String(error));
}

/** Follows a schema's reference, and unwraps a nullable schema. */
export function resolve(description, schema) {
  for (let depth = 0; depth < 10; depth++) {
    const choices = (schema.anyOf ?? schema.oneOf)?.filter((each) => each.type !== "null");
    if (schema.$ref) {
      const { $ref, ...siblings } = schema;
      schema = { ...description.components?.schemas?.[$ref.split("/").at(-1)], ...siblings };
    } else if (choices?.length === 1) {
      const { anyOf, oneOf, ...siblings } = schema;
      schema = { ...choices[0], ...siblings };
    } else {
      return schema;
    }
  }
  return schema;
}

export const types = (schema) => [schema.type ?? []].flat();
export const isNullable = (schema) =>
  types(schema).includes("null") || (schema.anyOf ?? schema.oneOf ?? []).some((each) => each.type === "null");
