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

/** The `readyState` of a socket that takes lines. */
const isOpen = 1;

/** The code with which a server closes a WebSocket because the core behind it has ended. */
export const coreEnded = 4001;

/** How to find out whether the other side is still there: it answers an empty message with an empty one. */
export interface Heartbeat {
  /** The milliseconds of silence after which a WebSocket asks. */
  readonly after: number;
  /** The milliseconds after which a WebSocket without an answer counts as lost. */
  readonly patience: number;
}

/**
 * A core behind a WebSocket: one line per message.
 *
 * The close code `coreEnded` means that the core has ended; any other code from 4000 means that the
 * server refuses the connection. Any other code means that the connection was lost. A network that
 * goes away closes nothing: with a `heartbeat`, the WebSocket notices that, too.
 */
export class WebSocketTransport implements Transport {
  private readonly closed: Promise<void>;
  private resolveClosed = (): void => {};
  private isClosed = false;
  private receiver: Receiver | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;

  private constructor(
    private readonly socket: WebSocketLike,
    private readonly heartbeat: Heartbeat | undefined,
  ) {
    this.closed = new Promise((resolve) => (this.resolveClosed = resolve));
  }

  /**
   * Opens a WebSocket.
   * @param open creates the socket; by default, a global `WebSocket`
   */
  static connect(
    url: string | URL,
    open: (url: string | URL) => WebSocketLike = (url) => new WebSocket(url) as WebSocketLike,
    heartbeat?: Heartbeat,
  ): Promise<WebSocketTransport> {
    return new Promise((resolve, reject) => {
      const socket = open(url);
      const transport = new WebSocketTransport(socket, heartbeat);
      socket.addEventListener("open", () => resolve(transport));
      socket.addEventListener("close", (event) => reject(stopped(event)));
    });
  }

  start(receiver: Receiver): void {
    this.receiver = receiver;
    this.socket.addEventListener("message", ({ data }) => {
      if (this.isClosed) return;
      this.listen();
      if (typeof data === "string" && data !== "") receiver.line(data);
    });
    this.socket.addEventListener("close", (event) => this.end(stopped(event)));
    this.listen();
  }

  /**
   * Asks at once whether the other side is still there, for example when the device goes offline.
   * @param patience the milliseconds to wait for any message
   */
  probe(patience: number): void {
    if (this.isClosed) return;
    this.send("");
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.end(new ConnectionLost("the server does not answer"));
      this.socket.close();
    }, patience);
  }

  send(line: string): void {
    // A socket that is closing drops the line; `end` follows.
    if (this.socket.readyState === isOpen) this.socket.send(line);
  }

  async close(): Promise<void> {
    if (this.isClosed) return;
    this.socket.close(1000);
    await this.closed;
  }

  /** Asks after some silence. */
  private listen(): void {
    clearTimeout(this.timer);
    const { heartbeat } = this;
    if (heartbeat) this.timer = setTimeout(() => this.probe(heartbeat.patience), heartbeat.after);
  }

  /** Ends once: a socket whose network is gone takes minutes to close. */
  private end(reason: CoreStopped): void {
    if (this.isClosed) return;
    this.isClosed = true;
    clearTimeout(this.timer);
    this.resolveClosed();
    this.receiver?.end(reason);
  }
}

function stopped({ code = 1006, reason = "" }: CloseLike): CoreStopped {
  if (code >= 4000 && code !== coreEnded) return new ConnectionRefused(reason || `the server refuses the connection (${code})`, code);
  if (code !== coreEnded) return new ConnectionLost(`the connection is lost${reason && `: ${reason}`}`);
  const status = /^(-?\d+|SIG\w+)/.exec(reason)?.[1] ?? null;
  return new CoreStopped(reason ? `the core has ended (${reason})` : "the core has ended", status);
}
