import type { Description } from "./app.js";
import { canceled, Connection } from "./connection.js";
import type { PendingRequest, RequestOptions } from "./connection.js";
import type { Frame, RequestID } from "./document.js";
import { ConnectionLost, CoreStopped, OffstageError, RPCError } from "./errors.js";
import type { Handshake } from "./requests.js";
import type { Transport } from "./transport.js";

export type Status = "stopped" | "connecting" | "connected" | "reconnecting";

export interface LogEntry {
  readonly level: "debug" | "info" | "warning" | "error";
  readonly message: string;
  readonly cause?: RequestID;
  readonly screen?: string;
  readonly data?: Readonly<Record<string, string>>;
}

/** Introduces a front end to the core. */
export interface SessionOptions {
  /**
   * Reconnects and resumes if the connection is lost, and sends what was not answered again once.
   * If the core stops, what was not answered waits for `restart` or `close`. False by default.
   */
  readonly reconnect?: boolean;
  /** The id of the session to go on with, such as that of a page before it was reloaded. */
  readonly session?: string | undefined;
  readonly client?: { readonly name: string; readonly version: string };
  /** The user's language, such as `ko-KR`. */
  readonly locale?: string;
  /** The user's time zone, such as `Asia/Seoul`. */
  readonly timeZone?: string;
  /** What a host that listens on a network wants to know. */
  readonly token?: string;
  /** The lowest level of log entries that the core sends to `onLog`; none by default. */
  readonly log?: LogEntry["level"];
  /**
   * Returns a deep link to open before any screen appears, or undefined. Called with the handshake
   * of the first core and of each core that replaces it. Errors from opening the link go to
   * `onFault`.
   */
  readonly link?: (handshake: Handshake) => string | undefined;
  /** Reads the description, for example from a cache. By default, and if it returns undefined, the core is asked. */
  readonly describe?: (handshake: Handshake) => Promise<Description | undefined>;
}

/** Receives the events of a session. */
export interface SessionOwner {
  /** The revision to resume from. */
  readonly revision: number;
  notification(method: string, params: unknown): void;
  fault(error: RPCError): void;
  statusChanged(): void;
  /** @param isResumed false for the first core, and for one that replaces it */
  connected(isResumed: boolean): void;
  /** @param reason undefined if the session was closed */
  stopped(reason: OffstageError | undefined): void;
}

/** The longest pause between two attempts to reconnect, in milliseconds. */
const longestPause = 2_000;
/** Requests that change something. The core must perform one that is sent again only once. */
const changes = /^(input|answer|field\/check|navigation\/.*|clock\/advance)$/;

/** Successive connections to the same core. Requests wait while there is no connection. */
export class Session {
  status: Status = "stopped";
  error: OffstageError | undefined = new CoreStopped("the core has not been started");
  handshake: Handshake | undefined;
  description: Description | undefined;
  /** The id of the request that opened the link. */
  link: number | undefined;

  private connection: Connection | undefined;
  private lastID = 0;
  /** The original ids of requests that were sent again, by their ids on this connection. */
  private originals = new Map<number, number>();
  private waiting: PendingRequest[] = [];
  private isClosing = false;
  private retryNow = (): void => {};
  private readonly key = Math.random().toString(36).slice(2) + Date.now().toString(36);

  constructor(
    private readonly connect: () => Promise<Transport>,
    private readonly options: SessionOptions & { readonly kinds: readonly string[]; readonly describes: boolean },
    private readonly owner: SessionOwner,
  ) {}

  async start(): Promise<void> {
    if (!this.error) throw new Error("the core is already running");
    this.drop(this.error);
    this.isClosing = false;
    this.error = undefined;
    this.originals.clear();
    this.handshake = undefined;
    this.description = undefined;
    this.change("connecting");
    try {
      await this.establish();
    } catch (error) {
      this.fail(error);
      await this.close();
      throw error;
    }
  }

  /**
   * Starts the core again, and goes on with its session. Stops it first if it is still running.
   * Returns false if the core has not kept the session.
   */
  async restart(): Promise<boolean> {
    if (!this.handshake) return this.start().then(() => false);
    this.retryNow();
    await this.disconnect();
    this.isClosing = false;
    this.error = undefined;
    this.change("connecting");
    try {
      return await this.establish();
    } catch (error) {
      this.fail(error);
      throw error;
    }
  }

  async close(): Promise<void> {
    this.isClosing = true;
    this.retryNow();
    await this.disconnect();
    const reason = new CoreStopped("the core has been closed");
    this.stop(reason);
    this.drop(reason);
    this.owner.stopped(undefined);
  }

  private async disconnect(): Promise<void> {
    const { connection } = this;
    this.connection = undefined;
    if (!connection || connection.error) return;
    this.keep(connection, new CoreStopped("the core has been closed"));
    connection.send(++this.lastID, { id: this.lastID, method: "shutdown", params: {}, settle() {} });
    await connection.close();
  }

  get unsent(): number {
    return this.waiting.length;
  }

  /** Tries to reconnect at once instead of at the end of the pause. */
  reconnectNow(): void {
    this.retryNow();
  }

  issue(
    method: string,
    params: Record<string, unknown>,
    { signal, onAnswer }: RequestOptions,
  ): { id: number; answer: Promise<unknown> } {
    const id = ++this.lastID;
    const isKept = this.options.reconnect === true && changes.test(method);
    if (this.error && (!isKept || !this.handshake || this.isClosing)) return { id, answer: Promise.reject(this.error) };
    if (signal?.aborted) return { id, answer: Promise.reject(canceled()) };
    const answer = new Promise<unknown>((resolve, reject) => {
      const cancel = (): void => this.cancel(request);
      const request: PendingRequest = {
        id,
        method,
        params: isKept ? { ...params, key: `${this.key}-${id}` } : params,
        settle(error, result) {
          signal?.removeEventListener("abort", cancel);
          onAnswer?.(error, result);
          if (error) reject(error);
          else resolve(result);
        },
      };
      signal?.addEventListener("abort", cancel);
      if (this.status === "connected") this.connection?.send(id, request);
      else this.waiting.push(request);
    });
    return { id, answer };
  }

  /** Replaces the cause of a frame with the id under which the request was first sent. */
  withOriginalCause(frame: Frame): Frame {
    const original = typeof frame.cause === "number" ? this.originals.get(frame.cause) : undefined;
    return original === undefined ? frame : { ...frame, cause: original };
  }

  /** Opens a connection, and resumes if there was one before. Returns true if the session goes on. */
  private async establish(): Promise<boolean> {
    const transport = await this.connect();
    const isFirst = this.handshake === undefined;
    const session = isFirst ? this.options.session : this.handshake?.session;
    const { revision } = this.owner;
    const connection: Connection = new Connection(transport, {
      notification: (method, params) => this.owner.notification(method, params),
      end: (reason) => this.lost(connection, reason),
    });
    if (this.isClosing) {
      await connection.close();
      throw new CoreStopped("the core has been closed");
    }
    this.connection = connection;
    const call = <T>(method: string, params = {}): Promise<T> =>
      new Promise((resolve, reject) => {
        const id = ++this.lastID;
        const settle: PendingRequest["settle"] = (error, result) => (error ? reject(error) : resolve(result as T));
        connection.send(id, { id, method, params, settle });
      });
    const hello = call<Handshake>("initialize", introduction(this.options, session && { session, revision }));
    const { describes, describe } = this.options;
    const discover = (): Promise<Description> => call("rpc.discover");
    const read = describes && (describe ? hello.then(describe).then((found) => found ?? discover()) : discover());
    const [handshake, description] = await Promise.all([hello, read]);
    // It may have ended while the description came from elsewhere.
    if (connection.error) throw connection.error;
    // The sessions of all cores on a virtual clock have the same id. A new one is at revision 1.
    const isNew = handshake.revision < revision || (handshake.clock === "virtual" && handshake.revision === 1);
    const isResumed = session !== undefined && session === handshake.session && !isNew;
    const link = isResumed ? undefined : this.options.link?.(handshake);
    if (link !== undefined) {
      const opened = call("navigation/open", { url: link });
      this.link = this.lastID;
      await opened.catch((error: unknown) => {
        if (!(error instanceof RPCError)) throw error;
        this.owner.fault(error);
      });
    }
    this.handshake = handshake;
    if (description) this.description = description;
    const again = this.waiting.splice(0);
    this.change("connected");
    for (const request of again) {
      if (!isFirst && !isResumed) {
        request.settle(new ConnectionLost("the core has been replaced by another one"));
        continue;
      }
      const id = ++this.lastID;
      this.originals.set(id, request.id);
      connection.send(id, request);
    }
    this.owner.connected(isResumed);
    return isResumed;
  }

  private lost(connection: Connection, reason: OffstageError): void {
    if (connection !== this.connection) return;
    if (this.status !== "connected") return connection.failPending(reason);
    if (!this.options.reconnect || this.isClosing || !(reason instanceof ConnectionLost)) {
      return this.stop(reason);
    }
    // Send unanswered requests again. The core performs requests with the same key only once.
    this.waiting.unshift(...connection.pending.values());
    connection.pending.clear();
    void this.reconnect();
  }

  private async reconnect(): Promise<void> {
    this.change("reconnecting");
    for (let pause = 250; !this.isClosing; pause = Math.min(2 * pause, longestPause)) {
      try {
        await this.establish();
        return;
      } catch (error) {
        if (this.isClosing || this.error) return;
        if (!(error instanceof ConnectionLost)) return this.fail(error);
      }
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, pause);
        this.retryNow = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  }

  private fail(error: unknown): void {
    this.stop(error instanceof OffstageError ? error : new CoreStopped(String(error)));
  }

  private stop(reason: OffstageError): void {
    if (this.error) return;
    this.error = reason;
    if (this.connection) this.keep(this.connection, reason);
    if (!this.handshake) this.drop(reason);
    this.change("stopped");
    if (!this.isClosing) this.owner.stopped(reason);
  }

  /** Keeps the unanswered requests with a key for the next connection, and fails the others. */
  private keep(connection: Connection, reason: OffstageError): void {
    const kept = this.options.reconnect ? [...connection.pending].filter(([, { params }]) => "key" in params) : [];
    for (const [id, request] of kept) {
      connection.pending.delete(id);
      this.waiting.push(request);
    }
    connection.failPending(reason);
  }

  /** Fails the requests that wait for a connection. */
  private drop(reason: OffstageError): void {
    for (const request of this.waiting.splice(0)) request.settle(reason);
  }

  private change(status: Status): void {
    this.status = status;
    this.owner.statusChanged();
  }

  private cancel(request: PendingRequest): void {
    const index = this.waiting.indexOf(request);
    if (index >= 0) {
      this.waiting.splice(index, 1);
      request.settle(canceled());
      return;
    }
    // The request stays pending until the core has answered it.
    for (const [id, pending] of this.connection?.pending ?? []) {
      if (pending === request) this.connection?.notify("$/cancelRequest", { id });
    }
  }
}

/** Returns the params of `initialize`. A page may send them before it has loaded the rest of this client. */
export function introduction(options: SessionOptions & { readonly kinds: readonly string[] }, resume?: unknown): Record<string, unknown> {
  const { client, locale, timeZone, log, token, kinds } = options;
  return {
    protocol: 1,
    client: client ?? { name: "offstage-typescript", version: "0.1.0" },
    capabilities: kinds,
    append: true,
    ...(locale ? { locale } : {}),
    ...(timeZone ? { timeZone } : {}),
    ...(log ? { log } : {}),
    ...(token ? { token } : {}),
    ...(resume ? { resume } : {}),
  };
}
