/** Keeps the browser's address and history in step with the app's navigation. */
import { rootStack } from "offstage";
import { report, viewOf } from "./description.js";
import { styleOf } from "./screens/index.js";

/** The level of a search, whose text is in the address. */
const searching = "?search";

export class Address {
  /** The path of the address if the app has refused its link; undefined while the app is shown. */
  missing;

  /** The levels of the browser's current entry. */
  #levels = [];
  /** The entry that the browser is going to because of `#go`. */
  #awaited;
  /** The state of the newest entry that the person has chosen, until the app starts going there. */
  #wanted;
  #isReaching = false;
  #index = 0;
  /** The index of the entry in which the session has started, with the link in its address. */
  #start = 0;
  /** The path of the link until it leads somewhere, also over a reload, after which only the path tells. */
  #link = history.state?.link;
  /** The levels and the search in the address of a new session, until its link has been followed. */
  #wished;
  /** True if a frame since the last `update` comes from the request that opened the link. */
  #isLed = false;

  /** @param arrived is called when the browser and the app have gone to another entry of the history */
  constructor(core, arrived) {
    this.core = core;
    history.scrollRestoration = "manual";
    window.addEventListener("popstate", ({ state }) => this.#popped(state).then(arrived));
  }

  /** Returns the link in the address for a new session. */
  link(handshake) {
    this.#levels = [];
    this.missing = this.#link = undefined;
    this.#wished = wishOf(location);
    if (location.pathname === "/") return undefined;
    this.#link = location.pathname;
    const url = urlOf(location.pathname, handshake);
    if (url === undefined) this.miss();
    return url;
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

  /** Names a screen by its URL or its kind, since its id changes when it reopens. */
  #name(id) {
    const screen = this.core.document.screens[id];
    return screen?.url ?? screen?.kind;
  }

  /** Notices when a link that had to wait leads somewhere. */
  take({ cause, navigation }) {
    if (this.#link !== undefined && cause !== undefined && cause === this.core.link && navigation.length > 0) this.#isLed = true;
  }

  /** Adds a history entry if something has opened, and goes back if something has closed. */
  update() {
    if (this.#isReaching || this.#awaited !== undefined || !this.core.description) return;
    const before = this.#levels;
    const isLed = this.#link !== undefined && (this.#isLed || this.#path() === this.#link);
    this.#isLed = false;
    if (isLed) this.#link = undefined;
    if (this.#link === undefined && this.#wished !== undefined) this.#reopen(this.#wished);
    const { index = 0, entries = [] } = history.state ?? {};
    const levels = (this.#levels = this.#current());
    if (equal(levels, before)) {
      if (this.#address() !== location.href.slice(location.origin.length)) this.#write("replaceState", index, entries);
      return;
    }
    const isClosed = levels.length < before.length && isPrefix(levels, before);
    const isOpened = isPrefix(before, levels) || levels[0] !== before[0];
    // What has opened in place of several levels takes the place of all their entries.
    const earlier = isClosed
      ? entries.findLastIndex((entry) => equal(entry, levels))
      : entries.findLastIndex((entry) => isPrefix(entry, levels) || entry[0] !== levels[0]) + 1;
    if (before.length === 0) this.#start = index;
    // What was open before the link led anywhere was never gone to.
    if (index === this.#start && (before.length === 0 || isLed)) this.#write("replaceState", index, entries);
    else if (isOpened) this.#write("pushState", index + 1, [...entries, before]);
    else if (earlier >= 0 && earlier < index) this.#go(earlier);
    else this.#write("replaceState", index, entries);
  }

  /** Clears the search, or else closes what is topmost; false if there is nothing. */
  back() {
    const close = this.#steps(this.#shown.at(-1)).at(-1)?.close;
    if (!close && this.#current().length === 1) return false;
    return (close ?? (() => this.core.back()))().catch(report);
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
        await this.back();
        if (this.#current().length >= levels.length) return false;
      }
    }
    // Open a closed screen again by its link.
    const url = urlOf(location.pathname, this.core.handshake);
    if (this.#current().length < target.length && location.pathname !== this.#path() && url) await this.core.open(url).catch(report);
    const missing = target.slice(this.#current().length);
    if (missing.length > 0) await this.#reopen({ ...wishOf(location), levels: missing });
    return true;
  }

  /** Goes to another entry, which then gets the current levels. */
  #go(index) {
    this.#awaited = index;
    history.go(index - (history.state?.index ?? 0));
  }

  #write(method, index, entries) {
    this.#index = index;
    // A reload of a missing page goes on with no session.
    const session = this.missing === undefined ? this.core.handshake?.session : undefined;
    if (method === "pushState") this.#link = undefined; // The person has gone on.
    history[method]({ session, index, entries, levels: this.#levels, link: this.#link }, "", this.#address());
  }

  /** Searches on the topmost screen, or shows there again what had these levels. */
  async #reopen({ levels, text = "" }) {
    this.#wished = undefined;
    for (const level of levels) {
      const view = viewOf(this.core, this.#shown.at(-1));
      if (level === searching) await searchOf(view)?.write(text).catch(report);
      else await styleOf(this.core, view?.kind)?.reopen?.(view, level)?.catch(report);
    }
  }

  /** What is open on a screen itself, the topmost last: what its style says, and a search. */
  #steps(id) {
    const view = viewOf(this.core, id);
    const search = searchOf(view);
    return [styleOf(this.core, view?.kind)?.steps?.(view) ?? [], search?.value ? { name: searching, close: () => search.write("") } : []].flat();
  }

  /** The selected tab, and the names of the screens above its root, the topmost last; after each, what is open on it. */
  #current() {
    if (this.missing !== undefined) return [`path:${this.missing}`];
    const { root } = this.core.document.navigation;
    const base = root.type === "tabs" ? `tab:${root.selected}` : `stack:${this.#name(root.screens[0])}`;
    return this.#shown.flatMap((id, at) => [at === 0 ? base : this.#name(id), ...this.#steps(id).map(({ name }) => name)]);
  }

  /** The ids of the root and the screens above it. */
  get #shown() {
    const { navigation } = this.core.document;
    return [...rootStack(navigation).slice(0, 1), ...above(navigation)];
  }

  /** The path of the topmost screen with a URL. */
  #path() {
    if (this.missing !== undefined) return this.missing;
    return this.#shown.map((id) => this.#pathOf(id)).findLast(Boolean) ?? "/";
  }

  #pathOf(id) {
    return pathOf(this.core.document.screens[id]?.url, this.core.handshake);
  }

  /** The path, what is searched for, and what is open there without a URL: `/profile#signUp`. */
  #address() {
    if (this.missing !== undefined) return this.missing;
    const { screens } = this.core.document;
    const shown = this.#shown;
    const text = searchOf(viewOf(this.core, shown.at(-1)))?.value;
    const rest = shown.slice(Math.max(1, shown.findLastIndex((id) => this.#pathOf(id)) + 1)).map((id) => screens[id]?.kind);
    const steps = this.#steps(shown.at(-1)).map(({ name }) => name).filter((name) => name !== searching);
    const open = [...rest, ...steps].map(encodeURIComponent).join("/");
    return `${this.#path()}${text ? `?search=${encodeURIComponent(text)}` : ""}${open && `#${open}`}`;
  }
}

/** The ids of the screens above the root, the topmost last. */
export function above(navigation) {
  const sheets = navigation.presented.flatMap((presentation) => presentation.screens);
  return [...rootStack(navigation).slice(1), ...sheets, ...navigation.modals.map((modal) => modal.screen)];
}

/** The start of a URL, such as `showcase:/`, which an address in the browser does not have. */
const startOf = (url) => url.slice(0, url.indexOf("://") + 2);

/** The URL that an address stands for: `/pokedex/25` is `showcase://pokedex/25`. Undefined without links. */
function urlOf(path, handshake) {
  const { links = [] } = handshake;
  const isAt = ({ pattern }) => {
    const [asked, known] = [path, pattern.slice(startOf(pattern).length)].map((each) => each.split("/"));
    return asked.length === known.length && known.every((each, at) => each.startsWith(":") || each === asked[at]);
  };
  // The core says what is wrong with an address that no pattern has.
  const { pattern } = links.find(isAt) ?? links[0] ?? {};
  return pattern && startOf(pattern) + path;
}

/** The address for a URL; undefined if none of the app's links has its scheme. */
function pathOf(url, { links = [] }) {
  const isKnown = url && links.some(({ pattern }) => url.startsWith(`${startOf(pattern)}/`));
  return isKnown ? url.slice(startOf(url).length) : undefined;
}

/** The levels and the search in an address; undefined if it has neither. */
function wishOf({ search, hash }) {
  const text = new URLSearchParams(search).get("search") ?? undefined;
  const levels = text === undefined ? hash.split(/[#/]/).filter(Boolean) : [searching];
  return levels.length > 0 ? { levels, text } : undefined;
}

/** The field that searches on a screen; undefined if it has none. */
function searchOf(view) {
  const [name] = view?.withRole("text").find(([each, port]) => port["x-purpose"] === "search" && each in (view.state.fields ?? {}) && view.isVisible(each)) ?? [];
  return name === undefined ? undefined : view.field(name);
}

/** The path in the level of a missing page. */
const pathIn = ([level]) => (level?.startsWith("path:") ? level.slice("path:".length) : undefined);

const equal = (left, right) => left.length === right.length && isPrefix(left, right);
const isPrefix = (left, right) => left.length <= right.length && left.every((each, index) => each === right[index]);
