"""The front end's own words, in English and Korean. All other words come from the core."""

from __future__ import annotations

_KOREAN = {
    "Add": "추가",
    "Add · ⌫ removes": "추가 · ⌫ 삭제",
    "Allow": "허용",
    "Answer": "답하기",
    "Back": "뒤로",
    "Center": "가운데로",
    "Checking…": "확인하는 중…",
    "Choose": "고르기",
    "Close": "닫기",
    "Copy": "복사",
    "Copy the address": "주소 복사",
    "Copied to the clipboard, if the terminal allows it": "터미널이 허용하면 클립보드에 복사돼요",
    "Dismiss": "닫기",
    "Don’t allow": "허용 안 함",
    "Yes": "예",
    "You are at {url}": "현재 주소: {url}",
    "Your location will be {place}.": "알려 줄 위치: {place}",
    "Done": "완료",
    "Enter a day such as 2026-03-01.": "2026-03-01과 같은 날짜를 입력하세요.",
    "Paste the address that the page leads to": "페이지가 이동한 주소를 붙여 넣으세요",
    "The address must start with {start}.": "주소의 시작은 {start} 그대로여야 해요.",
    "Try again": "다시 시도",
    "The app could not be started": "앱을 시작하지 못했어요",
    "The path of the file": "파일 경로",
    "This address cannot be opened: {url}": "열 수 없는 주소예요: {url}",
    "at most {most}": "최대 {most}",
    "{name} has {size}. At most {most} are allowed.": "{name} 파일은 {size}예요. 최대 {most}까지 올릴 수 있어요.",
    "{name} is of another type. Choose a file of {types}.": "{name} 파일은 형식이 달라요. {types} 파일을 선택하세요.",
    "{path} already exists. Choose another name.": "{path} 파일이 이미 있어요. 다른 이름을 선택하세요.",
    "{path} cannot be read.": "{path} 파일을 읽을 수 없어요.",
    "{path} cannot be written.": "{path} 파일을 저장할 수 없어요.",
    "{path} is being written. Try again.": "{path} 파일이 바뀌고 있어요. 다시 시도하세요.",
    "{path} is not a file.": "파일이 아니에요: {path}",
    "Enter a number": "숫자를 입력하세요",
    "For example {example}": "예: {example}",
    "Everything that was saved is still there.": "저장한 내용은 그대로 있어요.",
    "Let {app} send notifications?": "{app}의 알림을 허용할까요?",
    "Height": "키",
    "Links": "링크",
    "More": "더 보기",
    "Move": "이동",
    "Next marker": "다음 표시",
    "No": "아니요",
    "No results": "검색 결과가 없어요",
    "Nothing here yet": "아직 아무것도 없어요",
    "Open": "열기",
    "Open a link": "링크 열기",
    "Quit": "종료",
    "Refresh": "새로 고침",
    "Keys": "단축키",
    "Next part": "다음 영역",
    "Suspend": "잠시 멈추기",
    "Restart": "다시 시작",
    "Saved {time}": "{time}에 저장됨",
    "Saved earlier": "저장된 내용",
    "Saved just now": "방금 저장됨",
    "Saved {count} day ago": "{count}일 전에 저장됨",
    "Saved {count} days ago": "{count}일 전에 저장됨",
    "Saved {count} hour ago": "{count}시간 전에 저장됨",
    "Saved {count} hours ago": "{count}시간 전에 저장됨",
    "Saved {count} minute ago": "{count}분 전에 저장됨",
    "Saved {count} minutes ago": "{count}분 전에 저장됨",
    "Search": "검색",
    "Select": "선택",
    "Sort": "정렬",
    "A multiple of {size}": "{size}의 배수",
    "Separate with commas": "쉼표로 구분하세요",
    "Step": "조절",
    "Share your location with {app}?": "{app}에 현재 위치를 알려 줄까요?",
    "Seoul City Hall": "서울특별시청",
    "Sheet": "시트",
    "Starting {app} …": "{app} 시작 중 …",
    "Stop": "멈추기",
    "Tabs": "탭",
    "The app has started again.": "앱을 다시 시작했어요.",
    "The app has stopped": "앱이 멈췄어요",
    "Theme": "테마",
    "Undo": "되돌리기",
    "Weight": "몸무게",
    "Zoom": "확대",
    "{count} of {longest} letters": "{count}/{longest}자",
    "{low} to {high}": "{low}~{high}",
    "{count} reminders scheduled": "알림 {count}개를 예약했어요",
}


class Words:
    """The words of a language.

    Args:
        locale: a language tag, such as `ko` or `en-US`.
    """

    def __init__(self, locale: str) -> None:
        self._words = _KOREAN if locale.lower().startswith("ko") else {}

    def __call__(self, text: str, **values: object) -> str:
        return self._words.get(text, text).format(**values)
