"""Passes each lifecycle input on once, although every front end sends it."""

from __future__ import annotations

from ..description import Description
from ..document import Document, Frame
from ..lifecycle import Place, on_display
from ..pointer import JSON
from ..ports import ScreenDescription


class Visibility:
    """Follows the visible screens, which are the same for all front ends of a core.

    Each front end sends `didAppear` when a screen becomes visible and, when it joins, for
    the screens that already are. The core gets only the first input of each time.
    """

    def __init__(self) -> None:
        self._description: Description | None = None
        self._document = Document()
        self._visible: dict[Place, ScreenDescription] = {}
        # The lifecycle inputs; true for those that the core has yet to get.
        self._due: dict[Place, dict[str, bool]] = {}

    def describe(self, description: Description, has_appeared: bool = False) -> None:
        """Follows the app's screens.

        Args:
            has_appeared: what is visible has had its lifecycle inputs: a core that goes on
                with a session sends them by itself.
        """
        self._description = description
        self._update()
        if has_appeared:
            self._due = {
                place: dict.fromkeys(due, False) for place, due in self._due.items()
            }

    def take(self, frame: Frame) -> None:
        """Follows a frame of the core."""
        self._document.apply(frame)
        self._update()

    def admits(self, params: JSON) -> bool:
        """Returns False for a lifecycle input that another front end has sent before."""
        match params:
            case {"screen": str(screen), "name": str(name)}:
                path, slash, port = name.rpartition("/")
                due = self._due.get((screen, path + slash), {})
                is_due = due.get(port, True)
                if port in due:
                    due[port] = False
                return is_due
            case _:
                return True

    def _update(self) -> None:
        if not self._description:
            return
        before = self._visible
        self._visible = dict(on_display(self._document, self._description))
        for place, about in {**before, **self._visible}.items():
            if place in before and place in self._visible:
                continue
            now = "appear" if place in self._visible else "disappear"
            due = self._due.setdefault(place, {})
            # A late `disappear` belongs to the previous time.
            for port in about.lifecycle("disappear"):
                due.setdefault(port.name, False)
            for port in about.lifecycle(now):
                due[port.name] = True
        for place in [each for each in self._due if self._is_gone(*each)]:
            del self._due[place]

    def _is_gone(self, screen: str, path: str) -> bool:
        if screen not in self._document.screens:
            return True
        return (screen, path) not in self._visible and (screen, "") in self._visible
