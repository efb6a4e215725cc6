/** The texts of the page itself, in the user's language. Those of the app come from the core. */
const english = {
  back: "Back", close: "Close", retry: "Try again", stopped: "The app has stopped.", restart: "Start again",
  reconnecting: "The connection is lost. Connecting again…", connecting: "Connecting…", reconnect: "Connect now",
  loading: "Loading", empty: "Nothing here yet", yes: "Yes", no: "No", tabs: "Tabs", map: "Map of the places",
  none: "None", set: "Set", drag: "Resize the list", typing: "Writing…", results: (count) => `${count} results`,
  skip: "Skip to the content", me: "You", copied: "Copied",
  noPage: "This address leads nowhere.", category: "Category", region: "Region", position: "Position",
  stale: (time) => `Not up to date: loaded ${time}`,
};
const korean = {
  back: "뒤로", close: "닫기", retry: "다시 시도", stopped: "앱이 중지되었습니다.", restart: "다시 시작",
  reconnecting: "연결이 끊어졌습니다. 다시 연결하는 중…", connecting: "연결하는 중…", reconnect: "지금 연결",
  loading: "불러오는 중", empty: "아직 아무것도 없습니다", yes: "예", no: "아니요", tabs: "탭", map: "장소 지도",
  none: "없음", set: "적용", drag: "목록 크기 조절", typing: "작성 중…", results: (count) => `결과 ${count}개`,
  skip: "본문으로 건너뛰기", me: "나", copied: "복사됨",
  noPage: "주소에 해당하는 화면이 없습니다.", category: "분류", region: "지역", position: "위치",
  stale: (time) => `최신 내용이 아닙니다. 불러온 시각: ${time}`,
};

/** The person's language: that of the address (`?lang=ko`), which is kept, or the browser's. */
export const locale = (() => {
  const asked = new URLSearchParams(location.search).get("lang");
  if (asked) sessionStorage.setItem("lang", asked);
  return sessionStorage.getItem("lang") ?? navigator.language;
})();

export const words = locale.startsWith("ko") ? korean : english;

/** Makes words of a name: `nameText` becomes `Name text`. */
export function spell(name) {
  const text = name.replace(/([a-z0-9])([A-Z])/g, "$1 $2").replace(/[._-]/g, " ").toLowerCase();
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export const time = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short" });
export const number = new Intl.NumberFormat(locale);
