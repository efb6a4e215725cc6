"""Lets several front ends use one core: section 9 of the protocol."""

from __future__ import annotations

import asyncio
import logging
import signal
from collections.abc import Iterable
from typing import Any, TypeAlias
from weakref import WeakValueDictionary

from offstage import (
    CoreStopped,
    Description,
    Frame,
    OffstageError,
    Resource,
    RPCError,
    Transport,
)
from offstage.connection import Connection, ignore_errors

from .calls import Call, FrontEnd, Refusal, members_of, parse, send
from .members import Member, merged
from .missed import Causes, Missed, dump
from .visibility import Visibility

logger = logging.getLogger("offstage.web")

JSON: TypeAlias = Any

_descriptions: WeakValueDictionary[str, Description] = WeakValueDictionary()
"""Descriptions by schema hash, since the cores of all visitors share one."""


class Relay:
    """A core, and the front ends that share it.

    The relay numbers the requests of all front ends, and restores the original ids in
    responses and in the `cause` of frames. The first front end introduces itself to the
    core. Later ones get the document as their first frame, or the frames that they have
    missed, and the core learns of their capabilities.
    """

    def __init__(self, transport: Transport) -> None:
        self._members: dict[FrontEnd, Member] = {}
        self._calls: dict[int, Call] = {}
        self._causes = Causes()
        self._missed = Missed()
        self._visibility = Visibility()
        self._joining = asyncio.Lock()
        self._handshake: JSON = None
        self._introduction: JSON = {}
        self._announcing: asyncio.Task[None] | None = None
        self._describing: asyncio.Task[None] | None = None
        self._ended: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._status: str | None = None
        self.core = Connection(transport, self)

    @property
    def is_ended(self) -> bool:
        return self._ended.done()

    async def close(self) -> None:
        """Shuts the core down."""
        await self.core.close()

    def leave(self, front_end: FrontEnd) -> None:
        """Removes a front end. The others answer its prompts from now on."""
        member = self._members.pop(front_end, None)
        if member and self._members and not self.is_ended:
            self._announcing = asyncio.create_task(self._announce_again())

    async def receive(self, front_end: FrontEnd, line: str) -> None:
        """Handles the requests in a line of a front end."""
        try:
            calls = parse(front_end, line)
        except Refusal as refusal:
            send(front_end, {"id": None, "error": refusal.error})
            return
        has_left = False
        for call in calls:
            if has_left:
                call.refuse(_GONE)
            else:
                await self._handle(call)
                has_left = call.method == "shutdown"
        if has_left:
            front_end.close(None)
        await self.core.transport.drain()

    async def read(self, uri: str) -> Resource:
        """Reads a resource of the document.

        Raises:
            RPCError: there is no such resource, or no front end has joined yet.
        """
        if self._handshake is None:
            raise RPCError.from_wire(_UNINITIALIZED)
        return await self.core.read(uri)

    async def _handle(self, call: Call) -> None:
        """Handles a request, or passes it on to the core."""
        if call.method == "shutdown":
            # The core belongs to the relay.
            call.answer(None)
            self._abandon(call.front_end)
        elif call.method == "initialize":
            if call.is_notification:
                call.refuse({"code": -32600, "message": "initialize needs an id"})
            else:
                await self._join(call)
        elif call.front_end not in self._members:
            call.refuse(_UNINITIALIZED)
        elif call.method == "$/cancelRequest":
            self._cancel(call)
        elif self._admits(call):
            self._forward(call)
        else:
            call.answer({"revision": self._missed.revision})

    # Requests

    def _admits(self, call: Call) -> bool:
        """Returns False for a lifecycle input that another front end has sent before."""
        match call:
            case Call(
                method="input", params={"screen": str(screen), "name": str(name)}
            ):
                return self._visibility.admits(screen, name)
            case _:
                return True

    def _forward(self, call: Call) -> None:
        name, number = call.front_end.name, self.core.last_id + 1
        params = call.params
        if any(_is_same(call, each) for each in self._calls.values()):
            call.refuse({"code": -32600, "message": f"the id {call.id!r} is in use"})
            return
        if key := members_of(params).get("key"):
            # Front ends choose their keys independently, too.
            params = {**params, "key": f"{name}/{key}"}
        try:
            request = self.core.request(
                call.method,
                params,
                lambda result: self._answer(number, result),
                lambda error: error and self._refuse(number, error),
            )
        except OffstageError:
            call.refuse(_GONE)
            return
        ignore_errors(request)
        self._calls[number] = call
        if not call.is_notification:
            self._causes.add(number, name, call.id)

    def _answer(self, number: int, result: JSON) -> None:
        if not (call := self._calls.pop(number, None)):
            return
        if call.method == "state/settle" and "pending" in result:
            name = call.front_end.name
            pending = [self._causes.restore(each, name) for each in result["pending"]]
            result = {**result, "pending": pending}
        call.answer(result)

    def _refuse(self, number: int, error: OffstageError) -> None:
        if call := self._calls.pop(number, None):
            call.refuse(error.to_wire() if isinstance(error, RPCError) else _GONE)

    def _cancel(self, call: Call) -> None:
        id = members_of(call.params).get("id")
        number = self._causes.number(call.front_end.name, id)
        if number is not None and not self.core.error:
            self.core.notify("$/cancelRequest", {"id": number})
        call.answer({"revision": self._missed.revision})

    def _abandon(self, front_end: FrontEnd) -> None:
        """Answers a front end's pending requests like a core that shuts down."""
        for number, call in list(self._calls.items()):
            if call.front_end is front_end:
                del self._calls[number]
                call.refuse(_GONE)

    # Joining

    async def _join(self, call: Call) -> None:
        call.params = members_of(call.params)
        async with self._joining:
            try:
                if self._handshake is None:
                    await self._introduce(call)
                elif call.front_end in self._members and not call.params.get("resume"):
                    message = "the core is initialized already"
                    call.refuse({"code": -32600, "message": message})
                else:
                    await self._admit(call)
            except RPCError as error:
                call.refuse(error.to_wire())
            except CoreStopped:
                call.refuse(_GONE)
                call.front_end.close(self._status)

    async def _introduce(self, call: Call) -> None:
        """Passes the first front end's introduction on to the core."""
        # Paths on this machine mean nothing to a browser.
        hidden = ("files", "resume")
        params = {key: call.params[key] for key in call.params if key not in hidden}

        def answer(result: JSON) -> None:
            # Answer here, so that no later frame comes first.
            self._handshake, self._introduction = result, params
            self._members[call.front_end] = self._member(params)
            call.answer(result)

        self._members[call.front_end] = Member()
        self._causes.add(self.core.last_id + 1, call.front_end.name, call.id)
        try:
            await self.core.request("initialize", params, answer)
        except RPCError:
            del self._members[call.front_end]
            raise
        await self._describe(self._handshake.get("schema"))

    async def _admit(self, call: Call) -> None:
        """Sends a later front end the document, or the frames that it has missed."""
        front_end, params = call.front_end, call.params
        await self._announce(params)
        resume = members_of(params.get("resume"))
        missed = self._missed.after(resume.get("revision"))
        if missed is not None and resume.get("session") == self._handshake.get(
            "session"
        ):
            for frame in missed:
                self._broadcast("frame", frame, [front_end])
        else:
            snapshot = await self.core.request("state/snapshot")
            patch = [{"op": "replace", "path": "", "value": snapshot["state"]}]
            frame = {"revision": snapshot["revision"], "patch": patch}
            send(front_end, {"method": "frame", "params": frame})
        # There is no await after reading the revision, so no frame is lost.
        self._members[front_end] = self._member(params)
        call.answer({**self._handshake, "revision": self._missed.revision})

    async def _announce(self, params: JSON | None = None) -> None:
        """Introduces the front ends to the core again if they have changed.

        Args:
            params: the introduction of a front end that is about to join.
        """
        members = list(self._members.values())
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
        if method == "frame":
            self._missed.keep(params)
            self._visibility.take(Frame.from_wire(params))
            if params.get("schema"):
                self._describing = asyncio.create_task(self._describe(params["schema"]))
            self._broadcast(method, params, self._members)
        elif method == "log":
            level, members = params["level"], self._members.items()
            readers = [each for each, member in members if member.gets(level)]
            self._broadcast(method, params, readers)
        else:
            self._broadcast(method, params, self._members)

    def on_end(self, error: OffstageError) -> None:
        status = error.status if isinstance(error, CoreStopped) else None
        name = signal.Signals(-status).name if status and status < 0 else status
        self._status = str(error).splitlines()[0] if name is None else str(name)
        self._ended.set_result(None)
        for front_end in list(self._members):
            front_end.close(self._status)
        self._members.clear()

    def _broadcast(
        self, method: str, params: JSON, front_ends: Iterable[FrontEnd]
    ) -> None:
        """Sends a notification; `cause` is for the front end that sent the request."""
        owner, lines = self._causes.owner(params.get("cause")), dict[bool, str]()
        for front_end in list(front_ends):
            is_own = front_end.name == owner
            if is_own not in lines:
                own = self._causes.restore(params, front_end.name)
                message = {"jsonrpc": "2.0", "method": method, "params": own}
                lines[is_own] = dump(message)
            front_end.send(lines[is_own])

    async def _describe(self, schema: str | None) -> None:
        """Finds out which inputs are lifecycle inputs."""
        description = _descriptions.get(schema) if schema else None
        if not description:
            try:
                description = Description(await self.core.request("rpc.discover"))
            except OffstageError as failure:
                logger.warning("cannot describe the app: %s", failure)
                return
            if schema:
                _descriptions[schema] = description
        self._visibility.describe(description)


_GONE: JSON = {"code": -32800, "message": "the connection has ended"}
_UNINITIALIZED: JSON = {"code": -32600, "message": "send initialize first"}
_OF_THE_FIRST = ("locale", "timeZone")


def _is_same(call: Call, other: Call) -> bool:
    """True if the front end could not tell the responses apart."""
    if call.is_notification or other.is_notification or call.id is None:
        return False
    same = type(call.id) is type(other.id) and call.id == other.id
    return same and call.front_end is other.front_end
