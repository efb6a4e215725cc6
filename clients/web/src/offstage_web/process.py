"""A core in a child process."""

from __future__ import annotations

import asyncio
import logging
import signal
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Sequence

logger = logging.getLogger("offstage.core")

LINE = 64 << 20
"""The longest line that a core may write."""


class CoreProcess:
    """Starts a core, and carries its lines. If this process ends, so does the core."""

    def __init__(self, process: Process, grace: float) -> None:
        assert process.stdin and process.stdout and process.stderr
        self._process = process
        self._grace = grace
        self._input, self._output = process.stdin, process.stdout
        self._log = asyncio.create_task(self._read_log(process.stderr))

    @classmethod
    async def start(cls, command: Sequence[str], grace: float = 5) -> CoreProcess:
        process = await asyncio.create_subprocess_exec(
            *command, stdin=PIPE, stdout=PIPE, stderr=PIPE, limit=LINE
        )
        return cls(process, grace)

    @property
    def pid(self) -> int:
        return self._process.pid

    async def lines(self) -> AsyncIterator[str]:
        """Yields what the core writes, until it ends."""
        try:
            while line := await self._output.readline():
                yield line.decode(errors="replace").rstrip("\n")
        except ValueError:
            logger.error("the core wrote a line of more than %d bytes", LINE)
            self._process.kill()

    def write(self, line: str) -> None:
        """Sends a line, and buffers what the core does not take at once."""
        if not self._input.is_closing():
            self._input.write(line.encode(errors="surrogatepass") + b"\n")

    async def send(self, line: str) -> None:
        self.write(line)
        await self.drain()

    async def drain(self) -> None:
        """Waits until the core has taken most of what was sent."""
        try:
            await self._input.drain()
        except ConnectionError:
            pass  # The core has ended; `lines` ends as well.

    async def ended(self) -> str:
        """Waits for the core's end. Returns its exit status, or the name of the signal."""
        status = await self._process.wait()
        await self._log
        return signal.Signals(-status).name if status < 0 else str(status)

    async def close(self) -> None:
        """Closes the core's input, and kills it if it does not end."""
        self._input.close()
        try:
            await asyncio.wait_for(self._process.wait(), self._grace)
        except TimeoutError:
            self._process.kill()
            await self._process.wait()

    async def _read_log(self, log: asyncio.StreamReader) -> None:
        async for line in log:
            logger.info("%s", line.decode(errors="replace").rstrip())
