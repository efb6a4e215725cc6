/** What the page itself says, in the person's language. What the app says comes from the core. */
const english = {
  back: "Back", close: "Close", retry: "Try again", stopped: "The app has stopped.", restart: "Start again",
  reconnecting: "The connection is lost. Connecting again…", connecting: "Connecting…", reconnect: "Connect now",
  crowded: "Too many visitors are here. Try again later.", loading: "Loading", more: "Loading more",
  empty: "Nothing here yet", yes: "Yes", no: "No", cancel: "Cancel", ok: "OK", tabs: "Tabs", map: "Map of the places",
  location: "This app would like to know where you are.", allow: "Allow", deny: "Don’t allow", share: "Share",
  notifications: "This app would like to send you notifications.", copied: "Copied", copy: "Copy", search: "Search",
  none: "None", set: "Set", drag: "Resize the list", typing: "Writing…", results: (count) => `${count} results`,
  skip: "Skip to the content", question: "The app asks", send: "Send", me: "You", sheet: "Sheet",
};
const korean = {
  back: "뒤로", close: "닫기", retry: "다시 시도", stopped: "앱이 중지되었습니다.", restart: "다시 시작",
  reconnecting: "연결이 끊어졌습니다. 다시 연결하는 중…", connecting: "연결하는 중…", reconnect: "지금 연결",
  crowded: "방문자가 너무 많습니다. 나중에 다시 시도하세요.", loading: "불러오는 중", more: "더 불러오는 중",
  empty: "아직 아무것도 없습니다", yes: "예", no: "아니요", cancel: "취소", ok: "확인", tabs: "탭", map: "장소 지도",
  location: "이 앱이 현재 위치를 사용하려고 합니다.", allow: "허용", deny: "허용 안 함", share: "공유",
  notifications: "이 앱이 알림을 보내려고 합니다.", copied: "복사됨", copy: "복사", search: "검색",
  none: "없음", set: "적용", drag: "목록 크기 조절", typing: "작성 중…", results: (count) => `결과 ${count}개`,
  skip: "본문으로 건너뛰기", question: "앱의 질문", send: "보내기", me: "나", sheet: "시트",
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

export const number = new Intl.NumberFormat(locale);
