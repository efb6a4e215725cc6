"""The base of pages that show a screen: a title, a body, and the way back."""

from __future__ import annotations

from functools import partial
from typing import Any, ClassVar

from offstage import Port
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.content import Content
from textual.widgets import Markdown, Static

from ..model.text import clean
from ..widgets.cells import Cells
from ..widgets.fields import TextField
from ..widgets.overlays import Menu
from ..widgets.page import Page, put
from ..widgets.stale import Stale


class ScreenPage(Page):
    """Override `body`, and `heading` if the title depends on the output."""

    styled: ClassVar[dict[tuple[str, str], type[ScreenPage]]] = {}
    """The page classes by the name of an app and the kind of a screen.

    Other screens are drawn from their description, even those of the same kind in another app.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("slash", "search", "Search"),
        Binding("ctrl+r", "load", "Refresh"),
    ]

    def __init_subclass__(cls, app: str = "", kind: str = "") -> None:
        super().__init_subclass__()
        if kind:
            ScreenPage.styled[app, kind] = cls

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
        label = self.app.back_label(self.owner.id)
        back.display = bool(label)
        put(back, label)
        super().show()

    @on(Cells.Chosen)
    def chosen(self, event: Cells.Chosen) -> None:
        event.stop()
        around = self.rows_around(event.cells, event.rows[event.at])
        pattern = event.cells.pattern
        actions = [*self.about.row_actions(pattern, event.rows, event.at, around)]
        row = event.rows[event.at]
        rows = [each for each in actions if each[1].role == "row"]
        safe = [each for each in rows if each[1].weight != "destructive"]
        # What opens a row comes before what switches something of it.
        safe.sort(key=lambda each: "x-shows" in each[1].says)
        if actions and (event.menu or not safe):
            titles = [say_action(title, port, row) for title, port, _ in actions]
            self.app.open_menu(
                Menu(titles, lambda at: self.send(actions[at][1].name, actions[at][2]))
            )
        elif safe:
            self.send(safe[0][1].name, safe[0][2])

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

    @property
    def loader(self) -> Port | None:
        """The input that loads the content again, for which there is a key."""
        ports = (port for port in self.about.inputs.values() if port.purpose == "refresh")
        return next((port for port in ports if self.is_on(port.visible_by)), None)

    @property
    def search_field(self) -> TextField | None:
        """The field that searches."""
        fields = [field for field in self.own(TextField) if field.display]
        inputs = self.about.inputs
        return next((each for each in fields if inputs[each.input].purpose == "search"), None)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "load":
            return self.loader is not None and self.is_on(self.loader.enabled_by)
        return action != "search" or self.search_field is not None

    def action_search(self) -> None:
        if field := self.search_field:
            field.entry.focus()

    def action_load(self) -> None:
        if self.loader:
            self.send(self.loader.name)

    @on(Markdown.LinkClicked)
    def link_clicked(self, event: Markdown.LinkClicked) -> None:
        event.stop()
        self.app.ask_to_open(event.href)

    def submit(self, name: str) -> None:
        """Presses the main button. If there is none, or it is disabled, goes to the next field."""
        main = self.button_with("main")
        # The text may enable the button once the core has answered.
        if main and self.last_write and not self.last_write.done():
            self.last_write.add_done_callback(partial(self._submitted, name, main))
        else:
            self._submitted(name, main)

    def _submitted(self, name: str, main: Port | None, _: object = None) -> None:
        if self.core.error is not None:
            return
        if main and self.is_on(main.enabled_by):
            self.send(main.name)
            return
        fields = [each for each in self.own(TextField) if each.display]
        at = [each.input for each in fields].index(name)
        wrong = [each for each in fields if each.has_class("-invalid")]
        for field in [*fields[at + 1 :], *wrong][:1]:
            field.entry.focus()


def say_action(title: str, port: Port, row: Any) -> Content:
    """Writes an action of a row: what it switches with its state, what it destroys in red."""
    state = port.is_shown(row) if hasattr(row, "get") else None
    sign = "" if state is None else "[x] " if state else "[ ] "
    style = "$text-error" if port.weight == "destructive" else ""
    return Content.assemble((sign + clean(title), style))
