import { isObject } from "./json.js";

/** The base of all errors of this package. */
export class OffstageError extends Error {
  override get name(): string {
    return this.constructor.name;
  }
}

/** The core has ended. */
export class CoreStopped extends OffstageError {
  /**
   * @param status the exit status of the process, or the name of the signal that ended it; null if there
   *   was no process
   * @param log the last lines that the core wrote to its standard error
   */
  constructor(
    message: string,
    readonly status: number | string | null = null,
    readonly log: readonly string[] = [],
  ) {
    super([message, ...log].join("\n"));
  }
}

/** The connection was lost. The core may still be running, so `Core` can reconnect. */
export class ConnectionLost extends CoreStopped {}

/** The server behind a WebSocket refuses the connection, so `Core` does not reconnect. */
export class ConnectionRefused extends CoreStopped {
  /** @param code the close code, from 4000 */
  constructor(
    message: string,
    readonly code: number,
  ) {
    super(message);
  }
}

/** The peer sent something that the protocol does not allow. */
export class ProtocolError extends OffstageError {}

/** The core refused a request, or reports a fault. */
export class RPCError extends OffstageError {
  /**
   * @param code the number of the error on the wire
   * @param message what went wrong, for developers
   * @param data details, depending on the code
   */
  constructor(
    readonly code: number,
    message: string,
    readonly data: unknown = null,
  ) {
    super(message);
  }

  /** Creates an error from an `error` object, of the class for its code if known. */
  static fromWire(error: unknown): RPCError {
    if (!isObject(error) || typeof error["code"] !== "number" || typeof error["message"] !== "string") {
      throw new ProtocolError(`not an error object: ${JSON.stringify(error)}`);
    }
    const kind = classes.get(error["code"]) ?? RPCError;
    return new kind(error["code"], error["message"], error["data"]);
  }

  protected member<T>(name: string): T | undefined {
    return isObject(this.data) ? (this.data[name] as T) : undefined;
  }
}

/** The line is not JSON, or exceeds a limit of the core. */
export class ParseError extends RPCError {
  get line(): number | undefined {
    return this.member("line");
  }
  get offset(): number | undefined {
    return this.member("offset");
  }
}

/** The line is JSON, but not a request. */
export class InvalidRequest extends RPCError {}

/** The core has no such method. */
export class UnknownMethod extends RPCError {}

/** A param is missing or has the wrong type. */
export class InvalidParams extends RPCError {
  /** The pointer to the wrong value, within the params. */
  get path(): string | undefined {
    return this.member("path");
  }
  get expected(): unknown {
    return this.member("expected");
  }
  get found(): unknown {
    return this.member("found");
  }
  /** The wrong value, if it has the right type and is not long. */
  get value(): unknown {
    return this.member("value");
  }
}

/** A bug in the app; the message says where. */
export class InternalError extends RPCError {}

/** The request was canceled, or the core is shutting down. */
export class RequestCanceled extends RPCError {}

/** The core has no such screen; it may have closed. */
export class UnknownScreen extends RPCError {
  get screen(): string | undefined {
    return this.member("screen");
  }
}

/** The screen has no such input. */
export class UnknownInput extends RPCError {
  get screen(): string | undefined {
    return this.member("screen");
  }
  /** The inputs of the screen. */
  get inputs(): readonly string[] {
    return this.member("inputs") ?? [];
  }
}

/** The prompt is unknown or already answered. */
export class UnknownPrompt extends RPCError {
  get prompt(): string | undefined {
    return this.member("prompt");
  }
}

/** The navigation or the clock refuses; the data holds what was requested. */
export class Refused extends RPCError {}

/** Too many requests are pending. Try again later. */
export class Overloaded extends RPCError {}

/** The core has no such resource. */
export class UnknownResource extends RPCError {
  get uri(): string | undefined {
    return this.member("uri");
  }
}

const classes = new Map<number, typeof RPCError>([
  [-32700, ParseError],
  [-32600, InvalidRequest],
  [-32601, UnknownMethod],
  [-32602, InvalidParams],
  [-32603, InternalError],
  [-32800, RequestCanceled],
  [1001, UnknownScreen],
  [1002, UnknownInput],
  [1003, UnknownPrompt],
  [1004, Refused],
  [1005, Overloaded],
  [1006, UnknownResource],
]);
