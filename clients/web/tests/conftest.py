"""Starts servers and a browser."""

from __future__ import annotations

import asyncio
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlsplit

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import (
    Browser,
    BrowserContext,
    Page,
    WebSocket,
    expect,
    sync_playwright,
)

REPOSITORY = Path(__file__).parents[3]
PICTURES = REPOSITORY / ".build/web/screenshots"
TOKEN = "a-token-for-tests"
# A test must not fail because the machine is busy.
PATIENCE = int(os.environ.get("PATIENCE", "180")) * 1000
expect.set_options(timeout=PATIENCE)


# Only a form, on a virtual clock.
FORM = ("--deterministic", "--root", "signUp")

LOOKS: dict[str, dict[str, Any]] = {
    "light": {"viewport": {"width": 1200, "height": 800}},
    "dark": {"viewport": {"width": 1200, "height": 800}, "color_scheme": "dark"},
    "phone": {"viewport": {"width": 390, "height": 844}, "has_touch": True},
    "korean": {
        "viewport": {"width": 390, "height": 844},
        "color_scheme": "dark",
        "locale": "ko-KR",
    },
}

# Delays drawing until `release` is called.
HOLD = """() => {
  const draw = window.requestAnimationFrame;
  const held = [];
  window.requestAnimationFrame = (callback) => held.push(callback);
  window.release = () => {
    window.requestAnimationFrame = draw;
    held.forEach((callback) => draw(callback));
  };
}"""

T = TypeVar("T")


def run(work: Coroutine[Any, Any, T]) -> T:
    """Runs a coroutine on its own loop, since the browser's is already running."""
    with ThreadPoolExecutor() as executor:
        return executor.submit(asyncio.run, work).result()


def until(condition: Callable[[], bool]) -> None:
    """Waits for a condition that no page shows."""
    end = time.monotonic() + PATIENCE / 1000
    while not condition():
        assert time.monotonic() < end, "waited too long"
        time.sleep(0.02)


def children(process: int) -> list[int]:
    """Returns the process ids of the children of a process."""
    path = Path(f"/proc/{process}/task/{process}/children")
    return [int(each) for each in path.read_text().split()]


def address_of(host: int) -> str:
    """Returns where a host listens."""
    words = Path(f"/proc/{host}/cmdline").read_text().split("\0")
    return words[words.index("--listen") + 1]


def sessions(host: int) -> int:
    """Returns the number of a host's sessions in memory."""
    program = Path(f"/proc/{host}/exe")
    ask = [program, "host", "--status", "--listen", address_of(host)]
    status = subprocess.run(ask, capture_output=True, check=True).stdout
    return int(json.loads(status)["sessions"])


class Server:
    """A server in its own process."""

    def __init__(
        self, *arguments: str, port: int = 0, token: str = TOKEN, **options: Any
    ) -> None:
        command = [sys.executable, "-m", "offstage_web", "--port", str(port)]
        self.process = subprocess.Popen(
            [*command, "--token", token, *arguments],
            stdout=subprocess.PIPE,
            text=True,
            **options,
        )
        assert self.process.stdout
        self.address = self.process.stdout.readline().strip()
        self.port = urlsplit(self.address).port

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def host(self) -> int:
        """The process id of the host."""
        (host,) = children(self.process.pid)
        return host

    def sessions(self) -> int:
        """Returns the number of sessions in memory."""
        return sessions(self.host)

    def close(self) -> None:
        self.process.send_signal(signal.SIGINT)
        self.process.wait(PATIENCE / 1000)


Serve = Callable[..., Server]


@pytest.fixture(scope="session")
def serve() -> Iterator[Serve]:
    """Starts a server, or returns the one with these arguments. Visitors share nothing."""
    servers: dict[tuple[str, ...], Server] = {}

    def start(*arguments: str) -> Server:
        if arguments not in servers:
            servers[arguments] = Server(*arguments)
        return servers[arguments]

    yield start
    for server in servers.values():
        server.close()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    path = shutil.which("chromium")
    assert path, "chromium is missing"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=path, args=["--no-sandbox"]
        )
        yield browser
        browser.close()


# An evaluation has no time limit of its own.
SETTLE = """async (patience) => {
  const { core } = offstage;
  const atWork = () => new Error(`still at work: the page is ${core.status}, with ${core.session.connection?.pending.size} requests`);
  const limit = new Promise((_, fail) => setTimeout(() => fail(atWork()), patience));
  const drawn = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  await Promise.race([core.settle().then(drawn), limit]);
}"""


class Visit:
    """A visitor's page, and the errors in its console."""

    def __init__(self, context: BrowserContext, server: Server) -> None:
        self.context = context
        self.server = server
        self.has_clock = False
        self.complaints: list[str] = []
        self.page: Page = context.new_page()
        self.page.set_default_timeout(PATIENCE)
        self.page.on("console", self._keep)
        self.page.on(
            "pageerror", lambda error: self.complaints.append(error.stack or str(error))
        )

    def open(self, path: str = "/") -> Page:
        self.page.goto(f"{self.server.url}{path}?token={TOKEN}")
        # The first screen in the page may be one behind the top. A core that does not start will not
        # start later, either.
        self.page.wait_for_selector(".screen:not(.behind), #stopped-reason")
        stopped = self.page.locator("#stopped-reason")
        assert not stopped.count(), stopped.inner_text()
        # What follows the first screen, such as the keys, ends with the manifest.
        self.page.wait_for_selector("[rel=manifest]", state="attached")
        return self.page

    def print_messages(self) -> None:
        """Prints what the page sends and receives, which pytest shows if the test fails."""

        def follow(socket: WebSocket) -> None:
            socket.on("framesent", lambda text: print(">", str(text)[:300]))
            socket.on("framereceived", lambda text: print("<", str(text)[:300]))

        self.page.on("websocket", follow)

    def install_clock(self) -> None:
        """Lets a test move the clock of the page. Its context keeps the clock, so it ends with the test."""
        self.has_clock = True
        self.page.clock.install()

    def input(self, name: str) -> Any:
        """Returns the element that sends an input, on the top screen."""
        return self.page.locator(
            f".screen:not(.behind):not(.leaving) [data-input='{name}']"
        )

    def act(self, action: str, row: str) -> None:
        """Chooses an action in the menu of a row."""
        self.page.get_by_role("button", name=f"More: {row}", exact=True).click()
        name = f"{action}: {row}"
        self.page.get_by_role("button", name=name, exact=True).click()

    def screen(self, kind: str) -> Any:
        """Returns the screen of a kind after it is on top and has stopped moving."""
        screen = self.page.locator(
            f'.screen:not(.behind):not(.leaving)[data-kind="{kind}"]'
        )
        expect(screen).to_be_visible()
        self.page.wait_for_function(
            "() => document.getAnimations().every(a => a.playState !== 'running' || a.effect?.getTiming().iterations === Infinity)"
        )
        return screen

    def tab(self, name: str) -> None:
        self.page.click(f"[data-tab={name}]")

    def show_museums(self) -> None:
        """Searches on the map, and shows all 11 results there."""
        self.input("searchBarTapped").click()
        self.screen("placeSearch")
        self.page.keyboard.type("museum")
        expect(self.page.get_by_text("11 results")).to_be_visible()
        self.input("showAllTapped").click()
        self.screen("map")

    def sign_up(self) -> None:
        """Creates an account from the invitation to do so, and returns to the profile."""
        self.input("signUpTapped").click()
        self.screen("signUp")
        self.fill_in()

    def fill_in(self) -> None:
        """Signs up on the form, and returns to the profile."""
        self.input("nameText").fill("Kim")
        self.input("emailText").fill("kim@example.com")
        self.input("confirm").click()
        expect(self.page.locator(".hero")).to_contain_text("kim@example.com")

    def settle(self) -> None:
        """Waits until the core has settled and the page shows the result."""
        self.page.evaluate(SETTLE, PATIENCE)

    def check_access(self) -> None:
        """Runs axe-core on the page, for violations only, since other reports are slow."""
        results = Axe().run(self.page, options={"resultTypes": ["violations"]})
        assert results.violations_count == 0, results.generate_report()

    def picture(self, name: str) -> None:
        """Takes a screenshot."""
        self.page.screenshot(path=PICTURES / f"{name}.png")

    def _keep(self, message: Any) -> None:
        if message.type in ("error", "warning"):
            self.complaints.append(message.text)


Visits = Callable[..., Visit]


class Contexts:
    """Reuses the browser's contexts for the same options. Only cookies identify a visitor."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._idle: dict[str, list[BrowserContext]] = {}
        self._busy: list[tuple[str, BrowserContext]] = []

    def take(self, options: dict[str, Any]) -> BrowserContext:
        key = repr(sorted(options.items()))
        idle = self._idle.setdefault(key, [])
        context = idle.pop() if idle else self._browser.new_context(**options)
        self._busy.append((key, context))
        return context

    def release(self, spent: set[BrowserContext]) -> None:
        """Closes all pages, and clears the cookies. Closes the contexts that are spent."""
        for key, context in self._busy:
            for page in context.pages:
                page.close()
            if context in spent:
                context.close()
                continue
            context.clear_cookies()
            self._idle[key].append(context)
        self._busy.clear()


@pytest.fixture(scope="session")
def contexts(browser: Browser) -> Contexts:
    return Contexts(browser)


@pytest.fixture
def visit(contexts: Contexts) -> Iterator[Visits]:
    """Opens pages, each of a different visitor."""
    visits: list[Visit] = []

    def start(server: Server, **options: Any) -> Visit:
        options.setdefault("reduced_motion", "reduce")
        visits.append(Visit(contexts.take(options), server))
        return visits[-1]

    yield start
    complaints = [text for each in visits for text in each.complaints]
    contexts.release({each.context for each in visits if each.has_clock})
    # Chromium logs connections that a test cuts, and error statuses that it provokes.
    allowed = re.compile(
        r"ERR_CONNECTION|ERR_INTERNET|WebSocket connection|403|404"
        r"|unknown error occurred when fetching the script"
    )
    assert [text for text in complaints if not allowed.search(text)] == []
