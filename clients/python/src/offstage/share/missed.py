"""The newest frames of a core, for front ends that reconnect."""

from __future__ import annotations

from collections import deque

from ..pointer import JSON

MISSED_BYTES = 1 << 20
"""The bytes of frames to keep for front ends that lose their connection."""


class Missed:
    """Keeps the newest frames, as JSON without the cause.

    Attributes:
        revision: the revision of the newest frame.
    """

    def __init__(self) -> None:
        self.revision = 0
        self._frames: deque[tuple[JSON, bytes]] = deque()
        self._bytes = 0

    def keep(self, revision: int, cause: JSON, frame: bytes) -> None:
        if revision != self.revision + 1:
            self._frames.clear()
            self._bytes = 0
        self.revision = revision
        self._frames.append((cause, frame))
        self._bytes += len(frame)
        while self._bytes > MISSED_BYTES:
            self._bytes -= len(self._frames.popleft()[1])

    def after(self, revision: JSON) -> list[tuple[JSON, bytes]] | None:
        """Returns the frames after a revision with their causes, or None if some are gone."""
        if not isinstance(revision, int) or not 0 < revision <= self.revision:
            return None
        count = self.revision - revision
        frames = list(self._frames)
        return frames[len(frames) - count :] if count <= len(frames) else None
