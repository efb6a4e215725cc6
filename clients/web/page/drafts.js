/** Types unfinished texts again on a new core, such as after a server restart. */
import { above } from "./address.js";
import { ScreenView } from "./description.js";

export class Drafts {
  /** The texts that were sent and are still shown, by screen and input. */
  #drafts = new Map();
  /** The screens above the root, each with its place and its title. */
  #opened = [];
  #session;

  /**
   * @param place returns a name for a screen that another core shares, unlike its id
   * @param lost receives the titles of lost screens, and the labels of lost texts
   */
  constructor(core, place, lost) {
    this.core = core;
    this.place = place;
    this.lost = lost;
  }

  /** Keeps the text of an input. */
  remember({ method, params: { screen, name, value } }) {
    if (method !== "input" || typeof value !== "string" || !(screen in this.core.document.screens)) return;
    const [path, port] = split(name);
    const view = new ScreenView(this.core, screen).at(path);
    if (view?.inputs[port]?.["x-role"] !== "text") return;
    this.#drafts.set(`${screen}/${name}`, { screen, name, value, place: this.place(screen), label: view.label(port) });
  }

  /** Drops the texts that the app has handled, or types all of them again on another core. */
  update() {
    const session = this.core.handshake.session;
    const isReplaced = this.#session !== undefined && session !== this.#session;
    this.#session = session;
    const before = this.#opened;
    this.#opened = above(this.core.document.navigation).map((id) => ({ place: this.place(id), title: new ScreenView(this.core, id).title }));
    if (isReplaced) return this.#restore(before.filter(({ place }) => !this.#opened.some((each) => each.place === place)));
    for (const [key, { screen, name, value }] of this.#drafts) {
      const field = this.core.field(screen, name);
      if (!(screen in this.core.document.screens) || (!field.isPending && field.value !== value)) this.#drafts.delete(key);
    }
  }

  #restore(closed) {
    const drafts = [...this.#drafts.values()].filter(({ value }) => value !== "");
    this.#drafts.clear();
    const gone = drafts.filter(({ place, name, value }) => {
      const screen = this.core.visible.find((id) => this.place(id) === place);
      if (screen === undefined || !new ScreenView(this.core, screen).at(split(name)[0])) return true;
      const field = this.core.field(screen, name);
      if (field.value !== value) field.write(value);
      return false;
    });
    if (gone.length + closed.length > 0) this.lost(closed.map(({ title }) => title), gone.map(({ label }) => label));
  }
}

/** Splits the name of an input into the path of its part and its name in the part. */
function split(name) {
  const end = name.lastIndexOf("/");
  return [name.slice(0, Math.max(0, end)), name.slice(end + 1)];
}
