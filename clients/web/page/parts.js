/** The building blocks of screens. */
import { h } from "./dom.js";
import { format, results, words } from "./words.js";

const paths = {
  map: "M9 4 3 6v14l6-2 6 2 6-2V4l-6 2-6-2zM9 4v14M15 6v14",
  eyes: "M12 3l2.6 6.2L21 12l-6.4 2.8L12 21l-2.6-6.2L3 12l6.4-2.8z",
  "bubble.left": "M4 5h16v11H9l-5 4z",
  "circle.grid.3x3": "M5 6a1 1 0 1 0 2 0 1 1 0 1 0-2 0M11 6a1 1 0 1 0 2 0 1 1 0 1 0-2 0M17 6a1 1 0 1 0 2 0 1 1 0 1 0-2 0M5 12a1 1 0 1 0 2 0 1 1 0 1 0-2 0M11 12a1 1 0 1 0 2 0 1 1 0 1 0-2 0M17 12a1 1 0 1 0 2 0 1 1 0 1 0-2 0M5 18a1 1 0 1 0 2 0 1 1 0 1 0-2 0M11 18a1 1 0 1 0 2 0 1 1 0 1 0-2 0M17 18a1 1 0 1 0 2 0 1 1 0 1 0-2 0",
  "books.vertical": "M5 4h4v16H5zM9 4h4v16H9zM14.5 5l4-1 3 15-4 1z",
  person: "M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4 21c0-4.5 3.5-7 8-7s8 2.5 8 7",
  back: "M15 5l-7 7 7 7", close: "M6 6l12 12M18 6 6 18", search: "M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM16 16l5 5",
  star: "M12 3.5l2.6 5.6 6 .7-4.4 4.2 1.1 6L12 17l-5.3 3 1.1-6L3.4 9.800l6-.7z", play: "M7 4l13 8-13 8z",
  pause: "M8 5v14M16 5v14", locate: "M12 3v3M12 18v3M3 12h3M18 12h3M12 18a6 6 0 1 0 0-12 6 6 0 0 0 0 12z",
  share: "M12 15V3M7 8l5-5 5 5M5 13v7h14v-7", send: "M5 12h14M13 6l6 6-6 6", stop: "M7 7h10v10H7z",
  chevron: "M9 5l7 7-7 7", trash: "M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13", bookmark: "M7 4h10v17l-5-4-5 4z",
  plus: "M12 5v14M5 12h14", clock: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 7v5l3 2", gear: "M12 17a5 5 0 1 0 0-10 5 5 0 0 0 0 10zM12 14a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM12 7V4M12 20v-3M7 12H4M20 12h-3M8.500 8.500l-2-2M17.500 17.500l-2-2M8.500 15.500l-2 2M17.500 6.500l-2 2",
  list: "M8 6h12M8 12h12M8 18h12M4 6h.01M4 12h.01M4 18h.01", refresh: "M19 12a7 7 0 1 1-2-5l2 2M19 4v5h-5",
  up: "M6 15l6-6 6 6", down: "M6 9l6 6 6-6",
  dot: "M12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6z", more: "M5 12h.01M12 12h.01M19 12h.01", check: "M5 12.5l5 5 9-10",
  pencil: "M4 20l1-5L16 4l4 4L9 19z", bell: "M6 17V11a6 6 0 0 1 12 0v6l2 2H4zM10 21h4", sliders: "M4 7h10M18 7h2M16 5v4M4 17h2M10 17h10M8 15v4",
};

/** A symbol, which says nothing to a screen reader without a label. */
export function icon(name, isFilled = false, label = undefined) {
  const said = label === undefined ? { "aria-hidden": "true" } : { role: "img", "aria-label": label };
  return h("svg", { viewBox: "0 0 24 24", class: isFilled ? "icon filled" : "icon", ...said }, h("path", { d: paths[name] ?? paths[name.split(".")[0]] ?? "M12 20a8 8 0 1 0 0-16 8 8 0 0 0 0 16z" }));
}

/** A button of a screen: sends the trigger `name`, or submits its form. */
export function trigger(view, name, { label = view.label(name), kind = "", type = "button", symbol, value, disabled, reason = view.reason(name), reasons } = {}) {
  const isUnsent = view.isUnsent(name, value);
  return h(
    "button",
    {
      key: `trigger-${name}`, type, class: `button ${kind}`, "data-input": view.address(name),
      disabled: disabled ?? !view.isEnabled(name), title: isUnsent ? words.unsent : reason || undefined, "aria-busy": isUnsent ? "true" : undefined, "aria-describedby": reasons || undefined, onclick: type === "button" ? () => view.send(name, value) : undefined,
    },
    isUnsent ? icon("clock") : symbol && icon(symbol), h("span", {}, label), isUnsent && h("span", { class: "hidden" }, words.unsent),
  );
}

/** Says why inputs are disabled. */
export function why(view, names) {
  const reasons = [...new Set(names.map((name) => view.reason(name)).filter(Boolean))];
  return reasons.map((reason) => h("p", { key: `why-${reason}`, class: "muted why" }, reason));
}

/** A button with a picture instead of words. */
export function iconButton(symbol, label, onclick, props = {}) {
  return h("button", { type: "button", class: "icon-button", "aria-label": label, title: label, onclick, ...props }, icon(symbol, props.filled));
}

/** What a text is for, and the attributes of its field. */
const purposes = {
  search: { type: "search" }, email: { type: "email", autocomplete: "email" }, url: { type: "url" }, phone: { type: "tel", autocomplete: "tel" }, name: { autocomplete: "name" },
};

/** A text field that shows typed text at once. */
export function textField(view, name, { label = view.label(name), isHidden = false, ...props } = {}) {
  const field = view.field(name);
  const id = view.elementID(name);
  const port = view.schema(view.inputs[name]);
  const purpose = port["x-purpose"];
  const isLong = purpose === "long" || (port.contentMediaType ?? "").startsWith("text/");
  const error = field.isPending ? null : field.error;
  const longest = port.maxLength ?? view.schema(view.description.fields?.[name])["x-valid"]?.maxLength;
  const count = [...(field.value ?? "")].length;
  return h(
    "div", { key: `field-${name}`, class: error ? "field invalid" : "field" },
    h("label", { for: id, class: isHidden ? "hidden" : undefined }, label),
    h(isLong ? "textarea" : "input", {
      id, name, rows: isLong ? "3" : undefined, value: field.value ?? "", "data-input": view.address(name),
      placeholder: view.placeholder(name) || (isHidden ? label : undefined), maxlength: port.maxLength ? String(port.maxLength) : undefined,
      autocomplete: "off", disabled: !view.isEnabled(name), "aria-invalid": error ? "true" : undefined, "aria-describedby": error ? `${id}-error` : undefined,
      oninput: (event) => field.write(event.target.value).catch(() => {}),
      onblur: () => name in (view.state.fields ?? {}) && leave(field),
      ...(isLong ? {} : { type: port["x-secret"] ? "password" : "text", ...purposes[purpose], ...typeOf(port) }),
      ...props,
    }),
    error && h("p", { id: `${id}-error`, class: "error", role: "alert" }, error),
    longest && count > longest * 0.8 && h("p", { class: count > longest ? "counter over" : "counter muted" }, `${format.number(count)} / ${format.number(longest)}`),
    view.isUnsent(name) && h("p", { class: "muted unsent" }, words.unsent),
    field.isChecking && h("p", { class: "muted", role: "status" }, words.checking),
  );
}

/** Lets the core say what is wrong with a field that the person has left, once what they press cannot move away. */
function leave(field) {
  if (document.querySelector(":active")) addEventListener("mouseup", () => setTimeout(() => field.check()), { once: true });
  else if (document.hasFocus()) field.check();
}

/** The type of the field for a text with a format. */
const typeOf = (port) => (port.format === "date" || port.format === "time" ? { type: port.format } : {});

/** A picture; if missing, the first letter of the title, or the symbol of a person. */
export function picture(source, title, kind = "", alt = "") {
  if (!source) return h("span", { class: `picture blank ${kind}`, "aria-hidden": "true" }, title ? title.charAt(0).toUpperCase() : icon("person"));
  return h("img", { class: `picture ${kind}`, src: address(source), alt, loading: "lazy", decoding: "async" });
}

/** The address from which to load a picture or a video of the document. */
export function address(uri) {
  if (uri.startsWith("resource:")) return `/resource?uri=${encodeURIComponent(uri)}`;
  return /^(data:image\/|https?:)/.test(uri) ? uri : "data:,";
}

export function spinner(label = words.loading) {
  return h("div", { key: "spinner", class: "spinner", role: "status" }, h("span", { class: "hidden" }, label));
}

/** True for an address that a browser may open: others could run code, or open a file. */
export const canOpen = (url) => /^(https?:\/\/|mailto:|tel:)\S+$/i.test(url);

/** Opens in a tab of its own, which does not learn about this one. */
export function link(href, label, props = {}) {
  return h("a", { href, target: "_blank", rel: "noopener noreferrer", ...props }, label);
}

/** Shows the failure in an output, with a button to try again. */
export function failure(view, name) {
  const [value, port] = [view.output[name], view.outputs[name] ?? {}];
  const text = view.sentence(value, port);
  const retry = view.retry(value, port);
  return text !== "" && h("div", { key: name, class: "notice failure", role: "alert" }, h("p", {}, text), retry && trigger(view, retry, { kind: "small" }));
}

/** Shows the message in an output, with what is offered for it. */
export function notice(view, name) {
  const port = view.outputs[name];
  const text = view.sentence(view.output[name], port);
  return text !== "" && h("div", { key: name, class: "notice", role: "status" }, h("p", {}, text), offers(view, port));
}

/** The buttons of the triggers that belong to an output. */
export function offers(view, port) {
  return (port["x-actions"] ?? []).filter((name) => view.has(name) && view.isVisible(name)).map((name) => trigger(view, name, { kind: "small" }));
}

/** Shows when stale content was loaded. */
export function age(view) {
  const since = view.stale;
  return since !== undefined && h("p", { key: "age", class: "age", role: "status" }, icon("clock"), h("span", {}, since === true ? words.outdated : words.stale(format.time(since * 1000))));
}

/** Shows a symbol and a text instead of an empty list. */
export function empty(symbol, text = words.empty, ...actions) {
  return h("div", { key: "empty", class: "empty" }, symbol && icon(symbol), h("p", {}, text), actions);
}

/** Tells whether a search is running, and how many results it has. */
export function searchStatus({ isBusy, isEmpty, count }) {
  const text = isBusy ? words.loading : count > 0 && results(count);
  return h("div", { key: "status", class: "muted", role: "status" }, isEmpty ? empty("search", words.noResults) : text);
}

/** Sends `input` when the end of a list comes into view, once for each length of the list. */
export function endOfList(view, input, count) {
  return input && h("div", {
    key: `end-${count}`, class: "end",
    hooks: {
      mount(element) {
        const observer = new IntersectionObserver(([entry]) => {
          if (!entry.isIntersecting) return;
          observer.disconnect();
          view.send(input);
        }, { rootMargin: "400px" });
        observer.observe(element);
      },
    },
  });
}

/** Announces a text to screen readers. */
export function announce(text) {
  const region = document.getElementById("announcements");
  const now = performance.now();
  // One text does not take the place of another before it is said.
  for (const each of [...region.children]) if (now - each.offstageSince > 1000) each.remove();
  // A new element is said even if it repeats the text before it.
  region.append(Object.assign(document.createElement("p"), { textContent: text, offstageSince: now }));
}
