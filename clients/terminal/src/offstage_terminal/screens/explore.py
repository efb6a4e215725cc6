"""The avatars to explore, a category of avatars, and the user's own."""

from __future__ import annotations

from typing import Any

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical, VerticalScroll

from ..model.text import clean
from ..pages.screenpage import ScreenPage
from ..widgets.cells import Cell
from ..widgets.lists import Cards, Rows
from ..widgets.parts import Busy, Failure, Line, Picture, Trigger


def avatar(row: Any) -> Cell:
    return Cell(clean(row["name"]), clean(row["description"]), picture=row["image"])


def category(row: Any) -> Cell:
    return Cell(clean(row["title"]), picture=row["image"])


class Shelf(Vertical):
    """A titled strip of cards."""

    def __init__(self, title: str, cards: Cards) -> None:
        super().__init__(classes="shelf")
        self._title, self._cards = title, cards

    def compose(self) -> ComposeResult:
        yield Line(lambda page: page.about.outputs[self._title].title, classes="shelf--title")
        yield self._cards


class Explore(ScreenPage, app="showcase", kind="explore"):
    def body(self) -> ComposeResult:
        yield Busy("isLoadingFeatured", "isLoadingPopular")
        with VerticalScroll(classes="shelves"):
            yield Failure("featuredFailure", "popularFailure")
            yield Shelf("featured", Cards("featured", avatar, picture=(12, 6), width=24))
            yield Shelf("categories", Cards("categories", category, picture=(10, 5), width=14))
            yield Shelf("popular", Cards("popular", avatar, picture=(12, 6), width=24))
            with Horizontal(classes="actions"):
                yield Trigger("pushPermissionTapped", hides=True)
                yield Trigger("createAccountTapped", hides=True)
                yield Trigger("devSettingsTapped")

    def show(self) -> None:
        super().show()
        for shelf in self.walk_children(Shelf):
            if shelf.query_one(Cards).path == "categories":
                shelf.display = self.output.get("categoryRow") != "hidden"


class CategoryList(ScreenPage, app="showcase", kind="categoryList"):
    def body(self) -> ComposeResult:
        yield Busy("isLoading")
        yield Failure("failure")
        yield Rows("avatars", avatar, lines=4, picture=6, column=60)


class Profile(ScreenPage, app="showcase", kind="profile"):
    def body(self) -> ComposeResult:
        yield Busy("isLoading")
        with Vertical(classes="card"):
            yield Failure("failure")
            with Horizontal():
                yield Picture(lambda page: page.find("account/image"), 12, 6)
                with Vertical():
                    yield Line(
                        lambda page: page.find("account/name", ""),
                        classes="big",
                    )
                    yield Line(
                        lambda page: page.find("account/email", ""),
                        classes="muted",
                    )
            with Horizontal(classes="actions"):
                yield Trigger("createAvatarTapped")
                yield Trigger("createAccountTapped", variant="primary", hides=True)
                yield Trigger("editProfileTapped", hides=True)
                yield Trigger("settingsTapped")
        yield Rows("avatars", avatar, lines=4, picture=6, column=60)


class CustomModal(ScreenPage, app="showcase", kind="customModal"):
    def body(self) -> ComposeResult:
        yield Line(lambda page: page.output.get("subtitle", ""), classes="pad")
        with Horizontal(classes="actions"):
            yield Trigger("primaryButtonTapped", variant="primary")
            yield Trigger("secondaryButtonTapped")
