"""Draws any screen from its description, and any part of one."""

from __future__ import annotations

import operator
from collections.abc import Iterator
from itertools import groupby

import offstage
from offstage import Port
from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal, ItemGrid, Vertical, VerticalScroll
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Button, Label

from ..model.text import clean
from ..widgets.lists import Rows, lines_of
from ..widgets.page import Page, Part
from ..widgets.parts import Busy, Empty, Facts, Failure, Line, Notice, Trigger
from ..widgets.stale import Stale
from ..widgets.windows import Window
from .drawing import ELSEWHERE, draw_input, draw_output, is_button
from .screenpage import ScreenPage

VARIANTS = {"main": "primary", "destructive": "error"}


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
    """Shows outputs as pictures, texts, and lists, and inputs as fields and buttons."""

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
            elif port.role not in ELSEWHERE:
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
        self._outer, self._shown, self._is_composed = outer, None, False
        self._is_row = outer.description.is_table(output.schema)
        self._title = self.about.title if self._is_row else output.title
        self._heading = next((port.name for port in self.about.with_role("title")), "")
        self._list = output.name
        self._row_inputs = {port.name: rows for port, rows in outer.about.row_inputs(output.name)}

    def compose(self) -> ComposeResult:
        with Horizontal(classes="section--bar"):
            yield Line(self._say_title, classes="section--title")
            yield Stale()
            for name in self._row_inputs:
                title = clean(self._outer.about.inputs[name].title)
                yield Button(Content(title), name=name, classes="section--row", compact=True)
            for arrow, by in ("↑", -1), ("↓", 1):
                for port, _ in self._outer.about.row_inputs(self._list, "move"):
                    title = f"{clean(port.title)} {arrow}"
                    name, classes = str(by), "section--row section--move"
                    yield Button(Content(title), name=name, classes=classes, compact=True)
        if names := self.names("busy"):
            yield Busy(*names)
        yield from self.subtitle()
        yield from self.news()
        yield from self.ports()

    def _say_title(self, page: Page) -> str:
        return str(page.output.get(self._heading) or self._title)

    def on_mount(self) -> None:
        self._is_composed = True
        self.show()

    def show(self) -> None:
        now = self.output, self.core.is_away
        if self._is_composed and not (self._shown and all(map(operator.is_, self._shown, now))):
            self._shown = now
            self.show_parts()

    @on(Button.Pressed, ".section--row")
    def send_row(self, event: Button.Pressed) -> None:
        event.stop()
        name = event.button.name or ""
        if event.button.has_class("section--move"):
            self._move(int(name))
        else:
            self._outer.send(name, self._row_inputs[name].of([self.output]))

    def _move(self, by: int) -> None:
        """Moves the part up or down in its list."""
        rows = self._outer.find(self._list, [])
        at = next(at for at, row in enumerate(rows) if row["id"] == self.output["id"])
        self._outer.move(self._list, rows, at, by)

    @property
    def loader(self) -> Port | None:
        return None  # A part has a button.

    def submit(self, name: str) -> None:
        """Leaves the field of a row. A part outside a list is a form, like a screen."""
        if self._is_row:
            self.screen.focus_next()
        else:
            super().submit(name)


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
        for part in parts:
            section = before.get(part.path)
            if not section:
                section = Section(part, page, self._output)
                self.mount(section, after=last) if last else self.mount(section, before=0)
            elif not is_in_order:
                self.move_child(section, after=last) if last else self.move_child(section, before=0)
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
