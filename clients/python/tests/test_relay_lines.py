"""The lines of front ends that share a core: notifications, batches, and mistakes."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from offstage import RPCError
from offstage.pointer import is_array

from .front_ends import FrontEnd, Spy, joined, pair, play


def test_a_bad_introduction_does_not_block_the_next(showcase: str) -> None:
    async def scene(relay: Spy) -> None:
        bad, good = FrontEnd(relay, "bad"), FrontEnd(relay, "good")
        rejected, hello = await asyncio.gather(bad.join(locale="?!"), good.join())
        assert rejected["error"]["code"] == -32602
        assert hello["result"]["protocol"] == 1

    play(scene, showcase)


def test_nothing_reaches_the_core_before_initialize(showcase: str) -> None:
    async def scene(relay: Spy) -> None:
        early, person = FrontEnd(relay, "early"), FrontEnd(relay, "person")
        for method in ("state/snapshot", "rpc.discover", "input"):
            assert (await early.request(method))["error"]["code"] == -32600
        with pytest.raises(RPCError):
            await relay.read("resource:tile/96-96-12-cccccc-40/%3F")
        assert relay.sent == []
        assert "result" in await person.join(locale="ko-KR")
        assert relay.introductions()[0]["locale"] == "ko-KR"

    play(scene, showcase)


def test_a_notification_ends_nothing_but_its_own_connection(showcase: str) -> None:
    async def scene(relay: Spy) -> None:
        first, second = FrontEnd(relay, "first"), FrontEnd(relay, "second")
        await first.join(locale="en-US")
        await second.join()
        await second.notify("initialize", protocol=1, locale="ko-KR", files=True)
        assert second.notifications("error")[0]["code"] == -32600
        await second.notify("shutdown")
        assert second.status is None
        relay.leave(second)
        assert "result" in await first.request("state/snapshot")
        assert first.status == ""
        assert not any(each["method"] == "shutdown" for each in relay.sent)
        assert {each.get("locale") for each in relay.introductions()} == {"en-US"}

    play(scene, showcase)


def test_a_notification_changes_the_document_without_a_cause(showcase: str) -> None:
    async def scene(relay: Spy) -> None:
        first, second = await pair(relay)
        await first.notify("input", screen="1", name="push", value="two")
        await first.notify("input", screen="1", name="unknown")
        await first.request("state/settle")
        assert "cause" not in first.frames[-1]
        assert [each["code"] for each in first.notifications("error")] == [1002]
        assert second.notifications("error") == []

    play(scene, showcase)


def test_a_batch_is_answered_at_once(showcase: str) -> None:
    async def scene(relay: Spy) -> None:
        person = FrontEnd(relay, "person")
        responses = await person.batch(
            {"id": 1, "method": "initialize", "params": {"protocol": 1}},
            {
                "id": 2,
                "method": "input",
                "params": {"screen": "1", "name": "push", "value": "two"},
            },
            {"method": "navigation/back"},
            {"id": "x", "method": "nothing"},
            {"id": 3},
        )
        by_id = {each["id"]: each for each in responses}
        assert by_id[2]["result"] == {"revision": 2}
        assert by_id["x"]["error"]["code"] == -32601
        assert by_id[None]["error"]["code"] == -32600
        assert [frame.get("cause") for frame in person.frames] == [None, 2, None]
        responses = await FrontEnd(relay, "other").batch(
            {"id": 1, "method": "initialize", "params": {"protocol": 1}},
            {"id": 2, "method": "state/settle"},
            {"id": 3, "method": "shutdown"},
            {"id": 4, "method": "state/settle"},
        )
        codes = {each["id"]: each.get("error", {}).get("code") for each in responses}
        # The request before `shutdown` may have been answered already.
        assert codes.pop(2) in (None, -32800)
        assert codes == {1: None, 3: None, 4: -32800}
        assert person.status == ""

    play(scene, showcase)


@pytest.mark.parametrize(
    "line",
    [
        "[]",
        "[1]",
        "5",
        "{",
        '{"jsonrpc":"2.0","id":true,"method":"x"}',
        '{"id":1e400}',
        '"\\ud800"',
    ],
)
def test_bad_lines_are_answered(showcase: str, line: str) -> None:
    async def scene(relay: Spy) -> None:
        person = FrontEnd(relay, "person")
        await relay.receive(person, line, 1)
        (answer,) = person.got
        (error,) = answer if is_array(answer) else [answer]
        assert error["error"]["code"] in (-32600, -32700)
        assert error["id"] is None

    play(scene, showcase)


def test_a_wrong_introduction_is_refused_to_a_further_front_end(showcase: str) -> None:
    async def scene(relay: Spy) -> None:
        await FrontEnd(relay, "first").join()
        wrong: list[Any] = [
            {"protocol": 99},
            {"protocol": 1, "capabilities": [5]},
            {"log": "loud"},
        ]
        for params in wrong:
            error = (await FrontEnd(relay, "second").request("initialize", **params))[
                "error"
            ]
            assert error["code"] == -32602

    play(scene, showcase)


def test_an_id_in_use_is_refused(showcase: str) -> None:
    async def scene(relay: Spy) -> None:
        person = await joined(relay, "person")
        message = {"jsonrpc": "2.0", "id": 7, "method": "state/snapshot"}
        for _ in range(2):
            await relay.receive(person, json.dumps(message), 1)
        await person.line(lambda line: line.get("id") == 7 and "result" in line)
        (error,) = [each["error"] for each in person.got if "error" in each]
        assert error["code"] == -32600

    play(scene, showcase)
