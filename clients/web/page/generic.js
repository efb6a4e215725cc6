/** Draws any screen from its description, without naming a screen, input, or output. */
import { isAboutStaleness, isNullable, types } from "./description.js";
import { h } from "./dom.js";
import { address, endOfList, icon, iconButton, spinner, textField, trigger } from "./parts.js";
import { number, spell, time, words } from "./words.js";

/** `hidden` are outputs that are drawn elsewhere; `isRow` is true for a part that is a row of a list. */
export function drawGeneric(view, { hidden = [], isRow = false } = {}) {
  const used = new Set(hidden);
  for (const port of Object.values(view.inputs)) used.add(port["x-enabledBy"]);
  const outputs = Object.entries(view.output).filter(([name]) => !used.has(name) && !isAboutStaleness(name));
  const drawn = outputs.map(([name, value]) => output(view, name, value)).filter(Boolean);
  const facts = drawn.filter(isFact);
  return h(
    "div", { class: "generic" },
    controls(view, isRow),
    facts.length > 0 && h("div", { key: "facts", class: "card" }, facts),
    drawn.filter((each) => !isFact(each)),
  );
}

// MARK: Inputs

function controls(view, isRow) {
  const inputs = view.withRole("text", "choice", "toggle", "value");
  const fields = inputs.map(([name, port]) => control(view, name, view.schema(port)));
  const main = inputs.some(([, port]) => port["x-role"] === "text") ? mainTrigger(view) : undefined;
  const buttons = view.withRole("trigger").filter(([name]) => name !== "retry" || hasFailure(view))
    .map(([name]) => trigger(view, name, { kind: name === main ? "primary" : "" }));
  return [
    fields.length > 0 && h("div", { key: "fields", class: "card form", onkeydown: isRow ? undefined : (event) => submit(view, event) }, fields),
    buttons.length > 0 && h("div", { key: "buttons", class: "buttons" }, buttons),
  ];
}

/** True if `retry` has an output that enables it, or a failure to retry is shown. */
function hasFailure(view) {
  return view.inputs.retry["x-enabledBy"] !== undefined || Object.values(view.output).some((value) => value?.message !== undefined && value.retryable !== false);
}

/** The main trigger of a form: the first that an output enables. */
const mainTrigger = (view) => view.withRole("trigger").find(([, port]) => port["x-enabledBy"] !== undefined)?.[0];

/** Lets the Return key in a text field press the form's main button after the core has the text. */
function submit(view, event) {
  const field = event.target;
  if (event.key !== "Enter" || event.isComposing || field.type === "search" || !field.matches(".field > input[name]:not([type=checkbox])") || field.form) return;
  const name = mainTrigger(view);
  if (name !== undefined) view.press(name);
}

function control(view, name, port) {
  switch (port["x-role"]) {
    case "text":
      return textField(view, name);
    case "choice":
      return choice(view, name, port);
    case "toggle":
      return toggle(view, name, port);
    default:
      return isTable(view, port) ? rowsOf(view, name, port) : form(view, name, port);
  }
}

export function choice(view, name, port = view.schema(view.inputs[name]), label = view.label(name)) {
  const current = view.field(name).value;
  const values = [...new Set([...(port.enum ?? []), ...(isNullable(view.inputs[name]) ? [null] : [])])];
  return h(
    "fieldset", { key: `field-${name}`, class: "field choice" },
    h("legend", {}, label),
    h("div", { class: "segments" }, values.map((value) =>
      h("label", { key: String(value), class: "segment" },
        h("input", {
          type: "radio", name: view.elementID(name), checked: value === (current ?? null) && current !== undefined, "data-input": view.address(name),
          onchange: () => view.send(name, value),
        }),
        h("span", {}, value === null ? words.none : caseTitle(port, value))))),
  );
}

/** The title of a case of an enum, or of a member of an object. */
export function caseTitle(schema, name) {
  if (typeof name === "boolean") return name ? words.yes : words.no;
  return schema["x-titles"]?.[name] ?? spell(String(name));
}

/** The title of a member of a value; the keys of a dictionary are the app's own words. */
const memberTitle = (schema, name) => (schema.properties || schema["x-titles"] ? caseTitle(schema, name) : name);

export function toggle(view, name, port = view.schema(view.inputs[name]), { label = view.label(name), checked } = {}) {
  if (isNullable(view.inputs[name])) return choice(view, name, { ...port, enum: [true, false, null], "x-titles": { true: words.yes, false: words.no } });
  return h(
    "label", { key: `field-${name}`, class: "field switch" },
    h("span", {}, label),
    h("input", {
      type: "checkbox", role: "switch", checked: checked ?? view.field(name).value === true, "data-input": view.address(name),
      onchange: (event) => view.send(name, event.target.checked),
    }),
  );
}

const isTable = (view, port) => view.schema(port.items ?? {}).properties !== undefined;

/** Shows rows that other screens fill in. */
function rowsOf(view, name, port) {
  const rows = view.field(name).value ?? [];
  return rows.length > 0 && list(view, name, rows, port, view.label(name));
}

/** Draws a form for any value: a control for each member, and a button that sends them. */
function form(view, name, port) {
  const id = view.elementID(name);
  const members = port.properties ? Object.entries(port.properties) : [["", port]];
  const shown = view.field(name).value;
  const text = shown === undefined || shown === null || port.properties ? "" : [shown].flat().join(", ");
  const submit = (event) => {
    event.preventDefault();
    const entries = members.map(([member, schema]) => [member, read(event.target.elements[member || "value"], view.schema(schema))]);
    view.send(name, port.properties ? Object.fromEntries(entries) : entries[0][1]);
  };
  return h(
    "form", { key: `field-${name}`, class: "field value", onsubmit: submit },
    members.map(([member, schema]) => {
      const resolved = view.schema(schema);
      const isNumber = types(resolved).some((type) => type === "number" || type === "integer");
      return h("div", { class: "field" },
        h("label", { for: `${id}-${member}` }, member ? `${view.label(name)}: ${caseTitle(port, member)}` : view.label(name)),
        h("input", {
          id: `${id}-${member}`, name: member || "value", type: isNumber ? "number" : types(resolved).includes("boolean") ? "checkbox" : "text",
          step: isNumber ? "any" : undefined, min: resolved.minimum?.toString(), max: resolved.maximum?.toString(),
          required: isNumber && !isNullable(schema), autocomplete: "off",
          hooks: { update: (element) => showOnce(element, text) },
        }));
    }),
    h("button", { class: "button small", "data-input": view.address(name), "aria-label": `${words.set}: ${view.label(name)}` }, words.set),
  );
}

/** Fills in a field when the core has another value, and leaves text alone while it is typed. */
function showOnce(element, text) {
  if ((element.offstageShown ?? "") !== text) element.value = element.offstageShown = text;
}

function read(element, schema) {
  if (element.type === "checkbox") return element.checked;
  if (element.type === "number") return element.value === "" ? null : Number(element.value);
  if (types(schema).includes("string") || types(schema).length === 0) return element.value;
  if (types(schema).includes("array") && !element.value.startsWith("[")) {
    const words = element.value.split(",").map((word) => word.trim()).filter(Boolean);
    return types(schema.items ?? {}).includes("string") ? words : words.map(Number);
  }
  try {
    return JSON.parse(element.value);
  } catch {
    return element.value;
  }
}

// MARK: Outputs

function output(view, name, value) {
  if (value === null || value === undefined) return null;
  const schema = view.schema(view.outputs[name]);
  const label = view.label(name);
  if (view.hasParts(name)) return parts(view, name, value, label);
  if (schema.type === "boolean") return /^is[A-Z]\w*ing([A-Z]|$)/.test(name) && value && spinner(label);
  if (isChoice(view, schema)) return null;
  if (Array.isArray(value)) return list(view, name, value, schema, label);
  if (isImage(value, schema)) return h("img", { key: name, class: "picture wide", src: address(value), alt: label });
  if (isVideo(value, schema)) return video(value, label, name);
  if (typeof value === "object") {
    const shown = details(view, value, schema);
    return shown.length > 0 && h("section", { key: name, class: value.reason && value.message ? "notice" : "card" }, h("h2", {}, label), shown);
  }
  // A text needs no label.
  if (typeof value === "string" && !schema.enum && !schema.format && !schema["x-unit"]) return value !== "" && h("p", { key: name }, value);
  return fact(label, scalar(value, schema), name);
}

/** True if an input shows this value, or these values, as a choice. */
function isChoice(view, schema) {
  const values = String(schema.enum ?? view.schema(schema.items ?? {}).enum ?? "");
  return values !== "" && view.withRole("choice").some(([, port]) => String(view.schema(port).enum ?? "") === values);
}

const isFact = (node) => node.props?.class === "fact";

function fact(label, value, key) {
  return h("dl", { key, class: "fact" }, h("dt", {}, label), h("dd", {}, value));
}

function details(view, value, schema) {
  return Object.entries(value).filter(([, member]) => member !== null).map(([name, member]) => {
    const inner = memberSchema(view, schema, name);
    if (isImage(member, inner)) return h("img", { class: "picture", src: address(member), alt: "" });
    if (isVideo(member, inner)) return video(member, memberTitle(schema, name), name);
    if (Array.isArray(member) && member.every((each) => typeof each === "string")) return fact(memberTitle(schema, name), joined(name, member), name);
    if (Array.isArray(member)) return h("ul", { class: "plain" }, member.map((each) => h("li", {}, rowText(view, each, view.schema(inner.items ?? {})).join(" · "))));
    if (typeof member === "object") return h("div", { class: "inset" }, h("h3", {}, memberTitle(schema, name)), details(view, member, inner));
    return fact(memberTitle(schema, name), scalar(member, inner), name);
  });
}

/** Draws a list and the inputs that take its rows. `rows` are the enclosing rows. */
function list(view, path, values, schema, label, rows = []) {
  const items = view.schema(schema.items ?? {});
  const inputs = view.rowInputs(path);
  const end = rows.length === 0 ? view.endInput(path) : undefined;
  return h(
    "section", { key: path + rows.length + (rows.at(-1)?.id ?? ""), class: "card list" },
    h("h2", {}, label, h("span", { class: "count" }, number.format(values.length))),
    h("ul", { class: "rows" }, values.map((value, index) =>
      h("li", { key: value?.id ?? index }, typeof value === "object" && value !== null ? row(view, path, value, items, inputs, [...rows, value], moveButtons(view, path, values, index, rowText(view, value, items)[0])) : scalar(value, items)))),
    end && endOfList(view, end, values.length),
  );
}

/** Draws the parts that an output shows, each with its controls and, in a list, its row inputs. */
function parts(view, name, value, label) {
  const isList = Array.isArray(value);
  const inputs = view.rowInputs(name);
  const end = isList && view.endInput(name);
  return h(
    "section", { key: name, class: "card list" },
    h("h2", {}, label, isList && h("span", { class: "count" }, number.format(value.length))),
    view.parts(name).map((part, index) => {
      if (!isList) return h("div", { key: part.path, class: "part" }, drawGeneric(part));
      const row = value[index];
      const title = ["title", "name", "label"].find((each) => typeof row[each] === "string") ?? "id";
      return h("div", { key: part.path, class: "part", role: "group", "aria-label": row[title] },
        rowButtons(view, [row], inputs, h("span", { class: "text" }, h("strong", {}, row[title])), row[title]),
        moveButtons(view, name, value, index, row[title]),
        drawGeneric(part, { hidden: [title], isRow: true }));
    }),
    end && endOfList(view, end, value.length),
  );
}

function row(view, path, value, schema, inputs, rows, moves) {
  const nested = Object.entries(value).filter(([, member]) => Array.isArray(member) && member.some((each) => typeof each === "object"));
  const image = Object.values(value).find((member) => isImage(member, {}));
  const [title, ...rest] = rowText(view, value, schema);
  const text = [
    image && h("img", { class: "picture", src: address(image), alt: "", loading: "lazy" }),
    h("span", { class: "text" }, h("strong", {}, title ?? "—"), rest.length > 0 && h("small", {}, rest.join(" · "))),
  ];
  return [
    rowButtons(view, rows, inputs, text, title),
    moves,
    nested.map(([name, member]) => list(view, `${path}/*/${name}`, member, view.schema(schema.properties?.[name] ?? {}), caseTitle(schema, name), rows)),
  ];
}

/** Draws the first input of a row as the row itself, and the others as buttons beside it. */
function rowButtons(view, rows, [first, ...others], text, title) {
  const send = ({ name, value }) => view.send(name, value(rows));
  return [
    first
      ? h("button", { type: "button", class: "row", "data-input": view.address(first.name), onclick: () => send(first) }, text, icon("chevron"))
      : h("div", { class: "row" }, text),
    others.map((input) =>
      h("button", {
        key: input.name, type: "button", class: "button small", "data-input": view.address(input.name),
        "aria-label": `${view.label(input.name)}: ${title}`, onclick: () => send(input),
      }, view.label(input.name))),
  ];
}

/** The buttons that move a row up and down. */
function moveButtons(view, path, rows, at, title) {
  return view.moveInputs(path).map(({ name, value }) => [["up", -1], ["down", 1]].map(([symbol, by]) => {
    const place = value(rows, at, by);
    return iconButton(symbol, `${view.label(name)} ${words[symbol]}: ${title}`, () => view.send(name, place), {
      key: `${name}-${symbol}`, "data-input": view.address(name), disabled: place === undefined,
    });
  }));
}

/** The texts of a row, the most informative first. */
function rowText(view, value, schema) {
  if (typeof value !== "object" || value === null) return [scalar(value, schema)];
  const order = ["title", "name", "label", "value"];
  const rank = ([name]) => (order.includes(name) ? order.indexOf(name) : order.length);
  const texts = Object.entries(value)
    .sort((a, b) => rank(a) - rank(b))
    .flatMap(([name, member]) => {
      if (member === null || member === false || isImage(member, {})) return [];
      if (member === true) return [caseTitle(schema, name)];
      if (Array.isArray(member)) return member.every((each) => typeof each === "string") && member.length > 0 ? [joined(name, member)] : [];
      return typeof member === "object" || (name === "id" && Object.keys(value).length > 1) ? [] : [scalar(member, memberSchema(view, schema, name))];
    });
  return texts.length > 0 ? texts : value.id === undefined ? [] : [String(value.id)];
}

/** Joins texts. The pieces of a growing text are one text. */
const joined = (name, texts) => texts.join(name === "pieces" ? "" : ", ");

const memberSchema = (view, schema, name) => view.schema(schema.properties?.[name] ?? schema.additionalProperties ?? {});

function scalar(value, schema) {
  if (schema.enum || typeof value === "boolean") return caseTitle(schema, value);
  if (schema.format === "unix-time") return time.format(value * 1000);
  if (schema.format === "date-time") return time.format(new Date(value));
  if (typeof value === "number") return number.format(value) + (schema["x-unit"] ? ` ${schema["x-unit"]}` : "");
  return String(value);
}

const isVideo = (value, schema) => typeof value === "string" && Boolean(schema.contentMediaType?.startsWith("video/"));

const video = (value, label, key) =>
  h("video", { key, class: "film", src: address(value), "aria-label": label, controls: true, playsinline: true, preload: "metadata" });

const isImage = (value, schema) =>
  typeof value === "string" && !isVideo(value, schema) && (schema.contentMediaType?.startsWith("image/") || value.startsWith("data:image/") || value.startsWith("resource:"));
