"""What the relays of one app's sessions share."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from offstage.share import Relay, Shared, shared

from .fake import document
from .front_ends import FrontEnd
from .test_relay_limits import Core


class Described(Core):
    """A core that says what its description depends on.

    Args:
        goes_on: it goes on with a session of another core.
        members: other members of the result of `initialize`.
    """

    def __init__(self, goes_on: bool = False, **members: Any) -> None:
        super().__init__()
        self._goes_on = goes_on
        self.hello = {"app": {"version": "1"}, "schema": "a", "language": "en"}
        self.hello |= members

    def answer(self, id: int, result: Any) -> None:
        if "protocol" in result:
            if self._goes_on:
                self.tell_schema()
            result = {**result, **self.hello}
        elif "x-screens" in result:
            result = {**result, "x-language": self.hello["language"]}
        super().answer(id, result)

    def tell_schema(self) -> None:
        """Shows the document again, with a schema."""
        whole = {"op": "replace", "path": "", "value": document("1")}
        schema = self.hello["schema"]
        self.show({"revision": 7, "patch": [whole], "schema": schema})

    def asked(self) -> int:
        """Returns how many times it was asked for the description."""
        return self.sent.count("rpc.discover")


async def join(core: Core, common: Shared) -> tuple[Relay, Any]:
    """Returns a relay, and the result of the `initialize` of its first front end."""
    relay = Relay(core, shared=common)
    hello = await FrontEnd(relay, "person").join(resume={"session": "s", "revision": 6})
    return relay, hello["result"]


def test_a_description_is_asked_for_once() -> None:
    async def scene() -> None:
        common = Shared()
        first, second = Described(), Described()
        other_language = Described(language="ko")
        other_version = Described(app={"version": "2"})
        other_ports = Described(schema="b")
        silent = [Core(), Core()]
        for core in (first, second, other_language, other_version, other_ports):
            await join(core, common)
        for mute in silent:
            await join(mute, common)
        assert [first.asked(), second.asked()] == [1, 0]
        others = (other_language, other_version, other_ports)
        assert [each.asked() for each in others] == [1, 1, 1]
        # One that does not say its language may speak any.
        assert [each.sent.count("rpc.discover") for each in silent] == [1, 1]

    asyncio.run(scene())


def test_a_session_that_goes_on_is_described_once() -> None:
    """Its first frame has a schema, and comes before the result that tells the language."""

    async def scene() -> None:
        common = Shared()
        cores = [Described(goes_on=True) for _ in range(2)]
        for core in cores:
            await join(core, common)
        assert [core.asked() for core in cores] == [1, 0]

    asyncio.run(scene())


def test_a_change_of_language_is_asked_for() -> None:
    async def scene() -> None:
        common, core = Shared(), Described()
        relay, hello = await join(core, common)
        assert hello["language"] == "en"
        core.hello["language"] = "ko"
        core.tell_schema()
        await core.drain()
        later = await FrontEnd(relay, "later").join()
        assert (core.asked(), later["result"]["language"]) == (2, "ko")
        # What was asked for in between is known in the right language.
        korean = Described(language="ko")
        await join(korean, common)
        assert korean.asked() == 0

    asyncio.run(scene())


def test_the_newest_descriptions_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shared, "DESCRIPTIONS", 2)

    async def scene() -> None:
        common = Shared()
        cores = [Described(schema=each) for each in "abcca"]
        for core in cores:
            await join(core, common)
        assert [core.asked() for core in cores] == [1, 1, 1, 0, 1]

    asyncio.run(scene())


class Slow(Described):
    """A core that starts when it is told to."""

    def __init__(self) -> None:
        super().__init__()
        self._held: list[tuple[int, Any]] | None = []

    def answer(self, id: int, result: Any) -> None:
        if self._held is None:
            super().answer(id, result)
        else:
            self._held.append((id, result))

    def start(self) -> None:
        held, self._held = self._held or [], None
        for id, result in held:
            self.answer(id, result)


def test_sessions_start_in_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shared, "STARTS", 1)

    async def scene() -> None:
        common = Shared()
        first, gone, last = Slow(), Slow(), Slow()
        relays = [Relay(core, shared=common) for core in (first, gone, last)]
        people = [FrontEnd(relay, "person") for relay in relays]
        joining = [asyncio.create_task(each.join()) for each in people]
        await last.drain()
        assert [first.sent, gone.sent, last.sent] == [["initialize"], [], []]
        # The session of a page that has gone meanwhile need not start.
        people[1].is_closing = True
        first.start()
        await joining[0]
        await last.drain()
        assert [gone.sent, last.sent] == [[], ["initialize"]]
        last.start()
        await joining[2]
        joining[1].cancel()

    asyncio.run(scene())
