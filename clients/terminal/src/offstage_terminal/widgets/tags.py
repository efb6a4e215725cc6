"""A list of words that stays, such as tags: each can be removed, and others are added."""

from __future__ import annotations

from typing import Any

from textual import on
from textual.app import ComposeResult
from textual.message import Message
from textual.widgets import Input, Label

from ..model.text import clean
from .chips import Chips
from .entries import Entry
from .fields import Field
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


class TagsField(Field):
    """An editor of words: Enter or a comma adds one, and Backspace removes the last.

    Left and Right choose another one to remove.
    """

    def __init__(self, name: str) -> None:
        super().__init__(classes="field")
        self.input = name

    def compose(self) -> ComposeResult:
        yield Label("", classes="field--label", markup=False)
        yield WordChips()
        yield TagEntry(select_on_focus=False)
        yield Label("", classes="field--error", markup=False)

    @property
    def words(self) -> list[str]:
        return self.page.current(self.input) or []

    def show(self, page: Page) -> None:
        port = page.about.inputs[self.input]
        self.display = page.is_on(port.visible_by)
        self.disabled = not page.is_on(port.enabled_by)
        put(self.query_one(".field--label", Label), clean(port.title))
        chips, entry, words = self.query_one(WordChips), self.query_one(TagEntry), self.words
        chips.options = [(at, f"{clean(word)} ×") for at, word in enumerate(words)]
        chips.display = bool(words)
        if chips.chosen is not None and chips.chosen >= len(words):
            chips.chosen = None
        chips.refresh(layout=True)
        hint = "Add · ⌫ removes" if words else "Add"
        entry.placeholder = clean(port.placeholder or self.app.words(hint))
        self._say_error(clean(page.owner.field(self.input).error or ""))

    def on_mount(self) -> None:
        self.watch(self.query_one(TagEntry), "value", self._typed, init=False)

    def _typed(self, text: str) -> None:
        """Adds what is before a comma."""
        before, comma, rest = text.rpartition(",")
        if comma:
            self.query_one(TagEntry).value = rest.lstrip()
            self._add(before)

    @on(Input.Submitted)
    def submitted(self, event: Input.Submitted) -> None:
        event.stop()
        if not event.value.strip():
            self.page.submit(self.input)
            return
        event.input.clear()
        self._add(event.value)

    def _add(self, text: str) -> None:
        typed = dict.fromkeys(word.strip() for word in text.split(","))
        if more := [word for word in typed if word and word not in self.words]:
            self.page.write(self.input, [*self.words, *more])

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
        if 0 <= at < len(self.words) and not self.disabled:
            self.query_one(WordChips).chosen = None
            self.page.write(self.input, [w for i, w in enumerate(self.words) if i != at])

    @on(TagEntry.Chosen)
    def chosen(self, event: TagEntry.Chosen) -> None:
        event.stop()
        chips, count = self.query_one(WordChips), len(self.words)
        if count:
            at = count if chips.chosen is None else chips.chosen
            at += event.by
            chips.chosen = None if at >= count else max(at, 0)
