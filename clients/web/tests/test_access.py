"""Access, limits, and the separation of visitors."""

from __future__ import annotations

import json
import subprocess
import sys
from threading import Timer
from typing import Any

import aiohttp
from playwright.sync_api import expect

from .conftest import FORM, PATIENCE, TOKEN, Serve, Server, Visits, run, until


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
    assert run(status(server, "/page/main.js")) == 403
    assert run(status(server, "/", visitor="yes")) == 200
    assert run(status(server, "/", visitor="yes", Host="evil.example")) == 403
    assert run(status(server, "/", Cookie="offstage=a.b")) == 403
    assert run(status(server, "/page/../pyproject.toml", visitor="yes")) != 200


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
    assert len(server.cores()) == 2


def test_shared_core(serve: Serve, visit: Visits, showcase: str) -> None:
    server = serve("--shared", showcase, "--deterministic", "--root", "gallery")
    first, second = visit(server), visit(server)
    first.open()
    second.open()
    assert len(server.cores()) == 1
    first.page.evaluate("offstage.core.input('1', 'push', 'two')")
    for each in (first, second):
        expect(
            each.page.locator(".screen[data-screen='2']:not(.behind)")
        ).to_be_visible()
    # A terminal joins by the address, as if the core were its own.
    terminal = subprocess.Popen(
        [sys.executable, "-c", JOIN, f"{server.url}/?token={TOKEN}"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert terminal.stdin and terminal.stdout
    # A line that does not come ends the terminal, and the test fails.
    limit = Timer(PATIENCE / 1000, terminal.kill)
    limit.daemon = True
    limit.start()
    messages: list[tuple[str, Any]] = [
        ("initialize", {"protocol": 1}),
        ("input", {"screen": "2", "name": "push", "value": "three"}),
    ]
    for id, (method, params) in enumerate(messages):
        line = json.dumps(
            {"jsonrpc": "2.0", "id": id, "method": method, "params": params}
        )
        print(line, file=terminal.stdin, flush=True)
        while json.loads(terminal.stdout.readline()).get("id") != id:
            pass
    for each in (first, second):
        expect(
            each.page.locator(".screen[data-screen='3']:not(.behind)")
        ).to_be_visible()
    second.page.evaluate("offstage.core.back()")
    assert json.loads(terminal.stdout.readline())["params"]["patch"]
    terminal.stdin.close()
    assert terminal.wait() == 0
    limit.cancel()
    assert len(server.cores()) == 1


JOIN = "from offstage_web.join import main; main()"


def test_cores_end_with_their_visitors(
    serve: Serve, visit: Visits, showcase: str
) -> None:
    server = serve("--linger", "0", showcase, *FORM)
    person = visit(server)
    page = person.open()
    assert len(server.cores()) == 1
    page.goto("about:blank")
    until(lambda: server.cores() == [])


def test_too_many_visitors(serve: Serve, visit: Visits, showcase: str) -> None:
    server = serve("--visitors", "1", showcase, *FORM)
    visit(server).open()
    second = visit(server)
    second.page.goto(f"{server.url}/?token={TOKEN}")
    expect(second.page.locator("body")).to_contain_text("too many visitors")
