"""Async iterators over a core's messages."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar
from weakref import WeakSet

from .document import Document, Event, Frame, RequestID
from .errors import OffstageError, ProtocolError
from .pointer import JSON

T = TypeVar("T")


class Subscription(ABC, Generic[T]):
    """An async iterator that listens from its creation on.

    It ends when the core is closed. If the core stops by itself, it raises `CoreStopped`
    after yielding everything before that, and goes on once the core has been restarted.
    Dropping it unsubscribes.
    """

    def __init__(self) -> None:
        self._news = asyncio.Event()
        self._end: tuple[OffstageError | None] | None = None

    def __aiter__(self) -> Subscription[T]:
        return self

    async def __anext__(self) -> T:
        while True:
            self._news.clear()
            for value in self._take():
                return value
            if self._end:
                raise self._end[0] or StopAsyncIteration
            await self._news.wait()

    def pending(self) -> list[T]:
        """Takes what has arrived, without waiting."""
        values: list[T] = []
        while taken := self._take():
            values += taken
        return values

    def publish(self, frame: Frame, document: Document) -> None:
        """Receives a frame that `document` has applied."""
        self._news.set()

    def wake(self) -> None:
        """Checks again for something new."""
        self._news.set()

    def end(self, error: OffstageError | None) -> None:
        self._end = (error,)
        self._news.set()

    def go_on(self) -> None:
        """Listens again after an end."""
        self._end = None

    @abstractmethod
    def _take(self) -> list[T]:
        """Returns the next value in a list, or an empty list."""


class Frames(Subscription[Frame]):
    """Every frame, in order.

    If the reader falls behind by more than `limit` frames, they become one frame that
    replaces the whole document and has all of their navigation commands and events.
    """

    def __init__(self, limit: int = 256) -> None:
        super().__init__()
        self._limit = limit
        self._queue: deque[Frame] = deque()

    def publish(self, frame: Frame, document: Document) -> None:
        self._queue.append(frame)
        if len(self._queue) > self._limit:
            whole = Frame.whole(document.revision, document.value, *self._queue)
            self._queue.clear()
            self._queue.append(whole)
        super().publish(frame, document)

    def _take(self) -> list[Frame]:
        return [self._queue.popleft()] if self._queue else []


class Events(Subscription[Event[T]]):
    """The events that meet a condition, in order."""

    def __init__(self, accept: Callable[[Event[Any]], bool]) -> None:
        super().__init__()
        self._accept = accept
        self._queue: deque[Event[Any]] = deque()

    def publish(self, frame: Frame, document: Document) -> None:
        self._queue.extend(filter(self._accept, frame.events))
        super().publish(frame, document)

    def _take(self) -> list[Event[T]]:
        return [self._queue.popleft()] if self._queue else []


@dataclass(frozen=True, slots=True)
class LogEntry:
    """A line of the core's log.

    Attributes:
        level: `debug`, `info`, `warning`, or `error`.
        cause: the id of the request that caused it, if any.
        screen: the id of the screen in question, if any.
        data: details, such as the parameters of a tracked event.
    """

    level: str
    message: str
    cause: RequestID = None
    screen: str | None = None
    data: Mapping[str, str] = field(default_factory=dict[str, str], hash=False)

    @classmethod
    def from_wire(cls, params: JSON) -> LogEntry:
        try:
            level, message = params["level"], params["message"]
            cause, screen = params.get("cause"), params.get("screen")
            return cls(level, message, cause, screen, params.get("data", {}))
        except (AttributeError, KeyError, TypeError) as error:
            raise ProtocolError(f"not a log entry: {params!r}") from error


class Log(Subscription[LogEntry]):
    """The entries of the core's log, in order.

    If the reader falls behind by more than `limit` entries, it misses the oldest.
    """

    def __init__(self, limit: int = 1000) -> None:
        super().__init__()
        self._queue: deque[LogEntry] = deque(maxlen=limit)

    def write(self, entry: LogEntry) -> None:
        self._queue.append(entry)
        self.wake()

    def _take(self) -> list[LogEntry]:
        return [self._queue.popleft()] if self._queue else []


class Watch(Subscription[T]):
    """The value of an expression: now, and whenever a frame has changed it.

    A reader that falls behind gets the newest value only.
    """

    def __init__(self, read: Callable[[], T]) -> None:
        super().__init__()
        self._read = read
        self._last: list[T] = []

    def _take(self) -> list[T]:
        value = self._read()
        if self._last and (value is self._last[0] or value == self._last[0]):
            return []
        self._last = [value]
        return self._last


class Subscriptions:
    """The subscriptions of a core. Each lives as long as its reader holds it."""

    def __init__(self) -> None:
        self._all: WeakSet[Subscription[Any]] = WeakSet()

    def add(self, subscription: Subscription[Any]) -> None:
        self._all.add(subscription)

    def publish(self, frame: Frame, document: Document) -> None:
        for subscription in list(self._all):
            subscription.publish(frame, document)

    def log(self, entry: LogEntry) -> None:
        for subscription in list(self._all):
            if isinstance(subscription, Log):
                subscription.write(entry)

    def wake(self) -> None:
        for subscription in list(self._all):
            subscription.wake()

    def end(self, error: OffstageError | None) -> None:
        for subscription in list(self._all):
            subscription.end(error)

    def go_on(self) -> None:
        for subscription in list(self._all):
            subscription.go_on()

    def close(self) -> None:
        """Ends all subscriptions for good."""
        self.end(None)
        self._all.clear()
