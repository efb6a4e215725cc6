"""A slow connection between a browser and a server."""

from __future__ import annotations

import asyncio
import socket
from contextlib import suppress
from threading import Thread

from .conftest import Server


class SlowLink:
    """Passes connections on to a server, like a phone on a slow network.

    Args:
        arguments: those of the server.
        rate: the bytes per second in each direction, for all connections together; 0 for no limit.
        latency: the seconds that a byte takes in each direction.

    Attributes:
        received: the bytes that the browser has received.
    """

    def __init__(self, *arguments: str, rate: int = 0, latency: float = 0) -> None:
        self._listener = socket.create_server(("127.0.0.1", 0))
        port = self._listener.getsockname()[1]
        self.server = Server("--allow-host", f"127.0.0.1:{port}", *arguments)
        self.url = f"http://127.0.0.1:{port}"
        self.received = 0
        self._rate, self._latency = rate, latency
        # When each direction is free again.
        self._free = {True: 0.0, False: 0.0}
        self._loop = asyncio.new_event_loop()
        self._end = asyncio.Event()
        self._thread = Thread(target=self._run)
        self._thread.start()

    def close(self) -> None:
        self._loop.call_soon_threadsafe(self._end.set)
        self._thread.join()
        self.server.close()

    def _run(self) -> None:
        with asyncio.Runner(loop_factory=lambda: self._loop) as runner:
            runner.run(self._serve())

    async def _serve(self) -> None:
        async with await asyncio.start_server(self._connect, sock=self._listener):
            await self._end.wait()

    async def _connect(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        await asyncio.sleep(2 * self._latency)  # The handshake of TCP.
        other = await asyncio.open_connection("127.0.0.1", self.server.port)
        with suppress(OSError, asyncio.CancelledError):
            await asyncio.gather(
                self._pass(reader, other[1], down=False),
                self._pass(other[0], writer, down=True),
            )

    async def _pass(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, *, down: bool
    ) -> None:
        while piece := await reader.read(1400):
            if self._rate:
                start = max(self._loop.time(), self._free[down])
                self._free[down] = start + len(piece) / self._rate
                self._loop.call_at(
                    self._free[down] + self._latency, writer.write, piece
                )
                await asyncio.sleep(self._free[down] - self._loop.time())
            else:
                writer.write(piece)
            self.received += len(piece) if down else 0
        self._loop.call_later(self._latency + 0.01, writer.close)
