"""PostgreSQL servers: that of a site, and a pair of which one takes over."""

from __future__ import annotations

import asyncio
import os
import shutil
import tempfile
from pathlib import Path
from urllib.parse import quote


async def postgres(program: str, *words: str | Path) -> None:
    """Runs one of PostgreSQL's programs, which refuse to run as root."""
    (path,) = Path("/usr/lib/postgresql").glob(f"*/bin/{program}")
    user = ["runuser", "-u", "postgres", "--"] if os.getuid() == 0 else []
    done = await asyncio.create_subprocess_exec(
        *user, path, *words, stdout=asyncio.subprocess.DEVNULL, cwd="/"
    )
    assert await done.wait() == 0, program


class Pair:
    """A server, and a standby that has everything as soon as the server has acknowledged it."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="offstage-", dir="/tmp"))
        if os.getuid() == 0:
            shutil.chown(self.folder, "postgres")
        # Others find the sockets in it.
        self.folder.chmod(0o711)
        self._primary = self.folder / "primary"
        self._standby = self.folder / "standby"

    @property
    def address(self) -> str:
        """The address of both, which leads to the one that takes writes."""
        hosts = ",".join(quote(str(each), "") for each in self._sockets())
        return f"postgresql://tester@{hosts}/postgres?target_session_attrs=read-write"

    def _sockets(self) -> list[Path]:
        return [each.with_suffix(".socket") for each in (self._primary, self._standby)]

    async def start(self) -> None:
        who = ("--username", "tester")
        where = self._primary.with_suffix(".socket")
        await postgres(
            "initdb", *who, "--auth", "trust", "--no-sync", "-D", self._primary
        )
        await self._start(self._primary)
        await postgres(
            "pg_basebackup", *who, "-h", where, "-D", self._standby, "-R", "-c", "fast"
        )
        await self._start(self._standby)
        # Only the primary waits for the other one.
        names = "ALTER SYSTEM SET synchronous_standby_names = '*'"
        await postgres("psql", *who, "-q", "-h", where, "-c", names, "postgres")
        await postgres("pg_ctl", "-D", self._primary, "reload")

    async def _start(self, folder: Path) -> None:
        socket = folder.with_suffix(".socket")
        socket.mkdir()
        socket.chmod(0o777)
        options = f"-k {socket} -c listen_addresses= -c fsync=off"
        log = folder.with_suffix(".log")
        await postgres("pg_ctl", "-D", folder, "-l", log, "-o", options, "-w", "start")

    async def fail_over(self) -> None:
        """Lets the primary die, and the standby take its place."""
        await postgres("pg_ctl", "-D", self._primary, "-m", "immediate", "-w", "stop")
        await postgres("pg_ctl", "-D", self._standby, "-w", "promote")

    async def stop(self) -> None:
        for each in self._primary, self._standby:
            if (each / "postmaster.pid").exists():
                await postgres("pg_ctl", "-D", each, "-m", "immediate", "-w", "stop")
        shutil.rmtree(self.folder)
