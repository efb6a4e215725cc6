/** Keeps the browser's address and history in step with the app's navigation. */
import { rootStack } from "/offstage/index.js";
import { report } from "./description.js";

export class Address {
  /** The path of the address if the app has refused its link; undefined while the app is shown. */
  missing;

  /** The value with which each open screen was opened, for its link. */
  #values = new Map();
  /** The value of the newest row input, by request. */
  #sent = new Map();
  /** The levels of the browser's current entry. */
  #levels = [];
  /** The entry that the browser is going to because of `#go`. */
  #awaited;
  /** The state of the newest entry that the person has chosen, until the app starts going there. */
  #wanted;
  #isReaching = false;
  #index = 0;

  constructor(core) {
    this.core = core;
    history.scrollRestoration = "manual";
    window.addEventListener("popstate", ({ state }) => this.#popped(state));
  }

  /** Returns the link in the address for a new core; undefined after a reload on the same core. */
  link(handshake) {
    const isReloaded = history.state?.session === (handshake.session ?? "") && !pathIn(history.state.levels);
    this.#values = new Map(isReloaded ? history.state.values : []);
    this.#levels = [];
    this.missing = undefined;
    if (isReloaded || location.pathname === "/") return undefined;
    if (handshake.links?.length > 0) return this.#url(location.pathname, handshake);
    this.miss();
  }

  /** Shows that the app has no page at this address. */
  miss() {
    this.missing = location.pathname;
  }

  /** Shows the app instead of a missing page. */
  leave() {
    this.missing = undefined;
    this.core.wake();
  }

  /** Remembers the values with which a frame opened its screens. */
  take(frame) {
    for (const { type, screens } of frame.navigation) {
      if (type !== "push" && type !== "present") continue;
      const value = this.#sent.get(frame.cause);
      if (value !== undefined) for (const screen of screens.slice(-1)) this.#values.set(screen, value);
    }
  }

  /** Names a screen by its kind and value, since its id changes when it reopens. */
  name(id) {
    return [this.core.document.screens[id]?.kind, this.#values.get(id)].filter((each) => each !== undefined).join("=");
  }

  /** Adds a history entry if something has opened, and goes back if something has closed. */
  update() {
    if (this.#isReaching || this.#awaited !== undefined) return;
    const before = this.#levels;
    const { index = 0, entries = [] } = history.state ?? {};
    if (before.length === 0 && this.missing === undefined) this.#keep(location.pathname);
    const levels = (this.#levels = this.#current());
    if (equal(levels, before)) return;
    const isClosed = levels.length < before.length && isPrefix(levels, before);
    const earlier = isClosed ? entries.findLastIndex((entry) => equal(entry, levels)) : -1;
    if (before.length === 0) this.#write("replaceState", index, entries);
    else if (earlier >= 0) this.#go(earlier);
    else if (isPrefix(before, levels) || levels[0] !== before[0]) this.#write("pushState", index + 1, [...entries, before]);
    else this.#write("replaceState", index, entries);
  }

  // MARK: History

  async #popped(state) {
    const isAwaited = state !== null && state.index === this.#awaited;
    this.#awaited = undefined;
    if (isAwaited) {
      this.#write("replaceState", state.index, state.entries);
      return this.update();
    }
    // The person has typed a fragment. The address is still that of the previous entry.
    if (!state) return this.#write("replaceState", 0, []);
    this.#wanted = state;
    if (this.#isReaching) return;
    const origin = this.#index;
    this.#isReaching = true;
    let isReached;
    while ((state = this.#wanted)) {
      this.#wanted = undefined;
      isReached = await this.#reach(state.levels);
    }
    this.#isReaching = false;
    this.#levels = this.#current();
    const { index, entries } = history.state;
    // The app asks before it closes a screen: stay there until the screen has closed.
    if (!isReached && index < origin) this.#go(origin);
    else this.#write("replaceState", index, entries);
  }

  /** Closes screens, selects a tab, and opens a link to reach `target`. False if a screen stays. */
  async #reach(target) {
    this.missing = pathIn(target);
    this.core.wake();
    if (this.missing !== undefined) return true;
    for (let levels = this.#current(); !isPrefix(levels, target); levels = this.#current()) {
      const { presented, modals } = this.core.document.navigation;
      if (levels[0] !== target[0] && presented.length + modals.length === 0) {
        if (target[0].startsWith("tab:")) await this.core.selectTab(target[0].slice("tab:".length)).catch(report);
        if (this.#current()[0] !== target[0]) return true;
      } else {
        if (levels.length === 1) return true;
        await this.core.back().catch(report);
        if (this.#current().length >= levels.length) return false;
      }
    }
    // Open a closed screen again by its link.
    if (this.#current().length < target.length && location.pathname !== this.#path()) await this.#open(location.pathname).catch(report);
    return true;
  }

  /** Goes to another entry, which then gets the current levels. */
  #go(index) {
    this.#awaited = index;
    history.go(index - (history.state?.index ?? 0));
  }

  #write(method, index, entries) {
    const values = [...this.#values].filter(([id]) => id in this.core.document.screens);
    this.#index = index;
    history[method]({ session: this.core.handshake?.session ?? "", index, entries, levels: this.#levels, values }, "", this.#path());
  }

  /** The selected tab, and the names of the screens above its root, the topmost last. */
  #current() {
    if (this.missing !== undefined) return [`path:${this.missing}`];
    const { root } = this.core.document.navigation;
    const base = root.type === "tabs" ? `tab:${root.selected}` : `stack:${this.name(root.screens[0])}`;
    return [base, ...this.#above.map((id) => this.name(id))];
  }

  get #above() {
    return above(this.core.document.navigation);
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
    const id = this.#above.at(-1);
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
    if (this.missing !== undefined) return this.missing;
    const { root } = this.core.document.navigation;
    const tab = root.type === "tabs" ? root.selected : undefined;
    for (const id of this.#above.reverse()) {
      const kind = this.core.document.screens[id]?.kind;
      const value = this.#values.get(id);
      for (const { pattern, screen, tab: owner } of this.#links) {
        if (screen !== kind || (owner && tab && owner !== tab)) continue;
        const path = pathOf(pattern);
        if (!path.includes(":")) return path;
        if (value !== undefined) return path.replace(/:[^/]+/, encodeURIComponent(value));
      }
    }
    const base = this.#links.find(({ pattern, screen, tab: owner }) => owner === tab && !screen && !pattern.includes("/:"));
    return base ? pathOf(base.pattern) : "/";
  }

  #url(path, { links, app } = this.core.handshake) {
    const scheme = links?.[0]?.pattern.split("://")[0] ?? app.name;
    return `${scheme}:/${path}`;
  }
}

/** The ids of the screens above the root, the topmost last. */
export function above(navigation) {
  const sheets = navigation.presented.flatMap((presentation) => presentation.screens);
  return [...rootStack(navigation).slice(1), ...sheets, ...navigation.modals.map((modal) => modal.screen)];
}

const pathOf = (pattern) => pattern.replace(/^[^:]+:\//, "");

/** The path in the level of a missing page. */
const pathIn = ([level]) => (level?.startsWith("path:") ? level.slice("path:".length) : undefined);

/** Returns the text in place of `:name` in a pattern; undefined if the path does not match. */
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
