"""Visitors, and the sessions of their pages."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator
from weakref import WeakSet

from aiohttp import WSCloseCode
from offstage import CoreStopped
from offstage.share import CANNOT_START, RESTARTS, Relay, Shared

from .cores import Cores
from .descriptions import publish
from .page import Limits, Page

logger = logging.getLogger("offstage.web")


class Visitors:
    """All visitors, and which of their sessions are in memory."""

    def __init__(self, cores: Cores, limits: Limits) -> None:
        self._cores, self._limits = cores, limits
        self._visitors: dict[str, Visitor] = {}
        self._relays: WeakSet[Relay] = WeakSet()
        self._shared = Shared(publish)
        # The sessions without a page, in the order in which they were left.
        self._left: dict[Session, Visitor] = {}

    def __iter__(self) -> Iterator[Visitor]:
        return iter(self._visitors.values())

    def find(self, key: str) -> Visitor | None:
        """Returns a visitor whose sessions are in memory."""
        return self._visitors.get(key)

    def admit(self, key: str) -> Visitor | None:
        """Returns a visitor; None if there are too many."""
        if key not in self._visitors:
            if len(self._visitors) >= self._limits.visitors or not self.has_room:
                return None
            self._visitors[key] = Visitor(key)
        return self._visitors[key]

    @property
    def has_room(self) -> bool:
        """True if one more session may be in use."""
        if len(self._relays) >= self._limits.visitors:
            # Others that have ended count until their sessions let go of them.
            self._relays -= {each for each in self._relays if each.is_ended}
        return len(self._relays) < self._limits.visitors

    async def make_room(self) -> None:
        """Parks the session that was left first if the limit is reached."""
        if not self.has_room and self._left:
            session, visitor = next(iter(self._left.items()))
            session.stay()
            await self._park(session, visitor)

    async def attend(self, page: Page, session: Session, visitor: Visitor) -> None:
        """Serves a page until it leaves."""
        session.enter(page)
        self._left.pop(session, None)
        try:
            relay = await self._relay(session, visitor)
            await relay.attend(page)
        except CoreStopped as error:
            logger.error("%s", error)
            # A host that is not there may be about to come back.
            page.close(RESTARTS if error.status is None else CANNOT_START)
        finally:
            session.pages.discard(page)
            await page.finish()
            if not session.pages and not session.ending:
                self._left[session] = visitor
                session.ending = asyncio.create_task(self._end(session, visitor))

    async def close(self) -> None:
        """Lets the host park all sessions."""
        for session in [s for each in self for s in each.sessions]:
            session.stay()
            for page in session.pages:
                page.end(WSCloseCode.GOING_AWAY)
        await asyncio.gather(*(relay.close() for relay in self._relays))

    async def _relay(self, session: Session, visitor: Visitor) -> Relay:
        """Returns the session's relay, which is connected to the host."""
        async with session.lock:
            if session.relay and session.is_running:
                return session.relay
            restarts, transport = await self._cores.connect()
            hello = {"visitor": visitor.key, "token": self._cores.token}
            relay = Relay(transport, session.id, restarts, self._shared, hello)
            session.run(relay)
            self._relays.add(relay)
            return relay

    async def _end(self, session: Session, visitor: Visitor) -> None:
        """Parks the session of a page that does not come back."""
        await asyncio.sleep(self._limits.linger)
        # A page that comes from now on waits until the session is parked.
        session.ending = None
        await self._park(session, visitor)

    async def _park(self, session: Session, visitor: Visitor) -> None:
        self._left.pop(session, None)
        await session.end()
        if not session.pages:
            visitor.sessions.remove(session)
        if not visitor.sessions:
            self._visitors.pop(visitor.key, None)


class Session:
    """A session of a host, and the page that uses it. Pages share one if the server is full.

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
        self.stay()

    def stay(self) -> None:
        """Does not end for now."""
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

    def session(self, id: str, has_room: bool) -> Session:
        """Returns the session of a page that opens.

        Args:
            id: the one that the page had before a reload, or the one of the page that was closed
                last, which may not be known to be closed yet.
            has_room: False if no session may begin. It is that of another page then.
        """
        known = next((each for each in self.sessions if id and each.id == id), None)
        if known:
            return known
        if self.sessions and not has_room:
            return self.sessions[0]
        session = Session(id or None)
        self.sessions.append(session)
        return session
