"""The parts that pages are made of. Each draws an output, or sends to an input."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar

from offstage import Port
from rich.segment import Segment
from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.geometry import Size
from textual.reactive import reactive
from textual.strip import Strip
from textual.widget import Widget
from textual.widgets import Button, Input, Label, Static, Switch

from .cells import Cell, Header, Item
from .rows import CardStrip, RowList
from .text import cells, clean, fit

if TYPE_CHECKING:
    from .app import TerminalApp
    from .page import Page

ToCell = Callable[[Any], Cell]


class Part(Widget):
    """A widget that draws a part of its page's screen."""

    app: TerminalApp

    def show(self, page: Page) -> None:
        """Draws the current output of the page's screen."""
        raise NotImplementedError


def put(widget: Static, text: str | Content) -> None:
    """Shows a text, without a new layout if the widget shows it already."""
    if widget.content != (content := Content(text) if isinstance(text, str) else text):
        widget.update(content)


class Home(Part):
    """A part that takes the focus when its page appears, like lists."""


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
        retry: the input that tries again. A screen that lacks it has no button.
    """

    def __init__(self, *names: str, retry: str = "retry") -> None:
        super().__init__(classes="failure")
        self.outputs, self._retry = names, retry

    def compose(self) -> ComposeResult:
        yield Static("", markup=False)
        if self._retry in self.app.page_of(self).about.inputs:
            yield Trigger(self._retry)

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
    """A picture, drawn as large as the widget."""

    def __init__(self, uri: Callable[[Page], str | None], width: int, height: int) -> None:
        super().__init__(classes="picture")
        self._find = uri
        self._uri: str | None = None
        self.styles.width = width
        self.styles.height = height

    def show(self, page: Page) -> None:
        self._uri = self._find(page)
        self.refresh()

    def render_line(self, y: int) -> Strip:
        style, width = self.rich_style, self.size.width
        if not self._uri:
            return Strip.blank(width, style)
        red, green, blue = style.bgcolor.get_truecolor() if style.bgcolor else (0, 0, 0)
        color = f"#{red:02x}{green:02x}{blue:02x}"
        return self.app.pictures.draw(self._uri, width, self.size.height, color)[y]


class Trigger(Button, Part):
    """A button for an input without a value, or with a fixed one."""

    def __init__(
        self,
        name: str,
        *,
        label: str = "",
        value: object = None,
        variant: Any = "default",
        hides: bool = False,
    ) -> None:
        """Makes a button.

        Args:
            label: the output that holds the label, instead of the input's title.
            hides: the button is hidden, not only disabled, while the input does nothing.
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
        self.app.page_of(self).send(self.input, self._value)


class TextField(Vertical, Part):
    """A text input that is written ahead of the core, with its error below."""

    def __init__(self, name: str, *, label: bool = True, port: Port | None = None) -> None:
        super().__init__(classes="field")
        self.input, self._has_label, self._port = name, label, port

    def compose(self) -> ComposeResult:
        if self._has_label:
            yield Label("", classes="field--label", markup=False)
        yield Input(select_on_focus=False, compact=False)
        yield Label("", classes="field--error", markup=False)

    def show(self, page: Page) -> None:
        port = page.about.inputs[self.input]
        field = page.owner.field(self.input)
        text, entry = field.value, self.query_one(Input)
        if self._has_label:
            put(self.query_one(".field--label", Label), clean(port.title))
        entry.placeholder = clean(port.placeholder or "" if self._has_label else port.title)
        if not field.is_pending and text is not None and clean(text) != entry.value:
            with entry.prevent(Input.Changed):
                entry.value = clean(text)
        error = clean(field.error or "")
        label = self.query_one(".field--error", Label)
        label.display = bool(error)
        put(label, error)
        self.set_class(bool(error), "-invalid")

    @on(Input.Changed)
    def write(self, event: Input.Changed) -> None:
        event.stop()
        page = self.app.page_of(self)
        page.write(self.input, event.value)

    @on(Input.Submitted)
    def submit(self, event: Input.Submitted) -> None:
        event.stop()
        self.app.page_of(self).submit(self)


class Pills(Part, can_focus=True):
    """A choice of a few values, all of them visible."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {"pills--label", "pills--pill", "pills--chosen"}
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "step(-1)", "Choose", key_display="←→"),
        Binding("right", "step(1)", show=False),
    ]

    def __init__(self, name: str, *, label: bool = True) -> None:
        super().__init__(classes="pills")
        self.input, self._has_label = name, label
        self._label, self._options, self._chosen = "", list[tuple[Any, str]](), None

    chosen: reactive[Any] = reactive(None)

    def show(self, page: Page) -> None:
        port = page.about.inputs[self.input]
        self._label = clean(port.title) if self._has_label else ""
        values = port.schema.get("enum") or [True, False]
        self._options = [
            (value, clean(page.description.say(value, port.schema) or str(value)))
            for value in values
            if value is not None
        ]
        self.chosen = page.owner.current(self.input)
        self.refresh(layout=True)

    def _spots(self) -> list[tuple[int, int, int, Any, str]]:
        """Lays the pills out: line, start, end, value, and text of each."""
        x, y, spots = 0, int(bool(self._label)), list[tuple[int, int, int, Any, str]]()
        for value, text in self._options:
            text = f" {text} "
            if x and x + cells(text) > max(self.content_size.width, 10):
                x, y = 0, y + 1
            spots.append((y, x, x + cells(text), value, text))
            x += cells(text) + 1
        return spots

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return (self._spots() or [(0,)])[-1][0] + 1

    def render_line(self, y: int) -> Strip:
        width, style = self.size.width, self.rich_style
        if self._label and y == 0:
            label = self.get_component_rich_style("pills--label")
            return Strip([Segment(fit(self._label, width), label)], width)
        segments, x = list[Segment](), 0
        for line, start, end, value, text in self._spots():
            if line == y:
                name = "pills--chosen" if value == self.chosen else "pills--pill"
                look = self.get_component_rich_style(name)
                segments += [Segment(" " * (start - x), style), Segment(text, look)]
                x = end
        return Strip(segments).crop_extend(0, width, style)

    def on_click(self, event: events.Click) -> None:
        for line, start, end, value, _ in self._spots():
            if (line, True) == (event.y, start <= event.x < end):
                self._choose(value)

    def action_step(self, by: int) -> None:
        values = [value for value, _ in self._options]
        at = values.index(self.chosen) if self.chosen in values else -1 if by > 0 else 0
        if values:
            self._choose(values[(at + by) % len(values)])

    def _choose(self, value: Any) -> None:
        self.app.page_of(self).send(self.input, value)


class Toggle(Horizontal, Part):
    """A switch for a Boolean input."""

    def __init__(self, name: str) -> None:
        super().__init__(classes="toggle")
        self.input = name

    def compose(self) -> ComposeResult:
        yield Switch()
        yield Label("", markup=False)

    def show(self, page: Page) -> None:
        put(self.query_one(Label), clean(page.about.inputs[self.input].title))
        switch = self.query_one(Switch)
        with switch.prevent(Switch.Changed):
            switch.value = page.owner.current(self.input) is True

    @on(Switch.Changed)
    def switched(self, event: Switch.Changed) -> None:
        event.stop()
        self.app.page_of(self).send(self.input, event.value)


class ValueField(Vertical, Part):
    """An input whose value is typed: a number, a text, or words for an object's members."""

    def __init__(self, name: str) -> None:
        super().__init__(classes="field")
        self.input = name

    def compose(self) -> ComposeResult:
        yield Label("", classes="field--label", markup=False)
        yield Input()
        yield Label("", classes="field--error", markup=False)

    def show(self, page: Page) -> None:
        port = page.about.inputs[self.input]
        put(self.query_one(".field--label", Label), clean(port.title))
        members = port.schema.get("properties", {})
        self.query_one(Input).placeholder = " ".join(members) or "⏎"

    @on(Input.Submitted)
    def submitted(self, event: Input.Submitted) -> None:
        event.stop()
        page = self.app.page_of(self)
        schema = page.about.inputs[self.input].schema
        page.send(self.input, page.description.parse(event.value, schema))
        event.input.clear()


class Rows(RowList, Part):  # pyright: ignore[reportIncompatibleMethodOverride]
    """A list of the output, as rows.

    Args:
        path: the list's path below the output.
        cell: makes what a row shows; by default, of its members.
        sections: the list of sections, whose `id` the rows' `section` names.
        when: shows the list only while this holds.
        empty: the text in the place of rows, a key of `Words`.
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
    ) -> None:
        super().__init__(path, lines=lines, picture=picture)
        self._cell, self._sections, self._when = cell, sections, when
        self._empty = empty
        self._shown: tuple[Any, Any] | None = None

    def show(self, page: Page) -> None:
        if self._when:
            self.display = self._when(page)
        rows = page.find(self.path.partition("/*/")[0], [])
        self.show_empty("" if rows or page.is_waiting else self.app.words(self._empty))
        sections: Any = page.find(self._sections, []) if self._sections else []
        if self._shown and self._shown[0] is rows and self._shown[1] is sections:
            return
        self._shown = (rows, sections)
        cell = self._cell or page.cell_for(self.path)
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


class Cards(CardStrip, Part):  # pyright: ignore[reportIncompatibleMethodOverride]
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
