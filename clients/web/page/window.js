/** Draws a list of which the document has a window: the browser scrolls in all of its rows. */
import { report } from "./description.js";
import { h } from "./dom.js";
import { missing, moveInLong } from "./long.js";
import { idOf, line } from "./rows.js";
import { format, words } from "./words.js";

/** The height of a row in units of the text size, and the rows in a window at most, by the protocol. */
const [rowHeight, mostRows] = [4, 1000];
/** Browsers draw no element that is higher. In a longer list, the scroll bar stands for all rows. */
const mostPixels = 8_000_000;

/** Where the person is in each of the latest lists. */
const places = new Map();

function placeOf(view, path) {
  const key = `${view.id}/${view.address(path)}`;
  const place = places.get(key) ?? { offset: 0, scrollTop: 0, asked: [0, 0], first: 0, ids: [] };
  places.delete(key);
  places.set(key, place);
  if (places.size > 50) places.delete(places.keys().next().value);
  return place;
}

/** Draws a list of which the document has a window. */
export function windowed(view, path, label) {
  const { count, first, rows, failure } = view.output[path];
  const items = view.schema(view.schema(view.schema(view.outputs[path]).properties.rows).items);
  const place = placeOf(view, path);
  place.isFromEnd = view.outputs[path]["x-from"] === "end";
  const total = count ?? rows.length;
  const shift = shiftOf(place, first, rows);
  const request = (from, length) => view.core.window(view.id, view.address(path), from, length).catch(report);
  Object.assign(place, { total, shift, first, ids: rows.map(idOf), request });
  const drawn = rows.map((value, at) => ({ key: idOf(value, at), position: first + at, node: line(view, path, rows, at, items) }));
  return h(
    "section", { key: path, class: "list" },
    h("h2", {}, label, total > 0 && h("span", { class: "count" }, format.number(total))),
    failure && h("div", { key: "failure", class: "notice failure", role: "alert" }, h("p", {}, failure),
      h("button", { type: "button", class: "button small", onclick: () => ask(place, true) }, words.retry)),
    count === 0 && h("p", { key: "none", class: "empty" }, view.outputs[path].placeholder ?? words.empty),
    scroller(place, label, drawn, count ?? -1),
    missing(total - rows.length));
}

/**
 * The rows are where they belong in an element that is as high as all of them. `place.offset` is how far the
 * first row is above its upper end, which is more than nothing in a list that is higher than an element may be.
 */
function scroller(place, label, rows, count) {
  return h("div", {
    key: "window", class: "card window", tabindex: "0", role: "group", "aria-label": label,
    hooks: { mount: (element) => mount(place, element), update: () => follow(place) },
  }, h("div", { class: "window-all" }, h("ul", { class: "rows" }, rows.map(({ key, position, node }) =>
    h("li", { key, "data-at": String(position), "aria-setsize": String(count), "aria-posinset": String(position + 1) }, node)))));
}

/** How far the first row that is still there has moved. */
function shiftOf({ first: before, ids }, first, rows) {
  const positions = new Map(rows.map((value, at) => [idOf(value, at), first + at]));
  const at = ids.findIndex((id) => positions.has(id));
  return at < 0 ? 0 : positions.get(ids[at]) - before - at;
}

function mount(place, element) {
  place.element = element;
  place.height = rowHeight * parseFloat(getComputedStyle(element).fontSize);
  place.asked = [place.first, place.first + place.ids.length];
  place.offset = 0;
  element.addEventListener("scroll", () => scrolled(place), { passive: true });
  element.addEventListener("scrollend", () => (place.isJump = false));
  new ResizeObserver(() => ask(place)).observe(element);
  follow(place);
  // A list that is drawn again is where it was.
  if (place.first > 0) goTo(place, (hasEnd(place) ? place.total : place.first) * place.height);
}

/** Lays out the rows, and keeps those that the person looks at where they are. */
function follow(place) {
  const { element, height, total, shift } = place;
  const [all] = element.children;
  const isAtEnd = place.isFromEnd && top(place) + element.clientHeight >= (place.end ?? 0) * height - 1;
  all.style.height = `${Math.min(total * height, mostPixels)}px`;
  element.style.setProperty("--row", `${height}px`);
  if (place.goal) place.goal.position += shift;
  if (shift !== 0 && isScrolled(place)) {
    place.asked = place.asked.map((each) => each + shift);
    goTo(place, top(place) + shift * height);
  }
  place.shift = 0;
  if (isAtEnd && place.end !== total) {
    // To a window at the end of such a list, the core adds what comes below.
    if (hasEnd(place)) place.asked = [Math.min(place.asked[0], place.first), total];
    goTo(place, total * height);
  }
  place.end = total;
  reach(place);
  lay(place);
  ask(place);
}

/**
 * Goes from a row to another one by a number of rows, at once or when the other row is drawn.
 * @param focus focuses what acts in a row, or scrolls to it
 * @returns false if there is no such row; undefined if all rows of the list are drawn
 */
export function move(row, by, focus) {
  const place = [...places.values()].find(({ element }) => element?.contains(row));
  if (!place) return moveInLong(row, by, focus);
  const position = (place.goal?.position ?? Number(row.dataset.at)) + by;
  if (position < 0 || position >= place.total) return false;
  place.goal = { position, focus };
  reach(place);
  lay(place);
  ask(place);
  return true;
}

/** Focuses the row that the person has moved to, or scrolls there so that it is drawn. */
function reach(place) {
  const { element, goal, height } = place;
  if (!goal) return;
  const row = element.querySelector(`[data-at="${goal.position}"]`);
  const hasMovedOn = document.activeElement !== document.body && !element.contains(document.activeElement);
  if (row || hasMovedOn) place.goal = undefined;
  if (hasMovedOn) return;
  if (row) {
    lay(place); // The browser scrolls to where the row is.
    return goal.focus(row);
  }
  const [first, end] = [goal.position * height, (goal.position + 1) * height - element.clientHeight];
  if (top(place) > first || top(place) < end) goTo(place, top(place) > first ? first : end);
}

function lay(place) {
  const { element, first, height, offset } = place;
  const list = element.querySelector("ul");
  list.style.top = `${first * height - offset}px`;
  const [start, end] = visible(place);
  list.setAttribute("aria-busy", String(start < first || end > first + place.ids.length));
}

/** How many pixels of rows are above the visible ones. */
const top = ({ element, offset }) => element.scrollTop + offset;
const hasEnd = ({ isFromEnd, first, ids, total }) => isFromEnd && first + ids.length === total;
const isScrolled = (place) => place.element?.isConnected && top(place) > 0;

/** The positions of the visible rows. */
function visible(place) {
  const start = Math.floor(top(place) / place.height);
  return [start, Math.min(start + Math.ceil(place.element.clientHeight / place.height) + 1, place.total)];
}

/** Scrolls to a number of pixels from the first row. */
function goTo(place, pixels) {
  const { element, height, total } = place;
  const [rest, shown] = [total * height - element.clientHeight, element.children[0].offsetHeight - element.clientHeight];
  const goal = Math.max(0, Math.min(pixels, rest));
  element.scrollTop = rest > shown ? Math.round((goal / rest) * shown) : goal;
  place.scrollTop = element.scrollTop;
  place.offset = goal - element.scrollTop;
}

function scrolled(place) {
  const { element, height, total } = place;
  const moved = element.scrollTop - place.scrollTop;
  if (moved === 0) return;
  const [rest, shown] = [total * height - element.clientHeight, element.scrollHeight - element.clientHeight];
  place.scrollTop = element.scrollTop;
  if (rest > shown) {
    // A jump goes to its share of the rows, to its end; a step goes as far as it is long, until the bar is far off. Who
    // drags the bar by one pixel goes further than a busy browser that says many steps at once.
    place.isJump ||= Math.abs(moved) >= shown / element.clientHeight;
    const share = (element.scrollTop / shown) * rest;
    const isEnd = element.scrollTop <= 0 || element.scrollTop >= shown - 1;
    if (place.isJump || isEnd && Math.abs(share - top(place)) < element.clientHeight) place.offset = share - element.scrollTop;
    else if (isEnd || Math.abs(share - top(place)) > rest / 10) goTo(place, top(place));
  }
  lay(place);
  ask(place);
}

/** Asks for the visible rows and twice as many on both sides, before the person comes near the end of them. */
function ask(place, isAgain = false) {
  const { element, asked, total } = place;
  if (element.clientHeight === 0 || (total === 0 && !isAgain)) return;
  const [start, end] = visible(place);
  const margin = Math.max(end - start, 1);
  if (!isAgain && asked[0] <= Math.max(start - margin, 0) && Math.min(end + margin, total) <= asked[1]) return;
  const first = Math.max(start - 2 * margin, 0);
  const count = Math.min(end + 2 * margin - first, mostRows);
  place.asked = [first, first + count];
  place.request(first, count);
}
