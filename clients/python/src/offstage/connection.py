"""JSON-RPC 2.0 over a transport."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from .errors import CoreStopped, OffstageError, ParseError, ProtocolError, RPCError
from .pointer import JSON
from .requests import OnAnswer, Requests, no_answer
from .transport import Transport

logger = logging.getLogger("offstage")

T = TypeVar("T")


class Receiver(Protocol):
    """Receives the notifications and the end of a connection."""

    def on_notification(self, method: str, params: JSON) -> None: ...

    def on_end(self, error: OffstageError) -> None: ...


@dataclass(slots=True)
class _Pending:
    line: bytes
    place: int
    """The number of the line on this connection; 0 before it is sent."""
    has_key: bool
    future: asyncio.Future[Any]
    decode: Callable[[JSON], Any]
    on_answer: OnAnswer


class Connection(Requests):
    """Numbers requests, sends them, and matches the responses.

    Requests go out at once, in the order of the calls. Messages are handled in the order
    of arrival, before any code that awaits a response resumes.

    Args:
        keeps: keep requests with a key when the connection ends, so that a later one
            sends them.
        earlier: the connection whose requests this one takes over. Until `go_on`, it
            sends no request with a key.
    """

    def __init__(
        self,
        transport: Transport,
        receiver: Receiver,
        *,
        keeps: bool = False,
        earlier: Connection | None = None,
    ) -> None:
        self.transport = transport
        self.error: OffstageError | None = None
        self._keeps = keeps
        self.is_held = earlier is not None
        self._last_id = earlier.last_id if earlier else 0
        self._lines = 0
        self._receiver = receiver
        self._pending: dict[int, _Pending] = {}
        if earlier:
            self._pending, earlier._pending = earlier._pending, {}
            for number, pending in self._pending.items():
                pending.place = 0
                self._follow(number, pending.future)
        self._reading = asyncio.create_task(self._read())

    def request(
        self,
        method: str,
        params: Mapping[str, JSON] | None = None,
        decode: Callable[[JSON], T] = lambda result: result,
        on_answer: OnAnswer = no_answer,
    ) -> asyncio.Future[T]:
        """Sends a request. Cancel the future to cancel the request in the core.

        Args:
            decode: converts the response's result to the future's.
            on_answer: called with None or the error, before any later message is handled.

        Raises:
            CoreStopped: the connection has ended.
            ValueError: the params cannot be written as JSON.
        """
        has_key = self._keeps and "key" in (params or {})
        if self.error and not (has_key and self.is_held):
            raise self.error
        number = self._last_id + 1
        line = _line({"id": number, "method": method, "params": params or {}})
        future: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._last_id = number
        pending = _Pending(line, 0, has_key, future, decode, on_answer)
        if not has_key or not self.is_held:
            pending.place = self._write(line)
        self._pending[number] = pending
        self._follow(number, future)
        return future

    def go_on(self) -> None:
        """Sends the requests that have waited for this connection."""
        self.is_held = False
        for pending in self._pending.values():
            if pending.has_key:
                pending.place = self._write(pending.line)

    def fail(self, error: OffstageError) -> None:
        """Fails the requests that wait for a connection."""
        self.is_held = False
        for number, pending in list(self._pending.items()):
            if pending.has_key:
                self._reject(number, error)

    @property
    def last_id(self) -> int:
        return self._last_id

    def notify(self, method: str, params: Mapping[str, JSON]) -> None:
        """Sends a notification."""
        self._write(_line({"method": method, "params": params}))

    async def close(self) -> None:
        """Closes the transport after the core has written its last output."""
        await self.transport.close()
        await self._reading

    def _write(self, line: bytes) -> int:
        """Sends a line, and returns its number."""
        self.transport.write_line(line)
        self._lines += 1
        return self._lines

    def _follow(self, number: int, future: asyncio.Future[Any]) -> None:
        future.add_done_callback(lambda future: self._cancel(number, future))

    def _cancel(self, number: int, future: asyncio.Future[Any]) -> None:
        if not future.cancelled() or not (pending := self._pending.get(number)):
            return
        if self.is_held and pending.has_key:
            del self._pending[number]
        elif not self.error:
            # The request stays pending until the core has answered it.
            self.notify("$/cancelRequest", {"id": number})

    async def _read(self) -> None:
        error: OffstageError | None = None
        try:
            while line := await self.transport.read_line():
                self._receive(line)
        except ProtocolError as caught:
            error = caught
        except Exception as caught:
            logger.exception("the core's message cannot be handled")
            error = ProtocolError(f"the core's message cannot be handled: {caught!r}")
        finally:
            # No more requests from here on, even if the core is still running.
            self.error = error or CoreStopped("the core has ended")
            await self.transport.close()
            self._end(error or self.transport.stopped())

    def _receive(self, line: bytes) -> None:
        try:
            message = json.loads(line)
        except ValueError as error:
            raise ProtocolError(f"not JSON: {line[:200]!r}") from error
        match message:
            case {"method": str(method)}:
                self._receiver.on_notification(method, message.get("params", {}))
            case {"id": int(number), "result": result}:
                self._resolve(number, result)
            case {"id": int(number), "error": error}:
                self._reject(number, RPCError.from_wire(error))
            case {"id": None, "error": error}:
                self._refuse(RPCError.from_wire(error), error)
            case _:
                raise ProtocolError(f"not a message: {line[:200]!r}")

    def _resolve(self, number: int, result: JSON) -> None:
        if pending := self._pending.get(number):
            try:
                value = pending.decode(result)
            except (AttributeError, KeyError, TypeError, ValueError):
                self._reject(number, ProtocolError(f"unexpected result: {result!r}"))
                return
            del self._pending[number]
            if not pending.future.done():
                pending.future.set_result(value)
            pending.on_answer(None)

    def _refuse(self, refusal: RPCError, error: JSON) -> None:
        """Rejects the request in a line that the core could not read, so not even its id."""
        place = refusal.line if isinstance(refusal, ParseError) else None
        for number, pending in self._pending.items():
            if place and pending.place == place:
                return self._reject(number, refusal)
        self._receiver.on_notification("error", error)

    def _reject(self, number: int, error: OffstageError) -> None:
        if pending := self._pending.pop(number, None):
            if not pending.future.done():
                pending.future.set_exception(error)
            pending.on_answer(error)

    def _end(self, error: OffstageError) -> None:
        self.error = error
        self.is_held = self._keeps
        for number, pending in list(self._pending.items()):
            if not self._keeps or not pending.has_key:
                self._reject(number, error)
        self._receiver.on_end(error)


def _line(message: dict[str, JSON]) -> bytes:
    return dump({"jsonrpc": "2.0", **message})


def dump(message: JSON) -> bytes:
    """Writes a message as a line.

    Raises:
        ValueError: the message cannot be written as JSON.
    """
    text = json.dumps(
        message, ensure_ascii=False, allow_nan=False, separators=(",", ":")
    )
    return text.encode()


def ignore_errors(future: asyncio.Future[Any]) -> None:
    """Logs the error of a request that is not awaited, such as one to a closed screen."""

    def log(future: asyncio.Future[Any]) -> None:
        if not future.cancelled() and (error := future.exception()):
            logger.info("%s", error)

    future.add_done_callback(log)
