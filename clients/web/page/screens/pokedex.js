import { h } from "../dom.js";
import { long } from "../long.js";
import { empty, endOfList, failure, picture, searchStatus, spinner, textField } from "../parts.js";
import { titleIn } from "../values.js";

export const pokedex = {
  pokedex: { draw: drawList },
  pokemonDetail: { draw: drawDetail, title: (view) => (view.output.detail ? view.output.detail.name : view.title) },
};

function drawList(view) {
  const { sections, pokemon, results, isSearching, hasNoResults, hasMoreResults, searchFailure, isLoading, hasMore, failure: failed } = view.output;
  const isFiltered = isSearching || hasNoResults || results.length > 0 || Boolean(searchFailure);
  const tile = (each) =>
    h("li", { key: each.id }, h("button", { type: "button", class: "tile", "data-input": "pokemonTapped", onclick: () => view.send("pokemonTapped", each.id) },
      h("small", {}, `#${String(each.id).padStart(4, "0")}`), picture(each.image, each.name), h("strong", {}, each.name)));
  const grid = (name, rows) => long("ul", { class: "grid" }, view, name, rows, tile);
  return [
    textField(view, "searchText"),
    failure(view, isFiltered ? "searchFailure" : "failure"),
    isFiltered
      ? h("section", { key: "results" }, searchStatus({ isBusy: isSearching, isEmpty: hasNoResults, count: results.length }), grid("results", results))
      : h("div", { key: "sections", class: "columns" }, sections.map(({ id, title }) =>
          h("section", { key: id }, h("h2", {}, title), grid(`pokemon/${id}`, pokemon.filter((each) => each.section === id))))),
    isLoading && spinner(),
    !isLoading && !isFiltered && !failed && pokemon.length === 0 && empty("search"),
    isFiltered && hasMoreResults && !isSearching && endOfList(view, "resultsReachedEnd", results.length),
    !isFiltered && hasMore && !isLoading && pokemon.length > 0 && endOfList(view, "reachedEnd", pokemon.length),
  ];
}

function drawDetail(view) {
  const { detail, isLoading } = view.output;
  if (!detail) return [isLoading && spinner(), failure(view, "failure")];
  const { id, name, typeNames, heightText, weightText, image } = detail;
  return [
    h("div", { class: "hero" }, picture(image, name, "large"), h("p", { class: "muted" }, `#${String(id).padStart(4, "0")}`),
      h("p", { class: "chips" }, typeNames.map((name) => h("span", { key: name, class: "chip" }, name)))),
    h("dl", { class: "facts card" },
      h("div", {}, h("dt", {}, titleIn(view, "detail", "heightText")), h("dd", {}, heightText)),
      h("div", {}, h("dt", {}, titleIn(view, "detail", "weightText")), h("dd", {}, weightText))),
    failure(view, "failure"),
  ];
}
