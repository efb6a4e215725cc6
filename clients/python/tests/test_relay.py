"""Several front ends on one core: section 11 of the protocol."""

from __future__ import annotations

import json

import pytest

from .front_ends import FrontEnd, Spy, chat_with, joined, pair, play


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
        first, second = await pair(relay)
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
        await relay.until(lambda: len(relay.introductions()) == 3)
        assert [each["capabilities"] for each in relay.introductions()] == [
            ["share"],
            ["location.current", "share"],
            ["share"],
        ]

    play(scene, showcase)


def test_texts_are_appended_while_all_front_ends_can(showcase: str) -> None:
    async def scene(relay: Spy) -> None:
        first, second = FrontEnd(relay, "first"), FrontEnd(relay, "second")
        await first.join(append=True)
        await second.join()
        relay.leave(second)
        await relay.until(lambda: len(relay.introductions()) == 3)
        announced = [each.get("append") for each in relay.introductions()]
        assert announced == [True, None, True]

    play(scene, showcase)


def test_every_kind_is_announced_until_who_draws_it_leaves(showcase: str) -> None:
    async def scene(relay: Spy) -> None:
        first, second = FrontEnd(relay, "first"), FrontEnd(relay, "second")
        await first.join("*")
        await second.join("share")
        announced = [each["capabilities"] for each in relay.introductions()]
        assert announced == [["*"], ["*", "share"]]
        await second.request("input", screen="1", name="didAppear")
        await second.line(lambda line: "location.current" in json.dumps(line))
        relay.leave(first)
        gone = {"op": "remove", "path": "/prompts/q1"}
        await second.line(lambda line: gone in line.get("params", {}).get("patch", []))
        assert relay.introductions()[-1]["capabilities"] == ["share"]

    play(scene, showcase, "--deterministic", "--root", "map")


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


def test_work_is_canceled_after_its_request_was_answered(showcase: str) -> None:
    async def scene(relay: Spy) -> None:
        person = FrontEnd(relay, "person")
        await person.join()
        chat = await chat_with(person)
        sent = person.last_id

        async def works() -> bool:
            reply = await person.request("state/settle", pending=True)
            return any(
                each.get("screen") == chat for each in reply["result"]["pending"]
            )

        assert await works()
        message = {"method": "$/cancelRequest", "params": {"id": sent}}
        await relay.receive(person, json.dumps({"jsonrpc": "2.0", **message}), 1)
        assert not await works()

    play(scene, showcase, "--deterministic")


@pytest.mark.parametrize("is_joining", [True, False])
def test_a_dead_core_closes_its_front_ends(showcase: str, is_joining: bool) -> None:
    async def scene(relay: Spy) -> None:
        person = FrontEnd(relay, "person")
        if not is_joining:
            await person.join()
        relay.process.kill()
        if is_joining:
            await person.join()
        await person.line(lambda _: person.status != "")
        assert person.status == "SIGKILL"

    play(scene, showcase)


def test_each_front_end_gets_the_log_that_it_asked_for(showcase: str) -> None:
    async def scene(relay: Spy) -> None:
        first, second = await joined(relay, "first"), FrontEnd(relay, "second")
        await second.join(log="info")
        for person, tab in ((first, "chats"), (second, "pokedex")):
            await person.request("navigation/selectTab", tab=tab)
            tabs = first.frames[0]["patch"][0]["value"]["navigation"]["root"]["tabs"]
            (screen,) = next(each["screens"] for each in tabs if each["id"] == tab)
            await person.request("input", screen=screen, name="didAppear")
        log = second.notifications("log")
        causes = {entry["message"]: entry.get("cause") for entry in log}
        assert causes["chats.didAppear"] is None
        assert causes["pokedex.didAppear"] == second.last_id
        assert first.notifications("log") == []
        relay.leave(second)
        await relay.until(lambda: "log" not in relay.introductions()[-1])

    play(scene, showcase, "--deterministic")


def test_pending_work_names_the_requests_of_the_one_that_asks(showcase: str) -> None:
    async def scene(relay: Spy) -> None:
        first, second = await pair(relay)
        await chat_with(second)
        mine = (await second.request("state/settle", pending=True))["result"]["pending"]
        theirs = (await first.request("state/settle", pending=True))["result"]
        assert second.last_id - 1 in [each.get("cause") for each in mine]
        assert {each.get("cause") for each in theirs["pending"]} == {None}

    play(scene, showcase, "--deterministic")


def test_a_lifecycle_input_reaches_the_core_once(showcase: str) -> None:
    async def scene(relay: Spy) -> None:
        async def appear(*front_ends: FrontEnd) -> None:
            for each in front_ends:
                reply = await each.request("input", screen="1", name="didAppear")
                assert "result" in reply

        first, second = await pair(relay)
        await appear(first, second)
        assert relay.inputs("didAppear") == 1
        await appear(late := await joined(relay, "late"))
        assert relay.inputs("didAppear") == 1
        for tab in ("explore", "map"):
            await first.request("navigation/selectTab", tab=tab)
        await appear(late, first, second)
        assert relay.inputs("didAppear") == 2
        # The page is reloaded.
        for each in (first, second, late):
            relay.leave(each)
        await appear(await joined(relay, "again"))
        assert relay.inputs("didAppear") == 2

    play(scene, showcase, "--deterministic")


def test_a_part_appears_once(cart: str) -> None:
    async def scene(relay: Spy) -> None:
        first, second = await pair(relay)
        for turn in (1, 2):
            await first.request("input", screen="1", name="signIn", value="Kim")
            for each in (first, second):
                await each.request("input", screen="1", name="header/didAppear")
            assert relay.inputs("header/didAppear") == turn
            await second.request("input", screen="1", name="signIn", value=None)

    play(scene, cart)
