"""A page shows one screen of the core, or a part of one."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from offstage import Core, Description, Event, Owner, PointerError, Port, pointer
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container, Horizontal
from textual.widget import Widget
from textual.widgets import Input, Static

from .cells import Cell, Cells
from .fields import TextField
from .parts import Failure, Part, Trigger, put
from .stale import Stale
from .text import clean

if TYPE_CHECKING:
    from .app import TerminalApp

W = TypeVar("W", bound=Widget)


class Page(Container):
    """The base of pages. Override `body`, and `heading` if the title depends on the output.

    Attributes:
        owner: the screen, or the part of one.
        about: the description of the owner.
        id_of_screen: the screen's id in the document.
        last_focus: the widget that had the focus when another page covered this one.
    """

    styled: ClassVar[dict[tuple[str, str], type[Page]]] = {}
    """The page classes by the name of an app and the kind of a screen.

    Other screens are drawn from their description, even those of the same kind in another app.
    """

    app: TerminalApp
    DEFAULT_CLASSES = "page"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("slash", "search", "Search")]

    def __init_subclass__(cls, app: str = "", kind: str = "") -> None:
        super().__init_subclass__()
        if kind:
            Page.styled[app, kind] = cls

    def __init__(self, owner: Owner) -> None:
        super().__init__()
        self.owner, self.about = owner, owner.about
        self.id_of_screen = owner.id
        self.last_focus: Widget | None = None
        self._write: asyncio.Future[Any] | None = None

    @property
    def core(self) -> Core:
        return self.app.core

    @property
    def description(self) -> Description:
        return self.core.description

    @property
    def output(self) -> Any:
        return self.owner.output if self.owner.is_open else {}

    def find(self, path: str, default: Any = None) -> Any:
        """Returns the part of the output at a path, or `default` if it is missing or null."""
        try:
            value = pointer.resolve(self.output, f"/{path}")
        except PointerError:
            return default
        return default if value is None else value

    def busy_outputs(self) -> list[str]:
        """Returns the Boolean outputs that indicate running work, such as `isLoading`."""
        enabling = {port.enabled_by for port in self.about.inputs.values()}
        return [
            port.name
            for port in self.about.outputs.values()
            if port.schema.get("type") == "boolean"
            and port.name not in enabling
            and port.name.endswith("ing")
        ]

    @property
    def is_waiting(self) -> bool:
        """True while the screen loads, or if loading has failed."""
        failed = any(failure.display for failure in self.own(Failure))
        return failed or any(self.output.get(name) for name in self.busy_outputs())

    def heading(self) -> str:
        return self.about.title

    def body(self) -> ComposeResult:
        """Yields the parts below the title."""
        raise NotImplementedError

    def compose(self) -> ComposeResult:
        with Horizontal(classes="page--bar"):
            yield Static("", classes="page--back", markup=False)
            yield Static("", classes="page--title", markup=False)
            yield Stale()
        yield from self.body()

    def show(self) -> None:
        """Draws the screen's current output."""
        put(self.query_one(".page--title", Static), clean(self.heading()))
        back = self.query_one(".page--back", Static)
        label = self.app.back_label(self.id_of_screen)
        back.display = bool(label)
        put(back, label)
        self.show_parts()

    def show_parts(self) -> None:
        for part in self.own(Part):
            part.show(self)

    def own(self, kind: type[W]) -> list[W]:
        """Returns the widgets of a kind, without those of nested pages."""
        return [each for each in self.walk_children(kind) if self.app.page_of(each) is self]

    @on(Cells.Chosen)
    def chosen(self, event: Cells.Chosen) -> None:
        event.stop()
        around = self.rows_around(event.cells, event.rows[event.at])
        actions = [
            *self.about.row_actions(event.cells.pattern, event.rows, event.at, around),
        ]
        if event.menu and actions:
            titles = [clean(title) for title, _, _ in actions]
            self.app.choose(titles, lambda n: self.send(actions[n][1].name, actions[n][2]))
        elif actions and actions[0][1].role == "row":
            self.send(actions[0][1].name, actions[0][2])

    def move(self, list: str, rows: Sequence[Any], at: int, by: int) -> None:
        """Moves a row of a list up or down, if there is an input for that."""
        for port, value in self.about.moves(list, rows, at, by):
            self.send(port.name, value)
            return

    @on(Cells.Moved)
    def moved(self, event: Cells.Moved) -> None:
        event.stop()
        self.move(event.cells.pattern, event.rows, event.at, event.by)

    def rows_around(self, cells: Cells, row: Any) -> list[Any]:
        """Returns the rows that contain a row, such as the shelf of `shelves/2/cards`."""
        if parent := cells.parents.get(id(row)):
            return [parent]
        tokens = cells.path.split("/")
        return [
            self.find("/".join(tokens[: at + 1]))
            for at, token in enumerate(tokens)
            if token.isdigit()
        ]

    @on(Cells.Ended)
    def ended(self, event: Cells.Ended) -> None:
        """Reports the end once for each length of the list."""
        event.stop()
        if event.cells.display:
            self.owner.reached_end(event.cells.pattern, len(event.cells.items))

    def on_click(self, event: Any) -> None:
        if event.widget and event.widget.has_class("page--back"):
            event.stop()
            self.app.go_back()

    def send(self, name: str, value: Any = None) -> None:
        if self.core.error:
            return  # The app is about to report the end.
        self.app.do(self.owner.send(name, value))
        self.app.trail.note(value)

    def write(self, name: str, value: Any) -> None:
        if self.core.error:
            return
        self._write = self.owner.field(name).write(value)
        self.app.do(self._write)

    @property
    def search_field(self) -> TextField | None:
        """The search field, recognized by its name."""
        fields = [field for field in self.own(TextField) if field.display]
        return next((each for each in fields if re.search("(?i)query|search", each.input)), None)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return action != "search" or self.search_field is not None

    def action_search(self) -> None:
        if field := self.search_field:
            field.query_one(Input).focus()

    def notice(self, event: Event[Any]) -> None:
        """Handles an event that has a message for the user."""

    def submit(self, field: TextField) -> None:
        """Goes to the next text field; from the last one, presses the first button."""
        fields = [each for each in self.own(TextField) if each.display]
        at = fields.index(field)
        if at + 1 < len(fields):
            fields[at + 1].query_one(Input).focus()
            return
        for button in self.own(Trigger):
            port = self.about.inputs[button.input]
            if button.display and port.enabled_by:
                # The text may enable the button once the core has answered.
                if self._write:
                    self._write.add_done_callback(partial(self._press, port))
                return

    def _press(self, port: Port, _: object = None) -> None:
        if self.core.error is None and self.output.get(port.enabled_by):
            self.send(port.name)

    def cell_for(self, path: str) -> Callable[[Any], Cell]:
        """Returns a function that converts a row to a cell, based on the row's schema."""
        schema: Any = self.about.outputs[path.split("/")[0]].schema
        for token in path.split("/")[1:]:
            describe = self.description
            inside = token == "*" or token.isdigit()
            schema = describe.items(schema) if inside else describe.member(schema, token)
        items, say = self.description.items(schema), self.description.say
        members: list[str] = [name for name in items.get("properties", {}) if name != "id"]
        pictures = [m for m in members if self.description.is_picture(items["properties"][m])]

        def cell(row: Any) -> Cell:
            if not hasattr(row, "get"):
                return Cell(clean(row))
            texts = [say({m: row.get(m)}, items) for m in members]
            texts = [text for text in texts if text and not text.startswith("data:")]
            picture: Any = next((row.get(m) for m in pictures), None)
            title = texts[0] if texts else clean(row.get("id", ""))
            return Cell(clean(title), clean(" · ".join(texts[1:])), picture=picture)

        return cell
