"""Several front ends on one core: section 9 of the protocol, without a browser."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from offstage_web.process import CoreProcess
from offstage_web.relay import Relay

from .conftest import run

GALLERY = ("--deterministic", "--root", "gallery")


class FrontEnd:
    """A front end that keeps the lines it gets."""

    def __init__(self, relay: Relay, name: str) -> None:
        self.relay = relay
        self.name = name
        self.lines: list[Any] = []
        self.status: str | None = ""
        self._changed = asyncio.Event()
        self.last_id = 0

    def send(self, line: str) -> None:
        self.lines.append(json.loads(line))
        self._changed.set()

    def close(self, status: str | None) -> None:
        self.status = status
        self._changed.set()

    async def request(self, method: str, **params: Any) -> Any:
        """Sends a request, and waits for its response."""
        self.last_id += 1
        message = {"id": self.last_id, "method": method, "params": params}
        await self.relay.receive(self, json.dumps({"jsonrpc": "2.0", **message}))
        return await self.line(lambda line: line.get("id") == message["id"])

    async def join(self, *kinds: str, **params: Any) -> Any:
        return await self.request(
            "initialize", protocol=1, capabilities=list(kinds), **params
        )

    async def line(self, accepts: Callable[[Any], bool]) -> Any:
        """Waits for a line."""
        while not (found := [line for line in self.lines if accepts(line)]):
            self._changed.clear()
            await asyncio.wait_for(self._changed.wait(), 180)
        return found[-1]

    @property
    def frames(self) -> list[Any]:
        return [each["params"] for each in self.lines if each.get("method") == "frame"]


class Spy(Relay):
    """A relay that keeps what it sends to the core."""

    def introductions(self) -> list[Any]:
        return [params for method, params in self.sent if method == "initialize"]

    def _send(self, method: str, params: Any, request: Any) -> None:
        self.__dict__.setdefault("sent", []).append((method, params))
        super()._send(method, params, request)


def play(
    scene: Callable[[Spy], Awaitable[None]], showcase: str, *arguments: str
) -> None:
    """Plays a scene with a relay and a core."""

    async def perform() -> None:
        relay = Spy(await CoreProcess.start([showcase, *(arguments or GALLERY)]))
        try:
            await scene(relay)
        finally:
            await relay.close()

    run(perform())


def test_a_further_front_end_gets_the_document(showcase: str) -> None:
    async def scene(relay: Spy) -> None:
        first, second = FrontEnd(relay, "first"), FrontEnd(relay, "second")
        await first.join("alert")
        await first.request("input", screen="1", name="push", value="two")
        hello = (await second.join("alert"))["result"]
        (frame,) = second.frames
        assert frame["revision"] == hello["revision"] == first.frames[-1]["revision"]
        assert set(frame["patch"][0]["value"]["screens"]) == {"1", "2"}
        assert frame["patch"][0]["path"] == ""

    play(scene, showcase)


def test_the_cause_goes_to_the_front_end_that_caused_it(showcase: str) -> None:
    async def scene(relay: Spy) -> None:
        first, second = FrontEnd(relay, "first"), FrontEnd(relay, "second")
        await first.join()
        await second.join()
        await first.request("input", screen="1", name="push", value="two")
        assert first.frames[-1]["cause"] == 2
        assert first.frames[-1]["revision"] == second.frames[-1]["revision"]
        assert "cause" not in second.frames[-1]

    play(scene, showcase)


def test_capabilities_are_those_of_the_connected_front_ends(showcase: str) -> None:
    async def scene(relay: Spy) -> None:
        first, second = FrontEnd(relay, "first"), FrontEnd(relay, "second")
        await first.join("share")
        await second.join("location.current", "share")
        await FrontEnd(relay, "third").join("share")
        relay.leave(second)
        while len(relay.introductions()) < 3:
            await asyncio.sleep(0)
        assert [each["capabilities"] for each in relay.introductions()] == [
            ["share"],
            ["location.current", "share"],
            ["share"],
        ]

    play(scene, showcase)


def test_a_front_end_that_returns_gets_what_it_missed(showcase: str) -> None:
    async def scene(relay: Spy) -> None:
        first, second = FrontEnd(relay, "first"), FrontEnd(relay, "second")
        hello = (await first.join())["result"]
        await second.join()
        seen = first.frames[-1]["revision"]
        relay.leave(first)
        await second.request("input", screen="1", name="push", value="two")
        again = FrontEnd(relay, "first")
        await again.join(resume={"session": hello["session"], "revision": seen})
        assert [each["navigation"] for each in again.frames] == [
            [{"type": "push", "screens": ["2"]}]
        ]
        assert [each["revision"] for each in again.frames] == [seen + 1]

    play(scene, showcase)


def test_a_page_in_another_language_translates_the_document(showcase: str) -> None:
    async def scene(relay: Spy) -> None:
        english, korean = FrontEnd(relay, "english"), FrontEnd(relay, "korean")
        await english.join(locale="en-US")
        relay.leave(english)
        await korean.join(locale="ko-KR")
        tabs = json.dumps(korean.frames[-1], ensure_ascii=False)
        assert "지도" in tabs

    play(scene, showcase, "--deterministic")


def test_a_bad_introduction_does_not_block_the_next(showcase: str) -> None:
    async def scene(relay: Spy) -> None:
        bad, good = FrontEnd(relay, "bad"), FrontEnd(relay, "good")
        rejected, hello = await asyncio.gather(bad.join(locale="?!"), good.join())
        assert rejected["error"]["code"] == -32602
        assert hello["result"]["protocol"] == 1

    play(scene, showcase)


def test_work_is_canceled_after_its_request_was_answered(showcase: str) -> None:
    async def scene(relay: Spy) -> None:
        person = FrontEnd(relay, "person")
        await person.join()
        await person.request("navigation/open", url="showcase://avatars/mina")
        state = (await person.request("state/snapshot"))["result"]["state"]
        (chat,) = (
            id for id, each in state["screens"].items() if each["kind"] == "chat"
        )
        await person.request("input", screen=chat, name="didAppear")
        await person.request("input", screen=chat, name="messageText", value="Hi")
        await person.request("input", screen=chat, name="send")
        sent = person.last_id

        async def works() -> bool:
            reply = await person.request("state/settle", pending=True)
            return any(
                each.get("screen") == chat for each in reply["result"]["pending"]
            )

        assert await works()
        message = {"method": "$/cancelRequest", "params": {"id": sent}}
        await relay.receive(person, json.dumps({"jsonrpc": "2.0", **message}))
        assert not await works()

    play(scene, showcase, "--deterministic")


@pytest.mark.parametrize("is_joining", [True, False])
def test_a_dead_core_closes_its_front_ends(showcase: str, is_joining: bool) -> None:
    async def scene(relay: Spy) -> None:
        person = FrontEnd(relay, "person")
        if not is_joining:
            await person.join()
        relay.process._process.kill()
        if is_joining:
            await person.join()
        await person.line(lambda _: person.status != "")
        assert person.status == "SIGKILL"

    play(scene, showcase)
