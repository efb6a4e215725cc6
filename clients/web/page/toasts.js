/** Draws the messages that come and go: events for people, with what they offer. */
import { viewOf } from "./description.js";
import { h } from "./dom.js";
import { announce, iconButton } from "./parts.js";
import { words } from "./words.js";

/** True for what the app says everywhere, or on a screen that is seen. */
export const isVisible = (core, { screen }) => screen === "app" || core.visible.includes(screen);

export class Toasts {
  #toasts = [];

  constructor(core) {
    this.core = core;
  }

  /** Shows the events of a frame that are for people. */
  take({ events }) {
    for (const { screen, name, value } of events) {
      const end = name.lastIndexOf("/");
      const path = name.slice(0, Math.max(0, end));
      const view = viewOf(this.core, screen)?.at(path);
      const port = view?.description.events?.[name.slice(end + 1)] ?? {};
      if (!["failure", "notice"].includes(port["x-role"])) continue;
      const message = view.sentence(value, port);
      // The screen may show the failure itself.
      if (message === "" || view.outputsWithRole(port["x-role"]).some((shown) => view.sentence(view.output[shown], view.outputs[shown]) === message)) continue;
      const actions = [view.retry(value, port) ?? [], port["x-actions"] ?? []].flat().filter((action) => view.has(action));
      // A person needs time to decide what to do about a failure.
      this.add({ screen, path, message, actions, inputs: actions.map((action) => view.address(action)) }, port["x-role"] === "failure" && actions.length > 0);
    }
  }

  /** Shows a message, for a while if it does not last. */
  add({ message, ...origin }, isLasting = false) {
    const toast = { id: Math.random(), message, ...origin };
    this.#toasts = [...this.#toasts.filter((each) => each.message !== message), toast].slice(-3);
    announce(message);
    if (!isLasting) setTimeout(() => this.#pass(toast), 8000);
  }

  /** Takes away the messages that offer an input that a person has sent. */
  sent({ params: { screen, name } }) {
    for (const toast of this.#toasts) if (toast.screen === screen && toast.inputs.includes(name)) this.#dismiss(toast);
  }

  draw() {
    const seen = this.#seen();
    return h("div", { key: "toasts", class: "toasts", ...(seen.length > 0 && { role: "region", "aria-label": words.messages }) }, seen.map((toast) => this.#draw(toast)));
  }

  #draw(toast) {
    const view = viewOf(this.core, toast.screen)?.at(toast.path);
    return h("div", { key: toast.id, class: "toast" }, h("span", {}, toast.message),
      toast.actions.filter((name) => view?.has(name)).map((name) => h("button", { key: name, type: "button", class: "button small", onclick: () => view.send(name) }, view.label(name))),
      iconButton("close", words.close, () => this.#dismiss(toast)));
  }

  /** The messages of what is visible. One that has been seen goes with its screen. */
  #seen() {
    this.#toasts = this.#toasts.filter((toast) => !toast.isSeen || isVisible(this.core, toast));
    const seen = this.#toasts.filter((toast) => isVisible(this.core, toast));
    for (const toast of seen) toast.isSeen = true;
    return seen;
  }

  /** Takes a message away, unless the person is at it. */
  #pass(toast) {
    if (document.querySelector(".toasts:is(:hover, :focus-within)")) setTimeout(() => this.#pass(toast), 1000);
    else this.#dismiss(toast);
  }

  #dismiss(toast) {
    this.#toasts = this.#toasts.filter((each) => each !== toast);
    this.core.wake();
  }
}
