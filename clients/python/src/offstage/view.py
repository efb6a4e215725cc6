"""Access to a core: its document, fields, and iterators."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from .description import Description
from .document import Document, Event
from .errors import CoreStopped, OffstageError
from .fields import Field
from .navigation import Visible, visible
from .pointer import JSON
from .requests import Requests
from .subscriptions import Events, Frames, Log, Subscription, Subscriptions, Watch

T = TypeVar("T")
L = TypeVar("L", bound=Subscription[Any])


class View(Requests):
    """The part of a core that a front end draws.

    Attributes:
        description: the app's screens; absent with `lifecycle=False`.
        document: the copy of the core's document.
        error: why the core has stopped, or None.
    """

    description: Description

    def __init__(self, visible: Visible = visible) -> None:
        self.document = Document()
        self._find_visible = visible
        self.error: OffstageError | None = CoreStopped("the core has not been started")
        self._subscriptions = Subscriptions()
        self._fields: dict[tuple[str, str], Field[Any]] = {}
        self._ends: dict[tuple[str, str], int] = {}

    @property
    def visible(self) -> list[str]:
        """The ids of the visible screens, the topmost first."""
        return self._find_visible(self.document.navigation)

    @property
    def is_away(self) -> bool:
        """True while what changes something waits for the core to be back."""
        return False

    async def until(self, condition: Callable[[], T | None]) -> T:
        """Waits until a condition on the document holds, and returns its value."""
        value = None

        def holds() -> bool:
            nonlocal value
            value = condition()
            return bool(value)

        async for is_true in self.watching(holds):
            if is_true and value is not None:
                return value
        raise CoreStopped("the core has ended")

    @property
    def open_prompts(self) -> dict[str, JSON]:
        """The prompts to show, by id: an alert waits until its screen is visible."""
        alerts, places = ("alert", "confirmationDialog"), ["app", *self.visible]
        return {
            id: prompt
            for id, prompt in self.document.prompts.items()
            if prompt["kind"] not in alerts or prompt.get("screen") in places
        }

    def field(self, screen: str, name: str) -> Field[Any]:
        """Returns the field of an input, which shows text ahead of the core."""
        key = (screen, name)
        if key not in self._fields:
            self._fields[key] = Field(self, screen, name)
        return self._fields[key]

    def note_end(self, screen: str, name: str, count: int) -> bool:
        """Returns True unless an input was told of the end of a list of this length."""
        known, self._ends[screen, name] = self._ends.get((screen, name)), count
        return known != count

    def frames(self) -> Frames:
        """Returns an iterator over the frames, from now on."""
        return self._listen(Frames())

    def events(self, screen: str | None = None, name: str | None = None) -> Events[Any]:
        """Returns an iterator over the events from now on, of a screen or name if given."""

        def accept(event: Event[Any]) -> bool:
            return screen in (None, event.screen) and name in (None, event.name)

        return self._listen(Events(accept))

    def log(self) -> Log:
        """Returns an iterator over the core's log, from now on. Set `log` in `launch`."""
        return self._listen(Log())

    def watch(self, path: str) -> Watch[JSON]:
        """Returns an iterator over the value at a JSON Pointer: now, and at each change.

        The value is None while the document has nothing there.
        """
        return self.watching(lambda: self.document.get(path))

    def watching(self, read: Callable[[], T]) -> Watch[T]:
        """Returns an iterator over an expression's value: now, and at each change."""
        return self._listen(Watch(read))

    def wake(self) -> None:
        """Makes `watching` and `until` check again after a change outside the document."""
        self._subscriptions.wake()

    def _listen(self, subscription: L) -> L:
        self._subscriptions.add(subscription)
        if self.error:
            subscription.end(self.error)
        return subscription
