/** Edits a list of words, such as tags: each can be removed, and others are added. */
import { h, render } from "./dom.js";
import { announce, icon } from "./parts.js";
import { words } from "./words.js";

/**
 * Draws a list and a line for one more: Enter adds it, and Backspace in an empty line removes the last one. Lines that
 * are pasted are one each. Everything else, such as a comma, is a part of a word.
 *
 * @param kind `write` returns the text of a value, and `read` the value of a text; undefined if it has none
 * @param props those of the line. `onchange` is called after each change; without it, the element keeps the list
 */
export function tags(values, kind, props) {
  const given = JSON.stringify(values);
  return h("div", {
    class: "tags",
    hooks: {
      update(element) {
        if (props.onchange || element.offstageGiven !== given) Object.assign(element, { offstageGiven: given, offstageTags: values });
        draw(element, kind, props);
      },
    },
  });
}

/** Returns the list beside a line, also with what has not been added yet. */
export const tagsOf = (line, kind) => [...line.closest(".tags").offstageTags, ...added(line, kind, line.value)];

const lines = (text) => text.split(/\r\n|\r|\n/).map((each) => each.trim()).filter(Boolean);

/** The values of the lines of a text that are not in the list yet. */
function added(line, { read }, text) {
  const before = line.closest(".tags").offstageTags;
  return [...new Set(lines(text).map(read))].filter((each) => each !== undefined && !before.includes(each));
}

function draw(element, kind, props) {
  const all = element.offstageTags;
  const change = (next, said) => {
    element.offstageTags = next;
    draw(element, kind, props);
    announce(said);
    props.onchange?.({ target: element.querySelector("input") });
  };
  const add = (line, text) => {
    const more = added(line, kind, text);
    // What has no value stays, to be mended.
    line.value = lines(text).filter((each) => kind.read(each) === undefined).join(" ");
    if (more.length > 0) change([...all, ...more], words.added(more.map(kind.write).join(", ")));
  };
  const remove = (at) => {
    change(all.filter((_, index) => index !== at), words.removed(kind.write(all[at])));
    element.querySelector("input").focus();
  };
  render(element,
    all.length > 0 && h("ul", {}, all.map((value, at) => h("li", { key: at, class: "tag" }, kind.write(value),
      h("button", { type: "button", class: "clear", disabled: props.disabled, "aria-label": `${words.remove}: ${kind.write(value)}`, onclick: () => remove(at) }, icon("close"))))),
    h("input", {
      type: "text", autocomplete: "off", placeholder: words.add, ...props,
      onchange: props.onchange && ((event) => add(event.target, event.target.value)),
      onkeydown(event) {
        const line = event.target;
        if (event.isComposing) return;
        if (event.key === "Backspace" && line.value === "" && all.length > 0) return remove(all.length - 1);
        // Enter in an empty line is not about the list.
        if (event.key !== "Enter" || line.value.trim() === "") return;
        event.preventDefault();
        event.stopPropagation();
        add(line, line.value);
      },
      onpaste(event) {
        const [line, pasted] = [event.target, event.clipboardData.getData("text")];
        if (!/[\r\n]/.test(pasted.trim())) return;
        event.preventDefault();
        add(line, line.value.slice(0, line.selectionStart) + pasted + line.value.slice(line.selectionEnd));
      },
    }));
}
