import { ConnectionLost, ConnectionRefused, CoreStopped } from "./errors.js";

/** Receives the lines and the end of a transport. */
export interface Receiver {
  /** Receives a line, without its LF. */
  line(text: string): void;
  /** Receives the reason the transport has ended. */
  end(reason: CoreStopped): void;
}

/** A connection that carries lines. Implement it to reach a core by other means. */
export interface Transport {
  /** Starts delivering lines. Called once, before anything is sent. */
  start(receiver: Receiver): void;
  /** Sends a line, without its LF. Buffers what the other side has not read. */
  send(line: string): void;
  /** Closes the connection, and waits until it has ended. */
  close(): Promise<void>;
}

/** The part of the browser's `WebSocket` that a transport uses. */
export interface WebSocketLike {
  readonly readyState: number;
  send(data: string): void;
  close(code?: number, reason?: string): void;
  addEventListener(type: "open" | "close" | "error", listener: (event: CloseLike) => void): void;
  addEventListener(type: "message", listener: (event: { data: unknown }) => void): void;
}

interface CloseLike {
  readonly code?: number;
  readonly reason?: string;
}

/** The code with which a server closes a WebSocket because the core behind it has ended. */
export const coreEnded = 4001;

/**
 * A core behind a WebSocket: one line per message.
 *
 * The close code `coreEnded` means that the core has ended; any other code from 4000 means that the
 * server refuses the connection. Any other code means that the connection was lost.
 */
export class WebSocketTransport implements Transport {
  private readonly closed: Promise<void>;
  private resolveClosed = (): void => {};
  private isClosed = false;

  private constructor(private readonly socket: WebSocketLike) {
    this.closed = new Promise((resolve) => (this.resolveClosed = resolve));
  }

  /**
   * Opens a WebSocket.
   * @param open creates the socket; by default, a global `WebSocket`
   */
  static connect(
    url: string | URL,
    open: (url: string | URL) => WebSocketLike = (url) => new WebSocket(url) as WebSocketLike,
  ): Promise<WebSocketTransport> {
    return new Promise((resolve, reject) => {
      const socket = open(url);
      const transport = new WebSocketTransport(socket);
      socket.addEventListener("open", () => resolve(transport));
      socket.addEventListener("close", (event) => reject(stopped(event)));
    });
  }

  start(receiver: Receiver): void {
    this.socket.addEventListener("message", ({ data }) => {
      if (typeof data === "string") receiver.line(data);
    });
    this.socket.addEventListener("close", (event) => {
      this.isClosed = true;
      this.resolveClosed();
      receiver.end(stopped(event));
    });
  }

  send(line: string): void {
    if (!this.isClosed) this.socket.send(line);
  }

  async close(): Promise<void> {
    if (this.isClosed) return;
    this.socket.close(1000);
    await this.closed;
  }
}

function stopped({ code = 1006, reason = "" }: CloseLike): CoreStopped {
  if (code >= 4000 && code !== coreEnded) return new ConnectionRefused(reason || `the server refuses the connection (${code})`, code);
  if (code !== coreEnded) return new ConnectionLost(`the connection is lost${reason && `: ${reason}`}`);
  const status = /^(-?\d+|SIG\w+)/.exec(reason)?.[1] ?? null;
  return new CoreStopped(reason ? `the core has ended (${reason})` : "the core has ended", status);
}
