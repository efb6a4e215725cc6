"""The requests of front ends: single ones, notifications, and batches."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias, cast

from .missed import dump

JSON: TypeAlias = Any


class FrontEnd(Protocol):
    """A connected front end.

    Attributes:
        name: unique, and the same for each connection of a front end.
    """

    name: str

    def send(self, line: str) -> None:
        """Sends a line without waiting."""
        ...

    def close(self, status: str | None) -> None:
        """Closes the connection. A status means that the core has ended."""
        ...


class Refusal(Exception):
    """A message of a front end that the relay refuses.

    Attributes:
        error: the error object of the response.
    """

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.error: JSON = {"code": code, "message": message}


@dataclass(eq=False)
class Call:
    """A request of a front end, or a notification, which has no id.

    Attributes:
        respond: receives the response to a request.
    """

    front_end: FrontEnd
    method: str
    params: JSON
    respond: Callable[[JSON], None]
    id: JSON = None
    is_notification: bool = False

    def answer(self, result: JSON) -> None:
        if not self.is_notification:
            self.respond({"id": self.id, "result": result})

    def refuse(self, error: JSON) -> None:
        if self.is_notification:
            send(self.front_end, {"method": "error", "params": error})
        else:
            self.respond({"id": self.id, "error": error})


class Batch:
    """Collects the responses to a batch, and sends them when the last is ready."""

    def __init__(self, front_end: FrontEnd, count: int) -> None:
        self._front_end = front_end
        self._count = count
        self._responses: list[JSON] = []

    def take(self, response: JSON) -> None:
        self._responses.append({"jsonrpc": "2.0", **response})
        if len(self._responses) == self._count:
            self._front_end.send(dump(self._responses))


def parse(front_end: FrontEnd, line: str) -> list[Call]:
    """Returns the requests in a line, and answers invalid ones.

    Raises:
        Refusal: the line has no requests.
    """
    try:
        message = json.loads(line, parse_constant=_reject)
        dump(message).encode()
    except (ValueError, RecursionError):
        raise Refusal(-32700, "the line is not JSON") from None
    if not isinstance(message, list):
        return _calls(front_end, [message], lambda response: send(front_end, response))
    messages = cast("list[JSON]", message)
    if not messages:
        raise Refusal(-32600, "a batch needs at least one request")
    count = sum(not _is_notification(each) for each in messages)
    return _calls(front_end, messages, Batch(front_end, count).take)


def send(front_end: FrontEnd, message: JSON) -> None:
    front_end.send(dump({"jsonrpc": "2.0", **message}))


def members_of(value: JSON) -> dict[str, JSON]:
    """Returns `value` if it is an object, or an empty object."""
    return cast("dict[str, JSON]", value) if isinstance(value, dict) else {}


def _calls(
    front_end: FrontEnd, messages: list[JSON], respond: Callable[[JSON], None]
) -> list[Call]:
    calls: list[Call] = []
    for message in messages:
        match message:
            case {"jsonrpc": "2.0", "method": str(method)} if _has_valid_id(message):
                params = message.get("params", {})
                id, is_notification = message.get("id"), "id" not in message
                calls.append(
                    Call(front_end, method, params, respond, id, is_notification)
                )
            case _:
                error = Refusal(-32600, "not a request").error
                respond({"id": None, "error": error})
    return calls


def _is_notification(message: JSON) -> bool:
    match message:
        case {"jsonrpc": "2.0", "method": str()}:
            return "id" not in message
        case _:
            return False


def _has_valid_id(message: JSON) -> bool:
    id = message.get("id")
    return (id is None or isinstance(id, int | float | str)) and not isinstance(
        id, bool
    )


def _reject(constant: str) -> None:
    raise ValueError(constant)
