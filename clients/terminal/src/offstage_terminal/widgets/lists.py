"""The lists of a page's output: rows below each other, and cards side by side."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from offstage import Description, Port

from ..model.text import clean
from .cells import Cell, Header, Item
from .page import Page
from .rows import CardStrip, RowList

ToCell = Callable[[Any], Cell]

# A row's signs for a state that is true, and for one that is false.
SIGNS = {"unread": "● ", "done": "✓○", "selected": "◆◇", "favorite": "★ "}


class Rows(RowList):
    """A list of the output, as rows.

    Args:
        path: the list's path below the output.
        cell: converts a row to a cell; by default, from its members.
        sections: the list of sections, whose `id` the rows' `section` names; by default, the
            output with the sections of this list.
        when: shows the list only while this holds.
        empty: the text if there are no rows, a key of `Words`; by default, the list's own.
        title: names the missing rows before that text.
    """

    def __init__(
        self,
        path: str,
        cell: ToCell | None = None,
        *,
        sections: str | None = None,
        lines: int = 2,
        picture: int = 0,
        column: int = 0,
        when: Callable[[Page], bool] | None = None,
        empty: str = "",
        title: str = "",
    ) -> None:
        super().__init__(path, lines=lines, picture=picture, column=column)
        self._cell, self._sections, self._when = cell, sections, when
        self._empty, self._title = empty, title
        self._shown: tuple[Any, ...] | None = None

    def show(self, page: Page) -> None:
        if self._when:
            self.display = self._when(page)
        rows = page.find(self.path.partition("/*/")[0], [])
        self.show_empty("" if rows or page.is_waiting(self.path) else self._say_empty(page))
        sections: Any = page.find(self._sections_of(page), [])
        has_more = any(map(page.value, page.about.about_list("more", self.path)))
        chosen = self._chosen(page)
        if self._shown and all(map(operator.is_, self._shown, (rows, sections, has_more, chosen))):
            return
        self._shown = (rows, sections, has_more, chosen)
        cell = self._cell or cell_of(page, self.path, chosen)
        if "*" in self.path:
            self._show_nested(page, rows, cell)
            return
        items = list(self._in_sections(page, rows, cell))
        self.set_items([*items, *[(None, Header("⋯"))] * (has_more and bool(items))])

    def _say_empty(self, page: Page) -> str:
        """Returns the text for no rows: none if an output says it below the list, or denies it."""
        if self._empty:
            return self.app.words(self._empty)
        empty = list(page.about.about_list("empty", self.path))
        if any(map(page.value, empty)):
            return ""
        output = page.about.outputs[self.path.partition("/")[0]]
        texts = [] if empty else [self._title, self.app.words("Nothing here yet")]
        return clean(output.placeholder or ": ".join(filter(None, texts)))

    def _sections_of(self, page: Page) -> str:
        ports = page.about.about_list("sections", self.path)
        return self._sections or next((port.name for port in ports), "-")

    def _chosen(self, page: Page) -> Any:
        """Returns the value of the row that an output says is selected."""
        for port, _ in page.about.row_inputs(self.pattern):
            if selection := page.about.of_input("selection", port.name):
                return page.value(selection)
        return None

    def _in_sections(self, page: Page, rows: Any, cell: ToCell) -> Iterator[Item]:
        """Yields the rows, with a header above each section."""
        headers = headers_of(page, self.path, rows, self._sections)
        for row, header in zip(rows, headers, strict=True):
            if header:
                yield None, Header(header)
            yield row, cell(row)

    def _show_nested(self, page: Page, parents: Any, cell: ToCell) -> None:
        """Shows the rows of each parent under a header with the parent's texts."""
        path, _, member = self.path.partition("/*/")
        schema = page.description.items(page.about.outputs[path].schema)
        items, self.parents = list[Item](), {}
        for parent in parents:
            items.append((None, Header(clean(page.description.say(parent, schema)))))
            for row in parent.get(member, []):
                self.parents[id(row)] = parent
                items.append((row, cell(row)))
        self.set_items(items)


class Cards(CardStrip):
    """A list of the output, as cards side by side."""

    def __init__(
        self, path: str, cell: ToCell, *, picture: tuple[int, int], width: int = 0
    ) -> None:
        super().__init__(path, picture=picture, width=width)
        self._cell = cell
        self._shown: Any = None
        self.styles.height = picture[1] + 3

    def show(self, page: Page) -> None:
        self.show_rows(page.find(self.path, []))

    def show_rows(self, rows: list[Any]) -> None:
        if self._shown is not rows:
            self._shown = rows
            self.set_items([(row, self._cell(row)) for row in rows])


def headers_of(page: Page, path: str, rows: Any, output: str | None = None) -> Iterator[str]:
    """Yields for each row of a list the header above it; empty if it is in the section before.

    Args:
        output: the list of sections; by default, the one that is about this list.
    """
    describe = page.description
    about = page.about.children.get(path)
    items = describe.items(describe.within(page.about.outputs, path))
    members = describe.parts[about].outputs if about else describe.members(items)
    member = next((port for port in members.values() if port.role == "section"), None)
    names = [output] if output else [p.name for p in page.about.about_list("sections", path)]
    titles: dict[Any, str] = {
        section["id"]: describe.texts(section, describe.items(page.about.outputs[name].schema))[0]
        for name in names
        for section in page.find(name, [])
    }
    current: Any = None
    for row in rows:
        section = row.get(member.name) if member else None
        is_new, current = section != current, section
        own = describe.say(section, member.schema if member else {})
        yield clean(titles.get(section, "") if titles else own) if is_new else ""


def cell_of(page: Page, path: str, chosen: Any = None) -> ToCell:
    """Returns a function that converts a row of a list to a cell, by the roles of its members.

    Args:
        chosen: the value of the row that is selected, if an output says so.
    """
    describe = page.description
    items = describe.items(describe.within(page.about.outputs, path))
    inputs = [rows for _, rows in page.about.row_inputs(path)]
    to = to_cell(describe, describe.members(items))

    def cell(row: Any) -> Cell:
        if not hasattr(row, "get"):
            return Cell(clean(describe.say(row, items)))
        is_chosen = chosen is not None and any(rows.of([row]) == chosen for rows in inputs)
        return to(row, "selected" if is_chosen else None)

    return cell


def to_cell(describe: Description, ports: Mapping[str, Port]) -> Callable[..., Cell]:
    """Returns a function that converts a row with these members to a cell.

    The function also takes a state that the row is in beside those of its members.
    """
    role = {port.role: port for port in ports.values()}
    badge = role.get("badge")
    states = [port for port in ports.values() if port.role == "state"]
    apart = {"title", "badge", "accessory", "section", "state", "progress", "picture", "alt"}
    details = [port for port in ports.values() if port.role not in {*apart, "hidden"}]
    details.sort(key=lambda port: port.role != "subtitle")

    def say(row: Any, *ports: Port | None) -> Iterator[str]:
        for port in ports:
            if port and (text := describe.say_member(row.get(port.name), port)):
                yield clean(text)

    def cell(row: Any, also: str | None = None) -> Cell:
        texts = list(say(row, *details))
        title = next(say(row, role.get("title")), "") or (texts.pop(0) if texts else "")
        signs = {port.state: bool(row.get(port.name)) for port in states}
        signs |= {also: True} if also else {}
        return Cell(
            title,
            " · ".join(texts),
            "  ".join(say(row, role.get("accessory"))),
            _picture(row, role),
            role["progress"].share(row.get(role["progress"].name)) if "progress" in role else None,
            badge=next(say(row, badge if badge and row.get(badge.name) else None), ""),
            sign="".join(SIGNS[s][not on] for s, on in signs.items() if s in SIGNS),
            states=frozenset(state for state, on in signs.items() if on and state),
            is_plain=signs.get("unread") is False,
        )

    return cell


def _picture(row: Any, role: Mapping[str, Port]) -> str | None:
    return row.get(role["picture"].name) if "picture" in role else None


def lines_of(page: Page, path: str) -> int:
    """Returns how many lines a row of a list needs."""
    describe = page.description
    ports = describe.members(describe.items(describe.within(page.about.outputs, path))).values()
    roles = [port.role for port in ports]
    apart = {"title", "badge", "accessory", "section", "state", "alt", "hidden"}
    has_details = any(role not in {*apart, "picture", "progress"} for role in roles)
    lines = 1 + has_details + ("progress" in roles)
    return max(lines, 3) if "picture" in roles else lines
