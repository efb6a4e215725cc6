"""Bounds the connections of strangers, and those of each visitor."""

from __future__ import annotations

import asyncio
import resource
from collections.abc import Mapping
from weakref import WeakKeyDictionary, WeakSet, WeakValueDictionary

from aiohttp import web
from aiohttp.web_protocol import RequestHandler
from aiohttp.web_request import BaseRequest

from .page import Limits

STRANGERS = 1024
"""The most connections that have not shown a visitor's cookie yet. All visitors of another server
come at once if it dies."""
REQUESTS = 8
"""The connections of a visitor besides those of its pages."""
SESSION = 1
"""The descriptors of a session: the connection to its host."""
OTHERS = 64
"""The descriptors of the server itself."""


class Connection(RequestHandler):
    """A connection. Its answer to a malformed request has the headers of all others."""

    def __init__(self, server: web.Server, doors: Doors) -> None:
        super().__init__(
            server,
            loop=asyncio.get_running_loop(),
            access_log=None,  # pyright: ignore[reportArgumentType]
            # Also the time that a stranger has to send the headers.
            keepalive_timeout=10,
        )
        self._doors = doors

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self._doors.open(self)

    def connection_lost(self, exc: BaseException | None) -> None:
        self._doors.close(self)
        super().connection_lost(exc)

    def handle_error(
        self,
        request: BaseRequest,
        status: int = 500,
        exc: BaseException | None = None,
        message: str | None = None,
    ) -> web.StreamResponse:
        response = super().handle_error(request, status, exc, message)
        response.headers.update(self._doors.headers)
        return response


class Doors:
    """The connections to the server.

    Args:
        headers: those of every response.
    """

    def __init__(self, limits: Limits, headers: Mapping[str, str]) -> None:
        self.headers = headers
        # Those that have not shown a visitor's cookie yet, the oldest first.
        self._strangers: dict[object, Connection] = {}
        self._limit = limits.pages + REQUESTS
        # The connections of each visitor. Each of them keeps the others in memory.
        self._visitors: WeakValueDictionary[str, WeakSet[asyncio.Transport]]
        self._visitors = WeakValueDictionary()
        self._known: WeakKeyDictionary[asyncio.Transport, WeakSet[asyncio.Transport]]
        self._known = WeakKeyDictionary()

    def open(self, connection: Connection) -> None:
        """Lets a stranger in. If there are too many, the oldest makes room."""
        if len(self._strangers) >= STRANGERS:
            oldest = next(iter(self._strangers))
            self._strangers.pop(oldest).force_close()
        self._strangers[connection] = connection

    def close(self, connection: Connection) -> None:
        """Forgets a connection that has ended."""
        self._strangers.pop(connection, None)

    def admit(self, connection: asyncio.Transport, visitor: str) -> bool:
        """Counts a visitor's connection. Returns False if there are too many."""
        if connection not in self._known:
            own = self._visitors.setdefault(visitor, WeakSet())
            if sum(not each.is_closing() for each in own) >= self._limit:
                return False
            own.add(connection)
            self._known[connection] = own
            self._strangers.pop(connection.get_protocol(), None)
        return True


def reserve(limits: Limits) -> None:
    """Raises the limit of open files so that all visitors fit.

    Raises:
        ValueError: the system does not allow as many.
    """
    each = limits.pages + REQUESTS + SESSION
    needed = limits.visitors * each + STRANGERS + OTHERS
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY and needed > hard:
        text = f"{limits.visitors} visitors need {needed} open files, and the limit is {hard}"
        raise ValueError(f"{text}; lower --visitors or --pages, or raise ulimit -Hn")
    if soft != resource.RLIM_INFINITY and needed > soft:
        resource.setrlimit(resource.RLIMIT_NOFILE, (needed, hard))
