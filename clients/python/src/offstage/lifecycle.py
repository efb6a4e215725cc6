"""Tells screens that they appear and disappear."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from .connection import ignore_errors
from .navigation import visible
from .pointer import JSON

if TYPE_CHECKING:
    from .core import Core


class Lifecycle:
    """Sends `didAppear` and `didDisappear` to the screens that have such an input.

    A screen gets `didAppear` once for each time that it becomes visible. A closed screen
    gets nothing.
    """

    def __init__(self, core: Core, description: JSON) -> None:
        self._core = core
        self._screens: Mapping[str, JSON] = description.get("x-screens", {})
        self._visible: list[str] = []

    def update(self) -> None:
        """Compares the visible screens with those of the previous frame."""
        before, self._visible = self._visible, visible(self._core.document.navigation)
        for screen in before:
            if screen not in self._visible:
                self._send(screen, "didDisappear")
        for screen in self._visible:
            if screen not in before:
                self._send(screen, "didAppear")

    def _send(self, screen: str, name: str) -> None:
        kind = self._core.document.get(f"/screens/{screen}/kind")
        if name in self._screens.get(kind, {}).get("inputs", {}):
            ignore_errors(self._core.input(screen, name))
