"""Text shows as it is typed, however slow the core is."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from offstage import Core, Field, InvalidParams, ProcessTransport, Transport, launch

from .fake import FakeCore, HeldTransport, document, elapse, run_virtual

PATH = "/screens/1/fields/messageText/value"


class FormCore(FakeCore):
    """A form that keeps its text in the document, and clears it when it is sent.

    Args:
        limit: how many characters the core keeps.
        masks: True for a secret.
    """

    def __init__(self, delay: float, limit: int = 1000, *, masks: bool = False) -> None:
        super().__init__(document("1", fields={"messageText": {"value": ""}}), delay)
        self.text = ""
        self.sent: list[str] = []
        self._limit = limit
        self._masks = masks

    def input(self, id: int, params: Any) -> None:
        if params["name"] == "send":
            self.sent.append(self.text)
            self._change("", id)
        else:
            self._change(params["value"][: self._limit], id)

    def _change(self, text: str, id: int) -> None:
        if text != self.text:
            self.text = text
            shown = "••••" if text and self._masks else text
            self.frame([{"op": "replace", "path": PATH, "value": shown}], id)


class Screen:
    """A text field as a user sees it: `shown` has an entry for each change."""

    def __init__(self, field: Field[str]) -> None:
        self.field = field
        self.shown: list[str | None] = []
        self._task = asyncio.create_task(self._draw())

    async def _draw(self) -> None:
        async for value in self.field.watch():
            self.shown.append(value)

    def type(self, text: str) -> None:
        self.field.write((self.field.value or "") + text)

    def close(self) -> None:
        self._task.cancel()


keystrokes = st.lists(st.tuples(st.floats(0, 1), st.sampled_from("ab ")), max_size=30)


@given(keystrokes)
def test_nothing_is_lost_and_nothing_jumps(keys: list[tuple[float, str]]) -> None:
    async def scenario() -> None:
        fake = FormCore(delay=0.3)
        async with Core(fake.connect) as core:
            screen = Screen(core.field("1", "messageText"))
            typed = ""
            for pause, key in keys:
                await elapse(pause)
                screen.type(key)
                typed += key
                assert screen.field.value == typed
            await core.settle()
            assert fake.text == typed
            assert not screen.field.is_pending
            # Each text is longer than the one before: it never went back.
            lengths = [len(text or "") for text in screen.shown]
            assert lengths == sorted(lengths)
            screen.close()

    run_virtual(scenario())


def test_a_masked_secret_stays_what_was_typed() -> None:
    async def scenario() -> None:
        fake = FormCore(delay=0.3, masks=True)
        async with Core(fake.connect) as core:
            field = core.field("1", "messageText")
            fake.frame([{"op": "replace", "path": PATH, "value": "••••"}])
            await elapse(1)
            assert field.value is None
            for text in "h", "hunter2":
                field.write(text)
                assert field.value == text
                await core.settle()
                assert (field.value, fake.text) == (text, text)
            core.input("1", "send")
            await core.settle()
            assert [field.value, fake.sent] == ["", ["hunter2"]]

    run_virtual(scenario())


def test_typing_goes_on_while_the_core_clears_the_text() -> None:
    async def scenario() -> None:
        fake = FormCore(delay=0.3)
        async with Core(fake.connect) as core:
            field = core.field("1", "messageText")
            field.write("hello")
            core.input("1", "send")
            # Nothing has reached the core after 100 ms; the user starts a new message.
            await elapse(0.1)
            field.write("b")
            await core.until(lambda: fake.sent)
            assert field.value == "b"
            field.write("by")
            await core.settle()
            assert fake.sent == ["hello"]
            assert (fake.text, field.value) == ("by", "by")

    run_virtual(scenario())


def test_the_core_has_the_last_word_once_the_user_pauses() -> None:
    async def scenario() -> None:
        fake = FormCore(delay=0.3, limit=4)
        async with Core(fake.connect) as core:
            screen = Screen(core.field("1", "messageText"))
            for key in "abcdef":
                screen.type(key)
                await elapse(0.05)
            assert screen.field.value == "abcdef"
            await core.settle()
            assert screen.field.value == "abcd"
            assert screen.shown[-2:] == ["abcdef", "abcd"]
            screen.close()

    run_virtual(scenario())


def test_what_another_front_end_types_shows_unless_something_is_pending() -> None:
    async def scenario() -> None:
        fake = FormCore(delay=0.3)
        async with Core(fake.connect) as core:
            field = core.field("1", "messageText")
            fake.frame([{"op": "replace", "path": PATH, "value": "theirs"}])
            await core.until(lambda: field.value == "theirs")
            field.write("mine")
            fake.frame([{"op": "replace", "path": PATH, "value": "theirs again"}])
            await core.until(lambda: core.document.get(PATH) == "theirs again")
            assert field.value == "mine"
            await core.settle()
            assert field.value == "mine"

    run_virtual(scenario())


def test_the_frame_of_a_write_confirms_it_before_the_response() -> None:
    class SilentCore(FormCore):
        """Answers no input."""

        def answer(self, id: int, result: Any) -> None:
            if self.received[-1]["method"] != "input":
                super().answer(id, result)

    async def scenario() -> None:
        fake = SilentCore(delay=0.3, limit=4)
        async with Core(fake.connect) as core:
            field = core.field("1", "messageText")
            field.write("abc")
            await elapse(0.1)
            field.write("abcdef")
            await core.until(lambda: core.document.get(PATH) == "abc")
            assert field.value == "abcdef"
            await core.until(lambda: core.document.get(PATH) == "abcd")
            assert field.value == "abcd"
            assert not field.is_pending

    run_virtual(scenario())


async def test_a_late_line_to_the_real_core(showcase: str) -> None:
    transports: list[HeldTransport] = []

    async def connect() -> Transport:
        arguments = ["--deterministic", "--root", "placeSearch"]
        inner = await ProcessTransport.start(showcase, *arguments)
        transports.append(HeldTransport(inner))
        return transports[-1]

    async with Core(connect) as core:
        field = core.field("1", "queryText")
        [transport] = transports
        transport.hold()
        writes = [field.write("seoul"[: count + 1]) for count in range(5)]
        for write in writes:
            # The core takes one keystroke at a time; the field shows the newest throughout.
            transport.release(1)
            assert field.value == "seoul"
            await write
        assert field.value == "seoul"
        assert not field.is_pending
        advanced = core.advance(1000)
        transport.release(1)
        await advanced
        settled = core.settle()
        transport.release(1)
        await settled
        assert core.document.get("/screens/1/fields/queryText/value") == "seoul"
        closing = asyncio.create_task(core.close())
        transport.release(0)
        await closing


async def test_a_refused_write_is_taken_back(showcase: str) -> None:
    async def connect() -> Transport:
        return await ProcessTransport.start(
            showcase, "--deterministic", "--root", "signUp"
        )

    async with Core(connect) as core:
        field = core.field("1", "nameText")
        await field.write("Kim")
        refused = field.write(5)
        assert field.value == 5
        with pytest.raises(InvalidParams):
            await refused
        assert field.value == "Kim"


async def test_a_field_that_was_left_says_what_is_wrong_with_it(showcase: str) -> None:
    async with launch(showcase, "--deterministic", "--root", "signUp") as core:
        field = core.field("1", "emailText")
        core.field("1", "nameText").write("Kim")
        await field.check()
        assert field.error == "Enter an email address."
