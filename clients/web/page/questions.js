/** Draws the core's questions to the person: dialogs, pages to open, files, days, and those of the app, by their schemas. */
import { resolve, types } from "./description.js";
import { h } from "./dom.js";
import { control } from "./editors.js";
import { accepted, check, encode } from "./files.js";
import { enter, leave } from "./motion.js";
import { link } from "./parts.js";
import { byHand, handlers } from "./prompts.js";
import { caseTitle, memberTitle, say } from "./values.js";
import { spell, words } from "./words.js";

/** The questions to draw, the oldest first. A question of a hidden screen waits. */
function questions({ document, visible }) {
  return Object.entries(document.prompts).filter(([id, { kind, screen }]) => (byHand.has(id) || !Object.hasOwn(handlers, kind)) && ["app", ...visible].includes(screen));
}

/** Draws questions, and sends their answers. */
export class Questions {
  /** Why the last answer was not taken, and to which question. */
  #problem = {};
  /** The address of a link that the person has followed. */
  #link;

  constructor(core) {
    this.core = core;
    // The page to which a browser comes back says so to all pages of the app.
    new BroadcastChannel("signed-in").addEventListener("message", ({ data }) => this.#signedIn(data));
  }

  /** The id and the prompt of the question that is shown. */
  get current() {
    return questions(this.core)[0] ?? (this.#link ? ["link", { kind: "openURL", params: { url: this.#link } }] : []);
  }

  /** Asks whether to open a link in a text that came from elsewhere. */
  askToOpen(url) {
    this.#link = url;
    this.core.wake();
  }

  draw() {
    const [id, prompt] = this.current;
    if (!prompt) return null;
    const schemas = { title: id === "link" ? words.openPage : spell(prompt.kind), ...this.core.description["x-prompts"]?.[prompt.kind] };
    const { title, message, body } = (Object.hasOwn(drawings, prompt.kind) ? drawings[prompt.kind] : custom)({ id, params: prompt.params, schemas, core: this.core, schema: (schema = {}) => resolve(this.core.description, schema), answer: (answer) => this.#answer(id, answer), fail: (text) => this.#fail(id, text) });
    return h(
      "div",
      { key: `prompt-${id}`, class: `layer alert ${prompt.kind}`, hooks: { mount: (element) => enter(element, { type: "showModal" }), remove: (element) => leave(element, { type: "dismissModal" }) } },
      h("div", { class: "backdrop" }),
      h("div", { class: "panel", role: drawings[prompt.kind] === dialog ? "alertdialog" : "dialog", "aria-modal": "true", "aria-labelledby": `prompt-${id}-title`, "aria-describedby": message ? `prompt-${id}-message` : undefined },
        h("h2", { id: `prompt-${id}-title` }, title),
        message && h("p", { id: `prompt-${id}-message` }, message),
        this.#problem.id === id && h("p", { class: "error", role: "alert" }, this.#problem.text),
        body),
    );
  }

  /** Presses the cancel button, or closes a question without one. */
  escape() {
    const [id, prompt] = this.current;
    if (!prompt) return false;
    const cancel = prompt.params.buttons?.find((button) => button.role === "cancel");
    this.#answer(id, cancel ? { value: { button: cancel.id, fields: null } } : { dismissed: true });
    return true;
  }

  #answer(id, answer) {
    if (id === "link") return this.askToOpen(undefined);
    this.core.answer(id, answer).catch((error) => id in this.core.document.prompts && this.#fail(id, error.message));
  }

  /** Answers with the address to which a browser has come back, if the page that asks has sent it. */
  #signedIn(url) {
    for (const [id, { kind, params }] of Object.entries(this.core.document.prompts)) {
      if (kind !== "signIn") continue;
      const { page, callback, own } = signing(params);
      if (url.startsWith(callback) && stateOf(url) === stateOf(page)) this.#answer(id, { value: { url, callback: own } });
    }
  }

  #fail(id, text) {
    this.#problem = { id, text };
    this.core.wake();
  }
}

/** How each kind of question is drawn, as a title, a message, and a form. */
const drawings = {
  alert: dialog,
  confirmationDialog: dialog,
  copy: textToCopy,
  share: textToCopy,

  openURL({ params, schemas, answer }) {
    const [title, message] = [schemas.title, params.url];
    // A browser opens a tab only for a click on a link.
    const open = link(params.url, words.open, { class: "button primary", onclick: () => answer({ value: {} }) });
    return { title, message, body: form({ buttons: [close(answer), open] }) };
  },

  signIn({ id, params, schemas, answer, fail }) {
    const { page, callback, own } = signing(params);
    const send = ({ url: { value } }) => (value.trim().startsWith(callback) ? answer({ value: { url: value.trim(), callback: own } }) : fail(words.startsWith(callback)));
    const openWindow = (event) => {
      event.preventDefault();
      open(page, "_blank", "popup,noopener,noreferrer,width=520,height=720");
    };
    const opener = link(page, words.open, { class: "button", onclick: openWindow });
    const field = h("input", { id: `prompt-${id}-url`, name: "url", type: "text", required: true, autocomplete: "off", placeholder: callback });
    return { title: schemas.title, message: page, body: form({ send, fields: [opener, labeled(id, "url", words.pasteAddress, field)], buttons: [close(answer), submit(words.done)] }) };
  },

  pickFile({ id, params, schemas, answer, fail }) {
    const send = async ({ file }) => {
      try {
        answer({ value: await encode(check(file.files[0], params)) });
      } catch (error) {
        fail(error.message);
      }
    };
    const field = h("input", { id: `prompt-${id}-file`, name: "file", type: "file", required: true, accept: params.types.join(",") || undefined });
    return { title: schemas.title, message: accepted(params), body: form({ send, fields: [labeled(id, "file", words.file, field)], buttons: [close(answer), submit(words.done)] }) };
  },

  pickDate({ id, params, schemas, answer }) {
    const field = h("input", { id: `prompt-${id}-date`, name: "date", type: "date", required: true, value: params.selected ?? "", min: params.first ?? undefined, max: params.last ?? undefined });
    return { title: schemas.title, message: schemas.description, body: form({ send: ({ date }) => answer({ value: { date: date.value } }), fields: [labeled(id, "date", words.day, field)], buttons: [close(answer), submit(words.done)] }) };
  },
};

/** The page that signs in, where the browser ends, and that address again if it is one of this server. */
function signing({ url, callback, template }) {
  if (!template) return { page: url, callback, own: null };
  const own = `${location.origin}/signed-in.html`;
  return { page: template.replaceAll("{callback}", encodeURIComponent(own)), callback: own, own };
}

/** The `state` of a sign-in page, which tells one visit from another. */
const stateOf = (url) => new URL(url).searchParams.get("state");

function dialog({ id, params: { title, message, buttons, fields }, answer }) {
  const send = (elements, button = buttons[0]?.id) =>
    answer({ value: { button, fields: fields && Object.fromEntries(fields.map((field) => [field.id, elements[field.id].value])) } });
  return { title, message, body: form({
    send,
    fields: (fields ?? []).map((field) => labeled(id, field.id, field.placeholder, h("input", { id: `prompt-${id}-${field.id}`, name: field.id, autocomplete: "off" }))),
    buttons: buttons.map(({ id, title, role }) =>
      h("button", { key: id, class: `button ${role === "destructive" ? "destructive" : role === "cancel" ? "" : "primary"}`, value: id, "data-button": id }, title)),
  }) };
}

/** Shows a text that the page may not copy. */
function textToCopy({ id, params: { text }, schemas, answer }) {
  const field = h("textarea", { id: `prompt-${id}-text`, name: "text", readonly: true, rows: "3", value: text, onfocus: (event) => event.target.select() });
  return { title: schemas.title, body: form({ send: () => answer({ value: {} }), fields: [labeled(id, "text", words.copyByHand, field)], buttons: [close(answer), submit(words.done)] }) };
}

/** More buttons than this are a list. */
const few = 6;

/** A question of the app: a button for each of a few answers, or a control for each member. */
function custom(question) {
  const { id, params, schemas, answer } = question;
  const [title, schema] = [schemas.title, question.schema(schemas.answer)];
  const message = [schemas.description, say(question, params, question.schema(schemas.params))].filter(Boolean).join("\n");
  const offered = schema.enum ?? (types(schema).includes("boolean") ? [true, false] : undefined);
  if (offered && offered.length <= few) {
    const send = (elements, button) => answer({ value: offered[button ?? 0] });
    return { title, message, body: form({ send, buttons: [close(answer), ...offered.map((value, index) => submit(caseTitle(schema, value), { key: index, value: String(index) }))] }) };
  }
  const members = Object.entries(schema.properties ?? (types(schema).includes("null") || types(schema).includes("object") ? {} : { "": schema }));
  const drawn = members.map(([member, inner]) => {
    const name = member || "value";
    const { element, read } = control(question, question.schema(inner), undefined, { id: `prompt-${id}-${name}`, name, placeholder: member ? undefined : schemas.placeholder });
    return { member, name, read, node: labeled(id, name, member ? memberTitle(schema, member) : title, element) };
  });
  const send = (elements) => {
    const entries = drawn.map(({ member, name, read }) => [member, read(elements[name])]);
    answer({ value: schema.properties || drawn.length > 0 && drawn[0].member ? Object.fromEntries(entries) : drawn.length > 0 ? entries[0][1] : types(schema).includes("object") ? {} : null });
  };
  return { title, message, body: form({ send, fields: drawn.map(({ node }) => node), buttons: [close(answer), submit(words.done)] }) };
}

function form({ send = () => {}, fields = [], buttons }) {
  return h("form", {
    onsubmit: (event) => {
      event.preventDefault();
      send(event.target.elements, event.submitter?.value || undefined);
    },
    hooks: { mount: (element) => (element.querySelector("input, select, textarea") ?? [...element.querySelectorAll("button, a")].at(-1))?.focus() },
  }, fields, h("div", { class: "buttons" }, buttons));
}

const labeled = (id, name, label, element) => h("div", { key: name, class: "field" }, h("label", { for: `prompt-${id}-${name}` }, label), element);
const submit = (label, props = {}) => h("button", { class: "button primary", ...props }, label);
const close = (answer) => h("button", { key: "close", type: "button", class: "button", onclick: () => answer({ dismissed: true }) }, words.close);
