"""Lines that are typed into."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from textual.binding import Binding, BindingType
from textual.message import Message
from textual.widgets import Input

from ..model.steps import FORMATS, step


class Entry(Input, inherit_bindings=False):
    """A line of text."""

    BINDINGS = Input.BINDINGS  # Without the bindings of a scroll view, such as Down.

    def check_consume_key(self, key: str, character: str | None) -> bool:
        # Textual does not recognize the character of the slash key.
        return key == "slash" or super().check_consume_key(key, character)


class DateEntry(Entry):
    """A line of text. In a day or a time, Up and Down step the part at the cursor: the year, the
    month, the day, the hour, or the minute.

    Attributes:
        schema: says what is typed. A text without a format is a line like any other.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "step(1)", "Step", key_display="↑↓"),
        Binding("down", "step(-1)", show=False),
    ]
    schema: Mapping[str, Any] = {}

    class Stepped(Message):
        """An arrow key has led to a value."""

        def __init__(self, value: str) -> None:
            super().__init__()
            self.value = value

    @property
    def is_stepped(self) -> bool:
        return self.schema.get("format") in FORMATS

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "step" and not self.is_stepped:
            return False
        return super().check_action(action, parameters)

    def action_step(self, by: int) -> None:
        at = self.cursor_position if self.value else None
        value = step(self.value or None, self.schema, by, at)
        if value is not None:
            self.value = value
            self.cursor_position = len(value) if at is None else at
            self.post_message(self.Stepped(value))
