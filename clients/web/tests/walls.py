"""Attempts to reach what belongs to another visitor. By hand, on a site of two workers:

python -m tests.walls CORE ATTEMPTS

The app must show `signUp` first.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import random
import secrets
import sys
import tempfile
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

import aiohttp
from yarl import URL

from .faults import Site

BURGLARS = 16
"""The attempts at a time."""


class Person:
    """A browser that has the token of the site.

    Args:
        address: with the token.
    """

    def __init__(self, address: str) -> None:
        self.url, self._address = URL(address).origin(), URL(address)
        self.cookie = ""
        self.session = ""
        self._client: Any = None
        self._socket: Any = None

    async def enter(self) -> None:
        """Gets a cookie."""
        self._client = aiohttp.ClientSession(
            cookie_jar=aiohttp.DummyCookieJar(), headers={"Origin": str(self.url)}
        )
        async with self._client.get(self._address) as response:
            (self.cookie,) = (each.value for each in response.cookies.values())

    @property
    def name(self) -> str:
        """The name of the visitor at the host."""
        return hashlib.sha256(self.cookie.encode()).hexdigest()[:32]

    async def open(self, session: str = "", revision: int = 0) -> None:
        """Opens a page, which may have seen a session."""
        resume = {"session": session, "revision": revision}
        seen = {"resume": resume} if session else {}
        self._socket = await self._connect({"session": session}, self.cookie)
        result = await self.call("initialize", protocol=1, **seen)
        self.session = result["session"]

    async def call(self, method: str, **params: Any) -> Any:
        message = {"jsonrpc": "2.0", "id": method, "method": method, "params": params}
        await self._socket.send_json(message)
        while (line := await self._socket.receive_json()).get("id") != method:
            pass
        assert "result" in line, line
        return line["result"]

    async def get(self, path: str, cookie: str | None = None, **headers: str) -> bytes:
        """Returns the status and the body of an answer."""
        url = URL(f"{self.url}{path}", encoded=True)
        async with self._client.get(url, headers=self._with(cookie, headers)) as answer:
            return f"{answer.status} ".encode() + await answer.read()

    async def look(
        self, query: dict[str, str], params: dict[str, Any], cookie: str | None = None
    ) -> bytes:
        """Opens a page for a moment. Returns what it gets."""
        received = b""
        try:
            socket = await self._connect(query, cookie)
        except aiohttp.WSServerHandshakeError as error:
            return str(error.status).encode()
        message = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}
        await socket.send_json(message)
        async for each in socket:
            received += each.data.encode()
            if json.loads(each.data or "{}").get("id") == 1:
                break
        await socket.close()
        return received

    async def _connect(self, query: dict[str, str], cookie: str | None) -> Any:
        url = self.url.with_path("/core").with_query(query)
        return await self._client.ws_connect(url, headers=self._with(cookie, {}))

    def _with(self, cookie: str | None, headers: dict[str, str]) -> dict[str, str]:
        cookie = self.cookie if cookie is None else cookie
        return {"Cookie": f"offstage-{self.url.port}={cookie}", **headers}

    async def close(self) -> None:
        await self._client.close()


class Walls:
    """A victim, who has an account and an open page, and burglars.

    The burglars know the session and the name of the victim, and parts of the cookie.

    Args:
        sockets: those of the hosts.
    """

    def __init__(self, address: str, sockets: list[str]) -> None:
        self._victim = Person(address)
        self._burglars = [Person(address) for _ in range(BURGLARS)]
        self._sockets = sockets
        self._secret = f"secret-{secrets.token_hex(8)}"
        self._random = random.Random(1)
        self.reached: list[str] = []
        self.answers: Counter[str] = Counter()

    async def test(self, attempts: int) -> None:
        """Makes attempts, and checks that the victim notices nothing."""
        everyone = [self._victim, *self._burglars]
        for each in everyone:
            await each.enter()
        try:
            await self._test(attempts)
        finally:
            for each in everyone:
                await each.close()

    async def _test(self, attempts: int) -> None:
        victim = self._victim
        await victim.open()
        email = f"{self._secret}@example.org"
        for name, value in ("nameText", self._secret), ("emailText", email):
            await victim.call("input", screen="1", name=name, value=value)
        await victim.call("input", screen="1", name="confirm", value=None)
        await victim.call("state/settle")
        before = await victim.call("state/snapshot")
        # The page gets what the burglars must not.
        seen = await victim.look({"session": victim.session}, {"protocol": 1})
        assert self._is_reached(seen) and self._secret.encode() in seen
        left, end = iter(range(attempts)), asyncio.Event()

        async def burgle(burglar: Person) -> None:
            for _ in left:
                await self._attempt(burglar)

        async def watch() -> None:
            """Checks that the victim keeps the connection, and sees the same."""
            while not end.is_set():
                with suppress(TimeoutError):
                    await asyncio.wait_for(end.wait(), 2)
                after = await victim.call("state/snapshot")
                if after != before:
                    self.reached.append(f"the victim sees {after}, not {before}")

        watching = asyncio.create_task(watch())
        await asyncio.gather(*map(burgle, self._burglars))
        end.set()
        await watching

    async def _attempt(self, burglar: Person) -> None:
        ways: list[Callable[[Person], Awaitable[bytes]]] = [
            self._with_a_forged_cookie,
            self._with_a_forged_cookie,
            self._for_a_file,
            self._for_a_resource,
            self._for_a_session,
            self._at_a_host,
        ]
        way = self._random.choice(ways)
        answer = await way(burglar)
        self.answers[f"{way.__name__[1:]}: {answer[:3].decode()}"] += 1
        if self._is_reached(answer):
            self.reached.append(f"{way.__name__}: {answer[:500]!r}")

    def _is_reached(self, answer: bytes) -> bool:
        has_session = f'"session":"{self._victim.session}'.encode() in answer
        return has_session or self._secret.encode() in answer

    # Ways

    async def _with_a_forged_cookie(self, burglar: Person) -> bytes:
        """Shows a cookie that was changed, or made of parts."""
        mine, theirs = burglar.cookie, self._victim.cookie
        my_key, _, my_signature = mine.rpartition(".")
        key, _, signature = theirs.rpartition(".")
        place = self._random.randrange(len(theirs))
        other = self._random.choice("abcdefghijklmnop0123456789-_")
        forged = self._random.choice(
            [
                theirs[:place],
                f"{theirs[:place]}{'.' if theirs[place] == other else other}{theirs[place + 1 :]}",
                f"{theirs}{other}",
                f"{other}{theirs}",
                f"{key}.{my_signature}",
                f"{my_key}.{signature}",
                f"{key}.{secrets.token_hex(16)}",
                f"{key}.",
                f".{signature}",
                signature,
                self._victim.name,
                f"{self._victim.name}.{signature}",
                self._victim.session,
                quote(theirs.replace(".", "%2e"), safe="%"),
                theirs.swapcase(),
                "",
            ]
        )
        query = {"session": self._victim.session}
        if self._random.random() < 0.2:
            return await burglar.look(query, self._greeting(), forged)
        headers = {"X-Visitor": self._victim.name, "X-Forwarded-For": "127.0.0.1"}
        path = self._random.choice(["/", "/core", f"/resource?{urlencode(query)}"])
        answer = await burglar.get(path, forged, **headers)
        if not answer.startswith(b"403"):
            self.reached.append(f"a cookie {forged} is known: {answer[:500]!r}")
        return answer

    async def _for_a_file(self, burglar: Person) -> bytes:
        """Asks for a file of the victim with a cookie of one's own."""
        name, session = self._victim.name, self._victim.session
        folder = self._random.choice(
            ["", "data/", "visitors/", "../", "..%2f", "%2e%2e/"]
        )
        rest = self._random.choice(
            [
                f"{name}/{session}.state.json",
                f"{name}/data/showcase.sqlite",
                session,
                "token",
            ]
        )
        start = self._random.choice(
            ["/", "/page/", "/page/..%2f", "/page/%2e%2e/", "//"]
        )
        up = self._random.choice(
            ["", "../" * 8, "%2e%2e%2f" * 8, "..%5c" * 8, "..;/" * 4]
        )
        return await burglar.get(f"{start}{up}{folder}{rest}")

    async def _for_a_resource(self, burglar: Person) -> bytes:
        """Asks the core of one's own session for a file of the victim."""
        name, session = self._victim.name, self._victim.session
        path = self._random.choice(
            [
                f"visitors/{name}/{session}.state.json",
                f"{name}/{session}.journal",
                f"{name}/data/showcase.sqlite",
                session,
                f"images/{session}",
                f"{session}?session={session}&visitor={name}",
            ]
        )
        start = self._random.choice(
            ["resource:", "resource:/", "file:///", "resource:file:"]
        )
        up = self._random.choice(
            ["", "../" * self._random.randrange(1, 9), "%2e%2e/", "/"]
        )
        query = {"uri": f"{start}{up}{path}", "session": session, "visitor": name}
        return await burglar.get(f"/resource?{urlencode(query)}")

    async def _for_a_session(self, burglar: Person) -> bytes:
        """Resumes the session of the victim with a cookie of one's own."""
        session, name = self._victim.session, self._victim.name
        claims = [session, f"../{name}/{session}", f"{name}/{session}", session.upper()]
        claims += [session[:-1], f"{session}/", f"{session}\0", session[::-1]]
        own, page = (self._random.choice(["", *claims]) for _ in range(2))
        return await burglar.look(
            {"session": own, "page": page, "visitor": name},
            {**self._greeting(), "visitor": self._random.choice([name, f"../{name}"])},
        )

    async def _at_a_host(self, burglar: Person) -> bytes:
        """Resumes the session of the victim in another name: a host trusts those who name it."""
        session, name = self._victim.session, self._victim.name
        place = self._random.randrange(len(session))
        digit = "0" if session[place] != "0" else "1"
        wrong_names = [
            session,
            f"../{name}",
            f"{name}/",
            f"{name}/{session}",
            f"{name}/.",
        ]
        wrong_names += [
            name.upper(),
            f"{name}\0",
            f" {name}",
            name[:-1],
            "",
            ".",
            "..",
            "*",
            "%",
        ]
        wrong_sessions = [
            f"{session[:place]}{digit}{session[place + 1 :]}",
            session[:place],
        ]
        wrong_sessions += [
            f"{session} ",
            f"../{session}",
            f"{session}/",
            f"{session}\0",
            "%",
            "*",
        ]
        wrong_sessions += [
            session.upper() + "A",
            secrets.token_hex(16),
            f"../../{name}/{session}",
        ]
        wrong_names += [burglar.name, secrets.token_hex(16)]
        params = {"protocol": 1, "visitor": self._random.choice(wrong_names)}
        resume = {"session": session, "revision": 0}
        if self._random.random() < 0.5:
            resume["session"] = self._random.choice(wrong_sessions)
        if self._random.random() < 0.2:
            del params["visitor"]
        path = self._random.choice(self._sockets)
        reader, writer = await asyncio.open_unix_connection(path, limit=1 << 22)
        message = {"jsonrpc": "2.0", "id": 1, "method": "initialize"}
        end = {"jsonrpc": "2.0", "method": "shutdown"}
        for each in {**message, "params": {**params, "resume": resume}}, end:
            writer.write(json.dumps(each).encode() + b"\n")
        received = b""
        with suppress(ConnectionError):
            received = await reader.read(1 << 22)
        writer.close()
        return received

    def _greeting(self) -> dict[str, Any]:
        session = self._victim.session
        resume = {"session": session, "revision": self._random.randrange(3)}
        return {"protocol": 1, "resume": resume, "token": self._victim.cookie}


def main() -> None:
    core, attempts = str(Path(sys.argv[1]).resolve()), int(sys.argv[2])
    with tempfile.TemporaryDirectory() as folder:
        site = Site(Path(folder), core, 2, 1000, arguments="--root signUp")
        try:
            site.start()
            walls = Walls(site.address, [site.socket(number) for number in (1, 2)])
            asyncio.run(walls.test(attempts))
        finally:
            site.stop()
    print(
        *(f"{count:,} {text}" for text, count in sorted(walls.answers.items())),
        sep="\n",
    )
    print(f"{attempts:,} attempts; {len(walls.reached)} have reached something")
    print(*walls.reached[:5], sep="\n  ")


if __name__ == "__main__":
    main()
