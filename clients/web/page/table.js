/** Draws rows with columns: headers that sort, and rows that are chosen. */
import { types } from "./description.js";
import { h } from "./dom.js";
import { icon } from "./parts.js";
import { actions, anatomy, marks, moves, stateClasses } from "./rows.js";
import { caseTitle, image, inline, isImage, memberSchema } from "./values.js";

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
    const title = caseTitle(items, name);
    const isSorted = name === sorted;
    const order = isSorted && icon(sort?.isDescending ? "down" : "up");
    return h("th", { key: name, scope: "col", class: cellClass(name), "aria-sort": isSorted ? (sort?.isDescending ? "descending" : "ascending") : undefined },
      sort?.takes(name)
        ? h("button", { type: "button", class: "column", "data-input": view.address(sort.name), disabled: !view.isEnabled(sort.name), onclick: () => view.send(sort.name, sort.by(name)) }, title, order)
        : [title, order]);
  };
  const drawn = values.map((value, index) => {
    const parts = anatomy(view, value, items);
    const { tap, before, after } = actions(view, path, [value], parts, moves(view, path, values, index));
    const cell = (name) => (value[name] === null ? "" : isImage(inner(name)) ? image(value[name], inner(name)) : inline(view, value[name], inner(name)));
    const ends = [...before, ...after].filter(Boolean);
    return { ends, node: (hasEnds) => h("tr", { key: value.id ?? index, class: stateClasses(parts.states) },
      columns.map((name, at) => h("td", { key: name, class: cellClass(name) },
        at === 0 && tap ? h("button", { ...tap, class: "cell" }, marks(parts.states), cell(name), parts.states.selected?.is && icon("check")) : [at === 0 && marks(parts.states), cell(name)])),
      hasEnds && h("td", { key: "", class: "ends" }, ends)) };
  });
  const hasEnds = drawn.some(({ ends }) => ends.length > 0);
  return h("section", { key: path, class: "card table", tabindex: "0", role: "group", "aria-label": label },
    h("table", {}, h("caption", {}, label),
      h("thead", {}, h("tr", {}, columns.map(header), hasEnds && h("td", { key: "" }))),
      h("tbody", {}, drawn.map(({ node }) => node(hasEnds)))));
}
