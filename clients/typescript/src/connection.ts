import { OffstageError, ParseError, ProtocolError, RequestCanceled, RPCError } from "./errors.js";
import { isObject } from "./json.js";
import type { Transport } from "./transport.js";

/** Settings of a request. */
export interface RequestOptions {
  /** Cancels the request, and the work that it started. */
  signal?: AbortSignal | undefined;
  /** Called with the error, if any, before any later message is handled. */
  onAnswer?: (error: OffstageError | undefined, result: unknown) => void;
}

/** An unanswered request. */
export interface PendingRequest {
  /** The id under which the request was first sent, as in `Frame.cause`. */
  readonly id: number;
  readonly method: string;
  readonly params: Record<string, unknown>;
  settle(error: OffstageError | undefined, result?: unknown): void;
}

/** Receives the messages and the end of a connection. */
export interface ConnectionReceiver {
  notification(method: string, params: unknown): void;
  end(reason: OffstageError): void;
}

/** Sends requests over a transport and matches the responses. */
export class Connection {
  /** The reason the connection has ended. */
  error: OffstageError | undefined;
  /** The unanswered requests, by their ids on this connection. */
  readonly pending = new Map<number, PendingRequest>();
  /** The numbers of their lines. */
  private readonly places = new Map<number, number>();
  private lines = 0;

  constructor(
    readonly transport: Transport,
    private readonly receiver: ConnectionReceiver,
  ) {
    transport.start({ line: (text) => this.receive(text), end: (reason) => this.end(reason) });
  }

  send(id: number, request: PendingRequest): void {
    this.pending.set(id, request);
    this.write({ id, method: request.method, params: request.params });
    this.places.set(id, this.lines);
  }

  notify(method: string, params: Record<string, unknown>): void {
    this.write({ method, params });
  }

  private write(message: Record<string, unknown>): void {
    this.transport.send(JSON.stringify({ jsonrpc: "2.0", ...message }));
    this.lines += 1;
  }

  async close(): Promise<void> {
    await this.transport.close();
  }

  /** Fails all unanswered requests. */
  failPending(reason: OffstageError): void {
    for (const id of [...this.pending.keys()]) this.take(id)?.settle(reason);
  }

  private receive(text: string): void {
    if (this.error) return;
    try {
      this.dispatch(text);
    } catch (error) {
      // The copy of the document may be wrong now, so stop drawing it.
      this.end(
        error instanceof ProtocolError
          ? error
          : new ProtocolError(`cannot handle a message of the core: ${String(error)}`),
      );
      void this.transport.close();
    }
  }

  private dispatch(text: string): void {
    let message: unknown;
    try {
      message = JSON.parse(text);
    } catch {
      throw new ProtocolError(`not JSON: ${text.slice(0, 200)}`);
    }
    if (!isObject(message)) throw new ProtocolError(`not a message: ${text.slice(0, 200)}`);
    const { id, method } = message;
    if (typeof method === "string") {
      this.receiver.notification(method, message["params"]);
    } else if (id === null && "error" in message) {
      this.refuse(message["error"]);
    } else if (typeof id === "number" && ("result" in message || "error" in message)) {
      const request = this.take(id);
      if ("error" in message) request?.settle(RPCError.fromWire(message["error"]));
      else request?.settle(undefined, message["result"]);
    } else {
      throw new ProtocolError(`not a message: ${text.slice(0, 200)}`);
    }
  }

  private take(id: number): PendingRequest | undefined {
    const request = this.pending.get(id);
    this.pending.delete(id);
    this.places.delete(id);
    return request;
  }

  /** Refuses the request in a line that the core could not read, so not even its id. */
  private refuse(message: unknown): void {
    const error = RPCError.fromWire(message);
    const place = error instanceof ParseError ? error.line : undefined;
    for (const [id, line] of this.places) {
      if (line === place) return this.take(id)?.settle(error);
    }
    this.receiver.notification("error", message);
  }

  private end(reason: OffstageError): void {
    if (this.error) return;
    this.error = reason;
    this.receiver.end(reason);
  }
}

/** Returns the error of a request that its caller canceled before it was sent. */
export function canceled(): RequestCanceled {
  return new RequestCanceled(-32800, "the request was canceled");
}
