/** Draws a series of points as a line. */
import { h } from "./dom.js";
import { memberSchema, say, scalar } from "./values.js";

const [width, height] = [600, 160];

export function chart(view, values, schema, port, label, key) {
  const items = view.schema(schema.items ?? {});
  const [x, y] = [port["x-x"], port["x-y"]];
  const points = values.map((value, index) =>
    typeof value === "number" ? { place: String(index + 1), value } : { place: say(view, value[x], memberSchema(view, items, x)), value: value[y] },
  ).filter(({ value }) => Number.isFinite(value));
  if (points.length === 0) return null;
  const unit = y === undefined ? items : memberSchema(view, items, y);
  const low = Math.min(0, ...points.map(({ value }) => value));
  const high = Math.max(...points.map(({ value }) => value));
  const place = ({ value }, index) => [
    points.length === 1 ? width / 2 : (index / (points.length - 1)) * width,
    height - ((value - low) / (high - low || 1)) * height,
  ];
  const line = points.map((point, index) => place(point, index).map((each) => each.toFixed(1)).join(",")).join(" ");
  const [first, last] = [points[0], points.at(-1)];
  const text = points.map(({ place, value }) => `${place}: ${scalar(value, unit)}`).join(", ");
  return h("figure", { key, class: "card chart" },
    h("figcaption", {}, h("span", {}, label), h("span", { class: "muted" }, scalar(last.value, unit))),
    h("div", { class: "plot" },
      h("svg", { viewBox: `0 -8 ${width} ${height + 16}`, preserveAspectRatio: "none", role: "img", "aria-label": `${label}. ${text}` },
        h("polygon", { points: `${place(first, 0)[0]},${height} ${line} ${place(last, points.length - 1)[0]},${height}` }),
        h("polyline", { points: line })),
      h("span", { class: "top" }, scalar(high, unit)), h("span", { class: "bottom" }, scalar(low, unit))),
    h("p", { class: "axis muted" }, h("span", {}, first.place), points.length > 1 && h("span", {}, last.place)));
}
