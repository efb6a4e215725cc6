"""What a listener lets in, and for how long."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from offstage import ProcessTransport
from offstage.share import Client, Listener, Relay, client, listener

from .sockets import Caller
from .test_relay_limits import Core


@asynccontextmanager
async def relayed(showcase: str, folder: Path) -> AsyncGenerator[str]:
    """Runs a relay in this process, and returns its address."""
    form = ("--deterministic", "--root", "signUp")
    relay = Relay(await ProcessTransport.start(showcase, *form))
    entrance = Listener(f"unix:{folder}/socket", relay.attend)
    await entrance.start()
    yield entrance.address
    await entrance.close()
    await relay.close()


async def test_so_many_front_ends_may_be_connected(
    showcase: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(listener, "FRONT_ENDS", 1)
    async with relayed(showcase, tmp_path) as address:
        first, second = [await Caller.connect(address) for _ in range(2)]
        await first.join()
        second.ask("initialize", protocol=1)
        (refusal,) = await second.rest()
        assert refusal == {
            "jsonrpc": "2.0",
            "id": 1,
            "error": {
                "code": 1005,
                "message": "busy: 1 front ends are connected; try again later",
            },
        }
        # There is room again once the first has gone.
        await second.close()
        first.writer.write_eof()
        assert await first.rest() == []
        await first.close()
        third = await Caller.connect(address)
        await third.join()
        await third.close()


async def test_the_oldest_stranger_makes_room(
    showcase: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(listener, "STRANGERS", 1)
    async with relayed(showcase, tmp_path) as address:
        first, second = [await Caller.connect(address) for _ in range(2)]
        await second.join()
        assert await first.rest() == []
        for each in (first, second):
            await each.close()


async def test_a_stranger_has_a_minute_to_say_something(
    showcase: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(listener, "PATIENCE", 0)
    async with relayed(showcase, tmp_path) as address:
        silent = await Caller.connect(address)
        assert await silent.rest() == []
        await silent.close()


async def test_who_asks_and_never_reads_loses_the_connection(
    showcase: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    was_cut, cut = asyncio.Event(), Client.cut

    def note(client: Client) -> None:
        cut(client)
        was_cut.set()

    monkeypatch.setattr(client, "RESPONSES", 1 << 19)
    monkeypatch.setattr(Client, "cut", note)
    async with relayed(showcase, tmp_path) as address:
        greedy, other = [await Caller.connect(address) for _ in range(2)]
        await other.join()
        await other.request("input", screen="1", name="nameText", value="x" * 300_000)
        await greedy.join()
        for _ in range(20):
            greedy.ask("state/snapshot")
        await was_cut.wait()
        assert "result" in await other.request("state/snapshot")
        assert len(await greedy.reader.read(-1)) < 20 * 300_000
        for each in (greedy, other):
            await each.close()


async def test_what_a_batch_waits_for_is_not_unread(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client, "UNREAD", 100)
    core = Core()
    relay = Relay(core)
    entrance = Listener(f"unix:{tmp_path}/socket", relay.attend)
    await entrance.start()
    caller = await Caller.connect(entrance.address)
    await caller.join()
    # The second one gets no answer, so the first one's waits.
    calls = [{"id": id, "method": f"state/{id}"} for id in ("snapshot", "settle")]
    caller.send(json.dumps([{"jsonrpc": "2.0", **call} for call in calls]))
    await caller.request("input")
    core.show({"revision": 2, "patch": []})
    assert (await caller.frame())["patch"] == []
    await caller.close()
    await entrance.close()
    await relay.close()
