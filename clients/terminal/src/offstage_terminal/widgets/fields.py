"""The parts that a person fills in: texts, choices, switches, and values."""

from __future__ import annotations

from typing import Any, ClassVar

from offstage import Port
from rich.cells import cell_len
from rich.segment import Segment
from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.geometry import Size
from textual.reactive import reactive
from textual.strip import Strip
from textual.widgets import Input, Label, Switch

from ..model.text import clean, fit
from .page import Page, Part, put


class Entry(Input, inherit_bindings=False):
    """A line of text."""

    BINDINGS = Input.BINDINGS  # Without the bindings of a scroll view, such as Down.

    def check_consume_key(self, key: str, character: str | None) -> bool:
        # Textual does not recognize the character of the slash key.
        return key == "slash" or super().check_consume_key(key, character)


class Field(Vertical, Part):
    """A field that is typed into. Up and Down leave it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "app.focus_previous", show=False),
        Binding("down", "app.focus_next", show=False),
    ]


class TextField(Field):
    """A text input that is written ahead of the core, with its error below."""

    def __init__(self, name: str, *, label: bool = True) -> None:
        super().__init__(classes="field")
        self.input, self._has_label = name, label

    def compose(self) -> ComposeResult:
        if self._has_label:
            yield Label("", classes="field--label", markup=False)
        yield Entry(select_on_focus=False, compact=False)
        yield Label("", classes="field--error", markup=False)

    def show(self, page: Page) -> None:
        port = page.about.inputs[self.input]
        field = page.owner.field(self.input)
        text, entry = field.value, self.query_one(Input)
        if self._has_label:
            put(self.query_one(".field--label", Label), clean(port.title))
        entry.placeholder = clean(port.placeholder or "" if self._has_label else port.title)
        entry.password = port.is_secret
        if text is not None and clean(text) != entry.value:
            entry.value = clean(text)
        error = clean(field.error or "")
        label = self.query_one(".field--error", Label)
        text = error or (self.app.words("Checking…") if field.is_checking else "")
        label.display = bool(text)
        put(label, text)
        self.set_class(bool(error), "-invalid")

    def on_mount(self) -> None:
        # Not with `Input.Changed`: a frame with older text may be shown before that message.
        self.watch(self.query_one(Input), "value", self._write, init=False)

    def _write(self, text: str) -> None:
        page = self.page
        if text != clean(page.owner.field(self.input).value or ""):
            page.write(self.input, text)

    @on(Input.Submitted)
    def submit(self, event: Input.Submitted) -> None:
        event.stop()
        self.page.submit(self.input)


class Pills(Part, can_focus=True):
    """A choice among a few values, all of them visible."""

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
            (value, self._say(page, port, value)) for value in values if value is not None
        ]
        self.chosen = page.owner.current(self.input)
        self.refresh(layout=True)

    def _say(self, page: Page, port: Port, value: Any) -> str:
        if isinstance(value, bool):
            return self.app.words("Yes" if value else "No")
        return clean(page.description.say(value, port.schema) or str(value))

    def _spots(self) -> list[tuple[int, int, int, Any, str]]:
        """Lays the pills out: line, start, end, value, and text of each."""
        x, y, spots = 0, int(bool(self._label)), list[tuple[int, int, int, Any, str]]()
        for value, text in self._options:
            text = f" {text} "
            if x and x + cell_len(text) > max(self.content_size.width, 10):
                x, y = 0, y + 1
            spots.append((y, x, x + cell_len(text), value, text))
            x += cell_len(text) + 1
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
        self.page.send(self.input, value)


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
        self.page.send(self.input, event.value)


class ValueField(Field):
    """An input whose value is typed: a number, a text, or words for an object's members."""

    def __init__(self, name: str) -> None:
        super().__init__(classes="field")
        self.input = name
        self._shown = ""

    def compose(self) -> ComposeResult:
        yield Label("", classes="field--label", markup=False)
        yield Entry(select_on_focus=False)
        yield Label("", classes="field--error", markup=False)

    def show(self, page: Page) -> None:
        port = page.about.inputs[self.input]
        put(self.query_one(".field--label", Label), clean(port.title))
        members = port.schema.get("properties", {})
        entry = self.query_one(Input)
        entry.placeholder = " ".join(members) or "⏎"
        # Typed text stays until another value arrives.
        text = clean(page.description.say(page.owner.current(self.input), port.schema))
        if text != self._shown:
            self._shown = entry.value = text

    @on(Input.Submitted)
    def submitted(self, event: Input.Submitted) -> None:
        event.stop()
        page = self.page
        schema = page.about.inputs[self.input].schema
        page.send(self.input, page.description.parse(event.value, schema))
        self._shown = ""
        event.input.clear()
