import { ProtocolError } from "./errors.js";
import { isObject, parsePointer, step } from "./json.js";
import { applyPatch, PatchError } from "./patch.js";
import type { PatchOperation } from "./patch.js";

/** Thrown if a frame does not follow the revision of the document. */
export class RevisionGap extends PatchError {
  override readonly name: string = "RevisionGap";
}

/** A one-off notification of a screen, which the document does not keep. */
export interface ScreenEvent<Value = unknown> {
  readonly screen: string;
  readonly name: string;
  readonly value: Value;
}

/** A step of the navigation, for front ends that animate. The patch contains its outcome. */
export interface NavigationCommand {
  readonly type:
    | "setRoot" | "selectTab" | "push" | "moveToTop" | "pop" | "popTo"
    | "present" | "dismiss" | "showModal" | "dismissModal";
  readonly screens: readonly string[];
  readonly tab?: string;
  readonly presentation?: string;
  readonly modal?: string;
  readonly transition?: {
    readonly type: string;
    readonly subtype: string | null;
    readonly duration: number;
    readonly curve: string;
  };
}

export type RequestID = string | number | null;

/** A step of the document from one revision to the next. */
export interface Frame {
  readonly revision: number;
  readonly patch: readonly PatchOperation[];
  readonly navigation: readonly NavigationCommand[];
  readonly events: readonly ScreenEvent[];
  /** The id of the request that caused the change; undefined if no request did. */
  readonly cause?: RequestID;
  /** The hash of the description, if it has to be read again. */
  readonly schema?: string;
}

/** Reads the params of the notification `frame`. */
export function parseFrame(params: unknown): Frame {
  if (!isObject(params) || typeof params["revision"] !== "number") {
    throw new ProtocolError(`not a frame: ${JSON.stringify(params)}`);
  }
  for (const name of ["patch", "navigation", "events"]) {
    if (!Array.isArray(params[name] ?? [])) throw new ProtocolError(`the "${name}" of a frame must be an array`);
  }
  return { patch: [], navigation: [], events: [], ...params } as unknown as Frame;
}

/** Returns the operation of a frame that replaces the whole document; undefined for other frames. */
export function replacement({ patch: [first] }: Frame): { readonly value: unknown } | undefined {
  return first?.op === "replace" && first.path === "" ? first : undefined;
}

/** Returns a frame that replaces the document, with the commands and events of `frames`. */
export function wholeFrame(revision: number, value: unknown, frames: readonly Frame[]): Frame {
  const cause = frames.at(-1)?.cause;
  const schema = frames.flatMap((frame) => frame.schema ?? []).at(-1);
  return {
    revision,
    patch: [{ op: "replace", path: "", value }],
    navigation: frames.flatMap((frame) => frame.navigation),
    events: frames.flatMap((frame) => frame.events),
    ...(cause === undefined ? {} : { cause }),
    ...(schema === undefined ? {} : { schema }),
  };
}

/** A screen in the document. */
export interface ScreenState {
  readonly kind: string;
  /** The URL that opens the screen; absent if it has no address. */
  readonly url?: string;
  readonly output: Readonly<Record<string, unknown>>;
  readonly fields?: Readonly<Record<string, FieldState>>;
}

export interface FieldState<Value = unknown> {
  readonly value: Value;
  /** The error in the value, worded for the user; null if the value is valid. */
  readonly error: string | null;
  /** True while the core checks the value. */
  readonly isChecking?: true;
}

/** A question that awaits an answer. */
export interface PromptState<Params = unknown> {
  readonly kind: string;
  readonly screen: string;
  readonly params: Params;
}

export interface Tab {
  readonly id: string;
  readonly title: string;
  readonly icon: string;
  readonly badge?: string | null;
  readonly screens: readonly string[];
}

export interface Presentation {
  readonly id: string;
  readonly style: "sheet" | "fullScreenCover";
  readonly detents?: readonly string[];
  readonly screens: readonly string[];
}

export interface Modal {
  readonly id: string;
  readonly screen: string;
  readonly background: { readonly color: string; readonly opacity: number; readonly dismissesOnTap: boolean };
}

export interface Navigation {
  readonly root:
    | { readonly type: "stack"; readonly screens: readonly string[] }
    | { readonly type: "tabs"; readonly selected: string; readonly tabs: readonly Tab[] };
  readonly presented: readonly Presentation[];
  readonly modals: readonly Modal[];
}

const emptyNavigation: Navigation = { root: { type: "stack", screens: [] }, presented: [], modals: [] };

/**
 * The front end's copy of the core's document.
 *
 * Each revision is a separate value. Keep one as long as you like, and compare two parts with `===`
 * to see whether a frame changed them.
 */
export class Document {
  #revision = 0;
  #value: unknown = null;

  get revision(): number {
    return this.#revision;
  }

  get value(): unknown {
    return this.#value;
  }

  /**
   * Applies a frame, or changes nothing. A frame that replaces the whole document fits any
   * revision. A frame that a resumed session repeats is skipped.
   */
  apply(frame: Frame): void {
    if (frame.revision <= this.#revision && !replacement(frame)) return;
    if (frame.revision !== this.#revision + 1 && !replacement(frame)) {
      throw new RevisionGap(`${frame.revision} does not follow ${this.#revision}`);
    }
    this.#value = applyPatch(this.#value, frame.patch);
    this.#revision = frame.revision;
  }

  /** Replaces the document by a snapshot. */
  reset(revision: number, value: unknown): void {
    this.#revision = revision;
    this.#value = value;
  }

  /** Returns the value at a JSON Pointer; undefined if the document has none. */
  get(pointer: string): unknown {
    return this.at(...parsePointer(pointer));
  }

  /** Returns the value at a path of unescaped tokens; undefined if the document has none. */
  at(...path: string[]): unknown {
    try {
      return path.reduce(step, this.#value);
    } catch {
      return undefined;
    }
  }

  get navigation(): Navigation {
    return (this.at("navigation") as Navigation | undefined) ?? emptyNavigation;
  }

  /** The state of the app as a whole, such as the account; empty if it has none. */
  get app(): Readonly<Record<string, unknown>> {
    return (this.at("app", "output") as Record<string, unknown> | undefined) ?? {};
  }

  /** The language that the user has chosen in the app, such as `ko`; null for that of the device. */
  get language(): string | null {
    return (this.at("display", "language") as string | undefined) ?? null;
  }

  /** The appearance that the user has chosen in the app; null for that of the device. */
  get appearance(): "light" | "dark" | null {
    return (this.at("display", "appearance") as "light" | "dark" | undefined) ?? null;
  }

  /** The open screens, by id. */
  get screens(): Readonly<Record<string, ScreenState>> {
    return (this.at("screens") as Record<string, ScreenState> | undefined) ?? {};
  }

  /** The ports of the screen with an id, or of the app as a whole for `app`. */
  owner(id: string): Pick<ScreenState, "output" | "fields"> | undefined {
    return id === "app" ? (this.at("app") as ScreenState | undefined) : this.screens[id];
  }

  /** The unanswered questions, by id. */
  get prompts(): Readonly<Record<string, PromptState>> {
    return (this.at("prompts") as Record<string, PromptState> | undefined) ?? {};
  }
}

/**
 * Returns the ids of the visible screens, the topmost first. The screen below a sheet or a modal
 * stays visible. The screens below a full screen cover or lower in a stack do not.
 */
export function visibleScreens(navigation: Navigation): string[] {
  const screens = [...navigation.modals].reverse().map((modal) => modal.screen);
  for (const presentation of [...navigation.presented].reverse()) {
    screens.push(...presentation.screens.slice(-1));
    if (presentation.style === "fullScreenCover") return screens;
  }
  screens.push(...rootStack(navigation).slice(-1));
  return screens;
}

/** Returns the stack of the root, or of its selected tab. */
export function rootStack({ root }: Navigation): readonly string[] {
  if (root.type === "stack") return root.screens;
  return root.tabs.find((tab) => tab.id === root.selected)?.screens ?? [];
}
