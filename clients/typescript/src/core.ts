import type { AnyApp, AppTypes, Description, Kind } from "./app.js";
import { canceled } from "./connection.js";
import type { RequestOptions } from "./connection.js";
import { Document, parseFrame, visibleScreens } from "./document.js";
import type { Frame, Navigation, ScreenEvent } from "./document.js";
import { CoreStopped, RPCError } from "./errors.js";
import type { OffstageError } from "./errors.js";
import { Field } from "./fields.js";
import { isObject } from "./json.js";
import { Lifecycle } from "./lifecycle.js";
import { findPart, ownerOf } from "./parts.js";
import { PromptDesk } from "./prompts.js";
import type { PromptHandlers } from "./prompts.js";
import { Replica } from "./replica.js";
import { Requests } from "./requests.js";
import type { Handshake } from "./requests.js";
import { Screen } from "./screen.js";
import { Session } from "./session.js";
import type { LogEntry, SessionOptions, Status } from "./session.js";
import { Events, Frames, Subscription, Watch } from "./subscriptions.js";
import type { Transport } from "./transport.js";

/** A request, and the promise of its result. */
export interface SentRequest {
  readonly id: number;
  readonly method: string;
  readonly params: Record<string, unknown>;
  readonly answer: Promise<unknown>;
}

/** Configures a core. */
export interface CoreOptions<App extends AppTypes> extends SessionOptions {
  /** Answers the core's questions. Only the kinds with a handler are announced. */
  readonly prompts?: PromptHandlers<App>;
  /** Other kinds of prompts, which you answer with `Core.answer`; `"*"` stands for every kind. */
  readonly announce?: readonly (keyof App["prompts"] & string)[];
  /** Sends lifecycle inputs such as `didAppear` to screens; true by default. */
  readonly lifecycle?: boolean;
  /**
   * The ids of the screens that are on display, the topmost first. The default is `visibleScreens`;
   * a front end that shows several screens of a stack side by side returns all of them.
   */
  readonly visible?: (navigation: Navigation) => string[];
  /** Receives each request that this front end sends. */
  readonly onRequest?: (request: SentRequest) => void;
  readonly onLog?: (entry: LogEntry) => void;
  /** Receives an error that belongs to no request. The default writes it to the console. */
  readonly onFault?: (error: RPCError) => void;
}

/**
 * A connection to a core, and the copy of its document.
 *
 * If the core stops by itself, promises and iterators fail with `CoreStopped`. The document stays
 * as it was, and `restart` starts the core again. With `reconnect`, requests that change something
 * wait for that instead.
 */
export class Core<App extends AppTypes = AnyApp> extends Requests {
  readonly document = new Document();

  private readonly session: Session;
  private readonly replica = new Replica(this.document, () => this.resync());
  private readonly desk: PromptDesk;
  private lifecycle: Lifecycle | undefined;
  private readonly visibleScreens: (navigation: Navigation) => string[];
  private fields = new Map<string, Field<unknown>>();
  private observers = new Set<(frame: Frame | undefined) => void>();
  private subscriptions = new Set<Subscription<unknown>>();

  /** @param connect opens a transport; called again to restart or reconnect */
  constructor(
    connect: () => Promise<Transport>,
    private readonly options: CoreOptions<App> = {},
  ) {
    super();
    const { prompts = {}, announce = [], lifecycle: describes = true, visible = visibleScreens } = options;
    this.visibleScreens = visible;
    // "*" stands for all of them.
    const kinds = announce.includes("*") ? ["*"] : [...new Set([...Object.keys(prompts), ...announce])].sort();
    const core = this;
    this.session = new Session(connect, { ...options, kinds, describes }, {
      get revision() {
        return core.document.revision;
      },
      notification: (method, params) => this.handle(method, params),
      fault: (error) => this.fault(error),
      statusChanged: () => this.statusChanged(),
      connected: (isResumed) => this.connected(isResumed),
      stopped: (reason) => this.stopped(reason),
    });
    this.desk = new PromptDesk(prompts, (prompt, answer) => {
      this.answer(prompt, answer).catch(() => {});
    });
  }

  // MARK: Life

  get status(): Status {
    return this.session.status;
  }

  /** The reason the core has stopped. */
  get error(): OffstageError | undefined {
    return this.session.error;
  }

  /** The core's answer to `initialize`. */
  get handshake(): Handshake | undefined {
    return this.session.handshake;
  }

  /** The description of the app, in the user's language. Undefined with `lifecycle: false`. */
  get description(): Description | undefined {
    return this.session.description;
  }

  /** The id of the request that opened the link, as in `Frame.cause`: a link may lead somewhere later. */
  get link(): number | undefined {
    return this.session.link;
  }

  /** Connects to the core and introduces the front end. */
  async start(): Promise<this> {
    this.fields.clear();
    this.lifecycle = undefined;
    await this.session.start();
    return this;
  }

  /** Closes the connection. A core that was started for it ends, too. Iterators end. */
  async close(): Promise<void> {
    await this.session.close();
  }

  /**
   * Starts the core again, or connects to it again, and goes on with its session. Stops it first if
   * it is still running. A core that has kept the session, as with `--state`, shows the same screens;
   * fields, observers, and iterators go on.
   *
   * Returns false if the core has not kept the session. The document is then that of a new one, and
   * requests that waited for the core have failed.
   */
  async restart(): Promise<boolean> {
    for (const subscription of this.subscriptions) subscription.goOn();
    return this.session.restart();
  }

  /** Tries to reconnect at once instead of at the end of the pause. */
  reconnectNow(): void {
    this.session.reconnectNow();
  }

  /** The number of requests that wait for a connection. */
  get unsent(): number {
    return this.session.unsent;
  }

  // MARK: Requests

  override issue(
    method: string,
    params: Record<string, unknown> = {},
    options: RequestOptions = {},
  ): { id: number; answer: Promise<unknown> } {
    const request = this.session.issue(method, params, options);
    this.options.onRequest?.({ ...request, method, params });
    return request;
  }

  /** Returns the field of an input, named as in `input`. It shows text ahead of the core. */
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
    return this.visibleScreens(this.document.navigation);
  }

  /** Returns the open screen with this id. */
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

  /** Calls back after each frame, and without a frame after other changes, such as to a field. */
  observe(observer: (frame: Frame | undefined) => void): () => void {
    this.observers.add(observer);
    return () => this.observers.delete(observer);
  }

  /** Returns an iterator over the frames, from now on. */
  frames(): Subscription<Frame> {
    return this.listen(new Frames());
  }

  /** Returns an iterator over the events from now on, of a screen or name if given. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  events<Value = any>(screen?: string, name?: string): Subscription<ScreenEvent<Value>> {
    const accepts = (event: ScreenEvent): boolean =>
      (screen ?? event.screen) === event.screen && (name ?? event.name) === event.name;
    return this.listen(new Events<Value>(accepts));
  }

  /**
   * Returns an iterator over the value at a JSON Pointer, or of an expression: now, and at each
   * change. The value is undefined while the document has nothing there.
   */
  watch(pointer: string): Subscription<unknown>;
  watch<T>(read: () => T): Subscription<T>;
  watch<T>(what: string | (() => T)): Subscription<T | unknown> {
    return this.listen(new Watch(typeof what === "string" ? () => this.document.get(what) : what));
  }

  /** Waits until the value of an expression is not undefined, null, or false, and returns it. */
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

  /** Tells the core which screens have appeared or disappeared although the document is the same. */
  visibilityChanged(): void {
    this.lifecycle?.update();
    this.wake();
  }

  /** Notifies observers, `watch`, and `until` of a change outside the document. */
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

  // MARK: Session

  private connected(isResumed: boolean): void {
    const { description } = this.session;
    if (!isResumed) for (const [key, field] of this.fields) if (!field.isPending) this.fields.delete(key);
    if (description && (!isResumed || !this.lifecycle)) {
      this.lifecycle = new Lifecycle(this.document, description, this.visibleScreens, (screen, name) => {
        this.input(screen, name).catch(() => {});
      });
    }
    this.lifecycle?.update();
    this.desk.update(this.document.prompts);
  }

  private statusChanged(): void {
    if (this.status !== "connected") this.replica.giveUp();
    this.wake();
  }

  private stopped(reason: OffstageError | undefined): void {
    this.desk.stop();
    for (const subscription of this.subscriptions) subscription.end(reason);
    if (!reason) this.subscriptions.clear();
  }

  private handle(method: string, params: unknown): void {
    if (method === "frame") {
      const frame = this.replica.receive(this.session.withOriginalCause(parseFrame(params)));
      if (frame) this.publish(frame);
      if (frame?.schema !== undefined) this.describeAgain();
    } else if (method === "error") {
      this.fault(RPCError.fromWire(params));
    } else if (method === "log" && isObject(params)) {
      this.options.onLog?.(params as unknown as LogEntry);
    }
    // Ignore other notifications: a newer core may send more.
  }

  /** Reads the description again: another core has taken over, or the app speaks another language. */
  private describeAgain(): void {
    if (!this.description) return;
    const onAnswer: RequestOptions["onAnswer"] = (error, result) => {
      if (error) return;
      this.session.description = result as Description;
      this.wake();
    };
    this.request("rpc.discover", {}, { onAnswer }).catch(() => {});
  }

  private fault(error: RPCError): void {
    (this.options.onFault ?? console.error)(error);
  }

  private publish(frame: Frame): void {
    for (const [key, field] of this.fields) {
      if (findPart(this.document.owner(field.screen), ownerOf(field.name))) field.reconcile(frame.cause);
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
}
