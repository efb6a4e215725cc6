/** Keeps the places in lists and texts over a reload. */
const name = "scroll";
const kinds = ".content, .sheet-rows";

/** The distances from the top, by screen, that have not been restored yet. */
let tops = {};

/**
 * Remembers where each screen is when the page goes away.
 * @param before the session that the page had before a reload
 * @param current returns the session that it shows
 */
export function keepScroll(before, current) {
  try {
    const kept = JSON.parse(sessionStorage.getItem(name) ?? "{}");
    if (before !== undefined && kept.session === before) tops = kept.tops;
  } catch {
    // Somebody else has written it.
  }
  addEventListener("pagehide", () => {
    for (const screen of document.querySelectorAll("[data-screen]")) {
      const top = screen.querySelector(kinds)?.scrollTop;
      if (top !== undefined) tops[screen.dataset.screen] = top;
    }
    sessionStorage.setItem(name, JSON.stringify({ session: current(), tops }));
  });
}

/** Scrolls a screen to its place when it is drawn for the first time. */
export function restoreScroll(screen) {
  const top = tops[screen.dataset.screen];
  delete tops[screen.dataset.screen];
  if (top) screen.querySelector(kinds)?.scrollTo({ top });
}
