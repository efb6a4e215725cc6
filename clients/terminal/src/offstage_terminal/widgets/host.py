"""What widgets know of the app."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from offstage import Core, CoreStopped
from textual.app import App
from textual.screen import Screen

from ..model.pictures import Pictures
from ..model.text import clean
from ..model.words import Words
from .keys import Keys


class Host(App[None]):
    """An app on a core: sends requests, and shows menus above the core's screens.

    Attributes:
        words: the front end's own words, in the user's language.
        agreed: the prompts that the user has agreed to be asked.
    """

    core: Core
    pictures: Pictures
    words: Words
    keys: Keys
    menu: Screen[None] | None = None
    agreed: set[str]

    @property
    def request(self) -> tuple[str, Mapping[str, Any]] | None:
        """The first prompt that says why it asks: the user has not, and so it waits."""
        for id, prompt in self.core.open_prompts.items():
            params: Mapping[str, Any] = prompt.get("params") or {}
            if params.get("reason") and id not in self.agreed:
                return id, prompt
        return None

    def agree(self, id: str) -> None:
        """Asks what has waited."""
        raise NotImplementedError

    def do(self, request: asyncio.Future[Any]) -> None:
        """Shows the error if the core refuses the request."""

        def done(future: asyncio.Future[Any]) -> None:
            if future.cancelled() or not (error := future.exception()):
                return
            if not isinstance(error, CoreStopped):
                self.notify(clean(error), severity="warning", markup=False)

        request.add_done_callback(done)
        self.keys.wait_for(request)

    def after_press(self, do: Callable[[], object]) -> None:
        """Does something once no mouse button is down."""
        raise NotImplementedError

    def go_back(self) -> None:
        self.do(self.core.back())

    def back_label(self, id: str) -> str:
        """Returns the label of the way back from a screen; empty at a root."""
        navigation = self.core.document.navigation
        root = navigation["root"]
        stacks = [root, *root.get("tabs", [])]
        for stack in stacks:
            if id in stack.get("screens", [])[1:]:
                return "‹ " + self.words("Back")
        for presented in navigation["presented"]:
            if id in presented["screens"]:
                first = id == presented["screens"][0]
                return "✕ " + self.words("Close") if first else "‹ " + self.words("Back")
        return ""

    def beside(self, screens: Sequence[str]) -> str | None:
        """Returns the screen to show left of the top of a stack: in a wide terminal, the one below."""
        raise NotImplementedError

    def copy(self, text: str) -> None:
        """Copies a text to the clipboard, and shows it."""
        raise NotImplementedError

    def ask_to_open(self, url: str) -> None:
        """Asks whether to open a link of a text in the browser."""
        raise NotImplementedError

    def open_menu(self, menu: Screen[None]) -> None:
        """Opens a menu in the place of another one."""
        self.close_menu()
        self.menu = menu
        self.push_screen(menu)

    def close_menu(self, menu: Screen[None] | None = None) -> None:
        """Closes a menu if it is open; by default, the one that is."""
        if self.menu and menu in (None, self.menu):
            self.menu = None
            self.pop_screen()
