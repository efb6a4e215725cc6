/** Files that the person picks, and those that the app saves. */
import { format, words } from "./words.js";

/** Returns the file if it is one that the app takes; throws an error with a sentence if not. */
export function check(file, { types, maxBytes }) {
  if (file.size > maxBytes) throw new Error(words.tooLarge(file.name, format.bytes(file.size, { roundsUp: true }), format.bytes(maxBytes)));
  if (types.length > 0 && !types.some((pattern) => matches(pattern, typeOf(file)))) throw new Error(words.wrongType(file.name, types.join(", ")));
  return file;
}

/** Says which files the app takes. */
export const accepted = ({ types, maxBytes }) => [...types, words.atMost(format.bytes(maxBytes))].join(" · ");

/** Reads a file as the answer to the core; throws an error with a sentence if it cannot be read in full. */
export async function encode(file) {
  const bytes = await file.arrayBuffer().catch(() => undefined);
  if (bytes?.byteLength !== file.size) throw new Error(words.cutOff(file.name));
  // A text with all bytes at once would be more arguments than a call may have.
  const text = Array.from({ length: Math.ceil(file.size / chunk) }, (_, index) => String.fromCharCode(...new Uint8Array(bytes, index * chunk, Math.min(chunk, file.size - index * chunk))));
  return { name: file.name, mimeType: typeOf(file), size: file.size, base64: btoa(text.join("")) };
}

const chunk = 1 << 14;
const typeOf = (file) => file.type || "application/octet-stream";

function matches(pattern, type) {
  const [wanted, found] = [pattern.toLowerCase(), type.toLowerCase()];
  return wanted === "*/*" || wanted === found || (wanted.endsWith("/*") && found.startsWith(wanted.slice(0, -1)));
}

/** Saves a file in the folder for downloads. */
export function save(name, content) {
  const url = URL.createObjectURL(content);
  // A name with a folder would be another file's.
  Object.assign(document.createElement("a"), { href: url, download: name.split(/[/\\]/).at(-1).replace(/^[. ]+/, "") || "file" }).click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
