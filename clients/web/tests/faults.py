"""A site whose parts fail while visitors work. By hand, with every fault, each for a while:

python -m tests.faults CORE [VISITORS] [FAULT…]
"""

from __future__ import annotations

import asyncio
import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Awaitable, Callable
from pathlib import Path

from .conftest import address_of, children
from .crowd import Report, work
from .databases import Pair, postgres

SITE = Path(__file__).parents[1] / "site"
SMALL = 8 << 20
"""The bytes of a worker's disk that becomes full."""


class Site:
    """A site of `clients/web/site`, on ports that are free.

    Args:
        folder: where its data is.
        core: the app.
        visitors: the most of each worker.
        pages: the most of each visitor.
        arguments: those of the app; it shows a screen with rooms first.
        pair: its database; None for one of its own.
    """

    def __init__(
        self,
        folder: Path,
        core: str | Path,
        workers: int = 2,
        visitors: int = 100,
        pages: int = 8,
        arguments: str = "--root gallery",
        pair: Pair | None = None,
    ) -> None:
        self.folder, self.workers, self._pair = folder, workers, pair
        # One worker more may come.
        self._environment = {
            **os.environ,
            "NAME": f"127.0.0.1:{free_ports(workers + 2)}",
            "VISITORS": str(visitors),
            "PAGES": str(pages),
            "CORE": str(core),
            "ARGUMENTS": arguments,
            "VENV": sys.prefix,
            "DATABASE": pair.address if pair else "",
        }
        self.address = ""

    def start(self) -> None:
        """Starts it, or what of it does not run."""
        self.address = self._run("start").strip()

    def stop(self) -> None:
        self._run("stop")
        # As root, the database has a folder of its own.
        shutil.rmtree((self.folder / "postgresql").resolve(), ignore_errors=True)

    def _run(self, command: str) -> str:
        done = subprocess.run(
            [SITE, command, self.folder],
            env={**self._environment, "WORKERS": str(self.workers)},
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        )
        return done.stdout

    def processes(self, number: int) -> list[int]:
        """Returns the process ids of a worker's host and web server."""
        web = int((self.folder / f"worker-{number}.web").read_text())
        return [*children(web), web]

    def signal(self, number: int, sign: signal.Signals) -> list[int]:
        """Sends a signal to a worker. Returns the process ids."""
        processes = self.processes(number)
        for each in processes:
            os.kill(each, sign)
        return processes

    def socket(self, number: int) -> str:
        """Returns the path of the socket of a worker's host."""
        return address_of(self.processes(number)[0]).removeprefix("unix:")

    def restart(self, number: int) -> None:
        """Ends a worker as an operator does. It is started again."""
        # The web server ends its host.
        os.kill(self.processes(number)[-1], signal.SIGTERM)

    # Faults

    async def kill(self) -> None:
        """Kills a worker, which is started again."""
        self.signal(1, signal.SIGKILL)

    async def freeze(self, seconds: float = 60) -> None:
        """Stops a worker for a while. Then it goes on where it was."""
        frozen = self.signal(1, signal.SIGSTOP)
        await asyncio.sleep(seconds)
        for each in frozen:
            os.kill(each, signal.SIGCONT)

    async def database(self) -> None:
        """Restarts the database, as after a loss of power."""
        folder = (self.folder / "postgresql").resolve()
        words = ("-m", "immediate", "-w", "restart", "-l", folder / "log")
        await postgres("pg_ctl", "-D", folder, *words)

    async def standby(self) -> None:
        """Lets the database die, and its standby take its place."""
        assert self._pair
        await self._pair.fail_over()

    async def disk(self) -> None:
        """Fills the disk of a worker, sends it the visitors of the others, and starts it again."""
        file = self.folder / "worker-1" / "full"
        with file.open("wb", buffering=0) as full:
            try:
                while full.write(bytes(4096)):
                    pass
            except OSError:
                pass
        for number in [*range(2, self.workers + 1), 1]:
            self.restart(number)
            await asyncio.sleep(5)
        file.unlink()

    async def reload(self) -> None:
        """Adds a worker, so that HAProxy reads its configuration again."""
        self.workers += 1
        await asyncio.to_thread(self.start)

    async def rolling(self) -> None:
        """Ends the workers one after another, as an update of the app does."""
        for number in range(1, self.workers + 1):
            self.restart(number)
            await asyncio.sleep(5)

    async def schema(self) -> None:
        """Updates the app to one with other ports."""
        update(self.folder.parent, is_next=True)
        await self.rolling()


def update(folder: Path, is_next: bool = False) -> Path:
    """Installs a version of an app with rooms. Returns its program."""
    program = folder / "rooms"
    fixture = Path(__file__).parents[3] / ".build/debug/HostFixture"
    option = "--next" if is_next else ""
    new = folder / "rooms.new"
    new.write_text(f'#!/bin/sh\nexec {fixture} "$@" {option}\n')
    new.chmod(0o755)
    new.rename(program)
    return program


def free_ports(count: int) -> int:
    """Returns the first of some ports in a row that are free, and that no client is given.

    A worker that restarts needs its port again.
    """
    while True:
        port = random.randrange(20_000, 30_000)
        try:
            for each in range(port, port + count):
                socket.create_server(("127.0.0.1", each)).close()
        except OSError:
            continue
        return port


async def suffer(
    site: Site,
    faults: list[Callable[[], Awaitable[None]]],
    visitors: int,
    pause: float,
    seconds: float,
) -> Report:
    """Lets visitors work while faults happen, with some seconds before and after each."""

    async def happen() -> None:
        for fault in faults:
            await asyncio.sleep(seconds)
            await fault()
        await asyncio.sleep(seconds)

    return await work(site.address, visitors, pause, happen())


FAULTS = [
    "kill",
    "freeze",
    "database",
    "standby",
    "disk",
    "reload",
    "rolling",
    "schema",
]


def main() -> None:
    core, visitors = sys.argv[1], int(sys.argv[2] if len(sys.argv) > 2 else 1000)
    for name in sys.argv[3:] or FAULTS:
        report = check(name, core, visitors)
        print(f"{name}: {report}", *report.mistakes[:5], sep="\n  ", flush=True)


def check(
    name: str, core: str, visitors: int, pause: float = 5, seconds: float = 30
) -> Report:
    """Lets visitors work on a site of three workers while a fault happens."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / "site"
        pair = Pair() if name == "standby" else None
        disk = folder / "worker-1" if name == "disk" else None
        rooms = update(Path(scratch)) if name == "schema" else None
        site = Site(
            folder,
            rooms or Path(core).resolve(),
            3,
            visitors,
            arguments="--root room" if rooms else "--root gallery",
            pair=pair,
        )
        try:
            if pair:
                asyncio.run(pair.start())
            if disk:
                disk.mkdir(parents=True)
                mount(disk)
            site.start()
            fault = getattr(site, name)
            return asyncio.run(suffer(site, [fault], visitors, pause, seconds))
        finally:
            site.stop()
            if disk:
                subprocess.run(["umount", disk], check=True)
            if pair:
                asyncio.run(pair.stop())


def mount(folder: Path) -> None:
    """Gives a folder a small disk, as root."""
    words = ["mount", "-t", "tmpfs", "-o", f"size={SMALL}", "tmpfs", folder]
    subprocess.run(words, check=True)


if __name__ == "__main__":
    main()
