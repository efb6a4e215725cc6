/** Keeps the places in lists and texts over a reload. */
import { move } from "./window.js";

const name = "scroll";
const kinds = ".content, .sheet-rows";

/** Where the screens are, by their ids, that have not been scrolled there yet. */
let places = {};

/**
 * Remembers where each screen is when the page goes away.
 * @param before the session that the page had before a reload
 * @param current returns the session that it shows
 */
export function keepScroll(before, current) {
  try {
    const kept = JSON.parse(sessionStorage.getItem(name) ?? "{}");
    if (before !== undefined && kept.session === before) places = kept.places;
  } catch {
    // Somebody else has written it.
  }
  addEventListener("pagehide", () => {
    for (const screen of document.querySelectorAll("[data-screen]")) {
      const top = screen.querySelector(kinds)?.scrollTop;
      if (top !== undefined) places[screen.dataset.screen] = { top, row: rowIn(screen) };
    }
    sessionStorage.setItem(name, JSON.stringify({ session: current(), places }));
  });
}

/** Scrolls the screens to their places that are drawn for the first time. */
export function restoreScroll() {
  for (const [id, { top, row }] of Object.entries(places)) {
    const screen = document.querySelector(`.screen:not(.behind)[data-screen="${CSS.escape(id)}"]`);
    if (!screen) continue;
    delete places[id];
    screen.querySelector(kinds)?.scrollTo({ top });
    const first = row && listsIn(screen)[row.list]?.querySelector("[data-at]");
    if (first) move(first, row.at - first.dataset.at, (found) => (found.closest(scrollers).scrollTop += below(found) - row.below));
  }
}

const scrollers = `.window, ${kinds}`;

/** The lists of which the page has some rows: their heights are known only once they are drawn. */
const listsIn = (screen) => [...screen.querySelectorAll(":has(> [data-at])")];

/** How far a row is below the upper edge of what scrolls it. */
const below = (row) => row.getBoundingClientRect().top - row.closest(scrollers).getBoundingClientRect().top;

/** The first row that is seen of those lists. */
function rowIn(screen) {
  const lists = listsIn(screen);
  const row = [...screen.querySelectorAll("[data-at]")].find((each) => below(each) + each.offsetHeight > 0);
  return row && { list: lists.indexOf(row.parentElement), at: Number(row.dataset.at), below: below(row) };
}
