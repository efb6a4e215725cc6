/** Answers the core's questions to the device. The shell draws alerts and dialogs. */
import { Dismissed } from "/offstage/index.js";
import { announce } from "./shell.js";
import { words } from "./words.js";

const timers = new Map();
const day = 24 * 3600 * 1000;

export const handlers = {
  "location.current": () =>
    new Promise((resolve, reject) => {
      if (!navigator.geolocation) return reject(new Error("this browser has no location"));
      navigator.geolocation.getCurrentPosition(
        ({ coords }) => resolve({ lat: coords.latitude, lng: coords.longitude }),
        (error) => reject(new Error(error.message)),
        { timeout: 10_000, maximumAge: 60_000 },
      );
    }),

  async share({ params }) {
    try {
      if (navigator.share) return await navigator.share({ text: params.text });
      await navigator.clipboard.writeText(params.text);
      announce(words.copied);
    } catch (error) {
      if (error.name === "AbortError") throw new Dismissed();
      throw error;
    }
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
  },
};
