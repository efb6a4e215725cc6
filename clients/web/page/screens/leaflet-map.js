/** A Leaflet map, with tiles from a server or drawn ones. */
import style from "leaflet-style";
import * as L from "leaflet/leaflet.esm.js";
import { Ground } from "./ground.js";

// Below the page's own styles.
document.head.prepend(Object.assign(document.createElement("style"), { textContent: style }));

const config = await (await fetch("/config.json")).json();
const pin = L.divIcon({ className: "pin", html: '<svg viewBox="0 0 24 32" aria-hidden="true"><path d="M12 0a12 12 0 0 1 12 12c0 8-12 20-12 20S0 20 0 12A12 12 0 0 1 12 0z"/><circle cx="12" cy="12" r="4.500"/></svg>', iconSize: [24, 32], iconAnchor: [12, 32] });

const texts = { closer: [(count) => `${count} more places here`, (count) => `이곳에 ${count}곳 더 있음`] };

export class LeafletMap {
  #markers = new Map();
  #clusters = new Map();
  /** What the clusters show. */
  #counted;
  /** The center of the core's bounds. */
  #center;
  /** The area that the core has asked to show. */
  #area;
  /** What the sheet shows in place of the places around. */
  #open;
  /** The place in the middle of the visible part. */
  #shown;
  #isMoving = false;
  /** True if the visible bounds must be sent to the app. */
  #isNew = false;
  #isSettling = false;

  /**
   * @param page what is used of the page, which would be in two files if this one imported from it
   * @param place the only place to show, if any
   */
  constructor(element, view, page, place) {
    this.view = view;
    this.page = page;
    this.covers = element.parentElement.querySelectorAll(".search-bar, .bottom-sheet");
    const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.map = L.map(element, { zoomControl: false, attributionControl: Boolean(config.tiles), keyboard: !place, zoomAnimation: !calm, fadeAnimation: !calm });
    this.ground = config.tiles ? L.tileLayer(config.tiles, { maxZoom: 19, attribution: credit(config.credit) }) : new Ground(view.output.ground, page.address);
    this.ground.addTo(this.map);
    L.control.zoom({ position: "topright" }).addTo(this.map);
    this.#center = this.#shown = L.latLng(place ?? view.output.center);
    this.map.setView(this.#center, place ? 16 : 14);
    const observer = new ResizeObserver((entries) => {
      this.#resized();
      if (!place && entries.some(({ target }) => target === element)) this.#report();
    });
    for (const each of [element, ...this.covers]) observer.observe(each);
    if (place) {
      L.marker(place, { icon: pin, alt: place.name, keyboard: false }).addTo(this.map);
    } else {
      this.map.on("moveend", () => {
        for (const marker of [...this.#markers.values(), ...this.#clusters.values()]) marker.setLatLng(this.#nearest(marker.getLatLng()));
        this.#moved();
      });
    }
  }

  update(view) {
    this.view = view;
    const { markers, clusters, center, area, details, ground } = view.output;
    this.ground.show?.(ground);
    const shown = new Set(markers.map(({ id }) => id));
    for (const [id, marker] of this.#markers) {
      if (shown.has(id)) continue;
      marker.remove();
      this.#markers.delete(id);
    }
    for (const { id, title, lat, lng } of markers) {
      if (this.#markers.has(id)) continue;
      this.#markers.set(id, this.#button({ lat, lng }, pin, title).on("click", () => this.view.send("placeTapped", id)));
    }
    this.#count(clusters);
    // The open place stands out among its neighbors.
    for (const [id, marker] of this.#markers) marker.getElement()?.classList.toggle("found", id === details?.id);
    // After the person has moved the map, the core repeats the center that was sent.
    if (this.map.distance(center, this.#center) >= 1) {
      this.#center = L.latLng(center);
      this.#show(this.#center);
      this.#isNew = true;
    }
    if (area && JSON.stringify(area) !== JSON.stringify(this.#area)) {
      this.#zoomOut(area);
      this.#isNew = true;
    }
    this.#area = area;
    if (this.#isNew) this.#report();
    this.#sayOpen(view.output);
  }

  /** Says what the sheet shows in place of the places around, for the focus stays where it was. */
  #sayOpen({ places, details, areResultsShown, resultsTitle }) {
    const place = details && [places.find(({ id }) => id === details.id)?.name, details.distanceText, details.directionText];
    const text = place?.filter(Boolean).join(", ") ?? (areResultsShown ? resultsTitle : "");
    if (text && this.#open !== undefined && text !== this.#open) this.page.announce(text);
    this.#open = text;
  }

  /** Shows the numbers of places without pins. A tap goes closer. */
  #count(clusters) {
    if (clusters === this.#counted) return;
    this.#counted = clusters;
    for (const marker of this.#clusters.values()) marker.remove();
    this.#clusters.clear();
    for (const { id, count, text, lat, lng } of clusters) {
      const size = 26 + Math.min(34, 6 * Math.log10(count) + 5 * text.length);
      const icon = L.divIcon({ className: "cluster", html: text, iconSize: [size, size] });
      const marker = this.#button({ lat, lng }, icon, this.page.pick(texts).closer(text), { zIndexOffset: -1000 });
      marker.on("click", () => this.map.setView(marker.getLatLng(), this.map.getZoom() + 2));
      this.#clusters.set(id, marker);
    }
  }

  /** Adds a marker that can be pressed. Leaflet says so to a screen reader only of an `img`. */
  #button(at, icon, title, options = {}) {
    const marker = L.marker(this.#nearest(at), { icon, title, ...options }).addTo(this.map);
    const element = marker.getElement();
    element.setAttribute("role", "button");
    // Leaflet knows the Return key only.
    element.addEventListener("keydown", (event) => {
      if (event.key !== " ") return;
      event.preventDefault();
      marker.fire("click");
    });
    return marker;
  }

  /** True while the app asks the browser for the location, which moves a map that the person has not moved. */
  get #isAsking() {
    return Object.entries(this.view.core.document.prompts).some(([id, { kind }]) => kind === "location.current" && !document.getElementById(`request-${id}`));
  }

  /** Sends the visible bounds when the core has settled, unless it is about to move the map. The location does, but not an error. */
  async #report() {
    this.#isNew = true;
    if (this.#isSettling) return;
    this.#isSettling = true;
    const { core } = this.view;
    try {
      await core.settle();
      if (this.#isAsking) {
        await core.until(() => !this.#isAsking);
        await core.settle();
      }
    } catch (error) {
      this.page.report(error);
    }
    this.#isSettling = false;
    const center = this.view.now?.output.center;
    const isBehind = center && this.map.distance(center, this.#center) >= 1;
    if (this.#isNew && !this.#isAsking && !isBehind) this.#send();
  }

  /** The largest part of the map, in pixels, that neither the search bar nor the sheet covers. */
  get #visible() {
    const { x, y } = this.map.getSize();
    const frame = this.map.getContainer().getBoundingClientRect();
    let free = L.bounds([0, 0], [x, y]);
    for (const cover of this.covers) {
      const { left, top, right, bottom } = cover.getBoundingClientRect();
      const { min, max } = free;
      const inside = (x, y) => [Math.max(min.x, Math.min(max.x, x - frame.left)), Math.max(min.y, Math.min(max.y, y - frame.top))];
      const covered = L.bounds(inside(left, top), inside(right, bottom));
      // The parts to its left, to its right, below it, and above it.
      free = [
        L.bounds(min, [covered.min.x, max.y]), L.bounds([covered.max.x, min.y], max), L.bounds([min.x, covered.max.y], max), L.bounds(min, [max.x, covered.min.y]),
      ].reduce((best, part) => (surface(part) > surface(best) ? part : best));
      // A sheet that covers almost all is about to be pulled down again.
      if (free.max.y < y / 2) free.max.y = y / 2;
    }
    return free;
  }

  /** A place in the copy of the world that the map shows. */
  #nearest({ lat, lng }) {
    return L.latLng(lat, lng + 360 * Math.round((this.map.getCenter().lng - lng) / 360));
  }

  /** Moves the map for the app: puts a place in the middle of the visible part. */
  #show(place) {
    this.#shown = place;
    const offset = this.map.getSize().divideBy(2).subtract(this.#visible.getCenter());
    const middle = this.map.unproject(this.map.project(place).add(offset));
    this.#isMoving = true;
    this.map.setView(middle, undefined, { animate: false });
    this.#isMoving = false;
  }

  /** Shows a larger area in the visible part. */
  #zoomOut({ minLat, minLng, maxLat, maxLng }) {
    const bounds = L.latLngBounds([minLat, minLng], [maxLat, maxLng < minLng ? maxLng + 360 : maxLng]);
    const { min, max } = this.#visible;
    // The pins stay off the edges.
    const covered = this.map.getSize().subtract(max.subtract(min)).add([48, 80]);
    this.#isMoving = true;
    this.map.setZoom(Math.min(this.map.getZoom(), this.map.getBoundsZoom(bounds, false, covered)), { animate: false });
    this.#isMoving = false;
    this.#show(L.latLng(bounds.getCenter()));
  }

  #resized() {
    this.#isMoving = true;
    this.map.invalidateSize({ pan: false });
    this.#show(this.#shown);
  }

  /** Sends the visible bounds after the person has moved the map. */
  #moved() {
    if (this.#isMoving) return;
    this.#shown = this.map.containerPointToLatLng(this.#visible.getCenter());
    this.#send();
  }

  #send() {
    this.#isNew = false;
    const { min, max } = this.#visible;
    const [northWest, southEast] = [min, max].map((corner) => this.map.containerPointToLatLng(corner));
    const lat = (value) => Math.max(-85, Math.min(85, value));
    const isRound = southEast.lng - northWest.lng >= 360;
    const bounds = {
      minLat: lat(southEast.lat), minLng: isRound ? -180 : northWest.wrap().lng,
      maxLat: lat(northWest.lat), maxLng: isRound ? 180 : southEast.wrap().lng,
    };
    this.#center = L.latLng((bounds.minLat + bounds.maxLat) / 2, isRound ? 0 : (northWest.lng + southEast.lng) / 2);
    this.view.send("boundsChanged", bounds);
  }
}

function surface({ min, max }) {
  return Math.max(0, max.x - min.x) * Math.max(0, max.y - min.y);
}

/** The makers of the tiles, as the HTML that Leaflet shows. */
function credit({ text, link }) {
  const element = document.createElement(link ? "a" : "span");
  element.textContent = text;
  if (link) Object.assign(element, { href: link, target: "_blank", rel: "noopener" });
  return text && element.outerHTML;
}
