import { h } from "../dom.js";
import { long } from "../long.js";
import { address, failure, icon, iconButton, picture, spinner, trigger } from "../parts.js";

export const library = {
  library: { draw: drawShelves },
  titleDetail: { draw: drawTitle, title: (view) => view.output.detail?.title ?? view.title },
};

function drawShelves(view) {
  const { shelves, isLoading } = view.output;
  return [
    isLoading && shelves.length === 0 && spinner(),
    failure(view, "failure"),
    long("div", { key: "shelves", class: "shelves" }, view, "shelves", shelves, (shelf) =>
      h("section", { key: shelf.id, class: "shelf" },
        h("h2", { id: `shelf-${shelf.id}` }, shelf.title),
        long("ul", { class: `cards ${shelf.style}`, "aria-labelledby": `shelf-${shelf.id}`, tabindex: "0" }, view, `shelves/${shelf.id}`, shelf.cards, (card) => drawCard(view, shelf, card)))),
  ];
}

function drawCard(view, shelf, card) {
  const value = { shelf: shelf.id, card: card.id };
  return h("li", { key: card.id, class: "library-card" },
    h("button", { type: "button", "data-input": "cardTapped", onclick: () => view.send("cardTapped", value) },
      h("span", { class: "frame" }, picture(card.image, card.title),
        card.badge && h("span", { class: "sign" }, icon(card.badge.kind, true)),
        card.progress !== null && card.progress !== undefined && progress(card.progress)),
      h("strong", {}, card.title), card.subtitle && h("small", {}, card.subtitle)),
    iconButton("bookmark", `${view.label("bookmarkTapped")}: ${card.title}`, () => view.send("bookmarkTapped", value), { class: "icon-button bookmark", "data-input": "bookmarkTapped" }));
}

const progress = (value) => h("span", { class: "progress" }, h("span", { style: { width: `${value * 100}%` } }));

function drawTitle(view) {
  const { detail, isLoading } = view.output;
  if (!detail) return [isLoading && spinner(), failure(view, "failure")];
  return [
    detail.stream && film(view, detail),
    h("div", { class: "title-hero" }, picture(detail.image, detail.title, "poster"),
      h("div", {},
        h("dl", { class: "facts" }, detail.facts.map(({ id, label, value }) => h("div", { key: id }, h("dt", {}, label), h("dd", {}, value)))),
        view.isEnabled("seek") && h("div", { class: "player" },
          view.isEnabled("pauseTapped") ? trigger(view, "pauseTapped", { kind: "primary", symbol: "pause" }) : trigger(view, "playTapped", { kind: "primary", symbol: "play" }),
          h("input", {
            type: "range", min: "0", max: "1", step: "0.01", value: String(view.field("seek").value.to), "aria-label": view.label("seek"), "data-input": "seek",
            onchange: (event) => view.send("seek", { to: Number(event.target.value) }),
          })),
        view.isEnabled("bookmarkTapped") && h("button", {
          type: "button", class: "button", "aria-pressed": String(detail.isBookmarked), "data-input": "bookmarkTapped", onclick: () => view.send("bookmarkTapped"),
        }, icon("bookmark", detail.isBookmarked), h("span", {}, view.label("bookmarkTapped"))))),
    failure(view, "failure"),
  ];
}

/** The video of a title. The core plays, pauses, and seeks; a video shorter than the title starts over. */
function film(view, detail) {
  const { isPlaying, position } = view.output;
  const follow = (video) => {
    if (!isPlaying) {
      video.pause();
      if (video.duration) video.currentTime = position.to * video.duration;
    } else if (video.paused) video.play().catch(() => {});
  };
  return h("video", {
    key: "film", class: "film", src: address(detail.stream), poster: address(detail.image), "aria-label": detail.title,
    muted: true, loop: true, playsinline: true, preload: "metadata", hooks: { update: follow },
    onloadedmetadata: (event) => follow(event.target),
  });
}
