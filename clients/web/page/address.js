/** Keeps the browser's address and history in step with the app's navigation. */
import { rootStack } from "/offstage/index.js";
import { report } from "./description.js";

export class Address {
  /** The value that each open screen was opened with, for its link. */
  #values = new Map();
  /** The value of the newest row input, by request. */
  #sent = new Map();
  #levels = [];
  #isGoing = false;

  constructor(core) {
    this.core = core;
    history.scrollRestoration = "manual";
    window.addEventListener("popstate", ({ state }) => this.#popped(state));
  }

  /** Returns the link in the address for a new core; undefined if the page was reloaded on the same one. */
  link(handshake) {
    const isReloaded = history.state?.session === (handshake.session ?? "");
    this.#values = new Map(isReloaded ? history.state.values : []);
    this.#levels = [];
    if (isReloaded || location.pathname === "/") return undefined;
    return this.#url(location.pathname, handshake);
  }

  /** Remembers the values that the screens of a frame were opened with. */
  take(frame) {
    for (const { type, screens } of frame.navigation) {
      if (type !== "push" && type !== "present") continue;
      const value = this.#sent.get(frame.cause);
      if (value !== undefined) for (const screen of screens.slice(-1)) this.#values.set(screen, value);
    }
  }

  /** Adds or removes history entries to match the document. */
  update() {
    if (this.#isGoing) return;
    const levels = this.#current();
    const before = this.#levels;
    if (equal(levels, before)) return;
    this.#levels = levels;
    if (before.length === 0) {
      this.#keep(location.pathname);
      return this.#replace();
    }
    const index = history.state?.index ?? 0;
    const entries = history.state?.entries ?? [];
    const earlier = entries.findLastIndex((entry) => equal(entry, levels));
    if (levels.length < before.length && isPrefix(levels, before) && earlier >= 0) {
      this.#go(earlier - index);
    } else if (isPrefix(before, levels) || levels[0] !== before[0]) {
      history.pushState(this.#state(index + 1, [...entries.slice(0, index), before]), "", this.#path());
    } else {
      this.#replace();
    }
  }

  // MARK: History

  async #popped(state) {
    if (this.#isGoing) {
      this.#isGoing = false;
      return this.#replace();
    }
    const target = state?.levels;
    if (!target) {
      // An address that was typed, or the fragment of one.
      if (location.pathname !== "/") await this.#open(location.pathname).catch(report);
      return this.update();
    }
    this.#isGoing = true;
    try {
      await this.#reach(target);
    } catch (error) {
      report(error);
    }
    this.#isGoing = false;
    this.#levels = this.#current();
    const index = state.index ?? 0;
    if (equal(this.#levels, target)) history.replaceState(this.#state(index, state.entries ?? []), "", this.#path());
    // The app asks before it leaves a screen: stay where it is.
    else history.pushState(this.#state(index + 1, [...(state.entries ?? []).slice(0, index), target]), "", this.#path());
  }

  /** Closes screens and selects tabs until the levels are `target`, as far as the app allows. */
  async #reach(target) {
    let levels = this.#current();
    while (levels.length > 1 && !isPrefix(levels, target)) {
      await this.core.back();
      const next = this.#current();
      if (equal(next, levels)) return;
      levels = next;
    }
    if (target[0] !== levels[0] && target[0].startsWith("tab:")) await this.core.selectTab(target[0].slice(4));
    // Forward to a screen that has closed: its link opens it again.
    if (this.#current().length < target.length && location.pathname !== this.#path()) {
      await this.#open(location.pathname);
    }
  }

  #go(distance) {
    this.#isGoing = true;
    history.go(distance);
  }

  #replace() {
    history.replaceState(this.#state(history.state?.index ?? 0, history.state?.entries ?? []), "", this.#path());
  }

  #state(index, entries) {
    const values = [...this.#values].filter(([id]) => id in this.core.document.screens);
    return { session: this.#session, index, entries, levels: this.#current(), values };
  }

  get #session() {
    return this.core.handshake?.session ?? "";
  }

  /** The selected tab, and the screens above its root, the topmost last. */
  #current() {
    const { navigation } = this.core.document;
    const { root } = navigation;
    const above = rootStack(navigation).slice(1);
    const sheets = navigation.presented.flatMap((presentation) => presentation.screens);
    const modals = navigation.modals.map((modal) => modal.screen);
    return [root.type === "tabs" ? `tab:${root.selected}` : `stack:${root.screens[0]}`, ...above, ...sheets, ...modals];
  }

  // MARK: Links

  /** Remembers the value of the newest input, which may open a screen. */
  remember({ id, method, params }) {
    const value = typeof params.value === "object" ? Object.values(params.value ?? {}).at(-1) : params.value;
    if (method !== "input" || (typeof value !== "string" && typeof value !== "number")) return;
    this.#sent.clear();
    this.#sent.set(id, value);
  }

  async #open(path) {
    await this.core.open(this.#url(path));
    this.#keep(path);
  }

  /** Remembers the value in a path that has opened the topmost screen. */
  #keep(path) {
    const id = this.#current().at(-1);
    const kind = this.core.document.screens[id]?.kind;
    for (const { pattern, screen } of this.#links) {
      const value = screen === kind ? valueIn(path, pattern) : undefined;
      if (value !== undefined) this.#values.set(id, value);
    }
  }

  get #links() {
    return this.core.handshake?.links ?? [];
  }

  /** The path of the topmost screen with a link: `showcase://pokedex/25` becomes `/pokedex/25`. */
  #path() {
    const { root } = this.core.document.navigation;
    const tab = root.type === "tabs" ? root.selected : undefined;
    for (const id of [...this.#current().slice(1)].reverse()) {
      const kind = this.core.document.screens[id]?.kind;
      const value = this.#values.get(id);
      for (const { pattern, screen, tab: owner } of this.#links) {
        if (screen !== kind || (owner && tab && owner !== tab)) continue;
        const path = pathOf(pattern);
        if (!path.includes(":")) return path;
        if (value !== undefined) return path.replace(/:[^/]+/, encodeURIComponent(value));
      }
    }
    return tab === undefined ? "/" : `/${tab}`;
  }

  #url(path, { links, app } = this.core.handshake) {
    const scheme = links?.[0]?.pattern.split("://")[0] ?? app.name;
    return `${scheme}:/${path}`;
  }
}

const pathOf = (pattern) => pattern.replace(/^[^:]+:\//, "");

/** Returns the text that takes the place of `:name` in a pattern; undefined if the path does not match. */
function valueIn(path, pattern) {
  const [before, after] = pathOf(pattern).split(/:[^/]+/);
  if (after === undefined || !path.startsWith(before) || !path.endsWith(after)) return undefined;
  try {
    return decodeURIComponent(path.slice(before.length, path.length - after.length));
  } catch {
    return undefined;
  }
}

const equal = (left, right) => left.length === right.length && isPrefix(left, right);
const isPrefix = (left, right) => left.length <= right.length && left.every((each, index) => each === right[index]);
