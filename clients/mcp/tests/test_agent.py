"""An agent drives the app, in both eras of the protocol."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from mcp import Client
from mcp.client import ClientRequestContext
from mcp.types import ElicitRequestParams, ElicitResult

from offstage_mcp import build

from .support import Mode, both, call, connect, connect_by_pipe, document, look, names


@both
async def test_an_agent_signs_up(showcase: str, mode: Mode) -> None:
    async with connect_by_pipe(showcase, "--root", "signUp", mode=mode) as client:
        capabilities = client.server_capabilities
        assert capabilities.tools
        assert capabilities.tools.list_changed
        changed = await call(client, "signUp-nameText", value="Kim")
        path = "/screens/1/fields/nameText/value"
        assert changed["patch"] == [{"op": "replace", "path": path, "value": "Kim"}]
        changed = await call(client, "signUp-emailText", value="kim@example.com")
        path = "/screens/1/output/isConfirmEnabled"
        assert {"op": "replace", "path": path, "value": True} in changed["patch"]
        changed = await call(client, "signUp-confirm")
        [event] = changed["events"]
        assert event["name"] == "finished"
        assert event["value"]["email"] == "kim@example.com"


@both
async def test_an_agent_finds_a_place(showcase: str, mode: Mode) -> None:
    async with connect(showcase, "--root", "map", mode=mode) as client:
        count = len(await look(client, "/screens/1/output/places"))
        await call(client, "map-reachedEnd")
        assert len(await look(client, "/screens/1/output/places")) > count
        await call(client, "map-searchBarTapped")
        assert "placeSearch-queryText" in await names(client)
        assert "map-searchBarTapped" not in await names(client)
        await call(client, "placeSearch-queryText", value="royal")
        changed = await call(client, "advance", milliseconds=300)
        assert changed["screens"] == [
            {"id": "2", "kind": "placeSearch", "title": "Search places"}
        ]
        places = await look(client, "/screens/2/output/results")
        assert {"Heonilleung Royal Tombs"} <= {place["name"] for place in places}
        await call(client, "placeSearch-placeTapped", value=places[0]["id"])
        center = await look(client, "/screens/1/output/center")
        assert center == {"lat": places[0]["lat"], "lng": places[0]["lng"]}


async def test_an_agent_reads_a_chat(showcase: str, tmp_path: Path) -> None:
    arguments = ["--data", str(tmp_path), "--root", 'chat {"avatarId":"mina"}']
    async with Client(build(showcase, *arguments, patience=60)) as client:
        await call(client, "chat-messageText", value="Hello")
        # The reply streams in while the tool waits. The result has it as one text.
        changed = await call(client, "chat-send")
        assert changed["settled"]
        [rows] = [
            edit["value"]
            for edit in changed["patch"]
            if edit["path"].endswith("/output/messages/rows")
        ]
        assert rows[0]["pieces"] == ["Hello"]
        assert rows[1]["author"] == "avatar"
        assert len(rows[1]["pieces"]) > 1


@both
async def test_on_a_real_clock_a_tool_waits_for_what_it_starts(
    showcase: str, tmp_path: Path, mode: Mode
) -> None:
    async def elicit(
        context: ClientRequestContext, params: ElicitRequestParams
    ) -> ElicitResult:
        return ElicitResult(action="decline")

    def real(root: str) -> Client:
        server = build(showcase, "--data", str(tmp_path), "--root", root)
        return Client(server, mode=mode, elicitation_callback=elicit)

    async with real("placeSearch") as client:
        # The result comes after the debounce and the search.
        changed = await call(client, "placeSearch-queryText", value="royal")
        assert changed["settled"]
        assert await look(client, "/screens/1/output/results") != []
        assert "advance" not in await names(client)
    async with real("gallery") as client:
        # The work waits for the answer, and the tool waits for both.
        changed = await call(client, "gallery-alert", value="Sure?")
        assert changed["settled"]
        assert changed["prompts"] == {}


async def test_an_impatient_tool_reports_work_that_still_runs(
    showcase: str, tmp_path: Path
) -> None:
    arguments = ["--data", str(tmp_path), "--root", "placeSearch"]
    server = build(showcase, *arguments, patience=0)
    async with Client(server) as client:
        # On a slow machine, the start is still at work.
        while not (await call(client, "wait"))["settled"]:
            pass
        changed = await call(client, "placeSearch-queryText", value="royal")
        assert not changed["settled"]
        assert [work["kind"] for work in changed["pending"]] == ["timer"]
        path = "/screens/1/fields/queryText/value"
        assert {"op": "replace", "path": path, "value": "royal"} in changed["patch"]
        while await document(client, "/screens/1/output/results") == []:
            pass
        # The next result has the changes since then.
        changed = await call(client, "wait")
        assert "/screens/1/output/results" in [
            edit["path"] for edit in changed["patch"]
        ]


async def test_waiting_ends_with_the_work(showcase: str, tmp_path: Path) -> None:
    arguments = ["--data", str(tmp_path), "--root", "placeSearch"]
    async with Client(build(showcase, *arguments, patience=0.05)) as client:
        changed = await call(client, "placeSearch-queryText", value="royal")
        while not changed["settled"]:
            changed = await call(client, "wait")
        assert await look(client, "/screens/1/output/results") != []


@both
async def test_a_canceled_call_cancels_its_work(
    showcase: str, tmp_path: Path, mode: Mode
) -> None:
    asked = asyncio.Queue[None]()

    async def never_answer(
        reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        await reader.readline()
        asked.put_nowait(None)
        try:
            await reader.read()
        finally:
            writer.close()
            await writer.wait_closed()

    record = tmp_path / "agent.transcript"
    async with await asyncio.start_server(never_answer, "127.0.0.1") as server:
        port = server.sockets[0].getsockname()[1]
        arguments = ["--pokeapi", f"http://127.0.0.1:{port}/", "--root", "pokedex"]
        core = build(showcase, "--data", str(tmp_path), *arguments, record=record)
        async with Client(core, mode=mode) as client:
            await asked.get()  # The screen has appeared and is loading.
            refreshing = asyncio.create_task(client.call_tool("pokedex-refresh", {}))
            await asked.get()
            refreshing.cancel()
            with pytest.raises(asyncio.CancelledError):
                await refreshing
            assert (await look(client, "/screens/1/output"))["isLoading"] is False
    assert "$/cancelRequest" in record.read_text()
