"""The base of pages, which show one screen of the core, or a part of one, by their parts."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, TypeVar

from offstage import (
    Core,
    CoreStopped,
    Description,
    NavigationReply,
    Owner,
    PointerError,
    Port,
    pointer,
)
from textual.containers import Container
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Static

from .host import Host

W = TypeVar("W", bound=Widget)


class Part(Widget):
    """A widget that draws an output of its page's screen, or sends to an input."""

    app: Host

    @property
    def page(self) -> Page:
        return page_of(self)

    @property
    def has_failure(self) -> bool:
        """True while the widget shows a failure."""
        return False

    def show(self, page: Page) -> None:
        """Draws the current output of the page's screen."""
        raise NotImplementedError


class Home(Part):
    """A part that takes the focus when its page appears, like lists."""


class Page(Container):
    """The base of pages.

    Attributes:
        owner: the screen, or the part of one.
        about: the description of the owner.
        last_focus: the widget that had the focus when another page covered this one.
        last_write: the newest text that was sent.
        sent: the answer to the newest press of each button.
        told: the values of events that the page shows until the next input.
    """

    app: Host
    DEFAULT_CLASSES = "page"

    def __init__(self, owner: Owner) -> None:
        super().__init__()
        self.owner, self.about = owner, owner.about
        self.last_focus: Widget | None = None
        self.last_write: asyncio.Future[Any] | None = None
        self.sent: dict[str, asyncio.Future[Any]] = {}
        self.told: dict[str, Any] = {}

    @property
    def core(self) -> Core:
        return self.app.core

    @property
    def is_beside(self) -> bool:
        """True while the page is at the left of the one that it has opened."""
        return self.has_class("beside")

    @property
    def description(self) -> Description:
        return self.core.description

    @property
    def output(self) -> Any:
        return self.owner.output if self.owner.is_open else {}

    def heading(self) -> str:
        """Returns the title of the screen or part."""
        return (self.owner.heading if self.owner.is_open else "") or self.about.title

    def find(self, path: str, default: Any = None) -> Any:
        """Returns the part of the output at a path, or `default` if it is missing or null."""
        try:
            value = pointer.resolve(self.output, f"/{path}")
        except PointerError:
            return default
        return default if value is None else value

    def value(self, port: Port) -> Any:
        """Returns the value of an output, or of an event that the page still shows."""
        return self.output.get(port.name, self.told.get(port.name))

    def current(self, name: str) -> Any:
        """Returns the value that an input has now: in its field, or in the output that shows it."""
        field, selection = self.owner.field(name), self.about.of_input("selection", name)
        if field.is_pending:
            return field.value
        return self.value(selection) if selection else self.owner.current(name)

    def is_on(self, condition: str | None) -> bool:
        """True unless this Boolean output is false."""
        return condition is None or bool(self.output.get(condition, True))

    def button_with(self, weight: str) -> Port | None:
        """Returns the first visible trigger of a weight, such as `main`."""
        ports = (port for port in self.about.inputs.values() if port.weight == weight)
        triggers = (port for port in ports if port.role == "trigger")
        return next((port for port in triggers if self.is_on(port.visible_by)), None)

    def offers(self, name: str) -> bool:
        """True while an output shows an input as its action, such as undo beside a notice."""
        ports = (*self.about.outputs.values(), *self.about.events.values())
        return any(name in port.actions and self.is_active(port) for port in ports)

    def is_active(self, port: Port) -> bool:
        """True while an output offers its actions."""
        value = self.value(port)
        return port.can_retry(value) if port.role == "failure" else bool(value)

    def is_waiting(self, path: str) -> bool:
        """True while a list loads, or if something has failed."""
        failed = any(part.has_failure for part in self.own(Part))
        return failed or any(map(self.value, self.about.about_list("busy", path)))

    def show(self) -> None:
        """Draws the screen's current output."""
        self.show_parts()

    def show_parts(self) -> None:
        for part in self.own(Part):
            part.show(self)

    def own(self, kind: type[W]) -> list[W]:
        """Returns the widgets of a kind, without those of nested pages."""
        return [each for each in self.walk_children(kind) if page_of(each) is self]

    def tell(self, name: str, value: Any) -> None:
        """Shows the value of an event with its actions, until the next input."""
        self.told[name] = value
        self.show_parts()

    def send(self, name: str, value: Any = None) -> None:
        if self.told:
            self.told.clear()
            self.show_parts()
        port = self.about.inputs[name]
        if port.role == "trigger" and self.is_unsent(name):
            return  # Pressed again while the core is away.
        with suppress(CoreStopped):  # The app is about to end.
            if port.role in ("choice", "toggle") or name in self.about.fields:
                self._do(self.owner.field(name).write(value))
            elif self.is_beside and port.role in ("trigger", "row") and "x-shows" not in port.says:
                self._close_detail(partial(self._send, name, value))
            else:
                self._send(name, value)

    def _send(self, name: str, value: Any) -> None:
        with suppress(CoreStopped):
            self.sent[name] = self.owner.send(name, value)
            self._do(self.sent[name])

    def _close_detail(self, send: Callable[[], None]) -> None:
        """Closes what the page has opened, and then sends: a covered screen opens nothing."""

        def done(reply: asyncio.Future[NavigationReply]) -> None:
            is_answered = not reply.cancelled() and reply.exception() is None
            if is_answered and reply.result().outcome == "done":
                send()

        reply = self.core.pop_to(self.owner.id)
        reply.add_done_callback(done)
        self._do(reply)

    def write(self, name: str, value: Any) -> None:
        with suppress(CoreStopped):
            self.last_write = self.owner.field(name).write(value)
            self._do(self.last_write)

    def _do(self, answer: asyncio.Future[Any]) -> None:
        self.app.do(answer)
        if self.core.is_away:  # No frame comes.
            self.show_parts()

    def is_unsent(self, name: str) -> bool:
        """True if what a person has typed, chosen, or pressed waits for the core to come back."""
        is_pressed = name in self.sent and not self.sent[name].done()
        return self.core.is_away and (is_pressed or self.owner.field(name).is_pending)

    def say_unsent(self, name: str, title: str) -> str:
        """Adds to a title that what was sent waits."""
        return f"{title} · {self.app.words('Not sent yet')}" if self.is_unsent(name) else title

    def leave(self, name: str) -> None:
        """Lets the core say what is wrong with a field that the person has left."""
        if name in self.about.fields:
            # What it says may move what is pressed.
            self.app.after_press(self.owner.field(name).check)

    def move(self, list: str, rows: Sequence[Any], at: int, by: int) -> None:
        """Moves a row of a list up or down, if there is an input for that."""
        for port, value in self.about.moves(list, rows, at, by):
            self.send(port.name, value)
            return

    def submit(self, name: str) -> None:
        """Moves on from a text field, in which the user has pressed Enter."""


def page_of(widget: Widget) -> Page:
    """Returns the innermost page around a widget, which may draw a part of a screen."""
    return next(each for each in widget.ancestors if isinstance(each, Page))


def put(widget: Static, text: str | Content) -> None:
    """Shows a text. Skips the layout if the text is already shown in the same style."""
    content = Content(text) if isinstance(text, str) else text
    before = widget.content
    if before != content or isinstance(before, Content) and before.spans != content.spans:
        widget.update(content)
