"""Drives the app as a person would."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

from textual.pilot import Pilot
from textual.widget import Widget
from textual.widgets import Input

from offstage_terminal.app import Stopped, TerminalApp
from offstage_terminal.cells import Cells
from offstage_terminal.page import Page
from offstage_terminal.parts import Trigger


class Person:
    """Looks at the app and acts on it. Everything settles before the next step."""

    def __init__(self, app: TerminalApp, pilot: Pilot[None]) -> None:
        self.app, self.pilot = app, pilot

    async def settle(self) -> None:
        """Waits until the core rests and the screen shows its document."""
        core = self.app.core
        while True:
            await self.pilot.pause()
            revision, requests = core.document.revision, core.last_id
            if core.error:
                return
            await core.settle()
            while self.app.drawn < core.document.revision:
                await self.pilot.pause()
            await self.pilot.pause()
            if (revision, requests + 1) == (core.document.revision, core.last_id):
                return

    async def press(self, *keys: str) -> None:
        await self.pilot.press(*keys)
        await self.settle()

    async def type(self, text: str, field: int = 0) -> None:
        entry = list(self.app.screen.query(Input))[field]
        self.app.screen.set_focus(entry)
        await self.press(*["space" if c == " " else c for c in text])

    async def click(self, widget: Widget, offset: tuple[int, int] = (0, 0)) -> None:
        await self.pilot.click(widget, offset=offset)
        await self.settle()

    def list(self, path: str) -> Cells:
        """The list on the visible page that shows a part of the output."""
        return next(cells for cells in self.page.query(Cells) if cells.path == path)

    async def push(self, name: str) -> None:
        """Presses the button of an input on the visible page."""
        for button in self.page.walk_children(Trigger):
            if button.input == name:
                button.press()
        await self.settle()

    async def do(self, request: asyncio.Future[Any]) -> None:
        await request
        await self.settle()

    @property
    def page(self) -> Page:
        """The page on top."""
        pages = [page for page in self.app.screen.query(Page) if page.display]
        return pages[-1]

    @property
    def text(self) -> str:
        """What is on the screen, as plain text."""
        lines = self.app.screen._compositor.render_strips()  # pyright: ignore
        return "\n".join(strip.text.rstrip() for strip in lines)


@asynccontextmanager
async def using(
    *command: str, size: tuple[int, int] = (100, 36), **options: Any
) -> AsyncGenerator[Person]:
    """Runs the app on a core, as a person in a terminal of `size`."""
    animations = options.pop("animations", "none")
    app = TerminalApp(command, **options)
    app.animation_level = animations
    async with app.run_test(size=size) as pilot:
        person = Person(app, pilot)
        while not app.drawn and not isinstance(app.screen, Stopped):
            await pilot.pause()
        await person.settle()
        yield person
