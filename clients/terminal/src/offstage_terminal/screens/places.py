"""The map with its bottom sheet, the search, and a place."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container, Horizontal, Vertical
from textual.widget import Widget
from textual.widgets import Static

from ..model.text import clean
from ..pages.anypage import AnyPage
from ..pages.screenpage import ScreenPage
from ..widgets.cells import Cell
from ..widgets.chips import Pills
from ..widgets.fields import TextField
from ..widgets.lists import Rows
from ..widgets.page import Page, Part
from ..widgets.parts import Busy, Empty, Failure, Line, Notice, Trigger
from .mapview import MapView


def place(row: Any) -> Cell:
    rating = f"★ {row['rating']:.1f}" if row.get("rating") is not None else ""
    names = ("localName", "categoryTitle", "region", "distanceText")
    detail = [row.get(name) for name in names]
    found = tuple(map(clean, row.get("nameParts", [])))
    return Cell(clean(row["name"]), " · ".join(clean(d) for d in detail if d), rating, found=found)


def recent(row: Any) -> Cell:
    return Cell("↺ " + clean(row["text"]))


def fact(row: Any) -> Cell:
    return Cell(clean(row["value"]), clean(row["title"]), link=link(row["id"], clean(row["value"])))


def link(id: str, value: str) -> str | None:
    """Returns the URL of a web page or a phone; None for any other property of a place."""
    if re.fullmatch(r"https?://\S+", value, re.IGNORECASE):
        return value
    number = re.sub(r"[^+\d]", "", value.split(";")[0])
    is_phone = re.fullmatch(r"(.+:)?(phone|mobile)", id)
    return f"tel:{number}" if is_phone and number else None


def way(details: Any) -> str:
    """Writes the distance and the direction of a place."""
    return " · ".join(filter(None, [details.get("distanceText"), details.get("directionText")]))


class Grabber(Static, Part):
    """The handle of the bottom sheet."""

    def __init__(self) -> None:
        super().__init__("━━━━━━", classes="grabber", markup=False)

    def show(self, page: Page) -> None:
        pass

    def on_click(self) -> None:
        page = self.page
        if isinstance(page, Map):
            page.action_detent()


class Map(ScreenPage, app="showcase", kind="map"):
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("c", "locate", "Center"),
        Binding("s", "detent", "Sheet"),
    ]
    HEIGHTS: ClassVar[dict[str, str]] = {"tip": "3", "half": "50%", "full": "100%"}

    def body(self) -> ComposeResult:
        with Container(classes="map"):
            yield MapView()
            with Horizontal(classes="map--bar"):
                yield Trigger("searchBarTapped")
                yield Trigger("allTapped")
                yield Trigger("locateTapped")
            with Vertical(classes="map--sheet"):
                yield Grabber()
                yield Busy("isLoading")
                yield Notice("welcome")
                yield Failure("failure")
                with Horizontal(classes="map--open"):
                    if "detailsClosed" in self.about.inputs:
                        yield Trigger("detailsTapped")
                        yield Trigger("detailsClosed")
                    yield Line(lambda page: way(page.find("details", {})), classes="muted")
                with Horizontal(classes="map--results"):
                    if "resultsClosed" in self.about.inputs:
                        yield Trigger("resultsClosed")
                    yield Line(lambda page: page.find("resultsTitle") or "", classes="muted")
                yield Pills("sortBy", label=False)
                with Container(classes="map--places"):
                    yield Empty("emptyArea")
                    yield Rows("places", place, sections="sections")
                yield Rows("details/properties", fact, when=lambda page: bool(page.find("details")))

    def show(self) -> None:
        super().show()
        is_open, has_results = (self.find(name) for name in ("areDetailsOpen", "areResultsShown"))
        self.query_one(".map--open").display = is_open
        self.query_one(".map--results").display = has_results and not is_open
        self.query_one(Pills).display = not is_open and not has_results
        self.query_one(".map--places").styles.height = "auto" if is_open else "1fr"
        if detent := self.output.get("sheetDetent"):
            self.query_one(".map--sheet").styles.height = self.HEIGHTS[detent]

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return action == "search" or super().check_action(action, parameters)

    def action_search(self) -> None:
        self.send("searchBarTapped")

    def action_locate(self) -> None:
        self.send("locateTapped")

    def action_detent(self) -> None:
        detents = list(self.HEIGHTS)
        at = detents.index(self.output["sheetDetent"])
        self.send("sheetDetentChanged", detents[(at + 1) % len(detents)])


class PlaceSearch(ScreenPage, app="showcase", kind="placeSearch"):
    def body(self) -> ComposeResult:
        yield Busy("isSearching")
        yield TextField("queryText", label=False)
        yield Failure("failure")
        yield Rows(
            "results",
            place,
            when=lambda page: bool(page.find("results") or page.find("hasNoResults")),
            empty="No results",
        )
        yield Rows("recents", recent, lines=1, when=lambda page: bool(page.find("recents")))
        if "showAllTapped" in self.about.inputs:
            yield Trigger("showAllTapped", hides=True)


class PlaceDetail(AnyPage, app="showcase", kind="placeDetail"):
    def heading(self) -> str:
        return self.find("place/name") or self.about.title

    def rows(self, path: str, is_one_of_many: bool) -> Iterator[Widget]:
        yield Rows(path, fact)
