/** Parts of screens: their paths, and their objects in the document. */
import type { ScreenDescription } from "./app.js";
import type { ScreenState } from "./document.js";
import { isObject, joinPointer, parsePointer } from "./json.js";

/** The outputs and fields of a screen, or of a part of one. */
export interface PortsState {
  readonly output: Readonly<Record<string, unknown>>;
  readonly fields?: ScreenState["fields"];
}

/** Builds the path of a part or a port from unescaped tokens: `lines/a~1b/countText`. */
export function joinPath(...tokens: string[]): string {
  return joinPointer(...tokens).slice(1);
}

/**
 * Returns the part of a screen at a path, or undefined. The empty path is the screen itself, and a
 * row of a list is named by its id.
 */
export function findPart(screen: PortsState | undefined, path: string): PortsState | undefined {
  const tokens = path === "" ? [] : parsePointer(`/${path}`);
  let part: PortsState | undefined = screen;
  while (part && tokens.length > 0) {
    let value: unknown = part.output[tokens.shift() ?? ""];
    if (Array.isArray(value)) {
      const id = tokens.shift();
      value = value.find((row) => isObject(row) && String(row["id"]) === id);
    }
    part = isObject(value) ? stateOf(value) : undefined;
  }
  return part;
}

/** Returns the path of the part with a port; empty for a port of the screen itself. */
export function ownerOf(port: string): string {
  return port.slice(0, Math.max(port.lastIndexOf("/"), 0));
}

/** Yields the path and the description's name of each visible part, including nested parts. */
export function* visibleParts(
  owner: PortsState,
  children: ScreenDescription["children"],
  descriptions: Readonly<Record<string, ScreenDescription>>,
  path: readonly string[] = [],
): Generator<{ path: string; name: string }> {
  for (const [output, name] of Object.entries(children ?? {})) {
    const value = owner.output[output];
    for (const row of Array.isArray(value) ? value : [value]) {
      if (!isObject(row)) continue;
      const tokens = [...path, output, ...(Array.isArray(value) ? [String(row["id"])] : [])];
      yield { path: joinPath(...tokens), name };
      yield* visibleParts(stateOf(row), descriptions[name]?.children, descriptions, tokens);
    }
  }
}

/** The outputs of a part are members of its object. */
function stateOf(part: Record<string, unknown>): PortsState {
  return { output: part, fields: part["fields"] as ScreenState["fields"] } as PortsState;
}
