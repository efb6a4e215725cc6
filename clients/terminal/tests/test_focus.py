"""The focus, the key hints, and what a page shows while it has nothing to show."""

from __future__ import annotations

from textual.widgets import Input

from offstage_terminal.cells import Cells
from offstage_terminal.hints import KeyHints
from offstage_terminal.parts import Busy, Trigger

from .conftest import using


async def test_a_tab_focuses_its_first_list_once_it_has_rows(showcase: str) -> None:
    async with using(showcase, "--deterministic") as person:
        await person.press("enter", "2")
        focused = person.app.screen.focused
        assert isinstance(focused, Cells) and focused.path == "featured"
        assert "←→ Select  ⏎ Open" in person.hints
        await person.press("enter")
        assert person.page.about.kind == "chat"


async def test_a_pushed_form_takes_what_is_typed(showcase: str) -> None:
    async with using(showcase, "--deterministic", "--root", "profile") as person:
        await person.push("createAccountTapped")
        await person.push("signUpTapped")
        await person.type("Kim")
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
        assert "1… Tabs" in person.hints
        assert "Back" not in person.hints
        assert "Open" not in person.hints
        await person.press("n")
        assert "Open" in person.hints
        await person.press("slash")
        assert "esc Back" in person.hints


async def test_an_empty_list_offers_no_selection(showcase: str) -> None:
    async with using(showcase, "--deterministic", "--root", "chats") as person:
        assert "Tabs" not in person.hints and "Quit" in person.hints
        assert "Select" not in person.hints


async def test_a_title_opens_on_its_button_rather_than_its_facts(showcase: str) -> None:
    async with using(showcase, "--deterministic", "--root", "library") as person:
        await person.press("enter")
        focused = person.app.screen.focused
        assert isinstance(focused, Trigger) and focused.input == "playTapped"
        await person.press("enter")
        assert person.page.output["isPlaying"]


async def test_a_click_on_a_hint_presses_its_key(showcase: str) -> None:
    async with using(showcase, "--deterministic", "--root", "pokedex") as person:
        hints = person.app.screen.query_one(KeyHints)
        await person.click(hints, offset=(str(hints.content).index("Theme") + 2, 0))
        assert person.app.theme == "offstage-light"


async def test_an_empty_list_says_so(showcase: str) -> None:
    async with using(showcase, "--deterministic", "--root", "chats", locale="ko") as person:
        line = next(line for line in person.text.splitlines() if "아무것도 없어요" in line)
        assert abs(len(line) - len(line.lstrip()) - 41) <= 1  # Centered by cells, not characters.


async def test_nothing_is_drawn_while_nothing_happens(showcase: str) -> None:
    async with using(showcase, "--deterministic", "--root", "explore") as person:
        assert not any(bar.auto_refresh for bar in person.app.screen.query(Busy))
