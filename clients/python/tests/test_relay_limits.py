"""What a front end of a relay may ask for, with a core that answers only when it is told to."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any

from offstage import CoreStopped
from offstage.share import Relay

from .front_ends import FrontEnd, Spy, joined, play


class Core:
    """A core that answers the requests of the relay itself, and snapshots of 600 bytes."""

    def __init__(self) -> None:
        self.sent: list[Any] = []
        self.params: list[Any] = []
        self._after_snapshot: list[Any] = []
        self._lines: asyncio.Queue[bytes] = asyncio.Queue()

    def write_line(self, line: bytes) -> None:
        message = json.loads(line)
        self.sent.append(message["method"])
        self.params.append(message["params"])
        limits = {"inFlight": 9, "batch": 5, "out": 1000}
        results: dict[str, Any] = {
            "initialize": {"protocol": 1, "session": "s", "limits": limits},
            "rpc.discover": {
                "info": {},
                "components": {"schemas": {}},
                "x-screens": {},
            },
            "state/snapshot": {"revision": 1, "state": "x" * 600},
            "input": {"revision": 1},
        }
        if message["method"] in results:
            self.answer(message["id"], results[message["method"]])
        if message["method"] == "state/snapshot":
            for frame in self._after_snapshot:
                self.show(frame)

    def follow_snapshots(self, frame: Any) -> None:
        """Sends a frame right after the next snapshot."""
        self._after_snapshot = [frame]

    def show(self, frame: Any) -> None:
        message = {"jsonrpc": "2.0", "method": "frame", "params": frame}
        self._lines.put_nowait(json.dumps(message).encode())

    def answer(self, id: int, result: Any) -> None:
        message = {"jsonrpc": "2.0", "id": id, "result": result}
        self._lines.put_nowait(json.dumps(message).encode())

    async def read_line(self) -> bytes:
        return await self._lines.get()

    async def drain(self) -> None:
        # Lets the relay handle the answers.
        for _ in range(10):
            await asyncio.sleep(0)

    async def close(self) -> None:
        self._lines.put_nowait(b"")

    def stopped(self) -> CoreStopped:
        return CoreStopped("the core has ended", status=0)


def perform(scene: Callable[[Core, Relay, FrontEnd], Awaitable[None]]) -> None:
    """Plays a scene with a front end that has joined."""

    async def act() -> None:
        core = Core()
        relay = Relay(core)
        person = FrontEnd(relay, "person")
        await person.join()
        core.sent.clear()
        core.params.clear()
        await scene(core, relay, person)
        await relay.close()

    asyncio.run(act())


def codes(responses: list[Any]) -> dict[Any, int | None]:
    return {each["id"]: each.get("error", {}).get("code") for each in responses}


def test_more_requests_than_in_flight_are_refused() -> None:
    async def scene(core: Core, relay: Relay, person: FrontEnd) -> None:
        calls = [{"id": id, "method": "state/settle"} for id in "abcde"]
        line = json.dumps([{"jsonrpc": "2.0", **each} for each in calls])
        await relay.receive(person, line, 1)
        # With the next one, it would have more than are left.
        assert core.sent == ["state/settle"] * 5
        refused = await person.request("state/settle")
        assert refused["error"]["code"] == 1005

    perform(scene)


def test_front_ends_share_what_the_core_takes() -> None:
    async def scene(core: Core, relay: Relay, person: FrontEnd) -> None:
        async def fill(name: str) -> int:
            """Returns how many requests without an answer a front end gets through."""
            front_end = FrontEnd(relay, name)
            await front_end.join()
            core.sent.clear()
            for id in range(10):
                line = {"jsonrpc": "2.0", "id": f"{name}{id}", "method": "state/settle"}
                await relay.receive(front_end, json.dumps(line), 1)
            # What the core still works on counts until its answer.
            relay.leave(front_end)
            return core.sent.count("state/settle")

        # Two pages of a visitor, and another visitor, with nine requests for all.
        assert [await fill(name) for name in ("a/1", "a/2", "b/1")] == [3, 1, 2]
        assert await fill("a/3") == 0
        assert "result" in await person.request("state/snapshot")

    perform(scene)


def test_a_batch_is_as_long_as_that_of_a_core() -> None:
    async def scene(core: Core, relay: Relay, person: FrontEnd) -> None:
        methods = ["input", "state/snapshot", "state/snapshot", "input"]
        calls = [{"id": id, "method": each} for id, each in enumerate(methods)]
        responses = await person.batch(*calls)
        assert codes(responses) == {0: None, 1: None, 2: 1005, 3: 1005}
        # What is refused has no effect.
        assert core.sent == methods[:3]
        assert person.held == 0

    perform(scene)


def test_a_batch_has_as_many_requests_as_that_of_a_core() -> None:
    async def scene(core: Core, relay: Relay, person: FrontEnd) -> None:
        await relay.receive(person, "[1,2,3,4,5,6]", 1)
        assert person.got[-1]["error"]["code"] == -32600
        assert core.sent == []

    perform(scene)


def test_a_resume_of_a_closed_page_is_dropped() -> None:
    async def scene(core: Core, relay: Relay, person: FrontEnd) -> None:
        params = {"resume": {"session": "s", "revision": 1}}
        call = {"jsonrpc": "2.0", "method": "initialize", "params": params}
        line = json.dumps([{**call, "id": id} for id in range(5)])
        person.is_closing, count = True, len(person.got)
        await relay.receive(person, line, 1)
        assert core.sent == []
        assert len(person.got) == count

    perform(scene)


def test_ids_of_different_types_are_different() -> None:
    async def scene(core: Core, relay: Relay, person: FrontEnd) -> None:
        for id in ("1", "1.0", '"1"', '"1"'):
            line = f'{{"jsonrpc":"2.0","id":{id},"method":"state/settle"}}'
            await relay.receive(person, line, 1)
        assert core.sent == ["state/settle"] * 3
        assert person.got[-1]["error"]["code"] == -32600

    perform(scene)


def test_params_that_are_not_unicode_are_refused() -> None:
    async def scene(core: Core, relay: Relay, person: FrontEnd) -> None:
        for params in ('{"value":"\\ud800"}', '{"value":1e400}'):
            line = f'{{"jsonrpc":"2.0","id":7,"method":"input","params":{params}}}'
            await relay.receive(person, line, 1)
            assert codes(person.got[-1:]) == {7: -32700}
        assert core.sent == []

    perform(scene)


def test_a_long_batch_ends_with_1005(showcase: str) -> None:
    async def scene(relay: Spy) -> None:
        person = await joined(relay, "person")
        await person.request("input", screen="1", name="nameText", value="x" * 900_000)
        calls = [{"id": id, "method": "state/snapshot"} for id in range(30)]
        responses = await person.batch(*calls)
        refused = [id for id, code in codes(responses).items() if code == 1005]
        assert refused == list(range(18, 30))

    play(scene, showcase, "--deterministic", "--root", "signUp")
