import { h } from "../dom.js";
import { choice, toggle } from "../editors.js";
import { empty, failure, icon, iconButton, picture, spinner, textField, trigger, why } from "../parts.js";
import { avatarRows } from "./explore.js";
import { caseTitle } from "../values.js";

export const account = {
  profile: {
    draw: drawProfile,
    actions: (view) => iconButton("gear", view.label("settingsTapped"), () => view.send("settingsTapped"), { "data-input": "settingsTapped" }),
  },
  settings: { draw: drawSettings },
  signUp: { draw: drawSignUp },
  editProfile: { draw: drawEdit },
  createAvatar: { draw: drawCreate },
  createAccount: { draw: drawInvitation },
  customModal: { draw: drawModal },
};

function drawProfile(view) {
  const { account, avatars, isLoading } = view.output;
  return [
    h("div", { class: "hero card" },
      picture(account?.image, account?.name, "round large"),
      account ? [h("h2", {}, account.name), h("p", { class: "muted" }, account.email)] : null,
      h("div", { class: "buttons" },
        view.isEnabled("editProfileTapped") && trigger(view, "editProfileTapped", { symbol: "pencil" }), view.isEnabled("createAccountTapped") && trigger(view, "createAccountTapped", { kind: "primary", symbol: "person" }))),
    isLoading && avatars.length === 0 && spinner(),
    failure(view, "failure"),
    h("section", { key: "avatars" }, h("h2", {}, view.label("avatars")),
      avatars.length > 0 ? avatarRows(view, "avatars") : !isLoading && empty("eyes"),
      h("div", { class: "buttons" }, trigger(view, "createAvatarTapped", { symbol: "plus" }))),
  ];
}

function drawSettings(view) {
  const { account } = view.output;
  return [
    account && h("div", { class: "card row" }, picture(account.image, account.name, "round"), h("span", { class: "text" }, h("strong", {}, account.name), h("small", {}, account.email))),
    h("div", { class: "card form" }, toggle(view, "notificationsSwitched"), choice(view, "languagePicked"), choice(view, "appearancePicked")),
    h("div", { class: "buttons stacked" },
      view.isEnabled("createAccountTapped") && trigger(view, "createAccountTapped", { kind: "primary" }),
      view.isEnabled("signOutTapped") && trigger(view, "signOutTapped"),
      view.isEnabled("deleteAccountTapped") && trigger(view, "deleteAccountTapped", { kind: "destructive" })),
  ];
}

/** A form whose submit button, or the Return key, sends the trigger `name`. */
function form(view, name, cancel, ...children) {
  const submit = (event) => {
    event.preventDefault();
    view.press(name);
  };
  // A browser ignores the key while the button is disabled, but the core may soon enable it.
  const onkeydown = (event) => {
    if (event.key === "Enter" && !event.isComposing && event.target.matches(".field > input")) submit(event);
  };
  const isBusy = view.output.isSaving === true || !view.isEnabled(name);
  return h("form", { class: "card form", onsubmit: submit, onkeydown, novalidate: true }, children,
    h("div", { class: "buttons" }, trigger(view, name, { kind: "primary", type: "submit", disabled: isBusy }), trigger(view, cancel)), why(view, [name]));
}

function drawSignUp(view) {
  return form(view, "confirm", "cancel", textField(view, "nameText", { autocomplete: "name" }), textField(view, "emailText"));
}

/** A choice of pictures or names. */
function pictures(view, input, values, current, list) {
  const schema = view.schema(view.schema(view.outputs[list]).items);
  return values && choice(view, input, { ...view.schema(view.inputs[input]), "x-titles": Object.fromEntries(values.map((value) => [value, caseTitle(schema, value)])) });
}

function drawEdit(view) {
  const { image, pictures: values, picture: current } = view.output;
  return form(view, "save", "cancel", picture(image, view.title, "round large center"), textField(view, "nameText"), pictures(view, "picturePicked", values, current, "pictures"));
}

function drawCreate(view) {
  const { portrait, categories, category } = view.output;
  return form(view, "save", "cancel", picture(portrait, view.title, "round large center"), textField(view, "nameText"),
    textField(view, "descriptionText"), pictures(view, "categoryPicked", categories, category, "categories"));
}

function drawInvitation(view) {
  return h("div", { class: "invitation" }, icon("person"), h("p", {}, view.output.subtitle),
    h("div", { class: "buttons stacked" }, trigger(view, "signUpTapped", { kind: "primary" }), trigger(view, "notNowTapped")));
}

function drawModal(view) {
  const { subtitle } = view.output;
  return h("div", { class: "invitation" }, h("p", {}, subtitle),
    h("div", { class: "buttons stacked" }, trigger(view, "primaryButtonTapped", { kind: "primary" }), trigger(view, "secondaryButtonTapped")));
}
