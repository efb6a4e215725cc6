"""Keeps the document in step with the core."""

from __future__ import annotations

import logging
from collections.abc import Callable

from .document import Document, Frame
from .patch import PatchError
from .pointer import JSON

logger = logging.getLogger("offstage")


class Replica:
    """Applies the core's frames, and replaces the document if one does not fit.

    Args:
        document: the document to keep.
        ask: sends `state/snapshot`. The answer goes to `restore`.
    """

    def __init__(self, document: Document, ask: Callable[[], None]) -> None:
        self.document = document
        self._ask = ask
        self._missed: list[Frame] | None = None

    def receive(self, frame: Frame) -> Frame | None:
        """Applies a frame. Returns the frame, or None if it did not fit."""
        if self._missed is None:
            try:
                self.document.apply(frame)
                return frame
            except PatchError as error:
                logger.warning("frame %d: %s; resyncing", frame.revision, error)
                self.resync()
        assert self._missed is not None
        self._missed.append(frame)
        if not frame.is_whole:
            return None
        # It is as good as the snapshot, which may fail.
        return self.restore(frame.revision, frame.patch[0]["value"])

    def resync(self) -> None:
        """Asks for a snapshot, and holds back frames until it arrives."""
        if self._missed is None:
            self._missed = []
            self._ask()

    def restore(self, revision: int, state: JSON) -> Frame:
        """Takes a snapshot. Returns it as a frame, with the events of missed frames."""
        missed, self._missed = self._missed or [], None
        self.document.reset(revision, state)
        return Frame.whole(revision, state, *missed)

    def give_up(self) -> None:
        """Drops a failed attempt, so that the next frame starts another one."""
        self._missed = None
