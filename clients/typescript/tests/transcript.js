/** Reads transcripts, as `Protocol/transcripts` describes them, without the lines expected from the core. */
import { readFileSync } from "node:fs";

const escapes = { n: "\n", r: "\r", t: "\t", 0: "\0", a: "\x07", b: "\b" };

/**
 * Returns the runs of a transcript: the arguments of the core, what to send (bytes, or null for a
 * barrier), and the exit status.
 */
export function readTranscript(file) {
  const runs = [];
  let isRunning = false;
  for (const [mark, rest] of lines(readFileSync(file, "utf8"))) {
    const run = runs.at(-1);
    if (mark === "$") {
      runs.push({ arguments: words(rest).slice(1), steps: [], status: 0 });
      isRunning = true;
    } else if (mark === ">") {
      run.steps.push(Buffer.from(`${rest}\n`));
    } else if (mark === ">!") {
      run.steps.push(unescape(rest));
    } else if (mark === "=") {
      run.status = Number(rest.replace("exit ", ""));
      isRunning = false;
    } else if (mark === "" && isRunning) {
      run.steps.push(null);
    }
  }
  return runs;
}

/** Splits each line into its mark and the rest, and joins continued lines. */
function lines(text) {
  const found = [];
  // Only LF ends a line: a raw line may hold other separators.
  for (const line of text.replace(/\n$/, "").split("\n")) {
    if (line.startsWith("  ") && line.trim() !== "") {
      found.at(-1)[1] += line.slice(2);
    } else {
      const [mark] = line.split(" ", 1);
      found.push([mark, line.slice(mark.length + 1)]);
    }
  }
  return found;
}

/** Splits a command as a shell does. */
function words(text) {
  const found = [];
  for (const [, word] of text.matchAll(/((?:'[^']*'|"(?:[^"\\]|\\.)*"|\\.|[^\s'"\\])+)/g)) {
    found.push(
      word.replace(/'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)/g, (_, single, double, escaped) =>
        single ?? double?.replace(/\\([\\"$`])/g, "$1") ?? escaped),
    );
  }
  return found;
}

/** Reads C escapes. Adds an LF, unless the line ends in `\c`. */
function unescape(text) {
  const isEnded = text.endsWith("\\c");
  const parts = [];
  for (const [, hex, escaped, plain] of text
    .slice(0, isEnded ? -2 : undefined)
    .matchAll(/\\x([0-9A-Fa-f]{2})|\\(.)|([^\\]+)/gsu)) {
    if (hex) parts.push(Buffer.from([parseInt(hex, 16)]));
    else parts.push(Buffer.from(plain ?? escapes[escaped] ?? escaped));
  }
  return Buffer.concat(isEnded ? parts : [...parts, Buffer.from("\n")]);
}
