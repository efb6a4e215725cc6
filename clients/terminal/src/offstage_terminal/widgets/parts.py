"""The parts of pages. Each draws an output or sends to an input."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any, ClassVar

from offstage import Port
from rich.cells import cell_len
from rich.segment import Segment
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.strip import Strip
from textual.widgets import Button, Static

from ..model.text import clean, fit, wrap
from .page import Page, Part, put


class Line(Static, Part):
    """A text computed from the page; hidden while it is empty."""

    def __init__(self, text: Callable[[Page], str | Content], *, classes: str = "") -> None:
        super().__init__("", classes=f"line {classes}", markup=False)
        self._text = text

    def show(self, page: Page) -> None:
        text = self._text(page)
        text = clean(text, lines=True) if isinstance(text, str) else text
        self.display = bool(text)
        put(self, text)
        if isinstance(self.parent, Facts):
            self.parent.fold()


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
        value: object = None,
        variant: Any = "default",
        hides: bool = False,
    ) -> None:
        """Creates a button.

        Args:
            hides: hides the button, instead of only disabling it, while the input does nothing.
        """
        super().__init__("", variant=variant, name=name, classes="trigger")
        self.input, self._value = name, value
        self._hides = hides

    def show(self, page: Page) -> None:
        port = page.about.inputs[self.input]
        enabled = page.is_on(port.enabled_by)
        self.disabled = not enabled
        self.display = page.is_on(port.visible_by) and (enabled or not self._hides)
        self.label = Content(page.say_unsent(self.input, clean(page.owner.title_of(port))))
        self.tooltip = page.owner.reason(port) or port.description

    @on(Button.Pressed)
    def send(self, event: Button.Pressed) -> None:
        event.stop()
        self.page.send(self.input, self._value)


class Facts(Vertical):
    """Short lines without gaps; hidden while all of them are."""

    def fold(self) -> None:
        self.display = any(line.display for line in self.query_children(Line))


class Offered(Trigger):
    """A button beside the output that offers its input; hidden while it does not."""

    def __init__(self, name: str, owners: Sequence[Port]) -> None:
        super().__init__(name)
        self._owners = [port for port in owners if name in port.actions]

    def show(self, page: Page) -> None:
        super().show(page)
        is_offered = any(map(page.is_active, self._owners))
        self.display = self.display and is_offered and not self.disabled


class Offer(Horizontal, Part):
    """The text of some outputs, with a button for each action; hidden without a text."""

    SIGN = ""

    def __init__(self, *names: str, actions: bool = True) -> None:
        super().__init__(classes=f"offer {type(self).__name__.lower()}")
        self.names, self._has_actions = names, actions

    @property
    def ports(self) -> list[Port]:
        about = self.page.about
        return [about.outputs.get(name) or about.events[name] for name in self.names]

    def compose(self) -> ComposeResult:
        yield Static("", markup=False)
        for name in dict.fromkeys(name for port in self.ports for name in port.actions):
            if self._has_actions and name in self.page.about.inputs:
                yield Offered(name, self.ports)

    def text(self, page: Page, port: Port) -> str:
        return port.message(page.value(port))

    def show(self, page: Page) -> None:
        texts = [clean(text) for port in self.ports if (text := self.text(page, port))]
        self.display = bool(texts)
        put(self.query_one(Static), self.SIGN + " ".join(dict.fromkeys(texts)))


class Failure(Offer):
    """The message of a failure in one of these outputs or events, with what tries again."""

    SIGN = "⚠ "

    @property
    def has_failure(self) -> bool:
        return self.display


class Notice(Offer):
    """A short message, which the core takes away."""

    SIGN = "ℹ "


class Empty(Offer):
    """What to say about a list that has nothing, and what to do about it."""

    def text(self, page: Page, port: Port) -> str:
        value = page.value(port)
        return (port.description or port.title) if value is True else str(value or "")


class Busy(Part):
    """A bar that moves while one of these Boolean outputs is true, with what runs."""

    def __init__(self, *names: str) -> None:
        super().__init__(classes="busy")
        self._names, self._title = names, ""

    def show(self, page: Page) -> None:
        outputs = page.about.outputs
        titles = [clean(outputs[name].title) for name in self._names if page.output.get(name)]
        title = titles[0] if titles else ""
        if title != self._title:
            self._title = title
            self.auto_refresh = 1 / 15 if title else None
            self.refresh()

    def render_line(self, y: int) -> Strip:
        style, width = self.rich_style, self.size.width
        if not self._title:
            return Strip.blank(width, style)
        text = f" {self._title} "
        room = max(width - cell_len(text), 0)
        start, length = 0, room
        if self.app.animation_level != "none":
            length = room // 4
            start = round(time.monotonic() * room) % (room + length or 1) - length
        bar = Segment("━" * (min(start + length, room) - max(start, 0)), style)
        segments = [Segment(text, style), Segment(" " * max(start, 0), style), bar]
        return Strip(segments).crop_extend(0, width, style)


class Picture(Part):
    """A picture, drawn as large as the widget; hidden without one.

    Args:
        alt: the text to show until the picture has arrived.
    """

    def __init__(
        self,
        uri: Callable[[Page], str | None],
        width: int,
        height: int,
        alt: Callable[[Page], str] = lambda page: "",
    ) -> None:
        super().__init__(classes="picture")
        self._find, self._find_alt = uri, alt
        self._uri: str | None = None
        self.styles.width = width
        self.styles.height = height

    def show(self, page: Page) -> None:
        self._uri = self._find(page)
        self.tooltip = clean(self._find_alt(page)) or None
        self.display = bool(self._uri)
        self.refresh()

    def render_line(self, y: int) -> Strip:
        style, width, height = self.rich_style, self.size.width, self.size.height
        if not self._uri:
            return Strip.blank(width, style)
        red, green, blue = style.bgcolor.get_truecolor() if style.bgcolor else (0, 0, 0)
        color = f"#{red:02x}{green:02x}{blue:02x}"
        strips = self.app.pictures.draw(
            self._uri, width, height, color, is_on_top=self.screen.is_active
        )
        if self.tooltip and not self.app.pictures.has(self._uri):
            lines = wrap(str(self.tooltip), width)
            text = fit(lines[y], width) if y < len(lines) else " " * width
            return Strip([Segment(text, style)], width)
        return strips[y]
