"""A front end at a socket."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import suppress

from ..errors import ParseError, RPCError
from ..pointer import JSON
from ..transport import LineReader
from .calls import LINE
from .front_end import new_name, send

logger = logging.getLogger("offstage.share")

FIRST_LINE = 1 << 16
"""The bytes of a first line: its sender is still unknown."""
UNREAD = 1 << 20
"""The unread bytes beyond which a front end gets no more frames."""
RESPONSES = 32 << 20
"""The unread bytes beyond which a front end loses its connection: two whole batches."""
FAREWELL = 3
"""The seconds that a front end has to read the end."""


class Client:
    """A front end at a socket.

    Args:
        is_local: True if it can open the files of this machine's user.
    """

    is_known = False

    def __init__(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        *,
        is_local: bool,
    ) -> None:
        self.name = new_name()
        self.is_local = is_local
        self.only_looks = False
        self.is_closing = False
        self._reader, self._writer = reader, writer
        self._lines = LineReader(reader, FIRST_LINE)
        self._first: bytes | None = None
        self._held = 0
        # `drain` waits until the front end has read everything.
        writer.transport.set_write_buffer_limits(high=UNREAD, low=0)

    @property
    def is_behind(self) -> bool:
        return self._unread > UNREAD

    @property
    def _unread(self) -> int:
        return self._writer.transport.get_write_buffer_size()

    async def first_line(self) -> bytes:
        """Reads the first line, which `lines` then yields; empty if there is none.

        Raises:
            ParseError: it is too long.
        """
        self._first = await self._read()
        self._lines.limit = LINE
        return self._first

    async def lines(self) -> AsyncIterator[bytes | None]:
        """Yields the lines that the front end sends; None for one that is too long."""
        if self._first:
            yield self._first
        while not self.is_closing:
            try:
                line = await self._read()
            except ParseError:
                yield None
                continue
            if not line or self.is_closing:
                return
            yield line

    async def _read(self) -> bytes:
        with suppress(ConnectionError):
            while line := await self._lines.read_line():
                if line := line.strip():
                    return line
        return b""

    def send(self, line: bytes) -> None:
        if self.is_closing:
            return
        if self._unread > RESPONSES:
            self._cut()
        else:
            self._writer.writelines((line, b"\n"))

    def hold(self, count: int) -> None:
        self._held += count
        if self._held + self._unread > RESPONSES and not self.is_closing:
            self._cut()

    async def drain(self) -> None:
        with suppress(ConnectionError):
            await self._writer.drain()

    async def pace(self) -> None:
        await asyncio.sleep(0)
        await self.drain()

    def refuse(self, id: JSON, error: RPCError) -> None:
        """Answers the first line, and closes the connection."""
        send(self, {"id": id, "error": error.to_wire()})
        self.close(None)

    def close(self, status: str | None) -> None:
        """Ends the connection after what was sent, or cuts it if that takes too long."""
        if self.is_closing:
            return
        if status is not None:
            message = f"the core has ended: {status}; connect again to go on"
            error = RPCError(-32603, message)
            send(self, {"method": "error", "params": error.to_wire()})
        self.is_closing = True
        with suppress(OSError):
            self._writer.write_eof()
        asyncio.get_running_loop().call_later(FAREWELL, self._writer.transport.abort)

    async def finish(self) -> None:
        """Closes the connection, and waits for its end.

        Reads what the front end still sends: with unread lines in it, a socket that is closed
        could lose the answers.
        """
        self.close(None)
        with suppress(ConnectionError):
            while await self._reader.read(1 << 16):
                pass
            self._writer.close()

    def cut(self) -> None:
        """Ends the connection at once."""
        self.is_closing = True
        self._writer.transport.abort()

    def _cut(self) -> None:
        logger.warning(
            "a front end does not read its responses; its connection is closed"
        )
        self.cut()
