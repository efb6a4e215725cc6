"""Parts of screens, each drawn at its place with its own fields and buttons."""

from __future__ import annotations

import pytest
from textual.widgets import Button, Input

from offstage_terminal.pages.anypage import Section, Sections
from offstage_terminal.widgets.tags import TagsField, WordChips

from .conftest import Person, using

pytestmark = pytest.mark.long


def sections(person: Person) -> list[Section]:
    """The sections on the screen, from top to bottom."""
    found = person.app.screen.query(Section)
    return sorted(found, key=lambda section: section.region.y)


def lines(person: Person) -> list[str]:
    return [section.owner.path for section in sections(person)]


async def test_each_part_of_a_list_has_its_outputs_fields_and_buttons(cart: str) -> None:
    async with using(cart) as person:
        text = person.text
        for part in ("Line", "Cost: 4", "Cost: 3", "Count", "One more", "Remove", "Total: 7"):
            assert part in text
        await person.type("2", field=2)
        assert "Cost: 36" in person.text
        await person.press("enter", "tab")
        focused = person.app.focused
        assert isinstance(focused, Button) and focused.name == "add"
        await person.press("enter")
        assert person.app.screen.focused is focused
        assert "Cost: 39" in person.text


async def test_words_are_added_and_removed(cart: str) -> None:
    async with using(cart, size=(100, 60)) as person:
        field = person.page.query_one(TagsField)
        entry = field.query_one(Input)
        values = person.inputs("labels")
        entry.focus()
        assert "food ×" in person.text and "Add · ⌫ removes" in person.text
        for word in ("cold", "food", "a, b"):
            await person.type(word)
            await person.press("enter")
        assert values == [["food", "cold"], ["food", "cold", "a, b"]] and entry.value == ""
        assert "food ×   cold ×   a, b ×" in person.text
        # The keys of the empty entry are about the words.
        await person.press("left", "left", "backspace")
        assert values[2:] == [["food", "a, b"]]
        await person.press("left", "right", "backspace")
        assert values[3:] == [["food"]]
        await person.click(field.query_one(WordChips))
        assert values[4:] == [[]] and "food" not in person.text
        await person.press("backspace", "left", "delete")
        assert values[5:] == []
        # While a word is typed, they are about its letters.
        await person.type("xy")
        await person.press("left", "backspace", "enter")
        assert values[5:] == [["y"]]


async def test_an_error_stands_at_the_field_of_its_part(cart: str) -> None:
    async with using(cart) as person:
        await person.type("x", field=2)
        first, second = sections(person)
        assert "Enter a number." in person.text
        assert not first.query(".field.-invalid")
        assert second.query(".field.-invalid")


async def test_buttons_move_a_part_up_and_down(cart: str) -> None:
    async with using(cart) as person:
        await person.push("fill")
        milk = sections(person)[0]
        up, down = milk.query(".section--move").results(Button)
        await person.click(down)
        assert lines(person) == ["lines/a~1b/", "lines/milk/", "lines/egg/"]
        await person.click(down)
        await person.click(down)
        assert lines(person) == ["lines/a~1b/", "lines/egg/", "lines/milk/"]
        await person.click(up)
        assert lines(person) == ["lines/a~1b/", "lines/milk/", "lines/egg/"]


async def test_sections_move_with_their_parts_and_keep_the_focus(cart: str) -> None:
    async with using(cart) as person:
        milk, other = sections(person)
        await person.type("5", field=0)
        entry = person.app.focused
        await person.do(person.app.core.input("1", "lineTapped", "a/b"))
        assert sections(person) == [other, milk]
        assert person.app.focused is entry
        await person.press("tab", "tab", "enter")
        assert lines(person) == ["lines/a~1b/"]
        await person.push("fill")
        assert lines(person) == ["lines/milk/", "lines/a~1b/", "lines/egg/"]


async def test_a_row_input_takes_the_part(cart: str) -> None:
    async with using(cart) as person:
        await person.click(sections(person)[1].query_one(".section--row"))
        assert lines(person) == ["lines/a~1b/", "lines/milk/"]


async def test_a_part_comes_and_goes(cart: str) -> None:
    async with using(cart) as person:
        assert "Refresh" not in person.text
        await person.do(person.app.core.input("1", "signIn", "Kim"))
        assert lines(person)[0] == "header/"
        assert "Kim" in person.text
        await person.do(person.app.core.input("1", "signIn", "Lee"))
        assert "Lee" in person.text
        await person.do(person.app.core.input("1", "signIn", None))
        assert "Refresh" not in person.text


async def test_a_part_can_be_tried_again_once_it_has_failed(cart: str) -> None:
    async with using(cart) as person:
        await person.do(person.app.core.input("1", "signIn", "Offline"))
        assert "Retry" not in person.text
        buttons = {button.name: button for button in sections(person)[0].query(Button)}
        buttons["refresh"].press()
        await person.settle()
        assert "Retry" in person.text
        buttons["retry"].press()
        await person.settle()
        assert "Retry" not in person.text
        assert "Retries: 1" in person.text


async def test_parts_have_parts(cart: str) -> None:
    async with using(cart) as person:
        await person.do(person.app.core.input("1", "lines/milk/note", 1))
        note = next(each for each in sections(person) if "notes" in each.owner.path)
        person.app.screen.set_focus(note.query_one(Input))
        await person.type("fresh")
        assert note.owner.output == {"id": 0, "text": "fresh"}


async def test_a_long_list_grows_as_its_end_comes_into_view(
    cart: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Sections, "STEP", 5)
    async with using(cart, size=(80, 20)) as person:
        await person.do(person.app.core.input("1", "grow", 8))
        assert len(sections(person)) == 5
        person.app.screen.query_one(".form").scroll_end(animate=False)
        await person.settle()
        assert len(sections(person)) == 8
