"""A page of a visitor: one WebSocket, with limits on its traffic."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass

from aiohttp import WSCloseCode, web

CORE_ENDED = 4001
"""The close code of a WebSocket whose core has ended."""
TOO_MANY_VISITORS = 4008
TOO_MANY_PAGES = 4009
"""The close codes of a WebSocket that exceeds a limit."""


@dataclass
class Limits:
    """The limits on visitors, and on each of them.

    Attributes:
        pages: the pages of each visitor.
        folders: the visitors' data folders to keep.
        line: the bytes of a line.
        unsent: the bytes that a page has not read.
        files: the concurrent requests of a visitor for resources.
        linger: the seconds that a core outlives its pages.
    """

    visitors: int = 200
    pages: int = 16
    folders: int = 1000
    line: int = 1 << 20
    lines_per_second: float = 200
    unsent: int = 16 << 20
    files: int = 32
    linger: float = 60


class Page:
    """A connected page. Its name is part of the keys that the core gets."""

    def __init__(
        self, name: str, socket: web.WebSocketResponse, limits: Limits
    ) -> None:
        self.name = name
        self.socket = socket
        self._limits = limits
        self._unsent: asyncio.Queue[str | tuple[int, bytes]] = asyncio.Queue()
        self._bytes = 0
        self._allowance = limits.lines_per_second
        self._refilled = time.monotonic()
        self.is_closing = False

    def send(self, line: str) -> None:
        if self.is_closing:
            return
        self._bytes += len(line)
        if self._bytes > self._limits.unsent:
            # The page resumes when it can read again.
            self._close(WSCloseCode.TRY_AGAIN_LATER, b"the page reads too slowly")
        else:
            self._unsent.put_nowait(line)

    def close(self, status: str | None) -> None:
        if status is None:
            self._close(WSCloseCode.OK, b"")
        else:
            self._close(CORE_ENDED, status.encode()[:120])

    def may_send(self) -> bool:
        """Counts a line. Returns False if there were too many recently."""
        now, rate = time.monotonic(), self._limits.lines_per_second
        self._allowance = min(rate, self._allowance + (now - self._refilled) * rate) - 1
        self._refilled = now
        return self._allowance >= 0

    async def write(self) -> None:
        """Sends the queued lines until the page is closed."""
        while True:
            item = await self._unsent.get()
            if isinstance(item, tuple):
                await self.socket.close(code=item[0], message=item[1])
                return
            try:
                await self.socket.send_str(item)
            except ConnectionError:
                return
            self._bytes -= len(item)

    def _close(self, code: int, reason: bytes) -> None:
        if not self.is_closing:
            self.is_closing = True
            self._unsent.put_nowait((code, reason))
