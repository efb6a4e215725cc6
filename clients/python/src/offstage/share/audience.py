"""The front ends that have joined, and what each of them gets of what the core sends."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterable
from typing import Any

from ..connection import dump
from ..pointer import JSON
from .calls import Call, Calls
from .front_end import FrontEnd, send
from .members import Member
from .missed import Missed


class Audience:
    """Passes the core's notifications on to the front ends.

    A front end that is behind with reading gets no more of them, but the whole document once
    it has read what it had. So it neither holds up the others nor fills the memory.

    Args:
        catch_up: waits until a front end has read, then calls `show` and `forget`.

    Attributes:
        members: the front ends that have joined, with their introductions.
    """

    def __init__(
        self, calls: Calls, catch_up: Callable[[FrontEnd], Coroutine[Any, Any, None]]
    ) -> None:
        self.members: dict[FrontEnd, Member] = {}
        self._calls = calls
        self._catch_up = catch_up
        self._missed = Missed()
        self._behind: dict[FrontEnd, asyncio.Task[None]] = {}

    @property
    def revision(self) -> int:
        """The revision of the newest frame."""
        return self._missed.revision

    def join(self, front_end: FrontEnd, member: Member) -> None:
        """Adds a front end that has the document, or adds it again."""
        self.forget(front_end)
        self.members[front_end] = member

    def leave(self, front_end: FrontEnd) -> bool:
        """Removes a front end. Returns False if it has not joined."""
        self.forget(front_end)
        return self.members.pop(front_end, None) is not None

    def take(self, method: str, params: JSON) -> None:
        """Passes a notification of the core on to those that it is for."""
        params = dict(params)
        cause, body = params.pop("cause", None), dump(params)
        members = list(self.members)
        if method == "frame":
            self._missed.keep(params["revision"], cause, body)
        elif method == "log":
            level = params["level"]
            members = [each for each in members if self.members[each].gets(level)]
        keeps_up = [each for each in members if self._keeps_up(each, method)]
        self._tell(method, cause, body, keeps_up)

    def repeat(self, front_end: FrontEnd, revision: JSON) -> bool:
        """Sends the frames after a revision once more. Returns False if some are gone."""
        frames = self._missed.after(revision)
        for cause, frame in frames or []:
            self._tell("frame", cause, frame, [front_end])
        return frames is not None

    def show(self, front_end: FrontEnd, snapshot: JSON) -> None:
        """Sends a front end the whole document."""
        patch = [{"op": "replace", "path": "", "value": snapshot["state"]}]
        frame = {"revision": snapshot["revision"], "patch": patch}
        send(front_end, {"method": "frame", "params": frame})

    def forget(self, front_end: FrontEnd) -> None:
        """Lets a front end get what follows, whether it has been behind or not."""
        if catching_up := self._behind.pop(front_end, None):
            catching_up.cancel()

    def _keeps_up(self, front_end: FrontEnd, method: str) -> bool:
        if front_end in self._behind:
            return False
        if front_end.is_behind and method == "frame":
            catching_up = asyncio.create_task(self._catch_up(front_end))
            self._behind[front_end] = catching_up
        return not front_end.is_behind

    def _tell(
        self, method: str, cause: JSON, body: bytes, front_ends: Iterable[FrontEnd]
    ) -> None:
        """Sends a notification; `cause` is for the front end that sent the request."""
        lines: dict[Call | None, bytes] = {}
        for front_end in front_ends:
            own = self._calls.owner(cause, front_end.name)
            if own not in lines:
                head = b'{"jsonrpc":"2.0","method":"%b","params":{' % method.encode()
                id = b'"cause":%b,' % own.key if own and own.key else b""
                lines[own] = b"%b%b%b}" % (head, id, body[1:])
                if own and own.line:
                    own.line.count(len(body))
            front_end.send(lines[own])
