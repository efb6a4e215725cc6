import { isEqual, isObject, parseIndex, parsePointer, PointerError, resolvePointer, step } from "./json.js";

/** An operation of a JSON Patch (RFC 6902), or `append`. */
export type PatchOperation =
  | { readonly op: "add" | "replace" | "test"; readonly path: string; readonly value: unknown }
  | { readonly op: "append"; readonly path: string; readonly value: string }
  | { readonly op: "remove"; readonly path: string }
  | { readonly op: "move" | "copy"; readonly from: string; readonly path: string };

/** Thrown if a patch does not fit the document. */
export class PatchError extends Error {
  override readonly name: string = "PatchError";
}

/**
 * Returns the patched document: all operations, or none.
 *
 * The original stays as it is. The new document shares the values that the patch leaves alone, so
 * `===` is a cheap test for changes.
 */
export function applyPatch(document: unknown, patch: readonly PatchOperation[]): unknown {
  const editor = new Editor(document);
  patch.forEach((operation, number) => {
    try {
      editor.apply(operation);
    } catch (error) {
      if (!(error instanceof PatchError || error instanceof PointerError)) throw error;
      throw new PatchError(`operation ${number}: ${error.message}`);
    }
  });
  return editor.root;
}

type Container = unknown[] | Record<string, unknown>;

/** Applies operations to copies of the containers on their paths, each copied once per patch. */
class Editor {
  private copies = new Set<unknown>();

  constructor(public root: unknown) {}

  apply(operation: PatchOperation): void {
    const path = parsePointer(operation.path);
    switch (operation.op) {
      case "add":
        return this.add(path, member(operation, "value"));
      case "remove":
        this.remove(path);
        return;
      case "replace":
        return this.replace(path, member(operation, "value"));
      case "move":
        if (operation.path.startsWith(`${operation.from}/`)) {
          throw new PatchError(`cannot move "${operation.from}" into itself`);
        }
        return this.add(path, this.remove(parsePointer(operation.from)));
      case "append": {
        const text = resolvePointer(this.root, operation.path);
        const end = member(operation, "value");
        if (typeof text !== "string" || typeof end !== "string") {
          throw new PatchError(`appends to a string only: "${operation.path}"`);
        }
        return this.replace(path, text + end);
      }
      case "copy": {
        const value = resolvePointer(this.root, operation.from);
        // Two places now share the value: copy it before the next edit.
        this.copies.clear();
        return this.add(path, value);
      }
      case "test":
        if (!isEqual(resolvePointer(this.root, operation.path), member(operation, "value"))) {
          throw new PatchError(`"${operation.path}" has another value`);
        }
        return;
      default:
        throw new PatchError(`unknown operation ${JSON.stringify(operation)}`);
    }
  }

  private add(path: string[], value: unknown): void {
    const token = path.at(-1);
    if (token === undefined) {
      this.root = value;
      return;
    }
    const container = this.container(path);
    if (Array.isArray(container)) {
      const index = token === "-" ? container.length : parseIndex(token, container.length + 1);
      container.splice(index, 0, value);
    } else {
      put(container, token, value);
    }
  }

  private remove(path: string[]): unknown {
    const token = path.at(-1);
    if (token === undefined) {
      const value = this.root;
      this.root = null;
      return value;
    }
    const container = this.container(path);
    const value = step(container, token);
    if (Array.isArray(container)) container.splice(Number(token), 1);
    else delete container[token];
    return value;
  }

  private replace(path: string[], value: unknown): void {
    const token = path.at(-1);
    if (token === undefined) {
      this.root = value;
      return;
    }
    const container = this.container(path);
    step(container, token);
    put(container, token, value);
  }

  /** Copies the containers on the path, and returns the innermost one. */
  private container(path: string[]): Container {
    let node = this.own(this.root);
    this.root = node;
    for (const token of path.slice(0, -1)) {
      const child = this.own(step(node, token));
      put(node, token, child);
      node = child;
    }
    return node;
  }

  private own(node: unknown): Container {
    if (!Array.isArray(node) && !isObject(node)) {
      throw new PatchError(`${node === null ? "null" : typeof node} has no members`);
    }
    if (this.copies.has(node)) return node;
    const copy = Array.isArray(node) ? node.slice() : { ...node };
    this.copies.add(copy);
    return copy;
  }
}

/** Sets a member. A plain assignment to `__proto__` would set the prototype. */
function put(container: Container, token: string, value: unknown): void {
  if (token === "__proto__") {
    Object.defineProperty(container, token, { value, writable: true, enumerable: true, configurable: true });
  } else {
    (container as Record<string, unknown>)[token] = value;
  }
}

function member(operation: object, name: string): unknown {
  if (!Object.hasOwn(operation, name)) throw new PatchError(`"${name}" is missing`);
  return (operation as Record<string, unknown>)[name];
}
