"""A list of which the document has a window: the others are on their way when they come into view."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

from offstage import CoreStopped
from textual.geometry import Region, Size

from ..model.text import clean
from .cells import Cell, Cells, Item
from .lists import cell_of
from .page import Page
from .rows import RowList

# The rows in a window at most, by the protocol.
MOST = 1000


class _Items(Sequence[Item]):
    """All rows of the list; those that the document does not have as `missing`."""

    def __init__(self, count: int, first: int, rows: list[Item], missing: Cell) -> None:
        self._count, self.first, self.rows, self._missing = count, first, rows, missing

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, index: Any) -> Any:
        at: int = index - self.first
        missing: Item = (None, self._missing)
        return self.rows[at] if 0 <= at < len(self.rows) else missing


class Window(RowList):
    """All rows below each other, each with the same number of lines.

    The page scrolls in them as in any list. It asks for the visible rows and two pages of them above
    and below, when the user scrolls and when rows move. Where a row has not come, it says so.
    """

    def __init__(self, path: str, *, lines: int = 2, picture: int = 0) -> None:
        super().__init__(path, lines=lines, picture=picture)
        self.items = self._all = _Items(0, 0, [], Cell("…"))
        self._shown: Mapping[str, Any] = {}
        self._asked = range(0)

    def show(self, page: Page) -> None:
        window: Mapping[str, Any] = page.output.get(self.path) or {}
        if self._shown is window:
            return
        before, self._shown = self._all, window
        follows = page.about.outputs[self.path].is_from_end and self._is_at_end
        is_known = window.get("count") is not None
        failure = clean(window.get("failure") or "")
        retry = f"{failure} · {self.app.words('Try again')} (Enter)" if failure else "…"
        cell = cell_of(page, self.path)
        rows: list[Item] = [(row, cell(row)) for row in window.get("rows", [])]
        # A list of unknown length is one row that is on its way.
        count = window["count"] if is_known else 1
        items = _Items(count, window.get("first", 0), rows, Cell(retry))
        placeholder = clean(page.about.outputs[self.path].placeholder or "")
        self.empty = "" if count or page.is_waiting(self.path) else placeholder
        moved = self._moved(before, items)
        at = self._index_in(items)
        self.items = self._all = items
        self.set_reactive(
            Cells.cursor, at if at is not None else min(self.cursor + moved, count - 1)
        )
        if self.cursor < 0 < count:
            self.set_reactive(Cells.cursor, 0)
        self.measure()
        if moved and self.scroll_offset.y:
            self._asked = range(self._asked.start + moved, self._asked.stop + moved)
            self.scroll_to(y=self.scroll_offset.y + moved * self.lines, animate=False, force=True)
        if not self._asked:
            self._asked = range(items.first, items.first + len(rows))
        if follows:
            # The core adds what comes below to the window.
            self._asked = range(self._asked.start, max(self._asked.stop, count))
            self.set_reactive(Cells.cursor, count - 1)
            self.scroll_end(animate=False, force=True)
        if self.has_focus:
            self.refresh_bindings()
        self.refresh(layout=True)
        self.call_after_refresh(self.ask)

    @property
    def _is_at_end(self) -> bool:
        """True while the last row is highlighted."""
        return self.cursor >= len(self.items) - 1

    def _moved(self, before: _Items, items: _Items) -> int:
        """Returns how far the first visible row that is still there has moved."""
        new = {row["id"]: items.first + at for at, (row, _) in enumerate(items.rows)}
        top = self.scroll_offset.y // self.lines
        for at, (row, _) in enumerate(before.rows):
            if before.first + at >= top and row["id"] in new:
                return new[row["id"]] - before.first - at
        return 0

    def _index_in(self, items: _Items) -> int | None:
        """Returns the position of the highlighted row; None if the document does not have it."""
        if self.row is None:
            return None
        for at, (row, _) in enumerate(items.rows):
            if row["id"] == self.row["id"]:
                return items.first + at
        return None

    # MARK: What is asked for

    def ask(self, again: bool = False) -> None:
        """Asks for the visible rows and those around them, before the user comes near their end."""
        height = max(self.size.height // self.lines + 1, 1)
        top = self.scroll_offset.y // self.lines
        end = min(top + height, max(len(self.items), 1))
        near = range(max(top - height, 0), min(end + height, max(len(self.items), 1)))
        is_there = self._asked.start <= near.start and near.stop <= self._asked.stop
        if not self.is_attached or not self.size.area or is_there and not again:
            return
        first = max(top - 2 * height, 0)
        self._asked = range(first, min(end + 2 * height, first + MOST))
        with suppress(CoreStopped):
            self.app.do(self.page.owner.window(self.path, first, len(self._asked)))

    def watch_scroll_end(self) -> None:
        self.call_after_refresh(self.ask)

    def action_choose(self) -> None:
        if self.row is None and self._shown.get("failure"):
            self.ask(again=True)
        else:
            super().action_choose()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "choose" and self.row is None:
            return bool(self._shown.get("failure"))
        return super().check_action(action, parameters)

    # MARK: Places

    @property
    def place(self) -> tuple[Sequence[Any], int]:
        return [row for row, _ in self._all.rows], self.cursor - self._all.first

    def measure(self) -> None:
        width = self.scrollable_content_region.width
        self.virtual_size = Size(width, len(self.items) * self.lines or 3 * bool(self.empty))

    def height_of(self, cell: Cell) -> int:
        return self.lines

    def index_of_line(self, line: int) -> int:
        return line // self.lines

    def line_range(self, index: int) -> tuple[int, int]:
        return index * self.lines, (index + 1) * self.lines

    def region_of(self, index: int) -> Region:
        return Region(0, index * self.lines, self.virtual_size.width, self.lines)

    def is_at_end(self) -> bool:
        return False

    def action_move(self, by: int) -> None:
        index = self.cursor + by
        if abs(by) > 1:
            self.highlight(min(max(index, 0), len(self.items) - 1))
        elif 0 <= index < len(self.items):
            self.highlight(index)
        elif by < 0:
            self.screen.focus_previous()
        else:
            self.screen.focus_next()

    def action_move_to(self, index: int) -> None:
        self.highlight(index % len(self.items) if len(self.items) else -1)

    def reveal(self) -> None:
        # Without an animation: each of its steps would ask for rows that pass too fast to read.
        if self.cursor >= 0:
            self.scroll_to_region(self.region_of(self.cursor), animate=False)
            self.watch_scroll_end()
