/** Draws the frame around the screens of any app: tabs, stacks, sheets, covers, modals, alerts, and the connection. */
import { ConnectionRefused, rootStack } from "offstage";
import { once } from "./busy.js";
import { appView, report, ScreenView, viewOf } from "./description.js";
import { h } from "./dom.js";
import { drawGeneric, drawScope } from "./generic.js";
import { enter, leave, still } from "./motion.js";
import { age, announce, icon, iconButton } from "./parts.js";
import { requests } from "./prompts.js";
import { Questions } from "./questions.js";
import { restoreScroll } from "./scroll.js";
import { styleOf } from "./screens/index.js";
import { isVisible, Toasts } from "./toasts.js";
import { words } from "./words.js";

let gestures;
/** Returns a function whose code is loaded once the first screen is there, which it would delay. */
const later = (name) => async (...args) => {
  gestures ??= new Promise((resolve) => (window.requestIdleCallback ?? setTimeout)(resolve)).then(() => import("./gestures.js"));
  await gestures.then((loaded) => loaded[name](...args)).catch(report);
};
const [dragSheet, pullToRefresh, swipeBack] = ["dragSheet", "pullToRefresh", "swipeBack"].map(later);
export const sayFocus = later("sayFocus").bind(null, announce);

export class Shell {
  /** The elements of each screen, and the state from which they were drawn. */
  #drawn = new Map();
  /** The element that had the focus on each screen. */
  #focused = new Map();
  #top;
  #question;
  /** The heading of the top screen as it was drawn last, and since when the screen is there. */
  #title;
  #since = 0;
  #commands = [];
  /** Counts changes outside the document, such as typed text. */
  #wakes = 0;

  constructor(core, address, busy, restart) {
    this.core = core;
    this.address = address;
    this.busy = busy;
    this.restart = restart;
    this.questions = new Questions(core);
    this.toasts = new Toasts(core);
  }

  /** Draws from scratch, since the screens of another session have the same ids. */
  startAgain() {
    this.#drawn.clear();
    this.#focused.clear();
    this.#top = undefined;
    this.toasts.add({ screen: "app", path: "", message: words.startedAgain, actions: [], inputs: [] });
  }

  /** Draws all screens again. */
  wake() {
    this.#wakes++;
  }

  /** Remembers a frame's commands for the next drawing, and shows its events for people. */
  take(frame) {
    if (this.#top !== undefined) this.#commands.push(...frame.navigation);
    if (frame.schema) this.wake();
    this.toasts.take(frame);
  }

  draw() {
    const { core } = this;
    const { navigation } = core.document;
    const screens = rootStack(navigation);
    if (screens.length === 0 || !core.description) return [this.#connection(), core.status === "connecting" && h("main", {}, h("p", { class: "starting" }, document.title), h("p", { class: "hidden", role: "status" }, words.connecting))];
    if (this.address.missing !== undefined) return [this.#connection(), this.#missing()];
    const alert = core.status === "stopped" ? null : this.questions.draw();
    const layers = navigation.presented.length + navigation.modals.length;
    const covers = navigation.presented.findLastIndex(({ style }) => style === "fullScreenCover");
    return [
      this.#connection(),
      [...requests].map(([id, request]) => this.#drawRequest(id, request)),
      h("div", { key: "stage", class: "stage" },
        h("div", { key: "root", class: "root", inert: layers > 0 || Boolean(alert), "data-covered": covers >= 0 }, this.#root(navigation.root)),
        navigation.presented.map((presentation, index) => this.#presentation(presentation, index + 1 < layers || Boolean(alert))),
        navigation.modals.map((modal, index) => this.#modal(modal, index + 1 < navigation.modals.length || Boolean(alert))),
        alert),
      this.busy.isShown && h("div", { key: "busy", class: "busy", role: "status" }, h("span", { class: "hidden" }, words.loading)),
      this.toasts.draw(),
    ];
  }

  /** Titles the page after the top screen or layer, and keeps the focus in it. */
  didDraw() {
    this.#commands = [];
    // A question focuses its own answer. Later, the screen below gets the focus back.
    const [question] = this.questions.current;
    const top = this.address.missing ?? this.core.visible[0];
    const isNew = top !== this.#top || (this.#question !== undefined && question === undefined);
    const isFirst = this.#top === undefined;
    this.#top = top;
    this.#question = question;
    const screen = document.querySelector(`[data-screen="${top && CSS.escape(top)}"]`);
    const heading = screen?.querySelector("h1");
    restoreScroll();
    if (heading) document.title = `${heading.textContent} – ${this.core.description.info.title}`;
    const before = this.#focused.get(top);
    if (isNew && !isFirst) {
      const field = screen?.querySelector("[autofocus]") ?? screen?.querySelector(".panel " + fields);
      (canFocus(before) ? before : field ?? heading)?.focus({ preventScroll: true });
    } else if (before && !canFocus(before) && [document.body, before].includes(document.activeElement)) {
      // The button that had the focus is gone or disabled.
      heading?.focus({ preventScroll: true });
    }
    if (isNew) this.#since = performance.now();
    // A screen reader has read the heading by then, without what the core has loaded since.
    const isRead = !isNew && heading === document.activeElement && performance.now() - this.#since > 200;
    if (isRead && heading.textContent !== this.#title) announce(heading.textContent);
    this.#title = heading?.textContent;
  }

  /** Dismisses the prompt on top, presses what leaves the top screen, or else closes it or goes back. */
  escape(event) {
    const { presented, modals } = this.core.document.navigation;
    const top = viewOf(this.core, this.core.visible[0]);
    if (this.questions.escape()) {
      // Only what is on top.
    } else if (top?.wayOut !== undefined) {
      top.send(top.wayOut);
    } else if (modals.length > 0) {
      if (modals.at(-1).background.dismissesOnTap) this.core.dismiss({ presentation: modals.at(-1).id }).catch(report);
    } else if (presented.length > 0) {
      this.core.dismiss({ presentation: presented.at(-1).id }).catch(report);
    } else if (!this.address.back()) {
      return;
    }
    event.preventDefault();
  }

  /** The page for an address that the app does not have. */
  #missing() {
    const path = this.address.missing;
    return h("main", { id: "content", key: "missing", class: "stack" },
      h("section", { class: "screen missing", "data-screen": path, "aria-labelledby": "missing-title" },
        h("h1", { id: "missing-title", tabindex: "-1" }, words.noPage),
        h("p", { class: "muted" }, path),
        h("button", { type: "button", class: "button primary", onclick: () => this.address.leave() }, words.openApp(this.core.description.info.title))));
  }

  // MARK: Stacks

  #root(root) {
    const scope = this.#scope(undefined);
    if (root.type === "stack") return h("main", { id: "content", class: "main" }, scope, h("div", { class: "stack" }, this.#stack(root.screens, true)));
    return [
      h("a", { class: "skip", href: "#content", onclick: skip }, words.skip),
      h("nav", { class: "tabs", "aria-label": words.tabs }, root.tabs.map((tab) =>
        h("button", {
          key: tab.id, type: "button", class: "tab", "aria-current": tab.id === root.selected ? "page" : undefined, "data-tab": tab.id,
          onclick: () => this.#select(tab, root.selected),
        },
        icon(tab.icon), h("span", {}, tab.title), tab.badge && h("span", { class: "badge" }, tab.badge)))),
      h("main", { id: "content", class: "main" }, scope, h("div", { class: "stack" }, root.tabs.map((tab) => this.#stack(tab.screens, tab.id === root.selected)))),
    ];
  }

  /** What the app as a whole says and offers, in the topmost layer; undefined for that of the root. */
  #scope(layer) {
    const { presented, modals } = this.core.document.navigation;
    const top = modals.at(-1)?.id ?? presented.at(-1)?.id;
    const view = layer === top ? appView(this.core) : undefined;
    return view && drawScope(view);
  }

  /** Selects a tab. A selected tab goes back to its root, and a root scrolls to its top. */
  #select(tab, selected) {
    if (tab.id !== selected) return this.core.selectTab(tab.id).catch(report);
    if (tab.screens.length > 1) return this.core.popTo(tab.screens[0]).catch(report);
    document.querySelector(`[data-screen="${tab.screens[0]}"] .content`)?.scrollTo({ top: 0, behavior: still.matches ? "auto" : "smooth" });
  }

  #stack(screens, isVisible) {
    const beside = isVisible ? this.beside(screens) : undefined;
    return screens.map((id, index) => this.#screen(id, {
      isTop: isVisible && index === screens.length - 1,
      isBeside: id === beside,
      isDetail: beside !== undefined && index === screens.length - 1,
      back: index > 0 ? () => (id === beside ? this.#backTo(screens[index - 1]) : this.#back()) : undefined,
    }));
  }

  /** The screen that a wide window shows on the left of the top of the stack; undefined if it has a style. */
  beside(screens) {
    const isPlain = (id) => styleOf(this.core, this.core.document.screens[id]?.kind) === undefined;
    return isWide.matches && screens.length > 1 && screens.slice(-2).every(isPlain) ? screens.at(-2) : undefined;
  }

  #screen(id, { isTop, isBeside, isDetail, back, close, isModal }) {
    const name = `screen-${id}`;
    const isShown = isTop || isBeside;
    const view = isShown ? new ScreenView(this.core, id) : undefined;
    if (view) view.isBeside = isBeside;
    const command = this.#commands.findLast((each) => each.screens.includes(id));
    return h(
      "section",
      {
        key: name, class: ["screen", !isShown && "behind", isBeside && "beside", isDetail && "detail", styleOf(this.core, this.core.document.screens[id].kind) === undefined && "plain"].filter(Boolean).join(" "), inert: !isShown, role: isBeside ? "group" : undefined, "data-screen": id, "data-kind": this.core.document.screens[id].kind,
        // One screen alone is what `main` or a dialog around it is about.
        "aria-labelledby": isBeside || isDetail ? `${name}-title` : undefined, onfocusin: (event) => this.#focused.set(id, event.target),
        hooks: {
          mount(element) {
            if (isTop && !isModal && !isDetail) enter(element, command);
            swipeBack(element);
          },
          remove: (element) => leave(element, isWide.matches && element.classList.contains("detail") ? undefined : this.#commands.findLast((each) => each.screens.includes(id))),
        },
      },
      isShown ? this.#content(view, name, { back, close, isModal }) : this.#drawn.get(id)?.nodes,
    );
  }

  #content(view, name, { back, close, isModal }) {
    const drawn = this.#drawn.get(view.id);
    // Redraw only screens that a frame changed, or all after a wake: a field may have changed.
    const key = [view.state, this.#wakes, Boolean(back), Boolean(close), view.isBeside];
    if (drawn?.key.every((each, index) => each === key[index])) return drawn.nodes;
    const style = styleOf(this.core, view.kind);
    const title = style?.title?.(view) ?? view.title;
    const subtitle = style ? undefined : view.valueWithRole("subtitle");
    const nodes = [
      h("header", { class: style?.isBare ? "bar bare" : "bar" },
        back && iconButton("back", words.back, back, { class: "icon-button back" }),
        h("div", { class: "titles" },
          // The page has one main heading.
          h(view.isBeside ? "h2" : "h1", { id: `${name}-title`, tabindex: "-1" }, title),
          subtitle && h("p", { class: "muted" }, subtitle)),
        h("div", { class: "actions" }, style?.actions?.(view),
          // For those who have no finger to pull with.
          view.refresh && iconButton("refresh", view.label(view.refresh), view.refreshing, { "data-input": view.refresh, disabled: !view.refreshing }),
          close && iconButton("close", words.close, close))),
      style?.isBare ? style.draw(view) : h("div", { class: isModal ? "content modal-content" : "content", tabindex: "-1", hooks: { mount: (element) => pullToRefresh(element, () => view.now?.refreshing) } }, age(view), (style?.draw ?? drawGeneric)(view)),
    ];
    this.#drawn.set(view.id, { key, nodes });
    return nodes;
  }

  #back() {
    once("back", () => this.core.back()).catch(report);
  }

  #backTo(screen) {
    once("back", () => this.core.popTo(screen)).catch(report);
  }

  // MARK: Layers

  #presentation({ id, style, detents, screens }, isInert) {
    const close = () => this.core.dismiss({ presentation: id }).catch(report);
    const isSheet = style === "sheet";
    return h(
      "div",
      {
        key: `presentation-${id}`, class: isSheet ? "layer sheet" : "layer cover", inert: isInert, "data-detents": (detents ?? ["large"]).join(" "), "data-detent": detents?.[0],
        hooks: { mount: (element) => (enter(element, { type: "present" }), isSheet && dragSheet(element, close)), remove: (element) => leave(element, { type: "dismiss" }) },
      },
      isSheet && h("div", { class: "backdrop", onclick: close }),
      h("div", { class: "panel", role: "dialog", "aria-modal": "true", "aria-labelledby": `screen-${screens.at(-1)}-title` },
        isSheet && h("div", { class: "grabber", "aria-hidden": "true" }),
        this.#scope(id),
        screens.map((screen, index) => this.#screen(screen, {
          isTop: index === screens.length - 1,
          back: index > 0 ? () => this.#back() : undefined,
          close: index === 0 ? close : undefined,
        }))),
    );
  }

  #modal({ id, screen, background }, isInert) {
    const close = () => background.dismissesOnTap && this.core.dismiss({ presentation: id }).catch(report);
    return h(
      "div",
      {
        key: `modal-${id}`, class: "layer modal", inert: isInert,
        hooks: { mount: (element) => enter(element, { type: "showModal" }), remove: (element) => leave(element, { type: "dismissModal" }) },
      },
      h("div", { class: "backdrop", style: { background: background.color, opacity: background.opacity }, onclick: close }),
      h("div", { class: "panel", role: "dialog", "aria-modal": "true", "aria-labelledby": `screen-${screen}-title` },
        this.#scope(id), this.#screen(screen, { isTop: true, isModal: true })),
    );
  }

  // MARK: Notices

  #drawRequest(id, { reason, agree, decline }) {
    const prompt = this.core.document.prompts[id];
    return prompt && isVisible(this.core, prompt) && h("div", { key: `request-${id}`, id: `request-${id}`, class: "request", role: "region", "aria-label": this.core.description["x-prompts"]?.[prompt.kind]?.title, hooks: { mount: () => announce(reason) } }, h("span", {}, reason),
      h("button", { type: "button", class: "button small", onclick: agree }, words.allow),
      iconButton("close", words.close, decline));
  }

  #connection() {
    const { core } = this;
    if (core.status === "reconnecting") {
      return h("div", { key: "connection", class: "connection", role: "status" }, core.unsent > 0 ? words.sentLater : words.reconnecting,
        h("button", { type: "button", class: "button small", onclick: () => core.reconnectNow() }, words.reconnect));
    }
    if (core.status !== "stopped" || !core.error) return null;
    const refusal = core.error instanceof ConnectionRefused && (words.refusals[core.error.code] ?? core.error.message);
    const needsReload = refusal && core.error.code === 403;
    const [label, act] = needsReload ? [words.reload, () => location.reload()] : [refusal ? words.retry : words.restart, this.restart];
    return h(
      "div", { key: "stopped", class: "layer alert" },
      h("div", { class: "backdrop" }),
      h("div", { class: "panel", role: "alertdialog", "aria-modal": "true", "aria-labelledby": "stopped-title", "aria-describedby": "stopped-reason" },
        h("h2", { id: "stopped-title" }, refusal ? words.refused : words.stopped),
        h("p", { id: "stopped-reason" }, refusal || words.saved),
        h("div", { class: "buttons" }, h("button", { type: "button", class: "button primary", onclick: act, hooks: { mount: (element) => element.focus() } }, label))),
    );
  }
}

/** True if there is room for two screens side by side. */
export const isWide = matchMedia("(min-width: 1000px)");

/** The first field of a sheet, a cover, or a modal. */
const fields = ":is(input:not([type=radio], [type=checkbox]), textarea)";

const canFocus = (element) => element?.isConnected && !element.disabled;

function skip(event) {
  event.preventDefault();
  document.querySelector("#content .screen:not(.behind) h1")?.focus();
}
