/**
 * Turns a subset of Markdown into elements: paragraphs, headings, lists, bold, italic, code, and links.
 *
 * All else, such as HTML, is text. Nothing is loaded: a picture is a link. A link is asked for, and an address
 * that `canOpen` refuses is text.
 */
import { h } from "./dom.js";
import { link } from "./parts.js";

export function markdown(text) {
  const blocks = [];
  const lines = text.replace(/\r\n?/g, "\n").split("\n");
  for (let at = 0; at < lines.length; ) {
    const take = (accepts) => {
      const start = at;
      while (at < lines.length && accepts(lines[at])) at++;
      return lines.slice(start, at);
    };
    const heading = isHeading.exec(lines[at]);
    if (lines[at].trim() === "") {
      at++;
    } else if (isFence(lines[at])) {
      at++;
      blocks.push(h("pre", { class: "code", tabindex: "0" }, h("code", {}, take((line) => !/^\s*```\s*$/.test(line)).join("\n"))));
      at++;
    } else if (heading) {
      at++;
      // The screen has the heading of the first level.
      blocks.push(h(`h${Math.min(6, heading[1].length + 1)}`, {}, inline(heading[2])));
    } else if (isItem(lines[at])) {
      blocks.push(h("ul", {}, take(isItem).map((line) => h("li", {}, inline(line.replace(/^\s*-\s+/, ""))))));
    } else {
      const words = take((line) => line.trim() !== "" && !isFence(line) && !isItem(line) && !isHeading.test(line));
      blocks.push(h("p", {}, inline(words.join("\n"))));
    }
  }
  return blocks;
}

/** Writes Markdown on one line, without its marks. */
export const plain = (text) => markdown(text).map(textOf).join(" ").replace(/\s+/g, " ");

const textOf = ({ text, tag, children }) => text ?? children.map(textOf).join(tag === "ul" ? " " : "");

// Spaces that begin a line mean nothing.
const isHeading = /^\s*(#{1,6})\s+(.*)$/;
const isFence = (line) => /^\s*```[^`]*$/.test(line);
const isItem = (line) => /^\s*-\s/.test(line);

/** Emphasis touches the words that it marks. No part of the pattern reads over the start of another match, so that it takes linear time. */
const spans = /`([^`\n]+)`|\*\*(?=\S)((?:[^*]|\*(?!\*))+)(?<=\S)\*\*|\*(?=[^\s*])([^*\n]+)(?<=\S)\*|!?\[([^[\]]*)\]\(((?:https?:\/\/|mailto:|tel:)[^\s()<>]+)\)/gi;

function inline(text) {
  const nodes = [];
  let end = 0;
  for (const { 0: match, 1: code, 2: bold, 3: italic, 4: label, 5: href, index } of text.matchAll(spans)) {
    nodes.push(text.slice(end, index));
    if (code !== undefined) nodes.push(h("code", {}, code));
    else if (bold !== undefined) nodes.push(h("strong", {}, inline(bold)));
    else if (italic !== undefined) nodes.push(h("em", {}, inline(italic)));
    else nodes.push(link(href, label || href));
    end = index + match.length;
  }
  return [...nodes, text.slice(end)];
}
