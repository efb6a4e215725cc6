"""The parts that a person fills in: texts, choices, switches, and values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from offstage import Port, read_file
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.widgets import Input, Label, Switch, TextArea

from ..model import files
from ..model.files import Mistake
from ..model.steps import fault, hint, step
from ..model.text import clean
from .entries import DateEntry, Entry
from .page import Page, Part, put

STEPS = [
    Binding("ctrl+up", "step(1)", "Step", key_display="^↑↓"),
    Binding("ctrl+down", "step(-1)", show=False),
]


class Field(Vertical, Part):
    """A field that is typed into. Up and Down leave it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "app.focus_previous", show=False),
        Binding("down", "app.focus_next", show=False),
    ]

    def _say_error(self, error: str) -> None:
        label = self.query_one(".field--error", Label)
        label.display = bool(error)
        put(label, error)
        self.set_class(bool(error), "-invalid")


class Editor(TextArea):
    """A text of several lines."""

    BINDINGS: ClassVar[list[BindingType]] = [
        # The function keys select tabs.
        binding
        for binding in TextArea.BINDINGS
        if not isinstance(binding, Binding) or binding.key not in ("f6", "f7")
    ]

    def check_consume_key(self, key: str, character: str | None = None) -> bool:
        return key == "slash" or super().check_consume_key(key, character)


class TextField(Field):
    """A text input that is written ahead of the core, with its error below.

    Ctrl+Up and Ctrl+Down step a date or a time.

    Args:
        is_long: True for several lines.
    """

    BINDINGS: ClassVar[list[BindingType]] = [*STEPS]

    def __init__(self, name: str, *, label: bool = True, is_long: bool = False) -> None:
        super().__init__(classes="field")
        self.input, self._has_label, self._is_long = name, label, is_long

    def compose(self) -> ComposeResult:
        if self._has_label:
            yield Label("", classes="field--label", markup=False)
        if self._is_long:
            yield Editor(compact=True, highlight_cursor_line=False)
        else:
            yield DateEntry(select_on_focus=False, compact=False)
        yield Label("", classes="field--error", markup=False)

    @property
    def entry(self) -> DateEntry | Editor:
        """The widget that is typed into."""
        return self.query_one(Editor) if self._is_long else self.query_one(DateEntry)

    @property
    def text(self) -> str:
        entry = self.entry
        return entry.text if isinstance(entry, Editor) else entry.value

    def show(self, page: Page) -> None:
        port = page.about.inputs[self.input]
        field = page.owner.field(self.input)
        self.display = page.is_on(port.visible_by)
        text, entry = field.value, self.entry
        if self._has_label:
            put(self.query_one(".field--label", Label), clean(port.title))
        example = port.placeholder or hint(port.schema, self.app.words)
        entry.placeholder = clean(example if self._has_label else port.title)
        text = None if text is None else clean(text, lines=self._is_long)
        if isinstance(entry, Editor):
            if text is not None and text != entry.text:
                entry.text = text
                entry.move_cursor(entry.document.end)
        else:
            entry.password, entry.schema = port.is_secret, port.schema
            if text is not None and text != entry.value:
                entry.value = text
        error = clean(field.error or "") or self._length(port)
        label = self.query_one(".field--error", Label)
        state = "Not sent yet" * page.is_unsent(self.input) or "Checking…" * field.is_checking
        text = error or self.app.words(state)
        label.display = bool(text)
        put(label, text)
        self.set_class(bool(error), "-invalid")

    def _length(self, port: Port) -> str:
        """Says that a text is too long, before the core does."""
        longest, count = port.says.get("x-valid", {}).get("maxLength"), len(self.text)
        if longest is None or count <= longest:
            return ""
        return self.app.words("{count} of {longest} letters", count=count, longest=longest)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        schema = self.page.about.inputs[self.input].schema
        return action != "step" or step(None, schema, 1) is not None

    def action_step(self, by: int) -> None:
        page = self.page
        value = step(self.text, page.about.inputs[self.input].schema, by)
        if value is not None:
            page.write(self.input, value)

    def on_mount(self) -> None:
        # Not with `Input.Changed`: a frame with older text may be shown before that message.
        if not self._is_long:
            self.watch(self.entry, "value", self._write, init=False)

    @on(TextArea.Changed)
    def changed(self, event: TextArea.Changed) -> None:
        event.stop()
        self._write(event.text_area.text)

    def _write(self, text: str) -> None:
        page = self.page
        if text != clean(page.owner.field(self.input).value or "", lines=self._is_long):
            page.write(self.input, text)

    def on_descendant_blur(self) -> None:
        # Fields also lose the focus with the terminal, and as the app ends.
        if self.is_attached and self.app.app_focus and self.app.is_running:
            self.page.leave(self.input)

    @on(Input.Submitted)
    def submit(self, event: Input.Submitted) -> None:
        event.stop()
        self.page.submit(self.input)


class Toggle(Horizontal, Part):
    """A switch for a Boolean input."""

    def __init__(self, name: str) -> None:
        super().__init__(classes="toggle")
        self.input = name

    def compose(self) -> ComposeResult:
        yield Switch()
        yield Label("", markup=False)

    def show(self, page: Page) -> None:
        port = page.about.inputs[self.input]
        put(self.query_one(Label), page.say_unsent(self.input, clean(port.title)))
        self.display, switch = page.is_on(port.visible_by), self.query_one(Switch)
        current = page.current(self.input)
        switch.disabled = not page.is_on(port.enabled_by)
        with switch.prevent(Switch.Changed):
            switch.value = current is True

    @on(Switch.Changed)
    def switched(self, event: Switch.Changed) -> None:
        event.stop()
        self.page.send(self.input, event.value)


class ValueField(Field):
    """An input whose value is typed: a number, a date, words, or an object's members.

    Ctrl+Up and Ctrl+Down step a number, a date, or a time.
    """

    BINDINGS: ClassVar[list[BindingType]] = [*STEPS]

    def __init__(self, name: str) -> None:
        super().__init__(classes="field")
        self.input = name
        self._shown = ""

    def compose(self) -> ComposeResult:
        yield Label("", classes="field--label", markup=False)
        yield DateEntry(select_on_focus=False)
        yield Label("", classes="field--error", markup=False)

    @property
    def _port(self) -> Port:
        return self.page.about.inputs[self.input]

    @property
    def _schema(self) -> Mapping[str, Any]:
        """The schema of valid values."""
        return {**self._port.schema, **self._port.says.get("x-valid", {})}

    def show(self, page: Page) -> None:
        port = page.about.inputs[self.input]
        self.display = page.is_on(port.visible_by)
        self.disabled = not page.is_on(port.enabled_by)
        put(self.query_one(".field--label", Label), page.say_unsent(self.input, clean(port.title)))
        members = port.schema.get("properties", {})
        entry = self.query_one(DateEntry)
        entry.schema = port.schema
        example = " ".join(members) or hint(self._schema, self.app.words)
        entry.placeholder = clean(port.placeholder or example or "⏎")
        self._say_error(clean(page.owner.field(self.input).error or ""))
        # Typed text stays until another value arrives.
        value = page.current(self.input)
        text = clean(value if isinstance(value, str) else page.description.say(value, port.schema))
        if "format" in port.schema or "number" in str(port.schema.get("type")):
            text = "" if value is None else clean(value)
        if text != self._shown:
            self._shown = entry.value = text

    @on(DateEntry.Stepped)
    def stepped(self, event: DateEntry.Stepped) -> None:
        event.stop()
        self._shown = event.value
        self.page.send(self.input, event.value)

    @on(Input.Submitted)
    def submitted(self, event: Input.Submitted) -> None:
        event.stop()
        page, schema = self.page, self._schema
        value = page.description.parse(event.value, schema)
        if error := fault(value, schema, self.app.words):
            self._say_error(error)
            self.call_after_refresh(self.scroll_visible, animate=False)
            return
        page.send(self.input, value)
        self._shown = ""
        event.input.clear()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        is_stepped = action != "step" or step(None, self._schema, 1) is not None
        return is_stepped and super().check_action(action, parameters)

    def action_step(self, by: int) -> None:
        page = self.page
        value = step(page.current(self.input), self._schema, by)
        if value is not None:
            page.send(self.input, value)


class FileField(Field):
    """An input that takes a file, whose path is typed."""

    def __init__(self, name: str) -> None:
        super().__init__(classes="field")
        self.input = name

    def compose(self) -> ComposeResult:
        yield Label("", classes="field--label", markup=False)
        yield Entry(select_on_focus=False)
        yield Label("", classes="field--error", markup=False)

    def on_mount(self) -> None:
        self._say_error("")

    def show(self, page: Page) -> None:
        port = page.about.inputs[self.input]
        self.display = page.is_on(port.visible_by)
        self.disabled = not page.is_on(port.enabled_by)
        kinds = files.say(port.accepts, self.app.words)
        title = page.say_unsent(self.input, clean(f"{port.title} · {kinds}"))
        put(self.query_one(".field--label", Label), title)
        example = port.placeholder or self.app.words("The path of the file")
        self.query_one(Entry).placeholder = clean(example)

    @on(Input.Submitted)
    def submitted(self, event: Input.Submitted) -> None:
        event.stop()
        page = self.page
        accepts = page.about.inputs[self.input].accepts
        try:
            with files.told(self.app.words):
                value = read_file(event.value.strip(), accepts)
        except Mistake as mistake:
            self._say_error(clean(str(mistake)))
            self.call_after_refresh(self.scroll_visible, animate=False)
            return
        self._say_error("")
        page.send(self.input, value)
        event.input.clear()
