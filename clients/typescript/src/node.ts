/** Runs a core as a child process of Node. */
import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import type { AnyApp, AppTypes } from "./app.js";
import { Core } from "./core.js";
import type { CoreOptions } from "./core.js";
import { CoreStopped } from "./errors.js";
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

/** A core in a child process. If this process ends, the core's input ends, and so does the core. */
export class ProcessTransport implements Transport {
  readonly ended: Promise<CoreStopped>;
  private rest = "";
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
    this.child.stdout.setEncoding("utf8");
    this.child.stdout.on("data", (text) => {
      // Only LF ends a line: JSON strings may contain other separators.
      const lines = (this.rest + text).split("\n");
      this.rest = lines.pop() ?? "";
      for (const line of lines) if (line.trim() !== "") receiver.line(line);
    });
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
