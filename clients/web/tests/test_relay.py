"""Several front ends on one core: section 9 of the protocol, without a browser."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from offstage import ProcessTransport, RPCError

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
        id = self.last_id
        return await self.line(
            lambda line: isinstance(line, dict) and line.get("id") == id
        )

    async def notify(self, method: str, **params: Any) -> None:
        """Sends a notification."""
        message = {"jsonrpc": "2.0", "method": method, "params": params}
        await self.relay.receive(self, json.dumps(message))

    async def batch(self, *messages: Any) -> Any:
        """Sends a batch, and waits for the responses to it."""
        line = json.dumps([{"jsonrpc": "2.0", **each} for each in messages])
        await self.relay.receive(self, line)
        return await self.line(lambda line: isinstance(line, list))

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
        return self.notifications("frame")

    def notifications(self, method: str) -> list[Any]:
        messages = [each for each in self.lines if isinstance(each, dict)]
        return [each["params"] for each in messages if each.get("method") == method]


class Spy(Relay):
    """A relay that keeps what it sends to the core."""

    def __init__(self, transport: ProcessTransport) -> None:
        self.process = transport.process
        self.sent: list[Any] = []
        write = transport.write_line

        def keep(line: bytes) -> None:
            self.sent.append(json.loads(line))
            write(line)

        transport.write_line = keep
        super().__init__(transport)

    def introductions(self) -> list[Any]:
        return [each["params"] for each in self.sent if each["method"] == "initialize"]

    def inputs(self, name: str) -> int:
        """Returns how often the core got an input."""
        return sum(each.get("params", {}).get("name") == name for each in self.sent)


def play(
    scene: Callable[[Spy], Awaitable[None]], program: str, *arguments: str
) -> None:
    """Plays a scene with a relay and a core."""

    async def perform() -> None:
        relay = Spy(await ProcessTransport.start(program, *(arguments or GALLERY)))
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
        chat = await chat_with(person)
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
        relay.process.kill()
        if is_joining:
            await person.join()
        await person.line(lambda _: person.status != "")
        assert person.status == "SIGKILL"

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
        first, second = FrontEnd(relay, "first"), FrontEnd(relay, "second")
        await first.join()
        await second.join()
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
        assert [frame.get("cause") for frame in person.frames] == [1, 2, None]
        responses = await FrontEnd(relay, "other").batch(
            {"id": 1, "method": "initialize", "params": {"protocol": 1}},
            {"id": 2, "method": "state/settle"},
            {"id": 3, "method": "shutdown"},
            {"id": 4, "method": "state/settle"},
        )
        codes = {each["id"]: each.get("error", {}).get("code") for each in responses}
        # The one before `shutdown` may have been answered already.
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
        await relay.receive(person, line)
        (answer,) = person.lines
        (error,) = answer if isinstance(answer, list) else [answer]
        assert error["error"]["code"] in (-32600, -32700)
        assert error["id"] is None

    play(scene, showcase)


def test_a_wrong_introduction_is_refused_to_a_further_front_end(showcase: str) -> None:
    async def scene(relay: Spy) -> None:
        await FrontEnd(relay, "first").join()
        wrong = [
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
        while "log" in relay.introductions()[-1]:
            await asyncio.sleep(0)

    play(scene, showcase, "--deterministic")


def test_pending_work_names_the_requests_of_the_one_that_asks(showcase: str) -> None:
    async def scene(relay: Spy) -> None:
        first, second = await joined(relay, "first"), await joined(relay, "second")
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

        first, second = FrontEnd(relay, "first"), FrontEnd(relay, "second")
        await first.join()
        await second.join()
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
        first, second = await joined(relay, "first"), await joined(relay, "second")
        for turn in (1, 2):
            await first.request("input", screen="1", name="signIn", value="Kim")
            for each in (first, second):
                await each.request("input", screen="1", name="header/didAppear")
            assert relay.inputs("header/didAppear") == turn
            await second.request("input", screen="1", name="signIn", value=None)

    play(scene, cart)


async def joined(relay: Spy, name: str) -> FrontEnd:
    front_end = FrontEnd(relay, name)
    await front_end.join()
    return front_end


async def chat_with(person: FrontEnd) -> str:
    """Sends a message, and returns the id of the chat, whose reply is under way."""
    await person.request("navigation/open", url="showcase://avatars/mina")
    screens = (await person.request("state/snapshot"))["result"]["state"]["screens"]
    (chat,) = (id for id, each in screens.items() if each["kind"] == "chat")
    await person.request("input", screen=chat, name="didAppear")
    await person.request("input", screen=chat, name="messageText", value="Hi")
    await person.request("input", screen=chat, name="send")
    return chat


def test_an_id_in_use_is_refused(showcase: str) -> None:
    async def scene(relay: Spy) -> None:
        person = await joined(relay, "person")
        message = {"jsonrpc": "2.0", "id": 7, "method": "state/snapshot"}
        for _ in range(2):
            await relay.receive(person, json.dumps(message))
        await person.line(lambda line: line.get("id") == 7 and "result" in line)
        (error,) = [each["error"] for each in person.lines if "error" in each]
        assert error["code"] == -32600

    play(scene, showcase)
