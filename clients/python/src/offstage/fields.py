"""Shows text as it is typed, ahead of the core."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import Generic, Protocol, TypeVar

from . import parts
from .connection import ignore_errors
from .document import Document, RequestID
from .errors import OffstageError
from .pointer import JSON, is_object
from .requests import OnAnswer, Reply
from .subscriptions import Watch

T = TypeVar("T")

# What the document has in the place of a secret.
_MASK = "••••"


class FieldOwner(Protocol):
    """The part of a core that a field uses."""

    document: Document

    @property
    def last_id(self) -> int: ...

    @property
    def is_away(self) -> bool: ...

    def input(
        self, screen: str, name: str, value: JSON = None, *, on_answer: OnAnswer
    ) -> asyncio.Future[Reply]: ...

    def check(self, screen: str, name: str) -> asyncio.Future[Reply]: ...

    def watching(self, read: Callable[[], T]) -> Watch[T]: ...

    def wake(self) -> None: ...


class Field(Generic[T]):
    """The content of an input, written ahead and reconciled with the core.

    `write` changes `value` at once. While a write is unanswered, the value is the newest
    write, whatever older content the core still sends. After that, the value is the one
    among the `fields` of the screen or part, which the core may have changed; if the
    document has no such field, or masks a secret, it is the last write that the core
    accepted.
    """

    def __init__(self, core: FieldOwner, screen: str, name: str) -> None:
        self.screen = screen
        self.name = name
        self._core = core
        self._writes: dict[int, T] = {}
        self._taken: T | None = None

    @property
    def value(self) -> T | None:
        """The content to show."""
        if self._writes:
            return next(reversed(self._writes.values()))
        value = self._content.get("value", self._taken)
        return self._taken if value == _MASK else value

    @property
    def error(self) -> JSON:
        """The error of the content, for the user, or None."""
        return self._content.get("error")

    @property
    def is_checking(self) -> bool:
        """True while the core checks the value, with a server for example."""
        return bool(self._content.get("isChecking", False))

    @property
    def is_pending(self) -> bool:
        """True while the core has not confirmed the value."""
        return bool(self._writes)

    @property
    def is_unsent(self) -> bool:
        """True while the value waits for a core that is away."""
        return self.is_pending and self._core.is_away

    @property
    def _content(self) -> Mapping[str, JSON]:
        owner = parts.find(self._core.document.screens.get(self.screen), self.name)
        if not is_object(owner) or not is_object(fields := owner.get("fields")):
            return {}
        content: Mapping[str, JSON] = fields.get(self.name.rpartition("/")[2], {})
        return content

    def write(self, value: T) -> asyncio.Future[Reply]:
        """Shows `value`, and sends it. A refused write is undone."""
        number = 0

        def end(error: OffstageError | None) -> None:
            self._end(number, error)

        future = self._core.input(self.screen, self.name, value, on_answer=end)
        number = self._core.last_id
        self._writes[number] = value
        self._core.wake()
        ignore_errors(future)
        return future

    def check(self) -> asyncio.Future[Reply]:
        """Says that the person has left the field: `error` then says what is wrong with it."""
        future = self._core.check(self.screen, self.name)
        ignore_errors(future)
        return future

    def watch(self) -> Watch[T | None]:
        """Returns an iterator over the value: now, and whenever it changes."""
        return self._core.watching(lambda: self.value)

    def reconcile(self, cause: RequestID) -> None:
        """Confirms the write whose frame has arrived, and all earlier writes."""
        if isinstance(cause, int) and cause in self._writes:
            self._end(cause, None)

    def _end(self, id: int, error: OffstageError | None) -> None:
        """Ends a write and all earlier ones, since the core handles requests in order."""
        if error is None and id in self._writes:
            self._taken = self._writes[id]
            self._writes = {key: v for key, v in self._writes.items() if key > id}
        else:
            self._writes.pop(id, None)
        self._core.wake()
