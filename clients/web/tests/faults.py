"""A site whose parts fail while visitors work. By hand, with every fault, each for a while:

python -m tests.faults CORE [VISITORS] [FAULT…]
"""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Awaitable, Callable
from pathlib import Path

from .crowd import Report, work

SITE = Path(__file__).parents[1] / "site"


class Site:
    """A site of `clients/web/site`, on ports that are free.

    Args:
        folder: where its data is.
        core: the app, which shows its gallery first.
        visitors: the most of each worker.
    """

    def __init__(
        self, folder: Path, core: str, workers: int = 2, visitors: int = 100
    ) -> None:
        self.folder, self.workers = folder, workers
        self._environment = {
            **os.environ,
            "NAME": f"127.0.0.1:{free_ports(workers + 1)}",
            "WORKERS": str(workers),
            "VISITORS": str(visitors),
            "CORE": core,
            "ARGUMENTS": "--root gallery",
            "VENV": sys.prefix,
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
            env=self._environment,
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        )
        return done.stdout

    def processes(self, number: int) -> list[int]:
        """Returns the process ids of a worker's host and web server."""
        web = int((self.folder / f"worker-{number}.web").read_text())
        hosts = Path(f"/proc/{web}/task/{web}/children").read_text().split()
        return [*map(int, hosts), web]

    def signal(self, number: int, sign: signal.Signals) -> list[int]:
        """Sends a signal to a worker. Returns the process ids."""
        processes = self.processes(number)
        for each in processes:
            os.kill(each, sign)
        return processes

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
        folder = str((self.folder / "postgresql").resolve())
        (program,) = Path("/usr/lib/postgresql").glob("*/bin/pg_ctl")
        words = [str(program), "-D", folder, "-m", "immediate", "-w", "restart"]
        if os.getuid() == 0:
            words = ["runuser", "-u", "postgres", "--", *words]
        done = await asyncio.create_subprocess_exec(
            *words, "-l", f"{folder}/log", stdout=asyncio.subprocess.DEVNULL, cwd="/"
        )
        assert await done.wait() == 0

    async def rolling(self) -> None:
        """Ends the workers one after another, as an update of the app does."""
        for number in range(1, self.workers + 1):
            # The web server ends its host.
            os.kill(self.processes(number)[-1], signal.SIGTERM)
            await asyncio.sleep(5)


def free_ports(count: int) -> int:
    """Returns the first of some ports in a row that are free."""
    while True:
        with socket.create_server(("127.0.0.1", 0)) as first:
            port = first.getsockname()[1]
            try:
                for each in range(port + 1, port + count):
                    socket.create_server(("127.0.0.1", each)).close()
            except (OSError, OverflowError):
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


def main() -> None:
    core, visitors = sys.argv[1], int(sys.argv[2] if len(sys.argv) > 2 else 1000)
    names = sys.argv[3:] or ["kill", "freeze", "database", "rolling"]
    with tempfile.TemporaryDirectory() as folder:
        site = Site(Path(folder), str(Path(core).resolve()), 3, visitors)
        try:
            for name in names:
                site.start()
                fault = getattr(site, name)
                report = asyncio.run(suffer(site, [fault], visitors, 5, 30))
                print(f"{name}: {report}", *report.mistakes[:5], sep="\n  ", flush=True)
        finally:
            site.stop()


if __name__ == "__main__":
    main()
