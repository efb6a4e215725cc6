"""Lists that draw only what is in view: rows below each other, cards side by side."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING, Any, ClassVar

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Region, Size
from textual.message import Message
from textual.reactive import reactive
from textual.scroll_view import ScrollView
from textual.strip import Strip

from .text import cells, fit, wrap

if TYPE_CHECKING:
    from .app import TerminalApp


@dataclass(frozen=True)
class Cell:
    """What a row or a card shows.

    Attributes:
        detail: a second text, dimmer; wraps to the lines that are left.
        trailing: a short text at the right edge.
        picture: a picture's URI.
        progress: a bar below the text, from 0 to 1.
    """

    title: str
    detail: str = ""
    trailing: str = ""
    picture: str | None = None
    progress: float | None = None


@dataclass(frozen=True)
class Header:
    """The title of the rows that follow."""

    title: str


Item = tuple[Any, "Cell | Header"]


class Cells(ScrollView, can_focus=True):
    """The base of lists: items, one of them highlighted.

    Attributes:
        path: the list's path below the screen's output.
        parents: the row that holds a row, by the row's `id()`; for a path with `*`.
    """

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "cells--title",
        "cells--detail",
        "cells--trailing",
        "cells--header",
        "cells--cursor",
        "cells--hover",
        "cells--bar",
    }
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "choose", "Open"),
        Binding("full_stop", "menu", "More", key_display="."),
        Binding("home", "move_to(0)", show=False),
        Binding("end", "move_to(-1)", show=False),
    ]

    cursor: reactive[int] = reactive(-1, layout=False)
    hover: reactive[int] = reactive(-1, layout=False)

    @dataclass
    class Chosen(Message):
        """A row was chosen, or its menu was asked for."""

        cells: Cells
        row: Any
        menu: bool = False

    @dataclass
    class Ended(Message):
        """The last row is in view."""

        cells: Cells

    def __init__(self, path: str, *, id: str | None = None, picture: int = 0) -> None:
        super().__init__(id=id)
        self.path = path
        self.items: Sequence[Item] = []
        self.picture_width = picture
        self.parents: dict[int, Any] = {}
        self._drawn: dict[object, tuple[Cell | Header, list[Strip]]] = {}

    app: TerminalApp

    @property
    def row(self) -> Any:
        """The highlighted row, or None."""
        if 0 <= self.cursor < len(self.items):
            return self.items[self.cursor][0]
        return None

    def set_items(self, items: Sequence[Item]) -> None:
        """Shows other items. The highlight stays with its row."""
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
        self.set_reactive(Cells.cursor, cursor)
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
        self.scroll_to_region(self.region_of(index), animate=self.app.animation_level != "none")

    def action_choose(self) -> None:
        if self.row is not None:
            self.post_message(self.Chosen(self, self.row))

    def action_menu(self) -> None:
        if self.row is not None:
            self.post_message(self.Chosen(self, self.row, menu=True))

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
        """Returns the style below an item."""
        style = self.rich_style
        if index == self.cursor and self.has_focus:
            style = self.get_component_rich_style("cells--cursor")
        elif index == self.hover:
            style = self.get_component_rich_style("cells--hover")
        return Style(color=style.color, bgcolor=style.bgcolor)

    def look(self, name: str, ground: Style) -> Style:
        style = self.get_component_rich_style(f"cells--{name}")
        return ground + Style(
            color=style.color, bold=style.bold, dim=style.dim, italic=style.italic
        )

    def strips(
        self, index: int, width: int, draw: Callable[[Any, Style], list[Strip]]
    ) -> list[Strip]:
        """Returns an item's strips, drawn anew only if something has changed."""
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
        return self.app.pictures.draw(uri, width, height, color)


def _key(row: Any) -> object:
    """Returns what identifies a row."""
    if isinstance(row, dict):
        return row.get("id", id(row))  # pyright: ignore
    return row


class RowList(Cells):
    """Rows below each other, with headers between them.

    Args:
        lines: the height of a row.
        picture: the width of the picture at the left, in cells.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "move(-1)", "Select", key_display="↑↓"),
        Binding("down", "move(1)", show=False),
        Binding("pageup", "move(-8)", show=False),
        Binding("pagedown", "move(8)", show=False),
    ]

    def __init__(
        self, path: str, *, lines: int = 2, picture: int = 0, id: str | None = None
    ) -> None:
        super().__init__(path, picture=picture, id=id)
        self.lines = lines
        self._ends: list[int] = []

    def measure(self) -> None:
        heights = [
            (1 if index == 0 else 2) if isinstance(cell, Header) else self.lines
            for index, (_, cell) in enumerate(self.items)
        ]
        self._ends = list(accumulate(heights))
        width = self.scrollable_content_region.width
        self.virtual_size = Size(width, self._ends[-1] if self._ends else 0)

    def index_at(self, x: int, y: int) -> int:
        line = y - self.gutter.top + self.scroll_offset.y
        index = bisect_right(self._ends, line)
        return index if index < len(self.items) and line >= 0 else -1

    def region_of(self, index: int) -> Region:
        top = self._ends[index - 1] if index else 0
        if index and isinstance(self.items[index - 1][1], Header):
            top = self._ends[index - 2] if index > 1 else 0
        return Region(0, top, self.virtual_size.width, self._ends[index] - top)

    def is_at_end(self) -> bool:
        return self.scroll_offset.y + self.size.height >= self.virtual_size.height

    def render_line(self, y: int) -> Strip:
        width = self.scrollable_content_region.width
        line = y + self.scroll_offset.y
        index = bisect_right(self._ends, line)
        if index >= len(self.items):
            return Strip.blank(width, self.rich_style)
        top = self._ends[index - 1] if index else 0
        strips = self.strips(index, width, lambda cell, at: self._row(cell, width, at))
        # A header's blank line above it is not the first one's.
        return strips[line - top - (self._ends[index] - top) + len(strips)]

    def _row(self, cell: Cell | Header, width: int, ground: Style) -> list[Strip]:
        if isinstance(cell, Header):
            text = Segment(fit(" " + cell.title, width), self.look("header", ground))
            return [Strip.blank(width, ground), Strip([text], width)]
        wide = self.picture_width + 1 if self.picture_width else 0
        space = width - wide - 2
        trailing = cell.trailing
        rest = space - cells(trailing) - 1 if trailing else space
        title = Segment(fit(cell.title, rest), self.look("title", ground))
        lines = [[title]]
        if trailing:
            text = Segment(" " + fit(trailing, cells(trailing)), self.look("trailing", ground))
            lines[0].append(text)
        dim = self.look("detail", ground)
        room = self.lines - 1 - (cell.progress is not None)
        details = wrap(cell.detail, space)
        if len(details) > room > 0:
            details[room - 1] = fit(details[room - 1], space - 1).rstrip() + "…"
        lines += [[Segment(fit(text, space), dim)] for text in details[:room]]
        if cell.progress is not None:
            lines.append(_bar(cell.progress, space, self.look("bar", ground), dim))
        while len(lines) < self.lines:
            lines.append([Segment(" " * space, ground)])
        pad = Segment(" ", ground)
        rows = [Strip([pad, *line, pad]) for line in lines[: self.lines]]
        if wide:
            height = min(self.lines, self.picture_width // 2)
            pictures = self.picture(cell.picture, self.picture_width, height, ground)
            blank = Strip([Segment(" " * self.picture_width, ground)], self.picture_width)
            pictures = pictures + [blank] * (self.lines - height)
            rows = [
                Strip.join([Strip([pad], 1), left, row])
                for left, row in zip(pictures, rows, strict=True)
            ]
        return rows


class CardStrip(Cells):
    """Cards side by side: a picture with two lines below it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "move(-1)", "Select", key_display="←→"),
        Binding("right", "move(1)", show=False),
        Binding("up", "app.focus_previous", show=False),
        Binding("down", "app.focus_next", show=False),
    ]
    GAP = 2

    def __init__(
        self, path: str, *, picture: tuple[int, int], width: int = 0, id: str | None = None
    ) -> None:
        super().__init__(path, picture=picture[0], id=id)
        self.picture_height = picture[1]
        self.card = max(picture[0], width)

    def measure(self) -> None:
        width = len(self.items) * (self.card + self.GAP)
        self.virtual_size = Size(width, self.picture_height + 2)

    def index_at(self, x: int, y: int) -> int:
        index, within = divmod(x - self.gutter.left + self.scroll_offset.x, self.card + self.GAP)
        return index if within < self.card and 0 <= index < len(self.items) else -1

    def region_of(self, index: int) -> Region:
        left = index * (self.card + self.GAP)
        return Region(left, 0, self.card, self.virtual_size.height)

    def is_at_end(self) -> bool:
        return self.scroll_offset.x + self.size.width >= self.virtual_size.width

    def render_line(self, y: int) -> Strip:
        width, left = self.size.width, self.scroll_offset.x
        base = self.rich_style
        pieces: list[Strip] = []
        for index in range(len(self.items)):
            start = index * (self.card + self.GAP)
            if start + self.card < left or start > left + width:
                pieces.append(Strip.blank(self.card + self.GAP, base))
                continue
            strips = self.strips(index, self.card, self._card)
            gap = Strip([Segment(" " * self.GAP, base)], self.GAP)
            pieces += [strips[y] if y < len(strips) else Strip.blank(self.card, base), gap]
        return Strip.join(pieces).crop_extend(left, left + width, base)

    def _card(self, cell: Cell | Header, ground: Style) -> list[Strip]:
        assert isinstance(cell, Cell)
        pictures = self.picture(cell.picture, self.picture_width, self.picture_height, ground)
        space = self.card - self.picture_width
        side = Strip([Segment(" " * space, ground)], space)
        rows = [Strip.join([strip, side]) for strip in pictures]
        if cell.progress is not None and rows:
            bar = _bar(
                cell.progress, self.card, self.look("bar", ground), self.look("detail", ground)
            )
            rows[-1] = Strip(bar, self.card)
        trailing = cell.trailing
        title = fit(cell.title, self.card - cells(trailing))
        rows.append(
            Strip(
                [
                    Segment(title, self.look("title", ground)),
                    Segment(trailing, self.look("trailing", ground)),
                ],
                self.card,
            )
        )
        rows.append(Strip([Segment(fit(cell.detail, self.card), self.look("detail", ground))]))
        return rows


def _bar(progress: float, width: int, full: Style, empty: Style) -> list[Segment]:
    """Draws a bar of half-cell steps."""
    halves = round(max(0.0, min(1.0, progress)) * width * 2)
    filled = "━" * (halves // 2) + ("╸" if halves % 2 else "")
    return [Segment(filled, full), Segment("─" * (width - len(filled)), empty)]
