/** Connects to the core, and draws after each frame. */
import { ConnectionLost, ConnectionRefused, Core, CoreStopped, Refused, rootStack, visibleScreens, WebSocketTransport } from "offstage";
import { Address } from "./address.js";
import { Busy } from "./busy.js";
import { report } from "./description.js";
import { render } from "./dom.js";
import { Drafts } from "./drafts.js";
import { handlers } from "./prompts.js";
import { isWide, Shell } from "./shell.js";
import { styled } from "./screens/index.js";
import { link } from "./screens/map.js";
import { locale, speak, words } from "./words.js";

const page = crypto.randomUUID();
const socket = new URL(`/core?page=${page}`, location.href);
socket.protocol = socket.protocol.replace("http", "ws");

const core = new Core(connect, {
  prompts: handlers,
  announce: ["*"],
  reconnect: true,
  client: { name: "offstage-web", version: "0.1.0" },
  locale,
  timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  link: (handshake) => address.link(handshake),
  onRequest(request) {
    if (request.method !== "state/settle") busy.follow(request.answer);
    drafts.remember(request);
  },
  visible: (navigation) => {
    const shown = visibleScreens(navigation);
    const stack = rootStack(navigation);
    const beside = shown.at(-1) === stack.at(-1) ? shell.beside(stack) : undefined;
    return beside === undefined ? shown : [...shown, beside];
  },
  onFault: (error) => (error instanceof Refused ? address.miss() : console.error(error)),
});
const address = new Address(core);
const app = document.getElementById("app");
const busy = new Busy(() => core.wake());
const shell = new Shell(core, address, busy, restart);
const drafts = new Drafts(core, (screen) => address.name(screen), (screens, labels) => shell.notify(words.gone(screens.join(", "), labels.join(", "))));
let isScheduled = false;
let reported;

const darkness = matchMedia("(prefers-color-scheme: dark)");
darkness.addEventListener("change", draw);
isWide.addEventListener("change", () => core.visibilityChanged());

/** Follows the language and the appearance that the person has chosen in the app. */
function followChoices() {
  const { language, appearance } = core.document.at("display") ?? {};
  speak(language ?? undefined);
  document.documentElement.dataset.appearance = appearance ?? (darkness.matches ? "dark" : "light");
}

/** Draws once for all frames that arrive before the next animation frame. */
function draw() {
  if (isScheduled) return;
  isScheduled = true;
  requestAnimationFrame(() => {
    isScheduled = false;
    followChoices();
    render(app, shell.draw());
    shell.didDraw();
    if (core.status !== "connected") return;
    address.update();
    drafts.update();
  });
}

core.observe((frame) => {
  if (frame) {
    shell.take(frame);
  } else {
    shell.wake();
    if (core.status === "stopped" && core.error !== reported) report((reported = core.error));
  }
  draw();
});
app.addEventListener("click", (event) => {
  const link = event.target.closest(".prose a");
  if (!link) return;
  event.preventDefault();
  shell.questions.askToOpen(link.href);
});
addEventListener("online", () => core.reconnectNow());
document.addEventListener("visibilitychange", () => document.hidden || core.reconnectNow());
addEventListener("keydown", (event) => {
  // An open menu closes by itself.
  if (event.key === "Escape" && !document.querySelector(":popover-open")) shell.escape(event);
});

/**
 * Opens the WebSocket. First fetches a file with the same access, since a browser hides why a
 * WebSocket fails, and delays the next one.
 */
async function connect() {
  const response = await fetch("/config.json", { signal: AbortSignal.timeout(5_000) }).catch(() => undefined);
  if (response?.status === 403) throw new ConnectionRefused("the token is no longer valid", 403);
  if (!response) throw new ConnectionLost("the server does not answer");
  return WebSocketTransport.connect(socket);
}

async function start() {
  try {
    await core.start();
  } catch (error) {
    if (!(error instanceof CoreStopped)) throw error;
  }
  draw();
}

/** Starts the core again after it has ended. */
async function restart() {
  shell.reset();
  await start();
}

followChoices();
render(app, shell.draw());
await start();
// For tests, and for the console.
window.offstage = { core, styled, link };
