/** A JSON value. Values in a document are shared between revisions, so never change them. */
export type JSONValue =
  | null
  | boolean
  | number
  | string
  | readonly JSONValue[]
  | { readonly [member: string]: JSONValue };

/** Thrown if a JSON Pointer is malformed or names nothing in the document. */
export class PointerError extends Error {
  override readonly name: string = "PointerError";
}

/** Splits a JSON Pointer (RFC 6901) into its unescaped tokens. The empty pointer has none. */
export function parsePointer(pointer: string): string[] {
  if (pointer === "") return [];
  if (!pointer.startsWith("/")) throw new PointerError(`a pointer starts with a slash: "${pointer}"`);
  return pointer.slice(1).split("/").map(unescapeToken);
}

/** Builds the pointer of `tokens`, escaping them. */
export function joinPointer(...tokens: string[]): string {
  return tokens.map((token) => `/${token.replace(/~/g, "~0").replace(/\//g, "~1")}`).join("");
}

/** Returns the value that `pointer` names. */
export function resolvePointer(document: unknown, pointer: string): unknown {
  return parsePointer(pointer).reduce(step, document);
}

/** Returns the member or the element of `node` that `token` names. */
export function step(node: unknown, token: string): unknown {
  if (Array.isArray(node)) return node[parseIndex(token, node.length)];
  if (isObject(node) && Object.hasOwn(node, token)) return node[token];
  throw new PointerError(`no member "${token}"`);
}

/** Parses the index of one of `count` elements. */
export function parseIndex(token: string, count: number): number {
  if (!/^(0|[1-9][0-9]{0,15})$/.test(token) || Number(token) >= count) {
    throw new PointerError(`no element "${token}" among ${count}`);
  }
  return Number(token);
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Compares JSON values. The order of members does not matter. */
export function isEqual(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (Array.isArray(left) && Array.isArray(right)) {
    return left.length === right.length && left.every((each, index) => isEqual(each, right[index]));
  }
  if (!isObject(left) || !isObject(right)) return false;
  const names = Object.keys(left);
  return (
    names.length === Object.keys(right).length &&
    names.every((name) => Object.hasOwn(right, name) && isEqual(left[name], right[name]))
  );
}

function unescapeToken(token: string): string {
  if (/~(?![01])/.test(token)) throw new PointerError(`a tilde is written ~0: "${token}"`);
  return token.replace(/~1/g, "/").replace(/~0/g, "~");
}
