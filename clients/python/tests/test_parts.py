"""Parts of screens: their inputs, fields, events, and types."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from offstage import Core, Part, Parts, Screen, UnknownInput, UnknownScreen, launch
from offstage.generate import generate
from offstage.parts import find, shown

from .cart import DESCRIPTION
from .test_generate import load, pyright

CART = Path(__file__).with_name("cart.py")


def start(**options: Any) -> Core:
    return launch(sys.executable, CART, **options)


def costs(core: Core) -> list[int]:
    return [line["cost"] for line in core.document.get("/screens/1/output/lines")]


def test_a_path_leads_to_a_part_by_its_id() -> None:
    lines = [{"id": 7, "notes": [{"id": "x"}]}, {"id": "~/"}]
    screen = {
        "output": {
            "lines": lines,
            "header": {"name": "Kim", "retries": 0},
            "none": None,
        }
    }
    assert find(screen, "signIn") is screen
    assert find(screen, "header/refresh") is screen["output"]["header"]
    assert find(screen, "lines/~0~1/remove") is lines[1]
    assert find(screen, "lines/7/notes/x/text") == {"id": "x"}
    for gone in ("lines/8/remove", "none/refresh", "other/refresh", "header/name/x/y"):
        assert find(screen, gone) is None
    assert find(None, "header/refresh") is None
    paths = [path for path, _ in shown("lines", lines)]
    assert paths == ["lines/7/", "lines/~0~1/"]
    assert list(shown("none", None)) == []


async def test_an_input_of_a_part_is_named_by_its_path() -> None:
    async with start() as core:
        await core.input("1", "lines/a~1b/add")
        assert costs(core) == [4, 6]
        await core.input("1", "lines/milk/remove")
        assert costs(core) == [6]
        with pytest.raises(UnknownInput):
            await core.input("1", "lines/milk/add")


async def test_a_field_of_a_part_is_written_ahead_and_follows_its_row() -> None:
    async with start() as core:
        field = core.field("1", "lines/a~1b/countText")
        assert field.value == "1"
        moved = core.input("1", "lineTapped", "a/b")
        written = field.write("25")
        assert (field.value, field.is_pending) == ("25", True)
        await moved
        assert core.document.get("/screens/1/output/lines/0/id") == "a/b"
        assert field.value == "25"
        await written
        assert (field.value, field.is_pending) == ("25", False)
        assert core.document.get("/screens/1/output/lines/0/cost") == 75
        await field.write("x")
        assert field.error == "Enter a number."
        await core.input("1", "fill")
        assert (field.value, field.error) == ("1", None)


async def test_a_part_is_told_that_it_appears_whenever_it_comes_back() -> None:
    async with start() as core:
        events = core.events("1", "header/appeared")
        for name in ("Kim", "Lee"):
            await core.input("1", "signIn", name)
            assert (await anext(events)).value == name
            await core.input("1", "signIn", None)


async def test_parts_without_generated_types() -> None:
    async with start() as core:
        cart = Screen(core, "1")
        header, lines = Part(core, "1", "header/"), Parts(cart, "lines", Part)
        assert not header.is_open
        with pytest.raises(UnknownScreen):
            print(header.output)
        await cart.send("signIn", "Kim")
        assert (header.is_open, header.output) == (True, {"name": "Kim", "retries": 0})
        assert [line.path for line in lines] == ["lines/milk/", "lines/a~1b/"]
        await lines["a/b"].send("note", 1)
        notes = Parts(lines["a/b"], "notes", Part)
        await notes[0].send("text", "fresh")
        assert (len(notes), notes[0].output["text"]) == (1, "fresh")
        assert repr(notes[0]) == "Part('1', 'lines/a~1b/notes/0/')"


GOOD = """
from typing import assert_type

import offstage
from app import Cart, CartLine


async def main(core: offstage.Core) -> None:
    cart = await core.wait_for(Cart)
    await cart.parts.header.input.refresh()
    async for event in cart.parts.header.events.refreshed():
        assert_type(event.value, str)
    assert_type(cart.parts.lines, offstage.Parts[CartLine])
    line = cart.parts.lines["a/b"]
    await line.input.add(settle=True)
    assert_type(line.fields.count_text, offstage.Field[str])
    assert_type(line.output["cost"], int)
    assert_type(cart.output["lines"][0]["fields"]["countText"]["value"], str)
    notes: list[str] = [note.output["text"] for note in line.parts.notes]
    print(notes)
"""
BAD = """
from app import Cart


def main(cart: Cart) -> None:
    cart.parts.lines["a/b"].input.ad()
    cart.parts.lines["a/b"].input.add(1)
    cart.parts.footer
    cart.parts.header.output["nam"]
"""


async def test_the_generated_module_has_parts(tmp_path: Path) -> None:
    (tmp_path / "app.py").write_text(generate(DESCRIPTION))
    (tmp_path / "good.py").write_text(GOOD)
    (tmp_path / "bad.py").write_text(BAD)
    found = pyright(tmp_path, "app.py", "good.py", "bad.py")
    assert [error for error in found if error[0] != "bad.py"] == []
    assert {line for _, line, _ in found} == {5, 6, 7, 8}
    app: Any = load(tmp_path)
    async with start() as core:
        cart = await core.wait_for(app.Cart)
        line = cart.parts.lines["a/b"]
        await line.input.add()
        assert (line.output["cost"], line.fields.count_text.value) == (6, "2")
        await line.input.note(1)
        await next(iter(line.parts.notes)).input.text("fresh")
        assert line.output["notes"] == [{"id": 0, "text": "fresh"}]
        await cart.input.sign_in("Kim")
        refreshed = cart.parts.header.events.refreshed()
        await cart.parts.header.input.refresh()
        assert (await anext(refreshed)).value == "Kim"
