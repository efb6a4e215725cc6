"""Carries lines between a front end and a core."""

from __future__ import annotations

import asyncio
import math
from collections import deque
from typing import Protocol, Self

from .address import open_address
from .errors import CoreStopped, ParseError


class Transport(Protocol):
    """A connection that carries lines. Implement it to reach a core by other means."""

    async def read_line(self) -> bytes:
        """Returns the next line, without its LF; empty at the end of the stream."""
        ...

    def write_line(self, line: bytes) -> None:
        """Sends a line, without its LF. Buffers what the other side has not read."""
        ...

    async def drain(self) -> None:
        """Waits until the buffer has room."""
        ...

    async def close(self) -> None:
        """Closes the connection and stops anything that the transport has started.

        Reading goes on until the end of the stream.
        """
        ...

    def stopped(self) -> CoreStopped:
        """Explains the end of the stream."""
        ...


class LineReader:
    """Splits a stream into lines of any length.

    `asyncio.StreamReader.readline` limits lines, and buffers twice that limit. This reader
    buffers only a chunk and the incomplete line, so a core soon notices that its output is
    not read, and merges its frames.

    Attributes:
        limit: the bytes of a line. A longer one is discarded up to its end.
    """

    def __init__(self, stream: asyncio.StreamReader, limit: float = math.inf) -> None:
        self.limit = limit
        self._stream = stream
        self._lines: deque[bytes | None] = deque()
        self._pieces: list[bytes] = []
        self._length = 0

    async def read_line(self) -> bytes:
        """Returns the next line that has a byte; empty at the end of the stream.

        Raises:
            ParseError: the line is too long. The next one can be read.
        """
        while True:
            while self._lines:
                line = self._lines.popleft()
                if line is None:
                    raise ParseError(-32700, "the line is too long")
                if line:
                    return line
            chunk = await self._stream.read(1 << 16)
            if not chunk:
                return self._end_line() or b""
            first, *others = chunk.split(b"\n")
            self._add(first)
            for piece in others:
                self._lines.append(self._end_line())
                self._add(piece)

    def _add(self, piece: bytes) -> None:
        self._length += len(piece)
        if self._length <= self.limit:
            self._pieces.append(piece)
        else:
            self._pieces.clear()

    def _end_line(self) -> bytes | None:
        """Returns the line; None if it is too long."""
        line = b"".join(self._pieces) if self._length <= self.limit else None
        self._pieces, self._length = [], 0
        return line


class StreamTransport:
    """A transport over a pair of asyncio streams, such as a socket's."""

    @classmethod
    async def connect(cls, address: str) -> Self:
        """Connects to the socket of a host or a relay.

        Raises:
            CoreStopped: nobody listens there.
        """
        return cls(*await open_address(address))

    def __init__(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        self._lines = LineReader(reader)
        self._writer = writer

    async def read_line(self) -> bytes:
        try:
            return await self._lines.read_line()
        except ConnectionError:
            return b""

    def write_line(self, line: bytes) -> None:
        self.write_raw(line + b"\n")

    def write_raw(self, data: bytes) -> None:
        """Sends bytes that need not be a line."""
        if not self._writer.is_closing():
            self._writer.write(data)

    async def drain(self) -> None:
        try:
            await self._writer.drain()
        except ConnectionError:
            pass  # The reader finds the end of the stream, and reports it.

    async def close(self) -> None:
        self._writer.close()
        try:
            await self._writer.wait_closed()
        except ConnectionError:
            pass

    def stopped(self) -> CoreStopped:
        return CoreStopped("the connection to the core has ended")
