/** Shows a page of its own while the server cannot be reached. */
const offline = "/offline.html";

self.addEventListener("install", (event) => event.waitUntil(caches.open("offline").then((cache) => cache.add(offline))));

self.addEventListener("fetch", (event) => {
  if (event.request.mode === "navigate") event.respondWith(fetch(event.request).catch(() => caches.match(offline)));
});
