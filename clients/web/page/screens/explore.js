import { h } from "../dom.js";
import { long } from "../long.js";
import { empty, failure, iconButton, picture, spinner, trigger } from "../parts.js";

export const explore = {
  explore: {
    draw: drawExplore,
    actions: (view) => view.isVisible("devSettingsTapped") && iconButton("sliders", view.label("devSettingsTapped"), () => view.send("devSettingsTapped"), { "data-input": "devSettingsTapped" }),
  },
  categoryList: { draw: drawCategory },
};

/** The avatars of an output, each with a button that opens it. */
export function avatarRows(view, name) {
  return long("ul", { class: "rows card" }, view, name, view.output[name], (avatar) =>
    h("li", { key: avatar.id }, h("button", { type: "button", class: "row", "data-input": "avatarTapped", onclick: () => view.send("avatarTapped", avatar.id) },
    picture(avatar.image, avatar.name, "round"), h("span", { class: "text" }, h("strong", {}, avatar.name), h("small", {}, avatar.description)))));
}

function drawExplore(view) {
  const { featured, popular, categories, categoryRow, isLoadingFeatured, isLoadingPopular } = view.output;
  const offers = [["createAccountTapped", "person"], ["pushPermissionTapped", "bell"]].filter(([name]) => view.isEnabled(name));
  const row = categoryRow !== "hidden" && categories.length > 0 && h("section", { key: "categories" }, h("h2", {}, view.label("categories")),
    long("ul", { class: "cards round-cards", tabindex: "0", "aria-label": view.label("categories") }, view, "categories", categories, (category) =>
      h("li", { key: category.id }, h("button", { type: "button", class: "category", "data-input": "categoryTapped", onclick: () => view.send("categoryTapped", category.id) },
        picture(category.image, category.title, "round large"), h("span", {}, category.title)))));
  return [
    offers.length > 0 && h("div", { key: "offers", class: "buttons" }, offers.map(([name, symbol]) => trigger(view, name, { symbol }))),
    categoryRow === "top" && row,
    h("section", { key: "featured" }, h("h2", {}, view.label("featured")),
      isLoadingFeatured && featured.length === 0 && spinner(), failure(view, "featuredFailure"),
      long("ul", { class: "cards heroes", tabindex: "0", "aria-label": view.label("featured") }, view, "featured", featured, (avatar) =>
        h("li", { key: avatar.id }, h("button", { type: "button", class: "hero-card", "data-input": "avatarTapped", onclick: () => view.send("avatarTapped", avatar.id) },
          picture(avatar.image, avatar.name), h("span", { class: "text" }, h("strong", {}, avatar.name), h("small", {}, avatar.description)))))),
    categoryRow !== "top" && row,
    h("section", { key: "popular" }, h("h2", {}, view.label("popular")),
      isLoadingPopular && popular.length === 0 && spinner(), failure(view, "popularFailure"),
      avatarRows(view, "popular")),
  ];
}

function drawCategory(view) {
  const { image, avatars, isLoading } = view.output;
  return [
    h("div", { class: "hero" }, image && picture(image, view.output.title, "large round")),
    isLoading && avatars.length === 0 && spinner(),
    failure(view, "failure"),
    avatars.length > 0 ? avatarRows(view, "avatars") : !isLoading && empty(),
  ];
}
