/** Draws of a long list the rows around those that are seen, wherever it scrolls. */
import { report } from "./description.js";
import { h } from "./dom.js";
import { format, words } from "./words.js";

/** The most rows that are all drawn: the page draws them again for each letter, between two frames of the display. */
export const mostDrawn = 300;
/** The most rows on paper, and in a window of the document. */
const [mostPrinted, mostAsked] = [1000, 1000];
let isPrinting = false;

/** Lets lists be drawn for paper, which does not scroll, or for the screen again. */
export function print(isOn) {
  isPrinting = isOn;
}

/** Says on paper how many rows are missing. */
export function missing(count, tag = "p") {
  const text = isPrinting && count > 0 && words.notPrinted(format.number(count));
  return text && h(tag, { key: "missing", class: "muted missing-rows" }, tag === "tr" ? h("td", { colspan: "100" }, text) : text);
}

/** The kind of element that takes the space of the rows that are not drawn, by that of the element around them. */
const spaces = { ul: "li", tbody: "tr", div: "div" };
/** Down a page, and along a line of cards. */
const down = { start: "top", size: "height", gap: "rowGap" };
const along = { start: "left", size: "width", gap: "columnGap" };

/** Each of the latest lists. Its `lines` are as many rows as are side by side. */
const lists = new Map();

function listOf(view, name) {
  const key = `${view.id}/${view.address(name)}`;
  const list = lists.get(key) ?? { size: undefined, gap: 0, columns: 1, lines: [0, 30], axis: down, segments: [] };
  lists.delete(key);
  lists.set(key, list);
  if (lists.size > 50) lists.delete(lists.keys().next().value);
  return list;
}

/**
 * Draws rows of any height, each with an `id`. They may be in several columns, or in one line that scrolls sideways.
 * @param name tells the lists of a view apart
 * @param value the rows, or the window of them that the document has
 * @param node describes the element of a row; the arrows skip those of rows with `isHeader`
 */
export function long(tag, props, view, name, value, node) {
  const isWindow = !Array.isArray(value);
  const { rows, first = 0, count } = isWindow ? value : { rows: value };
  const total = count ?? rows.length;
  if (isPrinting || (total <= mostDrawn && rows.length === total)) return h(tag, props, rows.slice(0, mostPrinted).map(node), missing(total - Math.min(rows.length, mostPrinted), spaces[tag]));
  const list = Object.assign(listOf(view, name), { rows, start: first, total, wake: () => view.core.wake() });
  if (isWindow) follows(list, view, name);
  const children = [];
  let next = 0;
  // Each has a key of its own, since an element that moves loses the focus.
  const leave = (line) => line > next && children.push(h(spaces[tag], { key: `space-${next}`, class: "space", "aria-hidden": "true", "data-lines": String(line - next), style: { [list.axis.size]: pixels(list, (line - next) * (list.size ?? 64)) } }));
  for (const line of drawn(list)) {
    leave(line);
    for (let at = line * list.columns; at < Math.min((line + 1) * list.columns, total); at++) {
      const row = rowAt(list, at);
      if (!row) continue;
      const child = node(row, at);
      Object.assign(child.props, { "data-at": String(at) }, tag === "tbody" ? { "aria-rowindex": String(at + 2) } : { "aria-setsize": String(total), "aria-posinset": String(at + 1) });
      children.push(child);
    }
    next = line + 1;
  }
  leave(lastOf(list));
  return h(tag, { ...props, hooks: { update: (element) => follow(list, element) } }, children);
}

const pixels = ({ gap }, size) => `${Math.max(0, size - gap)}px`;
const lastOf = ({ total, columns }) => Math.ceil(total / columns);
const rowAt = ({ rows, start }, at) => rows[at - start];

/** Has the list ask for rows that the document does not have, from the first one that it has on. */
function follows(list, view, name) {
  const end = list.start + list.rows.length;
  if (!list.asked) list.lines = list.asked = [list.start, end];
  // To a window at the end of such a list, the core adds what comes below.
  if (view.outputs[name]["x-from"] === "end" && list.asked[1] >= list.totalBefore && end === list.total) list.asked = [list.asked[0], end];
  list.totalBefore = list.total;
  list.request = (first, count) => view.core.window(view.id, view.address(name), first, count).catch(report);
}

/** Asks again for the rows that could not be loaded. */
export function askAgain(view, name) {
  const list = listOf(view, name);
  list.request?.(list.asked[0], list.asked[1] - list.asked[0]);
}

/** Asks for the rows of some lines, unless it has done so before. */
function ask(list, [first, end], [widestFirst, widestEnd]) {
  const { asked, columns, total } = list;
  if (!asked || (asked[0] <= first * columns && Math.min(end * columns, total) <= asked[1])) return;
  const from = widestFirst * columns;
  list.asked = [from, Math.min(widestEnd * columns, total, from + mostAsked)];
  list.request(from, list.asked[1] - from);
}

/** The lines to draw: those near what is seen, and those of the row with the focus and of the one that gets it. */
function drawn(list) {
  const { rows, start, columns, lines: [first, end], element, kept, goal } = list;
  const found = new Set();
  const last = Math.min(end, lastOf(list), Math.ceil((start + rows.length) / columns));
  for (let line = Math.max(first, Math.floor(start / columns)); line < last; line++) found.add(line);
  const focused = element?.contains(document.activeElement) ? start + rows.findIndex(({ id }) => id === kept) : -1;
  for (const at of [focused, goal?.at ?? -1]) if (rowAt(list, at)) found.add(Math.floor(at / columns));
  return [...found].sort((a, b) => a - b);
}

function mount(list, element) {
  const { display, flexDirection, flexWrap } = getComputedStyle(element);
  const isAlong = display === "flex" && flexDirection === "row" && flexWrap === "nowrap";
  let scroller = isAlong ? element : element.parentElement;
  while (!isAlong && scroller !== document.body && !["auto", "scroll"].includes(getComputedStyle(scroller).overflowY)) scroller = scroller.parentElement;
  Object.assign(list, { element, scroller, axis: isAlong ? along : down });
  const look = () => (element.isConnected ? watch(list) : scroller.removeEventListener("scroll", look));
  scroller.addEventListener("scroll", look, { passive: true });
  let width;
  new ResizeObserver(([{ contentRect }]) => {
    // Rows of another width are not as high as before.
    if (width !== undefined && width !== contentRect.width) list.size = undefined;
    width = contentRect.width;
    look();
  }).observe(element);
  element.addEventListener("focusin", ({ target }) => {
    while (target.parentElement !== element) target = target.parentElement;
    list.kept = rowAt(list, target.dataset.at)?.id;
  });
}

/** Learns from what has been drawn, and moves the focus to the row that the person has gone to. */
function follow(list, element) {
  if (list.element !== element) mount(list, element);
  measure(list);
  reach(list);
  watch(list);
}

/**
 * Finds out where the lines are. All together are as long as lines of the size that those had that were drawn first: what
 * others are longer is taken from the space below them, or from that above if there is none below.
 */
function measure(list) {
  const { element, axis } = list;
  const boxes = [...element.children].filter(({ offstageIsLeaving }) => !offstageIsLeaving)
    .map((child) => ({ child, at: Number(child.dataset.at), box: child.getBoundingClientRect() }));
  const rows = boxes.filter(({ at }) => at >= 0);
  if (rows.length > 0 && rows[0].box[axis.size] === 0) return;
  const other = rows.findIndex(({ box }) => box[axis.start] !== rows[0].box[axis.start]);
  const columns = axis === along || other < 0 ? list.columns : other;
  if (columns !== list.columns) {
    // The lines are others now.
    const first = Math.floor((list.lines[0] * list.columns) / columns);
    Object.assign(list, { columns, size: undefined, lines: [first, first + 10] });
    return list.wake();
  }
  list.gap = parseFloat(getComputedStyle(element)[axis.gap]) || 0;
  const starts = rows.filter(({ at }) => at % columns === 0);
  list.size ??= starts.length > 0 ? starts.reduce((sum, { box }) => sum + box[axis.size] + list.gap, 0) / starts.length : undefined;
  if (list.size === undefined) return;
  let line = 0;
  list.segments = boxes.filter(({ at }) => !(at % columns > 0)).map(({ child, at, box }) => {
    const count = at >= 0 ? 1 : Number(child.dataset.lines);
    line += count;
    return { child, from: line - count, count, isSpace: !(at >= 0), size: at >= 0 ? box[axis.size] + list.gap : count * list.size };
  });
  const [above, below] = [list.segments[0], list.segments.at(-1)];
  const space = below.isSpace ? below : above;
  if (space.isSpace) space.size = Math.max(0, space.size + lastOf(list) * list.size - list.segments.reduce((sum, { size }) => sum + size, 0));
  for (const { child, isSpace, size } of list.segments) if (isSpace) child.style[axis.size] = pixels(list, size);
}

/** Draws again before the person comes near the end of what is drawn. */
function watch(list) {
  const { element, scroller, axis, segments } = list;
  const [outer, inner] = [scroller.getBoundingClientRect(), element.getBoundingClientRect()];
  const length = outer[axis.size];
  if (length === 0 || segments.length === 0) return;
  const start = axis === along ? element.scrollLeft : outer[axis.start] - inner[axis.start];
  const lineAt = (pixel) => {
    let rest = Math.max(0, pixel);
    for (const { from, count, size } of segments) {
      if (rest < size) return from + Math.floor((rest / size) * count);
      rest -= size;
    }
    return lastOf(list);
  };
  const near = (margin) => [lineAt(start - margin * length), Math.min(lineAt(start + (1 + margin) * length) + 1, lastOf(list))];
  const [first, end] = near(0.5);
  ask(list, [first, end], near(2));
  if (list.lines[0] <= first && end <= list.lines[1]) return;
  list.lines = near(1);
  list.wake();
}

/** The same as `move` in `window.js`, in a long list. */
export function moveInLong(row, by, focus) {
  const list = [...lists.values()].find(({ element }) => element === row.parentElement);
  if (!list || row.dataset.at === undefined) return undefined;
  let at = (list.goal?.at ?? Number(row.dataset.at)) + by;
  while (rowAt(list, at)?.isHeader) at += Math.sign(by) || 1;
  if (at < 0 || at >= list.total) return false;
  list.goal = { at, focus };
  const line = Math.floor(at / list.columns);
  ask(list, [line, line + 1], [Math.max(line - 20, 0), line + 20]);
  reach(list);
  if (list.goal) list.wake();
  return true;
}

function reach(list) {
  const { element, goal } = list;
  if (!goal) return;
  const row = element.querySelector(`:scope > [data-at="${goal.at}"]`);
  const hasMovedOn = document.activeElement !== document.body && !element.contains(document.activeElement);
  if (row || hasMovedOn) list.goal = undefined;
  if (row && !hasMovedOn) goal.focus(row);
}
