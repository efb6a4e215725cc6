"""The duties of a relay in section 11 of the protocol that other tests leave out, row by row."""

from __future__ import annotations

import json
from typing import Any

from offstage.pointer import is_object
from offstage.share import Relay

from .front_ends import FrontEnd, Spy, joined, pair, play
from .test_relay_limits import Core, perform

SCREEN = ("--deterministic", "--root")


def test_no_frame_is_lost_while_a_front_end_joins() -> None:
    """The core sends one right behind the snapshot, which the relay reads at once."""

    async def scene(core: Core, relay: Relay, person: FrontEnd) -> None:
        core.follow_snapshots({"revision": 2, "patch": []})
        late = FrontEnd(relay, "late")
        hello = (await late.join())["result"]
        assert [each["revision"] for each in late.frames] == [1, 2]
        assert hello["revision"] == 2

    perform(scene)


def test_files_are_named_while_all_front_ends_can_open_them(showcase: str) -> None:
    async def scene(relay: Spy) -> None:
        near, far = FrontEnd(relay, "near"), FrontEnd(relay, "far")
        far.is_local = False
        await near.join(files=True)
        await far.join(files=True)
        relay.leave(far)
        await relay.until(lambda: len(relay.introductions()) == 3)
        named = [each.get("files") for each in relay.introductions()]
        assert named == [True, None, True]

    play(scene, showcase)


def test_the_first_front_end_chooses_the_language(showcase: str) -> None:
    async def scene(relay: Spy) -> None:
        await FrontEnd(relay, "first").join(locale="ko-KR", timeZone="Asia/Seoul")
        await FrontEnd(relay, "second").join("share", locale="en", timeZone="UTC")
        chosen = [(each["locale"], each["timeZone"]) for each in relay.introductions()]
        assert chosen == [("ko-KR", "Asia/Seoul")] * 2

    play(scene, showcase)


def test_an_input_for_the_end_is_passed_on(showcase: str) -> None:
    async def scene(relay: Spy) -> None:
        for person in await pair(relay):
            await person.request("input", screen="1", name="endReached")
        assert relay.inputs("endReached") == 2

    play(scene, showcase, *SCREEN, "pokedex")


def test_the_newest_window_counts_for_all(showcase: str) -> None:
    async def scene(relay: Spy) -> None:
        first, second = await pair(relay)
        for person, count in ((first, 5), (second, 1)):
            window = {"screen": "1", "name": "events", "first": 0, "count": count}
            answer = await person.request("list/window", **window)
            assert answer["result"]["count"] <= count
        asked = [each["params"] for each in relay.sent if "list/" in each["method"]]
        assert [each["count"] for each in asked] == [5, 1]

    play(scene, showcase, *SCREEN, "devSettings")


def test_a_front_end_cancels_its_own_requests_only() -> None:
    async def scene(core: Core, relay: Relay, person: FrontEnd) -> None:
        other = await joined(relay, "other")
        call: dict[str, Any] = {"jsonrpc": "2.0", "id": "a", "method": "state/settle"}
        await relay.receive(person, json.dumps(call), 1)
        core.sent.clear()
        await other.notify("$/cancelRequest", id="a")
        assert core.sent == []
        await person.notify("$/cancelRequest", id="a")
        assert core.sent == ["$/cancelRequest"]

    perform(scene)


def test_a_key_is_that_of_its_front_end() -> None:
    async def scene(core: Core, relay: Relay, person: FrontEnd) -> None:
        await person.request("input", key="k")
        await person.request("input", key="k" * 257)
        await person.request("input", key=5)
        own, long, wrong = (each["key"] for each in core.params)
        assert own == "person/k"
        # The core refuses them.
        assert len(long) > 256
        assert wrong == 5

    perform(scene)


def test_the_first_answer_to_a_prompt_counts(showcase: str) -> None:
    async def scene(relay: Spy) -> None:
        first, second = FrontEnd(relay, "first"), FrontEnd(relay, "second")
        for each in (first, second):
            await each.join("location.current")
        await first.request("input", screen="1", name="didAppear")
        for each in (first, second):
            await each.line(lambda line: "/prompts/q1" in json.dumps(line))
        place = {"lat": 37.5, "lng": 127.0}
        answer = await first.request("answer", prompt="q1", value=place)
        late = await second.request("answer", prompt="q1", value=place)
        assert "result" in answer
        assert late["error"]["code"] == 1003
        gone = {"op": "remove", "path": "/prompts/q1"}
        for each in (first, second):
            assert any(gone in frame["patch"] for frame in each.frames)

    play(scene, showcase, *SCREEN, "map")


def test_the_clock_is_that_of_all(showcase: str) -> None:
    async def scene(relay: Spy) -> None:
        first, second = await pair(relay)
        query = {"screen": "1", "name": "queryText", "value": "ma"}
        await first.request("input", **query)
        waits = (await second.request("state/settle", pending=True))["result"]
        assert [each["name"] for each in waits["pending"]] == ["debounce"]
        assert "result" in await second.request("clock/advance", milliseconds=1000)
        waits = (await first.request("state/settle", pending=True))["result"]
        assert "debounce" not in [each["name"] for each in waits["pending"]]

    play(scene, showcase, *SCREEN, "placeSearch")


def test_who_only_looks_changes_nothing(showcase: str) -> None:
    async def scene(relay: Spy) -> None:
        looks = FrontEnd(relay, "looks")
        looks.only_looks = True
        assert "result" in await looks.join("location.current")
        acts = await joined(relay, "acts")
        for method in ("state/snapshot", "rpc.discover"):
            assert "result" in await looks.request(method)
        push = {"screen": "1", "name": "push", "value": "two"}
        for method in ("input", "answer", "navigation/back", "clock/advance"):
            error = (await looks.request(method, **push))["error"]
            assert error == {"code": -32600, "message": "this front end only looks"}
        assert {tuple(each["capabilities"]) for each in relay.introductions()} == {()}
        await acts.request("input", **push)
        assert looks.frames[-1]["revision"] == acts.frames[-1]["revision"]

    play(scene, showcase)


def test_who_is_behind_gets_the_document_once_it_has_read(showcase: str) -> None:
    async def scene(relay: Spy) -> None:
        quick, slow = await pair(relay)
        slow.is_behind = True
        for value in ("two", "three"):
            screen = quick.frames[-1]["revision"]
            push = {"screen": str(screen), "name": "push", "value": value}
            await quick.request("input", **push)
        assert len(slow.frames) == 1
        slow.read()
        whole = await slow.line(
            lambda line: (
                is_object(line) and "frame" in line.values() and len(slow.frames) > 1
            )
        )
        (change,) = whole["params"]["patch"]
        assert list(change["value"]["screens"]) == ["1", "2", "3"]
        await quick.request("navigation/back")
        assert [each["revision"] for each in slow.frames] == [1, 3, 4]

    play(scene, showcase)
