/** Writes and draws values by their schema. */
import { types } from "./description.js";
import { h } from "./dom.js";
import { markdown, plain } from "./markdown.js";
import { address, canOpen, link, picture } from "./parts.js";
import { format, spell, words } from "./words.js";

// MARK: Text

/** The title of a value to choose from; one without a title is in the app's own words. */
export function caseTitle(schema, value) {
  return schema["x-titles"]?.[value] ?? (value === null ? words.none : typeof value === "boolean" ? (value ? words.yes : words.no) : String(value));
}

/** The title of a member of an object; the keys of a dictionary are the app's own words. */
export const memberTitle = (schema, name) => schema["x-titles"]?.[name] ?? (schema.properties || schema["x-titles"] ? spell(name) : name);

/** The title of a member of an output, or of its rows. */
export function titleIn(view, name, member) {
  const schema = view.schema(view.outputs[name]);
  return memberTitle(schema.items ? view.schema(schema.items) : schema, member);
}

export const memberSchema = (view, schema, name) => view.schema(schema.properties?.[name] ?? schema.additionalProperties ?? {});

/** True for a schema of single values, such as texts. */
export const isScalar = (schema) => types(schema).length > 0 && !types(schema).some((type) => type === "object" || type === "array");

/** Writes a value on one line; "" for what has no text. */
export function say(view, value, schema) {
  if (value === undefined || isMedium(schema)) return "";
  if (value === null) return schema["x-titles"]?.null ?? "";
  if (Array.isArray(value)) {
    const items = view.schema(schema.items ?? {});
    // The pieces of a growing text are one text.
    return value.map((each) => say(view, each, items)).filter(Boolean).join(schema["x-role"] === "text" ? "" : ", ");
  }
  if (schema.format === "coordinate") return coordinate(value);
  if (typeof value === "object") {
    const members = Object.entries(value).map(([name, member]) => [memberSchema(view, schema, name), member]);
    return members.filter(([inner]) => inner["x-role"] !== "hidden").map(([inner, member]) => say(view, member, inner)).filter(Boolean).join(" · ");
  }
  return scalar(value, schema);
}

/** Writes a number, a time, a case, or a text. */
export function scalar(value, schema) {
  if (schema.enum || typeof value === "boolean") return caseTitle(schema, value);
  if (medium(schema) === "text/markdown") return plain(value);
  switch (schema.format) {
    case "unix-time":
      return format.time(value * 1000);
    case "date-time":
      return format.time(value);
    case "date":
      return format.date(`${value}T00:00`);
    case "time":
      return format.clock(`1970-01-01T${value}`);
    case "money":
      return format.number(value, /^[A-Z]{3}$/.test(schema["x-currency"]) ? { style: "currency", currency: schema["x-currency"] } : {});
    case "percent":
      return format.number(value, { style: "percent", maximumFractionDigits: 1 });
    case "duration-seconds":
      return duration(value);
  }
  if (typeof value === "number") return schema["x-unit"] ? quantity(value, schema["x-unit"]) : format.number(value);
  return String(value);
}

/** The units that have a name in every language, and the larger unit for many of them. */
const units = {
  mm: "millimeter", cm: "centimeter", m: "meter", km: "kilometer", g: "gram", kg: "kilogram", ml: "milliliter", l: "liter",
  ms: "millisecond", s: "second", min: "minute", h: "hour", d: "day", B: "byte", kB: "kilobyte", MB: "megabyte", GB: "gigabyte", "°C": "celsius", "°F": "fahrenheit", "°": "degree", "%": "percent",
};
const larger = { m: "km", g: "kg", kB: "MB", MB: "GB" };

function quantity(value, unit) {
  if (unit === "B" && Number.isInteger(value)) return format.bytes(value);
  const isLarge = Math.abs(value) >= 1000 && larger[unit];
  while (Math.abs(value) >= 1000 && larger[unit]) [value, unit] = [value / 1000, larger[unit]];
  // What the app has measured stays as it is; only in a larger unit is it an estimate.
  const digits = isLarge ? { maximumFractionDigits: Math.abs(value) < 10 ? 1 : 0 } : {};
  return units[unit] ? format.number(value, { style: "unit", unit: units[unit], ...digits }) : `${format.number(value, digits)} ${unit}`;
}

/** Writes seconds by their units: `1 hr 2 min 5 sec`. */
function duration(seconds) {
  const sizes = [["day", 86_400], ["hour", 3600], ["minute", 60], ["second", 1]];
  let rest = Math.round(Math.abs(seconds));
  const first = sizes.findIndex(([, size]) => rest >= size);
  if (first < 0) return format.number(0, { style: "unit", unit: "second" });
  const parts = sizes.slice(first).map(([unit, size]) => {
    const count = Math.floor(rest / size);
    rest -= count * size;
    return count > 0 && format.number(count, { style: "unit", unit });
  });
  return (seconds < 0 ? "−" : "") + parts.filter(Boolean).join(" ");
}

function coordinate({ latitude, longitude }) {
  const side = (value, positive, negative) => `${format.number(Math.abs(value), { maximumFractionDigits: 5 })}° ${value < 0 ? negative : positive}`;
  return `${side(latitude, "N", "S")}, ${side(longitude, "E", "W")}`;
}

// MARK: Media

const medium = (schema) => schema.contentMediaType ?? "";
export const isImage = (schema) => medium(schema).startsWith("image/");
const isVideo = (schema) => medium(schema).startsWith("video/");
const isText = (schema) => medium(schema).startsWith("text/") && schema.format !== "uri";
/** True for a picture, a video, or a file. */
export const isMedium = (schema) => medium(schema) !== "" && !isText(schema);
/** True for text of several lines. */
export const isLong = (schema) => isText(schema);

/** Draws a picture by its purpose. Without a text, it is a decoration. */
export function image(value, schema, { title = "", alt = "", kind = "" } = {}) {
  return picture(value, title, `${schema["x-picture"] ?? ""} ${kind}`.trim(), alt);
}

/** Draws a picture, a video, or a file. */
function media(value, schema, label, key) {
  if (isImage(schema)) return h("figure", { key, class: "figure" }, image(value, schema, { alt: label, kind: schema["x-picture"] ? "large" : "wide" }));
  // The page plays nothing from elsewhere.
  if (isVideo(schema) && canOpen(value)) return h("p", { key }, link(value, label, { class: "asked" }));
  if (isVideo(schema)) return h("video", { key, class: "film", src: address(value), "aria-label": label, controls: true, playsinline: true, preload: "metadata" });
  return h("p", { key }, link(address(value), label, { download: true }));
}

// MARK: Elements

/** Draws text that has more than one line, or markup. */
function longText(text, schema, key) {
  const kind = medium(schema);
  if (kind === "text/markdown") return h("div", { key, class: "prose" }, markdown(text));
  if (kind === "text/x-code") return h("pre", { key, class: "code", tabindex: "0" }, h("code", {}, text));
  return h("p", { key, class: "long" }, text);
}

/** Draws a value within a line. */
export function inline(view, value, schema) {
  const text = say(view, value, schema);
  if (schema.format === "color" && /^#[0-9a-f]{6}$/i.test(value)) return [h("span", { class: "swatch", style: { background: value } }), text];
  return schema.format === "uri" && canOpen(text) ? link(text, text) : text;
}

export function fact(label, value, key) {
  return h("dl", { key, class: "fact" }, h("dt", {}, label), h("dd", {}, value));
}

export const isFact = (node) => node?.props?.class === "fact";

/** Draws a missing value: the title of null, if it has one. */
export function drawNothing(view, value, schema, label, key) {
  const text = say(view, value, schema);
  return text === "" ? null : fact(label, text, key);
}

/** Draws a value as an element; null if it has nothing to show. */
export function drawValue(view, value, schema, label, key) {
  if (value === null || value === undefined || value === "") return null;
  if (isMedium(schema)) return media(value, schema, label, key);
  if (typeof value === "string" && isLong(schema)) return longText(value, schema, key);
  if (typeof value === "object" && !Array.isArray(value) && schema.format !== "coordinate") {
    const shown = details(view, value, schema);
    return shown.length > 0 ? h("section", { key, class: "card" }, h("h2", {}, label), shown) : null;
  }
  const text = inline(view, value, schema);
  // A text needs no label.
  const isPlain = typeof value === "string" && !schema.enum && !schema.format && !schema["x-unit"];
  return text === "" ? null : isPlain ? h("p", { key }, text) : fact(label, text, key);
}

/** True for a null or a Boolean without a title of its own. */
const isUntitled = (member, schema) => (member === null || typeof member === "boolean") && schema["x-titles"]?.[member] === undefined;

/** Writes a member of a row: what is true is its title, and what is null or false is nothing, unless that has a title. */
export function sayMember(view, member, schema, title) {
  if (isMedium(schema)) return `(${schema.contentMediaType})`;
  return isUntitled(member, schema) ? (member ? title : "") : say(view, member, schema);
}

/** Draws the members of an object. */
export function details(view, value, schema) {
  const members = Object.entries(value).map(([name, member]) => [name, member, memberSchema(view, schema, name)]);
  const alt = members.find(([, , inner]) => inner["x-role"] === "alt")?.[1];
  const hasPicture = members.some(([, , inner]) => isImage(inner));
  return members.map(([name, member, inner]) => {
    const role = inner["x-role"];
    if ((!member && isUntitled(member, inner)) || role === "hidden" || (role === "alt" && hasPicture)) return null;
    const title = memberTitle(schema, name);
    if (role === "progress") return progress(view, member, inner, title, name);
    if (isMedium(inner)) return media(member, inner, (isImage(inner) && alt) || title, name);
    if (typeof member === "string" && isLong(inner)) return longText(member, inner, name);
    if (Array.isArray(member) && member.some((each) => typeof each === "object")) {
      const items = view.schema(inner.items ?? {});
      return h("div", { key: name, class: "inset" }, h("h3", {}, title), h("ul", { class: "plain" }, member.map((each) => h("li", {}, say(view, each, items)))));
    }
    if (typeof member === "object" && !Array.isArray(member) && inner.format !== "coordinate") {
      const shown = details(view, member, inner);
      return shown.length > 0 && h("div", { key: name, class: "inset" }, h("h3", {}, title), shown);
    }
    return fact(title, inline(view, member, inner), name);
  }).filter(Boolean);
}

/** How far work is, as a share of one: the value itself, or how many of a total. */
export function shareOf(value, schema) {
  const [done, total] = [value?.[schema["x-done"]], value?.[schema["x-total"]]];
  return typeof value === "number" ? value : typeof total === "number" ? (total > 0 ? done / total : 0) : undefined;
}

/** Draws how far work is. */
export function progress(view, value, schema, label, key) {
  const share = shareOf(value, schema);
  if (share === undefined) return null;
  const total = value[schema["x-total"]];
  const text = total === undefined ? scalar(share, { format: "percent" }) : words.progress(scalar(value[schema["x-done"]], {}), scalar(total, { "x-unit": schema["x-unit"] }));
  return h("div", { key, class: "progress-line" },
    // The bar says the same.
    h("p", { "aria-hidden": "true" }, h("span", {}, label), h("span", { class: "muted" }, text)),
    bar(share, label, text));
}

/** A bar whose filled part is a share of one. */
export function bar(share, label, text) {
  const percent = Math.max(0, Math.min(100, share * 100));
  return h("div", { class: "meter", role: "progressbar", "aria-label": label, "aria-valuemin": "0", "aria-valuemax": "100", "aria-valuenow": String(Math.round(percent)), "aria-valuetext": text },
    h("span", { style: { width: `${percent}%` } }));
}
