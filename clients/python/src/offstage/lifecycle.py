"""Reports to screens that they appear and disappear."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .connection import ignore_errors
from .description import Description
from .navigation import visible

if TYPE_CHECKING:
    from .core import Core


class Lifecycle:
    """Sends the lifecycle inputs `appear` and `disappear` to the screens that have them.

    A screen gets the first once for each time that it becomes visible. A closed screen
    gets nothing.
    """

    def __init__(self, core: Core, description: Description) -> None:
        self._core = core
        self.description = description
        self._visible: list[str] = []

    def update(self) -> None:
        """Compares the visible screens with those of the previous frame."""
        before, self._visible = self._visible, visible(self._core.document.navigation)
        for screen in before:
            if screen not in self._visible:
                self._send(screen, "disappear")
        for screen in self._visible:
            if screen not in before:
                self._send(screen, "appear")

    def _send(self, screen: str, when: str) -> None:
        kind = self._core.document.get(f"/screens/{screen}/kind")
        if about := self.description.screens.get(kind):
            for port in about.lifecycle(when):
                ignore_errors(self._core.input(screen, port.name))
