/** Runs a core as a child process of Node, or connects to the socket of a host. */
import { spawn } from "node:child_process";
import type { ChildProcess, Readable } from "node:child_process";
import { connect as openSocket } from "node:net";
import type { Socket } from "node:net";
import type { AnyApp, AppTypes } from "./app.js";
import { Core } from "./core.js";
import type { CoreOptions } from "./core.js";
import { ConnectionLost, CoreStopped } from "./errors.js";
import type { Receiver, Transport } from "./transport.js";

export interface ProcessOptions {
  /** Variables to add to the environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** The directory to run in. */
  readonly cwd?: string;
  /** The milliseconds that the core has to exit before it is killed; 5,000 by default. */
  readonly grace?: number;
}

/** Starts a core as a child process, and returns it. Close it when you are done. */
export function launch<App extends AppTypes = AnyApp>(
  command: readonly [string, ...string[]],
  options: CoreOptions<App> & ProcessOptions = {},
): Promise<Core<App>> {
  return new Core<App>(() => ProcessTransport.start(command, options), options).start();
}

/**
 * Opens a session of a host, or joins the core of a relay, and returns it. The session is kept there: with
 * `reconnect`, it goes on after a lost connection, and with `session` after a restart of this program.
 * @param address `unix:PATH` or `HOST:PORT`
 */
export function connect<App extends AppTypes = AnyApp>(
  address: string,
  options: CoreOptions<App> = {},
): Promise<Core<App>> {
  return new Core<App>(() => SocketTransport.connect(address), options).start();
}

/** Delivers the lines of a stream. */
function deliverLines(stream: Readable, receiver: Receiver): void {
  let rest = "";
  stream.setEncoding("utf8");
  stream.on("data", (text) => {
    // Only LF ends a line: JSON strings may contain other separators.
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) if (line.trim() !== "") receiver.line(line);
  });
}

/** A core behind a socket. */
export class SocketTransport implements Transport {
  private readonly closed: Promise<void>;
  private isClosed = false;

  private constructor(
    private readonly socket: Socket,
    private readonly address: string,
  ) {
    // The end follows.
    socket.on("error", () => {});
    this.closed = new Promise((resolve) =>
      socket.once("close", () => {
        this.isClosed = true;
        resolve();
      }),
    );
  }

  /** @param address `unix:PATH` or `HOST:PORT` */
  static connect(address: string): Promise<SocketTransport> {
    const colon = address.lastIndexOf(":");
    const place = address.startsWith("unix:")
      ? { path: address.slice("unix:".length) }
      : { host: address.slice(0, colon).replace(/^\[|\]$/g, ""), port: Number(address.slice(colon + 1)) };
    return new Promise((resolve, reject) => {
      const socket = openSocket(place);
      socket.once("error", (error) => reject(new ConnectionLost(`cannot connect to ${address}: ${error.message}`)));
      socket.once("connect", () => resolve(new SocketTransport(socket, address)));
    });
  }

  start(receiver: Receiver): void {
    deliverLines(this.socket, receiver);
    void this.closed.then(() => receiver.end(new ConnectionLost(`the connection to ${this.address} has ended`)));
  }

  send(line: string): void {
    if (!this.isClosed) this.socket.write(`${line}\n`);
  }

  async close(): Promise<void> {
    this.socket.end();
    await this.closed;
  }
}

/** A core in a child process. If this process ends, the core's input ends, and so does the core. */
export class ProcessTransport implements Transport {
  readonly ended: Promise<CoreStopped>;
  private log: string[] = [];
  private isEnded = false;

  private constructor(
    private readonly child: ChildProcess,
    private readonly name: string,
    private readonly grace: number,
  ) {
    child.stderr.setEncoding("utf8");
    child.stderr.on("data", (text) => this.keep(text));
    // Ignore writes to a core that has ended: `close` reports its end.
    child.stdin.on("error", () => {});
    this.ended = new Promise((resolve) => {
      child.once("close", (code, signal) => {
        this.isEnded = true;
        resolve(this.stopped(code, signal));
      });
    });
  }

  static start([program, ...args]: readonly [string, ...string[]], options: ProcessOptions = {}): Promise<ProcessTransport> {
    const { cwd, env, grace = 5_000 } = options;
    return new Promise((resolve, reject) => {
      const child = spawn(program, args, { cwd, env: { ...process.env, ...env }, stdio: "pipe" });
      child.once("error", (error) => reject(new CoreStopped(`cannot start ${program}: ${error.message}`)));
      child.once("spawn", () => resolve(new ProcessTransport(child, program, grace)));
    });
  }

  start(receiver: Receiver): void {
    deliverLines(this.child.stdout, receiver);
    void this.ended.then((reason) => receiver.end(reason));
  }

  send(line: string): void {
    this.write(`${line}\n`);
  }

  /** Sends text as it is. */
  write(text: string): void {
    if (!this.isEnded) this.child.stdin.write(text);
  }

  /** Sends a signal to the core. */
  kill(signal = "SIGTERM"): void {
    this.child.kill(signal);
  }

  async close(): Promise<void> {
    if (this.isEnded) return;
    this.child.stdin.end();
    const timer = setTimeout(() => this.child.kill("SIGKILL"), this.grace);
    await this.ended;
    clearTimeout(timer);
  }

  private keep(text: string): void {
    this.log = [...this.log, ...text.split("\n").filter((line) => line !== "")].slice(-20);
  }

  private stopped(code: number | null, signal: string | null): CoreStopped {
    const how = signal ? `was ended by ${signal}` : `exited with ${code}`;
    return new CoreStopped(`${this.name} ${how}`, signal ?? code, this.log);
  }
}
