"""Passes keys on in the order in which they were pressed."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

from textual import events
from textual.app import App
from textual.widgets import Input

LONGEST = 1.0
"""The seconds after which held keys are passed on even if an earlier key has had no effect."""


class Keys:
    """Holds each key until the previous one has had its effect, such as moving the focus.

    Textual passes a key to the widget that has the focus when the key arrives. Its effect comes
    later: after messages between widgets and, for a new screen, after the core's answer.

    Args:
        pass_on: passes an event on to its widget.
        drawn: waits until the current document is on the screen.
    """

    def __init__(
        self,
        app: App[Any],
        pass_on: Callable[[events.Event], Awaitable[None]],
        drawn: Callable[[], Awaitable[None]],
    ) -> None:
        self._app, self._deliver, self._drawn = app, pass_on, drawn
        self._held = deque[events.Event]()
        self._requests = list[asyncio.Future[Any]]()
        self.is_holding = False

    @property
    def held(self) -> int:
        """The number of held keys."""
        return len(self._held)

    def hold(self, event: events.Event) -> bool:
        """Holds an event, or returns False if no earlier event is pending."""
        if self.is_holding:
            self._held.append(event)
            return True
        if self._has_effects(event):
            self.is_holding = True
            self._app.run_worker(self._pass_on(), group="keys")
        return False

    def wait_for(self, request: asyncio.Future[Any]) -> None:
        """If a request comes from a key, holds the next keys until it is answered."""
        if self.is_holding:
            self._requests.append(request)

    def _has_effects(self, event: events.Event) -> bool:
        """False for a key that only types or quits."""
        if not isinstance(event, events.Key) or event.key == "ctrl+q":
            return False
        return not (event.is_printable and isinstance(self._app.focused, Input))

    async def _pass_on(self) -> None:
        """Passes the held events on, each after the previous one has had its effect."""
        try:
            await self._settle()
            while self._held:
                event = self._held.popleft()
                await self._deliver(event)
                if self._has_effects(event):
                    await self._settle()
        finally:
            self.is_holding = False

    async def _settle(self) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(LONGEST):
                # A widget or one around it handles the key, and the message that the key causes.
                await self._handle_messages()
                await self._handle_messages()
                if self._requests:
                    await asyncio.wait(self._requests)
                    await self._drawn()
                    await self._called(self._app.screen.call_after_refresh)
        self._requests.clear()

    async def _handle_messages(self) -> None:
        """Waits for the pending messages of the focused widget and those around it."""
        start = self._app.focused or self._app.screen
        for pump in start.ancestors_with_self:
            await self._called(pump.call_later)

    async def _called(self, schedule: Callable[[Callable[[], object]], bool]) -> None:
        called = asyncio.Event()
        if schedule(called.set):
            await called.wait()
