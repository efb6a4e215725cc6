"""Serves the page over HTTP, and connects each page with a session of the host."""

from __future__ import annotations

import asyncio
import hashlib
import html
import secrets
import signal
from base64 import b64encode
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from aiohttp import web
from offstage import OffstageError, Resource

from .access import HEALTH, POLICY, RETURN, Access, headers
from .cores import Cores
from .descriptions import File, files
from .doors import STRANGERS, Connection, Doors
from .install import SIGNED_IN, installable, language_of
from .page import FAREWELL, TOO_MANY_PAGES, TOO_MANY_VISITORS, Budget, Limits, Page
from .visitors import Visitor, Visitors

LOCAL = ("localhost", "127.0.0.1", "[::1]")
DIST = Path(__file__).parents[2] / "dist"
"""The page, as clients/web/build bundles it."""


@dataclass
class Settings:
    """Configures a server.

    Attributes:
        program: the name of the app.
        cores: the host of the visitors' sessions.
        token: the secret in the address that visitors open.
        hosts: the values of `Host` that are served. `Server.serve` adds those of its address.
        tiles: the URL template of map tiles.
        attribution: the text that credits the tiles, with an optional link at its end.
        pictures: the addresses of servers from which the app shows pictures.
        descriptions: those of the app, by language, as far as they are known.
    """

    program: str
    cores: Cores
    token: str
    hosts: set[str]
    tiles: str | None = None
    attribution: str = ""
    pictures: Sequence[str] = ()
    descriptions: dict[str, File] = field(default_factory=dict[str, File])
    limits: Limits = field(default_factory=Limits)


class Server:
    """Serves the page, and relays between pages and sessions."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        limits = settings.limits
        self.visitors = Visitors(settings.cores, limits)
        tiles = [settings.tiles] if settings.tiles else []
        self._headers = common = headers([*tiles, *settings.pictures])
        self.doors = Doors(limits, common)
        self._access = Access(settings.token, settings.hosts, common, self.doors)
        self._everyone = Budget(limits.total, limits.calls_per_second)
        self._budgets: dict[str, Budget] = {}

    def application(self) -> web.Application:
        app = web.Application(middlewares=[self._access.guard], client_max_size=0)
        app.add_routes(
            [
                web.get("/core", self._core),
                web.get("/resource", self._resource),
                web.get("/config.json", self._config),
                *installable(DIST, self.settings.program),
                web.get("/page/description-{hash}.json", self._description),
                web.static("/page", DIST / "page"),
                web.get(RETURN, self._signed_in),
                web.get(HEALTH, self._health),
                web.get("/{path:.*}", self._page),
            ]
        )
        app.on_response_prepare.append(_keep)
        app.on_response_prepare.append(self._access.protect)
        app.on_shutdown.append(self._shut_down)
        return app

    # Routes

    async def _page(self, request: web.Request) -> web.StreamResponse:
        """Answers any other path, which may name a screen: the page opens it."""
        is_file = "." in request.path.rpartition("/")[2]
        if is_file and "text/html" not in request.headers.get("Accept", ""):
            raise web.HTTPNotFound()
        name = html.escape(self.settings.program)
        text = (DIST / "index.html").read_text().replace(">Offstage<", f">{name}<")
        if file := self.settings.descriptions.get(language_of(request)):
            # The page asks for it before it has a session.
            text = text.replace("<html", f'<html data-description="{file.address}"')
        return self._scripted(text)

    async def _signed_in(self, request: web.Request) -> web.StreamResponse:
        """Receives the browser after a sign-in, and tells the visitor's pages."""
        name = html.escape(self.settings.program)
        language = language_of(request)
        text = (DIST / "signed-in.html").read_text().replace("LANGUAGE", language)
        text = text.replace("MESSAGE", SIGNED_IN[language])
        return self._scripted(text.replace(">Offstage<", f">{name}<"))

    async def _health(self, _: web.Request) -> web.StreamResponse:
        if await self.settings.cores.answers():
            return web.Response(text="ok\n")
        return web.Response(status=503, text="the host does not answer\n")

    def _scripted(self, text: str) -> web.Response:
        """Returns a page that may run the script in it."""
        script = text.partition("<script>")[2].partition("</script>")[0]
        digest = b64encode(hashlib.sha256(script.encode()).digest()).decode()
        policy = f"{self._headers[POLICY]}; script-src 'self' 'sha256-{digest}'"
        response = web.Response(
            text=text, content_type="text/html", headers={POLICY: policy}
        )
        response.enable_compression()
        return response

    async def _config(self, request: web.Request) -> web.StreamResponse:
        text, _, link = self.settings.attribution.rpartition(" ")
        if not link.startswith(("http://", "https://")):
            text, link = self.settings.attribution, ""
        credit = {"text": text or link, "link": link}
        return web.json_response({"tiles": self.settings.tiles, "credit": credit})

    async def _description(self, request: web.Request) -> web.StreamResponse:
        if not (file := files.get(request.path)):
            raise web.HTTPNotFound()
        response = web.Response(body=file.content, content_type="application/json")
        response.enable_compression()
        return response

    async def _resource(self, request: web.Request) -> web.StreamResponse:
        """Serves the bytes of a `resource:` URI in the visitor's document."""
        visitor = self.visitors.find(self._access.visitor(request))
        if not visitor:
            raise web.HTTPNotFound()
        if visitor.files >= self.settings.limits.files:
            raise web.HTTPServiceUnavailable(headers={"Retry-After": "1"})
        visitor.files += 1
        try:
            return await self._send(request, await self._read(request, visitor))
        finally:
            visitor.files -= 1

    async def _read(self, request: web.Request, visitor: Visitor) -> Resource:
        """Reads a resource of the document of any of the visitor's pages."""
        reason = "no page is open"
        for session in visitor.sessions:
            if session.relay and session.is_running:
                try:
                    return await session.relay.read(request.query.get("uri", ""))
                except OffstageError as error:
                    reason = str(error)
        raise web.HTTPNotFound(text=f"{reason}\n")

    async def _send(self, request: web.Request, file: Resource) -> web.StreamResponse:
        part, headers = _part(request, file.data)
        response = web.StreamResponse(
            status=206 if headers else 200,
            headers={
                **headers,
                "Accept-Ranges": "bytes",
                "Cache-Control": "private, max-age=3600",
                # A picture opened as a page must not run scripts.
                POLICY: "default-src 'none'; sandbox",
            },
        )
        is_medium = file.mime_type.startswith(("image/", "video/"))
        response.content_type = (
            file.mime_type if is_medium else "application/octet-stream"
        )
        response.content_length = len(part)
        try:
            async with asyncio.timeout(self.settings.limits.patience):
                await response.prepare(request)
                await response.write(part)
                await response.write_eof()
        except TimeoutError:
            assert request.transport
            request.transport.abort()
        return response

    async def _core(self, request: web.Request) -> web.StreamResponse:
        """Connects a page with a session of its visitor."""
        if request.headers.get("Origin") is None:
            raise web.HTTPForbidden(text="a WebSocket needs an origin\n")
        limits = self.settings.limits
        socket = web.WebSocketResponse(
            heartbeat=20, timeout=FAREWELL, max_msg_size=limits.line
        )
        writer = await socket.prepare(request)
        assert request.transport
        await self.visitors.make_room()
        key = self._access.visitor(request)
        if not (visitor := self.visitors.admit(key)):
            await socket.close(code=TOO_MANY_VISITORS, message=b"too many visitors")
            return socket
        budget = self._budget(key)
        if len(budget.pages) >= limits.pages or len(visitor.pages) >= max(
            limits.pages, limits.visitors
        ):
            await socket.close(code=TOO_MANY_PAGES, message=b"too many pages")
            return socket
        name = request.query.get("page", secrets.token_hex(8))[:64]
        budgets = (budget, self._everyone)
        page = Page(name, socket, request.transport, writer, limits, budgets)
        id = request.query.get("session", "")
        session = visitor.session(id, self.visitors.has_room)
        await self.visitors.attend(page, session, visitor)
        return socket

    def _budget(self, name: str) -> Budget:
        """Returns a visitor's budget, which outlives its pages until it is whole again."""
        limits = self.settings.limits
        if len(self._budgets) > limits.visitors:
            for each in [each for each in self._budgets if self._budgets[each].is_idle]:
                del self._budgets[each]
        new = Budget(limits.unsent, limits.calls_per_second)
        return self._budgets.setdefault(name, new)

    async def _shut_down(self, _: web.Application) -> None:
        await self.visitors.close()
        await self.settings.cores.close()

    # Connections

    async def serve(self, host: str, port: int, started: Callable[[int], None]) -> None:
        """Serves until the process gets a signal.

        Args:
            port: where to listen; 0 for one that is free.
            started: is called with the port.
        """
        runner = web.AppRunner(self.application(), shutdown_timeout=FAREWELL)
        await runner.setup()
        server = runner.server
        assert server
        loop, stop = asyncio.get_running_loop(), asyncio.Event()
        for each in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(each, stop.set)
        try:
            await self.settings.cores.start()
            listener = await loop.create_server(
                lambda: Connection(server, self.doors),
                host,
                port,
                backlog=STRANGERS,
                start_serving=False,
            )
            port = listener.sockets[0].getsockname()[1]
            hosts = self.settings.hosts
            hosts |= {f"{name}:{port}" for name in {host, *LOCAL, *hosts}}
            await listener.start_serving()
            started(port)
            await stop.wait()
            listener.close()
        finally:
            await runner.cleanup()


async def _keep(request: web.Request, response: web.StreamResponse) -> None:
    """Lets browsers keep the files of the page, whose names change with their contents."""
    if request.path.startswith("/page/") and response.status == 200:
        response.headers["Cache-Control"] = "private, max-age=31536000, immutable"
        # Browsers keep them without asking for changes.
        for name in ("Etag", "Last-Modified"):
            response.headers.pop(name, None)
    # Browsers have no use for it, and it comes with everything on a slow network.
    response.headers["Server"] = "offstage"


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
