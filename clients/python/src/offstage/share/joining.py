"""Introduces front ends to the core, and shows each the document when it joins."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping

from ..connection import Connection
from ..errors import CoreStopped, OffstageError, RPCError
from ..pointer import JSON
from .audience import Audience
from .calls import LIMITS
from .front_end import NAME, FrontEnd
from .members import Member, members_of, merged
from .shared import About, Shared
from .visibility import Visibility

logger = logging.getLogger("offstage.share")


class Joining:
    """Follows what the front ends are, for the core, which knows of one only.

    Args:
        session: the session to go on with, if it is known.
        hello: what a host wants to know.
        shared: what the sessions of the app share.

    Attributes:
        limits: those of the core.
    """

    def __init__(
        self,
        core: Connection,
        audience: Audience,
        visibility: Visibility,
        session: str | None,
        hello: Mapping[str, JSON],
        shared: Shared,
    ) -> None:
        self.limits: JSON = dict(LIMITS)
        self._core = core
        self._audience = audience
        self._visibility = visibility
        self._session = session
        self._hello = {name: hello[name] for name in hello if hello[name] is not None}
        self._shared = shared
        self._lock = asyncio.Lock()
        self._handshake: dict[str, JSON] = {}
        self._introduction: JSON = {}
        self._announcing: asyncio.Task[None] | None = None
        self._describing: asyncio.Task[None] | None = None
        self._about: About | None = None

    @property
    def session(self) -> str | None:
        """The session of the core; None before a front end has joined."""
        return str(self._handshake["session"]) if self._handshake else None

    async def join(self, params: JSON, front_end: FrontEnd) -> JSON:
        """Lets a front end join, or come back.

        Returns:
            the result of its `initialize`; None if it has gone.

        Raises:
            OffstageError: it is refused.
        """
        params = members_of(params)
        async with self._lock:
            if front_end.is_closing:
                return None
            has_joined = front_end in self._audience.members
            if has_joined and not params.get("resume"):
                raise RPCError(-32600, "the core is initialized already")
            return await self._admit(params, front_end)

    def withdraw(self) -> None:
        """Tells the core that a front end has left. The others answer its prompts."""
        self._announcing = asyncio.create_task(self._announce_again())

    def describe_again(self) -> None:
        """Asks for the description, since the app speaks another language."""
        # That of a session that starts is found after its handshake.
        if self._handshake:
            self._describing = asyncio.create_task(self._describe(asks=True))

    async def _admit(self, params: JSON, front_end: FrontEnd) -> JSON:
        """Sends a front end the document, or the frames that it has missed.

        Returns:
            the result of its `initialize`; None if it has gone.
        """
        resume = _identify(front_end, members_of(params.get("resume")))
        if not self._handshake:
            async with self._shared.starts:
                if front_end.is_closing:
                    return None
                await self._introduce(params, front_end, resume)
        await self._announce(params, front_end)
        if self._describing:
            # The core has just got another language.
            await self._describing
        member, revision = self._member(params, front_end), resume.get("revision")
        is_same = resume.get("session") == self.session
        if is_same and _revision(resume) > self._audience.revision:
            # Another host has gone on with it. This one finds out, and closes the connection.
            ahead = {"session": self.session, "revision": _revision(resume)}
            params = {**self._introduction, "resume": ahead}
            await self._core.request("initialize", params)
        if is_same and self._audience.repeat(front_end, revision):
            self._audience.join(front_end, member)
        else:

            def show(snapshot: JSON) -> None:
                self._audience.join(front_end, member)
                self._audience.show(front_end, snapshot)

            # Before any later frame is handled.
            await self._core.request("state/snapshot", None, show)
        session = self._handshake["session"]
        if not front_end.is_known:
            session = f"{session}/{front_end.name}"
        revision = self._audience.revision
        about: Mapping[str, JSON] = self._about.members if self._about else {}
        return {**self._handshake, **about, "session": session, "revision": revision}

    async def _introduce(self, params: JSON, front_end: FrontEnd, resume: JSON) -> None:
        """Starts the core with what the first front end says."""
        own = ("resume", "token", "visitor")
        first = {key: params[key] for key in params if key not in own}
        if not front_end.is_local:
            first["files"] = False
        if front_end.only_looks:
            first["capabilities"] = []
        if self._session is not None:
            # The front end must not see the revision fall, and the relay has no document.
            is_same = resume.get("session") == self._session
            revision = _revision(resume) if is_same else 0
            session = self._session
            resume = {"session": session, "revision": revision, "whole": True}
        hello = {**first, **self._hello}
        if resume:
            hello["resume"] = resume
        # Before any later frame is handled.
        await self._core.request("initialize", hello, self._handshake.update)
        self._introduction = merged(first, [self._member(first, front_end)])
        self.limits.update(self._handshake.get("limits", {}))
        await self._describe(has_appeared=resume.get("session") == self.session)

    async def _announce(
        self, params: JSON | None = None, front_end: FrontEnd | None = None
    ) -> None:
        """Introduces the front ends to the core again if they have changed.

        Args:
            params: the introduction of a front end that is about to join.
        """
        members, introduction = dict(self._audience.members), self._introduction
        if front_end and params is not None:
            if not members:
                # A page that was reloaded may be in another language.
                of_the_first = {name: params.get(name) for name in _OF_THE_FIRST}
                introduction = {**introduction, **of_the_first}
            members[front_end] = self._member(params, front_end)
        introduction = merged(introduction, members.values())
        if introduction != self._introduction:
            session, revision = self._handshake["session"], self._audience.revision
            resume = {"session": session, "revision": revision}
            await self._core.request("initialize", {**introduction, "resume": resume})
            self._introduction = introduction

    async def _announce_again(self) -> None:
        async with self._lock:
            if self._core.error:
                return
            try:
                await self._announce()
            except CoreStopped:
                pass
            except OffstageError as failure:
                logger.warning("cannot withdraw capabilities: %s", failure)

    async def _describe(self, asks: bool = False, has_appeared: bool = False) -> None:
        """Finds out what the app's screens are, in the language that it speaks now.

        Args:
            asks: ask the core even if the answer seems to be known.
        """
        shared, handshake = self._shared, self._handshake
        try:
            known = None if asks else shared.about(handshake)
            self._about = known or await shared.ask(self._core, handshake)
        except OffstageError as failure:
            logger.warning("cannot describe the app: %s", failure)
            return
        self._visibility.describe(self._about.description, has_appeared)

    def _member(self, params: JSON, front_end: FrontEnd) -> Member:
        return Member.parse(params, self._handshake["protocol"], front_end)


def _revision(resume: dict[str, JSON]) -> int:
    revision = resume.get("revision")
    return revision if type(revision) is int and 0 <= revision < 1 << 53 else 0


def _identify(front_end: FrontEnd, resume: dict[str, JSON]) -> dict[str, JSON]:
    """Recognizes a front end by its session, and returns what the core goes on with."""
    session, _, name = str(resume.get("session")).rpartition("/")
    if front_end.is_known or not NAME.fullmatch(name):
        return resume
    front_end.name = name
    return {**resume, "session": session}


_OF_THE_FIRST = ("locale", "timeZone")
