"""Bounds the connections of strangers, and those of each visitor."""

from __future__ import annotations

import asyncio
import resource
from collections.abc import Mapping
from weakref import WeakKeyDictionary

from aiohttp import web
from aiohttp.web_protocol import RequestHandler
from aiohttp.web_request import BaseRequest

from .page import Limits

STRANGERS = 128
"""The most connections that have not shown a visitor's cookie yet."""
REQUESTS = 8
"""The connections of a visitor besides those of its pages."""
SESSION = 1
"""The descriptors of a session: the connection to its host."""
OTHERS = 64
"""The descriptors of the server itself."""


class Connection(RequestHandler):
    """A connection. Its answer to a malformed request has the headers of all others."""

    def __init__(self, server: web.Server, headers: Mapping[str, str]) -> None:
        super().__init__(
            server,
            loop=asyncio.get_running_loop(),
            access_log=None,  # pyright: ignore[reportArgumentType]
            # Also the time that a stranger has to send the headers.
            keepalive_timeout=10,
        )
        self._headers = headers

    def handle_error(
        self,
        request: BaseRequest,
        status: int = 500,
        exc: BaseException | None = None,
        message: str | None = None,
    ) -> web.StreamResponse:
        response = super().handle_error(request, status, exc, message)
        response.headers.update(self._headers)
        return response


class Doors:
    """The connections to the server.

    Args:
        headers: those of every response.
    """

    def __init__(self, limits: Limits, headers: Mapping[str, str]) -> None:
        self._headers = headers
        self._visitors: WeakKeyDictionary[asyncio.Transport, str] = WeakKeyDictionary()
        self._limit = limits.pages + REQUESTS

    def open(self, server: web.Server) -> Connection:
        """Accepts a connection. If there are too many, the oldest stranger makes room."""
        strangers = [
            each
            for each in server.connections
            if each.transport and each.transport not in self._visitors
        ]
        if len(strangers) >= STRANGERS:
            strangers[0].force_close()
        return Connection(server, self._headers)

    def admit(self, connection: asyncio.Transport, visitor: str) -> bool:
        """Counts a visitor's connection. Returns False if there are too many."""
        if connection not in self._visitors:
            own = [each for each, name in self._visitors.items() if name == visitor]
            if sum(not each.is_closing() for each in own) >= self._limit:
                return False
            self._visitors[connection] = visitor
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
