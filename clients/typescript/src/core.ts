import type { AnyApp, AppTypes, Description, Kind } from "./app.js";
import { canceled, Connection } from "./connection.js";
import type { PendingRequest, RequestOptions } from "./connection.js";
import { Document, parseFrame, visibleScreens } from "./document.js";
import type { Frame, RequestID, ScreenEvent } from "./document.js";
import { ConnectionLost, CoreStopped, OffstageError, RPCError } from "./errors.js";
import { Field } from "./fields.js";
import { isObject } from "./json.js";
import { Lifecycle } from "./lifecycle.js";
import { PromptDesk } from "./prompts.js";
import type { PromptHandlers } from "./prompts.js";
import { Replica } from "./replica.js";
import { Requests } from "./requests.js";
import type { Handshake } from "./requests.js";
import { Screen } from "./screen.js";
import { Events, Frames, Subscription, Watch } from "./subscriptions.js";
import type { Transport } from "./transport.js";

export type Status = "stopped" | "connecting" | "connected" | "reconnecting";

export interface LogEntry {
  readonly level: "debug" | "info" | "warning" | "error";
  readonly message: string;
  readonly cause?: RequestID;
  readonly screen?: string;
}

/** How to introduce a front end. */
export interface CoreOptions<App extends AppTypes> {
  /** Answers the core's questions. Only the kinds of these handlers are announced. */
  readonly prompts?: PromptHandlers<App>;
  /** Further kinds of prompts, which you answer by `Core.answer`. */
  readonly announce?: readonly (keyof App["prompts"] & string)[];
  /** Sends lifecycle inputs such as `didAppear` to screens; true by default. */
  readonly lifecycle?: boolean;
  /** Connects again if the connection is lost, and goes on where it was; false by default. */
  readonly reconnect?: boolean;
  readonly client?: { readonly name: string; readonly version: string };
  /** The user's language, such as `ko-KR`. */
  readonly locale?: string;
  /** The user's time zone, such as `Asia/Seoul`. */
  readonly timeZone?: string;
  /** The least important log entries that the core sends to `onLog`; none by default. */
  readonly log?: LogEntry["level"];
  readonly onLog?: (entry: LogEntry) => void;
  /** Takes a fault that belongs to no request. The default writes it to the console. */
  readonly onFault?: (error: RPCError) => void;
}

/** The longest pause between two attempts to reconnect, in milliseconds. */
const longestPause = 5_000;
/** Requests that change something: sent twice across a reconnect, they must be performed once. */
const changes = /^(input|answer|navigation\/.*|clock\/advance)$/;

/**
 * A connection to a core, and the copy of its document.
 *
 * If the core stops by itself, promises and iterators fail with `CoreStopped`; the document stays as it
 * was, and `restart` starts the core again.
 */
export class Core<App extends AppTypes = AnyApp> extends Requests {
  readonly document = new Document();
  /** What the core has said about itself. */
  handshake: Handshake | undefined;
  /** The description of the app, in the user's language. Undefined with `lifecycle: false`. */
  description: Description | undefined;
  /** Why the core has stopped. */
  error: OffstageError | undefined = new CoreStopped("the core has not been started");
  status: Status = "stopped";

  private connection: Connection | undefined;
  private lastID = 0;
  /** The original ids of requests that were sent again, by their ids on this connection. */
  private originals = new Map<number, number>();
  private waiting: PendingRequest[] = [];
  private isClosing = false;
  private retryNow = (): void => {};
  private replica = new Replica(this.document, () => this.resync());
  private lifecycle: Lifecycle | undefined;
  private fields = new Map<string, Field<unknown>>();
  private observers = new Set<(frame: Frame | undefined) => void>();
  private subscriptions = new Set<Subscription<unknown>>();
  private readonly desk: PromptDesk;
  private readonly key = Math.random().toString(36).slice(2) + Date.now().toString(36);

  /** @param connect opens a transport; called again by `restart` and to reconnect */
  constructor(
    private readonly connect: () => Promise<Transport>,
    private readonly options: CoreOptions<App> = {},
  ) {
    super();
    this.desk = new PromptDesk(options.prompts ?? {}, (prompt, answer) => {
      this.answer(prompt, answer).catch(() => {});
    });
  }

  // MARK: Life

  /** Connects to the core and introduces the front end. */
  async start(): Promise<this> {
    if (!this.error) throw new Error("the core runs already");
    this.isClosing = false;
    this.error = undefined;
    this.fields.clear();
    this.originals.clear();
    this.handshake = undefined;
    this.change("connecting");
    try {
      await this.establish();
    } catch (error) {
      this.stop(error instanceof OffstageError ? error : new CoreStopped(String(error)));
      await this.close();
      throw error;
    }
    return this;
  }

  /** Ends the connection in order. A core that belongs to it ends, too. Iterators end. */
  async close(): Promise<void> {
    this.isClosing = true;
    this.retryNow();
    const connection = this.connection;
    if (connection && !connection.error) {
      connection.send(++this.lastID, { id: this.lastID, method: "shutdown", params: {}, settle() {} });
      await connection.close();
    }
    this.stop(new CoreStopped("the core has been closed"));
  }

  /** Ends the core if it still runs, and starts it again. The document begins anew. */
  async restart(): Promise<this> {
    await this.close();
    return this.start();
  }

  /** While reconnecting: tries at once instead of at the end of the pause. */
  reconnectNow(): void {
    this.retryNow();
  }

  // MARK: Requests

  override issue(
    method: string,
    params: Record<string, unknown> = {},
    options: RequestOptions = {},
  ): { id: number; answer: Promise<unknown> } {
    const id = ++this.lastID;
    if (this.error) return { id, answer: Promise.reject(this.error) };
    const { signal, onAnswer } = options;
    if (signal?.aborted) return { id, answer: Promise.reject(canceled()) };
    const answer = new Promise<unknown>((resolve, reject) => {
      const cancel = (): void => this.cancel(request);
      const request: PendingRequest = {
        id,
        method,
        params: this.options.reconnect && changes.test(method) ? { ...params, key: `${this.key}-${id}` } : params,
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

  /** Returns the content of an input, which shows ahead of the core. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  field<Value = any>(screen: string, name: string): Field<Value> {
    const key = `${screen}/${name}`;
    let field = this.fields.get(key);
    if (!field) this.fields.set(key, (field = new Field<unknown>(this, screen, name)));
    return field as Field<Value>;
  }

  // MARK: Screens

  /** The ids of the visible screens, the topmost first. */
  get visible(): string[] {
    return visibleScreens(this.document.navigation);
  }

  /** Returns the screen with this id, which must be open. */
  screen<K extends Kind<App>>(id: string): Screen<App, K> | undefined {
    const state = this.document.screens[id];
    return state && new Screen(this, id, state.kind as K);
  }

  /** Returns the topmost visible screen of a kind. */
  find<K extends Kind<App>>(kind: K): Screen<App, K> | undefined {
    const id = this.visible.find((id) => this.document.screens[id]?.kind === kind);
    return id === undefined ? undefined : new Screen(this, id, kind);
  }

  /** Waits until a screen of this kind is visible, and returns it. */
  waitFor<K extends Kind<App>>(kind: K, options?: { signal?: AbortSignal }): Promise<Screen<App, K>> {
    return this.until(() => this.find(kind), options);
  }

  // MARK: Subscriptions

  /** Calls back after each frame, and without a frame if something else has changed, such as a field. */
  observe(observer: (frame: Frame | undefined) => void): () => void {
    this.observers.add(observer);
    return () => this.observers.delete(observer);
  }

  /** Returns the frames, from now on. */
  frames(): Subscription<Frame> {
    return this.listen(new Frames());
  }

  /** Returns the events, from now on: all, or those of a screen or of a name. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  events<Value = any>(screen?: string, name?: string): Subscription<ScreenEvent<Value>> {
    const accepts = (event: ScreenEvent): boolean =>
      (screen ?? event.screen) === event.screen && (name ?? event.name) === event.name;
    return this.listen(new Events<Value>(accepts));
  }

  /**
   * Returns the value at a JSON Pointer, or of an expression: now, and whenever it changes. The value is
   * undefined while the document has nothing there.
   */
  watch(pointer: string): Subscription<unknown>;
  watch<T>(read: () => T): Subscription<T>;
  watch<T>(what: string | (() => T)): Subscription<T | unknown> {
    return this.listen(new Watch(typeof what === "string" ? () => this.document.get(what) : what));
  }

  /** Waits until an expression has a value that is neither undefined, null, nor false. */
  async until<T>(
    read: () => T | undefined | null | false,
    { signal }: { signal?: AbortSignal } = {},
  ): Promise<T> {
    const values = this.watch(read);
    const stop = (): void => values.end(canceled());
    if (signal?.aborted) stop();
    signal?.addEventListener("abort", stop);
    try {
      for await (const value of values) {
        if (value !== undefined && value !== null && value !== false) return value;
      }
    } finally {
      signal?.removeEventListener("abort", stop);
    }
    throw new CoreStopped("the core has been closed");
  }

  /** Has observers, `watch`, and `until` look again, at something beside the document. */
  wake(): void {
    for (const observer of [...this.observers]) observer(undefined);
    for (const subscription of [...this.subscriptions]) subscription.wake();
  }

  private listen<S extends Subscription<unknown>>(subscription: S): S {
    this.subscriptions.add(subscription);
    subscription.onReturn = () => this.subscriptions.delete(subscription);
    if (this.error) subscription.end(this.error);
    return subscription;
  }

  // MARK: Connection

  /** Opens a connection, and goes on with the session if there was one. */
  private async establish(): Promise<void> {
    const transport = await this.connect();
    const before = this.handshake;
    const connection: Connection = new Connection(transport, {
      notification: (method, params) => this.handle(method, params),
      end: (reason) => this.lost(connection, reason),
    });
    this.connection = connection;
    const call = <T>(method: string, params = {}): Promise<T> =>
      new Promise((resolve, reject) => {
        const id = ++this.lastID;
        connection.send(id, {
          id,
          method,
          params,
          settle: (error, result) => (error ? reject(error) : resolve(result as T)),
        });
      });
    const hello = call<Handshake>("initialize", this.introduction(before));
    const wantsLifecycle = this.options.lifecycle ?? true;
    const describes = wantsLifecycle && call<Description>("rpc.discover");
    const [handshake, description] = await Promise.all([hello, describes]);
    this.handshake = handshake;
    const resumed = before?.session !== undefined && before.session === handshake.session;
    if (description) {
      this.description = description;
      if (!resumed || !this.lifecycle) {
        this.lifecycle = new Lifecycle(this.document, description, (screen, name) => {
          this.input(screen, name).catch(() => {});
        });
      }
    }
    const again = this.waiting;
    this.waiting = [];
    this.change("connected");
    for (const request of again) {
      if (before && !resumed) {
        request.settle(new ConnectionLost("another core runs now"));
        continue;
      }
      const id = ++this.lastID;
      this.originals.set(id, request.id);
      connection.send(id, request);
    }
    this.lifecycle?.update();
    this.desk.update(this.document.prompts);
  }

  private lost(connection: Connection, reason: OffstageError): void {
    if (connection !== this.connection) return;
    if (this.status !== "connected") return connection.failPending(reason);
    if (!this.options.reconnect || this.isClosing || !(reason instanceof ConnectionLost)) {
      return this.stop(reason);
    }
    // What was not answered is sent again. The core performs a request with a known key once.
    this.waiting.unshift(...connection.pending.values());
    connection.pending.clear();
    void this.reconnect();
  }

  private async reconnect(): Promise<void> {
    this.replica.giveUp();
    this.change("reconnecting");
    for (let pause = 250; !this.isClosing; pause = Math.min(2 * pause, longestPause)) {
      try {
        return await this.establish();
      } catch (error) {
        if (this.isClosing || this.error) return;
        if (!(error instanceof ConnectionLost)) {
          return this.stop(error instanceof OffstageError ? error : new CoreStopped(String(error)));
        }
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

  private stop(reason: OffstageError): void {
    if (this.error) return;
    this.error = reason;
    this.connection?.failPending(reason);
    for (const request of this.waiting.splice(0)) request.settle(reason);
    this.desk.stop();
    this.lifecycle = undefined;
    this.change("stopped");
    for (const subscription of this.subscriptions) subscription.end(this.isClosing ? undefined : reason);
    this.subscriptions.clear();
  }

  private change(status: Status): void {
    this.status = status;
    this.wake();
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

  private handle(method: string, params: unknown): void {
    if (method === "frame") {
      const frame = this.replica.receive(this.withOriginalCause(parseFrame(params)));
      if (frame) this.publish(frame);
    } else if (method === "error") {
      (this.options.onFault ?? console.error)(RPCError.fromWire(params));
    } else if (method === "log" && isObject(params)) {
      this.options.onLog?.(params as unknown as LogEntry);
    }
    // A newer core may send more.
  }

  private withOriginalCause(frame: Frame): Frame {
    const original = typeof frame.cause === "number" ? this.originals.get(frame.cause) : undefined;
    return original === undefined ? frame : { ...frame, cause: original };
  }

  private publish(frame: Frame): void {
    const screens = this.document.screens;
    for (const [key, field] of this.fields) {
      if (Object.hasOwn(screens, field.screen)) field.reconcile(frame.cause);
      else this.fields.delete(key);
    }
    this.desk.update(this.document.prompts);
    this.lifecycle?.update();
    for (const observer of [...this.observers]) observer(frame);
    for (const subscription of [...this.subscriptions]) subscription.publish(frame, this.document);
  }

  /** Asks for a snapshot, which replaces the document before any later frame. */
  private resync(): void {
    const onAnswer: RequestOptions["onAnswer"] = (error, result) => {
      if (error || !isObject(result)) return this.replica.giveUp();
      this.publish(this.replica.restore(Number(result["revision"]), result["state"]));
    };
    this.request("state/snapshot", {}, { onAnswer }).catch(() => {});
  }

  private introduction(before: Handshake | undefined): Record<string, unknown> {
    const { prompts = {}, announce = [], client, locale, timeZone, log } = this.options;
    const kinds = new Set([...Object.keys(prompts), ...announce]);
    const resume = before?.session && { session: before.session, revision: this.document.revision };
    return {
      protocol: 1,
      client: client ?? { name: "offstage-typescript", version: "0.1.0" },
      capabilities: [...kinds].sort(),
      ...(locale ? { locale } : {}),
      ...(timeZone ? { timeZone } : {}),
      ...(log ? { log } : {}),
      ...(resume ? { resume } : {}),
    };
  }
}
