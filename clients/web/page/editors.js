/** Draws the inputs that take a value: a control by the role and the schema of each. */
import { isNullable, types } from "./description.js";
import { h } from "./dom.js";
import { accepted, check, encode } from "./files.js";
import { textField } from "./parts.js";
import { tags, tagsOf } from "./tags.js";
import { caseTitle, isScalar, memberTitle, say, scalar } from "./values.js";
import { words } from "./words.js";

/** Draws the control of an input. */
export function editor(view, name) {
  const port = view.schema(view.inputs[name]);
  switch (view.inputRole(name)) {
    case "text":
      return textField(view, name, port["x-purpose"] === "search" ? { isHidden: true } : {});
    case "choice":
      return choice(view, name, port);
    case "toggle":
      return toggle(view, name, port);
    case "file":
      return file(view, name, view.inputs[name]["x-accepts"]);
    default:
      if (!isState(view, name)) return form(view, name, port);
      if (isRows(view, port)) return rows(view, name, port);
      return port.properties ? form(view, name, port) : single(view, name, port);
  }
}

/** True if the value stays, and is not an event. */
const isState = (view, name) => name in (view.state.fields ?? {});
const isRows = (view, port) => types(port).includes("array") && view.schema(port.items ?? {}).properties !== undefined;

/** More values than this do not fit side by side. */
const row = 6;

export function choice(view, name, port = view.schema(view.inputs[name])) {
  const value = view.current(name);
  const options = view.outputFor("options", name);
  const titles = options === undefined ? port : { ...port, ...view.schema(view.schema(view.outputs[options]).items ?? {}) };
  const offered = options === undefined ? (port.enum ?? []) : (view.output[options] ?? []);
  // The current value need not be among those that are offered.
  const chosen = value === undefined || value === null || offered.includes(value) ? [] : [value];
  const values = [...new Set([...chosen, ...offered, ...(isNullable(view.inputs[name]) ? [null] : [])])];
  const label = view.label(name);
  const props = { "data-input": view.address(name), disabled: !view.isEnabled(name) };
  if (values.length > row) {
    const id = view.elementID(name);
    const at = values.indexOf(value ?? null);
    return h("div", { key: `field-${name}`, class: "field" }, h("label", { for: id }, label, view.isUnsent(name) && h("small", { class: "unsent" }, words.unsent)),
      h("select", { id, ...props, onchange: (event) => event.target.value !== "" && view.send(name, values[event.target.value]) },
        at < 0 && h("option", { value: "", selected: true }, words.choose),
        values.map((each, index) => h("option", { key: index, value: String(index), selected: index === at }, caseTitle(titles, each)))));
  }
  return h(
    "fieldset", { key: `field-${name}`, class: "field choice" },
    h("legend", {}, label, view.isUnsent(name) && h("small", { class: "unsent" }, words.unsent)),
    h("div", { class: "segments" }, values.map((each) =>
      h("label", { key: String(each), class: "segment" },
        h("input", { ...props, type: "radio", name: view.elementID(name), checked: each === (value ?? null) && value !== undefined, onchange: () => view.send(name, each) }),
        h("span", {}, caseTitle(titles, each))))),
  );
}

export function toggle(view, name, port = view.schema(view.inputs[name])) {
  if (isNullable(view.inputs[name])) return choice(view, name, { ...port, enum: [true, false, null] });
  return h(
    "label", { key: `field-${name}`, class: "field switch" },
    h("span", {}, view.label(name), view.isUnsent(name) && h("small", { class: "unsent" }, words.unsent)),
    h("input", {
      type: "checkbox", role: "switch", checked: view.current(name) === true, "data-input": view.address(name), disabled: !view.isEnabled(name),
      onchange: (event) => view.send(name, event.target.checked),
    }),
  );
}

/** Why the last file of an input was not taken, by the id of its element. */
const refused = new Map();

/** Draws an input that takes a file: a chooser, on which a file may be dropped, too. */
function file(view, name, accepts) {
  const id = view.elementID(name);
  const send = async (files) => {
    if (files.length === 0 || !view.isEnabled(name)) return;
    refused.delete(id);
    try {
      view.send(name, await encode(check(files[0], accepts)));
    } catch (error) {
      refused.set(id, error.message);
    }
    view.core.wake();
  };
  const error = refused.get(id);
  return h(
    "div", {
      key: `field-${name}`, class: error ? "field invalid" : "field",
      ondragover: (event) => event.preventDefault(),
      ondrop: (event) => {
        event.preventDefault();
        send(event.dataTransfer.files);
      },
    },
    h("label", { for: id }, view.label(name)),
    h("input", {
      id, type: "file", accept: accepts.types.join(",") || undefined, "data-input": view.address(name), disabled: !view.isEnabled(name), "aria-describedby": `${id}-accepts`,
      onchange: (event) => {
        send([...event.target.files]);
        // The same file may be picked again.
        event.target.value = "";
      },
    }),
    h("p", { id: `${id}-accepts`, class: "muted" }, accepted(accepts)),
    error && h("p", { class: "error", role: "alert" }, error),
  );
}

// MARK: Values

/** Draws a list of objects that stays. Other screens, or other inputs, fill in the objects. */
function rows(view, name, port) {
  const items = view.schema(port.items);
  const all = view.current(name) ?? [];
  return all.length > 0 && h("div", { key: `field-${name}`, class: "field" }, h("p", {}, view.label(name)),
    h("ul", { class: "plain" }, all.map((each, index) => h("li", { key: each.id ?? index }, say(view, each, items)))));
}

/** Draws a value that is sent when it changes. */
function single(view, name, port) {
  const id = view.elementID(name);
  const { error } = view.field(name);
  const value = view.current(name);
  const { element, read, text } = control(view, { ...port, ...port["x-valid"] }, value, {
    id, "data-input": view.address(name), disabled: !view.isEnabled(name), "aria-invalid": error ? "true" : undefined, "aria-describedby": error ? `${id}-error` : undefined,
    onchange: (event) => view.send(name, read(event.target)),
  }, isNullable(view.inputs[name]));
  return h("div", { key: `field-${name}`, class: error ? "field invalid" : "field" }, h("label", { for: id }, view.label(name), text && h("output", { for: id, class: "muted" }, text)), element,
    error && h("p", { id: `${id}-error`, class: "error", role: "alert" }, error));
}

/** Draws a form for any value: a control for each member, and a button that sends them. */
function form(view, name, port) {
  const id = view.elementID(name);
  const now = view.current(name) ?? undefined;
  const members = Object.entries(port.properties ?? { "": port }).map(([member, schema]) => {
    const title = member ? `${view.label(name)}: ${memberTitle(port, member)}` : view.label(name);
    const value = member ? now?.[member] : now;
    const { element, read } = control(view, view.schema(schema), value, { id: `${id}-${member}`, name: member || "value" }, isNullable(schema));
    return { member, read, node: h("div", { class: "field" }, h("label", { for: `${id}-${member}` }, title), element) };
  });
  const submit = (event) => {
    event.preventDefault();
    const entries = members.map(({ member, read }) => [member, read(event.target.elements[member || "value"])]);
    view.send(name, port.properties ? Object.fromEntries(entries) : entries[0][1]);
  };
  return h(
    "form", { key: `field-${name}`, class: "field value", onsubmit: submit },
    members.map(({ node }) => node),
    h("button", { class: "button small", "data-input": view.address(name), "aria-label": `${words.set}: ${view.label(name)}`, disabled: !view.isEnabled(name) }, words.set),
  );
}

/** The control for a schema, a function that returns the value in it, and the text of a value that it does not show. */
export function control(view, schema, value, props, isOptional) {
  const kind = types(schema);
  if (schema.enum) {
    const at = schema.enum.indexOf(value);
    return {
      element: h("select", props, (at < 0 || isOptional) && h("option", { value: "", selected: at < 0 }, words.none),
        schema.enum.map((each, index) => h("option", { key: index, value: String(index), selected: index === at }, caseTitle(schema, each)))),
      read: (element) => (element.value === "" ? null : schema.enum[element.value]),
    };
  }
  const input = (type, text, read, more = {}) => ({
    element: h("input", { type, autocomplete: "off", ...props, ...more, hooks: { update: (element) => showOnce(element, text) } }),
    read: (element) => (element.value === "" && type !== "text" ? null : read(element.value)),
  });
  if (kind.includes("boolean")) return { element: h("input", { type: "checkbox", ...props, checked: value === true }), read: (element) => element.checked };
  const time = times[schema.format];
  if (time) return input(time.type, value === undefined || value === null ? "" : time.write(value), time.read, { required: !isOptional });
  if (schema.format === "color") return input("color", value ?? "#000000", (text) => text);
  if (kind.includes("number") || kind.includes("integer")) {
    const { minimum, maximum, multipleOf } = schema;
    const limits = { min: minimum?.toString(), max: maximum?.toString(), step: multipleOf?.toString() ?? (kind.includes("number") ? "any" : "1") };
    // A share between two limits is set by hand, a count by typing.
    const isSlider = kind.includes("number") && minimum !== undefined && maximum !== undefined && !isOptional;
    const typed = input(isSlider ? "range" : "number", value === undefined || value === null ? "" : String(value), Number, { ...limits, inputmode: kind.includes("number") ? "decimal" : undefined, required: !isOptional });
    return isSlider && typeof value === "number" ? { ...typed, text: scalar(value, schema) } : typed;
  }
  const items = view.schema(schema.items ?? {});
  if (kind.includes("array") && isScalar(items)) {
    const each = { write: (value) => scalar(value, items), read: (text) => parse(text, items) };
    return { element: tags(value ?? [], each, props), read: (line) => tagsOf(line, each) };
  }
  const text = value === undefined || value === null ? "" : typeof value === "object" ? JSON.stringify(value) : String(value);
  return input(schema.format === "uri" ? "url" : "text", text, (text) => parse(text, schema) ?? text);
}

/** Local times, as fields have them, and the values of the wire. */
const local = (date) => new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
const times = {
  date: { type: "date", write: String, read: String },
  time: { type: "time", write: String, read: String },
  "date-time": { type: "datetime-local", write: (value) => local(new Date(value)), read: (text) => new Date(text).toISOString() },
  "unix-time": { type: "datetime-local", write: (value) => local(new Date(value * 1000)), read: (text) => new Date(text).getTime() / 1000 },
};

/** Fills in a field when the core has another value, and leaves text alone while it is typed. */
function showOnce(element, text) {
  if ((element.offstageShown ?? "") !== text) element.value = element.offstageShown = text;
}

/** Reads a case by its title, a text, or JSON; undefined for a text that is none of them. */
function parse(text, schema) {
  if (schema.enum) return schema.enum.find((each) => [caseTitle(schema, each), String(each)].some((title) => title.toLowerCase() === text.toLowerCase()));
  if (types(schema).includes("string") || types(schema).length === 0) return text;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
