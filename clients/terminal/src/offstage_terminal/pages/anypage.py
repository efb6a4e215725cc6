"""Draws any screen from its description, and any part of one."""

from __future__ import annotations

import operator
from collections.abc import Iterator
from itertools import groupby
from typing import Any

import offstage
from offstage import Port
from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal, ItemGrid, Vertical, VerticalScroll
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Button, Label

from ..model.text import clean
from ..widgets.lists import Rows, headers_of, lines_of, to_cell
from ..widgets.page import Page, Part
from ..widgets.parts import Busy, Empty, Facts, Failure, Line, Notice, Trigger
from ..widgets.stale import Stale
from ..widgets.windows import Window
from .drawing import ELSEWHERE, draw_input, draw_output, is_button
from .screenpage import ScreenPage, say_action

VARIANTS = {"main": "primary", "destructive": "error"}
# What the title of a part says if it is a row.
ROW = frozenset({"badge", "accessory", "state"})


class FormTrigger(Trigger):
    """A button of a form. While an output offers the input, the button is there instead."""

    def __init__(self, port: Port) -> None:
        super().__init__(port.name, variant=VARIANTS.get(port.weight or "", "default"))

    def show(self, page: Page) -> None:
        super().show(page)
        if self.input in page.about.offered:
            is_apart = self.disabled or page.offers(self.input)
            self.display = self.display and not is_apart


class AnyPage(ScreenPage):
    """Shows outputs as pictures, texts, and lists, and inputs as fields and buttons.

    Attributes:
        elsewhere: roles of outputs that are shown in the title.
    """

    elsewhere: frozenset[str] = frozenset()

    def body(self) -> ComposeResult:
        yield Busy(*self.names("busy"))
        yield from self.subtitle()
        yield from self.news()
        with VerticalScroll(classes="form"):
            yield from self.ports()

    def names(self, *roles: str) -> list[str]:
        return [port.name for port in self.about.with_role(*roles)]

    def subtitle(self) -> ComposeResult:
        if self.names("subtitle"):
            yield Line(self._say_subtitle, classes="subtitle")

    def news(self) -> ComposeResult:
        """Yields what the screen says beside its content: notices, and failures."""
        for role, kind in ("notice", Notice), ("failure", Failure):
            ports = (*self.about.outputs.values(), *self.about.events.values())
            if names := [port.name for port in ports if port.role == role]:
                yield kind(*names)

    def _say_subtitle(self, page: Page) -> str:
        return " · ".join(
            str(text) for name in self.names("subtitle") if (text := page.output.get(name))
        )

    def ports(self) -> ComposeResult:
        lists = list[str]()
        widgets = list[Widget]()
        for port in self.about.outputs.values():
            if port.name in self.about.children:
                widgets += [Sections(port), *self._empty(port.name)]
            elif port.role not in ELSEWHERE | self.elsewhere:
                widgets += draw_output(self, port, lists)
        for is_fact, group in groupby(widgets, lambda widget: widget.has_class("fact")):
            if is_fact:
                yield Facts(*group, classes="facts")
            else:
                yield from group
        inputs = self.about.inputs.values()
        yield from filter(None, (draw_input(self, port) for port in inputs))
        if buttons := list(self.buttons()):
            with ItemGrid(min_column_width=22, classes="triggers"):
                yield from buttons
        if any(port.enabled_by for port in inputs):
            yield Line(_say_reasons, classes="reasons")
        for path in lists:
            yield from self.rows(path, len(lists) > 1)
        drawn = [*lists, *self.about.children]
        for port in self.about.with_role("empty"):
            if not port.of or not any(map(port.is_about, drawn)):
                yield Empty(port.name)

    def buttons(self) -> Iterator[FormTrigger]:
        """Yields the buttons of the form, without those that only an output offers."""
        for port in self.about.inputs.values():
            is_apart = port == self.loader or self.about.is_only_offered(port)
            if is_button(port) and not is_apart:
                yield FormTrigger(port)

    def rows(self, path: str, is_one_of_many: bool) -> Iterator[Widget]:
        schema = self.description.within(self.about.outputs, path)
        members = self.description.members(self.description.items(schema)).values()
        has_picture = any(port.role == "picture" for port in members)
        title = clean(schema.get("title") or self.about.outputs[path.partition("/")[0]].title)
        if is_one_of_many and "*" not in path:
            yield Label(title, classes="list--title", markup=False)
        lines, picture = lines_of(self, path), 6 if has_picture else 0
        if path in self.about.outputs and self.about.outputs[path].is_window:
            yield Window(path, lines=lines, picture=picture)
        else:
            yield Rows(path, lines=lines, picture=picture, title=title)
        yield from self._empty(path)

    def _empty(self, path: str) -> Iterator[Widget]:
        if names := [port.name for port in self.about.about_list("empty", path) if port.of]:
            yield Empty(*names)


def _say_reasons(page: Page) -> str:
    """Says why inputs are disabled."""
    ports = [port for port in page.about.inputs.values() if port.name not in page.about.offered]
    reasons = [page.owner.reason(port) for port in ports if page.is_on(port.visible_by)]
    return "\n".join(dict.fromkeys(filter(None, reasons)))


class Section(AnyPage):
    """A part of a screen, drawn at its place in the page around it.

    Args:
        outer: the page around it.
        output: the output of `outer` that shows the part, either alone or in a list.
    """

    DEFAULT_CLASSES = "section"

    def __init__(self, part: offstage.Part, outer: Page, output: Port) -> None:
        super().__init__(part)
        self.outer, self.list, self.header = outer, output.name, ""
        self._shown: tuple[Any, ...] | None = None
        self._is_composed = False
        self._is_row = outer.description.is_table(output.schema)
        self._title = self.about.title if self._is_row else output.title
        if self._is_row:
            self._cell = to_cell(self.description, self.about.outputs)
            self.elsewhere = ROW

    def compose(self) -> ComposeResult:
        yield Line(lambda _: self.header, classes="section--header")
        with Horizontal(classes="section--bar"):
            yield Line(self._say_title, classes="section--title")
            yield Stale()
            inputs = [port for port, _ in self.outer.about.row_inputs(self.list)]
            yield from (RowButton(port) for port in inputs if port.weight != "destructive")
            for by in -1, 1:
                for port, _ in self.outer.about.row_inputs(self.list, "move"):
                    yield RowButton(port, by)
            yield from (RowButton(port) for port in inputs if port.weight == "destructive")
        if names := self.names("busy"):
            yield Busy(*names)
        yield from self.subtitle()
        yield from self.news()
        yield from self.ports()

    def _say_title(self, page: Page) -> Content:
        """Writes the title, in a row with what is at its start and at its end."""
        if not self._is_row:
            return Content(clean(page.heading() if self.names("title") else self._title))
        cell = self._cell(page.output)
        has_title = any(map(page.value, page.about.with_role("title")))
        title = cell.title if has_title else clean(self._title)
        style = "strike dim" if "done" in cell.states else "not bold" if cell.is_plain else ""
        style = "$foreground 50%" if "disabled" in cell.states else style
        ends = [f"  {text}" for text in (cell.trailing, cell.badge) if text]
        return Content.assemble(
            f"{cell.sign} ".lstrip(), (title, style), ("".join(ends), "$accent")
        )

    def on_mount(self) -> None:
        self._is_composed = True
        self.show()

    def show(self) -> None:
        outer = self.outer.output if self.query(RowButton) else None
        now = self.output, self.core.is_away, self.header, outer
        if self._is_composed and not (self._shown and all(map(operator.is_, self._shown, now))):
            self._shown = now
            self.show_parts()

    @property
    def loader(self) -> Port | None:
        return None  # A part has a button.

    def submit(self, name: str) -> None:
        """Leaves the field of a row. A part outside a list is a form, like a screen."""
        if self._is_row:
            self.screen.focus_next()
        else:
            super().submit(name)


class RowButton(Button, Part):
    """A button for an input that takes the part as a row of its list.

    Args:
        port: the input.
        by: for an input that moves rows, -1 to move the part up, and 1 to move it down.
    """

    def __init__(self, port: Port, by: int = 0) -> None:
        classes = "section--row section--move" if by else "section--row"
        variant: Any = VARIANTS.get(port.weight or "", "default")
        super().__init__(name=port.name, variant=variant, classes=classes, compact=True)
        self.port, self._by = port, by

    def show(self, page: Page) -> None:
        assert isinstance(page, Section)
        arrow = {-1: " ↑", 1: " ↓"}.get(self._by, "")
        title = page.outer.owner.title_of(self.port) + arrow
        self.label = say_action(title, self.port, page.output)
        self.display = page.outer.is_on(self.port.visible_by)
        self.disabled = not page.outer.is_on(self.port.enabled_by)

    @on(Button.Pressed)
    def send(self, event: Button.Pressed) -> None:
        event.stop()
        section = self.page
        assert isinstance(section, Section)
        outer, rows = section.outer, section.outer.find(section.list, [])
        if self._by:
            at = next(at for at, row in enumerate(rows) if row["id"] == section.output["id"])
            outer.move(section.list, rows, at, self._by)
        else:
            taken = next(rows for rows in self.port.rows if rows.list == section.list)
            outer.send(self.port.name, taken.of([section.output]))


class Sections(Vertical, Part):
    """The parts that an output shows. A long list grows as its end comes into view."""

    STEP = 30

    def __init__(self, output: Port) -> None:
        super().__init__(classes="sections")
        self._output, self._limit = output, self.STEP
        self._sections: dict[str, Section] = {}

    def on_mount(self) -> None:
        self._scroll = next(each for each in self.ancestors if isinstance(each, VerticalScroll))
        self.watch(self._scroll, "scroll_y", self._scrolled, init=False)

    def show(self, page: Page) -> None:
        parts = page.owner.children(self._output.name)[: self._limit]
        paths = [part.path for part in parts]
        for path in self._sections.keys() - set(paths):
            self._sections.pop(path).remove()
        is_in_order = [path for path in paths if path in self._sections] == [*self._sections]
        before, self._sections = self._sections, {}
        last: Section | None = None
        headers = headers_of(page, self._output.name, [part.output for part in parts])
        for part, header in zip(parts, headers, strict=True):
            section = before.get(part.path)
            if not section:
                section = Section(part, page, self._output)
                self.mount(section, after=last) if last else self.mount(section, before=0)
            elif not is_in_order:
                self.move_child(section, after=last) if last else self.move_child(section, before=0)
            section.header = header
            section.show()
            last = self._sections[part.path] = section
        self.call_after_refresh(self._look_for_end)

    def _scrolled(self) -> None:
        self.call_after_refresh(self._look_for_end)

    def _look_for_end(self) -> None:
        last = next(reversed(self._sections.values()), None)
        if not last or not self.is_attached:
            return
        if not last.region or last.region.y >= self._scroll.region.bottom:
            return  # Not laid out yet, or below the visible area.
        page = self.page
        count = len(page.find(self._output.name, []))
        if count > len(self._sections):
            self._limit += self.STEP
            self.show(page)
        else:
            page.owner.reached_end(self._output.name, count)
