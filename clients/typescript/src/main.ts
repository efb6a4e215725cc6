#!/usr/bin/env node
/** `offstage-generate [--output FILE] CORE [ARGUMENT…]` writes the types of an app. */
import { writeFileSync } from "node:fs";
import { OffstageError } from "./errors.js";
import { generate } from "./generate.js";
import { launch } from "./node.js";

const usage = "usage: offstage-generate [--output FILE] CORE [ARGUMENT…]\n";

async function main(args: readonly string[]): Promise<number> {
  const output = args[0] === "--output" ? args[1] : undefined;
  const [program, ...rest] = output === undefined ? args : args.slice(2);
  if (program === undefined || program.startsWith("-")) {
    process.stderr.write(usage);
    return 2;
  }
  try {
    const core = await launch([program, ...rest], { lifecycle: false });
    const source = generate(await core.discover());
    await core.close();
    if (output === undefined) process.stdout.write(source);
    else writeFileSync(output, source);
    return 0;
  } catch (error) {
    if (!(error instanceof OffstageError)) throw error;
    process.stderr.write(`offstage-generate: ${error.message}\n`);
    return 1;
  }
}

process.exitCode = await main(process.argv.slice(2));
