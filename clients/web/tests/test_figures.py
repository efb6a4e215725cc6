"""The memory per visitor, and the time from a keystroke to the changed pixel.

`clients/web/test CORE -k figures` prints both.
"""

from __future__ import annotations

import asyncio
import json
import statistics
import time
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from offstage import launch

from .conftest import FORM, TOKEN, Serve, Server, Visits, run

pytestmark = pytest.mark.long


async def crowd(server: Server, count: int) -> int:
    """Connects visitors at once, each with a session. Returns the host's memory for each."""

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
                memory.append(resident(server.host))

    ready: list[int] = []
    memory: list[int] = []
    everyone = asyncio.Event()
    await asyncio.gather(*map(visitor, range(count)))
    return max(memory) // count


def resident(process: int) -> int:
    """Returns the private memory of a process, in bytes."""
    lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
    return 1024 * sum(
        int(line.split()[1]) for line in lines if line.startswith("Private_")
    )


def test_a_hundred_visitors_at_once(showcase: str) -> None:
    # A visitor that waits for the others answers no ping. It may lose its connection, but not its
    # session.
    server = Server("--linger", "3600", showcase, *FORM)
    try:
        memory = run(crowd(server, 100))
    finally:
        server.close()
    print(f"{memory / 2**20:.1f} MiB for each visitor's session")
    assert memory < 2 << 20


# A keystroke changes two pixels: the letter at once, and the button after the core has answered.
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
    """Returns a core's response times over a pipe for a hundred letters, in milliseconds."""
    times: list[float] = []
    async with launch(showcase, *FORM) as core:
        for count in range(100):
            start = time.perf_counter()
            await core.input("1", "nameText", "a" * (count % 2))
            times.append(1000 * (time.perf_counter() - start))
    return times


@pytest.fixture(autouse=True)
def show_figures(capsys: pytest.CaptureFixture[str]) -> Any:
    """Prints the figures even if the tests pass."""
    yield
    if text := capsys.readouterr().out.strip():
        with capsys.disabled():
            print(f"\n{text}")
