"""Visitors, and the sessions of their pages."""

from __future__ import annotations

import asyncio
import json
import re
import time
from contextlib import suppress
from pathlib import Path

from offstage import Crashes
from offstage.share import Client, Relay

from .page import Page


class Session:
    """A core, and the page that uses it. Some share one, as with `--shared`.

    Args:
        place: the folder in which the core keeps its state; None for none.

    Attributes:
        relay: the core; None while no core runs.
        front_ends: the pages, and the front ends at a socket.
        ending: ends the core unless the visitor comes back.
        left: when the last page was closed by its person; None while a page may come back.
    """

    def __init__(self, place: Path | None) -> None:
        self.place = place
        self.relay: Relay | None = None
        self.front_ends: set[Page | Client] = set()
        self.ending: asyncio.Task[None] | None = None
        self.left: float | None = None
        self.lock = asyncio.Lock()
        self.crashes = Crashes()
        self._id: str | None = None
        if place:
            # An earlier server has left it; section 10.1 of the protocol.
            with suppress(OSError, ValueError, LookupError, TypeError):
                file = place / "state.json"
                self._id = str(json.loads(file.read_bytes())["state"]["session"]["id"])
                self.left = file.stat().st_mtime

    @property
    def id(self) -> str | None:
        """The id by which a page resumes the session, if it is known."""
        return (self.relay and self.relay.session) or self._id

    @property
    def is_running(self) -> bool:
        return self.relay is not None and not self.relay.is_ended

    @property
    def pages(self) -> set[Page]:
        return {each for each in self.front_ends if isinstance(each, Page)}

    def run(self, relay: Relay) -> None:
        self._id, self.relay = self.id, relay

    def enter(self, front_end: Page | Client) -> None:
        self.front_ends.add(front_end)
        self.left = None
        if self.ending:
            self.ending.cancel()
            self.ending = None

    def leave(self, front_end: Page | Client) -> None:
        self.front_ends.discard(front_end)
        may_return = (
            isinstance(front_end, Page) and not front_end.is_closed_by_its_person
        )
        if not self.front_ends and not may_return:
            self.left = time.time()

    async def end(self) -> None:
        """Ends the core. A page that comes back meanwhile waits until it has left its state."""
        async with self.lock:
            if self.front_ends:
                return  # One has come back, and uses the core.
            if self.relay:
                self._id = self.id
                await self.relay.close()
                self.relay = None
            if not self.front_ends:
                self.left = self.left or time.time()


class Visitor:
    """A person's browser: one folder of data, and a session for each page.

    Args:
        folder: where the data and the states are kept; None for nowhere.
        shares: True if all pages use one session.
    """

    def __init__(self, key: str, folder: Path | None, shares: bool = False) -> None:
        self.key = key
        self.files = 0
        self.folder = folder
        self._shares = shares
        found = (
            [each for each in folder.iterdir() if STATE.fullmatch(each.name)]
            if folder
            else []
        )
        self.sessions = [Session(each) for each in found]

    @property
    def pages(self) -> set[Page]:
        return {page for session in self.sessions for page in session.pages}

    @property
    def is_gone(self) -> bool:
        return not any(each.front_ends or each.relay for each in self.sessions)

    def session(self, id: str, has_room: bool) -> Session:
        """Returns the session of a page that opens.

        It is the one that the page names, or that the person has left last, or a new one; without
        room for one more core, that of another page.
        """
        named = [each for each in self.sessions if id and each.id == id]
        left = [each for each in self.sessions if each.left is not None]
        if named:
            return min(named, key=lambda each: len(each.pages))
        if left:
            return max(left, key=lambda each: each.left or 0)
        if self.sessions and (self._shares or not has_room):
            return self.sessions[0]
        session = Session(self._new_place())
        self.sessions.append(session)
        return session

    def _new_place(self) -> Path | None:
        if not self.folder:
            return None
        used = {each.place for each in self.sessions}
        names = (f"state-{n}" if n > 1 else "state" for n in range(1, len(used) + 2))
        return next(
            self.folder / name for name in names if self.folder / name not in used
        )


STATE = re.compile(r"state(-\d+)?")
"""The names of the folders for the states of sessions."""
