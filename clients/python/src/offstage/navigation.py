"""The screens of a navigation."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from .pointer import JSON

Visible: TypeAlias = Callable[[JSON], list[str]]
"""Returns the ids of the screens of a navigation that are on display, the topmost first."""


def visible(navigation: JSON) -> list[str]:
    """Returns the ids of the visible screens, the topmost first.

    The screen below a sheet or a modal stays visible. The screens below a full screen
    cover or lower in a stack do not, unless a front end shows them side by side.
    """
    screens: list[str] = [
        modal["screen"] for modal in reversed(navigation.get("modals", []))
    ]
    for presentation in reversed(navigation.get("presented", [])):
        screens += presentation["screens"][-1:]
        if presentation["style"] == "fullScreenCover":
            return screens
    return screens + stack(navigation)[-1:]


def stack(navigation: JSON) -> list[str]:
    """Returns the ids of the screens of the root, or of its selected tab."""
    root = navigation.get("root", {})
    selected = [tab for tab in root.get("tabs", []) if tab["id"] == root["selected"]]
    screens: list[str] = (selected or [root])[0].get("screens", [])
    return screens


def above(navigation: JSON) -> list[str]:
    """Returns the ids of the screens above the root, the topmost last."""
    screens = stack(navigation)[1:]
    for presentation in navigation.get("presented", []):
        screens = [*screens, *presentation["screens"]]
    return [*screens, *(modal["screen"] for modal in navigation.get("modals", []))]
