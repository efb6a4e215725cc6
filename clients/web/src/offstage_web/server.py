"""Serves the page over HTTP, and connects each visitor with a core."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from aiohttp import WSCloseCode, WSMsgType, web
from offstage import CoreStopped, OffstageError, ProcessTransport

from .access import Access
from .folders import Folders
from .page import TOO_MANY_PAGES, TOO_MANY_VISITORS, Limits, Page
from .relay import Relay

logger = logging.getLogger("offstage.web")

HERE = Path(__file__).parents[2]


@dataclass
class Settings:
    """Configures a server.

    Attributes:
        command: the core and its arguments.
        data: the folder for the visitors' data.
        token: the secret in the address that visitors open.
        hosts: the values of `Host` that are served.
        tiles: the URL template of map tiles.
        pictures: the addresses of servers from which the app shows pictures.
        shared: one core for all visitors.
        folders: more files to serve, by the first component of their path.
    """

    command: Sequence[str]
    data: Path
    token: str
    hosts: set[str]
    tiles: str | None = None
    pictures: Sequence[str] = ()
    shared: bool = False
    folders: dict[str, Path] = field(default_factory=dict[str, Path])
    limits: Limits = field(default_factory=Limits)


class Visitor:
    """A person's browser: its pages, and the core while a page is open."""

    def __init__(self, key: str) -> None:
        self.key = key
        self.relay: Relay | None = None
        self.pages: set[Page] = set()
        self.ending: asyncio.Task[None] | None = None
        self.lock = asyncio.Lock()
        self.files = 0

    def count(self, name: str) -> int:
        """Returns the number of pages of a browser. A shared core has many browsers."""
        return sum(page.name.startswith(f"{name}/") for page in self.pages)


class Server:
    """Serves the page, and relays between each visitor's pages and core."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.visitors: dict[str, Visitor] = {}
        tiles = [settings.tiles] if settings.tiles else []
        pictures = [*tiles, *settings.pictures]
        self._access = Access(settings.token, settings.hosts, pictures)
        self._folders = Folders(settings.data, settings.limits.folders)

    def application(self) -> web.Application:
        app = web.Application(middlewares=[self._access.guard], client_max_size=0)
        app.add_routes(
            [
                web.get("/core", self._core),
                web.get("/resource", self._resource),
                web.get("/config.json", self._config),
                *(
                    web.static(f"/{name}", folder)
                    for name, folder in self.settings.folders.items()
                ),
                # A path without an extension names a screen; the page opens it.
                web.get("/{path:[^.]*}", self._page),
            ]
        )
        app.on_shutdown.append(self._shut_down)
        return app

    # Routes

    async def _page(self, request: web.Request) -> web.StreamResponse:
        return web.FileResponse(HERE / "page" / "index.html")

    async def _config(self, request: web.Request) -> web.StreamResponse:
        return web.json_response({"tiles": self.settings.tiles})

    async def _resource(self, request: web.Request) -> web.StreamResponse:
        """Serves the bytes of a `resource:` URI in the visitor's document."""
        visitor = self.visitors.get(self._visitor_key(request))
        if not visitor or not visitor.relay:
            raise web.HTTPNotFound()
        if visitor.files >= self.settings.limits.files:
            raise web.HTTPServiceUnavailable(headers={"Retry-After": "1"})
        visitor.files += 1
        try:
            file = await visitor.relay.read(request.query.get("uri", ""))
        except OffstageError as error:
            raise web.HTTPNotFound(text=f"{error}\n") from error
        finally:
            visitor.files -= 1
        kind = file.mime_type
        if not kind.startswith(("image/", "video/")):
            kind = "application/octet-stream"
        part, headers = _part(request, file.data)
        return web.Response(
            status=206 if headers else 200,
            body=part,
            content_type=kind,
            headers={
                **headers,
                "Accept-Ranges": "bytes",
                "Cache-Control": "private, max-age=3600",
                # A picture opened as a page must not run scripts.
                "Content-Security-Policy": "default-src 'none'; sandbox",
            },
        )

    async def _core(self, request: web.Request) -> web.StreamResponse:
        """Connects a page to the visitor's core."""
        if request.headers.get("Origin") is None:
            raise web.HTTPForbidden(text="a WebSocket needs an origin\n")
        limits = self.settings.limits
        socket = web.WebSocketResponse(heartbeat=20, max_msg_size=limits.line)
        await socket.prepare(request)
        name = self._access.visitor(request)
        if not (visitor := self._visitor(request)):
            await socket.close(code=TOO_MANY_VISITORS, message=b"too many visitors")
            return socket
        if visitor.count(name) >= limits.pages or len(visitor.pages) >= max(
            limits.pages, limits.visitors
        ):
            await socket.close(code=TOO_MANY_PAGES, message=b"too many pages")
            return socket
        # A page chooses only its part of the name, so it cannot take another visitor's.
        own = request.query.get("page", secrets.token_hex(8))[:64]
        page = Page(f"{name}/{own}", socket, limits)
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
            if not visitor.pages and not visitor.ending:
                visitor.ending = asyncio.create_task(self._end(visitor))
        return socket

    async def _serve(self, visitor: Visitor, page: Page) -> None:
        try:
            relay = await self._relay(visitor)
        except CoreStopped as error:
            logger.error("%s", error)
            page.close("the core cannot be started")
            return
        async for message in page.socket:
            if message.type != WSMsgType.TEXT:
                break
            if not page.may_send():
                await asyncio.sleep(0.1)  # Slow down a busy page, but keep it open.
            try:
                await relay.receive(page, message.data)
            except asyncio.CancelledError:
                if not page.is_closing:
                    raise

    # Cores

    def _visitor_key(self, request: web.Request) -> str:
        return "shared" if self.settings.shared else self._access.visitor(request)

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
        """Returns the visitor's relay, with a running core."""
        async with visitor.lock:
            if not visitor.relay or visitor.relay.is_ended:
                command = list(self.settings.command)
                if "--deterministic" not in command:
                    folder = self._folders.take(visitor.key, self.visitors)
                    command += ["--data", str(folder)]
                visitor.relay = Relay(await ProcessTransport.start(*command))
            return visitor.relay

    async def _end(self, visitor: Visitor) -> None:
        """Ends the core of a visitor who does not come back."""
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


def _part(request: web.Request, data: bytes) -> tuple[bytes, dict[str, str]]:
    """Returns the bytes that a request asks for; a video can only be sought by ranges.

    Returns:
        the bytes, and the header of a part, or none for the whole.
    """
    try:
        start, stop, _ = request.http_range.indices(len(data))
    except ValueError:
        raise web.HTTPRequestRangeNotSatisfiable from None
    if "Range" not in request.headers:
        return data, {}
    if start >= stop:
        raise web.HTTPRequestRangeNotSatisfiable(
            headers={"Content-Range": f"bytes */{len(data)}"}
        )
    return data[start:stop], {"Content-Range": f"bytes {start}-{stop - 1}/{len(data)}"}
