/** The texts of the page itself, in English and Korean. The app's texts come from the core. */
import { locale } from "./locale.js";

const texts = {
  back: ["Back", "뒤로"], close: ["Close", "닫기"], retry: ["Try again", "다시 시도"], restart: ["Restart", "다시 시작"],
  stopped: ["The app has stopped", "앱이 멈췄어요"],
  saved: ["Everything that was saved is still there.", "저장한 내용은 그대로 있어요."],
  refused: ["The app is not available", "지금은 앱을 열 수 없어요"],
  refusals: {
    403: [
      "The server has restarted with a new address. Open the one that it printed, then reload this page.",
      "서버가 새 주소로 다시 시작됐어요. 서버가 출력한 주소를 연 다음 이 페이지를 새로 고쳐 주세요.",
    ],
    4008: ["There are too many visitors. Try again later.", "방문자가 너무 많아요. 잠시 후 다시 시도해 주세요."],
    4009: [
      "The app is open in too many tabs. Close one, then try again.",
      "앱이 너무 많은 탭에 열려 있어요. 하나를 닫고 다시 시도해 주세요.",
    ],
    4010: ["The app could not be started. The server's log has the reason.", "앱을 시작하지 못했어요. 이유는 서버 로그에 있어요."],
  },
  reload: ["Reload", "새로 고침"], connecting: ["Connecting…", "연결하는 중…"], reconnect: ["Connect now", "지금 연결"],
  reconnecting: ["Connection lost. Reconnecting…", "연결이 끊어졌어요. 다시 연결하는 중…"],
  sentLater: ["Connection lost. What you have done is kept, and sent when it is back.", "연결이 끊어졌어요. 지금 하신 일은 잃지 않고, 다시 연결되면 보내요."],
  unsent: ["Not sent yet", "아직 보내지 않음"],
  notPrinted: [(count) => `${count} more are not printed.`, (count) => `${count}개는 인쇄하지 않았어요.`],
  startedAgain: ["The app has started again.", "앱을 다시 시작했어요."],
  messages: ["Messages", "알림"],
  loading: ["Loading", "불러오는 중"], checking: ["Checking…", "확인하는 중…"], empty: ["Nothing here yet", "아직 아무것도 없어요"], yes: ["Yes", "예"], no: ["No", "아니요"],
  tabs: ["Tabs", "탭"], map: ["Map of the places", "장소 지도"], none: ["None", "없음"], set: ["Set", "적용"],
  typing: ["Writing…", "작성 중…"], skip: ["Skip to the content", "본문으로 건너뛰기"], me: ["You", "나"], copied: ["Copied", "복사했어요"],
  up: ["up", "위로"], down: ["down", "아래로"], more: ["More", "더 보기"], add: ["Add", "추가"], remove: ["Remove", "삭제"],
  added: [(word) => `Added: ${word}`, (word) => `추가함: ${word}`], removed: [(word) => `Removed: ${word}`, (word) => `삭제함: ${word}`], choose: ["Choose", "선택"],
  open: ["Open", "열기"], allow: ["Allow", "허용"], openPage: ["Open this page?", "이 페이지를 열까요?"], file: ["File", "파일"], day: ["Day", "날짜"],
  pasteAddress: ["Paste the address that the page leads to", "페이지가 이동한 주소를 붙여 넣으세요"],
  startsWith: [(start) => `The address must start with ${start}.`, (start) => `주소의 시작은 ${start} 그대로여야 해요.`],
  atMost: [(size) => `at most ${size}`, (size) => `최대 ${size}`],
  tooLarge: [(name, size, most) => `${name} has ${size}. At most ${most} are allowed.`, (name, size, most) => `${name} 파일은 ${size}예요. 최대 ${most}까지 올릴 수 있어요.`],
  wrongType: [(name, types) => `${name} is of another type. Choose a file of the type ${types}.`, (name, types) => `${name} 파일은 형식이 달라요. ${types} 파일을 선택하세요.`],
  cutOff: [(name) => `${name} could not be read to its end. Choose it again.`, (name) => `${name} 파일을 끝까지 읽지 못했어요. 다시 선택하세요.`],
  notSaved: [(name) => `${name} could not be saved.`, (name) => `${name} 파일을 저장하지 못했어요.`],
  copyByHand: ["This browser does not let the page copy. Copy the text yourself.", "이 브라우저에서는 자동으로 복사할 수 없어요. 글을 직접 복사해 주세요."],
  done: ["Done", "완료"], unread: ["Unread", "읽지 않음"], selected: ["Selected", "선택됨"], favorite: ["Favorite", "즐겨찾기"], disabled: ["Unavailable", "사용할 수 없음"],
  progress: [(done, total) => `${done} of ${total}`, (done, total) => `${total} 중 ${done}`], outdated: ["Not up to date", "최신 상태가 아니에요"],
  noPage: ["Page not found", "페이지를 찾을 수 없어요"], openApp: [(app) => `Open ${app}`, (app) => `${app} 열기`], noResults: ["No results", "검색 결과가 없어요"],
  position: ["Position", "위치"],
  stale: [(time) => `Last updated ${time}`, (time) => `마지막 업데이트: ${time}`],
  results: {
    one: [(count) => `${count} result`],
    other: [(count) => `${count} results`, (count) => `결과 ${count}개`],
  },
};

/** The texts of the language that is spoken. */
export let words;
/** Takes the texts of that language, as `words` does. */
export let pick;
let plural, spoken;

/** Speaks a language: the one that the person has chosen in the app, or else the person's. */
export function speak(language = locale) {
  if (language === spoken) return;
  spoken = language;
  const column = language.startsWith("ko") ? 1 : 0;
  pick = (text) => (Array.isArray(text) ? text[column] : Object.fromEntries(Object.entries(text).map(([name, inner]) => [name, pick(inner)])));
  words = pick(texts);
  plural = new Intl.PluralRules(["en", "ko"][column]);
  formats.clear();
  document.documentElement.lang = language;
}

/** The formatters in use, since they are slow to make. */
const formats = new Map();

function formatter(kind, options) {
  const key = kind.name + JSON.stringify(options);
  if (!formats.has(key)) formats.set(key, new kind(spoken, options));
  return formats.get(key);
}

/** Writes a time; one that is none stays as it is. */
function write(value, options) {
  const date = new Date(value);
  return Number.isNaN(date.getTime()) ? String(value) : formatter(Intl.DateTimeFormat, options).format(date);
}

/** Writes numbers and times in the language that is spoken. */
export const format = {
  /**
   * Writes a number of bytes as a person would: 8 MB, also for 8 MiB. The size of a file is rounded up,
   * so that it is never written as a limit that it exceeds.
   */
  bytes(count, { roundsUp = false } = {}) {
    const write = (value, unit) => formatter(Intl.NumberFormat, { style: "unit", unit, unitDisplay: unit === "byte" ? "long" : "short" }).format(value);
    for (const [unit, power] of [["gigabyte", 3], ["megabyte", 2], ["kilobyte", 1]]) {
      const size = 1000 ** power;
      if (count > 0 && count % 1024 ** power === 0 && !roundsUp) return write(count / 1024 ** power, unit);
      const tenths = count < 10 * size ? 10 : 1;
      if (count >= size) return write((roundsUp ? Math.ceil : Math.floor)((count * tenths) / size) / tenths, unit);
    }
    return write(count, "byte");
  },
  number: (value, options = {}) => formatter(Intl.NumberFormat, options).format(value),
  time: (value) => write(value, { dateStyle: "medium", timeStyle: "short" }),
  date: (value) => write(value, { dateStyle: "medium" }),
  clock: (value) => write(value, { timeStyle: "short" }),
};

speak();

/** Returns the number of results in words. */
export function results(count) {
  return words.results[plural.select(count)](format.number(count));
}

/** Converts a name to words: `nameText` to `Name text`. */
export function spell(name) {
  const text = name.replace(/([a-z0-9])([A-Z])/g, "$1 $2").replace(/[._-]/g, " ").toLowerCase();
  return text.charAt(0).toUpperCase() + text.slice(1);
}
