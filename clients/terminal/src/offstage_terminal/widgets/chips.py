"""Short texts side by side: the values of a choice, and words that can be removed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from rich.cells import cell_len
from rich.segment import Segment
from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Size
from textual.reactive import reactive
from textual.strip import Strip
from textual.widget import Widget

from ..model.text import clean, fit
from .page import Page, Part


class Chips(Widget):
    """Texts side by side, on as many lines as they need. A click picks one.

    Attributes:
        label: the text above them; empty for none.
        options: the value and the text of each.
        chosen: the value of the one that stands out.
    """

    COMPONENT_CLASSES: ClassVar[set[str]] = {"pills--label", "pills--pill", "pills--chosen"}

    chosen: reactive[Any] = reactive(None)

    def __init__(
        self, label: str = "", options: Sequence[tuple[Any, str]] = (), name: str | None = None
    ) -> None:
        super().__init__(name=name, classes="pills")
        self.label, self.options = label, [*options]

    def pick(self, value: Any) -> None:
        """Handles a click."""

    def _spots(self, width: int) -> list[tuple[int, int, int, Any, str]]:
        """Lays the texts out: line, start, end, value, and text of each."""
        x, y, spots = 0, int(bool(self.label)), list[tuple[int, int, int, Any, str]]()
        for value, text in self.options:
            text = f" {text} "
            if x and x + cell_len(text) > width:
                x, y = 0, y + 1
            spots.append((y, x, x + cell_len(text), value, text))
            x += cell_len(text) + 1
        return spots

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return (self._spots(width) or [(0,)])[-1][0] + 1

    def render_line(self, y: int) -> Strip:
        width, style = self.size.width, self.rich_style
        if self.label and y == 0:
            label = self.get_component_rich_style("pills--label")
            return Strip([Segment(fit(self.label, width), label)], width)
        segments, x = list[Segment](), 0
        for line, start, end, value, text in self._spots(width):
            if line == y:
                name = "pills--chosen" if value == self.chosen else "pills--pill"
                look = self.get_component_rich_style(name)
                segments += [Segment(" " * (start - x), style), Segment(text, look)]
                x = end
        return Strip(segments).crop_extend(0, width, style)

    def on_click(self, event: events.Click) -> None:
        for line, start, end, value, _ in self._spots(self.size.width):
            if (line, True) == (event.y, start <= event.x < end):
                self.pick(value)


class Choice(Chips, can_focus=True):
    """A choice among a few values, all of them visible."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "step(-1)", "Choose", key_display="←→"),
        Binding("right", "step(1)", show=False),
    ]

    def pick(self, value: Any) -> None:
        self.chosen = value

    def action_step(self, by: int) -> None:
        values = [value for value, _ in self.options]
        at = values.index(self.chosen) if self.chosen in values else -1 if by > 0 else 0
        if values:
            self.pick(values[(at + by) % len(values)])


class Pills(Choice, Part):
    """A choice that an input takes."""

    def __init__(self, name: str, *, label: bool = True) -> None:
        super().__init__()
        self.input, self._has_label = name, label

    def show(self, page: Page) -> None:
        port = page.about.inputs[self.input]
        self.label = page.say_unsent(self.input, clean(port.title)) if self._has_label else ""
        titles = port.schema.get("x-titles", {})
        values: list[Any] = port.schema.get("enum") or [True, False]
        schema, options = port.schema, page.about.of_input("options", self.input)
        if options:
            values = page.value(options) or []
            schema = page.description.items(options.schema)
        self.display = page.is_on(port.visible_by)
        self.chosen = page.current(self.input)
        if self.chosen not in values:
            values = [self.chosen, *values]  # What was chosen need not be on offer any more.
        self.options = [
            (value, self._say(page, schema, value))
            for value in values
            if value is not None or "null" in titles
        ]
        self.disabled = not page.is_on(port.enabled_by)
        self.refresh(layout=True)

    def _say(self, page: Page, schema: Any, value: Any) -> str:
        text = page.description.say(value, schema)
        if isinstance(value, bool):
            text = self.app.words(text)
        return clean(text or str(value))

    def pick(self, value: Any) -> None:
        self.page.send(self.input, value)
