"""Programs that listen at an address."""

from __future__ import annotations

import asyncio
import os
import re
import sys
from asyncio import subprocess
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

SHARE = (sys.executable, "-m", "offstage.share")


@dataclass
class Program:
    """A program that listens."""

    address: str
    process: subprocess.Process

    def cores(self) -> list[int]:
        """Returns the process ids of the cores that it has started."""
        id = self.process.pid
        children = Path(f"/proc/{id}/task/{id}/children").read_text()
        return [int(each) for each in children.split()]


@asynccontextmanager
async def listening(*command: str | Path, status: int = 0) -> AsyncGenerator[Program]:
    """Runs a program that says where it listens. It must end with a status."""
    process = await asyncio.create_subprocess_exec(
        *command,
        stdout=subprocess.PIPE,
        env={**os.environ, "LC_ALL": "C.UTF-8"},
    )
    assert process.stdout
    line = (await process.stdout.readline()).decode()
    address = re.fullmatch(r"listening on (.+)\n", line)
    assert address
    try:
        yield Program(address[1], process)
    finally:
        with suppress(ProcessLookupError):
            process.terminate()
        assert await process.wait() == status


@asynccontextmanager
async def shared(
    address: str, *core: str | Path, token: Path | None = None, status: int = 0
) -> AsyncGenerator[Program]:
    """Runs a relay."""
    options = ("--token", token) if token else ()
    command = (*SHARE, "--listen", address, *options, "--", *core)
    async with listening(*command, status=status) as program:
        yield program


async def failing(*arguments: str | Path) -> tuple[int | None, str]:
    """Runs a relay that ends by itself. Returns its status and what it says."""
    process = await asyncio.create_subprocess_exec(
        *SHARE, *arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    _, said = await process.communicate()
    return process.returncode, said.decode()
