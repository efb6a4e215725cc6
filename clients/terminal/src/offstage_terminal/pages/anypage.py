"""Draws any screen from its description, and any part of one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
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
from ..widgets.fields import Pills, TextField, Toggle, ValueField
from ..widgets.page import Page, Part
from ..widgets.parts import Busy, Failure, Line, Picture, Rows, Trigger
from ..widgets.stale import is_stale_since
from .screenpage import ScreenPage


class Retry(Trigger):
    """A button that retries; hidden unless something has failed."""

    def show(self, page: Page) -> None:
        super().show(page)
        self.display = isinstance(page, AnyPage) and page.has_failed


class AnyPage(ScreenPage):
    """Shows outputs as pictures, texts, and lists, and inputs as fields and buttons."""

    def __init__(self, owner: offstage.Owner) -> None:
        super().__init__(owner)
        self._has_reported_failure = False

    @property
    def has_failed(self) -> bool:
        """True if an output or an event reports a failure that can be retried."""
        outputs = [port for port in self.about.outputs.values() if is_failure(port.schema)]
        failures = [failure for port in outputs if (failure := self.output.get(port.name))]
        return self._has_reported_failure or any(each.get("retryable", True) for each in failures)

    def notice(self, event: offstage.Event[Any]) -> None:
        path = event.name[: event.name.rfind("/") + 1]
        if (event.screen, path) == (self.owner.id, self.owner.path):
            self._has_reported_failure = event.value.get("retryable") is True
            self.show_parts()

    def send(self, name: str, value: Any = None) -> None:
        if name == "retry":
            self._has_reported_failure = False
            self.show_parts()
        super().send(name, value)

    def body(self) -> ComposeResult:
        yield Busy(*self.busy_outputs())
        with VerticalScroll(classes="form"):
            yield from self.ports()

    def ports(self) -> ComposeResult:
        lists = list[str]()
        shown = {port.enabled_by for port in self.about.inputs.values()}
        for port in self.about.outputs.values():
            if port.name in self.about.children:
                yield Sections(port)
            elif port.name not in shown and not self._is_hidden(port):
                yield from self._output(port, lists)
        for port in self.about.inputs.values():
            if widget := self._input(port):
                yield widget
        triggers = [port for port in self.about.inputs.values() if port.role == "trigger"]
        if triggers:
            with ItemGrid(min_column_width=22, classes="triggers"):
                for port in triggers:
                    if port.name == "retry" and not port.enabled_by:
                        yield Retry(port.name)
                    else:
                        variant = "primary" if port.enabled_by else "default"
                        yield Trigger(port.name, variant=variant)
        for path in lists:
            schema = self.description.within(self.about.outputs, path)
            pictures = self.description.items(schema).get("properties", {})
            has_picture = any(map(self.description.is_picture, pictures.values()))
            title = clean(schema.get("title") or self.about.outputs[path].title)
            if len(lists) > 1 and "*" not in path:
                yield Label(title, classes="list--title", markup=False)
            yield Rows(path, picture=6 if has_picture else 0, title=title)

    def _is_hidden(self, port: Port) -> bool:
        """True for a flag, a time shown by the title, and a choice shown by its input."""
        items = self.description.items(port.schema)
        values = port.schema.get("enum") or items.get("enum")
        inputs = self.about.inputs.values()
        choices = [each.schema.get("enum") for each in inputs if each.role == "choice"]
        is_flag = port.schema.get("type") == "boolean"
        return is_flag or is_stale_since(port) or bool(values) and values in choices

    def _output(self, port: Port, lists: list[str]) -> Iterator[Widget]:
        describe, name, schema = self.description, port.name, port.schema
        members = schema.get("properties", {})
        if describe.is_table(schema):
            rows = describe.items(schema)["properties"]
            inner = [m for m in rows if describe.is_table(rows[m])]
            lists += [f"{name}/*/{member}" for member in inner] or [name]
        elif describe.is_picture(schema):
            yield Picture(lambda page: page.output.get(name), 24, 12)
        elif is_failure(schema):
            yield Failure(name, retry="")  # The page has a button for each trigger.
        elif members:
            for member in members:
                if describe.is_picture(members[member]):
                    yield Picture(lambda page, m=member: page.find(f"{name}/{m}"), 24, 12)
                elif describe.is_table(members[member]):
                    lists.append(f"{name}/{member}")
            yield Line(lambda page: self._say(port))
        else:
            yield Line(lambda page: self._say(port))

    def _say(self, port: Port) -> str:
        text = self.description.say(self.output.get(port.name), port.schema)
        kinds = port.schema.get("type", "")
        is_prose = "string" in kinds and not {"enum", "format", "x-unit"} & set(port.schema)
        return text if is_prose or not text else f"{port.title}: {text}"

    def _say_rows(self, port: Port) -> str:
        rows: list[Any] = self.owner.current(port.name) or []
        schema = self.description.items(port.schema)
        texts = ", ".join(self.description.say(row, schema) for row in rows)
        return texts and f"{port.title}: {texts}"

    def _input(self, port: Port) -> Widget | None:
        match port.role:
            case "text":
                return TextField(port.name)
            case "choice":
                return Pills(port.name)
            case "toggle":
                return Toggle(port.name)
            case "value" if self.description.is_table(port.schema):
                return Line(lambda page: self._say_rows(port))  # Other screens fill in the rows.
            case "value":
                return ValueField(port.name)
            case _:
                return None


def is_failure(schema: Mapping[str, Any]) -> bool:
    return {"message", "retryable"} <= set(schema.get("properties", {}))


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
        self._list = output.name
        self._row_inputs = {port.name: rows for port, rows in outer.about.row_inputs(output.name)}

    def compose(self) -> ComposeResult:
        with Horizontal(classes="section--bar"):
            yield Label(clean(self._title), classes="section--title", markup=False)
            for name in self._row_inputs:
                title = clean(self._outer.about.inputs[name].title)
                yield Button(Content(title), name=name, classes="section--row", compact=True)
            for arrow, by in ("↑", -1), ("↓", 1):
                for port, _ in self._outer.about.row_inputs(self._list, "move"):
                    title = f"{clean(port.title)} {arrow}"
                    name, classes = str(by), "section--row section--move"
                    yield Button(Content(title), name=name, classes=classes, compact=True)
        if names := self.busy_outputs():
            yield Busy(*names)
        yield from self.ports()

    def on_mount(self) -> None:
        self._is_composed = True
        self.show()

    def show(self) -> None:
        if self._is_composed and self._shown is not (output := self.output):
            self._shown = output
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
