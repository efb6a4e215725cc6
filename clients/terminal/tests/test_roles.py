"""What a screen shows follows from its description, never from a name."""

from __future__ import annotations

import json
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest
from textual.widgets import Button, Markdown, Switch

from offstage_terminal.layers import is_of_app
from offstage_terminal.widgets.fields import ValueField
from offstage_terminal.widgets.parts import Offered
from offstage_terminal.widgets.values import RichText, Table

from .conftest import Person, using

TABLE: list[dict[str, Any]] = json.loads(
    (Path(__file__).parents[3] / "Tests/Apps/Meanings/table.json").read_text(encoding="utf-8")
)


def group(row: dict[str, Any]) -> str:
    """The screen and the inputs of a row: rows with the same ones share an app."""
    return json.dumps([row["screen"], row["send"]])


CASES = [[*rows] for _, rows in groupby(sorted(TABLE, key=group), key=group)]


async def send(person: Person, screen: str, name: str, value: Any) -> None:
    """Sends an input of the visible screen, one of its parts, or the app."""
    core = person.app.core
    id = "app" if screen == "app" else core.visible[0]
    pages = [page for page in person.app.screen.query("Page") if page.owner.id == id]  # pyright: ignore
    path, slash, last = name.rpartition("/")
    page: Any = next(each for each in pages if each.owner.path == path + slash)  # pyright: ignore
    page.write(last, value) if last in page.about.fields else page.send(last, value)
    await person.settle()


@pytest.mark.parametrize("rows", CASES, ids=lambda rows: group(rows[0]))
async def test_the_conformance_app_is_shown_by_its_roles(
    meanings: str, rows: list[dict[str, Any]]
) -> None:
    screen, inputs = rows[0]["screen"], rows[0]["send"]
    async with using(meanings, "--deterministic", size=(100, 160)) as person:
        if screen != "app":
            await person.do(person.app.core.select_tab(screen))
        for name, value in inputs:
            await send(person, screen, name, value)
        text = f"{person.text}\n{person.toasts}"
        for row in rows:
            missing = [each for each in row["shows"] if each not in text]
            extra = [each for each in row["hides"] if each in text]
            assert (missing, extra) == ([], []), (row["role"], text)


async def test_only_the_description_says_what_is_work_and_what_retries(odd: str) -> None:
    async with using(odd) as person:
        assert "Missing: Yes" in person.text
        assert "Loading more" not in person.text
        await person.push("load")
        assert "Loading more ━" in person.text
        await person.push("load")
        assert "Loading more" not in person.text and "Once more" not in person.text
        await person.push("breakDown")
        assert "⚠ It broke." in person.text and "4004" not in person.text
        assert "^n Once more" in person.hints
        await person.press("ctrl+n")
        assert "It broke." not in person.text and "Once more" not in person.text


async def test_an_unknown_role_is_shown_by_its_type(odd: str) -> None:
    async with using(odd) as person:
        assert "Cheerful" in person.text and "Violet" in person.text
        await person.push("dream")
        assert "Dreamy" in person.text
        person.app.screen.query_one(Switch).toggle()
        await person.settle()
        assert "Tuned" in person.text


async def test_a_row_is_its_title_above_the_rest(odd: str) -> None:
    async with using(odd) as person:
        lines = person.text.splitlines()
        title = next(line for line in range(len(lines)) if lines[line].strip() == "Above")
        assert lines[title + 1].strip() == "Below · Violet"


async def test_rich_text_runs_and_loads_nothing(odd: str) -> None:
    async with using(odd, size=(120, 50)) as person:
        text = person.text
        assert not {"\x1b", "\x07", "\u202e"} & set(text)
        assert "]0;owned head ing" in text.replace("A ", "").replace("  ", " ")
        for shown in ("<script>alert(1)</script>", "_plain_", "1. first", "| a | b |"):
            assert shown in text
        assert "[unsafe](javascript:alert(1))" in text and "[file](file:///etc/passwd)" in text
        assert "**" not in text and "https://example.com/p.png" not in text
        rich = person.app.screen.query_one(RichText)
        assert rich.links == ["https://example.com/p.png", "https://example.com/a"]


async def test_a_link_is_asked_for(odd: str, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    async with using(odd) as person:
        rich = person.app.screen.query_one(RichText)
        rich.post_message(Markdown.LinkClicked(rich, "https://example.com/a"))
        await person.settle()
        assert "https://example.com/a" in person.text and opened == []
        await person.press("escape")
        assert "https://example.com/a" not in person.text and opened == []
        rich.post_message(Markdown.LinkClicked(rich, "https://example.com/a"))
        await person.settle()
        await person.press("enter")
        assert opened == ["https://example.com/a"]


async def test_actions_of_a_row_are_in_a_menu(meanings: str) -> None:
    async with using(meanings, "--deterministic", size=(100, 90)) as person:
        await person.do(person.app.core.select_tab("lists"))
        person.list("guests").focus()
        await person.press("full_stop")
        text = person.text
        assert text.index("[ ] Star") < text.index("Swipe guest")
        assert text.rstrip().rindex("Move guest") < text.index("Swipe guest")
        await person.press("down", "enter", "full_stop")
        assert "[x] Star" in person.text


async def test_the_app_is_on_every_screen(meanings: str) -> None:
    async with using(meanings, "--deterministic", size=(100, 40)) as person:
        await send(person, "app", "restore", None)
        for tab in ("work", "lists", "values", "form"):
            await person.do(person.app.core.select_tab(tab))
            assert "The whole app was restored" in person.text and "Sync" in person.text
            focused = person.app.focused
            assert focused is None or not is_of_app(focused)  # Enter must not undo.
        offered = [each for each in person.app.screen.query(Offered) if each.display]
        assert offered[0].input == "undo"
        await person.press("ctrl+n")
        assert "The whole app was restored" not in person.text


async def test_values_are_stepped_and_checked(meanings: str) -> None:
    async with using(meanings, "--deterministic", size=(100, 90)) as person:
        await person.do(person.app.core.select_tab("form"))
        fields = {field.input: field for field in person.page.query("TextField")}  # pyright: ignore
        fields["birthday"].entry.focus()  # pyright: ignore
        await person.press("ctrl+down")
        assert person.page.owner.field("birthday").value == "1999-12-31"
        fields["nicknameText"].entry.focus()  # pyright: ignore
        await person.type("A name of more than twenty letters")
        assert "34 of 20 letters" in person.text or "at most 20" in person.text


async def test_main_and_destructive_buttons_look_like_it(meanings: str) -> None:
    async with using(meanings, "--deterministic", size=(100, 90)) as person:
        await person.do(person.app.core.select_tab("form"))
        variants = {each.name: each.variant for each in person.page.query(Button)}
        assert (variants["go"], variants["wipe"], variants["back"]) == (
            "primary",
            "error",
            "default",
        )


async def test_a_number_is_stepped_within_its_rules(meanings: str) -> None:
    async with using(meanings, "--deterministic", size=(100, 90)) as person:
        await person.do(person.app.core.select_tab("form"))
        fields = {field.input: field for field in person.page.query(ValueField)}
        owner = person.page.owner
        fields["volume"].query_one("Input").focus()
        await person.press("ctrl+up")
        assert owner.field("volume").value == 0.75
        await person.press("ctrl+up", "ctrl+up")
        assert owner.field("volume").value == 1
        entry: Any = fields["guests"].query_one("Input")
        entry.focus()
        entry.value = "3"
        await person.press("enter")
        assert owner.field("guests").value == 2 and "A multiple of 2" in person.text
        await person.press("ctrl+down")
        assert owner.field("guests").value == 0


async def test_a_table_is_sorted_and_selected(meanings: str) -> None:
    async with using(meanings, "--deterministic", size=(100, 120)) as person:
        await person.do(person.app.core.select_tab("values"))
        table = person.page.query_one(Table)

        def rows() -> list[str]:
            return [str(table.get_row_at(at)[0]) for at in range(table.row_count)]

        table.focus()
        assert rows() == ["◇ Stir", "◇ Bake"] and "Minutes ▴" in person.text
        await person.press("S")
        assert rows() == ["◇ Bake", "◇ Stir"] and "Minutes ▾" in person.text
        await person.press("s")
        assert "Name ▴" in person.text and "Minutes ▾" not in person.text
        await person.press("s")
        assert rows() == ["◇ Stir", "◇ Bake"] and "Is descending" not in person.text
        await person.press("down", "enter")
        assert rows() == ["◇ Stir", "◆ Bake"]
