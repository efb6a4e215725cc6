"""The library's shelves, and a title."""

from __future__ import annotations

from typing import Any

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.widgets import Static

from ..model.text import clean
from ..pages.screenpage import ScreenPage
from ..widgets.cells import Cell
from ..widgets.lists import Cards, Rows
from ..widgets.page import Page, Part
from ..widgets.parts import Busy, Failure, Line, Picture, Trigger

SIZES = {"poster": (14, 10), "thumbnail": (24, 7)}
BADGES = {"star": " ★", "play": " ▶"}


def card(row: Any) -> Cell:
    badge = BADGES[row["badge"]["kind"]] if row.get("badge") else ""
    subtitle, progress = clean(row.get("subtitle") or ""), row.get("progress")
    return Cell(clean(row["title"]), subtitle, badge, row["image"], progress)


class Shelves(VerticalScroll, Part):
    """A strip of cards for each shelf."""

    def show(self, page: Page) -> None:
        shelves = page.find("shelves", [])
        wanted = [(shelf["id"], shelf["style"]) for shelf in shelves]
        if wanted != [each.key for each in self.query_children(Shelf)]:
            for each in self.query_children(Shelf):
                each.remove()
            self.mount(*[Shelf(index, shelf) for index, shelf in enumerate(shelves)])
            return
        for each, shelf in zip(self.query_children(Shelf), shelves, strict=True):
            each.cards.show_rows(shelf["cards"])


class Shelf(Vertical):
    def __init__(self, index: int, shelf: Any) -> None:
        super().__init__(classes="shelf")
        self.key = (shelf["id"], shelf["style"])
        self._title = clean(shelf["title"])
        self.cards = Cards(f"shelves/{index}/cards", card, picture=SIZES[shelf["style"]])
        self.cards.show_rows(shelf["cards"])

    def compose(self) -> ComposeResult:
        yield Static(self._title, classes="shelf--title", markup=False)
        yield self.cards


class Library(ScreenPage, app="showcase", kind="library"):
    def body(self) -> ComposeResult:
        yield Busy("isLoading")
        yield Failure("failure")
        yield Shelves(classes="shelves", can_focus=False)


class TitleDetail(ScreenPage, app="showcase", kind="titleDetail"):
    def _find(self, name: str) -> Any:
        return self.find(f"detail/{name}")

    def heading(self) -> str:
        return self._find("title") or self.about.title

    def body(self) -> ComposeResult:
        yield Busy("isLoading")
        with VerticalScroll(classes="form"):
            yield Failure("failure")
            with Horizontal(classes="detail"):
                yield Picture(lambda page: self._find("image"), 28, 20)
                with Vertical():
                    yield Line(lambda page: self._find("title") or "", classes="big")
                    yield Rows(
                        "detail/facts",
                        lambda row: Cell(clean(row["label"]), trailing=clean(row["value"])),
                        lines=1,
                    )
                    yield Line(self._progress, classes="muted")
                    with Horizontal(classes="actions"):
                        yield Trigger("playTapped", variant="primary", hides=True)
                        yield Trigger("pauseTapped", variant="primary", hides=True)
                        yield Trigger("bookmarkTapped", hides=True)

    def _progress(self, page: Page) -> str:
        progress = self._find("progress")
        if progress is None:
            return ""
        done = round(progress * 24)
        return "━" * done + "─" * (24 - done) + f" {progress:.0%}"

    def show(self) -> None:
        super().show()
        for button in self.walk_children(Trigger):
            if button.input == "bookmarkTapped" and self._find("isBookmarked"):
                button.label = f"★ {button.label}"
