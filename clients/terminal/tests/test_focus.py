"""The focus, the key hints, and what a page shows while it has nothing to show."""

from __future__ import annotations

from textual.widgets import Input

from offstage_terminal.cells import Cells
from offstage_terminal.parts import Busy

from .conftest import Person, using


def hints(person: Person) -> set[str]:
    """The key hints of what has the focus."""
    active = person.app.screen.active_bindings.values()
    return {each.binding.description for each in active if each.enabled and each.binding.show}


async def test_a_tab_focuses_its_first_list_once_it_has_rows(showcase: str) -> None:
    async with using(showcase, "--deterministic") as person:
        await person.press("enter", "2")
        focused = person.app.screen.focused
        assert isinstance(focused, Cells) and focused.path == "featured"
        assert {"Select", "Open"} <= hints(person)
        await person.press("enter")
        assert person.page.about.kind == "chat"


async def test_a_pushed_form_takes_what_is_typed(showcase: str) -> None:
    async with using(showcase, "--deterministic", "--root", "profile") as person:
        await person.push("createAccountTapped")
        await person.push("signUpTapped")
        await person.press(*"Kim")
        assert person.app.screen.query(Input).first().value == "Kim"


async def test_going_back_restores_the_focus(showcase: str) -> None:
    async with using(showcase, "--deterministic") as person:
        await person.press("enter", "2", "down", "right", "enter")
        assert person.page.about.kind == "categoryList"
        await person.press("escape")
        focused = person.app.screen.focused
        assert isinstance(focused, Cells) and (focused.path, focused.cursor) == ("categories", 1)


async def test_hints_name_only_what_a_key_does(showcase: str) -> None:
    async with using(showcase, "--deterministic") as person:
        await person.press("enter")
        assert "Tabs" in hints(person)
        assert not {"Back", "Open"} & hints(person)
        await person.press("n")
        assert "Open" in hints(person)
        await person.press("slash")
        assert "Back" in hints(person)


async def test_hints_are_korean(showcase: str) -> None:
    async with using(showcase, "--deterministic", locale="ko") as person:
        await person.press("enter")
        assert {"이동", "확대", "검색", "탭", "종료"} <= hints(person)


async def test_an_empty_list_says_so(showcase: str) -> None:
    async with using(showcase, "--deterministic", "--root", "chats", locale="ko") as person:
        line = next(line for line in person.text.splitlines() if "아무것도 없습니다" in line)
        assert abs(len(line) - len(line.lstrip()) - 41) <= 1  # Centered by cells, not characters.


async def test_nothing_is_drawn_while_nothing_happens(showcase: str) -> None:
    async with using(showcase, "--deterministic", "--root", "explore") as person:
        assert not any(bar.auto_refresh for bar in person.app.screen.query(Busy))


async def test_narrow_terminals_show_all_tabs(showcase: str) -> None:
    async with using(showcase, "--deterministic", size=(60, 20), locale="ko") as person:
        await person.press("enter")
        assert "프로필" in person.text.splitlines()[0]
