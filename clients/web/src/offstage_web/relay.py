"""Lets several front ends use one core: section 9 of the protocol."""

from __future__ import annotations

import asyncio
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
"""How many requests are remembered, to name the cause of a late frame."""
MISSED_BYTES = 4 << 20
"""How many bytes of frames are kept for front ends that lose their connection."""


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
        """Closes the connection. A status says that the core has ended."""
        ...


class RelayError(Exception):
    """The core refused a request of the relay itself."""


@dataclass(frozen=True)
class Request:
    """A request that the relay has sent to the core."""

    answer: Callable[[JSON], None]
    front_end: str = ""
    id: JSON = None


class Relay:
    """A core, and the front ends that share it.

    Each request gets an id of the relay's, so front ends may use the same ids. A frame's
    `cause` goes to the front end whose request it names, and to no other one. The first
    front end introduces itself to the core; a later one gets the document as its first
    frame, or the frames that it has missed, and adds its capabilities to the others'.
    """

    def __init__(self, process: CoreProcess) -> None:
        self.process = process
        self._front_ends: list[FrontEnd] = []
        self._last_id = 0
        self._pending: dict[int, Request] = {}
        self._causes: OrderedDict[int, tuple[str, JSON]] = OrderedDict()
        self._missed: deque[tuple[int, str, JSON]] = deque()
        self._missed_bytes = 0
        self._handshake: asyncio.Future[JSON] | None = None
        self._introduction: JSON = {}
        self._revision = 0
        self._reading = asyncio.create_task(self._read())

    @property
    def is_ended(self) -> bool:
        return self._reading.done()

    async def close(self) -> None:
        """Ends the core in order."""
        await self.process.close()
        await self._reading

    def leave(self, front_end: FrontEnd) -> None:
        if front_end in self._front_ends:
            self._front_ends.remove(front_end)

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
                await self.process.send(_dump(message))
            case _:
                text = "not a request; the relay takes no batches"
                _send(front_end, None, error=_error(-32600, text))
        await self.process.drain()

    async def request(self, method: str, params: JSON) -> JSON:
        """Sends a request of the relay's own, and returns its result."""
        future: asyncio.Future[JSON] = asyncio.get_running_loop().create_future()

        def answer(response: JSON) -> None:
            if future.done():
                return
            if "error" in response:
                future.set_exception(RelayError(response["error"].get("message", "")))
            else:
                future.set_result(response.get("result"))

        self._send(method, params, Request(answer))
        return await future

    # Front ends

    async def _join(self, front_end: FrontEnd, id: JSON, params: JSON) -> None:
        if self._handshake is None:
            self._handshake = asyncio.get_running_loop().create_future()
            self._front_ends.append(front_end)
            # Paths on this machine mean nothing to a browser.
            params = {
                key: params[key] for key in params if key not in ("files", "resume")
            }

            def answer(response: JSON) -> None:
                if "error" in response:
                    self._handshake = None
                elif self._handshake:
                    self._handshake.set_result(response["result"])
                _send_line(front_end, {**response, "id": id})

            self._send("initialize", params, Request(answer, front_end.name, id))
            return
        handshake = dict(await self._handshake)
        kinds: list[str] = params.get("capabilities") or []
        await self._announce(kinds, handshake)
        resume: JSON = params.get("resume") or {}
        missed = self._frames_after(resume.get("revision"))
        if missed is not None and resume.get("session") == handshake.get("session"):
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
        self._front_ends.append(front_end)
        _send(front_end, id, result={**handshake, "revision": revision})

    async def _announce(self, kinds: list[str], handshake: JSON) -> None:
        """Tells the core of the prompts that a further front end can answer."""
        known: list[str] = self._introduction.get("capabilities") or []
        if set(kinds) <= set(known):
            return
        self._introduction["capabilities"] = sorted({*known, *kinds})
        resume = {"session": handshake.get("session"), "revision": self._revision}
        await self.request("initialize", {**self._introduction, "resume": resume})

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
        for number, request in self._pending.items():
            if (request.front_end, request.id) == (front_end.name, id):
                message = {"method": "$/cancelRequest", "params": {"id": number}}
                self.process.write(_dump({"jsonrpc": "2.0", **message}))

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
        status = await self.process.ended()
        gone = {"error": _error(-32800, f"the core has ended ({status})")}
        for request in list(self._pending.values()):
            request.answer(gone)
        self._pending.clear()
        if self._handshake and not self._handshake.done():
            self._handshake.cancel()
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
        self._missed.append((revision, line, cause))
        self._missed_bytes += len(line)
        self._revision = revision
        while self._missed_bytes > MISSED_BYTES:
            self._missed_bytes -= len(self._missed.popleft()[1])

    def _frames_after(self, revision: JSON) -> list[tuple[int, str, JSON]] | None:
        """Returns the frames after a revision; None if some are gone."""
        if not isinstance(revision, int):
            return None
        last = self._missed[-1][0] if self._missed else 0
        frames = [frame for frame in self._missed if frame[0] > revision]
        is_whole = revision + len(frames) == last and revision > 0
        return frames if is_whole else None


def _error(code: int, message: str) -> JSON:
    return {"code": code, "message": message}


def _send(front_end: FrontEnd, id: JSON, **members: JSON) -> None:
    _send_line(front_end, {"id": id, **members})


def _send_line(front_end: FrontEnd, message: JSON) -> None:
    front_end.send(_dump({"jsonrpc": "2.0", **message}))


def _dump(message: JSON) -> str:
    return json.dumps(message, ensure_ascii=False, separators=(",", ":"))
