"""Lists that draw only the visible items: rows below each other, cards side by side."""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate
from typing import ClassVar

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual.binding import Binding, BindingType
from textual.geometry import Region, Size
from textual.strip import Strip
from textual.widget import Widget

from ..model.text import fit, wrap
from .cells import Cell, Cells, Header


class RowList(Cells):
    """Rows below each other, with headers between them, or side by side where there is room.

    Args:
        lines: the height of a row.
        picture: the width of the picture at the left, in cells.
        column: the least width of a row, to show rows side by side; 0 to not do so.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "move(-1)", "Select", key_display="↑↓"),
        Binding("down", "move(1)", show=False),
        Binding("pageup", "move(-8)", show=False),
        Binding("pagedown", "move(8)", show=False),
        Binding("left", "step(-1)", show=False),
        Binding("right", "step(1)", show=False),
    ]

    def __init__(self, path: str, *, lines: int = 2, picture: int = 0, column: int = 0) -> None:
        super().__init__(path, picture=picture)
        self.lines, self._column = lines, column
        self.columns = 1
        # The index of the first item of each line of rows, and where each of these lines ends.
        self._starts: list[int] = []
        self._ends: list[int] = []

    def measure(self) -> None:
        width = self.scrollable_content_region.width
        self.columns = max(1, width // self._column) if self._column else 1
        self._starts, heights, room = [], list[int](), 0
        for index, (_, cell) in enumerate(self.items):
            if isinstance(cell, Header):
                heights.append(1 if index == 0 else 2)
                room = 0
            elif room == 0:
                heights.append(self.height_of(cell))
                room = self.columns - 1
            else:
                heights[-1] = max(heights[-1], self.height_of(cell))
                room -= 1
                continue
            self._starts.append(index)
        self._ends = list(accumulate(heights))
        self.virtual_size = Size(width, self._ends[-1] if self._ends else 3 * bool(self.empty))

    def height_of(self, cell: Cell) -> int:
        """Returns the lines of a row: without a picture, only as many as it has texts for."""
        if self.picture_width or cell.detail:
            return self.lines
        return 1 + (cell.progress is not None)

    def index_at(self, x: int, y: int) -> int:
        line = y - self.gutter.top + self.scroll_offset.y
        index = self.index_of_line(line)
        if index >= len(self.items) or line < 0:
            return -1
        width = self.scrollable_content_region.width // self.columns
        beside = self.beside(index)
        at = (x - self.gutter.left) // max(width, 1)
        return beside[at] if at < len(beside) else -1

    def index_of_line(self, line: int) -> int:
        """Returns the index of the first item in a line."""
        at = bisect_right(self._ends, line)
        return self._starts[at] if at < len(self._starts) else len(self.items)

    def line_range(self, index: int) -> tuple[int, int]:
        """Returns the first line of an item, and the one after its last."""
        at = self._line_of(index)
        return self._ends[at - 1] if at else 0, self._ends[at]

    def _line_of(self, index: int) -> int:
        return bisect_right(self._starts, index) - 1

    def beside(self, index: int) -> range:
        """Returns the indices of an item and those beside it."""
        if self.columns == 1:
            return range(index, index + 1)
        at = self._line_of(index)
        end = self._starts[at + 1] if at + 1 < len(self._starts) else len(self.items)
        return range(self._starts[at], end)

    def region_of(self, index: int) -> Region:
        at = self._line_of(index)
        top = self.line_range(index)[0]
        if at and isinstance(self.items[self._starts[at - 1]][1], Header):
            top = self.line_range(self._starts[at - 1])[0]
        # The last row brings the sign for more rows into view, and with it the end of the list.
        is_last = not any(isinstance(cell, Cell) for _, cell in self.items[index + 1 : index + 3])
        end = self._ends[-1] if is_last else self._ends[at]
        return Region(0, top, self.virtual_size.width, end - top)

    def is_at_end(self) -> bool:
        return self.scroll_offset.y + self.size.height >= self.virtual_size.height

    def render_line(self, y: int) -> Strip:
        width = self.scrollable_content_region.width
        line = y + self.scroll_offset.y
        index = self.index_of_line(line)
        if index >= len(self.items):
            text = self.empty if y == 1 and not self.items else ""
            text = " " * ((width - cell_len(text)) // 2) + text
            return Strip([Segment(fit(text, width), self.look("detail", self.rich_style))], width)
        start, end = self.line_range(index)
        beside = self.beside(index)
        if len(beside) == 1 and self.columns == 1 or isinstance(self.items[index][1], Header):
            strips = self.strips(index, width, lambda cell, at: self._row(cell, width, at))
            # Only the first header has no blank line above it.
            return strips[line - end + len(strips)]
        each = width // self.columns
        parts: list[Strip] = []
        for other in beside:
            strips = self.strips(other, each, lambda cell, at: self._row(cell, each, at))
            is_there = line - start < len(strips)
            parts.append(strips[line - start] if is_there else Strip.blank(each, self.rich_style))
        return Strip.join(parts).crop_extend(0, width, self.rich_style)

    def action_move(self, by: int) -> None:
        """Moves the highlight to another line, in the same column; leaves the list at its ends."""
        if self.columns == 1 or abs(by) > 1 or self.cursor < 0:
            super().action_move(by)
            return
        at = self._line_of(self.cursor) + by
        column = self.cursor - self._starts[at - by]
        while 0 <= at < len(self._starts):
            beside = self.beside(self._starts[at])
            if not isinstance(self.items[beside[0]][1], Header):
                self.highlight(beside[min(column, len(beside) - 1)])
                return
            at += by
        self.screen.focus_previous() if by < 0 else self.screen.focus_next()

    def action_step(self, by: int) -> None:
        """Moves the highlight to the row beside it."""
        index = self.cursor + by
        while 0 <= index < len(self.items):
            if isinstance(self.items[index][1], Cell):
                self.highlight(index)
                return
            index += by

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "step":
            return self.columns > 1
        return super().check_action(action, parameters)

    def _row(self, cell: Cell | Header, width: int, ground: Style) -> list[Strip]:
        if isinstance(cell, Header):
            text = Segment(fit(" " + cell.title, width), self.look("header", ground))
            return [Strip.blank(width, ground), Strip([text], width)]
        wide = self.picture_width + 1 if self.picture_width else 0
        space = width - wide - 2
        ends = [(cell.trailing, "trailing"), (cell.badge and f" {cell.badge} ", "badge")]
        ends = [(text, name) for text, name in ends if text]
        sign = f"{cell.sign} " if cell.sign else ""
        rest = max(space - sum(cell_len(text) + 1 for text, _ in ends) - cell_len(sign), 0)
        look = self.look("title", ground) + state_style(cell)
        title = [Segment(fit(cell.title, rest), look)]
        if len(cell.found) == 3 and cell_len(cell.title) <= rest:
            before, match, after = cell.found
            mark = look + Style(underline=True) + self.look("trailing", ground)
            title = [Segment(before, look), Segment(match, mark)]
            title.append(Segment(fit(after, rest - cell_len(before + match)), look))
        if cell.link:
            text = fit(cell.title, min(rest, cell_len(cell.title)))
            linked = look + Style(link=cell.link, underline=True)
            title = [Segment(text, linked), Segment(" " * (rest - cell_len(text)), look)]
        signs = [Segment(sign, self.look("trailing", ground))] if sign else []
        lines = [[*signs, *title]]
        for text, name in ends:
            gap = Segment(" ", ground)
            lines[0] += [gap, Segment(fit(text, cell_len(text)), self.look(name, ground))]
        dim = self.look("detail", ground)
        height = self.height_of(cell)
        room = height - 1 - (cell.progress is not None)
        # Below the title.
        indent = cell_len(sign)
        details = wrap(cell.detail, space - indent)
        if len(details) > room > 0:
            details[room - 1] = fit(details[room - 1], space - indent - 1).rstrip() + "…"
        blank = Segment(" " * indent, ground)
        lines += [[blank, Segment(fit(text, space - indent), dim)] for text in details[:room]]
        if cell.progress is not None:
            lines.append(_bar(cell.progress, space, self.look("bar", ground), dim))
        while len(lines) < height:
            lines.append([Segment(" " * space, ground)])
        pad = Segment(" ", ground)
        rows = [Strip([pad, *line, pad]) for line in lines[:height]]
        if wide:
            tall = min(self.lines, self.picture_width // 2)
            pictures = self.picture(cell.picture, self.picture_width, tall, ground)
            blank = Strip([Segment(" " * self.picture_width, ground)], self.picture_width)
            pictures = pictures + [blank] * (self.lines - tall)
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

    def __init__(self, path: str, *, picture: tuple[int, int], width: int = 0) -> None:
        super().__init__(path, picture=picture[0])
        self.picture_height = picture[1]
        self.card = max(picture[0], width)

    def on_focus(self) -> None:
        """Brings the title above the cards into view with them."""
        if isinstance(self.parent, Widget):
            self.parent.scroll_visible(animate=False)

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
        title = fit(cell.title, self.card - cell_len(trailing))
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


def state_style(cell: Cell) -> Style:
    """Returns the style of a title: done and disabled rows step back."""
    is_done, is_disabled = "done" in cell.states, "disabled" in cell.states
    return Style(
        dim=is_done or is_disabled or None,
        strike=is_done or None,
        bold=False if is_done or cell.is_plain else None,
    )


def _bar(progress: float, width: int, full: Style, empty: Style) -> list[Segment]:
    """Draws a bar of half-cell steps."""
    halves = round(max(0.0, min(1.0, progress)) * width * 2)
    filled = "━" * (halves // 2) + ("╸" if halves % 2 else "")
    return [Segment(filled, full), Segment("─" * (width - len(filled)), empty)]
