"""Dialogs in a small terminal, and the keys in them."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.widgets import Button, Input

from .conftest import using

SMALL = (80, 24)


@pytest.mark.parametrize("size", [SMALL, (100, 30)])
async def test_the_link_dialog_fits(showcase: str, size: tuple[int, int]) -> None:
    async with using(showcase, "--deterministic", "--root", "pokedex", size=size) as person:
        await person.press("ctrl+o")
        panel = person.app.screen.query_one(".panel").region
        entry = person.app.screen.query_one(Input)
        assert entry.has_focus
        for each in (entry, *person.app.screen.query(Button)):
            assert panel.contains_region(each.region)


async def test_up_and_down_scroll_a_long_message(showcase: str) -> None:
    async with using(showcase, "--deterministic", "--root", "pokedex", size=SMALL) as person:
        await person.press("ctrl+o")
        last = person.app.core.handshake.raw["links"][-1]["pattern"]
        assert last not in person.text
        await person.press(*["down"] * 12)
        assert last in person.text


async def test_enter_opens_a_link(showcase: str) -> None:
    async with using(showcase, "--deterministic", "--root", "pokedex") as person:
        await person.press("ctrl+o")
        await person.type("showcase://pokedex/25")
        await person.press("enter")
        assert person.page.about.kind == "pokemonDetail"
        assert "Pikachu" in person.text


async def test_the_link_dialog_copies_the_address(showcase: str) -> None:
    root = 'pokemonDetail {"id":25}'
    async with using(showcase, "--deterministic", "--root", root, size=(100, 40)) as person:
        await person.press("ctrl+o")
        assert "You are at showcase://pokedex/25" in person.text
        await person.press("tab", "tab", "enter")
        assert person.app.clipboard == "showcase://pokedex/25"


async def test_without_an_address_there_is_nothing_to_copy(showcase: str) -> None:
    async with using(showcase, "--deterministic", "--root", "gallery") as person:
        await person.press("ctrl+o")
        assert "You are at" not in person.text
        assert [button.name for button in person.app.screen.query(Button)] == ["open", "close"]


@pytest.mark.long
async def test_a_change_of_layers_closes_the_link_dialog(showcase: str) -> None:
    async with using(showcase, "--deterministic", "--root", "gallery") as person:
        await person.press("ctrl+o")
        await person.do(person.app.core.input("1", "alert", "Careful"))
        await person.press("enter")
        assert "Careful" not in person.text
        assert "Open a link" not in person.text
        assert person.page.output["answer"]


@pytest.mark.long
async def test_a_question_waits_until_its_screen_is_visible(showcase: str, tmp_path: Path) -> None:
    chat = ("--chat-api", "http://127.0.0.1:9/v1", "--data", str(tmp_path))
    async with using(showcase, *chat, "--installation", "0") as person:
        await person.press("enter")
        await person.do(person.app.core.open("showcase://avatars/mina"))
        await person.type("Hello")
        await person.press("enter")
        await person.sees("The server isn't accepting connections")
        await person.do(person.app.core.select_tab("pokedex"))
        assert "The server isn't accepting connections" not in person.text
        await person.do(person.app.core.select_tab("explore"))
        assert "The server isn't accepting connections" in person.text
