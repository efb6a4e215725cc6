/** Draws the ground below the pins, for use without a tile server. */
import * as L from "leaflet/leaflet.esm.js";

// The style sheet inverts these colors in the dark.
const looks = {
  mountain: { fill: "#d9e6cf", text: "#5b7549", from: 11 },
  park: { fill: "#c8e2b6", text: "#47743a", from: 14 },
  river: { fill: "#a9d1ea", text: "#2f6690", from: 10 },
  lake: { fill: "#a9d1ea", text: "#2f6690", from: 15 },
  stream: { fill: "#a9d1ea", text: "#2f6690", from: 14 },
  palace: { fill: "#eedcb8", text: "#835c24", from: 14 },
  street: { fill: "#fff", edge: "#d3d6cd", text: "#5f665b", from: 15 },
  district: { text: "#2c3129", from: 12, until: 16 },
};
const sizes = { river: 13, district: 13 };

/** A layer of tiles with a grid of degrees and, once it is loaded, the app's drawing of the land. */
export const Ground = L.GridLayer.extend({
  /** @param address returns the address of a resource */
  initialize(uri, address) {
    L.GridLayer.prototype.initialize.call(this);
    this._address = address;
    this._features = [];
    this._labels = new Map();
    this.show(uri);
  },

  /** Draws another drawing, such as one in another language. */
  async show(uri) {
    if (!uri || uri === this._uri) return;
    this._uri = uri;
    const response = await fetch(this._address(uri)).catch(() => undefined);
    if (!response?.ok || uri !== this._uri) return;
    const { features } = await response.json();
    this._features = features.filter(({ kind }) => kind in looks).map(prepare);
    this._labels.clear();
    if (this._map) this.redraw();
  },

  createTile(coords) {
    const size = this.getTileSize();
    const tile = L.DomUtil.create("canvas", "drawn-tile");
    tile.setAttribute("aria-hidden", "true");
    const scale = Math.min(devicePixelRatio || 1, 2);
    Object.assign(tile, { width: size.x * scale, height: size.y * scale });
    const context = tile.getContext("2d");
    context.scale(scale, scale);
    context.fillStyle = "#f1f2ec";
    context.fillRect(0, 0, size.x, size.y);
    const origin = coords.scaleBy(size);
    const corner = this._map.unproject(origin, coords.z);
    const far = this._map.unproject(origin.add(size), coords.z);
    drawGrid(context, size, corner, far, ([lat, lng]) => this._map.project([lat, lng], coords.z).subtract(origin));
    // Bands and names reach beyond their points.
    const seen = L.latLngBounds(corner, far).pad(1);
    const point = (at) => this._map.project(at, coords.z).subtract(origin);
    for (const feature of this._features) if (seen.intersects(feature.bounds)) drawFeature(context, feature, point, coords.z);
    for (const label of this._namesAt(coords.z)) drawLabel(context, label, origin);
    return tile;
  },

  /** The names at a zoom, in pixels of the world, without those that would cover another. */
  _namesAt(zoom) {
    if (!this._labels.has(zoom)) {
      const context = document.createElement("canvas").getContext("2d");
      const placed = [];
      const order = Object.keys(looks).reverse();
      for (const { kind, title, middle } of this._features.toSorted((a, b) => rank(order, a) - rank(order, b))) {
        const { from, until = Infinity, text } = looks[kind];
        if (zoom < from || zoom >= until || !title) continue;
        context.font = fontOf(kind);
        const half = L.point(context.measureText(title).width / 2 + 6, 11);
        const at = this._map.project(middle, zoom);
        const box = L.bounds(at.subtract(half), at.add(half));
        if (!placed.some((other) => other.box.overlaps(box))) placed.push({ title, kind, at, box, color: text });
      }
      this._labels.set(zoom, placed);
    }
    return this._labels.get(zoom);
  },
});

const fontOf = (kind) => `${kind === "district" ? 650 : 500} ${sizes[kind] ?? 12}px system-ui, "Noto Sans KR", "Noto Sans CJK KR", sans-serif`;

/** Names of districts and rivers come first. */
const rank = (order, { kind }) => (kind === "river" ? -1 : order.indexOf(kind));

function prepare({ kind, title, meters, points }) {
  const places = points.flatMap((lat, index) => (index % 2 === 0 ? [[lat, points[index + 1]]] : []));
  const bounds = L.latLngBounds(places);
  return { kind, title, meters, places, bounds, middle: meters ? places[places.length >> 1] : bounds.getCenter() };
}

function drawFeature(context, { kind, meters, places, middle }, point, zoom) {
  const { fill, edge } = looks[kind];
  if (!fill) return;
  context.beginPath();
  for (const place of places) {
    const { x, y } = point(place);
    context.lineTo(x, y);
  }
  if (!meters) {
    context.closePath();
    context.fillStyle = fill;
    return context.fill();
  }
  const [lat] = Array.isArray(middle) ? middle : [middle.lat];
  const pixel = (40_075_017 * Math.cos((lat * Math.PI) / 180)) / (256 * 2 ** zoom);
  const width = Math.max(edge ? 1.5 : 1, meters / pixel);
  Object.assign(context, { lineCap: "round", lineJoin: "round" });
  if (edge) {
    Object.assign(context, { strokeStyle: edge, lineWidth: width + 2 });
    context.stroke();
  }
  Object.assign(context, { strokeStyle: fill, lineWidth: width });
  context.stroke();
}

function drawLabel(context, { title, kind, at, color }, origin) {
  const { x, y } = at.subtract(origin);
  Object.assign(context, { font: fontOf(kind), textAlign: "center", textBaseline: "middle", lineWidth: 3, lineJoin: "round", strokeStyle: "#fffc", fillStyle: color });
  context.strokeText(title, x, y);
  context.fillText(title, x, y);
}

/** Draws lines of whole degrees, or parts of them, with numbers at some. */
function drawGrid(context, size, corner, far, point) {
  const step = niceStep((far.lng - corner.lng) / 4);
  const lines = (from, to, draw) => {
    for (let line = Math.ceil(from / step); line * step <= to; line++) draw(line * step, line % 5 === 0);
  };
  const stroke = (isMajor, x0, y0, x1, y1) => {
    context.strokeStyle = isMajor ? "#d9dcd3" : "#e7e9e2";
    context.lineWidth = 1;
    context.beginPath();
    context.moveTo(x0, y0);
    context.lineTo(x1, y1);
    context.stroke();
  };
  context.font = "10px system-ui, sans-serif";
  context.fillStyle = "#6b7468";
  lines(corner.lng, far.lng, (lng, isMajor) => {
    const { x } = point([corner.lat, lng]);
    stroke(isMajor, x, 0, x, size.y);
    context.textAlign = x > size.x - 60 ? "end" : "start";
    if (isMajor) context.fillText(`${lng.toFixed(3)}°`, x + (x > size.x - 60 ? -4 : 4), 12);
  });
  lines(far.lat, corner.lat, (lat, isMajor) => {
    const { y } = point([lat, corner.lng]);
    stroke(isMajor, 0, y, size.x, y);
    context.textAlign = "start";
    if (isMajor) context.fillText(`${lat.toFixed(3)}°`, 4, y > 16 ? y - 4 : y + 12);
  });
}

/** Rounds up to 1, 2, or 5 times a power of ten. */
function niceStep(step) {
  const power = 10 ** Math.floor(Math.log10(step));
  return power * ([1, 2, 5].find((factor) => factor * power >= step) ?? 10);
}
