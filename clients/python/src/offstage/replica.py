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
        # One that replaces the document is as good as the snapshot, but is not shown before
        # the description that comes with it.
        return self._restore_whole() if frame.is_whole and not frame.schema else None

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

    def give_up(self) -> Frame | None:
        """Ends a failed attempt, so that the next frame starts another one.

        Returns the newest frame that replaces the document, if one has come meanwhile.
        """
        return self._restore_whole()

    def _restore_whole(self) -> Frame | None:
        frames = reversed(self._missed or [])
        whole = next((frame for frame in frames if frame.is_whole), None)
        if whole:
            return self.restore(whole.revision, whole.patch[0]["value"])
        self._missed = None
        return None
