"""Runs coroutines as tests, and finds the programs to test with."""

from __future__ import annotations

import asyncio
import inspect
import os
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar
from urllib.parse import parse_qs, urlencode

import pytest

REPOSITORY = Path(__file__).parents[1]
sys.path.append(str(REPOSITORY / "Tests/Apps/Meanings"))


def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Runs a test that is a coroutine, then cancels its remaining tasks."""
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    names = inspect.signature(pyfuncitem.obj).parameters
    test = pyfuncitem.obj(**{name: pyfuncitem.funcargs[name] for name in names})
    asyncio.run(asyncio.wait_for(test, timeout=180))
    return True


def find(program: str) -> str:
    """Returns the newest build of a program in this repository."""
    builds = [REPOSITORY / ".build" / mode / program for mode in ("release", "debug")]
    builds = [build for build in builds if build.exists()]
    if not builds:
        pytest.fail(f"no {program} found; run Tests/run --step build")
    return str(max(builds, key=lambda build: build.stat().st_mtime))


@pytest.fixture(scope="session")
def cart() -> str:
    """A program whose screen has parts; it needs nothing but Python."""
    return str(REPOSITORY / "clients/python/tests/cart.py")


@pytest.fixture(scope="session")
def odd() -> str:
    """A program with meanings that no name gives away; it needs nothing but Python."""
    return str(REPOSITORY / "clients/python/tests/odd.py")


@pytest.fixture(scope="session")
def notes() -> str:
    """A program with a form beside a list that grows; it needs nothing but Python."""
    return str(REPOSITORY / "clients/python/tests/notes.py")


@pytest.fixture(scope="session")
def tracker() -> str:
    """An app of a list and what its rows open, without a style in any front end."""
    return find("tracker")


@pytest.fixture(scope="session")
def meanings() -> str:
    """The program of the conformance app, `Tests/Apps/Meanings`."""
    return find("meanings")


@pytest.fixture(scope="session")
def showcase() -> str:
    """The program of the reference app: $SHOWCASE, or the newest build."""
    if path := os.environ.get("SHOWCASE"):
        return str(Path(path).resolve())
    return find("showcase")


class Provider(BaseHTTPRequestHandler):
    """Signs everyone in, and sends the browser back."""

    asked: ClassVar[list[tuple[str, str | None]]] = []

    def do_GET(self) -> None:
        path, _, query = self.path.partition("?")
        self.asked.append((self.path, self.headers["Referer"]))
        if path == "/authorize":
            params = parse_qs(query)
            back = urlencode({"code": "c/1", "state": params["state"][0]})
            self.send_response(302)
            self.send_header("Location", f"{params['redirect_uri'][0]}?{back}")
            self.end_headers()
            return
        self.send_response(200 if path == "/done" else 404)
        self.end_headers()
        self.wfile.write(b"Copy the address of this page.")

    def log_message(self, format: str, *args: Any) -> None:
        pass


@pytest.fixture
def provider() -> Iterator[str]:
    """Returns the address of a server that signs in."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Provider)
    Provider.asked.clear()
    threading.Thread(target=server.serve_forever).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()
