"""Layers over the pages: dialogs, and menus."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, NamedTuple

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen, Screen
from textual.widgets import Button, Input, Label, OptionList, Static, Switch

from ..model.text import clean
from .cells import Cells
from .chips import Choice
from .entries import DateEntry
from .hints import KeyHints
from .host import Host
from .page import put
from .parts import Picture
from .tags import WordsEditor


class Layer(Screen[None]):
    """A layer of the app.

    Attributes:
        key: identifies the layer from one document to the next.
        since: the layer takes no key that was pressed before, in the time of events.
    """

    app: Host
    AUTO_FOCUS = ""
    since = 0.0
    offer = ""
    """The title of the button that an output offers, which Ctrl+N presses."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "app.back", "Back", key_display="esc"),
    ]

    def __init__(self, key: tuple[str, ...]) -> None:
        super().__init__(classes=f"layer {key[0]}")
        self.key = key

    def on_screen_suspend(self) -> None:
        for hints in self.query(KeyHints):
            put(hints, "")  # Keys go to the layer above.
        self.redraw_pictures()

    def on_screen_resume(self) -> None:
        self.refresh_bindings()
        self.redraw_pictures()

    def redraw_pictures(self) -> None:
        """Draws pictures again, which are graphics only on the layer on top."""
        for cells in self.query(Cells):
            cells.clear_drawn()
        for picture in self.query(Picture):
            picture.refresh()


class Overlay(Layer, ModalScreen[None]):
    """A layer that leaves the one below it visible."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+t", "app.toggle_theme", "Theme", show=False),
        Binding("ctrl+q", "app.quit", "Quit", show=False),
        Binding("ctrl+p", "app.palette", "Find"),
        Binding("ctrl+z", "app.suspend_process", "Suspend", show=False),
    ]


class Asked(NamedTuple):
    """A field of a dialog.

    Attributes:
        schema: says what is typed, such as a day.
        is_list: True for words, which are written as JSON.
        options: the texts to choose from.
        label: the text above a line, which stays when the line is filled.
    """

    id: str
    hint: str
    content: str = ""
    schema: Mapping[str, Any] = {}
    is_list: bool = False
    options: Sequence[str] = ()
    label: str = ""


class Dialog(Overlay):
    """A title, a message, fields, and buttons."""

    def __init__(
        self,
        key: tuple[str, ...],
        title: str,
        message: str = "",
        *,
        buttons: list[tuple[str, str, str]],
        fields: list[Asked] | None = None,
    ) -> None:
        """Creates a dialog.

        Args:
            buttons: the id, the title, and the variant of each.
        """
        super().__init__(key)
        self._title, self._message = clean(title), clean(message, lines=True)
        self._buttons, self._fields = buttons, fields or []

    def compose(self) -> ComposeResult:
        with Vertical(classes="panel"):
            yield Label(self._title, classes="dialog--title", markup=False)
            if self._message:
                with VerticalScroll(classes="dialog--message", can_focus=False):
                    yield Static(self._message, markup=False)
            for id, hint, content, schema, is_list, options, label in self._fields:
                if "boolean" in schema.get("type", ""):
                    with Horizontal(classes="toggle"):
                        yield Switch(name=id)
                        yield Label(clean(hint), markup=False)
                    continue
                if options:
                    yield Choice(clean(hint), [(each, clean(each)) for each in options], name=id)
                    continue
                if label:
                    yield Label(clean(label), classes="field--label", markup=False)
                if is_list:
                    yield WordsEditor(hint, name=id)
                    continue
                entry = DateEntry(content, placeholder=clean(hint), name=id)
                entry.schema = schema
                yield entry
            with Horizontal(classes="dialog--buttons"):
                for id, title, variant in self._buttons:
                    yield Button(Content(clean(title)), name=id, variant=variant)  # pyright: ignore

    def on_mount(self) -> None:
        self._focus_first()

    @on(WordsEditor.Ready)
    def ready(self, event: WordsEditor.Ready) -> None:
        """Moves the focus to a line that was not there yet."""
        event.stop()
        if self._fields and self._fields[0].is_list:
            self.screen.set_focus(None)
            self._focus_first()

    def _focus_first(self) -> None:
        self.focus_next("Input, Switch, Choice, Button")
        if isinstance(self.focused, Button) and self.focused.variant == "error":
            self.focus_next("Button")  # An accidental Enter must not destroy anything.

    @on(Button.Pressed)
    def pressed(self, event: Button.Pressed) -> None:
        event.stop()
        fields = {entry.name: entry.value for entry in self.query(Input) if entry.name}
        fields |= {each.name or "": json.dumps(each.value) for each in self.query(Switch)}
        fields |= {each.name or "": each.chosen or "" for each in self.query(Choice)}
        fields |= {each.name or "": json.dumps(each.typed) for each in self.query(WordsEditor)}
        self.answered(event.button.name or "", fields)

    @on(Input.Submitted)
    def entered(self, event: Input.Submitted) -> None:
        event.stop()
        self.submit()

    def submit(self) -> None:
        """Moves on from a field."""
        self.focus_next("Input, Switch, Choice, Button")

    def key_up(self) -> None:
        self._scroll(-1)

    def key_down(self) -> None:
        self._scroll(1)

    def _scroll(self, lines: int) -> None:
        if isinstance(self.focused, DateEntry) and self.focused.is_stepped:
            return
        for message in self.query(VerticalScroll):
            message.scroll_relative(y=lines, animate=False)

    def key_left(self) -> None:
        if isinstance(self.focused, Button):  # In a field, it moves the cursor.
            self.focus_previous("Button")

    def key_right(self) -> None:
        if isinstance(self.focused, Button):
            self.focus_next("Button")

    def answered(self, button: str, fields: dict[str, str]) -> None:
        """Handles the choice of a button."""


class Surprise(Dialog):
    """A dialog that opens by itself. A key that was meant for what it covers must not answer it."""

    @on(events.Mount)
    def opened(self, event: events.Mount) -> None:
        self.since = event.time


class Menu(Overlay):
    """A few choices."""

    def __init__(self, titles: Sequence[str | Content], chosen: Callable[[int], None]) -> None:
        super().__init__(("menu",))
        self._titles, self._chosen = titles, chosen

    def compose(self) -> ComposeResult:
        yield OptionList(*map(Content.assemble, self._titles), classes="panel", markup=False)

    def on_mount(self) -> None:
        self.query_one(OptionList).focus()

    @on(OptionList.OptionSelected)
    def selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self.app.close_menu(self)
        self._chosen(event.option_index)

    def key_escape(self, event: events.Key) -> None:
        event.stop()
        event.prevent_default()
        self.app.close_menu(self)

    def on_click(self, event: events.Click) -> None:
        if event.widget is self:
            self.app.close_menu(self)


class Help(Overlay):
    """The keys of what has the focus, with those for which the line at the bottom has no room."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("question_mark,enter", "close", "Close", show=False),
    ]

    def __init__(self, keys: Sequence[tuple[str, str]]) -> None:
        super().__init__(("help",))
        self._keys = keys

    def compose(self) -> ComposeResult:
        width = max(len(key) for key, _ in self._keys)
        lines = [
            Content.assemble((f"{key:>{width}}", "$accent bold"), f"  {text}")
            for key, text in self._keys
        ]
        with VerticalScroll(classes="panel"):
            yield Label(self.app.words("Keys"), classes="dialog--title", markup=False)
            yield Static(Content("\n").join(lines))

    def on_mount(self) -> None:
        self.query_one(VerticalScroll).focus()

    def action_close(self) -> None:
        self.app.close_menu(self)

    def key_escape(self, event: events.Key) -> None:
        event.stop()
        event.prevent_default()
        self.app.close_menu(self)

    def on_click(self) -> None:
        self.app.close_menu(self)
