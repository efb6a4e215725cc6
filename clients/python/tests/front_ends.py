"""Front ends of a relay, without a socket."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

from offstage import ProcessTransport
from offstage.pointer import is_object
from offstage.share import Relay

GALLERY = ("--deterministic", "--root", "gallery")


class FrontEnd:
    """A front end that records the lines it gets. It is behind while it does not read."""

    is_known = True
    is_local = True
    only_looks = False

    def __init__(self, relay: Relay, name: str) -> None:
        self.relay = relay
        self.name = name
        self.got: list[Any] = []
        self.status: str | None = ""
        self._changed = asyncio.Event()
        self.last_id = 0
        self.held = 0
        self.is_closing = False
        self.is_behind = False
        self._reads = asyncio.Event()

    def read(self) -> None:
        """Reads everything, after being behind."""
        self.is_behind = False
        self._reads.set()

    async def drain(self) -> None:
        await self._reads.wait()

    async def lines(self) -> AsyncIterator[str]:
        """Yields nothing: `request` and others pass their lines on by themselves."""
        return
        yield

    def send(self, line: bytes) -> None:
        self.got.append(json.loads(line))
        self._changed.set()

    def hold(self, count: int) -> None:
        self.held += count

    async def pace(self) -> None:
        await asyncio.sleep(0)

    def close(self, status: str | None) -> None:
        self.status = status
        self._changed.set()

    async def request(self, method: str, **params: Any) -> Any:
        """Sends a request, and waits for its response."""
        self.last_id += 1
        message = {"id": self.last_id, "method": method, "params": params}
        await self.relay.receive(self, json.dumps({"jsonrpc": "2.0", **message}), 1)
        id = self.last_id
        return await self.line(lambda line: is_object(line) and line.get("id") == id)

    async def notify(self, method: str, **params: Any) -> None:
        """Sends a notification."""
        message = {"jsonrpc": "2.0", "method": method, "params": params}
        await self.relay.receive(self, json.dumps(message), 1)

    async def batch(self, *messages: Any) -> Any:
        """Sends a batch, and waits for the responses to it."""
        line = json.dumps([{"jsonrpc": "2.0", **each} for each in messages])
        await self.relay.receive(self, line, 1)
        return await self.line(lambda line: isinstance(line, list))

    async def join(self, *kinds: str, **params: Any) -> Any:
        return await self.request(
            "initialize", protocol=1, capabilities=list(kinds), **params
        )

    async def line(self, accepts: Callable[[Any], bool]) -> Any:
        """Waits for a line that meets a condition."""
        while not (found := [line for line in self.got if accepts(line)]):
            self._changed.clear()
            await asyncio.wait_for(self._changed.wait(), 180)
        return found[-1]

    @property
    def frames(self) -> list[Any]:
        return self.notifications("frame")

    def notifications(self, method: str) -> list[Any]:
        messages = [each for each in self.got if is_object(each)]
        return [each["params"] for each in messages if each.get("method") == method]


class Spy(Relay):
    """A relay that records what it sends to the core."""

    def __init__(self, transport: ProcessTransport) -> None:
        self.process = transport.process
        self.sent: list[Any] = []
        self._has_sent = asyncio.Event()
        write = transport.write_line

        def keep(line: bytes) -> None:
            self.sent.append(json.loads(line))
            self._has_sent.set()
            write(line)

        transport.write_line = keep  # type: ignore[method-assign]
        super().__init__(transport)

    async def until(self, condition: Callable[[], bool]) -> None:
        """Waits until the lines sent to the core meet a condition."""
        while not condition():
            self._has_sent.clear()
            await asyncio.wait_for(self._has_sent.wait(), 180)

    def introductions(self) -> list[Any]:
        return [each["params"] for each in self.sent if each["method"] == "initialize"]

    def inputs(self, name: str) -> int:
        """Returns how often the core got an input."""
        return sum(each.get("params", {}).get("name") == name for each in self.sent)


def play(
    scene: Callable[[Spy], Awaitable[None]], program: str, *arguments: str
) -> None:
    """Plays a scene with a relay and a core."""

    async def perform() -> None:
        relay = Spy(await ProcessTransport.start(program, *(arguments or GALLERY)))
        try:
            await scene(relay)
        finally:
            await relay.close()

    asyncio.run(perform())


async def joined(relay: Relay, name: str) -> FrontEnd:
    front_end = FrontEnd(relay, name)
    await front_end.join()
    return front_end


async def pair(relay: Spy) -> tuple[FrontEnd, FrontEnd]:
    """Returns two front ends that have joined."""
    return await joined(relay, "first"), await joined(relay, "second")


async def chat_with(person: FrontEnd) -> str:
    """Sends a message, and returns the id of the chat while its reply streams."""
    await person.request("navigation/open", url="showcase://avatars/mina")
    screens = (await person.request("state/snapshot"))["result"]["state"]["screens"]
    (chat,) = (str(id) for id, each in screens.items() if each["kind"] == "chat")
    await person.request("input", screen=chat, name="didAppear")
    await person.request("input", screen=chat, name="messageText", value="Hi")
    await person.request("input", screen=chat, name="send")
    return chat
