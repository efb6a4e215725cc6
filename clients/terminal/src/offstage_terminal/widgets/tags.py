"""A list of words, such as tags: each can be removed, and others are added."""

from __future__ import annotations

from typing import Any

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.message import Message
from textual.widgets import Input, Label

from ..model.text import clean
from .chips import Chips
from .entries import Entry
from .fields import Field
from .host import Host
from .page import Page, put


class TagEntry(Entry):
    """A line for another word. While it is empty, its keys are about the words beside it."""

    class Removed(Message):
        """The chosen word goes, or else the last one."""

    class Chosen(Message):
        """The word before or after the chosen one is chosen."""

        def __init__(self, by: int) -> None:
            super().__init__()
            self.by = by

    def action_delete_left(self) -> None:
        super().action_delete_left() if self.value else self.post_message(self.Removed())

    def action_delete_right(self) -> None:
        super().action_delete_right() if self.value else self.post_message(self.Removed())

    def action_cursor_left(self, select: bool = False) -> None:
        super().action_cursor_left(select) if self.value else self.post_message(self.Chosen(-1))

    def action_cursor_right(self, select: bool = False) -> None:
        super().action_cursor_right(select) if self.value else self.post_message(self.Chosen(1))


class WordChips(Chips):
    """The words of a list, by their places. A click removes one."""

    class Clicked(Message):
        def __init__(self, at: int) -> None:
            super().__init__()
            self.at = at

    def pick(self, value: Any) -> None:
        self.post_message(self.Clicked(value))


class WordsEditor(Vertical):
    """Words, and a line for another one: Enter adds it, and Backspace removes the last.

    Left and Right choose another one to remove.
    """

    class Changed(Message):
        """A word has been added or removed."""

        def __init__(self, words: list[str]) -> None:
            super().__init__()
            self.words = words

    class Ready(Message):
        """The line can have the focus."""

    app: Host

    def __init__(self, hint: str = "", name: str | None = None) -> None:
        super().__init__(name=name, classes="words")
        self.words = list[str]()
        self._hint = hint

    def compose(self) -> ComposeResult:
        yield WordChips()
        yield TagEntry(select_on_focus=False)

    def on_mount(self) -> None:
        self.show(self.words, self._hint)
        self.post_message(self.Ready())

    @property
    def typed(self) -> list[str]:
        """The words, also the one that has not been added yet."""
        word = self.query_one(TagEntry).value.strip()
        return [*self.words, word] if word and word not in self.words else self.words

    def show(self, words: list[str], hint: str) -> None:
        chips, entry = self.query_one(WordChips), self.query_one(TagEntry)
        self.words, self._hint = words, hint
        chips.options = [(at, f"{clean(word)} ×") for at, word in enumerate(words)]
        chips.display = bool(words)
        if chips.chosen is not None and chips.chosen >= len(words):
            chips.chosen = None
        chips.refresh(layout=True)
        entry.placeholder = clean(hint or self.app.words("Add · ⌫ removes" if words else "Add"))

    def _change(self, words: list[str]) -> None:
        self.show(words, self._hint)
        self.post_message(self.Changed(words))

    @on(Input.Submitted)
    def submitted(self, event: Input.Submitted) -> None:
        """Adds a word. Enter in an empty line is not about the words."""
        if not event.value.strip():
            return
        event.stop()
        words = self.typed
        event.input.clear()
        if words != self.words:
            self._change(words)

    @on(TagEntry.Removed)
    def removed(self, event: TagEntry.Removed) -> None:
        event.stop()
        chosen = self.query_one(WordChips).chosen
        self._remove(len(self.words) - 1 if chosen is None else chosen)

    @on(WordChips.Clicked)
    def clicked(self, event: WordChips.Clicked) -> None:
        event.stop()
        self._remove(event.at)
        self.query_one(TagEntry).focus()

    def _remove(self, at: int) -> None:
        if 0 <= at < len(self.words) and not self.is_disabled:
            self.query_one(WordChips).chosen = None
            self._change([word for i, word in enumerate(self.words) if i != at])

    @on(TagEntry.Chosen)
    def chosen(self, event: TagEntry.Chosen) -> None:
        event.stop()
        chips, count = self.query_one(WordChips), len(self.words)
        if count:
            at = count if chips.chosen is None else chips.chosen
            at += event.by
            chips.chosen = None if at >= count else max(at, 0)


class TagsField(Field):
    """An input that takes words."""

    def __init__(self, name: str) -> None:
        super().__init__(classes="field")
        self.input = name

    def compose(self) -> ComposeResult:
        yield Label("", classes="field--label", markup=False)
        yield WordsEditor()
        yield Label("", classes="field--error", markup=False)

    def show(self, page: Page) -> None:
        port = page.about.inputs[self.input]
        self.display = page.is_on(port.visible_by)
        self.disabled = not page.is_on(port.enabled_by)
        put(self.query_one(".field--label", Label), page.say_unsent(self.input, clean(port.title)))
        self.query_one(WordsEditor).show(page.current(self.input) or [], port.placeholder or "")
        self._say_error(clean(page.owner.field(self.input).error or ""))

    @on(WordsEditor.Changed)
    def changed(self, event: WordsEditor.Changed) -> None:
        event.stop()
        self.page.write(self.input, event.words)

    @on(Input.Submitted)
    def submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.page.submit(self.input)
