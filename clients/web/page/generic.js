/** Draws any screen from its description, without naming a screen, input, or output. */
import { chart } from "./chart.js";
import { h } from "./dom.js";
import { editor } from "./editors.js";
import { age, empty, failure, notice, offers, spinner, trigger, why } from "./parts.js";
import { anatomy, frame, list, moves, row, sections } from "./rows.js";
import { table } from "./table.js";
import { drawNothing, drawValue, isFact, progress, say } from "./values.js";
import { windowed } from "./window.js";

/** Outputs that other elements show: the bar above, inputs, and lists. */
const elsewhere = new Set(["title", "subtitle", "stale", "condition", "selection", "options", "label", "more", "sections", "hidden"]);
/** Outputs above everything else. */
const above = { failure, notice };

/** `hidden` are outputs that are drawn elsewhere; `isRow` is true for a part that is a row of a list. */
export function drawGeneric(view, { hidden = [], isRow = false } = {}) {
  const used = new Set(hidden);
  for (const port of Object.values(view.inputs)) used.add(port["x-enabledBy"]).add(port["x-visibleBy"]);
  const names = Object.keys(view.output).filter((name) => name in view.outputs && !used.has(name) && !elsewhere.has(view.role(name)));
  const isAbove = (name) => view.role(name) in above;
  const drawn = names.filter((name) => !isAbove(name)).map((name) => output(view, name)).filter(Boolean);
  return h(
    "div", { class: isRow ? "generic row-part" : "generic", "aria-busy": isBusy(view) ? "true" : undefined },
    // The bar says that of a screen.
    view.path !== "" && age(view),
    names.filter(isAbove).map((name) => above[view.role(name)](view, name)),
    controls(view, isRow),
    gather(drawn),
  );
}

/** Draws what the app says and offers on every screen; undefined if that is nothing. */
export function drawScope(view) {
  const all = Object.keys(view.outputs);
  const shown = [
    age(view),
    ...all.filter((name) => view.role(name) in above).map((name) => above[view.role(name)](view, name)),
    ...all.filter((name) => ["busy", "progress"].includes(view.role(name))).map((name) => output(view, name)),
    ...controls(view, false),
  ].filter(Boolean);
  return shown.length > 0 ? h("div", { key: "scope", class: "scope generic", role: "region", "aria-label": view.core.description.info.title }, shown) : undefined;
}

/** Puts successive facts on a card. */
function gather(nodes) {
  const groups = [];
  for (const node of nodes) {
    if (!isFact(node)) groups.push(node);
    else if (Array.isArray(groups.at(-1))) groups.at(-1).push(node);
    else groups.push([node]);
  }
  return groups.map((group) => (Array.isArray(group) ? h("div", { key: `facts-${group[0].key}`, class: "card facts-card" }, group) : group));
}

const isBusy = (view) => view.outputsWithRole("busy").some((name) => view.output[name] === true && !view.outputs[name]["x-of"]);

// MARK: Inputs

function controls(view, isRow) {
  const inputs = view.withRole("text", "choice", "toggle", "file", "value").filter(([name]) => view.isVisible(name));
  const main = view.main;
  const search = inputs.filter(([, port]) => port["x-purpose"] === "search");
  // Choices beside a search narrow it down.
  const narrow = search.length > 0 && main === undefined ? [...new Set([...search, ...inputs])] : search;
  const fields = inputs.filter((input) => !narrow.includes(input)).map(([name]) => editor(view, name));
  const own = shownByOthers(view);
  const triggers = view.withRole("trigger").filter(([name, port]) =>
    view.isVisible(name) && name !== view.refresh && !own.drawn.has(name) && (!own.all.has(name) || (port["x-enabledBy"] !== undefined && view.isEnabled(name))));
  const drawn = triggers.map(([name, port]) => button(view, name, port));
  // A button that sends the only field is beside it.
  const isSingle = fields.length === 1 && main !== undefined && triggers[0]?.[0] === main;
  const ends = fields.length > 0 && main !== undefined ? drawn.splice(0, isSingle ? 1 : drawn.length) : [];
  const isForm = ends.length > 0 && !isSingle;
  const reasons = why(view, [...inputs, ...triggers].map(([name]) => name));
  return [
    narrow.length > 0 && h("div", { key: "filters", class: "filters" }, narrow.map(([name]) => editor(view, name))),
    fields.length > 0 && h("div", { key: "fields", class: isSingle ? "card form single" : "card form", onkeydown: isRow ? undefined : (event) => submit(view, event) }, fields,
      ends.length > 0 && h("div", { key: "ends", class: "buttons" }, ends), isForm && reasons),
    drawn.length > 0 && h("div", { key: "buttons", class: "buttons toolbar" }, drawn),
    ...(isForm ? [] : reasons),
  ];
}

/** The triggers that belong to a failure, a notice, or an empty list, and those that are drawn with it now. */
function shownByOthers(view) {
  const drawn = new Set();
  for (const [name, port] of Object.entries(view.outputs)) {
    const value = view.output[name];
    if (view.sentence(value, port) === "" && value !== true) continue;
    for (const each of [view.retry(value, port) ?? [], port["x-actions"] ?? []].flat()) drawn.add(each);
  }
  return { all: view.owned, drawn };
}

function button(view, name, port) {
  const kind = { main: "primary", destructive: "destructive" }[port["x-weight"]] ?? "";
  // Tell why the button is disabled: the texts that the core rejects.
  const wrong = port["x-weight"] === "main" && !view.isEnabled(name)
    ? view.withRole("text", "value").map(([field]) => field).filter((field) => view.field(field).error) : [];
  return trigger(view, name, {
    kind: `${kind} ${port["x-weight"] === "main" ? "" : "compact"}`.trim(),
    reason: wrong.map((field) => view.field(field).error).join(" ") || undefined, reasons: wrong.map((field) => `${view.elementID(field)}-error`).join(" "),
  });
}

/** Lets the Return key in a text field press the form's main button after the core has the text. */
function submit(view, event) {
  const field = event.target;
  if (event.key !== "Enter" || event.isComposing || field.type === "search" || !field.matches(".field > input[name]:not([type=checkbox]), .tags > input") || field.form) return;
  if (view.main !== undefined) view.press(view.main);
}

// MARK: Outputs

/** Draws an output by its role, or else by its type. */
function output(view, name) {
  const value = view.output[name];
  const port = view.outputs[name];
  const schema = view.schema(port);
  const label = view.label(name);
  if (value === null || value === undefined) return drawNothing(view, value, schema, label, name);
  switch (view.role(name)) {
    case "busy":
      // A list shows that it is being filled.
      return value === true && !isDrawn(view, port) && h("div", { key: name, class: "working" }, spinner(label), h("span", { class: "muted", "aria-hidden": "true" }, label));
    case "progress":
      return progress(view, value, { ...schema, ...port }, label, name);
    case "empty":
      return Boolean(value) && !isDrawn(view, port) && empty(undefined, typeof value === "string" ? value : (port.description ?? label), h("div", { class: "buttons" }, offers(view, port)));
    case "table":
      return Array.isArray(value) && table(view, value, schema, port, label, name);
    case "chart":
      return Array.isArray(value) && chart(view, value, schema, port, label, name);
  }
  if (port["x-window"]) return windowed(view, name, label);
  if (view.hasParts(name)) return parts(view, name, value, label);
  if (Array.isArray(value) && schema["x-role"] === "text") return h("p", { key: name, class: "long" }, say(view, value, schema));
  if (Array.isArray(value)) {
    const items = view.schema(schema.items ?? {});
    return list(view, name, value, items, label);
  }
  return drawValue(view, value, schema, label, name);
}

/** True if one of the lists that an output is about shows it. */
const isDrawn = (view, port) => (port["x-of"] ?? []).some((name) => Array.isArray(view.output[name]) && !elsewhere.has(view.role(name)));

/** Draws the parts that an output shows, each with its controls and, in a list, its row inputs. */
function parts(view, name, value, label) {
  if (!Array.isArray(value)) {
    const [part] = view.parts(name);
    return h("section", { key: name, class: "card part" }, h("h2", {}, part.valueWithRole("title") ?? label), part.valueWithRole("subtitle") && h("p", { class: "muted" }, part.valueWithRole("subtitle")), drawGeneric(part));
  }
  const node = (each, index) => {
    const part = view.part(name, index);
    const { fields, ...outputs } = each;
    const found = anatomy(view, outputs, { properties: part.outputs });
    const { title, subtitle, badge, accessory, picture, alt, states, section, progress } = found;
    const shown = [title, subtitle, badge, accessory, picture, alt, section, progress, ...Object.values(states)].flatMap((each) => each?.name ?? []);
    return h("li", { key: part.path }, h("div", { class: "part", role: "group", "aria-label": title.text },
      row(view, name, [each], { ...found, details: [] }, moves(view, name, value, index)),
      drawGeneric(part, { hidden: shown, isRow: true })));
  };
  return frame(view, name, value.length, label, sections(view, name, value, { properties: view.partDescription(name)?.outputs }, node));
}
