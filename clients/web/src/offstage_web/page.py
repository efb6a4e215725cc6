"""A page of a visitor: one WebSocket, with limits on its traffic."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass

from aiohttp import WSCloseCode, WSMsgType, web
from aiohttp.abc import AbstractStreamWriter
from offstage.share import CANNOT_START, RESTARTS

CORE_ENDED = 4001
"""The close code of a WebSocket whose core has ended."""
TOO_MANY_VISITORS = 4008
TOO_MANY_PAGES = 4009
"""The close codes of a WebSocket that exceeds a limit."""
REFUSED = 4010
"""The close code of a WebSocket whose core refuses to start."""
CALL = 16 << 10
"""As many bytes, in either direction, count as a call."""
DEBT = 5
"""The most seconds that a visitor waits for what the app has sent."""
FAREWELL = 3
"""The seconds that a page has to read the reason for its end."""


@dataclass
class Limits:
    """The limits on visitors, and on each of them.

    Attributes:
        pages: the pages of each visitor.
        line: the bytes of a line.
        calls_per_second: the requests of a visitor.
        unsent: the bytes that a visitor's pages have not read.
        total: the bytes that all pages have not read.
        patience: the seconds that a page may take to read a line.
        files: the concurrent requests of a visitor for resources.
        linger: the seconds that a session stays in memory after its pages.
    """

    visitors: int = 200
    pages: int = 16
    line: int = 1 << 20
    calls_per_second: float = 200
    unsent: int = 32 << 20
    total: int = 256 << 20
    patience: float = 30
    files: int = 8
    linger: float = 60


class Budget:
    """What a visitor's pages, or those of all, may use together.

    Attributes:
        pages: the open pages.
    """

    def __init__(self, unsent: int, calls_per_second: float) -> None:
        self.pages: set[Page] = set()
        self._limit = unsent
        self._unsent = 0
        self._rate = calls_per_second
        self._calls = calls_per_second
        self._counted = time.monotonic()

    def hold(self, count: int) -> None:
        """Counts unsent bytes. Beyond the limit, cuts the page with the most."""
        self._unsent += count
        while self._unsent > self._limit:
            max(self.pages, key=lambda page: page.unsent).cut()

    def spend(self, calls: float) -> float:
        """Counts calls. Returns the seconds until the next one."""
        now = time.monotonic()
        self._calls += (now - self._counted) * self._rate
        self._calls = min(self._rate, self._calls) - calls
        self._calls = max(self._calls, -DEBT * self._rate)
        self._counted = now
        return max(0, -self._calls / self._rate)

    @property
    def is_idle(self) -> bool:
        """True if a new budget would be the same."""
        self.spend(0)
        return not self.pages and self._calls == self._rate


class Page:
    """A connected page. Its name is part of the keys that the core gets.

    Args:
        writer: that of the socket's connection.
        budgets: those of its visitor and of all pages.

    Attributes:
        unsent: the bytes that it has not read.
    """

    is_known = True
    only_looks = False
    is_local = False
    # A budget bounds what it has not read.
    is_behind = False

    def __init__(
        self,
        name: str,
        socket: web.WebSocketResponse,
        transport: asyncio.Transport,
        writer: AbstractStreamWriter,
        limits: Limits,
        budgets: tuple[Budget, Budget],
    ) -> None:
        self.name = name
        self.unsent = 0
        self._socket = socket
        self._transport = transport
        # `drain` waits until the system has taken everything.
        transport.set_write_buffer_limits(high=0)
        self._writer = writer
        self._patience = limits.patience
        self._visitor = budgets[0]
        self._budgets = budgets
        self._lines: asyncio.Queue[bytes | None] = asyncio.Queue()
        self._end: tuple[int, bytes] | None = None
        for budget in budgets:
            budget.pages.add(self)
        self._writing = asyncio.create_task(self._write())

    @property
    def is_closing(self) -> bool:
        is_over = self._socket.closed or self._transport.is_closing()
        return self._end is not None or is_over

    def send(self, line: bytes) -> None:
        if not self.is_closing:
            self._lines.put_nowait(line)
            self.hold(len(line))

    def hold(self, count: int) -> None:
        self.unsent += count
        self._visitor.spend(max(0, count) / CALL)
        for budget in self._budgets:
            budget.hold(count)

    async def drain(self) -> None:
        await self._writer.drain()

    async def pace(self) -> None:
        await asyncio.sleep(self._visitor.spend(1))

    async def lines(self) -> AsyncIterator[str]:
        """Yields the lines that the page sends."""
        async for message in self._socket:
            if message.type != WSMsgType.TEXT or self.is_closing:
                return
            if message.data:
                self._visitor.spend(len(message.data) / CALL)
                yield message.data
            else:
                # The page asks whether the connection still works.
                self.send(b"")
                await self.pace()

    def close(self, status: str | None) -> None:
        if status is None:
            self.end(WSCloseCode.OK)
        elif status == RESTARTS:
            self.end(WSCloseCode.SERVICE_RESTART)
        else:
            self.end(REFUSED if status == CANNOT_START else CORE_ENDED, status)

    def end(self, code: int, reason: str = "") -> None:
        """Closes the connection after the queued lines, or cuts it if that takes too long."""
        if not self.is_closing:
            self._end = (code, reason.encode()[:120])
            self._lines.put_nowait(None)
            asyncio.get_running_loop().call_later(FAREWELL, self.cut)

    def cut(self) -> None:
        """Ends the connection at once. The page resumes when it can read again."""
        self._transport.abort()
        self._writing.cancel()
        self._lines = asyncio.Queue()
        budgets, self._budgets = self._budgets, ()
        for budget in budgets:
            budget.pages.discard(self)
            budget.hold(-self.unsent)

    async def finish(self) -> None:
        """Waits for the end of the connection."""
        if not self._end:
            self.cut()
        await asyncio.wait([self._writing])

    async def _write(self) -> None:
        """Sends the queued lines until the page is closed, or does not read one in time."""
        try:
            while (line := await self._lines.get()) is not None:
                async with asyncio.timeout(self._patience):
                    await self._socket.send_frame(line, WSMsgType.TEXT)
                    await self._writer.drain()
                self.hold(-len(line))
            code, reason = self._end or (WSCloseCode.OK, b"")
            await self._socket.close(code=code, message=reason)
        except (TimeoutError, ConnectionError):
            pass
        finally:
            self.cut()
