/** Draws rows with columns: headers that sort, and rows that are chosen. */
import { types } from "./description.js";
import { h } from "./dom.js";
import { long, mostDrawn } from "./long.js";
import { icon } from "./parts.js";
import { actions, anatomy, idOf, marks, moves, stateClasses } from "./rows.js";
import { image, inline, isImage, memberSchema, memberTitle, scalar, shareOf } from "./values.js";

/** Members that are no column of their own. */
const apart = new Set(["hidden", "alt", "state"]);

export function table(view, values, schema, port, label, path) {
  const items = view.schema(schema.items ?? {});
  const inner = (name) => memberSchema(view, items, name);
  const columns = Object.keys(items.properties ?? values[0] ?? {}).filter((name) => !apart.has(inner(name)["x-role"]));
  const isNumber = (name) => types(inner(name)).some((type) => type === "number" || type === "integer");
  const cellClass = (name) => (isNumber(name) ? "number" : undefined);
  const sort = view.sortInput(path);
  const sorted = sort?.column ?? port["x-sortedBy"];
  const header = (name) => {
    const title = memberTitle(items, name);
    const isSorted = name === sorted;
    const order = isSorted && icon(sort?.isDescending ? "down" : "up");
    return h("th", { key: name, scope: "col", class: cellClass(name), "aria-sort": isSorted ? (sort?.isDescending ? "descending" : "ascending") : undefined },
      sort?.takes(name)
        ? h("button", { type: "button", class: "column", "data-input": view.address(sort.name), disabled: !view.isEnabled(sort.name), onclick: () => view.send(sort.name, sort.by(name)) }, title, order)
        : [title, order]);
  };
  const act = (value, index, parts) => {
    const { tap, before, after } = actions(view, path, [value], parts, moves(view, path, values, index));
    return { tap, ends: [...before, ...after].filter(Boolean) };
  };
  // The same inputs take every row.
  const hasEnds = values.length > 0 && act(values[0], 0, anatomy(view, values[0], items)).ends.length > 0;
  const node = (value, index) => {
    const parts = anatomy(view, value, items);
    const { tap, ends } = act(value, index, parts);
    const cell = (name) => {
      const [member, schema] = [value[name], inner(name)];
      if (member === null) return "";
      if (isImage(schema)) return image(member, schema, { alt: parts.alt?.text });
      return schema["x-role"] === "progress" ? scalar(shareOf(member, schema), { format: "percent" }) : inline(view, member, schema);
    };
    return h("tr", { key: value.id ?? index, class: stateClasses(parts.states) },
      columns.map((name, at) => h("td", { key: name, class: cellClass(name) },
        at === 0 && tap ? h("button", { ...tap, class: "cell" }, marks(parts.states, true), cell(name), parts.states.selected?.is && icon("check")) : [at === 0 && marks(parts.states), cell(name)])),
      hasEnds && h("td", { key: "", class: "ends" }, ends));
  };
  const isLong = values.length > mostDrawn;
  return h("section", { key: path, class: "card table", tabindex: "0", role: "group", "aria-label": label },
    h("table", { "aria-rowcount": isLong ? String(values.length + 1) : undefined }, h("caption", {}, label),
      h("thead", {}, h("tr", { hooks: isLong && { update: keepWidths } }, columns.map(header), hasEnds && h("td", { key: "" }))),
      long("tbody", {}, view, path, values.map((value, at) => ({ id: idOf(value, at), value })), ({ value }, at) => node(value, at))));
}

/** Keeps columns as wide as their widest cell so far, since not all rows are drawn. */
function keepWidths(row) {
  for (const cell of row.children) cell.style.minWidth = `${cell.getBoundingClientRect().width}px`;
}
