"""Pages that do not read, and what a visitor's pages may use together."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from pathlib import Path
from typing import Any

from aiohttp.test_utils import TestClient, TestServer

from offstage_web.cores import Cores
from offstage_web.page import Budget, Limits
from offstage_web.server import Server, Settings

from .conftest import FORM, TOKEN, run


class Sleeper:
    """Stands for a page, which the budget cuts."""

    def __init__(self, unsent: int, *budgets: Budget) -> None:
        self.unsent = unsent
        self.is_cut = False
        self._budgets = budgets
        for each in budgets:
            each.pages.add(self)  # type: ignore[arg-type]
            each.hold(unsent)

    def cut(self) -> None:
        self.is_cut = True
        for each in self._budgets:
            each.pages.discard(self)  # type: ignore[arg-type]
            each.hold(-self.unsent)


def test_the_page_with_the_most_unsent_bytes_is_cut() -> None:
    everyone = Budget(100, 1)
    visitors = [Budget(60, 1), Budget(60, 1)]
    small, large = (
        Sleeper(10, visitors[0], everyone),
        Sleeper(50, visitors[0], everyone),
    )
    assert not large.is_cut
    other = Sleeper(45, visitors[1], everyone)
    assert (small.is_cut, large.is_cut, other.is_cut) == (False, True, False)
    more = Sleeper(51, visitors[0], everyone)
    assert (small.is_cut, more.is_cut, other.is_cut) == (False, True, False)


def test_requests_are_counted_not_lines() -> None:
    budget = Budget(1, 200)
    assert budget.spend(200) == 0
    assert not budget.is_idle
    assert 0.9 < budget.spend(200) <= 1
    # An app that sends much does not lock its visitor out.
    assert budget.spend(1_000_000) == 5


def test_a_page_that_reads_nothing_ends_although_it_answers_pings(
    showcase: str, tmp_path: Path
) -> None:
    async def scene() -> None:
        limits = Limits(patience=0.3, linger=0)
        address = f"unix:{tmp_path}/core"
        host = ["host", "--listen", address, "--state", str(tmp_path)]
        cores = Cores(address, [showcase, *FORM, *host])
        settings = Settings("showcase", cores, TOKEN, set(), limits=limits)
        server = Server(settings)
        async with TestClient(TestServer(server.application())) as client:
            settings.hosts.add(f"127.0.0.1:{client.port}")
            await client.get(f"/?token={TOKEN}", allow_redirects=False)
            origin = f"http://127.0.0.1:{client.port}"
            page = await client.ws_connect("/core", origin=origin, autoping=False)

            async def send(id: int, method: str, **params: Any) -> None:
                message = {"jsonrpc": "2.0", "id": id, "method": method}
                await page.send_json({**message, "params": params})

            await send(0, "initialize", protocol=1)
            while (await page.receive_json()).get("id") != 0:
                pass
            (visitor,) = server.visitors
            assert len(visitor.pages) == 1
            # From here on, the client reads nothing but the system's buffers.
            long = "x" * 900_000
            await send(1, "input", screen="1", name="nameText", value=long)
            for id in range(2, 22):
                await send(id, "state/snapshot")
            while visitor.pages:
                # The server ends the connection before it forgets the page.
                with suppress(ConnectionError):
                    await page.pong()
                await asyncio.sleep(0.05)

    run(scene())
