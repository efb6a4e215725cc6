"""Who may connect, what each visitor sees, and what happens when a line or a core breaks."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import statistics
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

import aiohttp
import pytest
from playwright.sync_api import expect

from .conftest import TOKEN, Server, Visit, find

Serve = Callable[..., Server]
Visits = Callable[..., Visit]
T = TypeVar("T")
FORM = ("--deterministic", "--root", "signUp")


def run(work: Coroutine[Any, Any, T]) -> T:
    """Runs a coroutine on a loop of its own; the browser's runs already."""
    with ThreadPoolExecutor() as executor:
        return executor.submit(asyncio.run, work).result()


async def status(server: Server, path: str, **headers: str) -> int:
    jar = aiohttp.CookieJar(unsafe=True)
    async with aiohttp.ClientSession(cookie_jar=jar) as session:
        if headers.pop("visitor", None):
            await session.get(f"{server.url}/?token={TOKEN}")
        async with session.get(f"{server.url}{path}", headers=headers) as response:
            return response.status


def upgrade(server: Server, origin: str | None) -> int:
    """The status of a WebSocket's handshake, by a visitor who has the cookie."""
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
    # Each page sees the causes of its own requests, and of no other's.
    caused = """async () => {
      const frames = offstage.core.frames();
      const frame = frames.next();
      %s
      return ((await frame).value.cause ?? null);
    }"""
    back = "await offstage.core.back();"
    assert isinstance(first.page.evaluate(caused % back), int)


def test_a_lost_connection_resumes(serve: Serve, visit: Visits, showcase: str) -> None:
    person = visit(serve(showcase, *FORM))
    page = person.open()
    person.input("nameText").fill("Kim")
    person.settle()
    page.evaluate("offstage.core.session.connection.transport.socket.close(3001)")
    expect(page.locator(".connection")).to_be_visible()
    person.input("emailText").fill("kim@example.com")
    expect(page.locator(".connection")).to_have_count(0)
    expect(person.input("nameText")).to_have_value("Kim")
    expect(person.input("emailText")).to_have_value("kim@example.com")
    expect(person.input("confirm")).to_be_enabled()


def test_a_killed_core_recovers_with_one_click(
    serve: Serve, visit: Visits, showcase: str, tmp_path: Path
) -> None:
    server = serve("--data", str(tmp_path), showcase, "--root", "createAvatar")
    person = visit(server)
    page = person.open()
    person.input("nameText").fill("Rosa")
    person.input("save").click()
    page.wait_for_function("offstage.core.document.revision > 3")
    person.settle()
    for core in server.cores():
        os.kill(core, signal.SIGKILL)
    stopped = page.get_by_role("alertdialog")
    expect(stopped).to_contain_text("The app has stopped")
    expect(stopped).to_contain_text("SIGKILL")
    stopped.get_by_role("button").click()
    expect(stopped).to_have_count(0)
    person.screen("createAvatar")
    kept = next(tmp_path.glob("*/showcase.sqlite*")).read_bytes()
    assert any(b"Rosa" in each.read_bytes() for each in tmp_path.glob("*/*")) or kept


def test_cores_end_with_their_visitors(
    serve: Serve, visit: Visits, showcase: str
) -> None:
    server = serve("--linger", "0", showcase, *FORM)
    person = visit(server)
    page = person.open()
    assert len(server.cores()) == 1
    page.goto("about:blank")
    for _ in range(600):
        if not server.cores():
            break
        page.wait_for_timeout(50)
    assert server.cores() == []


def test_too_many_visitors(serve: Serve, visit: Visits, showcase: str) -> None:
    server = serve("--visitors", "1", showcase, *FORM)
    visit(server).open()
    second = visit(server)
    second.page.goto(f"{server.url}/?token={TOKEN}")
    expect(second.page.locator("body")).to_contain_text("too many visitors")


# The address


def test_back_and_forward_buttons(serve: Serve, visit: Visits, showcase: str) -> None:
    person = visit(serve(showcase))
    page = person.open()
    person.tab("pokedex")
    page.click("text=Bulbasaur")
    person.screen("pokemonDetail")
    page.go_back()
    person.screen("pokedex")
    page.go_back()
    person.screen("map")
    page.go_forward()
    person.screen("pokedex")
    # Closing a screen in the app takes its entry away.
    page.click("text=Ivysaur")
    person.screen("pokemonDetail")
    page.click("[aria-label=Back]")
    person.screen("pokedex")
    page.go_back()
    person.screen("map")


def test_a_deep_link_in_the_address(serve: Serve, visit: Visits, showcase: str) -> None:
    person = visit(serve(showcase))
    page = person.open("/pokedex/25")
    person.screen("pokemonDetail")
    expect(page.locator("h1:visible")).to_have_text("Pikachu")
    page.goto(f"{person.server.url}/library")
    person.screen("library")


def test_reload_in_the_middle_of_a_form(
    serve: Serve, visit: Visits, showcase: str
) -> None:
    person = visit(serve(showcase, *FORM))
    page = person.open()
    person.input("nameText").fill("Kim")
    person.input("emailText").fill("kim@example.com")
    person.settle()
    page.reload()
    expect(person.input("nameText")).to_have_value("Kim")
    expect(person.input("confirm")).to_be_enabled()


# Any app


def test_apps_without_a_line_of_front_end_code(serve: Serve, visit: Visits) -> None:
    person = visit(serve(find("bench-app"), "--deterministic"))
    page = person.open()
    expect(page.locator("h1:visible")).not_to_be_empty()
    expect(page.locator(".generic")).to_be_visible()


# Figures


async def crowd(server: Server, count: int) -> int:
    """Connects many visitors at once; each uses its core. Returns the memory of the cores."""

    async def visitor(number: int) -> None:
        jar = aiohttp.CookieJar(unsafe=True)
        async with aiohttp.ClientSession(cookie_jar=jar) as session:
            await session.get(f"{server.url}/?token={TOKEN}")
            url = f"{server.url}/core?page={number}"
            async with session.ws_connect(url, origin=server.url) as socket:
                requests: list[tuple[str, Any]] = [
                    ("initialize", {"protocol": 1}),
                    (
                        "input",
                        {"screen": "1", "name": "nameText", "value": f"{number}"},
                    ),
                ]
                for id, (method, params) in enumerate(requests):
                    message = {
                        "jsonrpc": "2.0",
                        "id": id,
                        "method": method,
                        "params": params,
                    }
                    await socket.send_json(message)
                    while json.loads(await socket.receive_str()).get("id") != id:
                        pass
                ready.append(number)
                if len(ready) == count:
                    everyone.set()
                await everyone.wait()
                memory.extend(map(resident, server.cores()) if not memory else ())

    ready: list[int] = []
    memory: list[int] = []
    everyone = asyncio.Event()
    await asyncio.gather(*map(visitor, range(count)))
    assert len(memory) == count
    return sum(memory) // count


def resident(process: int) -> int:
    """The bytes that a process has for itself."""
    lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
    return 1024 * sum(
        int(line.split()[1]) for line in lines if line.startswith("Private_")
    )


def test_a_hundred_visitors_at_once(serve: Serve, showcase: str) -> None:
    server = serve(showcase, *FORM)
    memory = run(crowd(server, 100))
    print(f"{memory / 2**20:.1f} MiB for each visitor's core")
    assert memory < 64 << 20


KEYSTROKE = """async () => {
  const field = document.querySelector("[data-input=nameText]");
  const times = [], cores = [];
  for (let count = 0; count < 50; count++) {
    const start = performance.now();
    field.value += "a";
    field.dispatchEvent(new Event("input", { bubbles: true }));
    await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    times.push(performance.now() - start);
    const asked = performance.now();
    await offstage.core.input("1", "nameText", field.value);
    cores.push(performance.now() - asked);
  }
  return [times, cores];
}"""


def test_from_a_keystroke_to_the_pixel(
    serve: Serve, visit: Visits, showcase: str
) -> None:
    person = visit(serve(showcase, *FORM))
    page = person.open()
    drawn, answered = page.evaluate(KEYSTROKE)
    for name, times in (
        ("keystroke to pixel", drawn),
        ("round trip to the core", answered),
    ):
        cuts = statistics.quantiles(times, n=20)
        print(f"{name}: p50 {cuts[9]:.1f} ms, p95 {cuts[18]:.1f} ms")
    assert statistics.median(drawn) < 100


@pytest.fixture(autouse=True)
def show_figures(capsys: pytest.CaptureFixture[str]) -> Any:
    """Prints the figures also if the tests pass."""
    yield
    if text := capsys.readouterr().out.strip():
        with capsys.disabled():
            print(f"\n{text}")
