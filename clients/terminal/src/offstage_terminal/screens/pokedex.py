"""The Pokédex: an endless list with a search, and a detail."""

from __future__ import annotations

from typing import Any

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical, VerticalScroll

from ..model.text import clean
from ..pages.screenpage import ScreenPage
from ..widgets.cells import Cell
from ..widgets.fields import TextField
from ..widgets.lists import Rows
from ..widgets.page import Page
from ..widgets.parts import Busy, Failure, Line, Picture


def pokemon(row: Any) -> Cell:
    number = f"#{row['id']:03}"
    return Cell(clean(row["name"]), "", number, picture=row["image"])


def searches(page: Page) -> bool:
    names = ("isSearching", "results", "hasNoResults", "searchFailure")
    return any(page.output.get(name) for name in names)


class Pokedex(ScreenPage, app="showcase", kind="pokedex"):
    def body(self) -> ComposeResult:
        yield Busy("isLoading", "isSearching")
        yield TextField("searchText", label=False)
        yield Failure("failure", "searchFailure")
        yield Rows(
            "results", pokemon, lines=3, picture=4, column=32, when=searches, empty="No results"
        )
        yield Rows(
            "pokemon",
            pokemon,
            sections="sections",
            lines=3,
            picture=4,
            column=32,
            when=lambda page: not searches(page),
        )


class PokemonDetail(ScreenPage, app="showcase", kind="pokemonDetail"):
    def _find(self, name: str) -> Any:
        return self.find(f"detail/{name}")

    def heading(self) -> str:
        return self._find("name") or self.about.title

    def body(self) -> ComposeResult:
        yield Busy("isLoading")
        with VerticalScroll(classes="form"):
            yield Failure("failure")
            with Horizontal(classes="detail"):
                yield Picture(lambda page: self._find("image"), 28, 14)
                with Vertical():
                    yield Line(
                        lambda page: f"#{self._find('id'):03}" if self._find("id") else "",
                        classes="muted",
                    )
                    yield Line(lambda page: self._find("name") or "", classes="big")
                    yield Line(lambda page: " · ".join(self._find("typeNames") or []))
                    yield Line(lambda page: self._measure("Height", "heightText"))
                    yield Line(lambda page: self._measure("Weight", "weightText"))

    def _measure(self, title: str, name: str) -> str:
        text = self._find(name)
        return f"{self.app.words(title)}  {text}" if text else ""
