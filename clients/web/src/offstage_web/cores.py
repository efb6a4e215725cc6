"""The host that serves the visitors' sessions: section 11.1 of the protocol."""

from __future__ import annotations

import asyncio
from asyncio.subprocess import PIPE, Process
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from signal import SIGTERM

from offstage import CoreStopped, Crashes, OffstageError, StreamTransport
from offstage.connection import dump

PATIENCE = 1
"""The seconds that a host has to say how it is."""
FAREWELL = 10
"""The seconds that a host has to park its sessions."""


class Cores:
    """Connects sessions with their host.

    Args:
        address: where the host listens.
        command: starts it there; empty if another one listens already.
        token: what it wants to know; None for nothing.
    """

    def __init__(
        self, address: str, command: Sequence[str] = (), token: str | None = None
    ) -> None:
        self._address = address
        self._command = command
        self.token = token
        self._process: Process | None = None
        self._starting = asyncio.Lock()
        self._crashes = Crashes()
        self._counted: tuple[Process | None, bool] = (None, True)

    async def start(self) -> None:
        """Starts the host, or checks that there is one.

        Raises:
            CoreStopped: it cannot start, and has said why on standard error.
        """
        _, transport = await self.connect()
        await transport.close()

    async def connect(
        self,
    ) -> tuple[Callable[[OffstageError], bool], StreamTransport]:
        """Connects to the host, which is started again after a crash.

        Returns:
            what to ask after the end of the connection, and the connection. It returns False
            if the host should stay down.

        Raises:
            CoreStopped: the host is missing, or cannot start.
        """
        async with self._starting:
            while True:
                with suppress(CoreStopped):
                    transport = await StreamTransport.connect(self._address)
                    return partial(self._goes_on, self._process), transport
                if not self._command:
                    raise CoreStopped(f"no host listens on {self._address}")
                if self._process:
                    # One that is about to end still has the folder.
                    await self._process.wait()
                await self._start()

    async def answers(self) -> bool:
        """Returns True if the host answers in time."""
        params = {"token": self.token} if self.token else {}
        request = {"jsonrpc": "2.0", "id": 1, "method": "host/status", "params": params}
        try:
            async with asyncio.timeout(PATIENCE):
                transport = await StreamTransport.connect(self._address)
                transport.write_line(dump(request))
                line = await transport.read_line()
                await transport.close()
                return bool(line)
        except (CoreStopped, TimeoutError):
            return False

    async def close(self) -> None:
        """Ends the host that was started, once its sessions are parked."""
        process = self._process
        if process and process.returncode is None:
            with suppress(ProcessLookupError):
                process.send_signal(SIGTERM)
            try:
                await asyncio.wait_for(process.wait(), FAREWELL)
            except TimeoutError:
                process.kill()

    async def _start(self) -> None:
        program, *arguments = self._command
        try:
            self._process = process = await asyncio.create_subprocess_exec(
                program,
                *arguments,
                # The host ends with this server, even if that is killed.
                stdin=PIPE,
                stdout=PIPE,
                # A signal of the terminal is for this server, which then ends the host.
                start_new_session=True,
            )
        except OSError as error:
            reason = f"cannot start {program}: {error.strerror}"
            raise CoreStopped(reason, status=127) from error
        assert process.stdout
        if not await process.stdout.readline():
            status = await process.wait()
            raise CoreStopped(f"{Path(program).name} cannot start", status=status)

    def _goes_on(self, process: Process | None, error: OffstageError) -> bool:
        """Counts the end of a host once, although it ends many connections."""
        if self._counted[0] is not process:
            self._counted = process, self._crashes.add(error)
        return self._counted[1]
