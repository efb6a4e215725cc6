import { h } from "../dom.js";
import { empty, endOfList, failure, picture, spinner, textField } from "../parts.js";
import { number, spell, words } from "../words.js";

export const pokedex = {
  pokedex: { draw: drawList },
  pokemonDetail: { draw: drawDetail, title: (view) => (view.output.detail ? spell(view.output.detail.name) : view.title) },
};

function drawList(view) {
  const { sections, pokemon, results, isSearching, isLoading, hasMore } = view.output;
  const isFiltered = Boolean(view.field("searchText").value);
  const tile = (each) =>
    h("li", { key: each.id }, h("button", { type: "button", class: "tile", "data-input": "pokemonTapped", onclick: () => view.send("pokemonTapped", each.id) },
      h("small", {}, `#${String(each.id).padStart(4, "0")}`), picture(each.image, each.name), h("strong", {}, spell(each.name))));
  const grid = (rows) => h("ul", { class: "grid" }, rows.map(tile));
  return [
    textField(view, "searchText", { type: "search" }),
    isFiltered
      ? h("section", { key: "results" }, h("p", { class: "muted", role: "status" }, isSearching ? words.loading : words.results(results.length)), grid(results))
      : sections.map(({ id, title }) =>
          h("section", { key: id }, h("h2", {}, title), grid(pokemon.filter((each) => each.section === id)))),
    isLoading && spinner(),
    !isLoading && !isFiltered && pokemon.length === 0 && empty(),
    !isFiltered && hasMore && !isLoading && pokemon.length > 0 && endOfList(view, "reachedEnd", pokemon.length),
  ];
}

function drawDetail(view) {
  const { detail, isLoading } = view.output;
  if (!detail) return [isLoading && spinner(), failure(view, view.output.failure)];
  const { id, name, types, height, weight, image, ...more } = detail;
  return [
    h("div", { class: "hero" }, picture(image, name, "large"), h("p", { class: "muted" }, `#${String(id).padStart(4, "0")}`),
      h("p", { class: "chips" }, types.map((type) => h("span", { key: type, class: "chip" }, spell(type))))),
    h("dl", { class: "facts card" },
      h("div", {}, h("dt", {}, label(view, "height")), h("dd", {}, `${number.format(height / 10)} m`)),
      h("div", {}, h("dt", {}, label(view, "weight")), h("dd", {}, `${number.format(weight / 10)} kg`)),
      Object.entries(more).filter(([, value]) => typeof value === "string" || typeof value === "number").map(([key, value]) =>
        h("div", { key }, h("dt", {}, label(view, key)), h("dd", {}, value)))),
    failure(view, view.output.failure),
  ];
}

const label = (view, member) => view.schema(view.schema(view.outputs.detail).properties?.[member]).title ?? spell(member);
