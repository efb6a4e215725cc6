/** Answers the core's questions to the device. All others are drawn as questions to the person. */
import { Dismissed } from "offstage";
import { save } from "./files.js";
import { address, announce } from "./parts.js";
import { words } from "./words.js";

const timers = new Map();
const day = 24 * 3600 * 1000;

export const handlers = {
  async "location.current"({ id, params, signal }) {
    const { geolocation, permissions } = navigator;
    if (!geolocation) throw new Error("this browser has no location");
    const permission = await permissions?.query({ name: "geolocation" }).catch(() => undefined);
    if (params.reason && permission?.state === "prompt") await agreement(id, params.reason, signal);
    return new Promise((resolve, reject) =>
      geolocation.getCurrentPosition(
        ({ coords }) => resolve({ lat: coords.latitude, lng: coords.longitude }),
        (error) => reject(new Error(error.message)),
        { timeout: 10_000, maximumAge: 60_000 },
      ));
  },

  async share(prompt) {
    try {
      await navigator.share({ text: prompt.params.text });
      return {};
    } catch (error) {
      if (error.name === "AbortError") throw new Dismissed();
      return copy(prompt);
    }
  },

  copy,

  async saveFile({ params }) {
    const response = await fetch(address(params.uri)).catch(() => undefined);
    if (!response?.ok) throw new Error(words.notSaved(params.name));
    save(params.name, new Blob([await response.arrayBuffer()], { type: params.mimeType }));
    return {};
  },

  "notifications.authorize": async () => ({ granted: "Notification" in window && (await Notification.requestPermission()) === "granted" }),

  "notifications.status": () => ({ status: { granted: "granted", denied: "denied" }[window.Notification?.permission ?? "denied"] ?? "notDetermined" }),

  /** Shows notifications while the page is open. The app schedules them again on each start. */
  "notifications.schedule"({ params }) {
    timers.forEach(clearTimeout);
    timers.clear();
    for (const { id, title, body, at } of params.notifications) {
      const delay = at * 1000 - Date.now();
      if (delay > 0 && delay < day) timers.set(id, setTimeout(() => new Notification(title, { body, tag: id }), delay));
    }
    return {};
  },
};

/** The ids of prompts with a text that the browser does not let the page copy: the person does it, in a dialog. */
export const byHand = Object.assign(new Set(), { changed() {} });

/** What the app would like to ask the browser, by the id of its prompt: why, and what a tap does. */
export const requests = Object.assign(new Map(), { changed() {} });

/** Waits until the person agrees: a question that a browser asks out of nowhere is declined for good. */
function agreement(id, reason, signal) {
  return new Promise((resolve, reject) => {
    requests.set(id, { reason, agree: resolve, decline: () => reject(new Dismissed()) });
    requests.changed();
    signal.addEventListener("abort", () => reject(new Dismissed()));
  }).finally(() => {
    requests.delete(id);
    requests.changed();
  });
}

async function copy({ id, params, signal }) {
  try {
    // A browser has a clipboard for encrypted and local pages only.
    await navigator.clipboard.writeText(params.text);
  } catch {
    byHand.add(id);
    signal.addEventListener("abort", () => byHand.delete(id));
    byHand.changed();
    return new Promise(() => {}); // The dialog answers.
  }
  announce(words.copied);
  return {};
}
