"""The focus, the key hints, and pages without content."""

from __future__ import annotations

from typing import Any

import pytest
from offstage import Port, RowsOf
from textual.geometry import Region
from textual.screen import Screen
from textual.widgets import Input

from offstage_terminal.widgets.cells import Cells
from offstage_terminal.widgets.hints import KeyHints
from offstage_terminal.widgets.parts import Busy, Trigger
from offstage_terminal.widgets.values import Table

from .conftest import using

pytestmark = pytest.mark.long


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
    async with using(showcase, "--deterministic", size=(140, 36)) as person:
        await person.press("ctrl+n")
        assert "1… Tabs" in person.hints
        assert "Back" not in person.hints
        assert "Open" not in person.hints
        await person.press("n")
        assert "Open" in person.hints
        await person.press("slash")
        assert "esc Back" in person.hints


async def test_keys_move_a_row(showcase: str) -> None:
    # On a wider screen, the rows are side by side.
    command = (showcase, "--deterministic", "--root", "pokedex")
    async with using(*command, size=(50, 40)) as person:
        moves = (RowsOf("pokemon", None, {"id": "pokemon/*/id"}, "before"),)
        inputs: Any = person.page.about.inputs
        assert "Move" not in person.hints
        port = Port("moved", {}, "Move", {"x-role": "move"}, moves)
        inputs["moved"] = port
        values = person.inputs("moved")
        await person.press("down", "ctrl+up", "ctrl+down", "home", "ctrl+up", "full_stop")
        assert values == [{"id": 2, "before": 1}, {"id": 2, "before": 4}]
        assert "Move ↓" in person.text and "Move ↑" not in person.text
        await person.press("down", "enter")
        assert values[2:] == [{"id": 1, "before": 3}]


async def test_only_the_layer_on_top_has_hints(showcase: str) -> None:
    async with using(showcase, "--deterministic") as person:
        root = person.app.screen_stack[1].query_one(KeyHints)
        await person.press("6")
        assert "1… Tabs" in str(root.content)
        await person.push("createAccountTapped")
        assert str(root.content) == ""
        assert person.hints.startswith("esc Not now") and "^w" not in person.hints


async def test_arrows_go_from_button_to_button(showcase: str) -> None:
    async with using(showcase, "--deterministic", "--root", "profile", size=(60, 20)) as person:
        await person.press("right", "right", "left", "left", "enter")
        assert person.page.about.kind == "createAvatar"
        await person.press("escape", "right", "enter")
        assert person.page.about.kind == "createAccount"
        focused = person.app.focused
        assert isinstance(focused, Trigger)
        assert focused.region.bottom < person.app.screen.query_one(KeyHints).region.y


async def test_an_empty_list_says_what_it_lacks(showcase: str) -> None:
    async with using(showcase, "--deterministic", "--root", "settings") as person:
        assert "Reminders: Nothing here yet" in person.text


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
    async with using(showcase, "--deterministic", "--root", "profile", locale="ko") as person:
        line = next(line for line in person.text.splitlines() if "아무것도 없어요" in line)
        assert abs(len(line) - len(line.lstrip()) - 41) <= 1  # Centered by cells, not characters.


async def test_chats_say_how_to_start_one(showcase: str) -> None:
    async with using(showcase, "--deterministic") as person:
        await person.press("ctrl+n", "3")
        assert "No chats yet. Pick someone in Explore" in person.text
        await person.press("ctrl+n")
        assert person.page.about.kind == "explore"


async def test_nothing_is_drawn_while_nothing_happens(showcase: str) -> None:
    async with using(showcase, "--deterministic", "--root", "explore") as person:
        assert not any(bar.auto_refresh for bar in person.app.screen.query(Busy))


@pytest.mark.parametrize("locale", ["en", "ko"])
@pytest.mark.parametrize("width", [60, 80, 100])
async def test_hints_are_whole_and_say_how_to_quit(showcase: str, width: int, locale: str) -> None:
    async with using(showcase, "--deterministic", size=(width, 24), locale=locale) as person:
        await person.press("enter", "n")
        assert "^q " in person.hints
        assert person.hints in person.text.splitlines()[-1]


async def test_hints_follow_the_width(showcase: str) -> None:
    async with using(showcase, "--deterministic", size=(60, 24)) as person:
        await person.press("enter")
        assert "Theme" not in person.hints
        await person.resize(140, 24)
        assert "Theme" in person.hints


@pytest.mark.parametrize("kind", ["pokedex", "placeSearch"])
async def test_down_goes_from_a_search_to_its_results(showcase: str, kind: str) -> None:
    async with using(showcase, "--deterministic", "--root", kind) as person:
        await person.type("a", field=0)
        await person.do(person.app.core.advance(1000))
        await person.press("down", "down")
        results = person.list("results")
        assert results.has_focus and results.place[1] == 1
        await person.press("up", "up")
        assert isinstance(person.app.focused, Input)


async def test_blanks_search_nothing(showcase: str) -> None:
    async with using(showcase, "--deterministic", "--root", "pokedex") as person:
        await person.type("qqq", field=0)
        await person.do(person.app.core.advance(1000))
        assert "No results" in person.text and not person.list("pokemon").display
        await person.press("backspace", "backspace", "backspace")
        await person.type(" ", field=0)
        assert person.list("pokemon").display and not person.list("results").display
    async with using(showcase, "--deterministic", "--root", "placeSearch") as person:
        await person.type(" ", field=0)
        await person.do(person.app.core.advance(1000))
        assert "No results" not in person.text


async def test_a_slash_goes_to_the_search(showcase: str) -> None:
    async with using(showcase, "--deterministic", "--root", "pokedex") as person:
        assert "/ Search" in person.hints
        await person.press("slash")
        await person.type("pika")
        assert person.page.owner.field("searchText").value == "pika"
    async with using(showcase, "--deterministic", "--root", "signUp") as person:
        assert "Search" not in person.hints


async def test_buttons_stay_where_they_were_drawn_first(
    showcase: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    places = list[list[Region]]()
    lay_out = Screen._refresh_layout  # pyright: ignore

    def record(screen: Any, *arguments: Any, **options: Any) -> None:
        lay_out(screen, *arguments, **options)
        places.append([button.region for button in screen.query(Trigger)])

    monkeypatch.setattr(Screen, "_refresh_layout", record)
    async with using(showcase, "--deterministic", "--root", "settings") as person:
        drawn = [each for each in places if any(each)]
        assert drawn[0] == drawn[-1] == [each.region for each in person.page.query(Trigger)]


@pytest.mark.parametrize("height", [24, 90])
async def test_a_form_opens_on_its_first_field(meanings: str, height: int) -> None:
    async with using(meanings, "--deterministic", size=(100, height)) as person:
        await person.do(person.app.core.select_tab("form"))
        await person.type("Kim")
        assert person.page.owner.field("nicknameText").value == "Kim"


async def test_keys_scroll_a_page_without_a_list(meanings: str) -> None:
    async with using(meanings, "--deterministic", size=(100, 24)) as person:
        await person.do(person.app.core.select_tab("values"))
        assert "Distance" in person.text and "let answer" not in person.text
        await person.reach("end", "Clear")
        await person.reach("home", "Distance")
        await person.press("pagedown")
        await person.sees("let answer")
        # A table of which all is shown has no use for these keys.
        person.page.query_one(Table).focus(scroll_visible=False)
        await person.press("end")
        await person.sees("Clear")
        await person.press("home", "pagedown")
        await person.sees("let answer")


async def test_a_page_that_is_laid_out_late_takes_keys(meanings: str) -> None:
    async with using(meanings, "--deterministic", size=(100, 24)) as person:
        await person.do(person.app.core.select_tab("values"))
        person.app.screen.set_focus(None)
        person.page.refresh(layout=True)
        await person.flush()
        await person.press("end")
        assert "Clear" in person.text


async def test_a_narrow_line_keeps_the_keys_that_lead_to_the_others(showcase: str) -> None:
    async with using(showcase, "--deterministic", size=(80, 24)) as person:
        await person.press("enter", "n")
        for hint in ("? Keys", "^p Find", "^q Quit"):
            assert hint in person.hints


@pytest.mark.parametrize(("locale", "text"), [("en", "Do what is offered"), ("ko", "제안된 동작")])
async def test_the_keys_name_what_is_offered(showcase: str, locale: str, text: str) -> None:
    async with using(showcase, "--deterministic", locale=locale) as person:
        await person.press("question_mark")
        assert text in person.text and "Offer" not in person.text
