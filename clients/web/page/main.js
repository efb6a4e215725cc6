/** Connects with the core, and draws after each frame. */
import { ConnectionRefused, Core, CoreStopped, Refused, WebSocketTransport } from "/offstage/index.js";
import { Address } from "./address.js";
import { report } from "./description.js";
import { render } from "./dom.js";
import { handlers } from "./prompts.js";
import { Shell } from "./shell.js";
import { locale, words } from "./words.js";

const page = crypto.randomUUID();
const socket = new URL(`/core?page=${page}`, location.href);
socket.protocol = socket.protocol.replace("http", "ws");

const core = new Core(connect, {
  prompts: handlers,
  announce: ["alert", "confirmationDialog"],
  reconnect: true,
  client: { name: "offstage-web", version: "0.1.0" },
  locale,
  timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  link: (handshake) => address.link(handshake),
  onRequest: (request) => address.remember(request),
  onFault: (error) => (error instanceof Refused ? shell.notify(words.noPage) : console.error(error)),
});
const address = new Address(core);
const app = document.getElementById("app");
const shell = new Shell(core, restart);
let isScheduled = false;
let reported;

document.documentElement.lang = locale;

/** Draws once for all frames that arrive before the next picture. */
function draw() {
  if (isScheduled) return;
  isScheduled = true;
  requestAnimationFrame(() => {
    isScheduled = false;
    render(app, shell.draw());
    shell.didDraw();
    if (core.status === "connected") address.update();
  });
}

core.observe((frame) => {
  if (frame) {
    address.take(frame);
    shell.take(frame);
  } else {
    shell.wake();
    if (core.status === "stopped" && core.error !== reported) report((reported = core.error));
  }
  draw();
});
addEventListener("online", () => core.reconnectNow());
addEventListener("keydown", (event) => {
  if (event.key === "Escape") shell.escape(event);
});

/** Opens the WebSocket. A browser hides the status of one that fails, so ask for a file with the same access. */
async function connect() {
  try {
    return await WebSocketTransport.connect(socket);
  } catch (error) {
    const response = await fetch("/config.json").catch(() => undefined);
    throw response?.status === 403 ? new ConnectionRefused("the token is no longer valid", 403) : error;
  }
}

async function start() {
  try {
    await core.start();
    document.title = core.description.info.title;
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

render(app, shell.draw());
await start();
// For tests, and for the console.
window.offstage = { core, words };
