import { wholeFrame } from "./document.js";
import type { Document, Frame, ScreenEvent } from "./document.js";
import type { OffstageError } from "./errors.js";
import { isEqual } from "./json.js";

/**
 * An async iterator that listens from its creation on.
 *
 * It ends when the core is closed. If the core stops by itself, it throws `CoreStopped` after
 * yielding everything before that, and goes on once the core has been restarted. Leaving the
 * `for await` loop, or calling `return`, unsubscribes.
 */
export abstract class Subscription<T> implements AsyncIterableIterator<T> {
  private ended: { readonly error: OffstageError | undefined } | undefined;
  private wakeUp: (() => void)[] = [];
  /** Called by `return`. */
  onReturn = (): void => {};

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<T, undefined>> {
    for (;;) {
      const taken = this.take();
      if (taken) return { done: false, value: taken.value };
      if (this.ended) {
        if (this.ended.error) throw this.ended.error;
        return { done: true, value: undefined };
      }
      await new Promise<void>((resolve) => this.wakeUp.push(resolve));
    }
  }

  return(): Promise<IteratorResult<T, undefined>> {
    this.onReturn();
    this.clear();
    this.end(undefined);
    return Promise.resolve({ done: true, value: undefined });
  }

  /** Receives a frame that `document` has applied. */
  publish(_frame: Frame, _document: Document): void {
    this.wake();
  }

  /** Checks again for something new. */
  wake(): void {
    const waiting = this.wakeUp;
    this.wakeUp = [];
    for (const resolve of waiting) resolve();
  }

  end(error: OffstageError | undefined): void {
    this.ended ??= { error };
    this.wake();
  }

  /** Listens again after an end. */
  goOn(): void {
    this.ended = undefined;
  }

  /** Removes and returns the next value, if any. */
  protected abstract take(): { value: T } | undefined;
  protected clear(): void {}
}

/**
 * Every frame, in order. If the reader falls behind by more than `limit` frames, they become one
 * frame that replaces the whole document and has all of their navigation commands and events.
 */
export class Frames extends Subscription<Frame> {
  private queue: Frame[] = [];

  constructor(private readonly limit = 256) {
    super();
  }

  override publish(frame: Frame, document: Document): void {
    this.queue.push(frame);
    if (this.queue.length > this.limit) {
      this.queue = [wholeFrame(document.revision, document.value, this.queue)];
    }
    super.publish(frame, document);
  }

  protected take(): { value: Frame } | undefined {
    const value = this.queue.shift();
    return value && { value };
  }

  protected override clear(): void {
    this.queue = [];
  }
}

/** The events that meet a condition, in order. */
export class Events<Value> extends Subscription<ScreenEvent<Value>> {
  private queue: ScreenEvent<Value>[] = [];

  constructor(private readonly accepts: (event: ScreenEvent) => boolean) {
    super();
  }

  override publish(frame: Frame, document: Document): void {
    this.queue.push(...(frame.events.filter(this.accepts) as ScreenEvent<Value>[]));
    super.publish(frame, document);
  }

  protected take(): { value: ScreenEvent<Value> } | undefined {
    const value = this.queue.shift();
    return value && { value };
  }

  protected override clear(): void {
    this.queue = [];
  }
}

/** The value of an expression: now, and at each change. A slow reader gets only the newest. */
export class Watch<T> extends Subscription<T> {
  private last: { value: T } | undefined;

  constructor(private readonly read: () => T) {
    super();
  }

  protected take(): { value: T } | undefined {
    const value = this.read();
    if (this.last && isEqual(value, this.last.value)) return undefined;
    return (this.last = { value });
  }

  protected override clear(): void {
    this.last = { value: this.read() };
  }
}
