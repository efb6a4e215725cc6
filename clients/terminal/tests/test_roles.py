"""What a screen shows follows from its description, never from a name."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

import pytest
from conformance import Drawing, asked, groups, label
from textual.widget import Widget
from textual.widgets import Button, Markdown, Static, Switch

from offstage_terminal.layers import ModalLayer, PresentedLayer, is_of_top
from offstage_terminal.pages.anypage import RowButton, Section
from offstage_terminal.pages.scope import Scope
from offstage_terminal.widgets.cells import Cell, Cells, Header
from offstage_terminal.widgets.fields import FileField, Toggle, ValueField
from offstage_terminal.widgets.overlays import Menu
from offstage_terminal.widgets.parts import Offered, Picture, Trigger
from offstage_terminal.widgets.values import RichText, Table

from .conftest import Person, using

LINKS = [
    "https://example.com/p.png",
    "https://example.com/a",
    "http://example.com/o",
    "mailto:kim@example.com",
    "tel:+8221234567",
]
SIGNS = {"●": "unread", "✓": "done", "◆": "selected", "★": "favorite"}


async def send(person: Person, screen: str, name: str, value: Any) -> None:
    """Sends an input of the visible screen, one of its parts, or the app."""
    core = person.app.core
    id = "app" if screen == "app" else core.visible[0]
    pages = [page for page in person.app.screen.query("Page") if page.owner.id == id]  # pyright: ignore
    path, slash, last = name.rpartition("/")
    page: Any = next(each for each in pages if each.owner.path == path + slash)  # pyright: ignore
    page.write(last, value) if last in page.about.fields else page.send(last, value)
    await person.settle()


def states(person: Person, title: str) -> set[str]:
    """Returns the states that the signs and the style of a row show."""
    strips = person.app.screen._compositor.render_strips()  # pyright: ignore
    strip = next(strip for strip in strips if title in strip.text)
    before = strip.text.partition(title)[0]
    found = {state for sign, state in SIGNS.items() if sign in before}
    style = next(segment.style for segment in strip if title in segment.text)
    assert style and bool(style.strike) == ("done" in found)
    for cells in person.page.query(Cells):
        # What cannot be picked steps back: its color is not that of a title.
        if title in [getattr(cell, "title", "") for _, cell in cells.items] and not style.strike:
            plain = cells.get_component_rich_style("cells--title").color
            found |= {"disabled"} if style.color != plain else set()
    for section in parts(person, title):
        plain = section.query_one(".section--title").rich_style.color
        found |= {"disabled"} if style.color != plain and not style.strike else set()
    return found


def parts(person: Person, title: str) -> list[Section]:
    """Returns the parts that are a row with a title."""
    return [each for each in person.page.query(Section) if each.heading() == title]


async def actions(person: Person, title: str) -> dict[str, bool | None]:
    """Opens the menu of a row, and returns what is in it. A part has buttons instead."""
    for section in parts(person, title):
        buttons = section.query(RowButton)
        return marked([str(each.label) for each in buttons if each.display and not each.disabled])
    for cells in person.page.query(Cells):
        titles = [getattr(cell, "title", "") for _, cell in cells.items]
        if title in titles:
            cells.focus()
            cells.cursor = titles.index(title)
            await person.press("full_stop")
    assert isinstance(person.app.screen, Menu)
    lines = [str(option.prompt) for option in person.app.screen.query_one("OptionList").options]  # pyright: ignore
    await person.press("escape")
    return marked(lines)


def marked(lines: list[str]) -> dict[str, bool | None]:
    """Returns the titles of actions, and of those that switch something, whether it is on."""
    signs = {"[x] ": True, "[ ] ": False}
    return {line.removeprefix("[x] ").removeprefix("[ ] "): signs.get(line[:4]) for line in lines}


async def draw(person: Person, group: list[dict[str, Any]]) -> Drawing:
    text = f"{person.text}\n{person.toasts}"
    query = person.app.screen.query
    toggles = {path(each): each.query_one(Switch).value for each in query(Toggle)}
    enabled = {path(each): each.display and not each.disabled for each in query(Trigger)}
    found = {title: states(person, title) for title in asked(group, "states")}
    menus = {title: await actions(person, title) for title in asked(group, "actions")}
    variants = {"primary": "main", "error": "destructive"}
    weights = {path(each): variants.get(each.variant) for each in query(Trigger)}
    drawn = pictures(person) if asked(group, "pictures") else []
    shares = {title: bar(person, title) for title in asked(group, "progress")}
    return Drawing(text, found, menus, toggles, enabled, weights, drawn, shares)


def path(widget: Toggle | Trigger) -> str:
    """Returns the name of an input with the part that it is in."""
    return widget.page.owner.path + widget.input


def bar(person: Person, title: str) -> float:
    """Measures the bar in a row."""
    lines = person.text.splitlines()
    at = next(at for at, line in enumerate(lines) if title in line)
    bars = [found[0] for line in lines[at : at + 9] if (found := re.search("━+╸?─*", line))]
    filled = bars[0].count("━") + bars[0].count("╸") / 2
    return round(filled / len(bars[0]), 2)


def pictures(person: Person) -> list[str]:
    """Returns the texts of the pictures whose pixels are on the screen."""
    drawn = [each for each in person.app.screen.query(Picture) if each.display and is_drawn(each)]
    lists = [each for each in person.page.query(Cells) if each.picture_width and is_drawn(each)]
    rows: list[str] = [row["d"] for each in lists for row, cell in each.items if is_pictured(cell)]
    return [*(str(each.tooltip) for each in drawn), *rows]


def is_pictured(cell: Cell | Header) -> bool:
    return isinstance(cell, Cell) and cell.picture is not None


def is_drawn(widget: Widget) -> bool:
    """True if the widget has a cell of the pictures' color."""
    strips = widget.render_lines(widget.size.region)
    styles = [segment.style for strip in strips for segment in strip]
    colors = [color for style in styles if style for color in (style.color, style.bgcolor)]
    return any(color and color.get_truecolor() == (255, 136, 0) for color in colors)


@pytest.mark.long
@pytest.mark.parametrize("group", groups(), ids=lambda group: label(group[0]))
async def test_the_conformance_app_is_shown_by_its_roles(
    meanings: str, odd: str, group: list[dict[str, Any]]
) -> None:
    screen, inputs = group[0]["screen"], group[0]["send"]
    core = odd if screen == "odd" else meanings
    async with using(core, "--deterministic", size=(100, 200)) as person:
        if screen not in ("app", "odd"):
            await person.do(person.app.core.select_tab(screen))
        for input, value in inputs:
            await send(person, screen, input, value)
        drawing = await draw(person, group)
        assert [each for row in group for each in drawing.mistakes(row)] == [], drawing.text


@pytest.mark.long
async def test_only_the_description_says_what_is_work_and_what_retries(odd: str) -> None:
    async with using(odd) as person:
        assert "Missing: Yes" in person.text
        assert "Loading more" not in person.text
        await person.push("load")
        assert "Loading more ━" in person.text
        await person.push("load")
        assert "Loading more" not in person.text and "Once more" not in person.text
        await person.push("breakDown")
        assert "⚠ It broke." in person.text and "4004" not in person.text
        assert "^n Once more" in person.hints
        await person.press("ctrl+n")
        assert "It broke." not in person.text and "Once more" not in person.text


async def test_a_button_sends_no_value(odd: str) -> None:
    async with using(odd) as person:
        sent, send = list[Any](), person.app.core.request

        def request(method: str, params: Any = None, *rest: Any) -> Any:
            sent.append((method, params))
            return send(method, params, *rest)

        person.app.core.request = request  # pyright: ignore
        await person.push("load")
        assert ("input", {"screen": "1", "name": "load"}) in sent


async def test_an_unknown_role_is_shown_by_its_type(odd: str) -> None:
    async with using(odd, size=(100, 120)) as person:
        assert "Cheerful" in person.text and "Violet" in person.text
        lines = [line.strip() for line in person.text.splitlines()]
        at = lines.index("Crates:")
        assert lines[at + 1 : at + 3] == ["Books · Heavy · Lit", "Plates · Heavy · Lit"]
        await person.push("dream")
        assert "Dreamy" in person.text
        person.app.screen.query_one(Switch).toggle()
        await person.settle()
        assert "Tuned" in person.text


@pytest.mark.long
async def test_a_list_that_is_not_said_to_be_empty_says_nothing(odd: str, tmp_path: Path) -> None:
    core = tmp_path / "core.py"
    core.write_text(
        f"""#!{sys.executable}
import re
import sys
sys.path.insert(0, {str(Path(odd).parent)!r})
from odd import DESCRIPTION, Odd, serve
outputs, app = DESCRIPTION["x-screens"]["odd"]["outputs"], Odd()
app.output |= {{"rows": [], "isMissing": sys.argv[1:] == ["empty"]}}
outputs["isMissing"] |= {{"x-role": "empty", "x-of": ["rows"]}}
serve(app, DESCRIPTION)
"""
    )
    core.chmod(0o700)
    async with using(str(core), size=(100, 120)) as person:
        assert "Cheerful" in person.text
        assert "Rows" not in person.text and "Missing" not in person.text
    async with using(str(core), "empty", size=(100, 120)) as person:
        assert "Missing" in person.text


async def test_a_row_is_its_title_above_the_rest(odd: str) -> None:
    async with using(odd, size=(100, 120)) as person:
        lines = person.text.splitlines()
        title = next(line for line in range(len(lines)) if lines[line].strip() == "Above")
        assert lines[title + 1].strip() == "Below · Violet · Unlit · Unsaid"


async def test_rich_text_runs_and_loads_nothing(odd: str) -> None:
    async with using(odd, size=(120, 50)) as person:
        text = person.text
        assert not {"\x1b", "\x07", "\u202e"} & set(text)
        assert "]0;owned head ing" in text.replace("A ", "").replace("  ", " ")
        for shown in ("<script>alert(1)</script>", "_plain_", "1. first", "| a | b |"):
            assert shown in text
        assert "[unsafe](javascript:alert(1))" in text and "[file](file:///etc/passwd)" in text
        assert "[ftp](ftp://example.com/f)" in text
        assert "**" not in text and "https://example.com/p.png" not in text
        assert "a picture" in text and "!a picture" not in text
        rich = person.app.screen.query_one(RichText)
        assert rich.links == LINKS


@pytest.mark.parametrize("link", LINKS)
async def test_a_link_is_asked_for(odd: str, monkeypatch: pytest.MonkeyPatch, link: str) -> None:
    opened: list[str] = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    async with using(odd) as person:
        rich = person.app.screen.query_one(RichText)
        rich.post_message(Markdown.LinkClicked(rich, link))
        await person.settle()
        assert link in person.text and opened == []
        await person.press("escape")
        assert link not in person.text and opened == []
        rich.post_message(Markdown.LinkClicked(rich, link))
        await person.settle()
        await person.press("enter")
        assert opened == [link]


async def test_actions_of_a_row_are_in_a_menu(meanings: str) -> None:
    async with using(meanings, "--deterministic", size=(100, 90)) as person:
        await person.do(person.app.core.select_tab("lists"))
        person.list("guests").focus()
        await person.press("full_stop")
        text = person.text
        assert text.index("[ ] Star") < text.index("Swipe guest")
        assert text.rstrip().rindex("Move guest") < text.index("Swipe guest")
        await person.press("down", "enter", "full_stop")
        assert "[x] Star" in person.text


@pytest.mark.long
async def test_the_app_is_on_every_screen(meanings: str) -> None:
    async with using(meanings, "--deterministic", size=(100, 40)) as person:
        await send(person, "app", "restore", None)
        for tab in ("work", "lists", "values", "form"):
            await person.do(person.app.core.select_tab(tab))
            assert "The whole app was restored" in person.text and "Sync" in person.text
            focused = person.app.focused
            assert focused is None or is_of_top(focused)  # Enter must not undo.
        offered = [each for each in person.app.screen.query(Offered) if each.display]
        assert offered[0].input == "undo"
        await person.press("ctrl+n")
        assert "The whole app was restored" not in person.text


@pytest.mark.long
@pytest.mark.parametrize("name", ["peek", "unfold"])
async def test_the_app_is_over_modals_and_sheets(meanings: str, name: str) -> None:
    async with using(meanings, "--deterministic", size=(100, 60)) as person:
        await person.do(person.app.core.select_tab("parts"))
        await send(person, "parts", name, None)
        await send(person, "app", "restore", None)
        [scope] = person.app.screen.query(Scope)
        notices = [str(each.content) for each in scope.query(Static) if each.display]
        assert isinstance(person.app.screen, ModalLayer | PresentedLayer)
        assert "ℹ The whole app was restored" in notices
        await person.press("ctrl+n")
        assert "The whole app was restored" not in person.text


@pytest.mark.long
async def test_values_are_stepped_and_checked(meanings: str) -> None:
    async with using(meanings, "--deterministic", size=(100, 90)) as person:
        await person.do(person.app.core.select_tab("form"))
        fields = {field.input: field for field in person.page.query("TextField")}  # pyright: ignore
        fields["birthday"].entry.focus()  # pyright: ignore
        await person.press("ctrl+down")
        assert person.page.owner.field("birthday").value == "1999-12-31"
        # The arrow keys step the part at the cursor, and letters can be typed.
        await person.press("home", "up", "right", "right", "right", "right", "right", "down")
        assert person.page.owner.field("birthday").value == "2000-11-30"
        await person.press("end", "backspace")
        await person.type("1")
        assert person.page.owner.field("birthday").value == "2000-11-31"
        due = next(each for each in person.page.query(ValueField) if each.input == "due")
        due.query_one("Input").focus()
        await person.press("home", "up")
        assert person.page.owner.field("due").value == "2027-01-01T00:00:00Z"
        fields["nicknameText"].entry.focus()  # pyright: ignore
        await person.type("A name of more than twenty letters")
        assert "34 of 20 letters" in person.text or "at most 20" in person.text


SCREENS = [
    *("map", 'placeDetail {"id": 18}', "explore", "chats", 'chat {"avatarId":"mina"}'),
    *("profile", "settings", 'titleDetail {"key":"jaws"}', "signUp", "gallery"),
]


@pytest.mark.parametrize("root", SCREENS)
async def test_buttons_are_in_the_order_of_the_description(showcase: str, root: str) -> None:
    async with using(showcase, "--deterministic", "--root", root) as person:
        order = [*person.page.about.inputs]
        buttons = person.page.own(Trigger)
        assert buttons
        for parent in {button.parent for button in buttons}:
            places = [order.index(each.input) for each in buttons if each.parent is parent]
            assert places == sorted(places)


async def test_an_object_is_shown_member_by_member(showcase: str) -> None:
    command = (showcase, "--deterministic", "--root", 'placeDetail {"id": 18}')
    async with using(*command) as person:
        lines = [line.strip() for line in person.text.splitlines()]
        # The title is in the bar, and the position is not for people.
        assert lines.count("Seoul City Hall") == 1
        assert {"Landmark", "Rating: 5", "Other name: 서울특별시청"} <= {*lines}
        assert "37.5" not in person.text


async def test_main_and_destructive_buttons_look_like_it(meanings: str) -> None:
    async with using(meanings, "--deterministic", size=(100, 90)) as person:
        await person.do(person.app.core.select_tab("form"))
        variants = {each.name: each.variant for each in person.page.query(Button)}
        assert (variants["go"], variants["wipe"], variants["back"]) == (
            "primary",
            "error",
            "default",
        )


@pytest.mark.long
async def test_a_number_is_stepped_within_its_rules(meanings: str) -> None:
    async with using(meanings, "--deterministic", size=(100, 90)) as person:
        await person.do(person.app.core.select_tab("form"))
        fields = {field.input: field for field in person.page.query(ValueField)}
        owner = person.page.owner
        fields["volume"].query_one("Input").focus()
        await person.press("ctrl+up")
        assert owner.field("volume").value == 0.75
        await person.press("ctrl+up", "ctrl+up")
        assert owner.field("volume").value == 1
        entry: Any = fields["guests"].query_one("Input")
        entry.focus()
        entry.value = "3"
        await person.press("enter")
        assert owner.field("guests").value == 2 and "A multiple of 2" in person.text
        await person.press("ctrl+down")
        assert owner.field("guests").value == 0


@pytest.mark.long
async def test_a_file_is_read_by_its_path(meanings: str, tmp_path: Path) -> None:
    (tmp_path / "plan.txt").write_text("Two vans", encoding="utf-8")
    (tmp_path / "long.txt").write_text("Two vans " * 3, encoding="utf-8")
    (tmp_path / "plan.png").write_bytes(b"PNG")
    async with using(meanings, "--deterministic", size=(140, 160)) as person:
        await person.do(person.app.core.select_tab("form"))
        entry: Any = person.page.query_one(FileField).query_one("Input")
        assert "Plan · text/* · at most 20 bytes" in person.text
        for name, reason in (
            ("no.txt", "is not a file."),
            ("long.txt", "has 27 bytes. At most 20 bytes are allowed."),
            ("plan.png", "is of another type. Choose a file of text/*."),
        ):
            entry.value = str(tmp_path / name)
            entry.focus()
            await person.press("enter")
            assert reason in person.text and "vans" not in person.text
        entry.value = str(tmp_path / "plan.txt")
        await person.press("enter")
        assert "plan.txt: Two vans" in person.text and "another type" not in person.text
        assert entry.value == ""


@pytest.mark.long
async def test_a_table_is_sorted_and_selected(meanings: str) -> None:
    async with using(meanings, "--deterministic", size=(100, 120)) as person:
        await person.do(person.app.core.select_tab("values"))
        table = person.page.query_one(Table)

        def rows() -> list[str]:
            return [str(table.get_row_at(at)[0]) for at in range(table.row_count)]

        table.focus()
        assert rows() == ["◇ Stir", "◇ Bake"] and "Minutes ▴" in person.text
        await person.press("S")
        assert rows() == ["◇ Bake", "◇ Stir"] and "Minutes ▾" in person.text
        await person.press("s")
        assert "Name ▴" in person.text and "Minutes ▾" not in person.text
        await person.press("s")
        assert rows() == ["◇ Stir", "◇ Bake"] and "Is descending" not in person.text
        await person.press("down", "enter")
        assert rows() == ["◇ Stir", "◆ Bake"]
