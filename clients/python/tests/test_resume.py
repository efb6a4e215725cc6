"""A connection that is lost and resumed, and the log."""

from __future__ import annotations

import asyncio
import signal
from pathlib import Path
from typing import Any, ClassVar

import pytest

from offstage import (
    JSON,
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
    assert await core.restart()
    # The same iterator goes on.
    assert (await anext(frames)).revision == core.document.revision
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
    sent = core.last_id
    assert await core.restart()
    assert core.last_id == sent + 2  # `initialize` and `rpc.discover`.
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
        assert not await core.restart()
        assert core.document.get("/screens/1/fields/nameText/value") is None
        await core.input("1", "nameText", "Lee")


STOP = signal.SIGKILL
"""Ends a core that keeps its state."""


async def test_a_restarted_core_goes_on_with_the_session(
    showcase: str, tmp_path: Path
) -> None:
    transports: list[ProcessTransport] = []

    async def connect() -> Transport:
        command = (showcase, "--data", str(tmp_path), "--root", "signUp")
        place = ("--state", str(tmp_path / "place"))
        transports.append(await ProcessTransport.start(*command, *place))
        return transports[-1]

    async with Core(connect, reconnect=True) as core:
        name, email = core.field("1", "nameText"), core.field("1", "emailText")
        await name.write("Kim")
        session, watching = core.handshake.session, core.watch("/screens/1/fields")
        assert (await anext(watching))["nameText"]["value"] == "Kim"
        transports[0].process.send_signal(STOP)
        with pytest.raises(CoreStopped):
            await core.until(lambda: False)
        # What is typed meanwhile waits, and is sent once.
        unsent = email.write("kim@example.com")
        assert email.value == "kim@example.com"
        assert await core.restart()
        await unsent
        assert core.handshake.session == session
        assert not email.is_pending
        assert (name.value, email.value) == ("Kim", "kim@example.com")
        await core.settle()
        seen = [await anext(watching)]
        assert seen[-1]["emailText"]["value"] == "kim@example.com"
    with pytest.raises(StopAsyncIteration):
        await anext(watching)


async def test_requests_are_sent_again_once_and_only_with_a_key() -> None:
    class Forgetful(FakeCore):
        performed: ClassVar[list[JSON]] = []
        is_deaf = False

        def handle(self, message: dict[str, Any]) -> None:
            if not self.is_deaf:
                super().handle(message)

        def input(self, id: int, params: JSON) -> None:
            self.performed.append(params["value"])

    fake = Forgetful(document("1"))
    async with Core(fake.connect, lifecycle=False, reconnect=True) as core:
        fake.is_deaf = True
        change, read = core.input("1", "act", 1), core.settle()
        canceled = core.input("1", "act", 2)
        fake.end()
        with pytest.raises(CoreStopped):
            await read
        assert not change.done()
        later = core.input("1", "act", 3)
        canceled.cancel()
        await asyncio.sleep(0)
        fake.is_deaf = False
        assert await core.restart()
        await asyncio.gather(change, later)
        assert fake.performed == [1, 3]
        keys = [each["params"].get("key") for each in fake.received]
        assert len({key for key in keys if key}) == 3
        # A core of another session knows no key.
        fake.is_deaf, fake.session = True, "another"
        lost = core.input("1", "act", 4)
        fake.end()
        with pytest.raises(CoreStopped):
            await core.until(lambda: False)
        fake.is_deaf = False
        assert not await core.restart()
        with pytest.raises(CoreStopped, match="another session"):
            await lost
        assert fake.performed == [1, 3]
        await core.input("1", "act", 5)


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
