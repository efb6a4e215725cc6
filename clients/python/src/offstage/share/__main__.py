"""Lets several front ends share a core, each of which connects to a socket.

    python3 -m offstage.share --listen ADDRESS [--token FILE] -- PROGRAM [ARGUMENT…]

ADDRESS is unix:PATH, a socket that only the user can connect to, or HOST:PORT, which needs a
token. A core that crashes is started again, and goes on with its session if it has --state.
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ..address import is_address, is_unix, read_tokens
from ..errors import CoreStopped, OffstageError
from ..process import Crashes, ProcessTransport
from .client import Client
from .listener import Listener
from .relay import Relay


class Share:
    """A core for several front ends, which is started again if it crashes."""

    def __init__(self, command: Sequence[str]) -> None:
        self._command = command
        self._crashes = Crashes()
        self._relay: Relay | None = None
        self._session: str | None = None
        self._end: OffstageError | None = None
        self._is_over = False
        self._has_changed = asyncio.Condition()

    async def start(self) -> None:
        """Starts the core.

        Raises:
            CoreStopped: the program cannot be started.
        """
        if self._relay and self._relay.session:
            self._session = self._relay.session
        transport = await ProcessTransport.start(*self._command)
        self._relay = Relay(transport, self._session, self._restarts)
        await self._tell()

    async def run(self) -> None:
        """Starts the core again until it should not be.

        Raises:
            CoreStopped: why it should not.
        """
        assert self._relay
        try:
            while True:
                await self._relay.end()
                if self._end:
                    # The relay has reported the rest.
                    reason = str(self._end).partition("\n")[0]
                    raise CoreStopped(f"{reason}; it is not started again")
                await self.start()
        finally:
            self._is_over = True
            await self._tell()

    async def attend(self, client: Client) -> None:
        """Serves a front end. One that comes while the core is started waits for it."""
        async with self._has_changed:
            await self._has_changed.wait_for(lambda: self._is_running or self._is_over)
        if self._relay and self._is_running:
            await self._relay.attend(client)

    async def close(self) -> None:
        """Shuts the core down."""
        if self._relay:
            await self._relay.close()

    @property
    def _is_running(self) -> bool:
        return self._relay is not None and not self._relay.is_ended

    def _restarts(self, error: OffstageError) -> bool:
        self._end = None if self._crashes.add(error) else error
        return self._end is None

    async def _tell(self) -> None:
        async with self._has_changed:
            self._has_changed.notify_all()


async def serve(command: Sequence[str], address: str, tokens: Sequence[str]) -> None:
    """Shares a core until the process gets a signal.

    Raises:
        OffstageError: why the core has ended before.
        OSError: why it cannot listen at the address.
    """
    loop, stop = asyncio.get_running_loop(), asyncio.Event()
    for each in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        loop.add_signal_handler(each, stop.set)
    share = Share(command)
    listener = Listener(address, share.attend, tokens)
    tasks: list[asyncio.Task[Any]] = []
    try:
        await share.start()
        await listener.start()
        print(f"listening on {listener.address}", flush=True)
        tasks = [asyncio.create_task(each) for each in (share.run(), stop.wait())]
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        if tasks[0].done():
            tasks[0].result()
    finally:
        for task in tasks:
            task.cancel()
        await listener.close()
        await share.close()


def main() -> None:
    options = parse()
    logging.basicConfig(level=logging.WARNING, format=f"{NAME}: %(message)s")
    try:
        tokens = read_tokens(options.token) if options.token else []
        command = [options.program, *options.arguments]
        asyncio.run(serve(command, options.listen, tokens))
    except (OffstageError, OSError, ValueError) as error:
        sys.exit(f"{NAME}: {error}")


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog=f"python3 -m {NAME}",
        description="Lets several front ends share a core.",
    )
    parser.add_argument(
        "--listen",
        metavar="ADDRESS",
        required=True,
        help="where to listen: unix:PATH, or HOST:PORT with --token",
    )
    parser.add_argument(
        "--token",
        metavar="FILE",
        type=Path,
        help="a file with what a front end must know; one that only looks, its second word",
    )
    parser.add_argument("program", help="the core")
    parser.add_argument("arguments", nargs=argparse.REMAINDER, help="its arguments")
    options = parser.parse_args()
    if not is_address(options.listen):
        given = f'not "{options.listen}"'
        parser.error(f"--listen takes unix:PATH or HOST:PORT, {given}")
    if not is_unix(options.listen) and not options.token:
        why = "every user of this machine can connect"
        parser.error(f"--listen {options.listen} needs --token FILE: {why}")
    return options


NAME = "offstage.share"

if __name__ == "__main__":
    main()
