"""The widgets for the outputs and the inputs of a page, by their roles and types."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from offstage import Port
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Label

from ..model.text import clean
from ..widgets.chips import Pills
from ..widgets.fields import FileField, TextField, Toggle, ValueField
from ..widgets.page import Page
from ..widgets.parts import Line, Picture
from ..widgets.tags import TagsField
from ..widgets.values import Chart, RichText, Table

# Drawn elsewhere: in the title, above or below the page, or by the input that they are about.
ELSEWHERE = {
    *("title", "subtitle", "busy", "failure", "stale", "notice", "empty", "more"),
    *("condition", "selection", "options", "label", "sections", "hidden", "alt", "section"),
}
SIZES = {"avatar": (8, 4), "poster": (14, 10), "thumbnail": (24, 7), "icon": (4, 2)}
BAR = 24


def draw_output(page: Page, port: Port, lists: list[str]) -> Iterator[Widget]:
    """Yields the widgets of an output. Adds its lists of rows to `lists`."""
    describe, name, schema = page.description, port.name, port.schema
    members = describe.members(schema)
    if port.role == "state":
        yield Line(lambda page: port.title if page.output.get(name) else "")
    elif port.role == "progress":
        yield Line(lambda page: _say_progress(page, port), classes="fact")
    elif port.role == "chart":
        yield Chart(port)
    elif port.role == "table":
        yield Label(clean(port.title), classes="list--title", markup=False)
        yield Table(port)
    elif port.is_window:
        lists.append(name)
    elif describe.is_table(schema):
        inner = describe.members(describe.items(schema))
        inner = [m for m, member in inner.items() if describe.is_table(member.schema)]
        lists += [f"{name}/*/{member}" for member in inner] or [name]
    elif describe.is_picture(schema):
        yield Picture(lambda page: page.output.get(name), *_size(schema), partial(_say_alt, port))
    elif members and schema.get("format") != "coordinate":
        alt = next((m.name for m in members.values() if m.role == "alt"), "-")
        say_alt = partial(_find, path=f"{name}/{alt}")
        for member in members.values():
            path = f"{name}/{member.name}"
            if describe.is_picture(member.schema):
                yield Picture(partial(_find, path=path), *_size(member.schema), say_alt)
            elif describe.is_table(member.schema):
                lists.append(path)
            elif member.role not in ("hidden", "alt"):
                yield Line(partial(_say_member, path=path, member=member), classes="fact")
    else:
        yield from _draw_text(page, port)


def _draw_text(page: Page, port: Port) -> Iterator[Widget]:
    match port.schema.get("contentMediaType"):
        case "text/markdown":
            yield RichText(lambda page: page.output.get(port.name) or "")
        case "text/x-code":
            yield Line(lambda page: page.output.get(port.name) or "", classes="code")
        case "text/plain":
            yield Line(lambda page: _say(page, port))
        case _:
            yield Line(lambda page: _say(page, port), classes="fact")


def _say_alt(port: Port, page: Page) -> str:
    alts = [page.value(each) for each in page.about.with_role("alt")]
    return str(next((alt for alt in alts if alt), port.title))


def _find(page: Page, path: str) -> str:
    return page.find(path, "")


def _size(schema: Any) -> tuple[int, int]:
    return SIZES.get(schema.get("x-picture"), (24, 12))


def _say(page: Page, port: Port) -> str | Content:
    value = page.output.get(port.name)
    text = page.description.say(value, port.schema)
    if isinstance(value, bool):
        text = page.app.words(text)
    kinds = port.schema.get("type", "")
    if port.schema.get("format") == "color" and text:
        return Content.assemble(
            f"{clean(port.title)}: ", ("██", text if _is_color(text) else ""), f" {clean(text)}"
        )
    is_prose = "string" in kinds and not {"enum", "format", "x-unit"} & set(port.schema)
    if is_prose or not text:
        return text
    return Content.assemble((f"{clean(port.title)}: ", "$foreground 65%"), clean(text))


def _say_member(page: Page, path: str, member: Port) -> str | Content:
    """Writes a member of an object: with its title, unless it is the title of the object."""
    text = clean(page.description.say_member(page.find(path), member))
    if member.role == "title":
        return Content.styled("" if text == page.heading() else text, "bold")
    if not text or text == clean(member.title):
        return text
    return Content.assemble((f"{clean(member.title)}: ", "$foreground 65%"), text)


def _is_color(text: str) -> bool:
    return (
        len(text) == 7 and text[0] == "#" and all(c in "0123456789abcdefABCDEF" for c in text[1:])
    )


def _say_progress(page: Page, port: Port) -> Content | str:
    value = page.output.get(port.name)
    if value is None or (share := port.share(value)) is None:
        return ""
    filled = round(max(0.0, min(1.0, share)) * BAR)
    says = port.says
    if isinstance(value, dict) and "x-total" in says:
        numbers = f"{value[says['x-done']]} / {value[says['x-total']]}"  # pyright: ignore
        numbers += f" {says['x-unit']}" if "x-unit" in says else ""
    else:
        numbers = f"{share:.0%}"
    bar = [("━" * filled, "$primary"), ("─" * (BAR - filled), "$foreground 25%")]
    return Content.assemble(f"{clean(port.title)}  ", *bar, f"  {clean(numbers)}")


def draw_input(page: Page, port: Port) -> Widget | None:
    """Returns the widget of an input, or None for a button and for an input that takes rows.

    An input with an unknown role is drawn by its type.
    """
    kinds = str(port.schema.get("type", ""))
    match port.role:
        case "trigger" | "lifecycle" | "row" | "move" | "hidden":
            return None
        case "sort" if any(page.about.outputs[rows.list].role == "table" for rows in port.rows):
            return None  # The headers of the table sort it.
        case "text":
            return TextField(port.name, is_long=port.purpose == "long")
        case "choice":
            return Pills(port.name)
        case "toggle":
            return Toggle(port.name)
        case "file":
            return FileField(port.name)
        case "value" if page.description.is_table(port.schema):
            return Line(lambda page: _say_rows(page, port))  # Other screens fill in the rows.
        case _ if is_button(port):
            return None
        case _ if port.schema.get("enum"):
            return Pills(port.name)
        case _ if "boolean" in kinds:
            return Toggle(port.name)
        case _ if port.name in page.about.fields and page.description.is_words(port.schema):
            return TagsField(port.name)
        case _:
            return ValueField(port.name)


def is_button(port: Port) -> bool:
    """True for an input without a value, also one with an unknown role."""
    known = {
        "lifecycle",
        "text",
        "choice",
        "toggle",
        "row",
        "move",
        "sort",
        "file",
        "value",
        "hidden",
    }
    shapes = {"type", "enum", "anyOf", "oneOf", "properties"} & set(port.schema)
    is_empty = not shapes or port.schema.get("type") == "null"
    return port.role == "trigger" or port.role not in known and is_empty


def _say_rows(page: Page, port: Port) -> str:
    rows: list[Any] = page.owner.current(port.name) or []
    schema = page.description.items(port.schema)
    texts = [f"  {page.description.say(row, schema)}" for row in rows]
    return "\n".join([f"{port.title}:", *texts]) if rows else ""
