import { report } from "../description.js";
import { h } from "../dom.js";
import { long } from "../long.js";
import { address, age, announce, empty, endOfList, failure, icon, iconButton, notice, searchStatus, spinner, textField, trigger } from "../parts.js";
import { nothing } from "../rows.js";
import { caseTitle, titleIn } from "../values.js";
import { format, pick, words } from "../words.js";

export const map = {
  map: { draw: drawMap, isBare: true, steps: openIn, reopen },
  placeSearch: { draw: drawSearch },
  placeDetail: { draw: drawPlace, title: (view) => view.output.place?.name ?? view.title },
};

const maps = new WeakMap();
/** What the map uses of the page. */
const page = { address, announce, pick: (texts) => pick(texts), report };
/** How the name of a step begins that is a place. */
const place = "place-";
/** The name of the step with the results of a search. */
const results = "results";
const detents = ["tip", "half", "full"];
const steps = { ArrowUp: 1, ArrowRight: 1, ArrowDown: -1, ArrowLeft: -1, PageUp: 1, PageDown: -1, Home: -2, End: 2 };

function drawMap(view) {
  const { sections, places, details, resultsTitle, isLoading, hasMore } = view.output;
  const sheetDetent = view.field("sheetDetentChanged").value;
  const sort = view.schema(view.inputs.sortBy);
  const sorted = view.field("sortBy").value ?? sort.enum?.[0];
  // The core may be ahead of the page.
  const detent = () => view.now?.field("sheetDetentChanged").value;
  const resize = (step) => {
    const next = detents[Math.max(0, Math.min(2, detents.indexOf(detent()) + step))];
    if (next !== detent()) view.send("sheetDetentChanged", next);
  };
  const closing = openIn(view).at(-1)?.input;
  const hasResults = closing === "resultsClosed";
  const sorting = [
    h("label", { for: `sort-${view.id}` }, view.label("sortBy")),
    h("select", { id: `sort-${view.id}`, value: sorted, "data-input": "sortBy", onchange: (event) => view.send("sortBy", event.target.value) },
      (sort.enum ?? []).map((value) => h("option", { value, selected: value === sorted }, caseTitle(sort, value)))),
    iconButton("list", view.label("allTapped"), () => view.send("allTapped"), { class: "icon-button all", "data-input": "allTapped" }),
  ];
  return h("div", { class: "map-screen", "data-detent": sheetDetent },
    h("div", { key: "map", class: "map", "aria-label": words.map, role: "region", hooks: {
      mount: (element) => load(element, view),
      update: (element) => maps.get(element)?.update(view),
    } }),
    h("button", { key: "search", type: "button", class: "search-bar", "data-input": "searchBarTapped", onclick: () => view.send("searchBarTapped") }, icon("search"), h("span", {}, view.label("searchBarTapped"))),
    iconButton("locate", view.label("locateTapped"), () => view.send("locateTapped"), { key: "locate", class: "icon-button locate", "data-input": "locateTapped" }),
    h("section", { key: "sheet", class: "bottom-sheet", "aria-label": view.label("places") },
      h("button", {
        type: "button", class: "handle", role: "slider", "aria-label": view.label("sheetDetentChanged"), "aria-orientation": "vertical",
        "aria-valuemin": "0", "aria-valuemax": "2", "aria-valuenow": String(detents.indexOf(sheetDetent)),
        "aria-valuetext": caseTitle(view.schema(view.inputs.sheetDetentChanged), sheetDetent), "data-input": "sheetDetentChanged",
        // A click raises the sheet, or lowers it from the top.
        onclick: () => resize(detent() === "full" ? -2 : 1),
        onkeydown: (event) => {
          if (!steps[event.key]) return;
          event.preventDefault();
          resize(steps[event.key]);
        },
        hooks: { mount: (element) => drag(element, detent, (next) => view.send("sheetDetentChanged", next)) },
      }),
      h("div", { class: "sheet-head" },
        closing ? iconButton("back", view.label(closing), () => view.send(closing), { key: closing, "data-input": closing }) : sorting,
        hasResults && h("h2", { key: "results" }, resultsTitle),
        isLoading && spinner()),
      h("div", { class: "sheet-rows", tabindex: "0", role: "group", "aria-label": view.label("places") },
        age(view),
        notice(view, "welcome"),
        failure(view, "failure"),
        sections.map(({ id, title }) => h("section", { key: id }, h("h2", { class: "small" }, title),
          long("ul", { class: "rows" }, view, `places/${id}`, places.filter((place) => place.section === id), (place) => placeRow(view, place)))),
        details && drawDetails(details),
        details && trigger(view, "detailsTapped"),
        places.length === 0 && !isLoading && (hasResults ? empty("search", words.noResults) : nothing(view, "places", "map")),
        hasMore && !isLoading && places.length > 0 && endOfList(view, "reachedEnd", places.length))));
}

/** What the sheet shows in place of the places around, the topmost last. */
function openIn(view) {
  const open = [{ name: results, input: "resultsClosed" }, { name: `${place}${view.output.details?.id}`, input: "detailsClosed" }];
  return open.filter(({ input }) => view.isEnabled(input)).map((each) => ({ ...each, close: () => view.core.input(view.id, each.input) }));
}

/** Opens the place or the results with the name of a step, and waits until they are there. */
function reopen(view, name) {
  if (name === results) return view.core.input(view.id, "resultsReopened", null, { settle: true });
  const id = name.startsWith(place) ? Number(name.slice(place.length)) : NaN;
  return Number.isInteger(id) ? view.core.input(view.id, "placeTapped", id, { settle: true }) : undefined;
}

/** Loads the map when it is first shown: it is larger than the rest of the page. */
async function load(element, view, place) {
  const { LeafletMap } = await import("./leaflet-map.js");
  // The screen may have closed, or changed, in the meantime.
  if (!element.isConnected) return;
  const map = new LeafletMap(element, view.now ?? view, page, place);
  maps.set(element, map);
  if (!place) map.update(map.view);
}

function placeRow(view, { id, name, localName, rating }) {
  return h("li", { key: id }, h("button", { type: "button", class: "row", "data-input": "placeTapped", onclick: () => view.send("placeTapped", id) },
    h("span", { class: "text" }, h("strong", {}, name), localName && h("small", {}, localName)), rating !== null && stars(view, "places", rating)));
}

/** Draws the details of the open place below its row. */
function drawDetails({ distanceText, directionText, properties }) {
  const way = [distanceText, directionText].filter(Boolean).join(" · ");
  return [way && h("p", { key: "way", class: "muted way" }, way), properties.length > 0 && h("dl", { key: "facts", class: "facts" }, properties.map(({ id, title, value }) => fact(title, value, id)))];
}

/** Draws a fact, with a link if its `key` names a property that has one. */
function fact(label, value, key) {
  const href = key && link(key, value);
  const target = href?.startsWith("tel:") ? undefined : "_blank";
  return h("div", { key }, h("dt", {}, label), h("dd", {}, href ? h("a", { href, target, rel: "noreferrer" }, value) : value));
}

/** The URL of a web page or a phone; undefined for any other property of a place. */
export function link(id, value) {
  if (/^https?:\/\/\S+$/i.test(value)) return value;
  const number = value.split(";")[0].replace(/[^+\d]/g, "");
  return /(^|:)(phone|mobile)$/.test(id) && number ? `tel:${number}` : undefined;
}

/** Draws the rating of a place in an output, or in its rows. */
const stars = (view, name, rating) => h("span", { class: "rating" }, icon("star", true, titleIn(view, name, "rating")), format.number(rating, { minimumFractionDigits: 1, maximumFractionDigits: 1 }));

/** Lets the person drag the sheet to another height. */
function drag(handle, current, change) {
  handle.addEventListener("pointerdown", (down) => {
    handle.setPointerCapture(down.pointerId);
    const end = (up) => {
      handle.removeEventListener("pointerup", end);
      const steps = Math.round((down.clientY - up.clientY) / (innerHeight / 3));
      const next = detents[Math.max(0, Math.min(2, detents.indexOf(current()) + steps))];
      if (steps !== 0) {
        handle.addEventListener("click", (click) => click.stopImmediatePropagation(), { once: true, capture: true });
        change(next);
      }
    };
    handle.addEventListener("pointerup", end);
  });
}

function drawSearch(view) {
  const { results, recents, isSearching, hasNoResults, hasMore } = view.output;
  return [
    textField(view, "queryText", { autofocus: true, onkeydown: (event) => {
      if (event.key === "Enter" && !event.isComposing) view.press("showAllTapped");
    } }),
    trigger(view, "showAllTapped", { symbol: "map" }),
    searchStatus({ isBusy: isSearching, isEmpty: hasNoResults, count: results.length }),
    failure(view, "failure"),
    recents.length > 0 && h("section", { key: "recents" }, h("h2", {}, view.label("recents")), long("ul", { class: "rows card" }, view, "recents", recents, ({ id, text }) =>
      h("li", { key: id }, h("button", { type: "button", class: "row", "data-input": "recentTapped", onclick: () => view.send("recentTapped", id) }, icon("clock"), h("span", { class: "text" }, text))))),
    results.length > 0 && long("ul", { class: "rows card" }, view, "results", results, ({ id, nameParts, localName, region, rating, distanceText }) =>
      h("li", { key: id }, h("button", { type: "button", class: "row", "data-input": "placeTapped", onclick: () => view.send("placeTapped", id) },
        h("span", { class: "text" }, h("strong", {}, nameParts.map((part, index) => (index === 1 ? h("mark", {}, part) : part))), h("small", {}, [localName, region, distanceText].filter(Boolean).join(" · "))), rating !== null && stars(view, "results", rating)))),
    hasMore && !isSearching && endOfList(view, "reachedEnd", results.length),
  ];
}

function drawPlace(view) {
  const { place, categoryTitle, properties, distanceText, directionText, isLoading } = view.output;
  if (!place) return [isLoading && spinner(), failure(view, "failure")];
  const facts = [
    [titleIn(view, "place", "category"), categoryTitle], [titleIn(view, "place", "region"), place.region], [words.position, `${place.lat.toFixed(4)}, ${place.lng.toFixed(4)}`],
    [view.label("distanceText"), distanceText], [view.label("directionText"), directionText],
    ...properties.map(({ id, title, value }) => [title, value, id]),
  ];
  return [
    h("div", { key: "map", class: "map small-map", role: "region", "aria-label": words.map, hooks: { mount: (element) => load(element, view, place) } }),
    h("div", { class: "place-head" }, place.localName && h("p", {}, place.localName), place.rating !== null && stars(view, "place", place.rating)),
    h("dl", { class: "facts card" },
      facts.filter(([, value]) => value).map(([label, value, id]) => fact(label, value, id))),
    failure(view, "failure"),
  ];
}
