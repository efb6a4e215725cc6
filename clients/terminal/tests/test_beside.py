"""A screen beside the one that it has opened, in a wide terminal."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import pytest

from offstage_terminal.pages.screenpage import ScreenPage
from offstage_terminal.widgets.cells import Cells

from .conftest import Person, using

pytestmark = pytest.mark.long

WIDE, NARROW = (140, 30), (119, 30)


@asynccontextmanager
async def issues(tracker: str) -> AsyncGenerator[Person]:
    """Runs the tracker in a wide terminal, with the highlight on the second issue of the list."""
    async with using(tracker, "--deterministic", size=WIDE) as person:
        await person.type("kim@example.com", 0)
        await person.type("secret", 1)
        await person.press("enter")
        await person.do(person.app.core.advance(1000))
        await person.press("down")
        yield person


def kinds(person: Person) -> list[str]:
    """Returns the kinds of the screens on display, the topmost first, as the core is told."""
    core = person.app.core
    return [core.document.screens[id]["kind"] for id in core.visible]


def drawn(person: Person) -> list[str]:
    """Returns the kinds of the pages that are drawn, from left to right."""
    pages = [page for page in person.app.screen.query(ScreenPage) if page.display]
    return [page.about.kind for page in sorted(pages, key=lambda page: page.region.x)]


async def test_a_list_stays_beside_what_it_opened(tracker: str) -> None:
    async with issues(tracker) as person:
        assert drawn(person) == ["issueList"]
        await person.press("enter")
        assert drawn(person) == ["issueList", "issueEditor"]
        assert kinds(person) == ["issueEditor", "issueList"]
        assert person.page.owner.current("titleText") == "Issue 4"
        assert person.app.focused in person.page.walk_children()
        lines = [line for line in person.text.splitlines() if "Issue 1" in line]
        assert lines and "│" in lines[0]
        await person.press("escape")
        assert drawn(person) == kinds(person) == ["issueList"]
        assert person.app.focused is person.list("rows")
        assert person.list("rows").row["title"] == "Issue 4"


async def test_another_row_opens_in_the_place_of_the_first(tracker: str) -> None:
    async with issues(tracker) as person:
        await person.press("enter")
        rows = next(iter(person.app.screen.query(Cells)))
        colors = lambda: [rows.ground(at).bgcolor for at in range(len(rows.items))]
        opened = next(at for at, (row, _) in enumerate(rows.items) if row == rows.row)
        assert colors().count(colors()[opened]) == 1  # The row that is open is marked.
        person.app.screen.set_focus(rows)
        await person.press("down", "enter")
        assert drawn(person) == ["issueList", "issueEditor"]
        assert person.page.owner.current("titleText") == "Issue 7"
        assert len(person.app.core.document.screens) == 3
        await person.press("escape")
        assert drawn(person) == ["issueList"]


async def test_what_asks_first_is_not_closed_by_another_row(tracker: str) -> None:
    async with issues(tracker) as person:
        await person.press("enter")
        await person.type("!")
        rows = next(iter(person.app.screen.query(Cells)))
        person.app.screen.set_focus(rows)
        await person.press("down", "enter")
        assert "Discard" in person.text
        await person.press("escape")
        assert drawn(person) == ["issueList", "issueEditor"]
        assert person.page.owner.current("titleText") == "Issue 4!"


async def test_a_narrow_terminal_shows_one_screen(tracker: str) -> None:
    async with issues(tracker) as person:
        await person.press("enter")
        core, told = person.app.core, list[list[str]]()
        core.visibility_changed = lambda: told.append(kinds(person))
        await person.resize(*NARROW)
        assert drawn(person) == ["issueEditor"]
        await person.resize(*WIDE)
        assert drawn(person) == ["issueList", "issueEditor"]
        assert told == [["issueEditor"], ["issueEditor", "issueList"]]


async def test_a_screen_with_a_style_is_alone(showcase: str) -> None:
    async with using(showcase, "--deterministic", "--root", "library", size=WIDE) as person:
        await person.press("enter")
        assert kinds(person) == ["titleDetail"]
