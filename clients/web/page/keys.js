/** The page's keys: they select tabs, search, and move in lists, and `?` shows them. */

const off = "keys-off";
/** Elements that take letters, or the arrows, themselves. */
const typed = ":is(input:not([type=checkbox]), textarea, select, [contenteditable]), dialog[open] *";
const acts = ":is(button, a, input):not(:disabled)";

/**
 * Listens to the keys. People can turn off the commands that are a single letter.
 *
 * @param page what is used of the page, which would be in two files if this one imported from it
 */
export function listenToKeys(core, page) {
  addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.isComposing || event.ctrlKey || event.metaKey || event.altKey || event.target.closest(typed)) return;
    const isOff = localStorage.getItem(off) !== null;
    if (event.key === "?" || (!isOff && act(core, page, event))) {
      event.preventDefault();
      if (event.key === "?") help(core, page);
    }
  });
}

/** Carries out the command of a key; false if it has none here. */
function act(core, { move }, { key, target }) {
  const tab = core.document.navigation.root.tabs?.[Number(key) - 1];
  const isCovered = document.querySelector(".root[inert]") !== null;
  if (key === "/") {
    const screens = document.querySelectorAll(".screen:not(.behind, .leaving)");
    const search = [...screens].at(-1)?.querySelector("[type=search], .search-bar");
    search?.matches("button") ? search.click() : search?.focus();
    return Boolean(search);
  }
  if (tab && !isCovered) {
    core.selectTab(tab.id).catch(() => {});
    return true;
  }
  const by = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -1, ArrowDown: 1 }[key];
  const row = by && target.closest("li");
  if (!row) return false;
  const listOf = (each) => each.closest(".list") ?? each.parentElement;
  const rows = [...listOf(row).querySelectorAll("li")].filter((each) => listOf(each) === listOf(row) && each.querySelector(acts));
  const top = (each) => each.getBoundingClientRect().top;
  const columns = rows.filter((each) => top(each) === top(rows[0])).length;
  const isAcross = key === "ArrowLeft" || key === "ArrowRight";
  if (isAcross && columns === 1) return false;
  const step = isAcross ? by : by * columns;
  const focus = (next) => next.querySelector(acts)?.focus();
  const isMoved = move(row, step, focus);
  if (isMoved !== undefined) return isMoved;
  const next = rows[rows.indexOf(row) + step];
  if (next) focus(next);
  return Boolean(next);
}

/** The texts of the help. */
const texts = {
  keys: ["Keys", "단축키"], keysOn: ["Use these keys", "단축키 사용"], keySearch: ["Search", "검색"], keyRows: ["Move in a list", "목록에서 이동"], keyLeave: ["Clear the search, go back, or close", "검색 지우기, 뒤로, 닫기"],
};

/** Shows the keys, and lets people turn them off. */
function help(core, { h, render, words: page, pick }) {
  const words = { ...page, ...pick(texts) };
  const dialog = document.body.appendChild(document.createElement("dialog"));
  const { tabs = [] } = core.document.navigation.root;
  const rows = [
    tabs.length > 0 && [tabs.length > 1 ? `1 – ${Math.min(tabs.length, 9)}` : "1", words.tabs],
    ["/", words.keySearch], ["← ↑ ↓ →", words.keyRows], ["Esc", words.keyLeave], ["?", words.keys],
  ].filter(Boolean);
  dialog.className = "keys";
  dialog.setAttribute("aria-labelledby", "keys-title");
  dialog.addEventListener("close", () => dialog.remove());
  render(dialog, [
    h("h2", { id: "keys-title" }, words.keys),
    h("dl", { class: "facts" }, rows.map(([key, text]) => h("div", { key }, h("dt", {}, h("kbd", {}, key)), h("dd", {}, text)))),
    h("label", { class: "field switch" }, h("span", {}, words.keysOn), h("input", {
      type: "checkbox", role: "switch", checked: localStorage.getItem(off) === null,
      onchange: ({ target }) => (target.checked ? localStorage.removeItem(off) : localStorage.setItem(off, "")),
    })),
    h("button", { type: "button", class: "button primary", autofocus: true, onclick: () => dialog.close() }, words.close),
  ]);
  dialog.showModal();
}
