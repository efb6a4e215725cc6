"""The newest frames of a core, and the requests that caused them."""

from __future__ import annotations

import json
from collections import OrderedDict, deque
from typing import Any, TypeAlias

JSON: TypeAlias = Any

CAUSES = 4096
"""The number of requests to remember, for the cause of a late frame."""
MISSED_BYTES = 4 << 20
"""The bytes of frames to keep for front ends that lose their connection."""


class Causes:
    """Maps the relay's ids of requests to those of the front ends."""

    def __init__(self) -> None:
        self._known: OrderedDict[int, tuple[str, JSON]] = OrderedDict()

    def add(self, number: int, name: str, id: JSON) -> None:
        self._known[number] = (name, id)
        if len(self._known) > CAUSES:
            self._known.popitem(last=False)

    def number(self, name: str, id: JSON) -> int | None:
        """Returns the relay's id of a front end's newest request with this id."""
        for number, cause in reversed(self._known.items()):
            if cause == (name, id):
                return number
        return None

    def owner(self, number: int | None) -> str | None:
        """Returns the name of the front end that sent a request, or None."""
        return self._known[number][0] if number in self._known else None

    def restore(self, members: JSON, name: str) -> JSON:
        """Replaces `cause` with the front end's own id, or removes another front end's."""
        if "cause" not in members:
            return members
        rest = {key: value for key, value in members.items() if key != "cause"}
        owner, id = self._known.get(members["cause"], (None, None))
        return {**rest, "cause": id} if owner == name else rest


class Missed:
    """Keeps frames for front ends that reconnect.

    Attributes:
        revision: the revision of the newest frame.
    """

    def __init__(self) -> None:
        self.revision = 0
        self._lines: deque[tuple[int, str]] = deque()
        self._bytes = 0

    def keep(self, frame: JSON) -> None:
        if frame["revision"] != self.revision + 1:
            self._lines.clear()
            self._bytes = 0
        self.revision, line = frame["revision"], dump(frame)
        self._lines.append((self.revision, line))
        self._bytes += len(line)
        while self._bytes > MISSED_BYTES:
            self._bytes -= len(self._lines.popleft()[1])

    def after(self, revision: JSON) -> list[JSON] | None:
        """Returns the frames after a revision, or None if some have been dropped."""
        if not isinstance(revision, int) or not 0 < revision <= self.revision:
            return None
        lines = [line for number, line in self._lines if number > revision]
        is_whole = revision + len(lines) == self.revision
        return [json.loads(line) for line in lines] if is_whole else None


def dump(message: JSON) -> str:
    return json.dumps(
        message, ensure_ascii=False, allow_nan=False, separators=(",", ":")
    )
