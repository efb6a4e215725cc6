"""Lets several front ends use one core: section 11 of the protocol."""

from __future__ import annotations

import asyncio
import logging
import signal
from collections.abc import Callable, Iterable

from offstage import CoreStopped, Frame, OffstageError, Resource, RPCError
from offstage.connection import Connection, dump, ignore_errors
from offstage.pointer import JSON
from offstage.transport import Transport

from .calls import CANNOT_START, RESTARTS, Call, Calls, FrontEnd, Line, gone, send
from .descriptions import File, publish
from .members import Member, members_of, merged
from .missed import Missed
from .visibility import Visibility

logger = logging.getLogger("offstage.web")


class Relay:
    """A core, and the front ends that share it.

    The relay numbers the requests of all front ends, and restores the original ids in
    responses and in the `cause` of frames. A front end that joins gets the document as its
    first frame, or the frames that it has missed, and the core learns of its capabilities.

    Args:
        session: the session to go on with, if it is known.
        restarts: returns True if the core is started again after this end.
    """

    def __init__(
        self,
        transport: Transport,
        session: str | None = None,
        restarts: Callable[[OffstageError], bool] = lambda _: False,
    ) -> None:
        self._session = session
        self._restarts = restarts
        self._members: dict[FrontEnd, Member] = {}
        self._calls = Calls()
        self._limits: JSON = {"inFlight": 1024, "batch": 65_536, "out": 16 << 20}
        self._missed = Missed()
        self._visibility = Visibility()
        self._joining = asyncio.Lock()
        self._handshake: JSON = None
        self._introduction: JSON = {}
        self._announcing: asyncio.Task[None] | None = None
        self._describing: asyncio.Task[None] | None = None
        self._description: File | None = None
        self._status: str | None = None
        self.is_ended = False
        self.core = Connection(transport, self)

    async def close(self) -> None:
        """Shuts the core down."""
        await self.core.close()

    def leave(self, front_end: FrontEnd) -> None:
        """Removes a front end. The others answer its prompts from now on."""
        self._calls.leave(front_end)
        member = self._members.pop(front_end, None)
        if member and self._members and not self.is_ended:
            self._announcing = asyncio.create_task(self._announce_again())

    async def receive(self, front_end: FrontEnd, text: str) -> None:
        """Handles the requests in a line of a front end, at its pace."""
        try:
            line = Line(front_end, text, self._limits)
        except RPCError as error:
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

    @property
    def session(self) -> str | None:
        """The session of the core; None before a front end has joined."""
        return self._handshake and self._handshake["session"]

    async def read(self, uri: str) -> Resource:
        """Reads a resource of the document.

        Raises:
            RPCError: there is no such resource, or no front end has joined yet.
        """
        if self._handshake is None:
            raise RPCError(-32600, "send initialize first")
        return await self.core.read(uri)

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
            await self._join(call, front_end)
        elif front_end not in self._members:
            raise RPCError(-32600, "send initialize first")
        elif call.method == "$/cancelRequest":
            self._cancel(call)
        elif call.method == "input" and not self._visibility.admits(call.params):
            call.answer({"revision": self._missed.revision})
        else:
            self._forward(call, front_end)

    # Requests

    def _forward(self, call: Call, front_end: FrontEnd) -> None:
        pending = self._calls.pending(front_end)
        if call.id is not None and self._calls.number(call.name, call.key) in pending:
            raise RPCError(-32600, "the id is in use")
        if self._calls.is_full(call.name, self._limits["inFlight"]):
            raise RPCError(1005, "too many requests are pending; try again later")
        number, params = self.core.last_id + 1, call.params
        if key := members_of(params).get("key"):
            # Front ends choose their keys independently, too.
            params = {**params, "key": f"{call.name}/{key}"}
        request = self.core.request(
            call.method,
            params,
            lambda result: self._calls.answer(number, result),
            lambda error: error and self._calls.answer(number, error),
        )
        ignore_errors(request)
        self._calls.add(number, call)

    def _cancel(self, call: Call) -> None:
        number = self._calls.number(call.name, dump(members_of(call.params).get("id")))
        if number is not None and not self.core.error:
            self.core.notify("$/cancelRequest", {"id": number})
        call.answer({"revision": self._missed.revision})

    # Joining

    async def _join(self, call: Call, front_end: FrontEnd) -> None:
        if not call.key:
            raise RPCError(-32600, "initialize needs an id")
        call.params = members_of(call.params)
        async with self._joining:
            if front_end.is_closing:
                return
            try:
                if front_end in self._members and not call.params.get("resume"):
                    raise RPCError(-32600, "the core is initialized already")
                await self._admit(call, front_end)
            except CoreStopped:
                front_end.close(self._status)
                raise

    async def _admit(self, call: Call, front_end: FrontEnd) -> None:
        """Sends a front end the document, or the frames that it has missed."""
        params = call.params
        if self._handshake is None:
            # Paths on this machine mean nothing to a browser.
            hidden = ("files", "resume")
            first = {key: params[key] for key in params if key not in hidden}
            resume = members_of(params.get("resume"))
            if self._session is not None:
                resume = {"session": self._session, "revision": 0}
            hello = {**first, "resume": resume} if resume else first
            self._handshake = await self.core.request("initialize", hello)
            self._introduction = merged(first, [self._member(first)])
            self._limits.update(self._handshake.get("limits", {}))
            goes_on = resume.get("session") == self.session
            await self._describe(goes_on)
        await self._announce(params)
        if self._describing:
            # The core has just got another language.
            await self._describing
        resume = members_of(params.get("resume"))
        missed = self._missed.after(resume.get("revision"))
        if missed is not None and resume.get("session") == self._handshake["session"]:
            for cause, frame in missed:
                self._broadcast("frame", cause, frame, [front_end])
        else:
            snapshot = await self.core.request("state/snapshot")
            patch = [{"op": "replace", "path": "", "value": snapshot["state"]}]
            frame = {"revision": snapshot["revision"], "patch": patch}
            send(front_end, {"method": "frame", "params": frame})
        # There is no await after reading the revision, so no frame is lost.
        self._members[front_end] = self._member(params)
        hello = {**self._handshake, "revision": self._missed.revision}
        if self._description:
            hello["description"] = self._description.address
        call.answer(hello)

    async def _announce(self, params: JSON | None = None) -> None:
        """Introduces the front ends to the core again if they have changed.

        Args:
            params: the introduction of a front end that is about to join.
        """
        members, introduction = list(self._members.values()), self._introduction
        if params is not None:
            if not members:
                # A page that was reloaded may be in another language.
                of_the_first = {name: params.get(name) for name in _OF_THE_FIRST}
                introduction = {**introduction, **of_the_first}
            members.append(self._member(params))
        introduction = merged(introduction, members)
        if introduction != self._introduction:
            session, revision = self._handshake["session"], self._missed.revision
            resume = {"session": session, "revision": revision}
            await self.core.request("initialize", {**introduction, "resume": resume})
            self._introduction = introduction

    async def _announce_again(self) -> None:
        async with self._joining:
            try:
                await self._announce()
            except OffstageError as failure:
                logger.warning("cannot withdraw capabilities: %s", failure)

    def _member(self, params: JSON) -> Member:
        return Member.parse(params, self._handshake["protocol"])

    # The core

    def on_notification(self, method: str, params: JSON) -> None:
        members, cause = self._members, params.pop("cause", None)
        body = dump(params)
        if method == "frame":
            self._missed.keep(params["revision"], cause, body)
            self._visibility.take(Frame.from_wire(params))
            if params.get("schema"):
                self._describing = asyncio.create_task(self._describe())
        elif method == "log":
            members = [each for each in members if members[each].gets(params["level"])]
        self._broadcast(method, cause, body, members)

    def on_end(self, error: OffstageError) -> None:
        status = error.status if isinstance(error, CoreStopped) else None
        if status != 0:
            logger.error("%s", error)
        name = signal.Signals(-status).name if status and status < 0 else status
        self._status = str(error).splitlines()[0] if name is None else str(name)
        if self._handshake is None and status and status > 0:
            self._status = CANNOT_START
        elif self._restarts(error):
            self._status = RESTARTS
        self.is_ended = True
        for front_end in list(self._members):
            front_end.close(self._status)
        self._members.clear()

    def _broadcast(
        self, method: str, cause: JSON, body: bytes, front_ends: Iterable[FrontEnd]
    ) -> None:
        """Sends a notification; `cause` is for the front end that sent the request."""
        lines: dict[Call | None, bytes] = {}
        for front_end in list(front_ends):
            own = self._calls.owner(cause, front_end.name)
            if own not in lines:
                head = b'{"jsonrpc":"2.0","method":"%b","params":{' % method.encode()
                id = b'"cause":%b,' % own.key if own and own.key else b""
                lines[own] = b"%b%b%b}" % (head, id, body[1:])
                if own and own.line:
                    own.line.count(len(body))
            front_end.send(lines[own])

    async def _describe(self, has_appeared: bool = False) -> None:
        """Finds out what the app's screens are, in the language that it speaks now."""
        try:
            self._description = publish(await self.core.request("rpc.discover"))
        except OffstageError as failure:
            logger.warning("cannot describe the app: %s", failure)
            return
        self._visibility.describe(self._description.description, has_appeared)


_OF_THE_FIRST = ("locale", "timeZone")
