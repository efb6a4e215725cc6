"""Drives the app as a person would."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

from offstage import ProcessTransport
from textual import events, messages
from textual.message import Message
from textual.message_pump import MessagePump
from textual.pilot import Pilot
from textual.widget import Widget
from textual.widgets import Input

from offstage_terminal.app import TerminalApp
from offstage_terminal.dialogs import Stopped
from offstage_terminal.pages.screenpage import ScreenPage
from offstage_terminal.widgets.cells import Cells
from offstage_terminal.widgets.hints import KeyHints
from offstage_terminal.widgets.parts import Trigger

# A blinking cursor sends the first; `flush` sends the others.
UNCOUNTED = (messages.Update, messages.InvokeLater, events.Callback)


class Person:
    """Acts on the app, and waits until everything settles before the next step.

    Textual's pilot waits until the process uses little CPU time. On a busy machine, that
    happens before the work is done, so this class waits for messages and frames instead.
    """

    def __init__(self, app: TerminalApp) -> None:
        self.app = app
        self._messages = 0
        self._left: Any = None

    def count(self, message: Message) -> None:
        """Counts a message that a widget handles."""
        self._messages += not isinstance(message, UNCOUNTED)

    async def flush(self) -> None:
        """Waits until no widget has pending messages, and the screen is laid out."""
        before = -1
        while before != self._messages or self.app.keys.is_holding:
            before = self._messages
            pumps = [self.app, *self.app.screen.walk_children(with_self=True)]
            await asyncio.sleep(0)
            assert self.app.is_running, "the app has ended"
            waits = [(pump, Wait(pump.call_later)) for pump in pumps]
            waits.append((self.app.screen, Wait(self.app.screen.call_after_refresh)))
            for pump, wait in waits:
                await wait.end(pump)

    async def settle(self) -> None:
        """Waits until the core has settled and the screen shows its document."""
        core = self.app.core
        await self.flush()
        while True:
            requests, revision = core.last_id, core.document.revision
            await core.settle()
            while self.app.drawn < core.document.revision:
                await self.flush()
            await self.flush()
            if (core.last_id, core.document.revision) == (requests + 1, revision):
                return

    async def press(self, *keys: str) -> None:
        """Presses keys, and waits for the effects of each."""
        for key in keys:
            self.app.simulate_key(key)
            await self.settle()

    async def type(self, text: str, field: int | None = None) -> None:
        """Types a text at once, into the focused widget or a field of the screen."""
        if field is not None:
            self.app.screen.set_focus(list(self.app.screen.query(Input))[field])
        for character in text:
            key = "space" if character == " " else character
            self.app.post_message(events.Key(key, character))
        await self.settle()

    async def click(self, widget: Widget, offset: tuple[int, int] = (0, 0)) -> None:
        await Pilot(self.app).click(widget, offset=offset)
        await self.settle()

    async def resize(self, width: int, height: int) -> None:
        await Pilot(self.app).resize_terminal(width, height)
        await self.settle()

    def end_core(self, number: signal.Signals) -> None:
        """Ends the core from outside."""
        self._left = self.app.core.handshake
        connection = self.app.core._connection  # pyright: ignore
        assert connection and isinstance(connection.transport, ProcessTransport)
        os.kill(connection.transport.process.pid, number)

    async def is_back(self) -> None:
        """Waits until the core has been started again after its end."""
        while self.app.core.handshake is self._left or self.app.core.error:
            await self.flush()
        await self.settle()

    def inputs(self, name: str) -> list[Any]:
        """Returns a list that grows with the value of each input of this name."""
        values: list[Any] = []
        core, send = self.app.core, self.app.core.request

        def request(method: str, params: Any = None, *rest: Any) -> Any:
            if method == "input" and params["name"] == name:
                values.append(params.get("value"))
            return send(method, params, *rest)

        core.request = request  # pyright: ignore
        return values

    def list(self, path: str) -> Cells:
        """Returns the list on the visible page that shows the output at a path."""
        return next(cells for cells in self.page.query(Cells) if cells.path == path)

    async def push(self, name: str) -> None:
        """Presses the button of an input on the visible page."""
        self.button(name).press()
        await self.settle()

    def button(self, name: str) -> Trigger:
        """Returns the button of an input on the visible page."""
        buttons = [each for each in self.page.walk_children(Trigger) if each.display]
        return next(button for button in buttons if button.input == name)

    async def sign_up(self, name: str, email: str) -> None:
        """Creates an account from the profile."""
        await self.push("createAccountTapped")
        await self.push("signUpTapped")
        await self.type(name)
        await self.press("tab")
        await self.type(email)
        await self.press("enter")

    async def do(self, request: asyncio.Future[Any]) -> None:
        await request
        await self.settle()

    async def sees(self, text: str) -> None:
        """Waits until a text is on the screen."""
        while text not in self.text:
            await self.flush()

    async def reach(self, key: str, text: str) -> None:
        """Presses a key until a text is on the screen, whose page may still be growing."""
        while text not in self.text:
            await self.press(key)

    @property
    def page(self) -> ScreenPage:
        """The page on top."""
        pages = [page for page in self.app.screen.query(ScreenPage) if page.display]
        return [page for page in pages if not page.owner.path][-1]

    @property
    def hints(self) -> str:
        """The key hints of the focused widget."""
        return str(self.app.screen.query_one(KeyHints).content)

    @property
    def toasts(self) -> str:
        """The texts that are shown for some seconds, which a test does not draw."""
        return "\n".join(each.message for each in self.app._notifications)  # pyright: ignore

    @property
    def text(self) -> str:
        """The text on the screen."""
        lines = self.app.screen._compositor.render_strips()  # pyright: ignore
        return "\n".join(strip.text.rstrip() for strip in lines)


class Wait:
    """Waits for a callback, or for the end of the widget that should have called it."""

    def __init__(self, schedule: Any) -> None:
        self._called = asyncio.Event()
        self._is_scheduled: bool = schedule(self._called.set)

    async def end(self, pump: MessagePump) -> None:
        # A screen that another one covers, even a dialog, may not be laid out until it is back on top.
        while self._is_scheduled and pump.is_running and getattr(pump, "is_active", True):
            try:
                async with asyncio.timeout(0.1):
                    await self._called.wait()
                return
            except TimeoutError:
                continue  # Checks again whether the widget is still there.


@asynccontextmanager
async def using(
    *command: str, size: tuple[int, int] = (100, 36), **options: Any
) -> AsyncGenerator[Person]:
    """Runs the app on a core, as a person in a terminal of `size`."""
    animations = options.pop("animations", "none")
    app = TerminalApp(command, **options)
    app.animation_level = animations
    person = Person(app)
    async with app.run_test(size=size, message_hook=person.count):
        while not app.drawn and not isinstance(app.screen, Stopped):
            await person.flush()
        if not app.core.error:
            await person.settle()
        yield person
        # As at a person's end: Textual cancels the workers first, but not in a test.
        app.workers.cancel_all()
