"""Drives the real core as a front end does."""

from __future__ import annotations

import asyncio
import base64
import json
import logging
from pathlib import Path
from typing import Any

import pytest

from offstage import (
    JSON,
    Core,
    CoreStopped,
    Dismissed,
    Event,
    InvalidParams,
    ParseError,
    Prompt,
    ProtocolError,
    Refused,
    RequestCanceled,
    Resource,
    RPCError,
    Screen,
    UnknownInput,
    UnknownMethod,
    UnknownPrompt,
    UnknownScreen,
    launch,
)

from .fake import FakeCore, document


class SignUp(Screen):
    kind = "signUp"


async def test_a_form(showcase: str) -> None:
    async with launch(showcase, "--deterministic", "--root", "signUp") as core:
        assert core.handshake.app.name == "showcase"
        form = await core.wait_for(SignUp)
        assert not form.output["isConfirmEnabled"]
        await form.send("nameText", "Kim")
        reply = await form.send("emailText", "kim@example.com")
        assert form.output["isConfirmEnabled"]
        assert reply.revision == core.document.revision
        finished = form.listen("finished")
        await form.send("confirm", settle=True)
        event = await anext(finished)
        assert event.value["email"] == "kim@example.com"
    with pytest.raises(StopAsyncIteration):
        await anext(finished)


async def test_each_error_has_its_class(showcase: str) -> None:
    async with launch(showcase, "--deterministic", "--root", "signUp") as core:
        with pytest.raises(UnknownScreen) as unknown_screen:
            await core.input("9", "nameText")
        assert unknown_screen.value.screen == "9"
        with pytest.raises(UnknownInput) as unknown_input:
            await core.input("1", "name")
        assert "nameText" in unknown_input.value.inputs
        with pytest.raises(InvalidParams) as invalid:
            await core.input("1", "nameText", 5)
        assert invalid.value.path == "/value"
        assert invalid.value.expected == "string"
        assert invalid.value.found == "number"
        with pytest.raises(UnknownPrompt) as unknown_prompt:
            await core.answer("q9", 1)
        assert unknown_prompt.value.prompt == "q9"
        with pytest.raises(Refused):
            await core.back()
        with pytest.raises(UnknownMethod):
            await core.request("nothing")
        with pytest.raises(ValueError, match="JSON compliant"):
            core.input("1", "nameText", float("nan"))


def test_each_code_of_the_protocol_has_a_class_with_its_name() -> None:
    path = Path(__file__).parents[3] / "Protocol/openrpc.json"
    errors = json.loads(path.read_text(encoding="utf-8"))["components"]["errors"]
    classes = {cls.__name__: code for code, cls in RPCError.codes.items()}
    assert classes == {name: error["code"] for name, error in errors.items()}


async def test_navigation(showcase: str) -> None:
    async with launch(showcase, "--deterministic", lifecycle=False) as core:
        assert (await core.select_tab("profile")).outcome == "done"
        assert (await core.select_tab("profile")).outcome == "none"
        [profile] = core.visible
        await core.input(profile, "createAvatarTapped", settle=True)
        cover = core.visible[0]
        assert core.visible == [cover]
        await core.dismiss(screen=cover)
        assert core.visible == [profile]
        await core.open("showcase://pokedex/25")
        assert core.document.get("/navigation/root/selected") == "pokedex"
        lower = core.document.get("/navigation/root/tabs/3/screens/0")
        await core.pop_to(lower)
        assert core.visible == [lower]


async def test_cancelling_the_wait_cancels_the_request(
    showcase: str, tmp_path: Path
) -> None:
    async with launch(showcase, "--data", tmp_path, "--root", "placeSearch") as core:
        # The request waits for a debounce on the real clock.
        async def search() -> None:
            await core.input("1", "queryText", "seoul", settle=True)

        searching = asyncio.create_task(search())
        await core.until(lambda: core.document.get("/screens/1/fields/queryText/value"))
        searching.cancel()
        with pytest.raises(asyncio.CancelledError):
            await searching
        await core.settle()
        assert core.document.get("/screens/1/output/results") == []
        await core.input("1", "queryText", "palace", settle=True)
        assert core.document.get("/screens/1/output/results") != []


async def test_requests_that_wait_when_the_core_closes_are_canceled(
    showcase: str, tmp_path: Path
) -> None:
    async with launch(showcase, "--data", tmp_path, "--root", "placeSearch") as core:
        waiting = core.input("1", "queryText", "se", settle=True)
    with pytest.raises(RequestCanceled):
        await waiting
    with pytest.raises(CoreStopped):
        core.settle()


async def test_what_is_watched(showcase: str) -> None:
    async with launch(showcase, "--deterministic", "--root", "signUp") as core:
        enabled = core.watch("/screens/1/output/isConfirmEnabled")
        screen = core.watch("/screens/1")
        assert await anext(enabled) is False
        assert (await anext(screen))["kind"] == "signUp"
        await core.input("1", "nameText", "Kim")
        frames = core.frames()
        emailed = core.input("1", "emailText", "kim@example.com")
        id = core.last_id
        assert await anext(enabled) is True
        assert (await anext(screen))["output"]["isConfirmEnabled"]
        frame = await anext(frames)
        assert frame.cause == id
        await emailed


async def test_no_value_is_sent_where_there_is_none() -> None:
    fake = FakeCore(document("1"))
    async with Core(fake.connect) as core:
        values: list[Any] = [None, {}, False, 0, ""]
        for value in values:
            await core.input("1", "save", value)
    inputs = [m["params"] for m in fake.received if m["method"] == "input"]
    assert inputs[0] == {"screen": "1", "name": "save"}
    assert [params["value"] for params in inputs[1:]] == values[1:]


async def test_screens_hear_that_they_appear_once_each_time() -> None:
    fake = FakeCore(document("1", "2"))
    fake.inputs = {
        "didAppear": {"x-role": "lifecycle", "x-when": "appear"},
        "didDisappear": {"x-role": "lifecycle", "x-when": "disappear"},
    }

    def heard() -> list[tuple[str, str]]:
        inputs = [m["params"] for m in fake.received if m["method"] == "input"]
        return [(params["screen"], params["name"]) for params in inputs]

    async with Core(fake.connect) as core:
        await core.settle()
        assert heard() == [("2", "didAppear")]
        fake.frame([{"op": "add", "path": "/screens/1/output/x", "value": 1}])
        await core.settle()
        fake.frame([{"op": "remove", "path": "/navigation/root/screens/1"}])
        await core.settle()
        await core.settle()
        assert heard()[1:] == [("2", "didDisappear"), ("1", "didAppear")]
        sheet = {"id": "p1", "style": "sheet", "screens": ["2"]}
        fake.frame([{"op": "add", "path": "/navigation/presented/0", "value": sheet}])
        await core.settle()
        await core.settle()
        # The sheet leaves the screen below it visible.
        assert heard()[3:] == [("2", "didAppear")]
        style = "/navigation/presented/0/style"
        fake.frame([{"op": "replace", "path": style, "value": "fullScreenCover"}])
        await core.settle()
        await core.settle()
        assert heard()[4:] == [("1", "didDisappear")]


async def test_a_line_that_the_core_could_not_take_is_refused(showcase: str) -> None:
    command = (showcase, "--deterministic", "--max-line", "65536", "--root", "signUp")
    async with launch(*command) as core:
        [screen] = core.visible
        deep: JSON = []
        for _ in range(600):
            deep = [deep]
        values: list[JSON] = ["a" * 70_000, deep]
        waiting = core.input(screen, "nameText", "Lee")
        for value in values:
            with pytest.raises(ParseError):
                await core.input(screen, "nameText", value)
        await waiting
        await core.input(screen, "nameText", "Kim")
        assert core.field(screen, "nameText").value == "Kim"


async def test_an_event_has_a_source(showcase: str) -> None:
    async with launch(showcase, "--deterministic", "--root", "map") as core:
        [screen] = core.visible
        gone = Event("99", "failed", None)
        assert core.source(gone) is None
        owner, port = core.source(Event(screen, "failed", None)) or (None, None)
        assert owner and owner.id == screen
        assert port and port.role == "failure"


async def test_a_front_end_says_which_screens_it_shows_side_by_side() -> None:
    fake, is_wide = FakeCore(document("1", "2")), True
    fake.inputs = {
        "didAppear": {"x-role": "lifecycle", "x-when": "appear"},
        "didDisappear": {"x-role": "lifecycle", "x-when": "disappear"},
    }

    def visible(navigation: Any) -> list[str]:
        return [*reversed(navigation["root"]["screens"])][: 2 if is_wide else 1]

    def heard() -> list[tuple[str, str]]:
        inputs = [m["params"] for m in fake.received if m["method"] == "input"]
        return [(params["screen"], params["name"]) for params in inputs]

    async with Core(fake.connect, visible=visible) as core:
        await core.settle()
        assert heard() == [("2", "didAppear"), ("1", "didAppear")]
        assert core.visible == ["2", "1"]
        is_wide = False
        core.visibility_changed()
        await core.settle()
        assert heard()[2:] == [("1", "didDisappear")]


async def test_the_real_core_loads_what_appears(showcase: str) -> None:
    async with launch(showcase, "--deterministic", "--root", "pokedex") as core:
        await core.settle()
        assert core.document.get("/screens/1/output/pokemon/0/name") == "Bulbasaur"


async def test_prompts_are_answered_by_kind(showcase: str) -> None:
    asked: list[str] = []

    async def locate(prompt: Prompt[Any]) -> Any:
        asked.append(prompt.kind)
        return {"lat": 37.5133, "lng": 127.1001}

    command = (showcase, "--deterministic", "--root", "map")
    async with launch(*command, prompts={"location.current": locate}) as core:
        await core.until(
            lambda: core.document.get("/screens/1/output/center/lng") > 127
        )
        assert asked == ["location.current"]
    # Without a handler the kind is not announced, so the core does not ask.
    async with launch(*command) as core:
        await core.settle()
        assert core.document.prompts == {}


async def test_a_prompt_is_dismissed_failed_or_taken_back(
    caplog: pytest.LogCaptureFixture,
) -> None:
    fake = FakeCore(document("1"))
    gone = asyncio.Event()

    async def ask(prompt: Prompt[Any]) -> Any:
        match prompt.params:
            case "dismiss":
                raise Dismissed
            case "fail":
                raise ValueError("no camera")
            case _:
                try:
                    await asyncio.Event().wait()
                finally:
                    gone.set()

    def answers() -> list[Any]:
        return [m["params"] for m in fake.received if m["method"] == "answer"]

    prompts = {"camera": ask}
    async with Core(fake.connect, prompts=prompts, announce=["share"]) as core:
        for id, kind, params in [
            ("q1", "camera", "dismiss"),
            ("q2", "camera", "fail"),
            ("q3", "camera", "wait"),
            ("q4", "alert", None),
        ]:
            value = {"kind": kind, "screen": "1", "params": params}
            fake.frame([{"op": "add", "path": f"/prompts/{id}", "value": value}])
        with caplog.at_level(logging.CRITICAL, "offstage"):
            await core.settle()
            await core.settle()
        assert answers() == [
            {"prompt": "q1", "dismissed": True},
            {"prompt": "q2", "error": {"message": "no camera"}},
        ]
        fake.frame([{"op": "remove", "path": "/prompts/q3"}])
        await gone.wait()
    [hello] = [m["params"] for m in fake.received if m["method"] == "initialize"]
    assert hello["capabilities"] == ["camera", "share"]
    assert fake.received[-1]["method"] == "shutdown"


async def test_an_alert_waits_for_its_screen() -> None:
    state = document("1", "2")
    places = {"q1": ("alert", "app"), "q2": ("alert", "1"), "q3": ("camera", "1")}
    state["prompts"] = {
        id: {"kind": kind, "screen": screen} for id, (kind, screen) in places.items()
    }
    async with Core(FakeCore(state).connect) as core:
        assert core.visible == ["2"]
        assert list(core.open_prompts) == ["q1", "q3"]


async def test_a_screen_has_its_url() -> None:
    state = document("1")
    state["screens"]["1"]["url"] = "app://note/1"
    state["screens"]["2"] = {**state["screens"]["1"]}
    del state["screens"]["2"]["url"]
    async with Core(FakeCore(state).connect) as core:
        assert Screen(core, "1").url == "app://note/1"
        assert Screen(core, "2").url is None
        assert Screen(core, "3").url is None  # It has closed.


class Library(FakeCore):
    """A core with a resource that it sends in pieces."""

    content = b"0123456789"
    piece = 4

    def handle(self, message: dict[str, Any]) -> None:
        if message["method"] != "resource/read":
            super().handle(message)
            return
        start = message["params"].get("range", {}).get("start", 0)
        piece = self.content[start : start + self.piece]
        if message["params"]["uri"] == "resource:cut" and start:
            piece = b""
        text = base64.b64encode(piece).decode()
        result = {"mimeType": "text/plain", "size": len(self.content), "base64": text}
        self.answer(message["id"], result)


async def test_a_resource_is_read_to_its_end() -> None:
    async with Core(Library(document("1")).connect, lifecycle=False) as core:
        assert await core.read("resource:a") == Resource("text/plain", b"0123456789")
        with pytest.raises(ProtocolError, match="10 bytes, more than 9"):
            await core.read("resource:a", 9)
        with pytest.raises(ProtocolError, match="ends after 4 of 10 bytes"):
            await core.read("resource:cut")
