"""The requests of front ends, and the responses to their lines."""

from __future__ import annotations

import asyncio
import json
from collections import Counter, deque
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from ..connection import dump
from ..errors import CoreStopped, OffstageError, RPCError
from ..pointer import JSON, is_array
from .front_end import FrontEnd, send

LINE = 16 << 20
"""The most bytes of a line."""
LIMITS = {"line": LINE, "inFlight": 1024, "batch": 65_536, "out": 16 << 20}
"""The limits of a core that names none."""
CAUSES = 4096
"""The number of answered requests to remember, for the cause of a late frame."""
ID_BYTES = 1024
"""The longest id, as JSON, since the ids of answered requests are kept."""
FRAME = 4096
"""The bytes around the params of a request, and of what the relay adds to them."""
SHORT = 256
"""The bytes of a response that fits into every batch, such as that of an input."""
DRAIN = 5
"""The seconds that a front end waits for responses after the end of its input."""


class Line:
    """A request or a batch of a front end. Sends the responses once the last is ready.

    Args:
        text: None if it is too long to be read.
        limits: those of the core, which the relay applies to each front end.

    Attributes:
        is_long: true if it may exceed the core's limit, as it is written for the core.
        refusal: the reason why the rest of a batch is not carried out.
        has_left: true after a `shutdown`.

    Raises:
        RPCError: the line has no requests.
    """

    def __init__(
        self, front_end: FrontEnd, text: str | bytes | None, limits: JSON
    ) -> None:
        if text is None or len(text) > limits["line"]:
            raise RPCError(-32700, "the line is too long")
        try:
            message = json.loads(text, parse_constant=_reject)
        except (ValueError, RecursionError) as error:
            advice = "send each message as one line, without line breaks in it"
            raise RPCError(-32700, f"Parse error: {error}; {advice}") from None
        # A number such as 1e15 has four times as many digits without an exponent.
        self.is_long = 4 * len(text) > limits["line"] - FRAME
        self.refusal: RPCError | None = None
        self.has_left = False
        self.front_end = front_end
        self._is_batch = is_array(message)
        self._messages: list[JSON] = message if self._is_batch else [message]
        if not 0 < len(self._messages) <= limits["batch"]:
            limit = f"a batch has 1 to {limits['batch']} requests"
            raise RPCError(-32600, limit)
        self._responses: list[bytes] = []
        # The end of the line is missing, too.
        self._missing = 1
        self._room = limits["out"]

    def calls(self) -> Iterator[Call]:
        for message in self._messages:
            call = Call.parse(self, message)
            self._missing += call.key is not None
            yield call
        self._answered()

    def count(self, size: int) -> None:
        """Counts bytes that the line has caused."""
        self._room -= size
        if self._is_batch and self._room <= 0 and not self.refusal:
            self.refusal = RPCError(1005, "the responses to the batch are too long")

    def respond(self, response: JSON) -> None:
        text = dump({"jsonrpc": "2.0", **response})
        if not self._is_batch:
            self.front_end.send(text)
            return
        self.count(len(text))
        # A short response may be that of a request with an effect, which must not be repeated.
        if self.refusal and len(text) > SHORT:
            error = self.refusal.to_wire()
            text = dump({"jsonrpc": "2.0", "id": response["id"], "error": error})
        self._responses.append(text)
        self.front_end.hold(len(text))
        self._answered()

    def _answered(self) -> None:
        self._missing -= 1
        if self._responses and not self._missing:
            self.front_end.hold(-sum(map(len, self._responses)))
            self.front_end.send(b"[%b]" % b",".join(self._responses))


@dataclass(eq=False, slots=True)
class Call:
    """A request of a front end, or a notification, which has no id.

    Attributes:
        line: takes the response; None after it, and after the front end has left.
        key: the id as JSON; None for a notification.
    """

    name: str
    line: Line | None
    method: str
    params: JSON
    id: JSON = None
    key: bytes | None = None

    @classmethod
    def parse(cls, line: Line, message: JSON) -> Call:
        """Returns a call without a method for a message that is not a request."""
        name = line.front_end.name
        match message:
            case {"jsonrpc": "2.0", "method": str(method), **rest}:
                id, params = rest.get("id"), rest.get("params", {})
                if "id" not in rest:
                    return cls(name, line, method, params)
                with suppress(ValueError):
                    if type(id) in _IDS and len(key := dump(id)) <= ID_BYTES:
                        return cls(name, line, method, params, id, key)
            case _:
                pass
        return cls(name, line, "", None, None, b"null")

    def answer(self, result: JSON) -> None:
        if self.line and self.key:
            self.line.respond({"id": self.id, "result": result})

    def refuse(self, error: OffstageError) -> None:
        if isinstance(error, CoreStopped) and self.method != "initialize":
            return  # The connection ends, and the front end may send it to the next core.
        wire = (error if isinstance(error, RPCError) else gone()).to_wire()
        if self.line and self.key:
            self.line.respond({"id": self.id, "error": wire})
        elif self.line:
            send(self.line.front_end, {"method": "error", "params": wire})


class Calls:
    """The requests that were passed on, by their number and by the front end's own id.

    Keeps those without a response, and the newest others for the cause of a late frame.
    """

    def __init__(self) -> None:
        self._calls: dict[int, Call] = {}
        self._numbers: dict[tuple[str, bytes | None], int] = {}
        self._pending: dict[FrontEnd, dict[int, asyncio.Future[Any]]] = {}
        self._answered: deque[int] = deque()
        # Also those of front ends that have left, while the core works on them.
        self._load: Counter[tuple[str, ...]] = Counter()

    def owner(self, cause: JSON, name: str) -> Call | None:
        """Returns the request of a front end that is a cause."""
        call = self._calls.get(cause)
        return call if call and call.key and call.name == name else None

    def number(self, name: str, key: bytes | None) -> int | None:
        """Returns the number of a front end's newest request with an id."""
        return self._numbers.get((name, key))

    def pending(self, front_end: FrontEnd) -> dict[int, asyncio.Future[Any]]:
        """Returns a front end's requests that wait for a response, by their numbers."""
        return self._pending.get(front_end, {})

    async def answered(self, front_end: FrontEnd) -> None:
        """Waits for the responses to a front end's requests, but not for long."""
        if pending := self.pending(front_end).values():
            await asyncio.wait(pending, timeout=DRAIN)

    def is_full(self, name: str, limit: int) -> bool:
        """True if a front end has its share of the requests that the core takes at a time.

        Its own must be fewer than those that are left, so that it leaves some for others. If
        its name is a path, the same goes for all with the first part of it.
        """
        return sum(self._load[group] for group in _groups(name)) >= limit

    def add(self, number: int, call: Call, request: asyncio.Future[Any]) -> None:
        assert call.line
        self._load.update(_groups(call.name))
        call.params = None
        self._calls[number] = call
        self._pending.setdefault(call.line.front_end, {})[number] = request
        if call.key:
            self._numbers[call.name, call.key] = number

    def answer(self, number: int, result: JSON | OffstageError) -> None:
        """Answers a request, and keeps it only for the cause of a late frame."""
        call = self._calls[number]
        for group in _groups(call.name):
            self._load[group] -= 1
            if not self._load[group]:
                del self._load[group]
        if call.line:
            self.pending(call.line.front_end).pop(number, None)
        if isinstance(result, OffstageError):
            call.refuse(result)
        else:
            if call.method == "state/settle":
                for each in result.get("pending", []):
                    if own := self.owner(each.pop("cause", None), call.name):
                        each["cause"] = own.id
            call.answer(result)
        call.line = None
        self._answered.append(number)
        if len(self._answered) > CAUSES:
            old = self._answered.popleft()
            call = self._calls.pop(old)
            if self.number(call.name, call.key) == old:
                del self._numbers[call.name, call.key]

    def leave(self, front_end: FrontEnd) -> None:
        """Answers a front end's requests like a core that shuts down."""
        for number in self._pending.pop(front_end, {}):
            self._calls[number].refuse(gone())
            self._calls[number].line = None


def _groups(name: str) -> list[tuple[str, ...]]:
    """Returns the groups of a front end: everyone, those of its first part, and itself."""
    parts = tuple(name.split("/", 1))
    return [parts[:count] for count in range(len(parts) + 1)]


def gone() -> RPCError:
    return RPCError(-32800, "the connection has ended")


def _reject(constant: str) -> None:
    raise ValueError(constant)


_IDS = (int, float, str, type(None))
