import type { Description } from "./app.js";
import type { RequestOptions } from "./connection.js";
import { ProtocolError } from "./errors.js";

/** The answer to a request. The document is at `revision` or later. */
export interface Reply {
  readonly revision: number;
}

/** The answer to a navigation request. */
export interface NavigationReply extends Reply {
  /** `asked`: a screen with unsaved changes asks the user first; `none`: nothing changed. */
  readonly outcome: "done" | "asked" | "none";
}

/** The answer to `window`: the rows that come, with a later frame. */
export interface WindowReply extends Reply {
  readonly first: number;
  readonly count: number;
}

/** The core's answer to `initialize`. */
export interface Handshake {
  readonly protocol: number;
  readonly app: { readonly name: string; readonly version: string };
  readonly revision: number;
  readonly limits: Readonly<Record<string, number>>;
  readonly session?: string;
  readonly schema?: string;
  readonly language?: string;
  readonly capabilities?: readonly string[];
  readonly clock?: "virtual" | "real";
  readonly links?: readonly { readonly pattern: string; readonly tab?: string; readonly screen?: string }[];
  readonly prompts?: readonly string[];
}

/** Unfinished work. `settle` waits for it if it is `busy`. */
export interface PendingWork {
  readonly screen: string | null;
  readonly kind: "effect" | "timer" | "navigation" | "request";
  readonly name: string;
  readonly busy: boolean;
  readonly cause?: string | number | null;
}

/** The bytes of a resource, and their media type. */
export interface Resource {
  readonly mimeType: string;
  readonly data: Uint8Array;
}

export interface CancelOptions {
  /** Cancels the request, and the work that it started. */
  readonly signal?: AbortSignal | undefined;
}

export interface InputOptions extends CancelOptions {
  /** Answer once the core has settled, as `settle` does. */
  readonly settle?: boolean;
}

/**
 * The requests to a core.
 *
 * Calling a method sends its request at once. By the time the promise resolves, the document shows
 * the request's changes. The promise rejects with an `RPCError` if the core refuses the request,
 * and with `CoreStopped` if the core has ended.
 */
export abstract class Requests {
  /** Sends a request of any method, and returns its id, as in `Frame.cause`. */
  abstract issue(
    method: string,
    params?: Record<string, unknown>,
    options?: RequestOptions,
  ): { readonly id: number; readonly answer: Promise<unknown> };

  /** Sends a request of any method. */
  request<Result>(method: string, params?: Record<string, unknown>, options?: RequestOptions): Promise<Result> {
    return this.issue(method, params, options).answer as Promise<Result>;
  }

  /** Sends a value to an input of a screen, or of a part with a path: `lines/a~1b/countText`. */
  input(screen: string, name: string, value?: unknown, options: InputOptions = {}): Promise<Reply> {
    const { settle, signal } = options;
    const params = { screen, name, ...(value === undefined ? {} : { value }), ...(settle ? { settle } : {}) };
    return this.request("input", params, { signal });
  }

  /** Says that the person has left a field, which then shows what is wrong with it. */
  check(screen: string, name: string): Promise<Reply> {
    return this.request("field/check", { screen, name });
  }

  /** Says which rows of a list with `x-window` the front end shows. */
  window(screen: string, name: string, first: number, count: number, options?: CancelOptions): Promise<WindowReply> {
    return this.request("list/window", { screen, name, first, count }, options);
  }

  /** Answers a prompt with a value, with an error, or by dismissing it. */
  answer(
    prompt: string,
    answer: { value: unknown } | { error: { message: string } } | { dismissed: true },
  ): Promise<Reply> {
    return this.request("answer", { prompt, ...answer });
  }

  /** Removes the topmost screen. */
  back(options?: CancelOptions): Promise<NavigationReply> {
    return this.request("navigation/back", {}, options);
  }

  /** Closes the sheet, cover, or modal with this id, or that contains this screen. */
  dismiss(target: { screen: string } | { presentation: string }, options?: CancelOptions): Promise<NavigationReply> {
    return this.request("navigation/dismiss", { ...target }, options);
  }

  /** Closes everything that covers the screen. */
  popTo(screen: string, options?: CancelOptions): Promise<NavigationReply> {
    return this.request("navigation/popTo", { screen }, options);
  }

  selectTab(tab: string, options?: CancelOptions): Promise<NavigationReply> {
    return this.request("navigation/selectTab", { tab }, options);
  }

  /** Opens a deep link. */
  open(url: string, options?: CancelOptions): Promise<NavigationReply> {
    return this.request("navigation/open", { url }, options);
  }

  /** Waits until nothing is left to do without the user, a device, or the clock. */
  settle(options?: CancelOptions): Promise<Reply> {
    return this.request("state/settle", {}, options);
  }

  /** Returns the work that has not finished; see `PendingWork`. */
  async pendingWork(): Promise<readonly PendingWork[]> {
    return (await this.request<{ pending: PendingWork[] }>("state/settle", { pending: true })).pending;
  }

  /** Advances the virtual clock of a deterministic core. */
  advance(milliseconds: number, options?: CancelOptions): Promise<Reply> {
    return this.request("clock/advance", { milliseconds }, options);
  }

  /**
   * Reads a resource of the document, such as a picture's `resource:` URI. The core sends a large one in
   * pieces. Fails with a `ProtocolError` if it has more bytes than `limit`, or if a piece is empty.
   */
  async read(uri: string, limit = 64 << 20): Promise<Resource> {
    const pieces: string[] = [];
    for (let start = 0; ; ) {
      const piece = await this.request<{ mimeType: string; size: number; base64: string }>("resource/read", {
        uri,
        ...(start > 0 ? { range: { start, end: limit } } : {}),
      });
      if (piece.size > limit) throw new ProtocolError(`${uri} has ${piece.size} bytes, more than ${limit}`);
      const bytes = atob(piece.base64);
      pieces.push(bytes);
      start += bytes.length;
      if (start >= piece.size) {
        return { mimeType: piece.mimeType, data: Uint8Array.from(pieces.join(""), (each) => each.charCodeAt(0)) };
      }
      if (bytes === "") throw new ProtocolError(`${uri} ends after ${start} of ${piece.size} bytes`);
    }
  }

  /** Returns the OpenRPC description of the app. */
  discover(): Promise<Description> {
    return this.request("rpc.discover");
  }
}
