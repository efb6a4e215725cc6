/** The texts of the page itself, in the user's language. Those of the app come from the core. */
const english = {
  back: "Back", close: "Close", retry: "Try again", restart: "Restart",
  stopped: "The app has stopped", saved: "Everything that was saved is still there.",
  refused: "The app is not available", refusals: {
    4008: "There are too many visitors. Try again later.",
    4009: "The app is open in too many tabs. Close one, then try again.",
  },
  reconnecting: "Connection lost. Reconnecting…", connecting: "Connecting…", reconnect: "Connect now",
  loading: "Loading", empty: "Nothing here yet", yes: "Yes", no: "No", tabs: "Tabs", map: "Map of the places",
  none: "None", set: "Set", drag: "Resize the list", typing: "Writing…",
  results: { zero: "No results", one: (count) => `${count} result`, other: (count) => `${count} results` },
  skip: "Skip to the content", me: "You", copied: "Copied",
  noPage: "Page not found.", category: "Category", region: "Region", position: "Position",
  stale: (time) => `Last updated ${time}`,
};
const korean = {
  back: "뒤로", close: "닫기", retry: "다시 시도", restart: "다시 시작",
  stopped: "앱이 멈췄어요", saved: "저장한 내용은 그대로 있어요.",
  refused: "지금은 앱을 열 수 없어요", refusals: {
    4008: "방문자가 너무 많아요. 잠시 후 다시 시도해 주세요.",
    4009: "앱이 너무 많은 탭에 열려 있어요. 하나를 닫고 다시 시도해 주세요.",
  },
  reconnecting: "연결이 끊어졌어요. 다시 연결하는 중…", connecting: "연결하는 중…", reconnect: "지금 연결",
  loading: "불러오는 중", empty: "아직 아무것도 없어요", yes: "예", no: "아니요", tabs: "탭", map: "장소 지도",
  none: "없음", set: "적용", drag: "목록 크기 조절", typing: "작성 중…",
  results: { zero: "검색 결과가 없어요", other: (count) => `결과 ${count}개` },
  skip: "본문으로 건너뛰기", me: "나", copied: "복사했어요",
  noPage: "페이지를 찾을 수 없어요.", category: "분류", region: "지역", position: "위치",
  stale: (time) => `마지막 업데이트: ${time}`,
};

/** The person's language: that of the address (`?lang=ko`), which is kept, or the browser's. */
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

export const words = locale.startsWith("ko") ? korean : english;

const plural = new Intl.PluralRules(locale.startsWith("ko") ? "ko" : "en");

/** Returns the number of results in words. */
export function results(count) {
  return count === 0 ? words.results.zero : words.results[plural.select(count)](number.format(count));
}

/** Makes words of a name: `nameText` becomes `Name text`. */
export function spell(name) {
  const text = name.replace(/([a-z0-9])([A-Z])/g, "$1 $2").replace(/[._-]/g, " ").toLowerCase();
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export const time = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short" });
export const number = new Intl.NumberFormat(locale);
