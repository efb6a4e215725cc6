"""The parts of pages. Each draws an output or sends to an input."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, ClassVar

from rich.segment import Segment
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.content import Content
from textual.strip import Strip
from textual.widgets import Button, Static

from ..model.text import clean
from .cells import Cell, Header, Item
from .page import Page, Part, put
from .rows import CardStrip, RowList

ToCell = Callable[[Any], Cell]


class Line(Static, Part):
    """A text computed from the page; hidden while it is empty."""

    def __init__(self, text: Callable[[Page], str], *, classes: str = "") -> None:
        super().__init__("", classes=f"line {classes}", markup=False)
        self._text = text

    def show(self, page: Page) -> None:
        text = clean(self._text(page), lines=True)
        self.display = bool(text)
        put(self, text)


class Failure(Horizontal, Part):
    """The message of a failure in one of these outputs; hidden without one.

    Args:
        retry: the input that retries. Without it, the button is missing.
    """

    def __init__(self, *names: str, retry: str = "retry") -> None:
        super().__init__(classes="failure")
        self.outputs, self._retry = names, retry

    def compose(self) -> ComposeResult:
        yield Static("", markup=False)
        if self._retry in self.page.about.inputs:
            yield Trigger(self._retry)

    @property
    def has_failure(self) -> bool:
        return self.display

    def show(self, page: Page) -> None:
        failures = [each for name in self.outputs if (each := page.output.get(name))]
        messages = [clean(failure["message"]) for failure in failures]
        self.display = bool(messages)
        put(self.query_one(Static), "⚠ " + " ".join(dict.fromkeys(messages)))
        for button in self.query(Trigger):
            button.display = any(failure.get("retryable", True) for failure in failures)


class Busy(Part):
    """A bar that moves while one of these Boolean outputs is true."""

    def __init__(self, *names: str) -> None:
        super().__init__(classes="busy")
        self._names = names

    def show(self, page: Page) -> None:
        is_busy = any(page.output.get(name) for name in self._names)
        if is_busy != bool(self.auto_refresh):
            self.auto_refresh = 1 / 15 if is_busy else None
            self.refresh()

    def render_line(self, y: int) -> Strip:
        width, start, length = self.size.width, 0, self.size.width
        if not self.auto_refresh:
            return Strip.blank(width, self.rich_style)
        if self.app.animation_level != "none":
            length = width // 4
            start = round(time.monotonic() * width) % (width + length) - length
        bar = Segment("━" * (min(start + length, width) - max(start, 0)), self.rich_style)
        blank = Segment(" " * max(start, 0), self.rich_style)
        return Strip([blank, bar]).crop_extend(0, width, self.rich_style)


class Picture(Part):
    """A picture, drawn as large as the widget; hidden without one."""

    def __init__(self, uri: Callable[[Page], str | None], width: int, height: int) -> None:
        super().__init__(classes="picture")
        self._find = uri
        self._uri: str | None = None
        self.styles.width = width
        self.styles.height = height

    def show(self, page: Page) -> None:
        self._uri = self._find(page)
        self.display = bool(self._uri)
        self.refresh()

    def render_line(self, y: int) -> Strip:
        style, width = self.rich_style, self.size.width
        if not self._uri:
            return Strip.blank(width, style)
        red, green, blue = style.bgcolor.get_truecolor() if style.bgcolor else (0, 0, 0)
        color = f"#{red:02x}{green:02x}{blue:02x}"
        return self.app.pictures.draw(self._uri, width, self.size.height, color)[y]


class Trigger(Button, Part):
    """A button for an input without a value or with a fixed one. Arrow keys leave it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left,up", "app.focus_previous", show=False),
        Binding("right,down", "app.focus_next", show=False),
    ]

    def __init__(
        self,
        name: str,
        *,
        label: str = "",
        value: object = None,
        variant: Any = "default",
        hides: bool = False,
    ) -> None:
        """Creates a button.

        Args:
            label: the output that holds the label, instead of the input's title.
            hides: hides the button, instead of only disabling it, while the input does nothing.
        """
        super().__init__("", variant=variant, name=name, classes="trigger")
        self.input, self._label, self._value = name, label, value
        self._hides = hides

    def show(self, page: Page) -> None:
        port = page.about.inputs[self.input]
        enabled = page.output.get(port.enabled_by, True) if port.enabled_by else True
        self.disabled = not enabled
        if self._hides:
            self.display = bool(enabled)
        self.label = Content(clean(page.output.get(self._label) or port.title))
        self.tooltip = port.description

    @on(Button.Pressed)
    def send(self, event: Button.Pressed) -> None:
        event.stop()
        self.page.send(self.input, self._value)


class Rows(RowList):
    """A list of the output, as rows.

    Args:
        path: the list's path below the output.
        cell: converts a row to a cell; by default, from its members.
        sections: the list of sections, whose `id` the rows' `section` names.
        when: shows the list only while this holds.
        empty: the text if there are no rows, a key of `Words`.
        title: names the missing rows before that text.
    """

    def __init__(
        self,
        path: str,
        cell: ToCell | None = None,
        *,
        sections: str | None = None,
        lines: int = 2,
        picture: int = 0,
        when: Callable[[Page], bool] | None = None,
        empty: str = "Nothing here yet",
        title: str = "",
    ) -> None:
        super().__init__(path, lines=lines, picture=picture)
        self._cell, self._sections, self._when = cell, sections, when
        self._empty, self._title = empty, title
        self._shown: tuple[Any, Any] | None = None

    def show(self, page: Page) -> None:
        if self._when:
            self.display = self._when(page)
        rows = page.find(self.path.partition("/*/")[0], [])
        texts = [self._title, self.app.words(self._empty)]
        self.show_empty("" if rows or page.is_waiting else ": ".join(filter(None, texts)))
        sections: Any = page.find(self._sections, []) if self._sections else []
        if self._shown and self._shown[0] is rows and self._shown[1] is sections:
            return
        self._shown = (rows, sections)
        cell = self._cell or cell_of(page, self.path)
        if "*" in self.path:
            self._show_nested(page, rows, cell)
            return
        titles: dict[Any, Any] = {section["id"]: section["title"] for section in sections}
        items, current = list[Item](), None
        for row in rows:
            section = row.get("section") if titles else None
            if section != current and section in titles:
                items.append((None, Header(clean(titles[section]))))
            current = section
            items.append((row, cell(row)))
        self.set_items(items)

    def _show_nested(self, page: Page, parents: Any, cell: ToCell) -> None:
        """Shows the rows of each parent under a header with the parent's texts."""
        path, _, member = self.path.partition("/*/")
        schema = page.description.items(page.about.outputs[path].schema)
        items, self.parents = list[Item](), {}
        for parent in parents:
            items.append((None, Header(clean(page.description.say(parent, schema)))))
            for row in parent.get(member, []):
                self.parents[id(row)] = parent
                items.append((row, cell(row)))
        self.set_items(items)


class Cards(CardStrip):
    """A list of the output, as cards side by side."""

    def __init__(
        self, path: str, cell: ToCell, *, picture: tuple[int, int], width: int = 0
    ) -> None:
        super().__init__(path, picture=picture, width=width)
        self._cell = cell
        self._shown: Any = None
        self.styles.height = picture[1] + 3

    def show(self, page: Page) -> None:
        self.show_rows(page.find(self.path, []))

    def show_rows(self, rows: list[Any]) -> None:
        if self._shown is not rows:
            self._shown = rows
            self.set_items([(row, self._cell(row)) for row in rows])


def cell_of(page: Page, path: str) -> ToCell:
    """Returns a function that converts a row of a list to a cell, based on the row's schema."""
    describe = page.description
    items, say = describe.items(describe.within(page.about.outputs, path)), describe.say
    members: list[str] = [name for name in items.get("properties", {}) if name != "id"]
    pictures = [m for m in members if describe.is_picture(items["properties"][m])]

    def cell(row: Any) -> Cell:
        if not hasattr(row, "get"):
            return Cell(clean(row))
        texts = [say({m: row.get(m)}, items) for m in members]
        texts = [text for text in texts if text and not text.startswith("data:")]
        picture: Any = next((row.get(m) for m in pictures), None)
        title = texts[0] if texts else clean(row.get("id", ""))
        return Cell(clean(title), clean(" · ".join(texts[1:])), picture=picture)

    return cell
