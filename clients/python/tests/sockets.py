"""A front end that sends lines as they are."""

from __future__ import annotations

import asyncio
import json
from typing import Any, Self

from offstage.address import open_address
from offstage.transport import LineReader


class Caller:
    """A front end at a socket."""

    def __init__(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        self.reader, self.writer = reader, writer
        self._lines = LineReader(reader)
        self._last_id = 0

    @classmethod
    async def connect(cls, address: str) -> Self:
        return cls(*await open_address(address))

    def send(self, line: str) -> None:
        self.writer.write(line.encode() + b"\n")

    async def line(self) -> Any:
        """Returns the next message; None at the end."""
        line = await self._lines.read_line()
        return json.loads(line) if line else None

    async def rest(self) -> list[Any]:
        """Returns the messages up to the end."""
        messages: list[Any] = []
        while message := await self.line():
            messages.append(message)
        return messages

    async def frame(self) -> Any:
        """Returns the params of the next frame."""
        while (message := await self.line())["method"] != "frame":
            pass
        return message["params"]

    def ask(self, method: str, **params: Any) -> int:
        """Sends a request. Returns its id."""
        self._last_id += 1
        message = {"id": self._last_id, "method": method, "params": params}
        self.send(json.dumps({"jsonrpc": "2.0", **message}))
        return self._last_id

    async def answer(self, id: int) -> Any:
        """Returns the answer to a request, and drops what comes before it."""
        while (message := await self.line()) is not None:
            if message.get("id") == id:
                return message
        raise AssertionError("the connection has ended")

    async def request(self, method: str, **params: Any) -> Any:
        return await self.answer(self.ask(method, **params))

    async def join(self, **params: Any) -> Any:
        return (await self.request("initialize", protocol=1, **params))["result"]

    async def close(self) -> None:
        self.writer.close()
        await self.writer.wait_closed()
