import type { Requests, Reply } from "./requests.js";
import type { Document, FieldState, RequestID } from "./document.js";
import { findPart, ownerOf } from "./parts.js";

/** What the document has in the place of a secret. */
const mask = "••••";

/** The part of a core that a field uses. */
export interface FieldOwner {
  readonly document: Pick<Document, "owner">;
  issue(...request: Parameters<Requests["issue"]>): ReturnType<Requests["issue"]>;
  wake(): void;
}

/**
 * The content of an input, written ahead and reconciled with the core.
 *
 * `write` changes `value` at once. While a write is unanswered, the value is the newest write,
 * whatever older content the core still sends. After that, the value is the one among the `fields`
 * of the screen or part, which the core may have changed. If the document masks a secret, the value
 * is the last write that the core accepted.
 */
export class Field<Value> {
  /** The unconfirmed writes by request, the oldest first. */
  private writes = new Map<number, Value>();
  private taken: Value | undefined;

  constructor(
    private readonly core: FieldOwner,
    readonly screen: string,
    /** The name of the input, or its path in a part. */
    readonly name: string,
  ) {}

  /** The content to show. */
  get value(): Value | undefined {
    if (this.writes.size > 0) return [...this.writes.values()].at(-1);
    return this.confirmed && this.confirmed.value !== mask ? this.confirmed.value : this.taken;
  }

  /** The error in the confirmed value, worded for the user; null if it is valid. */
  get error(): string | null {
    return this.confirmed?.error ?? null;
  }

  /** True while the core checks the value, with a server for example. */
  get isChecking(): boolean {
    return this.confirmed?.isChecking ?? false;
  }

  /** True while the core has not confirmed the value. */
  get isPending(): boolean {
    return this.writes.size > 0;
  }

  private get confirmed(): FieldState<Value> | undefined {
    const owner = findPart(this.core.document.owner(this.screen), ownerOf(this.name));
    const name = this.name.slice(this.name.lastIndexOf("/") + 1);
    return owner?.fields?.[name] as FieldState<Value> | undefined;
  }

  /** Shows `value`, and sends it. A refused write is undone. */
  write(value: Value): Promise<Reply> {
    const { id, answer } = this.core.issue(
      "input",
      { screen: this.screen, name: this.name, value },
      { onAnswer: (error) => this.end(id, error === undefined) },
    );
    this.writes.set(id, value);
    this.core.wake();
    // The caller need not wait for the answer.
    answer.catch(() => {});
    return answer as Promise<Reply>;
  }

  /** Says that the person has left the field: `error` then says what is wrong with it. */
  check(): Promise<Reply> {
    const { answer } = this.core.issue("field/check", { screen: this.screen, name: this.name });
    answer.catch(() => {});
    return answer as Promise<Reply>;
  }

  /** Confirms the write whose frame has arrived, and all earlier writes. */
  reconcile(cause: RequestID | undefined): void {
    if (typeof cause === "number" && this.writes.has(cause)) this.end(cause, true);
  }

  /** Ends a write and all earlier ones, since the core handles requests in order. */
  private end(id: number, isTaken: boolean): void {
    const value = this.writes.get(id);
    if (isTaken && value !== undefined) {
      this.taken = value;
      for (const older of [...this.writes.keys()]) if (older <= id) this.writes.delete(older);
    } else {
      this.writes.delete(id);
    }
    this.core.wake();
  }
}
