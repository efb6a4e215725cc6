"""The methods of the protocol."""

from __future__ import annotations

import asyncio
import base64
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, TypeAlias, TypeVar

from .errors import OffstageError, ProtocolError
from .pointer import JSON

T = TypeVar("T")
OnAnswer: TypeAlias = Callable[[OffstageError | None], None]


def no_answer(error: OffstageError | None) -> None:
    """Ignores an answer."""


@dataclass(frozen=True, slots=True)
class Reply:
    """The response to a request, with the revision that includes its changes."""

    revision: int

    @classmethod
    def from_wire(cls, result: JSON) -> Reply:
        return cls(result["revision"])


@dataclass(frozen=True, slots=True)
class NavigationReply(Reply):
    """The response to a navigation.

    Attributes:
        outcome: `asked` if the app asks the user first, `none` if there was nothing to do.
    """

    outcome: Literal["done", "asked", "none"]

    @classmethod
    def from_wire(cls, result: JSON) -> NavigationReply:
        return cls(result["revision"], result["outcome"])


@dataclass(frozen=True, slots=True)
class WindowReply(Reply):
    """The response to `window`: the rows that come, with a later frame."""

    first: int
    count: int

    @classmethod
    def from_wire(cls, result: JSON) -> WindowReply:
        return cls(result["revision"], result["first"], result["count"])


@dataclass(frozen=True, slots=True)
class PendingWork:
    """Unfinished work. `settle` waits for it if it is `busy`."""

    screen: str | None
    kind: Literal["effect", "timer", "navigation", "request"]
    name: str
    busy: bool
    cause: int | str | float | None

    @classmethod
    def from_wire(cls, work: JSON) -> PendingWork:
        kind, name, busy = work["kind"], work["name"], work["busy"]
        return cls(work["screen"], kind, name, busy, work.get("cause"))


@dataclass(frozen=True, slots=True)
class Resource:
    """The bytes of a resource, and their media type."""

    mime_type: str
    data: bytes


class AppInfo(NamedTuple):
    """The name and the version of an app."""

    name: str
    version: str


@dataclass(frozen=True, slots=True)
class Handshake:
    """The result of `initialize`; `raw` has all of its members.

    Attributes:
        session: the id of this run of the core.
    """

    protocol: int
    app: AppInfo
    session: str
    limits: Mapping[str, int]
    raw: Mapping[str, JSON]

    @classmethod
    def from_wire(cls, result: JSON) -> Handshake:
        app = AppInfo(result["app"]["name"], result["app"]["version"])
        session, limits = result.get("session", ""), result.get("limits", {})
        return cls(result["protocol"], app, session, limits, result)


class Requests(ABC):
    """The requests to a core.

    Calling a method sends its request at once. The result is ready when the core has
    handled the request and the document shows its changes. Canceling the wait cancels
    the request in the core.

    All methods raise a subclass of `RPCError` if the core refuses the request, and
    `CoreStopped` if the core has ended.
    """

    @abstractmethod
    def request(
        self,
        method: str,
        params: Mapping[str, JSON] | None = None,
        decode: Callable[[JSON], T] = lambda result: result,
        on_answer: OnAnswer = no_answer,
    ) -> asyncio.Future[T]:
        """Sends a request of any method. See `Connection.request`."""

    @property
    @abstractmethod
    def last_id(self) -> int:
        """The id of the last request, as it appears in `Frame.cause`."""

    def input(
        self,
        screen: str,
        name: str,
        value: JSON = None,
        *,
        settle: bool = False,
        on_answer: OnAnswer = no_answer,
    ) -> asyncio.Future[Reply]:
        """Sends a value to an input of a screen.

        Args:
            settle: answer once the core has settled, as `settle` does.
        """
        params: dict[str, JSON] = {"screen": screen, "name": name}
        if value is not None:  # A missing value is null.
            params["value"] = value
        if settle:
            params["settle"] = True
        return self.request("input", params, Reply.from_wire, on_answer)

    def check(self, screen: str, name: str) -> asyncio.Future[Reply]:
        """Says that the person has left a field, which then shows what is wrong with it."""
        params: dict[str, JSON] = {"screen": screen, "name": name}
        return self.request("field/check", params, Reply.from_wire)

    def window(
        self, screen: str, name: str, first: int, count: int
    ) -> asyncio.Future[WindowReply]:
        """Says which rows of a list with `x-window` the front end shows."""
        params: dict[str, JSON] = {"screen": screen, "name": name}
        params |= {"first": first, "count": count}
        return self.request("list/window", params, WindowReply.from_wire)

    def answer(
        self,
        prompt: str,
        value: JSON = None,
        *,
        error: str | None = None,
        dismissed: bool = False,
    ) -> asyncio.Future[Reply]:
        """Answers a prompt with a value, with an error, or by dismissing it."""
        params: dict[str, JSON] = {"prompt": prompt}
        if dismissed:
            params["dismissed"] = True
        elif error is not None:
            params["error"] = {"message": error}
        else:
            params["value"] = value
        return self._reply("answer", params)

    def back(self) -> asyncio.Future[NavigationReply]:
        """Removes the topmost screen."""
        return self._navigate("back")

    def dismiss(
        self, *, screen: str | None = None, presentation: str | None = None
    ) -> asyncio.Future[NavigationReply]:
        """Closes the sheet, cover, or modal with this id, or that contains this screen."""
        params = {"screen": screen, "presentation": presentation}
        given = {name: id for name, id in params.items() if id is not None}
        return self._navigate("dismiss", given)

    def pop_to(self, screen: str) -> asyncio.Future[NavigationReply]:
        """Closes everything that covers the screen."""
        return self._navigate("popTo", {"screen": screen})

    def select_tab(self, tab: str) -> asyncio.Future[NavigationReply]:
        """Selects a tab."""
        return self._navigate("selectTab", {"tab": tab})

    def open(self, url: str) -> asyncio.Future[NavigationReply]:
        """Opens a deep link."""
        return self._navigate("open", {"url": url})

    def settle(self) -> asyncio.Future[Reply]:
        """Waits until nothing is left to do without the user, a device, or the clock."""
        return self._reply("state/settle")

    def pending_work(self) -> asyncio.Future[list[PendingWork]]:
        """Returns the work that has not finished; see `PendingWork`."""

        def decode(result: JSON) -> list[PendingWork]:
            return [PendingWork.from_wire(work) for work in result["pending"]]

        return self.request("state/settle", {"pending": True}, decode)

    def advance(self, milliseconds: int) -> asyncio.Future[Reply]:
        """Advances the virtual clock of a deterministic core."""
        return self._reply("clock/advance", {"milliseconds": milliseconds})

    async def read(self, uri: str, limit: int = 64 << 20) -> Resource:
        """Reads a resource of the document, such as a picture's `resource:` URI.

        The core sends a large resource in pieces.

        Raises:
            ProtocolError: the resource has more bytes than `limit`, or a piece is empty.
        """
        data, size = bytearray(), 0
        while True:
            params: dict[str, JSON] = {"uri": uri}
            if data:
                params["range"] = {"start": len(data), "end": size}
            piece: JSON = await self.request("resource/read", params)
            size = int(piece["size"])
            if size > limit:
                raise ProtocolError(f"{uri} has {size} bytes, more than {limit}")
            data += base64.b64decode(piece["base64"])
            if len(data) >= size:
                return Resource(piece["mimeType"], bytes(data))
            if not piece["base64"]:
                raise ProtocolError(f"{uri} ends after {len(data)} of {size} bytes")

    def discover(self) -> asyncio.Future[Any]:
        """Returns the OpenRPC description of the app."""
        return self.request("rpc.discover")

    def _navigate(
        self, method: str, params: Mapping[str, JSON] | None = None
    ) -> asyncio.Future[NavigationReply]:
        return self.request(f"navigation/{method}", params, NavigationReply.from_wire)

    def _reply(
        self, method: str, params: Mapping[str, JSON] | None = None
    ) -> asyncio.Future[Reply]:
        return self.request(method, params, Reply.from_wire)
