"""Visitors, and the sessions of their pages."""

from __future__ import annotations

import asyncio

from offstage.share import Relay

from .page import Page


class Session:
    """A session of a host, and the page that uses it. Pages share one if there is no room.

    Args:
        id: the session to go on with; None for a new one.

    Attributes:
        relay: the connection to the host; None while there is none.
        pages: those that use it.
        ending: ends the connection unless the visitor comes back.
    """

    def __init__(self, id: str | None) -> None:
        self.relay: Relay | None = None
        self.pages: set[Page] = set()
        self.ending: asyncio.Task[None] | None = None
        self.lock = asyncio.Lock()
        self._id = id

    @property
    def id(self) -> str | None:
        """The id by which a page resumes the session, if it is known."""
        return (self.relay and self.relay.session) or self._id

    @property
    def is_running(self) -> bool:
        return self.relay is not None and not self.relay.is_ended

    def run(self, relay: Relay) -> None:
        self._id, self.relay = self.id, relay

    def enter(self, page: Page) -> None:
        self.pages.add(page)
        if self.ending:
            self.ending.cancel()
            self.ending = None

    async def end(self) -> None:
        """Lets the host park the session. A page that comes back meanwhile waits."""
        async with self.lock:
            if self.relay and not self.pages:
                self._id = self.id
                await self.relay.close()
                self.relay = None


class Visitor:
    """A person's browser: a session for each page, with the same data."""

    def __init__(self, key: str) -> None:
        self.key = key
        self.files = 0
        self.sessions: list[Session] = []

    @property
    def pages(self) -> set[Page]:
        return {page for session in self.sessions for page in session.pages}

    def session(self, own: str, left: str, has_room: bool) -> Session:
        """Returns the session of a page that opens.

        Args:
            own: the one that the page had before, such as before a reload.
            left: the one of the page that was closed last. Another page may have it by now.
            has_room: False if no session may begin. It is that of another page then.
        """
        id = own or left
        known = next((each for each in self.sessions if id and each.id == id), None)
        if known and (own or not known.pages):
            return known
        if self.sessions and not has_room:
            return self.sessions[0]
        session = Session(None if known else id or None)
        self.sessions.append(session)
        return session
