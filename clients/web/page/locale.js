/** The person's language: from the address (`?lang=ko`), which is remembered, or the browser. */
export const locale = (() => {
  const asked = tag(new URLSearchParams(location.search).get("lang"));
  if (asked) sessionStorage.setItem("lang", asked);
  return asked ?? tag(sessionStorage.getItem("lang")) ?? tag(navigator.language) ?? "en";
})();

/** Returns a language tag; undefined if it is not one. */
function tag(text) {
  try {
    return Intl.getCanonicalLocales((text ?? "").replaceAll("_", "-"))[0];
  } catch {
    return undefined;
  }
}
