"""The parts that draw values with a form of their own: rich text, code, charts, and tables."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import takewhile
from typing import Any, ClassVar, cast

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.rules_inline import StateInline, emphasis, link
from offstage import Port, RowsOf, can_open
from rich.segment import Segment
from rich.text import Text
from textual import on
from textual.binding import Binding, BindingType
from textual.strip import Strip
from textual.widgets import DataTable, Markdown

from ..model.text import clean, fit
from .cells import Cells
from .overlays import Menu
from .page import Page, Part

BLOCKS = " ▁▂▃▄▅▆▇█"


def parser() -> MarkdownIt:
    """Returns a parser for the subset of Markdown that apps use; everything else is text."""
    markdown = MarkdownIt("zero").enable(["heading", "emphasis", "backticks", "link"])
    around: Any = {"alt": ["paragraph"]}
    markdown.block.ruler.before("heading", "code", _code, around)
    markdown.block.ruler.before("heading", "items", _items, around)
    markdown.inline.ruler.at("emphasis", _stars)
    markdown.inline.ruler.before("link", "picture", _picture)
    markdown.validateLink = can_open
    return markdown


_FENCE, _FENCE_END, _ITEM = map(re.compile, (r"```[^`]*$", r"\s*```\s*$", r"- +"))


def unindented(text: str) -> str:
    """Takes the spaces away that begin a line, outside of code, since they mean nothing."""
    lines, is_code = list[str](), False
    for line in text.split("\n"):
        is_end = is_code and bool(_FENCE_END.match(line))
        line = line if is_code and not is_end else line.lstrip(" \t")
        is_code = not is_end if is_code else bool(_FENCE.match(line))
        lines.append(line)
    return "\n".join(lines)


def _lines(state: StateBlock, start: int, end: int) -> list[str]:
    return state.getLines(start, end, 0, False).split("\n") if start < end else []


def _code(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Takes the lines between two fences, or to the end of the text."""
    first, *rest = _lines(state, start, end)
    if not _FENCE.match(first):
        return False
    count = next((at for at, line in enumerate(rest) if _FENCE_END.match(line)), len(rest))
    if not silent:
        token = state.push("fence", "code", 0)
        token.content, token.map = "\n".join([*rest[:count], ""]), [start, start + count + 1]
        state.line = min(start + count + 2, end)
    return True


def _items(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Takes successive lines that begin with a dash: each is an item of one list."""
    items = list(takewhile(_ITEM.match, _lines(state, start, end)))
    if items and not silent:
        state.push("bullet_list_open", "ul", 1).map = [start, start + len(items)]
        for at, item in enumerate(items, start):
            for kind, tag in ("list_item", "li"), ("paragraph", "p"):
                state.push(f"{kind}_open", tag, 1).map = [at, at + 1]
            inline = state.push("inline", "", 0)
            inline.content, inline.map, inline.children = _ITEM.sub("", item, 1), [at, at + 1], []
            for kind, tag in ("paragraph", "p"), ("list_item", "li"):
                state.push(f"{kind}_close", tag, -1)
        state.push("bullet_list_close", "ul", -1)
        state.line = start + len(items)
    return bool(items)


def _picture(state: StateInline, silent: bool) -> bool:
    """Takes a picture, which is a link."""
    if not state.src.startswith("![", state.pos):
        return False
    state.pos += 1
    is_link = link(state, silent)
    state.pos -= not is_link
    return is_link


def _stars(state: StateInline, silent: bool) -> bool:
    return state.src[state.pos] == "*" and emphasis.tokenize(state, silent)


class RichText(Markdown, Part):  # pyright: ignore[reportIncompatibleMethodOverride]
    """A text in a subset of Markdown. Its links are asked for, never opened by themselves."""

    can_focus = True
    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter", "links", "Links")]

    def __init__(self, text: Callable[[Page], str]) -> None:
        super().__init__(parser_factory=parser, open_links=False, classes="rich")
        self._read, self._drawn = text, ""

    def show(self, page: Page) -> None:
        text = unindented(clean(self._read(page), lines=True))
        self.display = bool(text)
        if text != self._drawn:
            self._drawn = text
            self.update(text)
            self.can_focus = bool(self.links)

    @property
    def links(self) -> list[str]:
        """The addresses that the text links to."""
        inlines = (token.children or [] for token in parser().parse(self._drawn))
        hrefs = (each.attrGet("href") for inline in inlines for each in inline)
        return list(dict.fromkeys(str(href) for href in hrefs if href))

    def action_links(self) -> None:
        links = self.links
        if len(links) > 1:
            self.app.open_menu(Menu(links, lambda at: self.app.ask_to_open(links[at])))
        else:
            self.app.ask_to_open(links[0])


class Chart(Part):
    """Bars of a series of numbers, with the range of both axes."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {"chart--title", "chart--bars"}
    HEIGHT = 6

    def __init__(self, port: Port) -> None:
        super().__init__(classes="chart")
        self._port, self._lines = port, list[str]()

    def show(self, page: Page) -> None:
        describe, port = page.description, self._port
        items = describe.items(port.schema)
        x, y = port.says.get("x-x"), port.says.get("x-y")
        points: list[Any] = page.output.get(port.name) or []
        values = [point.get(y) if y else point for point in points]
        values = [float(value or 0) for value in values]
        self.display = bool(values)
        if not values:
            return
        low, high = min(values), max(values)
        if high - low > high / 4:
            low, high = min(0.0, low), max(0.0, high)  # Otherwise all bars would look the same.
        scale = describe.member(items, y) if y else items
        top, bottom = (describe.say(_whole(value), scale) for value in (high, low))
        labels = [top, *[""] * (self.HEIGHT - 2), bottom]
        ends = [
            describe.say(points[at].get(x), describe.member(items, x)) if x else ""
            for at in (0, -1)
        ]
        self._draw(port.title, values, low, high, labels, ends)

    def _draw(
        self, title: str, values: list[float], low: float, high: float, labels: list[str], ends: Any
    ) -> None:
        margin = max(map(len, labels))
        room = max(self.app.size.width - margin - 8, 8)
        values = values[-room:]
        width = max(1, min(4, room // len(values)))
        scale = (self.HEIGHT * 8) / ((high - low) or 1)
        heights = [round((value - low) * scale) for value in values]
        self._lines = [clean(title)]
        for line, label in enumerate(labels):
            base = (self.HEIGHT - 1 - line) * 8
            bars = "".join(BLOCKS[max(0, min(8, each - base))] * width for each in heights)
            self._lines.append(f"{clean(label):>{margin}} ┤{bars}")
        left, right = map(clean, ends)
        across = max(width * len(values) - len(left) - len(right), 1)
        self._lines.append(" " * (margin + 2) + left + " " * across + right)
        self.styles.height = len(self._lines)
        self.refresh()

    def render_line(self, y: int) -> Strip:
        text = self._lines[y] if y < len(self._lines) else ""
        name = "chart--title" if y == 0 else "chart--bars"
        style = self.get_component_rich_style(name)
        return Strip([Segment(fit(text, self.size.width), style)], self.size.width)


def _whole(value: float) -> float | int:
    return int(value) if value.is_integer() else value


class Table(DataTable[Any], Part):  # pyright: ignore[reportIncompatibleMethodOverride]
    """Rows with columns. Enter and "." work as in a list.

    "s" sorts by the next column, and "S" turns the order around.

    Attributes:
        path: the output with the rows.
    """

    parents: ClassVar[dict[int, Any]] = {}
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("full_stop", "menu", "More", key_display="."),
        Binding("s", "sort(1)", "Sort"),
        Binding("S", "sort(0)", show=False),
    ]

    def __init__(self, port: Port) -> None:
        super().__init__(cursor_type="row", zebra_stripes=True, classes="table")
        self.path, self._port = port.name, port
        self.rows_shown: list[Any] | None = None
        self._order: tuple[str, bool] | None = None

    @property
    def pattern(self) -> str:
        return self.path

    def show(self, page: Page) -> None:
        rows: list[Any] = page.output.get(self.path) or []
        order = self._find_order(page)
        if rows is self.rows_shown and order == self._order:
            return
        describe, at = page.description, self.cursor_row
        members = describe.members(describe.items(self._port.schema)).values()
        ports = describe.columns(self._port.schema)
        selected = [port.name for port in members if port.state == "selected"]
        self.rows_shown, self._order = rows, order
        self.clear(columns=True)
        for port in ports:
            is_sorted, is_descending = order and order[0] == port.name, order and order[1]
            sign = (" ▾" if is_descending else " ▴") if is_sorted else ""
            self.add_column(clean(port.title) + sign, key=port.name)
        for row in rows:
            texts = list(map(clean, describe.cells(row, self._port.schema)))
            is_number = [isinstance(row.get(port.name), int | float) for port in ports]
            if selected and texts:
                texts[0] = ("◆ " if any(map(row.get, selected)) else "◇ ") + texts[0]
            self.add_row(
                *[
                    Text(text, justify="right" if right else "left")
                    for text, right in zip(texts, is_number, strict=True)
                ]
            )
        self.move_cursor(row=min(at, len(rows) - 1))

    def _find_order(self, page: Page) -> tuple[str, bool] | None:
        """Returns the column by which the rows are sorted, and true for a descending order."""
        if found := page.about.sort_input(self.path):
            return found[1].order(page.current(found[0].name))
        column = self._port.says.get("x-sortedBy")
        return (column, False) if column else None

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action in ("page_up", "page_down"):  # Otherwise they are for the page around it.
            return self.allow_vertical_scroll
        if action in ("scroll_home", "scroll_end"):
            return self.allow_horizontal_scroll
        found = self.page.about.sort_input(self.path)
        return action != "sort" or bool(found and self.page.is_on(found[0].enabled_by))

    def action_sort(self, by: int) -> None:
        found = self.page.about.sort_input(self.path)
        names = [column.value for column in self.columns]
        if found and (columns := [each for each in names if self._takes(*found, each)]):
            column = self._order[0] if self._order else None
            at = columns.index(column) if column in columns else -by
            self._sort(columns[(at + by) % len(columns)])

    def _takes(self, port: Port, rows: RowsOf, column: str | None) -> bool:
        member = self.page.description.member(port.schema, rows.column or "")
        return column in member.get("enum", [column])

    def _sort(self, column: str | None) -> None:
        """Sorts by a column, or turns the order around if it is sorted by this one."""
        page, found = self.page, self.page.about.sort_input(self.path)
        if column and found and self._takes(*found, column):
            port, rows = found
            page.send(port.name, rows.sorting(page.current(port.name), column))

    @on(DataTable.HeaderSelected)
    def header_selected(self, event: DataTable.HeaderSelected) -> None:
        event.stop()
        self._sort(event.column_key.value)

    @on(DataTable.RowSelected)
    def selected(self, event: DataTable.RowSelected) -> None:
        event.stop()
        self._choose(menu=False)

    def action_menu(self) -> None:
        self._choose(menu=True)

    def _choose(self, menu: bool) -> None:
        if self.rows_shown:
            cells = cast("Any", self)
            self.post_message(Cells.Chosen(cells, self.rows_shown, self.cursor_row, menu))
