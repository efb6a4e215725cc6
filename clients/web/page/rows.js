/** Draws lists: rows with their title, picture, state, and actions, in sections. */
import { h } from "./dom.js";
import { long, mostDrawn } from "./long.js";
import { empty, endOfList, icon, offers, spinner } from "./parts.js";
import { bar, image, inline, isImage, memberSchema, memberTitle, say, sayMember, scalar, shareOf } from "./values.js";
import { format, words } from "./words.js";

// MARK: Rows

/** Sorts the members of a row by their roles. */
export function anatomy(view, value, schema) {
  const found = { states: {}, details: [], lists: [], names: [] };
  for (const [name, member] of Object.entries(value)) {
    const inner = memberSchema(view, schema, name);
    const role = inner["x-role"];
    // Rows of a list with pictures are in line, also those without one.
    if (isImage(inner)) found.picture ??= { name, member, inner };
    else if (role === "hidden" || member === undefined) continue;
    else if (role === "state") found.states[inner["x-state"]] = { name, is: member === true };
    else if (["alt", "badge", "accessory", "section", "subtitle", "title"].includes(role)) {
      const text = say(view, member, inner);
      if (text !== "") found[role] ??= { name, text, member };
    } else if (role === "progress") found.progress ??= { name, member, inner };
    else if (Array.isArray(member) && member.some((each) => typeof each === "object")) found.lists.push({ name, member, inner });
    else {
      // A link within a row could not be pressed.
      const text = sayMember(view, member, inner, memberTitle(schema, name));
      if (text !== "") found.details.push({ name, text });
    }
  }
  // Every row is called something.
  found.title ??= found.details.shift() ?? { text: value.id === undefined ? "—" : String(value.id) };
  return found;
}

/** Says the states of a row to people who do not see how it looks. A button says itself that it is disabled. */
export const marks = (states, isTappable) =>
  ["unread", "done", "selected", "favorite", ...(isTappable ? [] : ["disabled"])].map((state) => states[state]?.is && h("span", { class: "hidden" }, `${words[state]}: `));

/** The text, the picture, and the marks of a row. */
function face({ title, subtitle, picture, alt, badge, accessory, states, details, progress }, isTappable) {
  const detail = details.map(({ text }) => text).join(" · ");
  const share = progress && shareOf(progress.member, progress.inner);
  return [
    states.unread && h("span", { key: "dot", class: states.unread.is ? "dot on" : "dot" }),
    picture && image(picture.member, picture.inner, { title: title.text, alt: alt?.text }),
    h("span", { class: "text" },
      h("span", { class: "head" },
        h("strong", {}, marks(states, isTappable), title.text),
        accessory?.text && h("span", { class: "accessory muted" }, accessory.text)),
      subtitle?.text && h("span", { class: "subtitle" }, subtitle.text),
      detail && h("small", {}, detail),
      share !== undefined && bar(share, title.text)),
    badge?.text && badge.member !== 0 && h("span", { class: "count-badge" }, badge.text),
    states.selected?.is && icon("check"),
    isTappable && icon("chevron"),
  ];
}

export const stateClasses = (states) => Object.entries(states).filter(([, { is }]) => is).map(([name]) => `is-${name}`).join(" ");

/** The row that was opened last in each of the latest lists: the page shows which one its right side is about. */
const opened = new Map();

function remember(list, id) {
  opened.delete(list);
  opened.set(list, id);
  if (opened.size > 50) opened.delete(opened.keys().next().value);
}

/**
 * The inputs that take a row: what the row itself sends, the switches before and after it, and a
 * menu of the others.
 *
 * `rows` are the row and those that contain it, the outermost first.
 */
export function actions(view, path, rows, parts, moves = []) {
  const inputs = view.rowInputs(path).filter(({ name }) => view.isVisible(name));
  const isSwitch = ({ port }) => port["x-shows"] !== undefined;
  const tap = inputs.find((input) => !isSwitch(input) && weight(input) === 0);
  const title = parts.title.text;
  const key = `${view.id}/${view.address(path)}`;
  const { id } = rows.at(-1);
  const send = ({ name, value }) => view.send(name, value(rows));
  const props = (input) => ({ type: "button", "data-input": view.address(input.name), disabled: !view.isEnabled(input.name) });
  const switches = (isBefore) => inputs.filter((input) => isSwitch(input) && isCheck(parts, input) === isBefore)
    .map((input) => switchButton(view, parts, input, title, props(input), send));
  const rest = inputs.filter((input) => input !== tap && !isSwitch(input)).sort((a, b) => weight(a) - weight(b));
  const items = [
    ...moves,
    ...rest.map((input) => ({ input, label: view.label(input.name), isDestructive: weight(input) > 0, onclick: () => send(input) })),
  ];
  const item = ({ input, label, isDestructive, isDisabled, onclick }) =>
    h("button", {
      key: `${input.name} ${label}`, ...props(input), ...(isDisabled ? { disabled: true } : {}), class: isDestructive ? "menu-item destructive" : "menu-item",
      "aria-label": `${label}: ${title}`, onclick: (event) => (event.target.closest("[popover]").hidePopover(), onclick()),
    }, label);
  return {
    tap: tap && {
      ...props(tap), ...(parts.states.disabled?.is ? { disabled: true } : {}), onclick: () => (remember(key, id), send(tap)),
      "aria-current": view.isBeside && opened.get(key) === id ? "true" : undefined,
    },
    before: switches(true),
    after: [...switches(false), items.length > 0 && menu(`${view.elementID(path)}-${rows.map((each) => encodeURIComponent(String(each.id))).join("-")}`, title, items.map(item))],
  };
}

/** Draws a row: the row itself sends the first input that takes it, and the others are at its edge. */
export function row(view, path, rows, parts, moves = []) {
  const { tap, before, after } = actions(view, path, rows, parts, moves);
  const text = face(parts, Boolean(tap));
  return h("div", { class: `line ${stateClasses(parts.states)}` },
    before,
    tap ? h("button", { ...tap, class: "row" }, text) : h("div", { class: "row" }, text),
    after);
}

const weight = ({ port }) => (port["x-weight"] === "destructive" ? 1 : 0);

/** The member that an input switches. */
const shown = (port) => port["x-shows"].split("/").at(-1);

const stateOf = ({ states }, { port }) => Object.keys(states).find((state) => states[state].name === shown(port));

/** True for a switch that checks a row off. */
const isCheck = (parts, input) => ["done", "selected"].includes(stateOf(parts, input));

/** A button that shows the member that it switches. */
function switchButton(view, parts, input, title, props, send) {
  const state = stateOf(parts, input);
  const symbol = { done: "check", selected: "check", favorite: "star", unread: "dot" }[state];
  const isOn = state === undefined ? parts.details.some(({ name }) => name === shown(input.port)) : parts.states[state].is;
  return h("button", {
    key: input.name, ...props, class: symbol ? `icon-button switch-${symbol}` : "button small", "aria-pressed": String(isOn),
    "aria-label": `${view.label(input.name)}: ${title}`, title: view.label(input.name), onclick: () => send(input),
  }, symbol ? icon(symbol, isOn && symbol !== "check") : view.label(input.name));
}

/** A button that opens a list of actions. */
export function menu(id, title, items) {
  return h("div", { key: "menu", class: "menu-holder" },
    h("button", { type: "button", class: "icon-button", popovertarget: id, "aria-haspopup": "true", "aria-label": `${words.more}: ${title}`, title: words.more }, icon("more")),
    h("div", { id, class: "menu", popover: "auto", ontoggle: place }, items));
}

/** Opens a menu below its button, or above it. */
function place({ target, newState }) {
  if (newState !== "open") return;
  const { right, top, bottom } = target.previousElementSibling.getBoundingClientRect();
  const { width, height } = target.getBoundingClientRect();
  target.style.left = `${Math.max(8, right - width)}px`;
  target.style.top = `${bottom + height + 8 > innerHeight ? Math.max(8, top - height) : bottom}px`;
}

/** The items of the menu that move a row up and down. */
export function moves(view, path, rows, at) {
  return view.moveInputs(path).filter(({ name }) => view.isVisible(name)).flatMap((input) => [["up", -1], ["down", 1]].map(([way, by]) => {
    const to = input.value(rows, at, by);
    return { input, label: `${view.label(input.name)} ${words[way]}`, isDisabled: to === undefined, onclick: () => view.send(input.name, to) };
  }));
}

// MARK: Lists

/** Draws what is in the line of a row, and the inputs that take it. */
export const line = (view, path, values, at, items) =>
  isPlain(values[at])
    ? h("div", { class: "row" }, isImage(items) ? image(values[at], items) : inline(view, values[at], items))
    : row(view, path, [values[at]], anatomy(view, values[at], items), moves(view, path, values, at));

const isPlain = (value) => typeof value !== "object" || value === null;

/** Draws a list and the inputs that take its rows. `around` are the enclosing rows. */
export function list(view, path, values, items, label, around = []) {
  const node = (value, index) => {
    if (isPlain(value)) return h("li", { key: index, class: "line" }, line(view, path, values, index, items));
    const parts = anatomy(view, value, items);
    const rows = [...around, value];
    return h("li", { key: value.id ?? index },
      row(view, path, rows, parts, moves(view, path, values, index)),
      parts.lists.map(({ name, member, inner }) => list(view, `${path}/*/${name}`, member, view.schema(inner.items ?? {}), memberTitle(items, name), rows)));
  };
  return frame(view, path, values.length, label, sections(view, path, values, items, node, around), around);
}

/** Draws what is around the rows of a list: its title, what stands in for them, and its end. */
export function frame(view, path, count, label, body, around = []) {
  const isInner = around.length > 0;
  const isBusy = view.about("busy", path).some((name) => view.output[name] === true);
  const end = isInner ? undefined : view.endInput(path);
  return h(
    "section", { key: path + around.length + (around.at(-1)?.id ?? ""), class: isInner ? "list inset" : "list", "aria-busy": isBusy ? "true" : undefined },
    // The title above has said it.
    h(isInner ? "h3" : "h2", { class: label === view.title ? "hidden" : undefined }, label, count > 0 && h("span", { class: "count" }, format.number(count))),
    body,
    count === 0 && !isInner && !isBusy && nothing(view, path),
    isBusy && h("div", { key: "busy", class: "list-busy" }, spinner(view.label(view.about("busy", path)[0]))),
    end && endOfList(view, end, count),
  );
}

export const idOf = (value, at) => value?.id ?? at;

/** Returns a function that finds the title of a section: an output may have it. */
function sectionTitles(view, path) {
  const titles = new Map(view.about("sections", path).flatMap((name) => {
    const items = view.schema(view.schema(view.outputs[name]).items ?? {});
    return (view.output[name] ?? []).map((header) => [header.id, anatomy(view, header, items).title.text]);
  }));
  return (section) => titles.get(section) ?? (section === undefined ? undefined : scalar(section, {}));
}

/** Draws successive rows of the same section together, under its title, which in a long list is one more row. */
export function sections(view, path, values, items, node, around = []) {
  const titleOf = sectionTitles(view, path);
  const member = Object.keys(items.properties ?? {}).find((name) => memberSchema(view, items, name)["x-role"] === "section");
  const found = [];
  values.forEach((value, at) => {
    const section = member === undefined ? undefined : (value[member] ?? undefined);
    if (found.length === 0 || found.at(-1).section !== section) found.push({ section, title: titleOf(section), rows: [] });
    found.at(-1).rows.push({ id: idOf(value, at), value, at });
  });
  const name = [path, ...around.map(({ id }) => id)].join("/");
  const rows = (key, all) => long("ul", { key, class: around.length > 0 ? "rows" : "rows card" }, view, name, all, ({ id, title, value, at }) =>
    (title === undefined ? node(value, at) : h("li", { key: id }, h("h3", { class: "section" }, title))));
  if (values.length > mostDrawn) {
    return rows("rows", found.flatMap(({ title, rows }) => (title ? [{ id: `section-${title}-${rows[0].at}`, title, isHeader: true }, ...rows] : rows)));
  }
  return found.map(({ title, rows: own }, index) => [
    title && h("h3", { key: `title-${title}-${index}`, class: "section" }, title),
    rows(`rows-${title}-${index}`, own),
  ]);
}

/** Says that a list is empty, and what to do about it. */
export function nothing(view, path, symbol) {
  const name = view.about("empty", path).find((each) => view.output[each]);
  if (name === undefined) {
    const text = view.outputs[path]?.placeholder ?? (view.about("empty", path).length === 0 && words.empty);
    return text && empty(symbol, text);
  }
  const port = view.outputs[name];
  const text = typeof view.output[name] === "string" ? view.output[name] : (port.description ?? view.label(name));
  return empty(symbol, text, h("div", { class: "buttons" }, offers(view, port)));
}
