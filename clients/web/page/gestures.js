/** What a finger can do: pull down to refresh, swipe from the edge to go back, and drag a sheet; and what is said after a swipe. */

/** As in `motion.js`, with which this file would have to share a third one. */
const still = matchMedia("(prefers-reduced-motion: reduce)");

/** Pixels from the left edge in which a swipe starts. */
const edge = 24;
/** Pixels after which a pull refreshes. */
const enough = 72;

/** Follows a touch that starts on an element, if `begins` returns how to follow and to end it. */
function follow(element, begins) {
  element.addEventListener("touchstart", (start) => {
    const { clientX: x, clientY: y } = start.touches[0];
    const gesture = start.touches.length === 1 ? begins(start, x, y) : undefined;
    if (!gesture) return;
    const controller = new AbortController();
    const listen = (type, listener) => element.addEventListener(type, listener, { passive: false, signal: controller.signal });
    let [dx, dy, isTaken] = [0, 0, false];
    listen("touchmove", (move) => {
      [dx, dy] = [move.touches[0].clientX - x, move.touches[0].clientY - y];
      // A scroll in another direction stays one.
      if (!isTaken && Math.max(Math.abs(dx), Math.abs(dy)) > 6) isTaken = gesture.takes(dx, dy) || controller.abort();
      if (!isTaken) return;
      move.preventDefault();
      gesture.move(dx, dy);
    });
    const end = (isDone) => {
      controller.abort();
      if (isTaken) gesture.end(isDone ? dx : 0, isDone ? dy : 0);
    };
    listen("touchend", () => end(true));
    listen("touchcancel", () => end(false));
  }, { passive: true });
}

/** Moves an element back to its place. */
function settle(element) {
  const { transform } = element.style;
  element.style.transform = "";
  if (transform && !still.matches) element.animate([{ transform }, { transform: "none" }], { duration: 180, easing: "ease-out" });
}

/** Goes back when the finger moves in from the left edge of a screen that has a button for it. */
export function swipeBack(screen) {
  follow(screen, (start, x) => {
    const back = screen.querySelector(":scope > .bar > .back");
    if (!back || x > edge) return undefined;
    return {
      takes: (dx, dy) => dx > Math.abs(dy),
      move: (dx) => (screen.style.transform = `translateX(${Math.max(0, dx)}px)`),
      end(dx) {
        settle(screen);
        if (dx > screen.clientWidth / 3) back.click();
      },
    };
  });
}

/**
 * Refreshes when the finger pulls down content that is at its top.
 * @param find returns what refreshes; undefined if nothing does now
 */
export function pullToRefresh(content, find) {
  follow(content, ({ target }) => {
    const refresh = find();
    let isScrolled = content.scrollTop > 0;
    for (let element = target; element !== content; element = element.parentElement) isScrolled ||= element.scrollTop > 0;
    if (isScrolled || !refresh) return undefined;
    return {
      takes: (dx, dy) => dy > Math.abs(dx),
      move(dx, dy) {
        content.style.transform = `translateY(${Math.min(enough * 1.5, Math.max(0, dy) / 2)}px)`;
        content.classList.toggle("pulled", dy / 2 > enough);
      },
      end(dx, dy) {
        content.classList.remove("pulled");
        settle(content);
        if (dy / 2 > enough) refresh();
      },
    };
  });
}

/** Lets the finger drag a sheet to another of its heights, and away below the lowest. */
export function dragSheet(layer, close) {
  const panel = layer.querySelector(":scope > .panel");
  follow(panel.querySelector(".grabber"), () => {
    const detents = layer.dataset.detents.split(" ");
    const height = panel.clientHeight;
    return {
      takes: (dx, dy) => Math.abs(dy) > Math.abs(dx),
      move(dx, dy) {
        panel.style.transform = dy > 0 ? `translateY(${dy}px)` : "";
        panel.style.height = dy < 0 && detents.length > 1 ? `${height - dy}px` : "";
      },
      end(dx, dy) {
        panel.style.height = "";
        settle(panel);
        const next = detents.indexOf(layer.dataset.detent) + (dy < -height / 8 ? 1 : dy > height / 4 ? -1 : 0);
        if (next < 0) close();
        else layer.dataset.detent = detents[Math.min(next, detents.length - 1)];
      },
    };
  });
}

/** Says where the focus is: Chromium tells a screen reader nothing of it while it goes to another entry of its history. */
export function sayFocus(announce) {
  if (!navigator.userAgent.includes("Chrome/")) return;
  setTimeout(() => {
    const element = document.activeElement;
    const heading = element.closest(".screen")?.querySelector("h1");
    if (heading) announce([...new Set([heading, element])].map((each) => each.ariaLabel ?? each.labels?.[0]?.textContent ?? each.innerText).join(", "));
  }, 100);
}
