"""Serves the page over HTTP, and connects each visitor with a core."""

from __future__ import annotations

import asyncio
import hashlib
import logging
import secrets
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from aiohttp import WSCloseCode, WSMsgType, web

from .process import CoreProcess
from .relay import Relay, RelayError

logger = logging.getLogger("offstage.web")

CORE_ENDED = 4001
"""The close code of a WebSocket whose core has ended."""
TOO_MANY = 4008
HERE = Path(__file__).parents[2]
COOKIE_AGE = 30 * 24 * 3600


@dataclass
class Limits:
    """The limits on visitors, and on each of them."""

    visitors: int = 200
    pages: int = 16
    line: int = 1 << 20
    lines_per_second: float = 200
    unsent: int = 16 << 20
    linger: float = 60


@dataclass
class Settings:
    """Configures a server.

    Attributes:
        command: the core and its arguments.
        data: the folder for the visitors' data.
        token: the secret in the address that visitors open.
        hosts: the values of `Host` that are served.
        tiles: the URL template of map tiles.
        shared: one core for all visitors.
        folders: more files to serve, by the first component of their path.
    """

    command: Sequence[str]
    data: Path
    token: str
    hosts: set[str]
    tiles: str | None = None
    shared: bool = False
    folders: dict[str, Path] = field(default_factory=dict[str, Path])
    limits: Limits = field(default_factory=Limits)


class Visitor:
    """A person's browser: its core, while a page of it is open."""

    def __init__(self, key: str) -> None:
        self.key = key
        self.relay: Relay | None = None
        self.pages: set[Page] = set()
        self.ending: asyncio.Task[None] | None = None
        self.lock = asyncio.Lock()


class Page:
    """A page of a visitor: one WebSocket."""

    def __init__(
        self, name: str, socket: web.WebSocketResponse, limits: Limits
    ) -> None:
        self.name = name
        self.socket = socket
        self._limits = limits
        self._unsent: asyncio.Queue[str | tuple[int, bytes]] = asyncio.Queue()
        self._bytes = 0
        self._allowance = limits.lines_per_second
        self._refilled = time.monotonic()
        self.is_closing = False

    def send(self, line: str) -> None:
        if self.is_closing:
            return
        self._bytes += len(line)
        if self._bytes > self._limits.unsent:
            # The page resumes when it can read again.
            self._close(WSCloseCode.TRY_AGAIN_LATER, b"the page reads too slowly")
        else:
            self._unsent.put_nowait(line)

    def close(self, status: str | None) -> None:
        if status is None:
            self._close(WSCloseCode.OK, b"")
        else:
            self._close(CORE_ENDED, status.encode())

    def may_send(self) -> bool:
        """Counts a line, and returns False if there were too many lately."""
        now, rate = time.monotonic(), self._limits.lines_per_second
        self._allowance = min(rate, self._allowance + (now - self._refilled) * rate) - 1
        self._refilled = now
        return self._allowance >= 0

    async def write(self) -> None:
        """Sends what waits, until the page is closed."""
        while True:
            item = await self._unsent.get()
            if isinstance(item, tuple):
                await self.socket.close(code=item[0], message=item[1])
                return
            try:
                await self.socket.send_str(item)
            except ConnectionError:
                return
            self._bytes -= len(item)

    def _close(self, code: int, reason: bytes) -> None:
        if not self.is_closing:
            self.is_closing = True
            self._unsent.put_nowait((code, reason))


class Server:
    """Serves the page, and relays between each visitor's pages and core."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.visitors: dict[str, Visitor] = {}

    def application(self) -> web.Application:
        app = web.Application(middlewares=[self._guard], client_max_size=0)
        app.add_routes(
            [
                web.get("/core", self._core),
                web.get("/resource", self._resource),
                web.get("/config.json", self._config),
                *(
                    web.static(f"/{name}", folder)
                    for name, folder in self.settings.folders.items()
                ),
                # A path without an extension is a screen's; the page opens it.
                web.get("/{path:[^.]*}", self._page),
            ]
        )
        app.on_shutdown.append(self._shut_down)
        return app

    # Access

    @web.middleware
    async def _guard(
        self,
        request: web.Request,
        handler: Callable[[web.Request], Awaitable[web.StreamResponse]],
    ) -> web.StreamResponse:
        """Refuses other hosts and origins, and visitors without the token."""
        if request.host not in self.settings.hosts:
            raise web.HTTPForbidden(text="unknown host\n")
        origin = request.headers.get("Origin")
        if origin is not None and origin.partition("://")[2] != request.host:
            raise web.HTTPForbidden(text="requests from another origin are refused\n")
        if "token" in request.query:
            response = self._welcome(request)
        elif not self._is_known(request):
            raise web.HTTPForbidden(text="open the address with the token\n")
        else:
            response = await handler(request)
        if not response.prepared:
            self._secure(response)
        return response

    def _welcome(self, request: web.Request) -> web.StreamResponse:
        if not secrets.compare_digest(request.query["token"], self.settings.token):
            raise web.HTTPForbidden(text="wrong token\n")
        rest = {key: value for key, value in request.query.items() if key != "token"}
        response = web.HTTPFound(str(request.rel_url.with_query(rest)))
        if not self._is_known(request):
            key = secrets.token_urlsafe(24)
            response.set_cookie(
                "offstage",
                f"{key}.{self._sign(key)}",
                httponly=True,
                samesite="Strict",
                max_age=COOKIE_AGE,
            )
        return response

    def _is_known(self, request: web.Request) -> bool:
        key, _, signature = request.cookies.get("offstage", "").rpartition(".")
        return bool(key) and secrets.compare_digest(signature, self._sign(key))

    def _sign(self, key: str) -> str:
        text = f"{self.settings.token}/{key}"
        return hashlib.sha256(text.encode()).hexdigest()[:32]

    def _secure(self, response: web.StreamResponse) -> None:
        pictures = "'self' data: https:" + (
            " " + self.settings.tiles.partition("{")[0] if self.settings.tiles else ""
        )
        headers = {
            "Content-Security-Policy": "default-src 'self'; "
            f"img-src {pictures}; style-src 'self' 'unsafe-inline'; "
            "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
            "X-Content-Type-Options": "nosniff",
            "Referrer-Policy": "same-origin",
            "Cross-Origin-Opener-Policy": "same-origin",
            "Cross-Origin-Resource-Policy": "same-origin",
            "Cache-Control": "no-cache",
        }
        for name, value in headers.items():
            response.headers.setdefault(name, value)

    # Routes

    async def _page(self, request: web.Request) -> web.StreamResponse:
        return web.FileResponse(HERE / "page" / "index.html")

    async def _config(self, request: web.Request) -> web.StreamResponse:
        return web.json_response(
            {"tiles": self.settings.tiles, "shared": self.settings.shared}
        )

    async def _resource(self, request: web.Request) -> web.StreamResponse:
        """The bytes of a `resource:` URI in the visitor's document."""
        visitor = self.visitors.get(self._visitor_key(request))
        if not visitor or not visitor.relay:
            raise web.HTTPNotFound()
        try:
            kind, body = await visitor.relay.read(request.query.get("uri", ""))
        except RelayError as error:
            raise web.HTTPNotFound(text=f"{error}\n") from error
        if not kind.startswith("image/"):
            kind = "application/octet-stream"
        response = web.Response(
            body=body,
            content_type=kind,
            headers={
                "Cache-Control": "private, max-age=3600",
                # A picture that is opened by itself runs no scripts.
                "Content-Security-Policy": "default-src 'none'; sandbox",
            },
        )
        return response

    async def _core(self, request: web.Request) -> web.StreamResponse:
        """Connects a page with the visitor's core."""
        if request.headers.get("Origin") is None:
            raise web.HTTPForbidden(text="a WebSocket needs an origin\n")
        limits = self.settings.limits
        socket = web.WebSocketResponse(heartbeat=20, max_msg_size=limits.line)
        await socket.prepare(request)
        visitor = self._visitor(request)
        if visitor is None or len(visitor.pages) >= limits.pages:
            await socket.close(code=TOO_MANY, message=b"too many visitors")
            return socket
        page = Page(request.query.get("page", secrets.token_hex(8)), socket, limits)
        visitor.pages.add(page)
        writing = asyncio.create_task(page.write())
        try:
            await self._serve(visitor, page)
        finally:
            visitor.pages.discard(page)
            if visitor.relay:
                visitor.relay.leave(page)
            if not page.is_closing:
                writing.cancel()
            await asyncio.gather(writing, return_exceptions=True)
            if not visitor.pages:
                visitor.ending = asyncio.create_task(self._end(visitor))
        return socket

    async def _serve(self, visitor: Visitor, page: Page) -> None:
        try:
            relay = await self._relay(visitor)
        except OSError as error:
            logger.error("cannot start the core: %s", error)
            page.close("the core cannot be started")
            return
        async for message in page.socket:
            if message.type != WSMsgType.TEXT:
                break
            if not page.may_send():
                await asyncio.sleep(0.1)  # A busy page is slowed down, not cut off.
            try:
                await relay.receive(page, message.data)
            except asyncio.CancelledError:
                if not page.is_closing:
                    raise

    # Cores

    def _visitor_key(self, request: web.Request) -> str:
        return "shared" if self.settings.shared else request.cookies["offstage"]

    def _visitor(self, request: web.Request) -> Visitor | None:
        """Returns the visitor of a request; None if there are too many."""
        key = self._visitor_key(request)
        if key not in self.visitors:
            if len(self.visitors) >= self.settings.limits.visitors:
                return None
            self.visitors[key] = Visitor(key)
        visitor = self.visitors[key]
        if visitor.ending:
            visitor.ending.cancel()
            visitor.ending = None
        return visitor

    async def _relay(self, visitor: Visitor) -> Relay:
        """Returns the visitor's relay, with a core that runs."""
        async with visitor.lock:
            if not visitor.relay or visitor.relay.is_ended:
                folder = hashlib.sha256(visitor.key.encode()).hexdigest()[:32]
                command = list(self.settings.command)
                if "--deterministic" not in command:
                    command += ["--data", str(self.settings.data / folder)]
                visitor.relay = Relay(await CoreProcess.start(command))
            return visitor.relay

    async def _end(self, visitor: Visitor) -> None:
        """Ends a core whose visitor does not come back."""
        await asyncio.sleep(self.settings.limits.linger)
        del self.visitors[visitor.key]
        if visitor.relay:
            await visitor.relay.close()

    async def _shut_down(self, _: web.Application) -> None:
        for visitor in list(self.visitors.values()):
            if visitor.ending:
                visitor.ending.cancel()
            for page in list(visitor.pages):
                await page.socket.close(code=WSCloseCode.GOING_AWAY)
        relays = [each.relay for each in self.visitors.values() if each.relay]
        await asyncio.gather(*(relay.close() for relay in relays))
