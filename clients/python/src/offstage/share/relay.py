"""Lets several front ends use one core: section 11 of the protocol."""

from __future__ import annotations

import asyncio
import logging
import signal
from collections.abc import Callable, Mapping
from hashlib import sha256
from types import MappingProxyType

from ..connection import Connection, dump, ignore_errors
from ..document import Frame
from ..errors import CoreStopped, OffstageError, RPCError
from ..pointer import JSON
from ..requests import Resource
from ..transport import Transport
from .audience import Audience
from .calls import FRAME, Call, Calls, Line, gone
from .front_end import CANNOT_START, RESTARTS, FrontEnd, send
from .joining import Joining
from .members import members_of
from .shared import Shared
from .visibility import Visibility

logger = logging.getLogger("offstage.share")

KEY = 256
"""The bytes of a key."""
LOOKS = ("state/snapshot", "rpc.discover", "resource/read")
"""What a front end that only looks may ask for."""


class Relay:
    """A core, and the front ends that share it.

    The relay numbers the requests of all front ends, and restores the original ids in
    responses and in the `cause` of frames. A front end that joins gets the document as its
    first frame, or the frames that it has missed, and the core learns of its capabilities.

    Args:
        session: the session to go on with, if it is known.
        restarts: returns True if the core is started again after this end.
        shared: what the relays of the app's sessions share; None for one that is alone.
        hello: what a host wants to know, such as `token` and `visitor`.
    """

    def __init__(
        self,
        transport: Transport,
        session: str | None = None,
        restarts: Callable[[OffstageError], bool] = lambda _: False,
        shared: Shared | None = None,
        hello: Mapping[str, JSON] = MappingProxyType({}),
    ) -> None:
        self._restarts = restarts
        self._calls = Calls()
        self._audience = Audience(self._calls, self._catch_up)
        self._visibility = Visibility()
        self._status: str | None = None
        self._is_closing = False
        self._has_ended = asyncio.Event()
        self.core = Connection(transport, self)
        self._joining = Joining(
            self.core,
            self._audience,
            self._visibility,
            session,
            hello,
            shared or Shared(),
        )

    async def close(self) -> None:
        """Shuts the core down."""
        self._is_closing = True
        if self.session and not self.is_ended:
            ignore_errors(self.core.request("shutdown"))
        await self.core.close()

    async def end(self) -> None:
        """Waits for the end of the core."""
        await self._has_ended.wait()

    @property
    def is_ended(self) -> bool:
        return self._has_ended.is_set()

    @property
    def session(self) -> str | None:
        """The session of the core; None before a front end has joined."""
        return self._joining.session

    # Front ends

    async def attend(self, front_end: FrontEnd) -> None:
        """Serves a front end until it has nothing more to send, and has its responses."""
        try:
            place = 0
            async for line in front_end.lines():
                place += 1
                await self.receive(front_end, line, place)
            if not front_end.is_closing:
                await self._calls.answered(front_end)
        finally:
            self.leave(front_end)

    def leave(self, front_end: FrontEnd) -> None:
        """Removes a front end. The others answer its prompts from now on."""
        self._calls.leave(front_end)
        was_there = self._audience.leave(front_end)
        if was_there and self._audience.members and not self.is_ended:
            self._joining.withdraw()

    async def receive(
        self, front_end: FrontEnd, text: str | bytes | None, place: int
    ) -> None:
        """Handles the requests in a line of a front end, at its pace.

        Args:
            text: None for a line that is too long.
            place: the number of the line.
        """
        try:
            line = Line(front_end, text, self._joining.limits)
        except RPCError as error:
            # The front end finds its request by the number, since the id is unknown.
            error.data = {"line": place}
            send(front_end, {"id": None, "error": error.to_wire()})
            await front_end.pace()
            return
        for call in line.calls():
            if front_end.is_closing:
                return
            try:
                if line.refusal:
                    call.refuse(line.refusal)
                else:
                    await self._handle(call, line)
            except OffstageError as error:
                call.refuse(error)
            except (ValueError, RecursionError):
                call.refuse(RPCError(-32700, "the params cannot be written as JSON"))
            await self.core.transport.drain()
            await front_end.pace()
        if line.has_left:
            front_end.close(None)

    async def read(self, uri: str) -> Resource:
        """Reads a resource of the document.

        Raises:
            RPCError: there is no such resource, or no front end has joined yet.
        """
        if self.session is None:
            raise RPCError(-32600, "send initialize first")
        return await self.core.read(uri)

    # Requests

    async def _handle(self, call: Call, line: Line) -> None:
        """Handles a request, or passes it on to the core.

        Raises:
            OffstageError: the request is refused.
        """
        front_end = line.front_end
        if not call.method:
            raise RPCError(-32600, "not a request")
        elif call.method == "shutdown":
            # The core belongs to the relay.
            call.answer(None)
            line.has_left, line.refusal = True, gone()
            self._calls.leave(front_end)
        elif call.method == "initialize":
            if not call.key:
                raise RPCError(-32600, "initialize needs an id")
            try:
                if result := await self._joining.join(call.params, front_end):
                    call.answer(result)
            except CoreStopped:
                front_end.close(self._status)
                raise
        elif front_end not in self._audience.members:
            raise RPCError(-32600, "send initialize first")
        elif call.method == "$/cancelRequest":
            self._cancel(call)
        elif front_end.only_looks and call.method not in LOOKS:
            raise RPCError(-32600, "this front end only looks")
        elif call.method == "input" and not self._visibility.admits(call.params):
            call.answer({"revision": self._audience.revision})
        else:
            self._forward(call, front_end)

    def _forward(self, call: Call, front_end: FrontEnd) -> None:
        pending = self._calls.pending(front_end)
        if call.id is not None and self._calls.number(call.name, call.key) in pending:
            raise RPCError(-32600, "the id is in use")
        if self._calls.is_full(call.name, self._joining.limits["inFlight"]):
            raise RPCError(1005, "too many requests are pending; try again later")
        number, params = self.core.last_id + 1, call.params
        if (
            call.line
            and call.line.is_long
            and len(dump(params)) + FRAME > self._joining.limits["line"]
        ):
            raise RPCError(-32700, "the line is too long")
        if isinstance(key := members_of(params).get("key"), str):
            params = {**params, "key": _own(key, call.name)}

        def refused(error: OffstageError | None) -> None:
            if error:
                self._calls.answer(number, error)

        request = self.core.request(
            call.method,
            params,
            lambda result: self._calls.answer(number, result),
            refused,
        )
        ignore_errors(request)
        self._calls.add(number, call, request)

    def _cancel(self, call: Call) -> None:
        number = self._calls.number(call.name, dump(members_of(call.params).get("id")))
        if number is not None and not self.core.error:
            self.core.notify("$/cancelRequest", {"id": number})
        call.answer({"revision": self._audience.revision})

    # The core

    def on_notification(self, method: str, params: JSON) -> None:
        self._audience.take(method, params)
        if method == "frame":
            self._visibility.take(Frame.from_wire(params))
            if params.get("schema"):
                self._joining.describe_again()

    def on_end(self, error: OffstageError) -> None:
        status = error.status if isinstance(error, CoreStopped) else None
        if status != 0 and not self._is_closing:
            logger.error("%s", error)
        name = signal.Signals(-status).name if status and status < 0 else status
        self._status = str(error).splitlines()[0] if name is None else str(name)
        if self._restarts(error):
            self._status = RESTARTS
        elif self.session is None and status and status > 0:
            self._status = CANNOT_START
        self._has_ended.set()
        for front_end in list(self._audience.members):
            front_end.close(self._status)
            self._audience.leave(front_end)

    async def _catch_up(self, front_end: FrontEnd) -> None:
        """Sends the document to a front end that is behind, once it has read what it had."""
        await front_end.drain()

        def show(snapshot: JSON) -> None:
            if front_end in self._audience.members:
                self._audience.show(front_end, snapshot)

        def answered(_: OffstageError | None) -> None:
            self._audience.forget(front_end)

        if not front_end.is_closing and not self.is_ended:
            ask = self.core.request("state/snapshot", None, show, answered)
            ignore_errors(ask)


def _own(key: str, name: str) -> str:
    """Returns a key that no other front end has: they choose their keys independently."""
    own = f"{name}/{key}"
    if len(key.encode()) <= KEY < len(own.encode()):
        return f"{name}/{sha256(key.encode()).hexdigest()}"
    return own
