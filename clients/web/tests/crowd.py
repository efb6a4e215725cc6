"""Visitors at work, and a check of what they see, by the wire alone.

    python -m tests.crowd ADDRESS VISITORS SECONDS

The app must show `gallery` first. Each visitor opens and closes screens, and knows which ones are open:
one that is missing was lost, and one too many was done twice.
"""

from __future__ import annotations

import asyncio
import json
import random
import sys
import time
from collections import Counter
from collections.abc import Awaitable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

import aiohttp
from offstage import Document, Frame
from yarl import URL

ARRIVALS = 40
"""The visitors who come in a second."""
DEEPEST = 5
"""The screens above which a visitor closes all but the first."""


@dataclass
class Report:
    """What all visitors have seen.

    Attributes:
        answers: the seconds from an input to its answer, while the connection held.
        returns: the seconds from a lost connection to the next answer.
        losses: why connections were lost or refused.
        mistakes: what a visitor saw and should not.
    """

    answers: list[float] = field(default_factory=list[float])
    returns: list[float] = field(default_factory=list[float])
    losses: Counter[str] = field(default_factory=Counter[str])
    mistakes: list[str] = field(default_factory=list[str])

    def __str__(self) -> str:
        texts = [
            f"{len(self.answers):,} inputs, and {len(self.returns):,} with a lost connection"
        ]
        for name, times in ("answer", self.answers), ("back", self.returns):
            if times:
                points = ", ".join(f"p{n} {part(times, n):.3f} s" for n in (50, 95, 99))
                texts.append(f"{name} {points}, at most {max(times):.3f} s")
        return "; ".join([*texts, f"{len(self.mistakes)} mistakes"])


def part(times: list[float], percent: int) -> float:
    """Returns the time that so many percent do not exceed."""
    return sorted(times)[(len(times) * percent + 99) // 100 - 1]


class Forgotten(Exception):
    """The site has begun another session for a visitor."""


class Visitor:
    """A browser with one page.

    Args:
        address: with the token.
    """

    def __init__(self, address: str, report: Report, pause: float) -> None:
        self._address, self._report, self._pause = URL(address), report, pause
        self._session: str | None = None
        self._open = ["lobby"]
        self._document = Document()
        self._last_id = 0
        self._socket: Any = None
        # When the connection was lost; 0 while it holds.
        self._lost = 0.0

    async def work(self, arrival: float, end: asyncio.Event) -> None:
        """Comes within so many seconds, and works until the end."""
        async with aiohttp.ClientSession(
            cookie_jar=aiohttp.CookieJar(unsafe=True)
        ) as self._client:
            await asyncio.sleep(random.uniform(0, arrival))
            while not end.is_set():
                await self._rest(random.uniform(0, 2 * self._pause))
                with suppress(Forgotten):
                    await self._step()
            await self._leave()

    async def _rest(self, seconds: float) -> None:
        """Waits. A page that loses its connection meanwhile comes back at once."""
        try:
            async with asyncio.timeout(seconds):
                while self._socket:
                    await self._receive()
                await asyncio.sleep(seconds)
        except TimeoutError:
            pass
        except ConnectionError as error:
            await self._lose(error)

    async def _lose(self, error: Exception) -> None:
        self._report.losses[str(error)] += 1
        self._lost = self._lost or time.monotonic()
        await self._leave()
        await asyncio.sleep(random.uniform(0.1, 0.3))

    async def _leave(self) -> None:
        """Closes the connection, without waiting for a server that does not answer."""
        socket, self._socket = self._socket, None
        with suppress(TimeoutError, ConnectionError):
            async with asyncio.timeout(1):
                if socket:
                    await socket.close()

    async def _step(self) -> None:
        """Opens a screen, or closes all but the first, however often the connection is lost."""
        top = self._screens()[-1] if self._session else "1"
        self._last_id += 1
        key = f"k{self._last_id}"
        if len(self._open) < DEEPEST:
            name = str(self._last_id)
            wanted = [*self._open, name]
            method = "input"
            params = {"screen": top, "name": "push", "value": name, "key": key}
        else:
            wanted, method = ["lobby"], "navigation/popTo"
            params = {"screen": "1", "key": key}
        start = time.monotonic()
        while True:
            try:
                if not self._socket:
                    await self._connect()
                await self._call(method, params)
                break
            except (ConnectionError, aiohttp.ClientError, TimeoutError) as error:
                await self._lose(error)
        now = time.monotonic()
        if self._lost:
            self._report.returns.append(now - self._lost)
            self._lost = 0.0
        else:
            self._report.answers.append(now - start)
        self._check(wanted)
        self._open = wanted

    def _screens(self) -> list[str]:
        screens: list[str] = self._document.get("/navigation/root/screens")
        return screens

    def _check(self, wanted: list[str]) -> None:
        seen = [self._document.screens[id]["output"]["label"] for id in self._screens()]
        if seen != wanted:
            self._report.mistakes.append(f"{self._session}: {seen}, not {wanted}")

    async def _connect(self) -> None:
        async with asyncio.timeout(10):
            if not self._session:
                # For the cookie. A page that connects again does not load again.
                async with self._client.get(self._address) as response:
                    if response.status != 200:
                        raise ConnectionError(response.status)
            origin = str(self._address.origin())
            query = {"page": uuid4().hex, "session": self._session or ""}
            url = self._address.origin().with_path("/core").with_query(query)
            self._socket = await self._client.ws_connect(
                url, origin=origin, heartbeat=5
            )
        params: dict[str, Any] = {"protocol": 1}
        if self._session:
            revision = self._document.revision
            params["resume"] = {"session": self._session, "revision": revision}
        seen = self._document.revision
        result = await self._call("initialize", params)
        before, self._session = self._session, result["session"]
        if before not in (None, self._session):
            self._report.mistakes.append(f"{before} has become {self._session}")
            self._open = ["lobby"]
            raise Forgotten
        if result["revision"] < seen:
            self._report.mistakes.append(f"{self._session} goes on before {seen}")

    async def _call(self, method: str, params: dict[str, Any]) -> Any:
        """Sends a request, and applies the frames before its response."""
        id = f"{method} {uuid4().hex}"
        message = {"jsonrpc": "2.0", "id": id, "method": method, "params": params}
        async with asyncio.timeout(30):
            await self._socket.send_str(json.dumps(message))
            while (line := await self._receive()).get("id") != id:
                pass
        if "error" in line:
            raise ConnectionError(line["error"]["message"])
        return line["result"]

    async def _receive(self) -> dict[str, Any]:
        """Returns the next line, after applying it if it is a frame."""
        received = await self._socket.receive()
        if received.type != aiohttp.WSMsgType.TEXT:
            raise ConnectionError("the connection has ended")
        line: dict[str, Any] = json.loads(received.data or "{}")
        if line.get("method") == "frame":
            self._document.apply(Frame.from_wire(line["params"]))
        return line


async def work(
    address: str,
    visitors: int,
    pause: float,
    happening: Awaitable[None],
    report: Report | None = None,
) -> Report:
    """Lets visitors work while something happens.

    Args:
        pause: the mean seconds between a visitor's inputs.
        report: receives what they see; a new one by default.
    """
    report, end = report or Report(), asyncio.Event()
    crowd = [Visitor(address, report, pause) for _ in range(visitors)]
    arrival = visitors / ARRIVALS
    working = asyncio.gather(*(each.work(arrival, end) for each in crowd))
    await happening
    end.set()
    await working
    return report


if __name__ == "__main__":
    lasting = asyncio.sleep(float(sys.argv[3]))
    print(asyncio.run(work(sys.argv[1], int(sys.argv[2]), 10, lasting)))
