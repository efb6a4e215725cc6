"""A list of which the document has a window: a million rows, of which a person sees some."""

from __future__ import annotations

from typing import Any

import pytest

from offstage_terminal.widgets.windows import Window

from .conftest import Person, using

pytestmark = pytest.mark.long

LONG = ("--deterministic", "--root", "long")


def window(person: Person) -> Window:
    return person.page.query_one(Window)


def rows(person: Person) -> list[int]:
    """The numbers that are in the document."""
    return [row["id"] for row in person.page.output["numbers"]["rows"]]


async def test_the_cursor_moves_through_all_rows(meanings: str) -> None:
    async with using(meanings, *LONG, size=(80, 40)) as person:
        list = window(person)
        list.focus()
        assert "Number 0" in person.text and len(list.items) == 1_000_000
        await person.press("end")
        await person.settle()
        assert "Number 999999" in person.text and "Number 0 " not in person.text
        assert list.row["id"] == 999_999 and len(rows(person)) <= 1000
        await person.press("up", "up", "enter")
        await person.settle()
        assert person.page.output["opened"] == 999_997
        await person.press("home")
        await person.settle()
        assert "Number 0" in person.text and list.row["id"] == 0


async def test_rows_that_are_on_their_way_keep_their_place(meanings: str) -> None:
    async with using(meanings, *LONG, size=(80, 40)) as person:
        list = window(person)
        list.focus()
        list.highlight(500_000)
        list.refresh()
        assert list.row is None and getattr(list.items[500_000][1], "title", "") == "…"
        await person.settle()
        assert list.cursor == 500_000 and "Number 500000" in person.text


async def test_scrolling_asks_once_for_many_rows(meanings: str) -> None:
    async with using(meanings, *LONG, size=(80, 40)) as person:
        list, asked = window(person), 0
        list.focus()
        send = person.app.core.request

        def request(method: str, *rest: Any) -> Any:
            nonlocal asked
            asked += method == "list/window"
            return send(method, *rest)

        person.app.core.request = request  # pyright: ignore
        await person.press(*["down"] * 100)
        await person.settle()
        assert list.row["id"] == 100 and 0 < asked < 12


async def test_new_rows_above_do_not_move_what_is_shown(meanings: str) -> None:
    async with using(meanings, *LONG, size=(80, 40)) as person:
        list = window(person)
        list.focus()
        list.highlight(400)
        await person.settle()
        before = person.text
        person.page.send("addTwo")
        await person.settle()
        assert person.text == before and list.cursor == 402 and list.row["id"] == 400
        await person.press("down")
        assert list.row["id"] == 401


async def test_a_failure_is_said_and_can_be_tried_again(meanings: str) -> None:
    async with using(meanings, *LONG, size=(80, 40)) as person:
        list = window(person)
        list.focus()
        person.page.send("breakDown")
        await person.press("end")
        await person.settle()
        assert "The numbers are out. · Try again (Enter)" in person.text
        await person.press("enter")
        await person.settle()
        assert "The numbers are out." not in person.text and list.row["id"] == 999_999


async def test_a_list_that_is_read_from_its_end_opens_there(meanings: str) -> None:
    async with using(meanings, "--deterministic", "--root", "diary", size=(80, 40)) as person:
        list = window(person)
        list.focus()
        assert "Day 10000" in person.text and list.row["id"] == 10_000
        person.page.send("addEntry")
        await person.settle()
        assert "Day 10001" in person.text and list.row["id"] == 10_001
        list.highlight(100)
        await person.settle()
        before = person.text
        person.page.send("addEntry")
        await person.settle()
        assert person.text == before and len(list.items) == 10_002
        await person.press("end")
        assert list.row["id"] == 10_002
