"""The base of lists: items, a cursor, the pointer, and a cache of drawn rows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Region
from textual.message import Message
from textual.reactive import reactive
from textual.scroll_view import ScrollView
from textual.strip import Strip

from .page import Part


@dataclass(frozen=True)
class Cell:
    """The content of a row or a card.

    Attributes:
        detail: a second text, dimmer; wraps to the remaining lines.
        trailing: a short text at the right edge.
        picture: a picture's URI.
        progress: a bar below the text, from 0 to 1.
        link: the URL that the title links to, in terminals that support links.
        found: the text before, in, and after the part of the title that a search has found.
    badge: a count or a short text that catches the eye, at the right edge.
        sign: the states, before the title.
        states: what is true of the row, such as `done`.
        is_plain: True if the title is not bold, since other rows are unread.
    """

    title: str
    detail: str = ""
    trailing: str = ""
    picture: str | None = None
    progress: float | None = None
    link: str | None = None
    found: tuple[str, ...] = ()
    badge: str = ""
    sign: str = ""
    states: frozenset[str] = frozenset()
    is_plain: bool = False


@dataclass(frozen=True)
class Header:
    """The title of the rows that follow."""

    title: str


Item = tuple[Any, "Cell | Header"]


class Cells(ScrollView, Part, can_focus=True):  # pyright: ignore[reportIncompatibleMethodOverride]
    """The base of lists: items, of which one is highlighted.

    Attributes:
        path: the list's path below the screen's output.
        parents: the enclosing row by a row's `id()`, for a path with `*`.
    """

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "cells--title",
        "cells--detail",
        "cells--trailing",
        "cells--badge",
        "cells--header",
        "cells--cursor",
        "cells--hover",
        "cells--bar",
    }
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "choose", "Open"),
        Binding("full_stop", "menu", "More", key_display="."),
        Binding("ctrl+up", "rearrange(-1)", "Move", key_display="^↑↓"),
        Binding("ctrl+down", "rearrange(1)", show=False),
        Binding("home", "move_to(0)", show=False),
        Binding("end", "move_to(-1)", show=False),
    ]

    cursor: reactive[int] = reactive(-1, layout=False)
    hover: reactive[int] = reactive(-1, layout=False)

    @dataclass
    class Chosen(Message):
        """A row was chosen, or its menu was requested."""

        cells: Cells
        rows: Sequence[Any]
        at: int
        menu: bool = False

    @dataclass
    class Moved(Message):
        """The user wants to move the highlighted row up or down."""

        cells: Cells
        rows: Sequence[Any]
        at: int
        by: int

    @dataclass
    class Ended(Message):
        """The last row is in view."""

        cells: Cells

    def __init__(self, path: str, *, picture: int = 0) -> None:
        super().__init__()
        self.path = path
        self.items: Sequence[Item] = []
        self.empty = ""
        self.picture_width = picture
        self.parents: dict[int, Any] = {}
        self._opened: object = None
        self._drawn: dict[object, tuple[Cell | Header, list[Strip]]] = {}

    @property
    def pattern(self) -> str:
        """The path in the notation of `x-rows`, with `*` for an index."""
        tokens = self.path.split("/")
        return "/".join("*" if token.isdigit() else token for token in tokens)

    @property
    def row(self) -> Any:
        """The highlighted row, or None."""
        if 0 <= self.cursor < len(self.items):
            return self.items[self.cursor][0]
        return None

    @property
    def place(self) -> tuple[Sequence[Any], int]:
        """The rows, and the index of the highlighted one."""
        rows = [index for index, (_, cell) in enumerate(self.items) if isinstance(cell, Cell)]
        return [self.items[index][0] for index in rows], rows.index(self.cursor)

    def set_items(self, items: Sequence[Item]) -> None:
        """Replaces the items. The highlight stays on its row."""
        before = _key(self.row)
        self.items = items
        self.measure()
        cursor = -1
        for index, (row, cell) in enumerate(items):
            if isinstance(cell, Header):
                continue
            if cursor < 0 or _key(row) == before:
                cursor = index
                if before is None or _key(row) == before:
                    break
        is_moved = before is not None and cursor != self.cursor
        self.set_reactive(Cells.cursor, cursor)
        if is_moved and self.has_focus:
            self.call_after_refresh(self.reveal)
        if self.has_focus and (before is None) != (cursor < 0):
            self.refresh_bindings()
        self.refresh(layout=True)
        self.call_after_refresh(self.watch_scroll_end)

    def measure(self) -> None:
        """Computes the virtual size."""
        raise NotImplementedError

    def index_at(self, x: int, y: int) -> int:
        """Returns the index of the item at an offset of the widget, or -1."""
        raise NotImplementedError

    def region_of(self, index: int) -> Region:
        raise NotImplementedError

    def is_at_end(self) -> bool:
        raise NotImplementedError

    def watch_scroll_end(self) -> None:
        if self.items and self.is_attached and self.size.area and self.is_at_end():
            self.post_message(self.Ended(self))

    def show_empty(self, text: str) -> None:
        """Sets the text to show if there are no rows."""
        if text != self.empty:
            self.empty = text
            self.measure()
            self.refresh(layout=True)

    def clear_drawn(self) -> None:
        self._drawn.clear()
        self.refresh()

    def notify_style_update(self) -> None:
        self._drawn.clear()
        super().notify_style_update()

    def watch_cursor(self) -> None:
        self.refresh()

    def watch_hover(self) -> None:
        self.refresh()

    def on_focus(self) -> None:
        self.refresh()

    def on_blur(self) -> None:
        self.refresh()

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        super().watch_scroll_y(old_value, new_value)
        self.watch_scroll_end()

    def watch_scroll_x(self, old_value: float, new_value: float) -> None:
        super().watch_scroll_x(old_value, new_value)
        self.watch_scroll_end()

    def on_resize(self) -> None:
        self.measure()
        self.watch_scroll_end()

    def action_move(self, by: int) -> None:
        """Moves the highlight by a number of rows; leaves the list at its ends."""
        index = self.cursor + by
        while 0 <= index < len(self.items):
            if not isinstance(self.items[index][1], Header):
                self.highlight(index)
                return
            index += 1 if by > 0 else -1
        if abs(by) > 1:
            self.action_move_to(0 if by < 0 else -1)
        elif by < 0:
            self.scroll_to(0, 0)
            self.screen.focus_previous()
        else:
            self.screen.focus_next()

    def action_move_to(self, index: int) -> None:
        rows = [i for i, (_, cell) in enumerate(self.items) if isinstance(cell, Cell)]
        if rows:
            self.highlight(rows[index])

    def highlight(self, index: int) -> None:
        self.cursor = index
        self.reveal()

    def reveal(self) -> None:
        """Scrolls to the highlighted row, if there is one."""
        if self.row is not None:
            is_animated = self.app.animation_level != "none"
            self.scroll_to_region(self.region_of(self.cursor), animate=is_animated)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Enables the actions on a row only if they have inputs."""
        if action not in ("choose", "menu", "rearrange"):
            return True
        if self.row is None:
            return False
        if action == "choose":
            return self.choices > 0
        moves = len(list(self.page.about.row_inputs(self.pattern, "move")))
        return moves > 0 or action == "menu" and self.choices > 1

    @property
    def choices(self) -> int:
        """The number of inputs that take a row."""
        return len(list(self.page.about.row_inputs(self.pattern)))

    def action_choose(self) -> None:
        if self.row is not None:
            self._opened = _key(self.row)
            self.post_message(self.Chosen(self, *self.place))

    def action_rearrange(self, by: int) -> None:
        if self.row is not None:
            self.post_message(self.Moved(self, *self.place, by))

    def action_menu(self) -> None:
        if self.row is not None:
            self.post_message(self.Chosen(self, *self.place, menu=True))

    def on_click(self, event: events.Click) -> None:
        index = self.index_at(event.x, event.y)
        if index >= 0 and isinstance(self.items[index][1], Cell):
            self.cursor = index
            if event.button == 3:
                self.action_menu()
            else:
                self.action_choose()

    def on_mouse_move(self, event: events.MouseMove) -> None:
        self.hover = self.index_at(event.x, event.y)

    def on_leave(self) -> None:
        self.hover = -1

    def ground(self, index: int) -> Style:
        """Returns the background of an item."""
        style = self.rich_style
        if index == self.cursor and self.has_focus:
            style = self.get_component_rich_style("cells--cursor")
        elif index == self.hover or self._is_open(index):
            style = self.get_component_rich_style("cells--hover")
        return Style(color=style.color, bgcolor=style.bgcolor)

    def _is_open(self, index: int) -> bool:
        """True for the row that the page beside this one shows."""
        is_opened = self._opened is not None and self._opened == _key(self.items[index][0])
        return is_opened and self.page.is_beside

    def look(self, name: str, ground: Style) -> Style:
        style = self.get_component_rich_style(f"cells--{name}")
        return ground + Style(
            color=style.color,
            bold=style.bold,
            dim=style.dim,
            italic=style.italic,
            reverse=style.reverse,
        )

    def strips(
        self, index: int, width: int, draw: Callable[[Any, Style], list[Strip]]
    ) -> list[Strip]:
        """Returns an item's strips, from the cache unless it has changed."""
        cell, ground = self.items[index][1], self.ground(index)
        key = (index, width, ground)
        known = self._drawn.get(key)
        if known is None or known[0] is not cell and known[0] != cell:
            if len(self._drawn) > 2000:
                self._drawn.clear()
            known = self._drawn[key] = (cell, draw(cell, ground))
        return known[1]

    def picture(self, uri: str | None, width: int, height: int, ground: Style) -> list[Strip]:
        background = ground.bgcolor.get_truecolor() if ground.bgcolor else (0, 0, 0)
        color = "#{:02x}{:02x}{:02x}".format(*background)
        if uri is None:
            return [Strip([Segment(" " * width, ground)], width)] * height
        is_on_top = self.screen.is_active
        return self.app.pictures.draw(uri, width, height, color, is_on_top=is_on_top)


def _key(row: Any) -> object:
    """Returns the identity of a row."""
    if isinstance(row, dict):
        return row.get("id", id(row))  # pyright: ignore
    return row
