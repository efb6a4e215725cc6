import type { AppTypes, ChildName, ChildTypes, InputArguments, Kind, ListName, Name, PortTypes } from "./app.js";
import type { Document, ScreenEvent } from "./document.js";
import { UnknownScreen } from "./errors.js";
import type { Field } from "./fields.js";
import { isObject } from "./json.js";
import { findPart, joinPath } from "./parts.js";
import type { InputOptions, Reply } from "./requests.js";
import type { Subscription } from "./subscriptions.js";

/** The part of a core that a screen uses. */
export interface ScreenOwner {
  readonly document: Pick<Document, "screens">;
  readonly visible: readonly string[];
  input(screen: string, name: string, value?: unknown, options?: InputOptions): Promise<Reply>;
  field<Value>(screen: string, name: string): Field<Value>;
  events<Value>(screen: string, name: string): Subscription<ScreenEvent<Value>>;
}

/** The ports of a screen, or of a part of it. */
export class Ports<P extends PortTypes> {
  /**
   * @param screenID the id of the screen
   * @param path the path of the part; empty for the screen itself
   */
  constructor(
    protected readonly core: ScreenOwner,
    readonly screenID: string,
    readonly path: string,
  ) {}

  /** The outputs. Throws `UnknownScreen` once the screen has closed or the part is gone. */
  get output(): P["output"] {
    const state = findPart(this.core.document.screens[this.screenID], this.path);
    if (state) return state.output as P["output"];
    const reason = this.isScreenOpen ? "the part is gone" : "the screen has closed";
    throw new UnknownScreen(1001, reason, { screen: this.screenID });
  }

  /** False once the screen has closed or the part is gone. */
  get isOpen(): boolean {
    return findPart(this.core.document.screens[this.screenID], this.path) !== undefined;
  }

  /** Sends a value to an input; a trigger takes none. */
  input<N extends Name<P["inputs"]>>(
    name: N,
    ...[value, options]: InputArguments<P["inputs"][N], InputOptions>
  ): Promise<Reply> {
    return this.core.input(this.screenID, this.pathOf(name), value, options);
  }

  /** Returns the field of an input, which shows text ahead of the core. */
  field<N extends Name<P["fields"]>>(name: N): Field<P["fields"][N]> {
    return this.core.field(this.screenID, this.pathOf(name));
  }

  /** Returns an iterator over the events of this name, from now on. */
  events<N extends Name<P["events"]>>(name: N): Subscription<ScreenEvent<P["events"][N]>> {
    return this.core.events(this.screenID, this.pathOf(name));
  }

  /** Returns the part that an output shows; in a list, the one with this id. */
  part<N extends ChildName<P>>(output: N): Ports<ChildTypes<P, N>>;
  part<N extends ListName<P>>(output: N, id: string | number): Ports<ChildTypes<P, N>>;
  part<N extends Name<P["parts"]>>(output: N, id?: string | number): Ports<ChildTypes<P, N>> {
    const tokens = id === undefined ? [output] : [output, String(id)];
    return new Ports(this.core, this.screenID, this.pathOf(joinPath(...tokens)));
  }

  /** Returns the parts that a list shows now. */
  parts<N extends ListName<P>>(output: N): Ports<ChildTypes<P, N>>[] {
    const rows = (this.output as Record<string, unknown>)[output];
    const ids = Array.isArray(rows) ? rows.filter(isObject).map((row) => String(row["id"])) : [];
    return ids.map((id) => this.part(output, id));
  }

  private get isScreenOpen(): boolean {
    return Object.hasOwn(this.core.document.screens, this.screenID);
  }

  private pathOf(name: string): string {
    return this.path === "" ? name : `${this.path}/${name}`;
  }
}

/** An open screen of a core. */
export class Screen<App extends AppTypes, K extends Kind<App>> extends Ports<App["screens"][K]> {
  constructor(
    core: ScreenOwner,
    readonly id: string,
    readonly kind: K,
  ) {
    super(core, id, "");
  }

  get isVisible(): boolean {
    return this.core.visible.includes(this.id);
  }
}
