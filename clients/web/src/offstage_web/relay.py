"""Lets several front ends use one core: section 9 of the protocol."""

from __future__ import annotations

import asyncio
import base64
import json
import logging
from collections import OrderedDict, deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

from .process import CoreProcess

logger = logging.getLogger("offstage.web")

JSON: TypeAlias = Any

CAUSES = 4096
"""The number of requests to remember, for the cause of a late frame."""
MISSED_BYTES = 4 << 20
"""The bytes of frames to keep for front ends that lose their connection."""


class FrontEnd(Protocol):
    """A connected front end.

    Attributes:
        name: the same for each connection of a front end, unlike that of any other one.
    """

    name: str

    def send(self, line: str) -> None:
        """Sends a line, without waiting."""
        ...

    def close(self, status: str | None) -> None:
        """Closes the connection. A status means that the core has ended."""
        ...


class RelayError(Exception):
    """The core has rejected a request of the relay.

    Attributes:
        error: the error object of the response.
    """

    def __init__(self, error: JSON) -> None:
        super().__init__(error.get("message", ""))
        self.error = error


@dataclass(frozen=True)
class Request:
    """A request that the relay has sent to the core."""

    answer: Callable[[JSON], None]
    front_end: str = ""
    id: JSON = None


class Relay:
    """A core, and the front ends that share it.

    Each request gets an id of the relay's, so front ends may use the same ids. A frame's
    `cause` goes only to the front end whose request it names. The first front end
    introduces itself to the core. A later one gets the document as its first frame, or
    the frames that it has missed, and the core learns of its capabilities.
    """

    def __init__(self, process: CoreProcess) -> None:
        self.process = process
        self._front_ends: dict[FrontEnd, frozenset[str]] = {}
        """The connected front ends, with the prompt kinds that each can answer."""
        self._joining = asyncio.Lock()
        self._handshake: JSON = None
        self._introduction: JSON = {}
        self._last_id = 0
        self._pending: dict[int, Request] = {}
        self._causes: OrderedDict[int, tuple[str, JSON]] = OrderedDict()
        self._missed: deque[tuple[int, str, JSON]] = deque()
        self._missed_bytes = 0
        self._revision = 0
        self._status: str | None = None
        self._reading = asyncio.create_task(self._read())
        self._announcing: asyncio.Task[None] | None = None

    @property
    def is_ended(self) -> bool:
        return self._reading.done()

    async def close(self) -> None:
        """Ends the core in order."""
        await self.process.close()
        await self._reading

    def leave(self, front_end: FrontEnd) -> None:
        """Removes a front end. The others answer the prompts from now on."""
        kinds = self._front_ends.pop(front_end, None)
        if kinds and self._front_ends and not self.is_ended:
            self._announcing = asyncio.create_task(self._announce_again())

    async def receive(self, front_end: FrontEnd, line: str) -> None:
        """Passes a line of a front end on to the core."""
        try:
            message = json.loads(line)
        except (ValueError, RecursionError):
            _send(front_end, None, error=_error(-32700, "the line is not JSON"))
            return
        match message:
            case {"method": "initialize", "id": id}:
                await self._join(front_end, id, message.get("params") or {})
            case {"method": "shutdown", "id": id}:
                # The core belongs to the relay.
                _send(front_end, id, result=None)
                front_end.close(None)
            case {"method": "$/cancelRequest", "params": {"id": id}}:
                self._cancel(front_end, id)
            case {"method": str(method), "id": id}:
                self._forward(front_end, id, method, message.get("params"))
            case {"method": str()}:
                self.process.write(_dump(message))
            case _:
                text = "not a request; the relay does not take batches"
                _send(front_end, None, error=_error(-32600, text))
        await self.process.drain()

    async def request(self, method: str, params: JSON) -> JSON:
        """Sends a request of the relay's own, and returns its result."""
        future: asyncio.Future[JSON] = asyncio.get_running_loop().create_future()

        def answer(response: JSON) -> None:
            if future.done():
                return
            if "error" in response:
                future.set_exception(RelayError(response["error"]))
            else:
                future.set_result(response.get("result"))

        self._send(method, params, Request(answer))
        return await future

    async def read(self, uri: str) -> tuple[str, bytes]:
        """Returns the media type and the bytes of a resource, which may take several reads."""
        part = await self.request("resource/read", {"uri": uri})
        body = base64.b64decode(part["base64"])
        while len(body) < part["size"] and part["base64"]:
            rest = {"start": len(body), "end": part["size"]}
            part = await self.request("resource/read", {"uri": uri, "range": rest})
            body += base64.b64decode(part["base64"])
        return str(part["mimeType"]), body

    # Front ends

    async def _join(self, front_end: FrontEnd, id: JSON, params: JSON) -> None:
        async with self._joining:
            if self._handshake is None:
                await self._introduce(front_end, id, params)
                return
            try:
                await self._admit(front_end, id, params)
            except RelayError as failure:
                _send(front_end, id, error=failure.error)
                if self._status is not None:
                    front_end.close(self._status)

    async def _introduce(self, front_end: FrontEnd, id: JSON, params: JSON) -> None:
        """Passes the introduction of the first front end on to the core."""
        # Paths on this machine mean nothing to a browser.
        params = {key: params[key] for key in params if key not in ("files", "resume")}
        answered = asyncio.Event()

        def answer(response: JSON) -> None:
            # Answer here, so that no later frame comes first.
            _send_line(front_end, {**response, "id": id})
            if "result" in response:
                self._handshake, self._introduction = response["result"], params
            elif self._status is None:
                self._front_ends.pop(front_end, None)
            answered.set()

        self._front_ends[front_end] = _kinds(params)
        self._send("initialize", params, Request(answer, front_end.name, id))
        await answered.wait()

    async def _admit(self, front_end: FrontEnd, id: JSON, params: JSON) -> None:
        """Gives a further front end the document, or the frames that it has missed."""
        kinds = _kinds(params)
        if self._front_ends:
            await self._announce(kinds)
        else:
            # A page that was reloaded may be in another language.
            await self._announce(kinds, locale=params.get("locale"))
        resume: JSON = params.get("resume") or {}
        missed = self._frames_after(resume.get("revision"))
        if missed is not None and resume.get("session") == self._handshake["session"]:
            for _, line, cause in missed:
                front_end.send(self._with_cause(line, cause, front_end))
            revision = resume["revision"] + len(missed)
        else:
            snapshot = await self.request("state/snapshot", {})
            revision = snapshot["revision"]
            patch = [{"op": "replace", "path": "", "value": snapshot["state"]}]
            frame = {"revision": revision, "patch": patch}
            _send_line(front_end, {"method": "frame", "params": frame})
        # Nothing has been awaited since the revision was known, so no frame is lost.
        self._front_ends[front_end] = kinds
        _send(front_end, id, result={**self._handshake, "revision": revision})

    async def _announce(
        self, kinds: frozenset[str] = frozenset(), locale: str | None = None
    ) -> None:
        """Introduces the front ends to the core again if they have changed.

        Args:
            kinds: the capabilities of a front end that is about to join.
            locale: the new language of the document, if it changes.
        """
        known = kinds.union(*self._front_ends.values())
        introduction = {**self._introduction, "capabilities": sorted(known)}
        if locale:
            introduction["locale"] = locale
        if introduction == self._introduction:
            return
        resume = {"session": self._handshake["session"], "revision": self._revision}
        await self.request("initialize", {**introduction, "resume": resume})
        self._introduction = introduction

    async def _announce_again(self) -> None:
        async with self._joining:
            try:
                await self._announce()
            except RelayError as failure:
                logger.warning("cannot withdraw capabilities: %s", failure)

    def _forward(
        self, front_end: FrontEnd, id: JSON, method: str, params: JSON
    ) -> None:
        def answer(response: JSON) -> None:
            _send_line(front_end, {**response, "id": id})

        match params:
            case {"key": key, **rest}:
                # Front ends choose their keys on their own, too.
                params = {**rest, "key": f"{front_end.name}/{key}"}
            case _:
                pass
        self._send(method, params, Request(answer, front_end.name, id))

    def _cancel(self, front_end: FrontEnd, id: JSON) -> None:
        for number, cause in reversed(self._causes.items()):
            if cause == (front_end.name, id):
                message = {"method": "$/cancelRequest", "params": {"id": number}}
                self.process.write(_dump({"jsonrpc": "2.0", **message}))
                return

    # The core

    def _send(self, method: str, params: JSON, request: Request) -> None:
        self._last_id += 1
        self._pending[self._last_id] = request
        if request.front_end:
            self._causes[self._last_id] = (request.front_end, request.id)
            if len(self._causes) > CAUSES:
                self._causes.popitem(last=False)
        message = {"jsonrpc": "2.0", "id": self._last_id, "method": method}
        self.process.write(
            _dump({**message, "params": {} if params is None else params})
        )

    async def _read(self) -> None:
        async for line in self.process.lines():
            try:
                self._dispatch(line)
            except (ValueError, KeyError, TypeError, AttributeError):
                logger.exception("cannot relay a message of the core")
        self._status = status = await self.process.ended()
        gone = {"error": _error(-32800, f"the core has ended ({status})")}
        for request in list(self._pending.values()):
            request.answer(gone)
        self._pending.clear()
        for front_end in list(self._front_ends):
            front_end.close(status)
        self._front_ends.clear()

    def _dispatch(self, line: str) -> None:
        message = json.loads(line)
        match message:
            case {"method": "frame", "params": params}:
                cause = params.pop("cause", None)
                plain = _dump({"jsonrpc": "2.0", "method": "frame", "params": params})
                self._keep(params["revision"], plain, cause)
                for front_end in list(self._front_ends):
                    front_end.send(self._with_cause(plain, cause, front_end))
            case {"method": str()}:
                for front_end in list(self._front_ends):
                    front_end.send(line)
            case {"id": int(number)} if number in self._pending:
                self._pending.pop(number).answer(message)
            case _:
                logger.warning("unexpected message of the core: %.200s", line)

    def _with_cause(self, line: str, cause: JSON, front_end: FrontEnd) -> str:
        name, id = self._causes.get(cause, ("", None))
        if name != front_end.name:
            return line
        message = json.loads(line)
        message["params"]["cause"] = id
        return _dump(message)

    def _keep(self, revision: int, line: str, cause: JSON) -> None:
        if revision != self._revision + 1:
            self._missed.clear()
            self._missed_bytes = 0
        self._missed.append((revision, line, cause))
        self._missed_bytes += len(line)
        self._revision = revision
        while self._missed_bytes > MISSED_BYTES:
            self._missed_bytes -= len(self._missed.popleft()[1])

    def _frames_after(self, revision: JSON) -> list[tuple[int, str, JSON]] | None:
        """Returns the frames after a revision; None if some have been dropped."""
        if not isinstance(revision, int):
            return None
        last = self._missed[-1][0] if self._missed else 0
        frames = [frame for frame in self._missed if frame[0] > revision]
        is_whole = revision + len(frames) == last and revision > 0
        return frames if is_whole else None


def _kinds(params: JSON) -> frozenset[str]:
    kinds: list[str] = params.get("capabilities") or []
    return frozenset(kinds)


def _error(code: int, message: str) -> JSON:
    return {"code": code, "message": message}


def _send(front_end: FrontEnd, id: JSON, **members: JSON) -> None:
    _send_line(front_end, {"id": id, **members})


def _send_line(front_end: FrontEnd, message: JSON) -> None:
    front_end.send(_dump({"jsonrpc": "2.0", **message}))


def _dump(message: JSON) -> str:
    return json.dumps(message, ensure_ascii=False, separators=(",", ":"))
