"""Uses the app in Firefox, which Debian has without a driver: by WebDriver BiDi."""

from __future__ import annotations

import asyncio
import json
import re
import shutil
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from .conftest import PATIENCE, TOKEN, Serve, run

pytestmark = pytest.mark.long

TABS = ["map", "explore", "chats", "pokedex", "library", "profile"]
STILL = "document.getAnimations().every((each) => each.playState !== 'running' || each.effect?.getTiming().iterations === Infinity)"
TOP = ".screen:not(.behind):not(.leaving)"
TEXT = "document.body.innerText"


class Firefox:
    """The page of a Firefox."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self._socket = socket
        self._last = 0
        self._page = ""
        self.complaints: list[str] = []

    async def call(self, method: str, **params: Any) -> Any:
        """Sends a command, and waits for its result."""
        self._last += 1
        await self._socket.send_json(
            {"id": self._last, "method": method, "params": params}
        )
        while True:
            message = await self._socket.receive_json()
            if message.get("method") == "log.entryAdded":
                entry = message["params"]
                if entry["level"] in ("error", "warn"):
                    self.complaints.append(f"{entry['text']} {entry.get('source')}")
            if message.get("id") == self._last:
                assert message["type"] == "success", message
                return message["result"]

    async def open(self, url: str) -> None:
        await self.call("session.new", capabilities={})
        tree = await self.call("browsingContext.getTree")
        self._page = tree["contexts"][0]["context"]
        await self.call("session.subscribe", events=["log.entryAdded"])
        await self.call(
            "browsingContext.navigate", context=self._page, url=url, wait="complete"
        )

    async def evaluate(self, expression: str) -> Any:
        """Returns the value of an expression in JSON, after its promise."""
        result = await self.call(
            "script.evaluate",
            expression=f"(async () => JSON.stringify((await {expression}) ?? null))()",
            target={"context": self._page},
            awaitPromise=True,
        )
        assert result["type"] == "success", result
        return json.loads(result["result"]["value"])

    async def wait_for(self, expression: str) -> None:
        """Waits until an expression is true in a frame of the page."""
        await self.evaluate(
            f"new Promise((done) => {{ const look = () => ({expression}) ? done() : requestAnimationFrame(look); look(); }})"
        )

    async def see(self, kind: str) -> None:
        """Waits until a screen of a kind is on top, in its place."""
        await self.wait_for(
            f"document.querySelector('{TOP}[data-kind={kind}]')?.checkVisibility() && {STILL}"
        )

    async def settle(self) -> None:
        """Waits until the core has settled, and nothing moves."""
        await self.wait_for("window.offstage")
        await self.evaluate(
            "offstage.core.settle().then(() => new Promise(requestAnimationFrame))"
        )
        await self.wait_for(STILL)

    async def click(self, selector: str) -> None:
        """Clicks in the middle of an element."""
        await self.settle()
        await self.wait_for(
            f"document.querySelector(`{selector}`)?.checkVisibility() && !document.querySelector(`{selector}`).closest('[inert]')"
        )
        x, y = await self.evaluate(
            f"(({{ left, top, width, height }}) => [Math.round(left + width / 2), Math.round(top + height / 2)])(document.querySelector(`{selector}`).getBoundingClientRect())"
        )
        move = {"type": "pointerMove", "x": x, "y": y}
        press = [{"type": f"pointer{way}", "button": 0} for way in ("Down", "Up")]
        await self.act({"type": "pointer", "id": "mouse", "actions": [move, *press]})

    async def type(self, text: str) -> None:
        keys = [
            {"type": f"key{way}", "value": key}
            for key in text
            for way in ("Down", "Up")
        ]
        await self.act({"type": "key", "id": "keys", "actions": keys})

    async def scroll(self, x: int, y: int, by: int) -> None:
        wheel = {"type": "scroll", "x": x, "y": y, "deltaX": 0, "deltaY": by}
        await self.act({"type": "wheel", "id": "wheel", "actions": [wheel]})

    async def act(self, source: Any) -> None:
        await self.call("input.performActions", context=self._page, actions=[source])

    async def back(self) -> None:
        await self.call("browsingContext.traverseHistory", context=self._page, delta=-1)


@asynccontextmanager
async def firefox(profile: Path) -> AsyncGenerator[Firefox]:
    path = shutil.which("firefox-esr") or shutil.which("firefox")
    assert path, "firefox is missing: apt-get install firefox-esr"
    (profile / "user.js").write_text('user_pref("general.smoothScroll", false);')
    arguments = ["--headless", "--no-remote", "--remote-debugging-port", "0"]
    process = await asyncio.create_subprocess_exec(
        *[path, *arguments, "--profile", str(profile)],
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        assert process.stderr
        address = None
        while not address:
            line = (await process.stderr.readline()).decode()
            assert line, "Firefox has ended"
            address = re.search(r"BiDi listening on (\S+)", line)
        async with (
            aiohttp.ClientSession() as client,
            client.ws_connect(f"{address[1]}/session", max_msg_size=0) as socket,
        ):
            browser = Firefox(socket)
            yield browser
            await browser.call("browser.close")
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


async def use(browser: Firefox, url: str) -> None:
    await browser.open(f"{url}/?token={TOKEN}")
    for tab in TABS:
        await browser.click(f"[data-tab={tab}]")
        await browser.see(tab)
    # A form is typed, and says what is wrong.
    await browser.click(f"{TOP} [data-input=createAccountTapped]")
    await browser.see("createAccount")
    await browser.click(f"{TOP} [data-input=signUpTapped]")
    await browser.see("signUp")
    tab, field = "\ue004", f"{TOP} [data-input=emailText]"
    await browser.click(f"{TOP} [data-input=nameText]")
    await browser.type("Kim" + tab + "foo")
    await browser.click(f"{TOP} [data-input=confirm]")
    await browser.wait_for(f"{TEXT}.includes('Enter an email address.')")
    await browser.click(field)
    await browser.type("@example.com")
    await browser.click(f"{TOP} [data-input=confirm]")
    await browser.see("profile")
    await browser.wait_for(f"{TEXT}.includes('foo@example.com')")
    # A list is scrolled, gets more rows, and keeps its place below another screen.
    await browser.click("[data-tab=pokedex]")
    await browser.see("pokedex")
    await browser.wait_for("document.querySelectorAll('.tile').length > 10")
    count = await browser.evaluate("document.querySelectorAll('.tile').length")
    await browser.scroll(600, 400, 2000)
    await browser.wait_for(f"document.querySelectorAll('.tile').length > {count}")
    place = f"document.querySelector('{TOP} .content').scrollTop"
    top = await browser.evaluate(place)
    assert top > 0
    await browser.evaluate(
        "[...document.querySelectorAll('.tile')].find((each) => each.getBoundingClientRect().top > 100).click()"
    )
    await browser.see("pokemonDetail")
    await browser.back()
    await browser.see("pokedex")
    assert await browser.evaluate(place) == top
    assert browser.complaints == []


def test_firefox_shows_the_app(serve: Serve, showcase: str, tmp_path: Path) -> None:
    url = serve(showcase, "--deterministic").url

    async def visit() -> None:
        async with asyncio.timeout(PATIENCE / 1000), firefox(tmp_path) as browser:
            await use(browser, url)

    run(visit())
