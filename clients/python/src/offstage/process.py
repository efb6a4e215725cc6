"""A core as a child process."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import signal
from asyncio import subprocess
from collections import deque
from collections.abc import Mapping
from pathlib import Path
from subprocess import run
from time import monotonic

from .description import Description
from .errors import CoreStopped, OffstageError, ProtocolError
from .transport import LineReader, StreamTransport

logger = logging.getLogger("offstage.core")


class ProcessTransport(StreamTransport):
    """Runs a core, and talks to its standard input and output.

    The core ends with its front end. `close` shuts it down, or kills it if that takes too
    long. If this process dies, the core's input ends, and so does the core. The core has
    its own session, so Ctrl-C in a terminal interrupts only the front end, which then
    closes the core.
    """

    @classmethod
    async def start(
        cls,
        *command: str | Path,
        env: Mapping[str, str] | None = None,
        cwd: str | Path | None = None,
        grace: float = 5,
    ) -> ProcessTransport:
        """Starts `command`.

        Args:
            env: variables to add to the environment.
            cwd: the directory to run in.
            grace: how many seconds the core may take to exit before it is killed.

        Raises:
            CoreStopped: the program cannot be started.
        """
        try:
            process = await asyncio.create_subprocess_exec(
                *command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env=None if env is None else {**os.environ, **env},
                cwd=cwd,
                start_new_session=True,
            )
        except OSError as error:
            raise CoreStopped(f"cannot start {command[0]}: {error.strerror}") from error
        return cls(process, grace)

    def __init__(self, process: subprocess.Process, grace: float) -> None:
        assert process.stdin and process.stdout and process.stderr
        super().__init__(process.stdout, process.stdin)
        self.process = process
        self._grace = grace
        self._log_tail: deque[str] = deque(maxlen=20)
        self._logging = asyncio.create_task(self._copy_log(process.stderr))

    async def close(self) -> None:
        """Closes the core's input, and kills the core if it does not exit in time.

        Keep reading meanwhile: a core that cannot write its last output does not exit.
        """
        if self.process.stdin:
            self.process.stdin.close()
        try:
            async with asyncio.timeout(self._grace):
                await self.process.wait()
        except TimeoutError:
            logger.warning("the core does not end; killing it")
        finally:
            if self.process.returncode is None:
                self.process.kill()
        await self.process.wait()
        await asyncio.wait([self._logging], timeout=1)

    def stopped(self) -> CoreStopped:
        status = self.process.returncode
        match status:
            case None:
                message = "the core has closed its output"
            case 0:
                message = "the core has ended"
            case _ if status < 0:
                message = f"the core was killed by {signal.Signals(-status).name}"
            case _:
                message = f"the core exited with status {status}"
        return CoreStopped(message, status=status, log=tuple(self._log_tail))

    async def _copy_log(self, stream: asyncio.StreamReader) -> None:
        lines = LineReader(stream)
        while line := await lines.read_line():
            text = line.decode(errors="replace")
            self._log_tail.append(text)
            logger.info("%s", text)


class Crashes:
    """Tells a crash from a crash loop, which another start would not end.

    Args:
        limit: the most crashes in a row.
        seconds: the time for which a core runs after a crash that ends the row.
    """

    def __init__(self, limit: int = 5, seconds: float = 10) -> None:
        self._limit, self._seconds = limit, seconds
        self._count, self._last = 0, 0.0

    def add(self, error: OffstageError) -> bool:
        """Counts the end of a core. Returns False if the core should stay down."""
        now = monotonic()
        self._count = self._count + 1 if now - self._last < self._seconds else 1
        self._last = now
        # With a positive status, it says that it cannot go on.
        is_crash = isinstance(error, CoreStopped) and (error.status or 0) <= 0
        return is_crash and self._count <= self._limit


def describe(*command: str | Path) -> Description:
    """Returns the description that a program prints, without running its app.

    The command may begin with several words, such as `python3 app.py`.

    Raises:
        CoreStopped: the program cannot be started, or refuses its arguments.
        ProtocolError: the program prints something else.
    """
    program = command[0]
    try:
        # A program that does not know the command may read its input instead.
        words = [*command, "describe"]
        done = run(words, capture_output=True, check=False, stdin=subprocess.DEVNULL)
    except OSError as error:
        raise CoreStopped(f"cannot start {program}: {error.strerror}") from error
    if done.returncode:
        log = tuple(done.stderr.decode(errors="replace").splitlines())
        message = f"{program} exited with status {done.returncode}"
        raise CoreStopped(message, status=done.returncode, log=log)
    try:
        return Description(json.loads(done.stdout))
    except ValueError as error:
        raise ProtocolError(f"{program} prints no description: {error}") from error
