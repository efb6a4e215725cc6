"""The base of pages that show a screen: a title, a body, and the way back."""

from __future__ import annotations

import re
from functools import partial
from typing import Any, ClassVar

from offstage import Port
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.widgets import Input, Static

from ..model.text import clean
from ..widgets.cells import Cells
from ..widgets.fields import TextField
from ..widgets.overlays import Menu
from ..widgets.page import Page, put
from ..widgets.parts import Trigger
from ..widgets.stale import Stale


class ScreenPage(Page):
    """Override `body`, and `heading` if the title depends on the output."""

    styled: ClassVar[dict[tuple[str, str], type[ScreenPage]]] = {}
    """The page classes by the name of an app and the kind of a screen.

    Other screens are drawn from their description, even those of the same kind in another app.
    """

    BINDINGS: ClassVar[list[BindingType]] = [Binding("slash", "search", "Search")]

    def __init_subclass__(cls, app: str = "", kind: str = "") -> None:
        super().__init_subclass__()
        if kind:
            ScreenPage.styled[app, kind] = cls

    @property
    def drafts(self) -> dict[tuple[str, str], str]:
        """The texts in the page's fields, by the kind of the screen and the name of the input."""
        return {
            (self.about.kind, field.input): field.query_one(Input).value
            for field in self.own(TextField)
        }

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
        label = self.app.back_label(self.owner.id)
        back.display = bool(label)
        put(back, label)
        super().show()

    @on(Cells.Chosen)
    def chosen(self, event: Cells.Chosen) -> None:
        event.stop()
        around = self.rows_around(event.cells, event.rows[event.at])
        actions = [
            *self.about.row_actions(event.cells.pattern, event.rows, event.at, around),
        ]
        if event.menu and actions:
            titles = [clean(title) for title, _, _ in actions]
            self.app.open_menu(
                Menu(titles, lambda at: self.send(actions[at][1].name, actions[at][2]))
            )
        elif actions and actions[0][1].role == "row":
            self.send(actions[0][1].name, actions[0][2])

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
    def search_field(self) -> TextField | None:
        """The search field, recognized by its name."""
        fields = [field for field in self.own(TextField) if field.display]
        return next((each for each in fields if re.search("(?i)query|search", each.input)), None)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return action != "search" or self.search_field is not None

    def action_search(self) -> None:
        if field := self.search_field:
            field.query_one(Input).focus()

    def submit(self, name: str) -> None:
        """Goes to the next text field; from the last one, presses the first button."""
        fields = [each for each in self.own(TextField) if each.display]
        at = [each.input for each in fields].index(name)
        if at + 1 < len(fields):
            fields[at + 1].query_one(Input).focus()
            return
        for button in self.own(Trigger):
            port = self.about.inputs[button.input]
            if button.display and port.enabled_by:
                # The text may enable the button once the core has answered.
                if self.last_write:
                    self.last_write.add_done_callback(partial(self._press, port))
                return

    def _press(self, port: Port, _: object = None) -> None:
        if self.core.error is None and self.output.get(port.enabled_by):
            self.send(port.name)
