"""A connection that is lost and resumed, and the log."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from offstage import (
    Core,
    CoreStopped,
    LogEntry,
    ProcessTransport,
    Transport,
    launch,
)

from .fake import FakeCore, document


class Relay:
    """Keeps a core alive while its front end comes and goes."""

    def __init__(self, core: Transport) -> None:
        self._core = core
        self._queue: asyncio.Queue[bytes] = asyncio.Queue()
        self._reading = asyncio.create_task(self._read())

    async def _read(self) -> None:
        while line := await self._core.read_line():
            self._queue.put_nowait(line)
        self._queue.put_nowait(b"")

    async def connect(self) -> Transport:
        self._queue = asyncio.Queue()
        return Line(self._core, self._queue)

    def lose(self) -> None:
        """Ends the front end's connection; what the core sends next is lost."""
        self._queue.put_nowait(b"")
        self._queue = asyncio.Queue()

    async def close(self) -> None:
        await self._core.close()
        await self._reading


class Line(Transport):
    """A front end's connection to the relay."""

    def __init__(self, core: Transport, lines: asyncio.Queue[bytes]) -> None:
        self._core, self._lines = core, lines

    async def read_line(self) -> bytes:
        return await self._lines.get()

    def write_line(self, line: bytes) -> None:
        self._core.write_line(line)

    async def drain(self) -> None:
        await self._core.drain()

    async def close(self) -> None:
        self._lines.put_nowait(b"")

    def stopped(self) -> CoreStopped:
        return CoreStopped("the connection is lost")


async def test_a_lost_connection_is_resumed(showcase: str) -> None:
    arguments = ("--deterministic", "--root", "signUp")
    relay = Relay(await ProcessTransport.start(showcase, *arguments))
    core = Core(relay.connect)
    await core.start()
    await core.input("1", "nameText", "Kim")
    frames = core.frames()
    core.input("1", "emailText", "kim@example.com").add_done_callback(
        lambda reply: reply.exception()
    )
    relay.lose()
    with pytest.raises(CoreStopped, match="the connection is lost"):
        async for _ in frames:
            pass
    assert await core.resume()
    snapshot: Any = await core.request("state/snapshot")
    assert (core.document.revision, core.document.value) == tuple(snapshot.values())
    assert core.document.get("/screens/1/fields/emailText/value") == "kim@example.com"
    await core.input("1", "nameText", "Lee")
    await core.close()
    await relay.close()


async def test_screens_appear_once_across_a_lost_connection(showcase: str) -> None:
    arguments = ("--deterministic", "--root", "pokedex")
    relay = Relay(await ProcessTransport.start(showcase, *arguments))
    core = Core(relay.connect)
    await core.start()
    await core.settle()
    revision = core.document.revision
    relay.lose()
    with pytest.raises(CoreStopped):
        await core.until(lambda: False)
    assert await core.resume()
    assert core.last_id == 2  # `initialize` and `rpc.discover`.
    await core.settle()
    assert core.document.revision == revision
    await core.close()
    await relay.close()


async def test_another_core_replaces_the_document(
    showcase: str, tmp_path: Path
) -> None:
    command = (showcase, "--data", str(tmp_path), "--root", "signUp")
    async with launch(*command) as core:
        await core.input("1", "nameText", "Kim")
        await core.close()
        assert not await core.resume()
        assert core.document.get("/screens/1/fields/nameText/value") is None
        await core.input("1", "nameText", "Lee")


async def test_the_log_is_an_iterator() -> None:
    class LoggingCore(FakeCore):
        def input(self, id: int, params: Any) -> None:
            entry = {"level": "warning", "message": "slow", "cause": id, "screen": "1"}
            self.send({"method": "log", "params": {**entry, "data": {"place": "7"}}})

    fake = LoggingCore(document("1"))
    async with Core(fake.connect, log="info") as core:
        assert fake.received[0]["params"]["log"] == "info"
        log = core.log()
        await core.input("1", "act")
        expected = LogEntry("warning", "slow", core.last_id, "1", {"place": "7"})
        assert await anext(log) == expected


async def test_the_state_of_the_app(showcase: str) -> None:
    async with launch(showcase, "--deterministic", "--root", "signUp") as core:
        assert core.document.app == {"account": None, "runningReplies": 0}
