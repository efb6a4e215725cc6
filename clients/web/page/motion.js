/** Animates the navigation commands of a frame. */

/** True for people who ask for less motion. */
export const still = matchMedia("(prefers-reduced-motion: reduce)");

const curves = { linear: "linear", easeIn: "ease-in", easeOut: "ease-out", easeInEaseOut: "ease-in-out", default: "cubic-bezier(.3,.7,.2,1)" };
const right = { transform: "translateX(100%)" };
const left = { transform: "translateX(-30%)", opacity: 0 };
const below = { transform: "translateY(100%)" };
const faded = { opacity: 0 };
const small = { opacity: 0, transform: "scale(.94)" };

/** Where a screen or a layer enters from and leaves to, by the type of the command. */
const ends = { push: right, pop: right, popTo: left, present: below, dismiss: below, showModal: small, dismissModal: small, selectTab: faded, setRoot: faded, moveToTop: right };
/** Core Animation's subtypes: the edge from which a transition starts. */
const edges = { fromRight: right, fromLeft: { transform: "translateX(-100%)" }, fromTop: { transform: "translateY(-100%)" }, fromBottom: below };

export function enter(element, command) {
  if (command) play(element, command, (end) => [end, {}]);
}

/** Animates an element, and removes it. */
export function leave(element, command) {
  element.inert = true;
  element.classList.add("leaving");
  const animation = command && play(element, command, (end) => [{}, end]);
  if (animation) animation.finished.finally(() => element.remove());
  else element.remove();
}

function play(element, { type, transition }, frames) {
  if (still.matches || !ends[type]) return undefined;
  const end = transition ? (edges[transition.subtype] ?? (transition.type === "fade" ? faded : ends[type])) : ends[type];
  const duration = (transition?.duration ?? 0.3) * 1000;
  const moving = element.classList.contains("layer") ? element.querySelector(":scope > .panel") ?? element : element;
  if (moving !== element) element.querySelector(":scope > .backdrop")?.animate(frames(faded), { duration });
  return moving.animate(frames(end), { duration, easing: curves[transition?.curve] ?? curves.default, fill: "backwards" });
}
