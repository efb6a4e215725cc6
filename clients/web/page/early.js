/**
 * Asks the core for the first screen before the rest of the page is there, since each round trip takes long on
 * a slow network. The build writes this script into the HTML; `main.js` goes on with what it leaves in `early`.
 */
import { introduction } from "offstage";
import { locale } from "./locale.js";

const url = new URL(location);
url.searchParams.delete("token");
history.replaceState(history.state, "", url);

// The browser keeps the file, and has it when the page asks for it.
const { description } = document.documentElement.dataset;
if (description) fetch(description).catch(() => {});

const session = history.state?.session || undefined;
const options = {
  client: { name: "offstage-web", version: "0.1.0" },
  locale,
  timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  session,
};
const params = introduction({ ...options, kinds: ["*"] }, session && { session, revision: 0 });
const hello = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params });

// A new tab takes the session of the one that was closed last. A reload takes its own back.
const wanted = session ?? localStorage.session ?? "";
if (wanted === localStorage.session) delete localStorage.session;
const query = new URLSearchParams({ page: crypto.randomUUID(), session: wanted });
const address = new URL(`/core?${query}`, location.href);
address.protocol = address.protocol.replace("http", "ws");
const socket = new WebSocket(address);
const past = [];
socket.onopen = socket.onclose = socket.onmessage = (event) => past.push(event);
socket.addEventListener("open", () => socket.send(hello));

window.early = {
  options,
  address,
  /** The socket. What has happened to it happens again for the page, whose first line it has sent. */
  socket: {
    get readyState() {
      return socket.readyState;
    },
    send: (line) => line === hello || socket.send(line),
    close: (...reason) => socket.close(...reason),
    addEventListener(type, listener) {
      socket[`on${type}`] = null;
      socket.addEventListener(type, listener);
      queueMicrotask(() => past.filter((event) => event.type === type).forEach(listener));
    },
  },
};
