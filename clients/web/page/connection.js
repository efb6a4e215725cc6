/** Connects the page with its server, and notices when it is gone. */
import { ConnectionLost, ConnectionRefused, WebSocketTransport } from "offstage";

const { early } = window;
// A frame of half a megabyte takes ten seconds at 400 kbit/s.
const heartbeat = { after: 5_000, patience: 15_000 };
export const { patience } = heartbeat;
let transport;
let isStarting = true;
let isWatching = false;
let isSilent = false;

/** True if what a person does now is not sent, or has not reached the server. */
export const isAway = (core) => isSilent || core.status === "reconnecting";

/**
 * Opens the WebSocket, or takes the one of `early.js` at the start. Later, first fetches a file with the
 * same access, since a browser hides why a WebSocket fails, and delays the next one.
 */
export async function connect(session) {
  if (isStarting) {
    isStarting = false;
    return open(() => early.socket);
  }
  const response = await reach();
  if (response?.status === 403) throw new ConnectionRefused("the token is no longer valid", 403);
  if (!response) throw new ConnectionLost("the server does not answer");
  // Each page has a session of its own, so that two tabs of one browser do not move each other.
  if (session) early.address.searchParams.set("session", session);
  return open();
}

async function open(create) {
  transport = await WebSocketTransport.connect(early.address, create, heartbeat);
  return transport;
}

const reach = () => fetch("/config.json", { cache: "no-store", signal: AbortSignal.timeout(5_000) }).catch(() => undefined);

/** Asks at once whether the server is still there. */
export function probe(patience) {
  transport?.probe(patience);
}

/**
 * Asks the server over HTTP while something is unanswered, and gives the connection up without an answer.
 * A heartbeat takes longer, since it waits behind the frame that is on its way.
 */
export async function watch(core, isWaiting) {
  if (isWatching) return;
  isWatching = true;
  for (await pause(700); isWaiting(); await pause(2_000)) {
    if (core.status !== "connected") continue;
    const asked = transport;
    const timer = setTimeout(() => show(core, true), 2_000);
    if (!(await reach())) asked.probe(0);
    clearTimeout(timer);
    show(core, false);
  }
  isWatching = false;
}

/** Lets what is unanswered say so, or no longer. */
function show(core, silent) {
  if (silent === isSilent) return;
  isSilent = silent;
  core.wake();
}

const pause = (time) => new Promise((done) => setTimeout(done, time));
