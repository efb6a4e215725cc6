/** Goes on with the connection of `early.js`, and draws after each frame. */
import { Core, CoreStopped, Refused, rootStack, visibleScreens } from "offstage";
import { Address } from "./address.js";
import { Busy } from "./busy.js";
import { connect, isAway, patience, probe, watch } from "./connection.js";
import { report } from "./description.js";
import { h, render } from "./dom.js";
import { print } from "./long.js";
import { byHand, handlers, requests } from "./prompts.js";
import { keepScroll } from "./scroll.js";
import { isWide, sayFocus, Shell } from "./shell.js";
import { styled } from "./screens/index.js";
import { link } from "./screens/map.js";
import { move } from "./window.js";
import { pick, speak, words } from "./words.js";

const { early } = window;

const core = new Core(() => connect(core.handshake?.session), {
  ...early.options,
  prompts: handlers,
  announce: ["*"],
  reconnect: true,
  link(handshake) {
    if (core.description) shell.startAgain();
    return address.link(handshake);
  },
  // Over HTTP, since the browser keeps it for the next visit.
  describe: async ({ description }) => {
    const response = description && (await fetch(description, { signal: AbortSignal.timeout(patience) }).catch(() => undefined));
    return response?.ok ? response.json().catch(() => undefined) : undefined;
  },
  onRequest(request) {
    if (request.method !== "state/settle") busy.follow(request.answer);
    if (request.method === "input") shell.toasts.sent(request);
    // What waits for a connection says so.
    if (isAway(core)) core.wake();
  },
  visible: (navigation) => {
    const shown = visibleScreens(navigation);
    const stack = rootStack(navigation);
    const beside = shown.at(-1) === stack.at(-1) ? shell.beside(stack) : undefined;
    return beside === undefined ? shown : [...shown, beside];
  },
  onFault: (error) => (error instanceof Refused ? address.miss() : console.error(error)),
});
const address = new Address(core, sayFocus);
byHand.changed = requests.changed = () => core.wake();
const app = document.getElementById("app");
const busy = new Busy(() => {
  core.wake();
  watch(core, () => busy.isShown);
});
const shell = new Shell(core, address, busy, start);
let isScheduled = false;
let reported;

const darkness = matchMedia("(prefers-color-scheme: dark)");
darkness.addEventListener("change", draw);
isWide.addEventListener("change", () => core.visibilityChanged());

/** Follows the language and the appearance that the person has chosen in the app. */
function followChoices() {
  const { language, appearance } = core.document;
  speak(language ?? undefined);
  document.documentElement.dataset.appearance = appearance ?? (darkness.matches ? "dark" : "light");
}

/** Draws once for all frames that arrive before the next animation frame. */
function draw() {
  if (isScheduled) return;
  isScheduled = true;
  requestAnimationFrame(() => {
    isScheduled = false;
    drawNow();
  });
}

function drawNow() {
  followChoices();
  render(app, shell.draw());
  shell.didDraw();
  if (core.status === "connected") address.update();
}

for (const type of ["beforeprint", "afterprint"]) {
  addEventListener(type, () => {
    print(type === "beforeprint");
    shell.wake();
    drawNow();
  });
}

core.observe((frame) => {
  if (frame) {
    shell.take(frame);
    address.take(frame);
  } else {
    shell.wake();
    if (core.status === "stopped" && core.error !== reported) report((reported = core.error));
  }
  draw();
});
// The middle button asks, too.
for (const type of ["click", "auxclick"]) {
  app.addEventListener(type, (event) => {
    const link = event.target.closest(".prose a, a.asked");
    if (!link || event.button === 2) return;
    event.preventDefault();
    shell.questions.askToOpen(link.href);
  });
}
addEventListener("online", () => core.reconnectNow());
// The server may be on this device, and a network may have changed in its sleep: ask.
addEventListener("offline", () => probe(2_000));
document.addEventListener("visibilitychange", () => {
  if (document.hidden) return;
  core.reconnectNow();
  probe(patience);
});
addEventListener("keydown", (event) => {
  // An open menu, and the help, close by themselves.
  if (event.key === "Escape" && !event.isComposing && !document.querySelector(":popover-open, dialog[open]")) shell.escape(event);
});

/** Starts the core, or goes on with its session. */
async function start() {
  try {
    await core.restart();
  } catch (error) {
    if (!(error instanceof CoreStopped)) throw error;
  }
  draw();
}

followChoices();
app.replaceChildren();
// Before the first drawing, which would say that the core has stopped.
const starting = start();
render(app, shell.draw());
keepScroll(early.options.session, () => core.handshake?.session);
// The next tab takes it. A page that never met its core gives back what it took.
addEventListener("pagehide", () => {
  const session = core.handshake?.session ?? early.address.searchParams.get("session");
  if (session) localStorage.session = session;
});
await starting;
// For tests, and for the console.
window.offstage = { core, styled, link };
// After the first screen, since they would delay it.
(window.requestIdleCallback ?? setTimeout)(async () => {
  await import("./keys.js").then(({ listenToKeys }) => listenToKeys(core, { h, render, move, get words() { return words; }, pick: (texts) => pick(texts) })).catch(report);
  document.querySelector("[rel=icon]").href = "/icon.svg";
  document.head.append(Object.assign(document.createElement("link"), { rel: "manifest", crossOrigin: "use-credentials", href: "/manifest.webmanifest" }));
  navigator.serviceWorker?.register("/worker.js").catch(report);
});
