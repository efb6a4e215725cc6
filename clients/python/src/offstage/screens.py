"""Typed access to a screen. `python -m offstage.generate` writes the subclasses."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, ClassVar

from .errors import UnknownScreen
from .fields import Field
from .pointer import JSON, join
from .subscriptions import Events

if TYPE_CHECKING:
    from .requests import Reply
    from .view import View


class Screen:
    """An open screen of a core."""

    kind: ClassVar[str] = ""

    def __init__(self, core: View, id: str) -> None:
        self.core = core
        self.id = id

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.id!r})"

    @property
    def output(self) -> Any:
        """What the screen shows.

        Raises:
            UnknownScreen: the screen has closed.
        """
        if not self.is_open:
            raise UnknownScreen(1001, "the screen has closed", {"screen": self.id})
        return self.core.document.get(join("screens", self.id, "output"))

    @property
    def is_open(self) -> bool:
        return self.id in self.core.document.screens

    @property
    def is_visible(self) -> bool:
        return self.id in self.core.visible

    def send(
        self, name: str, value: JSON = None, *, settle: bool = False
    ) -> asyncio.Future[Reply]:
        """Sends a value to an input."""
        return self.core.input(self.id, name, value, settle=settle)

    def field(self, name: str) -> Field[Any]:
        """Returns the content of an input, which shows ahead of the core."""
        return self.core.field(self.id, name)

    def listen(self, name: str) -> Events[Any]:
        """Returns the screen's events of this name, from now on."""
        return self.core.events(self.id, name)


class ScreenPart:
    """The inputs, fields, or events of a screen."""

    def __init__(self, screen: Screen) -> None:
        self._screen = screen
