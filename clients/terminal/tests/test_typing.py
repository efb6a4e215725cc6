"""Text that is typed faster than the core answers."""

from __future__ import annotations

import asyncio
import os
import random
from pathlib import Path
from typing import Any

import pytest
from offstage import Core
from textual import events
from textual.widgets import Input, Label

from offstage_terminal.widgets import keys
from offstage_terminal.widgets.fields import TextField

from .conftest import Person, using

pytestmark = pytest.mark.long


class Editor:
    """A text and a cursor, edited by the keys of a field."""

    def __init__(self) -> None:
        self.text, self.at = "", 0

    def press(self, key: str) -> None:
        match key:
            case "home":
                self.at = 0
            case "end":
                self.at = len(self.text)
            case "left":
                self.at = max(self.at - 1, 0)
            case "right":
                self.at = min(self.at + 1, len(self.text))
            case "backspace":
                self.text = self.text[: max(self.at - 1, 0)] + self.text[self.at :]
                self.at = max(self.at - 1, 0)
            case "delete":
                self.text = self.text[: self.at] + self.text[self.at + 1 :]
            case _:
                self.text = self.text[: self.at] + key + self.text[self.at :]
                self.at += 1


def first_field(person: Person) -> tuple[TextField, Input]:
    field = person.app.screen.query(TextField).first()
    return field, field.query_one(Input)


async def test_a_text_that_is_being_typed_stays(showcase: str) -> None:
    async with using(showcase, "--deterministic", "--root", "signUp") as person:
        field, entry = first_field(person)
        await person.type("wrld")
        entry.cursor_position = 1
        entry.insert_text_at_cursor("o")
        field.show(person.page)  # As if a frame arrived right after the key.
        assert (entry.value, entry.cursor_position) == ("world", 2)
        await person.settle()
        assert (entry.value, entry.cursor_position) == ("world", 2)
        assert person.page.owner.field("nameText").value == "world"


async def test_a_text_from_the_core_replaces_what_was_typed(showcase: str) -> None:
    async with using(showcase, "--deterministic", "--root", 'chat {"avatarId":"mina"}') as person:
        _, entry = first_field(person)
        await person.type("Hello")
        await person.press("enter")
        assert entry.value == ""


async def test_keys_without_pauses_give_the_text_that_they_type(showcase: str) -> None:
    choice = random.Random(7)
    moves = ["home", "end", "left", "right", "backspace", "delete"]
    async with using(showcase, "--deterministic", "--root", "signUp") as person:
        _, entry = first_field(person)
        editor = Editor()
        for _ in range(400):
            key = choice.choice(moves) if choice.random() < 0.4 else choice.choice("abcdefgh")
            editor.press(key)
            person.app.post_message(events.Key(key, key if len(key) == 1 else None))
            for _ in range(choice.randrange(12)):
                await asyncio.sleep(0)
        await person.settle()
        assert (entry.value, entry.cursor_position) == (editor.text, editor.at)
        assert person.page.owner.field("nameText").value == editor.text


async def test_a_field_that_was_left_empty_says_so(showcase: str) -> None:
    async with using(showcase, "--deterministic", "--root", "signUp") as person:
        error = person.app.screen.query(TextField).last().query_one(".field--error", Label)
        await person.type("Kim")
        await person.press("tab")
        await person.settle()
        assert not error.display
        await person.press("tab")
        await person.settle()
        assert str(error.content) == "Enter an email address."
        assert error.display


async def test_an_app_that_ends_checks_no_field(
    showcase: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[str] = []
    request = Core.request

    def follow(core: Core, method: str, *rest: Any) -> Any:
        sent.append(method)
        return request(core, method, *rest)

    async with using(showcase, "--deterministic", "--root", "signUp") as person:
        await person.type("Kim")
        monkeypatch.setattr(Core, "request", follow)
    assert "shutdown" in sent and "field/check" not in sent


async def test_keys_after_return_go_to_the_next_field(showcase: str) -> None:
    async with using(showcase, "--deterministic", "--root", "signUp") as person:
        first_field(person)
        for key in [*"Kim", "enter", *"kim", "at", "x", "up", "right", "y", "down", "backspace"]:
            character = "@" if key == "at" else key if len(key) == 1 else None
            person.app.post_message(events.Key(key, character))
        await person.settle()
        assert [entry.value for entry in person.app.screen.query(Input)] == ["Kimy", "kim@"]


async def test_keys_wait_for_the_screen_that_a_key_opens(
    showcase: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keys, "LONGEST", 600)
    core, gate = tmp_path / "core", tmp_path / "gate"
    os.mkfifo(gate)
    # The request for the screen reaches the core after a write to the gate.
    core.write_text(
        f"#!/bin/sh\nwhile IFS= read -r line; do\n"
        f'case $line in *signUpTapped*) read -r _ <"{gate}" ;; esac\n'
        f"printf '%s\\n' \"$line\"; done | {showcase} --deterministic --root profile\n"
    )
    core.chmod(0o755)
    async with using(str(core)) as person:
        await person.push("createAccountTapped")
        for key in ["enter", *"Kim"]:
            person.app.post_message(events.Key(key, key if len(key) == 1 else None))
        while person.app.keys.held < 3:
            await asyncio.sleep(0)
        await asyncio.to_thread(gate.write_text, "\n")
        await person.settle()
        assert person.page.about.kind == "signUp"
        assert person.app.screen.query(Input).first().value == "Kim"


async def test_typing_goes_on_while_the_core_ends(showcase: str) -> None:
    async with using(showcase, "--deterministic", "--root", "signUp") as person:
        _, entry = first_field(person)
        await person.type("Kim")
        await person.app.core.close()
        entry.insert_text_at_cursor("!")
        assert entry.value == "Kim!"


async def test_a_password_is_not_shown(showcase: str, tmp_path: Path) -> None:
    core = tmp_path / "core"
    secret = """s/"nameText":\\{"type":."string","null".,/&"x-secret":true,/g
s/("path":".screens.1.fields.nameText.value","value":)"[^"]+"/\\1"••••"/"""
    core.write_text(f"#!/bin/sh\n{showcase} --deterministic --root signUp | sed -uE '{secret}'\n")
    core.chmod(0o755)
    async with using(str(core)) as person:
        await person.type("secret", field=0)
        assert person.page.owner.field("nameText").value == "secret"
        assert "secret" not in person.text
        assert "••••••" in person.text
        assert person.page.owner.core.document.get("/screens/1/fields/nameText/value") == "••••"


async def test_a_message_about_a_field_does_not_move_what_is_pressed(showcase: str) -> None:
    async with using(showcase, "--deterministic", "--root", "signUp") as person:
        await person.type("Kim", 0)
        await person.press("tab")
        field, cancel = person.app.screen.query(TextField).last(), person.button("cancel")
        error, place = field.query_one(".field--error", Label), cancel.region.offset
        for kind, is_shown in (events.MouseDown, False), (events.MouseUp, True):
            person.app.post_message(kind(None, *place, 0, 0, 1, False, False, False))
            await person.settle()
            assert error.display == is_shown
        assert person.app.focused is cancel and cancel.region.offset != place


async def test_a_terminal_that_loses_the_focus_leaves_no_field(showcase: str) -> None:
    async with using(showcase, "--deterministic", "--root", "signUp") as person:
        await person.type("Kim", 0)
        await person.press("tab")
        person.app.post_message(events.AppBlur())
        await person.settle()
        person.app.post_message(events.AppFocus())
        await person.settle()
        assert person.app.focused is person.app.screen.query(Input).last()
        assert person.page.owner.field("emailText").error is None
