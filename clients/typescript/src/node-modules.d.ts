/** Declares what this package uses of Node's modules, so that it builds without `@types/node`. */
declare module "node:child_process" {
  interface Writable {
    write(text: string): boolean;
    end(): void;
    on(event: "error", listener: (error: Error) => void): void;
  }
  export interface Readable {
    setEncoding(encoding: "utf8"): void;
    on(event: "data", listener: (text: string) => void): void;
    on(event: "end", listener: () => void): void;
  }
  export interface ChildProcess {
    readonly pid?: number;
    readonly stdin: Writable;
    readonly stdout: Readable;
    readonly stderr: Readable;
    kill(signal?: string): boolean;
    once(event: "spawn", listener: () => void): void;
    once(event: "error", listener: (error: Error) => void): void;
    once(event: "close", listener: (code: number | null, signal: string | null) => void): void;
  }
  export function spawn(
    command: string,
    args: readonly string[],
    options: { cwd?: string | undefined; env?: Record<string, string | undefined>; stdio: "pipe" },
  ): ChildProcess;
}

declare module "node:net" {
  import type { Readable } from "node:child_process";
  export interface Socket extends Readable {
    write(text: string): boolean;
    end(): void;
    on(event: "data", listener: (text: string) => void): void;
    on(event: "end", listener: () => void): void;
    on(event: "error", listener: (error: Error) => void): void;
    once(event: "connect" | "close", listener: () => void): void;
    once(event: "error", listener: (error: Error) => void): void;
  }
  export function connect(place: { path: string } | { host: string; port: number }): Socket;
}

declare module "node:fs" {
  export function writeFileSync(path: string, text: string): void;
}

declare const process: {
  readonly argv: readonly string[];
  readonly env: Record<string, string | undefined>;
  readonly stdout: { write(text: string): void };
  readonly stderr: { write(text: string): void };
  exitCode: number;
};
