"""Tells screens and their parts when they appear and disappear."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeAlias

from . import parts
from .description import Description
from .document import Document
from .navigation import Visible, visible
from .pointer import JSON
from .ports import ScreenDescription

Place: TypeAlias = tuple[str, str]
"""The id of a screen, and the path of a part; an empty path for the screen itself."""


class Lifecycle:
    """Sends the lifecycle inputs `appear` and `disappear` to the screens that have them.

    A screen gets `appear` each time that it becomes visible, and `disappear` only if it
    is still open. The same goes for the parts of a screen.

    Args:
        visible: returns the ids of the screens on display.
        send: sends an input of a screen.
    """

    def __init__(
        self,
        document: Document,
        description: Description,
        visible: Visible,
        send: Callable[[str, str], object],
    ) -> None:
        self._document = document
        self._find_visible, self._send = visible, send
        self.description = description
        self._visible: dict[Place, ScreenDescription] = {}

    def update(self) -> None:
        """Compares what is visible with the previous frame."""
        before, self._visible = (
            self._visible,
            dict(on_display(self._document, self.description, self._find_visible)),
        )
        for place, about in before.items():
            if place not in self._visible and self._exists(*place):
                self._notify(*place, about, "disappear")
        for place, about in self._visible.items():
            if place not in before:
                self._notify(*place, about, "appear")

    def _exists(self, screen: str, path: str) -> bool:
        return parts.find(self._document.screens.get(screen), path) is not None

    def _notify(
        self, screen: str, path: str, about: ScreenDescription, when: str
    ) -> None:
        for port in about.lifecycle(when):
            self._send(screen, path + port.name)


def on_display(
    document: Document, description: Description, visible: Visible = visible
) -> Iterator[tuple[Place, ScreenDescription]]:
    """Yields the visible screens, and their parts if a part has lifecycle inputs."""
    for id in visible(document.navigation):
        screen = document.screens[id]
        if about := description.screens.get(screen["kind"]):
            yield (id, ""), about
            if description.has_lifecycle_parts:
                for path, part in _parts(description, about, screen["output"]):
                    yield (id, path), part


def _parts(
    description: Description, about: ScreenDescription, outputs: JSON
) -> Iterator[tuple[str, ScreenDescription]]:
    for output, name in about.children.items():
        inner = description.parts[name]
        for path, part in parts.shown(output, outputs[output]):
            yield path, inner
            for rest, innermost in _parts(description, inner, part):
                yield path + rest, innermost
