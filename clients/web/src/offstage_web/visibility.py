"""Passes each lifecycle input on once, although every front end sends it."""

from __future__ import annotations

from dataclasses import dataclass, field

from offstage import Description, Document, Frame, ScreenDescription
from offstage.lifecycle import Place, on_display


@dataclass
class Turns:
    """Counts how often a screen, or a part of one, has become visible.

    Attributes:
        sent: the newest turn for which each lifecycle input was passed on.
    """

    about: ScreenDescription
    count: int = 0
    sent: dict[str, int] = field(default_factory=dict[str, int])


class Visibility:
    """Follows the visible screens, which are the same for all front ends of a core.

    Each front end sends `didAppear` when a screen becomes visible and, when it joins, for
    the screens that already are. The core gets only the first input of each turn.
    """

    def __init__(self) -> None:
        self._description: Description | None = None
        self._document = Document()
        self._visible: set[Place] = set()
        self._turns: dict[Place, Turns] = {}

    def describe(self, description: Description) -> None:
        self._description = description
        self._update()

    def take(self, frame: Frame) -> None:
        """Follows a frame of the core."""
        self._document.apply(frame)
        self._update()

    def admits(self, screen: str, name: str) -> bool:
        """Returns False for a lifecycle input that another front end has sent before."""
        path, slash, port = name.rpartition("/")
        place = (screen, path + slash)
        turns = self._turns.get(place)
        if not turns or port not in turns.about.inputs:
            return True
        when = turns.about.inputs[port].when
        if when not in ("appear", "disappear"):
            return True
        # A late `disappear` belongs to the previous turn.
        turn = turns.count - (when == "disappear" and place in self._visible)
        if turns.sent.get(port, 0) >= turn:
            return False
        turns.sent[port] = turn
        return True

    def _update(self) -> None:
        if not self._description:
            return
        before, self._visible = self._visible, set()
        for place, about in on_display(self._document, self._description):
            self._visible.add(place)
            turns = self._turns.setdefault(place, Turns(about))
            turns.count += place not in before
        for place in [each for each in self._turns if self._is_gone(*each)]:
            del self._turns[place]

    def _is_gone(self, screen: str, path: str) -> bool:
        if screen not in self._document.screens:
            return True
        return (screen, path) not in self._visible and (screen, "") in self._visible
