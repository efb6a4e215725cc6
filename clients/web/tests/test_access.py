"""Access, limits, and the separation of visitors."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any
from unittest.mock import AsyncMock, Mock

import aiohttp
import pytest
from aiohttp.test_utils import TestClient, TestServer
from offstage import Resource
from offstage import connect as connect_to
from playwright.sync_api import expect

from offstage_web import server as web
from offstage_web.access import Access
from offstage_web.cores import Cores
from offstage_web.page import Limits
from offstage_web.server import DIST, Settings

from .adversary import cookie
from .conftest import FORM, PATIENCE, TOKEN, Serve, Server, Visits, run, until

SCRIPT = f"/page/{next((DIST / 'page').glob('main-*.js')).name}"
GALLERY = ("--deterministic", "--root", "gallery")


async def status(server: Server, path: str, **headers: str) -> int:
    jar = aiohttp.CookieJar(unsafe=True)
    async with aiohttp.ClientSession(cookie_jar=jar) as session:
        if headers.pop("visitor", None):
            await session.get(f"{server.url}/?token={TOKEN}")
        async with session.get(f"{server.url}{path}", headers=headers) as response:
            return response.status


def upgrade(server: Server, origin: str | None) -> int:
    """Returns the status of a WebSocket handshake with a visitor's cookie."""
    headers = {
        "Connection": "Upgrade",
        "Upgrade": "websocket",
        "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA==",
    }
    if origin:
        headers["Origin"] = origin
    return run(status(server, "/core", visitor="yes", **headers))


def test_strangers_are_refused(serve: Serve, showcase: str) -> None:
    server = serve(showcase)
    assert run(status(server, "/")) == 403
    assert run(status(server, "/?token=wrong")) == 403
    assert run(status(server, "/?token=%C3%A9")) == 403
    assert run(status(server, SCRIPT)) == 403
    assert run(status(server, "/", visitor="yes")) == 200
    assert run(status(server, "/", visitor="yes", Host="evil.example")) == 403
    for value in ("a.b", "a.\u00e9", "\u00e9"):
        name = f"offstage-{server.port}"
        assert run(status(server, "/", Cookie=f"{name}={value}")) == 403
    assert run(status(server, "/page/../index.html", visitor="yes")) != 200


def raw(server: Server, target: str, *headers: str) -> str:
    """Returns the head of the response to a request with these bytes, as Latin-1."""
    with socket.create_connection(
        ("127.0.0.1", server.port), PATIENCE / 1000
    ) as connection:
        lines = [f"GET {target} HTTP/1.1", f"Host: 127.0.0.1:{server.port}", *headers]
        head = "\r\n".join([*lines, "Connection: close", "", ""])
        connection.sendall(head.encode("latin-1"))
        return b"".join(iter(lambda: connection.recv(4096), b"")).decode("latin-1")


def test_a_cookie_that_is_not_utf_8_is_refused(serve: Serve, showcase: str) -> None:
    server = serve(showcase)
    for value in ("\xff", "\xff.a", "a.\xff"):
        answer = raw(server, "/", f"Cookie: offstage-{server.port}={value}")
        assert answer.startswith("HTTP/1.1 403 ")


def test_refusals_have_the_headers_of_pages(serve: Serve, showcase: str) -> None:
    server = serve(showcase)
    page = raw(server, f"/?token={TOKEN}")
    known = f"Cookie: {cookie(server)}"
    answers = {
        200: page,
        400: raw(server, "/", "a header without a colon"),
        403: raw(server, "/"),
        404: raw(server, "/resource", known),
        416: raw(server, SCRIPT, known, "Range: bytes=9999999-"),
    }
    for status, answer in answers.items():
        assert answer.split()[1] == str(status)
        for header in (
            "Content-Security-Policy: default-src",
            "X-Content-Type-Options",
        ):
            assert header in answer


def test_the_token_does_not_stay_in_the_address(
    serve: Serve, visit: Visits, showcase: str
) -> None:
    server = serve(showcase, *FORM)
    page = visit(server).page
    page.route("**/page/*", lambda route: None)
    page.goto(f"{server.url}/x?token={TOKEN}&lang=ko", wait_until="commit")
    expect(page).to_have_url(f"{server.url}/x?lang=ko")
    assert page.evaluate("history.length") == 2  # A blank page was first.


def test_connections_of_a_visitor_are_limited(serve: Serve, showcase: str) -> None:
    server = serve("--pages", "1", "--linger", "0", showcase)
    one, two = cookie(server), cookie(server)

    def answer(visitor: str) -> bytes:
        connection = socket.create_connection(("127.0.0.1", server.port))
        connections.append(connection)
        head = f"GET /config.json HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n"
        connection.sendall(f"{head}Cookie: {visitor}\r\n\r\n".encode())
        return connection.recv(12)

    connections: list[socket.socket] = []
    try:
        assert {answer(one) for _ in range(9)} == {b"HTTP/1.1 200"}
        assert answer(one) == b"HTTP/1.1 503"
        assert answer(two) == b"HTTP/1.1 200"
    finally:
        for each in connections:
            each.close()


@pytest.mark.long
def test_many_visitors_come_at_once(serve: Serve, showcase: str) -> None:
    """As those of another server do, if it dies. This one is busy meanwhile."""
    server = serve("--visitors", "400", "--pages", "1", showcase)
    head = f"GET /?token={TOKEN} HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n\r\n"
    visitors: list[socket.socket] = []
    os.kill(server.process.pid, signal.SIGSTOP)
    try:
        for _ in range(400):
            visitor = socket.create_connection(("127.0.0.1", server.port), 10)
            visitors.append(visitor)
            visitor.sendall(head.encode())
        os.kill(server.process.pid, signal.SIGCONT)
        assert {each.recv(12) for each in visitors} == {b"HTTP/1.1 200"}
    finally:
        os.kill(server.process.pid, signal.SIGCONT)
        for each in visitors:
            each.close()


def test_other_origins_cannot_connect(serve: Serve, showcase: str) -> None:
    server = serve(showcase)
    assert upgrade(server, "https://evil.example") == 403
    assert upgrade(server, None) == 403
    assert upgrade(server, f"http://127.0.0.1:{server.port + 1}") == 403
    assert upgrade(server, server.url) == 101


def test_visitors_see_their_own_data(
    serve: Serve, visit: Visits, showcase: str
) -> None:
    server = serve(showcase, "--root", "signUp")
    first, second = visit(server), visit(server)
    first.open()
    first.input("nameText").fill("Kim")
    first.input("emailText").fill("kim@example.com")
    first.settle()
    second.open()
    second.settle()
    document = second.page.evaluate("JSON.stringify(offstage.core.document.value)")
    assert "kim@" not in document
    assert server.sessions() == 2


@pytest.mark.long
def test_pages_join_a_shared_core(visit: Visits, showcase: str, tmp_path: Path) -> None:
    address = f"unix:{tmp_path}/socket"
    share = [sys.executable, "-m", "offstage.share", "--listen", address]
    relay = subprocess.Popen([*share, "--", showcase, *GALLERY], stdout=subprocess.PIPE)
    assert relay.stdout and relay.stdout.readline()
    server = Server("--core-address", address, showcase)
    try:
        first, second = visit(server), visit(server)
        first.open()
        second.open()

        def shows(screen: str) -> None:
            for each in (first, second):
                top = each.page.locator(f".screen[data-screen='{screen}']:not(.behind)")
                expect(top).to_be_visible()

        first.page.evaluate("offstage.core.input('1', 'push', 'two')")
        shows("2")

        async def push() -> None:
            async with connect_to(address) as core:
                await core.input("2", "push", "three")

        run(push())
        shows("3")
        second.page.evaluate("offstage.core.back()")
        shows("2")
        # Each page comes back to it.
        first.page.reload()
        shows("2")
    finally:
        server.close()
        relay.terminate()
        relay.wait()


@pytest.mark.long
def test_sessions_are_parked_after_their_visitors(
    serve: Serve, visit: Visits, showcase: str
) -> None:
    server = serve("--linger", "0", showcase, *FORM)
    person = visit(server)
    page = person.open()
    assert server.sessions() == 1
    page.goto("about:blank")
    until(lambda: server.sessions() == 0)


@pytest.mark.long
def test_too_many_visitors(serve: Serve, visit: Visits, showcase: str) -> None:
    server = serve("--visitors", "1", "--pages", "1", showcase, *FORM)
    visit(server).open()
    second = visit(server)
    second.page.goto(f"{server.url}/?token={TOKEN}")
    expect(second.page.get_by_role("alertdialog")).to_contain_text(
        "too many visitors. Try again later."
    )


@pytest.mark.long
def test_a_visitor_who_has_left_makes_room(visit: Visits, showcase: str) -> None:
    server = Server("--visitors", "1", "--linger", "3600", showcase, *FORM)
    try:
        first = visit(server)
        first.open()
        first.page.goto("about:blank")
        # The server may not know it yet.
        second = visit(server)
        second.page.goto(f"{server.url}/?token={TOKEN}")
        second.page.wait_for_selector(".screen, #stopped-reason")
        while second.page.locator("#stopped-reason").count():
            second.page.reload()
            second.page.wait_for_selector(".screen, #stopped-reason")
        second.screen("signUp")
        assert server.sessions() == 1
    finally:
        server.close()


async def connect(server: Server, client: aiohttp.ClientSession, page: str) -> Any:
    await client.get(f"{server.url}/?token={TOKEN}")
    address = f"{server.url}/core?page={page}"
    return await client.ws_connect(address, origin=server.url)


def client() -> aiohttp.ClientSession:
    return aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True))


def test_pages_are_limited_for_each_visitor(serve: Serve, showcase: str) -> None:
    server = serve("--pages", "1", showcase, "--deterministic")

    async def scene() -> None:
        async with client() as one, client() as two:
            await connect(server, one, "a")
            others = [await connect(server, two, "a"), await connect(server, two, "b")]
            refused = await others[1].receive()
            assert (refused.data, refused.extra) == (4009, "too many pages")
            assert not others[0].closed

    run(scene())


def test_servers_on_one_host_have_their_own_cookies(
    serve: Serve, showcase: str
) -> None:
    servers = serve(showcase), serve("--linger", "0", showcase, *FORM)

    async def scene() -> None:
        async with client() as visitor:
            for server in servers:
                await visitor.get(f"{server.url}/?token={TOKEN}")
            for server in servers:
                async with visitor.get(server.url) as response:
                    assert response.status == 200

    run(scene())


@pytest.mark.long
def test_pictures_come_from_named_servers(serve: Serve, showcase: str) -> None:
    tiles = ("--tiles", "https://tiles.example/{z}/{x}/{y}.png")
    server = serve(*tiles, "--pictures", "https://img.example/a", showcase, *FORM)

    async def policy() -> str:
        address = f"{server.url}/?token={TOKEN}"
        async with client() as visitor, visitor.get(address) as response:
            return response.headers["Content-Security-Policy"]

    sources = "'self' data: https://tiles.example https://img.example;"
    assert f"img-src {sources}" in run(policy())


def test_files_under_way_are_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Access, "visitor", lambda *_: "kim")

    async def scene() -> None:
        limits = Limits(files=1)
        cores = Cores("unix:nowhere", [])
        settings = Settings("app", cores, TOKEN, set(), limits=limits)
        server = web.Server(settings)
        async with TestClient(TestServer(server.application())) as client:
            settings.hosts.add(f"127.0.0.1:{client.port}")
            await client.get(f"/?token={TOKEN}", allow_redirects=False)
            visitor = server.visitors.admit("kim")
            assert visitor
            asked, answer = asyncio.Event(), asyncio.Event()

            async def read(_: str) -> Resource:
                asked.set()
                await answer.wait()
                return Resource("image/png", b"")

            session = visitor.session("", has_room=True)
            session.relay = Mock(read=read, close=AsyncMock(), is_ended=False)
            first = asyncio.create_task(client.get("/resource?uri=resource:a"))
            await asked.wait()
            assert (await client.get("/resource?uri=resource:b")).status == 503
            answer.set()
            assert (await first).status == 200
            assert (await client.get("/resource?uri=resource:b")).status == 200

    run(scene())
