import { once } from "../busy.js";
import { report } from "../description.js";
import { h } from "../dom.js";
import { askAgain, long } from "../long.js";
import { announce, failure, icon, iconButton, notice, picture, spinner, trigger } from "../parts.js";
import { nothing } from "../rows.js";
import { words } from "../words.js";

export const chats = {
  chats: { draw: drawChats },
  chat: {
    draw: drawChat, isBare: true, title: (view) => view.output.avatar?.name ?? view.title,
    actions: (view) => view.isEnabled("clear") && iconButton("trash", view.label("clear"), () => view.send("clear"), { "data-input": "clear" }),
  },
};

function drawChats(view) {
  const { chats, isLoading } = view.output;
  return [
    isLoading && chats.length === 0 && spinner(),
    failure(view, "failure"),
    notice(view, "deletedNotice"),
    chats.length === 0 ? !isLoading && nothing(view, "chats", "bubble.left") : long("ul", { class: "rows card" }, view, "chats", chats, (chat) =>
      h("li", { key: chat.id, class: "with-action" },
        h("button", { type: "button", class: "row", "data-input": "chatTapped", onclick: () => view.send("chatTapped", chat.id) },
          picture(chat.image, chat.name, "round"),
          h("span", { class: "text" }, h("strong", {}, chat.name), h("small", {}, chat.lastMessage)),
          h("time", { class: "muted" }, chat.time)),
        iconButton("trash", `${view.label("deleteTapped")}: ${chat.name}`, () => view.send("deleteTapped", chat.id), { "data-input": "deleteTapped" }))),
  ];
}

function drawChat(view) {
  const { avatar, messages, isLoading, isReplying } = view.output;
  // Unknown while the person reads far above it.
  const last = messages.first + messages.rows.length === messages.count ? messages.rows.at(-1) : undefined;
  const field = view.field("messageText");
  // The buttons beside the field replace each other.
  const focusField = () => document.getElementById(`message-${view.id}`)?.focus();
  const submit = (event) => {
    event.preventDefault();
    focusField();
    // The core may be ahead of the page.
    const { isSendEnabled } = view.core.document.screens[view.id]?.output ?? {};
    if (isSendEnabled || field.isPending) sendMessage(view);
  };
  return [
    // A screen reader would say a reply again for each piece of it, and older messages as they come.
    h("div", { class: "content conversation", tabindex: "0", role: "log", "aria-live": "off", "aria-label": view.title, hooks: { update(element) {
      stayAtEnd(element);
      sayReplies(element, view);
    } } },
      isLoading && spinner(),
      failure(view, "failure"),
      messages.failure && h("div", { key: "older", class: "notice failure", role: "alert" }, h("p", {}, messages.failure),
        h("button", { type: "button", class: "button small", onclick: () => askAgain(view, "messages") }, words.retry)),
      messages.count === 0 && !isLoading && avatar && h("p", { key: "intro", class: "empty" }, picture(avatar.image, avatar.name, "round"), avatar.description),
      long("div", { key: "messages", class: "messages" }, view, "messages", messages, (message) => drawMessage(view, avatar, message)),
      isReplying && last?.isStreaming !== true && h("p", { key: "typing", class: "typing", role: "status" }, h("span", { class: "hidden" }, words.typing), h("i", {}), h("i", {}), h("i", {})),
      view.isEnabled("retry") && !view.output.failure && h("div", { key: "retry", class: "buttons" }, trigger(view, "retry", { kind: "small" }))),
    h("form", { class: "composer", onsubmit: submit },
      h("label", { class: "hidden", for: `message-${view.id}` }, view.label("messageText")),
      h("textarea", {
        id: `message-${view.id}`, rows: "1", placeholder: view.placeholder("messageText") || view.label("messageText"), value: field.value ?? "", "data-input": "messageText",
        oninput: (event) => field.write(event.target.value).catch(() => {}),
        onkeydown: (event) => {
          if (event.key === "Enter" && !event.shiftKey && !event.isComposing) submit(event);
        },
      }),
      view.isEnabled("stop")
        ? iconButton("stop", view.label("stop"), () => (view.send("stop"), focusField()), { class: "icon-button filled-button", filled: true, "data-input": "stop" })
        : h("button", { class: "icon-button filled-button", "aria-label": view.label("send"), title: view.label("send"), "data-input": "send", disabled: !view.isEnabled("send") && !field.isPending }, icon("send"))),
  ];
}

/** Sends the message. Text typed before the core has handled it starts the next message. */
function sendMessage(view) {
  const field = view.field("messageText");
  const text = field.value ?? "";
  once(`message ${view.id}`, async () => {
    await view.core.input(view.id, "send");
    const isTaken = () => view.now && !view.now.state.fields.messageText.value;
    await view.core.until(() => isTaken() || !field.isPending || !view.now);
    if (field.isPending && field.value.startsWith(text)) field.write(field.value.slice(text.length));
  }).catch(report);
}

function drawMessage(view, avatar, { id, author, pieces, isStreaming, isCut }) {
  const isMine = author === "me";
  return h("article", { key: id, class: isMine ? "message mine" : "message", "aria-busy": isStreaming ? "true" : undefined },
    !isMine && picture(avatar?.image, avatar?.name ?? "?", "round tiny"),
    h("div", { class: "bubble" }, h("span", { class: "hidden" }, `${isMine ? words.me : avatar?.name ?? ""}: `), pieces.join(""), isStreaming && h("span", { class: "caret", "aria-hidden": "true" }), isCut && " …"),
    // Reserve the button's width while a reply streams, so that the line breaks stay.
    !isMine && isStreaming && h("span", { class: "icon-button" }),
    !isMine && !isStreaming && iconButton("share", view.label("shareTapped"), () => view.send("shareTapped", id), { class: "icon-button quiet", "data-input": "shareTapped" }));
}

/** Says each reply once, when it is complete. What was there before it was loaded is not new. */
function sayReplies(element, view) {
  const { avatar, isLoading, messages: { rows, first, count } } = view.output;
  // The rest is not known while the person reads far above it.
  if (first + rows.length < count) return;
  const complete = rows.at(-1)?.isStreaming ? count - 1 : count;
  rows.forEach(({ author, pieces }, index) => {
    const at = first + index;
    if (author !== "me" && at >= element.offstageSaid && at < complete) announce(`${avatar?.name ?? ""}: ${pieces.join("")}`);
  });
  element.offstageSaid = isLoading ? undefined : complete;
}

/** Follows the newest message, unless the person has scrolled up. */
function stayAtEnd(element) {
  const distance = (element.offstageEnd ?? element.scrollHeight) - element.scrollTop - element.clientHeight;
  if (element.offstageEnd === undefined || distance < 80) element.scrollTop = element.scrollHeight;
  element.offstageEnd = element.scrollHeight;
}
