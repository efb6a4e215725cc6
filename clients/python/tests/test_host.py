"""A session of a host: `connect`, what survives, and what is refused."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from offstage import CoreStopped, InvalidRequest, Overloaded, connect, sync

from .running import listening


@asynccontextmanager
async def hosted(
    showcase: str, folder: Path, listen: str, *options: str | Path
) -> AsyncGenerator[str]:
    """Runs a host, and returns its address."""
    where = ("--data", folder / "data", "--root", "signUp", "--listen", listen)
    async with listening(showcase, "host", *where, *options) as program:
        yield program.address


async def test_a_session_goes_on_after_its_connection(
    showcase: str, tmp_path: Path
) -> None:
    async with hosted(showcase, tmp_path, f"unix:{tmp_path}/socket") as address:
        core = connect(address)
        async with core:
            await core.input("1", "nameText", "Kim")
            assert await core.restart()
            assert core.document.get("/screens/1/fields/nameText/value") == "Kim"
            async with connect(address) as other:
                assert other.handshake.session != core.handshake.session
                assert other.document.get("/screens/1/fields/nameText/value") is None
    # The host parks its sessions when it ends, and the next one goes on with them.
    async with hosted(showcase, tmp_path, f"unix:{tmp_path}/socket"):
        assert await core.restart()
        assert core.document.get("/screens/1/fields/nameText/value") == "Kim"
        await core.close()


async def test_a_network_needs_the_token(showcase: str, tmp_path: Path) -> None:
    file = tmp_path / "token"
    file.write_text("correct-horse-battery\n")
    options = ("--token", file)
    async with hosted(showcase, tmp_path, "127.0.0.1:0", *options) as address:
        for wrong in ("", "correct-horse-batterx"):
            with pytest.raises(InvalidRequest, match="token"):
                await connect(address, lifecycle=False, token=wrong).start()
        async with connect(address, token="correct-horse-battery") as core:
            assert core.document.screens["1"]["kind"] == "signUp"


async def test_a_full_host_says_so(showcase: str, tmp_path: Path) -> None:
    options = ("--max-sessions", "1", "--park", "3600")
    socket = f"unix:{tmp_path}/socket"
    async with (
        hosted(showcase, tmp_path, socket, *options) as address,
        connect(address),
    ):
        with pytest.raises(Overloaded, match="busy: 1 sessions are open"):
            await connect(address, lifecycle=False).start()


async def test_nobody_listens(tmp_path: Path) -> None:
    with pytest.raises(CoreStopped, match="cannot connect to unix:"):
        await connect(f"unix:{tmp_path}/socket").start()
    with pytest.raises(CoreStopped, match="cannot connect to nowhere"):
        await connect("nowhere").start()


async def test_a_script_needs_no_loop(showcase: str, tmp_path: Path) -> None:
    async with hosted(showcase, tmp_path, f"unix:{tmp_path}/socket") as address:

        def script() -> object:
            core = sync.connect(address)
            core.input("1", "nameText", "Kim")
            value = core.document.get("/screens/1/fields/nameText/value")
            core.close()
            return value

        assert await asyncio.to_thread(script) == "Kim"
