"""Who may connect, what each visitor sees, and what happens when a line or a core breaks."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from conftest import find
from playwright.sync_api import expect

from offstage_web.process import CoreProcess

from .conftest import REPOSITORY, TOKEN, Server, Visit, run

Serve = Callable[..., Server]
Visits = Callable[..., Visit]
FORM = ("--deterministic", "--root", "signUp")


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
    # A terminal joins by the address, as if the core were its own.
    terminal = subprocess.Popen(
        [sys.executable, "-c", JOIN, f"{server.url}/?token={TOKEN}"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert terminal.stdin and terminal.stdout
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
    assert terminal.wait(60) == 0
    assert len(server.cores()) == 1


JOIN = "from offstage_web.join import main; main()"


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


def test_a_killed_core_loses_nothing_that_was_kept(
    serve: Serve, visit: Visits, showcase: str, tmp_path: Path
) -> None:
    server = serve("--data", str(tmp_path), showcase)
    person = visit(server)
    page = person.open("/profile")
    person.screen("profile")
    person.input("createAccountTapped").click()
    person.screen("createAccount")
    person.input("signUpTapped").click()
    person.screen("signUp")
    person.input("nameText").fill("Kim")
    person.input("emailText").fill("kim@example.com")
    person.input("confirm").click()
    expect(page.locator(".hero")).to_contain_text("kim@example.com")
    person.input("createAvatarTapped").click()
    person.screen("createAvatar")
    person.input("nameText").fill("Rosa")
    person.input("save").click()
    person.screen("profile")
    expect(page.locator(".screen:not(.behind) .row")).to_contain_text("Rosa")
    before = page.evaluate(PROFILE)

    (core,) = server.cores()
    os.kill(core, signal.SIGKILL)
    stopped = page.get_by_role("alertdialog")
    expect(stopped).to_contain_text("The app has stopped")
    expect(stopped).to_contain_text("SIGKILL")
    stopped.get_by_role("button").click()
    expect(stopped).to_have_count(0)
    person.tab("profile")
    person.screen("profile")
    expect(page.locator(".screen:not(.behind) .row")).to_contain_text("Rosa")
    assert page.evaluate(PROFILE) == before
    assert server.cores() != [core]


PROFILE = """() => {
  const profile = offstage.core.find("profile").output;
  return JSON.stringify([profile.account, profile.avatars]);
}"""


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


def app(name: str) -> str:
    """A program of Package.swift, or one that Tests/documentation and Tests/Apps/run build."""
    if name == "bench-app":
        return find(name)
    path = REPOSITORY / ".build/apps/debug" / name
    if not path.exists():
        pytest.skip("run Tests/documentation and Tests/Apps/run first")
    return str(path)


@pytest.mark.parametrize("name", ["bench-app", "books", "tracker"])
def test_apps_are_drawn_from_their_descriptions(
    serve: Serve, visit: Visits, name: str
) -> None:
    person = visit(serve(app(name), "--deterministic"))
    page = person.open()
    expect(page.locator("h1:visible")).not_to_be_empty()
    expect(page.locator(".generic")).to_be_visible()
    if name == "books":
        person.input("queryText").fill("e")
        person.settle()
        page.evaluate("offstage.core.advance(1000)")
        expect(page.locator(".generic .row").first).to_contain_text("Emma")
    person.picture(name)


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
    server = serve("--linger", "1", showcase, *FORM)
    memory = run(crowd(server, 100))
    print(f"{memory / 2**20:.1f} MiB for each visitor's core")
    assert memory < 64 << 20


# A keystroke changes two pixels: the letter at once, and the button once the core has answered.
WATCH = """() => {
  const times = { letter: [], answer: [], button: [] };
  let key = 0;
  const painted = (list) => {
    const start = key;
    requestAnimationFrame(() => {
      const channel = new MessageChannel();
      channel.port1.onmessage = () => list.push(performance.now() - start);
      channel.port2.postMessage(null);
    });
  };
  addEventListener("keydown", (event) => (key = event.timeStamp), true);
  addEventListener("input", () => painted(times.letter));
  offstage.core.observe((frame) => {
    if (!frame) return;
    times.answer.push(performance.now() - key);
    painted(times.button);
  });
  offstage.times = times;
}"""


def test_from_a_keystroke_to_the_pixel(
    serve: Serve, visit: Visits, showcase: str
) -> None:
    person = visit(serve(showcase, *FORM))
    page = person.open()
    person.input("emailText").fill("kim@example.com")
    person.input("nameText").focus()
    person.settle()
    page.evaluate(WATCH)
    for count in range(100):
        page.keyboard.press("Backspace" if count % 2 else "a")
        page.wait_for_function(
            "count => offstage.times.button.length > count", arg=count
        )
    times = page.evaluate("offstage.times")
    figures = {
        "keystroke to letter": times["letter"],
        "keystroke to the core's answer": times["answer"],
        "keystroke to the button that the core enables": times["button"],
        "the core alone": run(answers(showcase)),
    }
    for name, each in figures.items():
        cuts = statistics.quantiles(each, n=20)
        print(f"{name}: p50 {cuts[9]:.1f} ms, p95 {cuts[18]:.1f} ms")
    assert all(len(each) == 100 for each in figures.values())


async def answers(showcase: str) -> list[float]:
    """The milliseconds that a core takes for each of a hundred letters, over a pipe."""
    core = await CoreProcess.start([showcase, *FORM])
    lines = core.lines()
    times: list[float] = []
    for id in range(100):
        params = {"screen": "1", "name": "nameText", "value": "a" * (id % 2)}
        message = {"jsonrpc": "2.0", "id": id, "method": "input", "params": params}
        start = time.perf_counter()
        await core.send(json.dumps(message))
        while json.loads(await anext(lines)).get("id") != id:
            pass
        times.append(1000 * (time.perf_counter() - start))
    await core.close()
    return times


@pytest.fixture(autouse=True)
def show_figures(capsys: pytest.CaptureFixture[str]) -> Any:
    """Prints the figures also if the tests pass."""
    yield
    if text := capsys.readouterr().out.strip():
        with capsys.disabled():
            print(f"\n{text}")
