"""A core that dies, a core that does not start, and the record of a run."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import mcp
import pytest
from mcp import Client

from offstage_mcp import build

from .support import call, document, kill, look, names, text


async def test_a_killed_core_is_restarted_by_a_tool(
    showcase: str, tmp_path: Path
) -> None:
    arguments = ["--data", str(tmp_path), "--root"]
    async with Client(build(showcase, *arguments, "createAvatar")) as client:
        await call(client, "createAvatar-nameText", value="Nari")
        await call(client, "createAvatar-descriptionText", value="Repairs radios")
        await call(client, "createAvatar-save")
    async with Client(build(showcase, *arguments, "profile")) as client:
        kill(showcase)
        result = await client.call_tool("look", {})
        while not result.is_error:  # The signal is on its way.
            result = await client.call_tool("look", {})
        assert "SIGKILL" in text(result)
        assert "restart" in text(result)
        assert await names(client) == ["restart"]
        with pytest.raises(mcp.MCPError, match="restart"):
            await client.read_resource("offstage://document")
        assert "revision" in await call(client, "restart")
        assert "restart" not in await names(client)
        [avatar] = await look(client, "/screens/1/output/avatars")
        assert avatar["name"] == "Nari"


@pytest.mark.parametrize(
    ("command", "message"),
    [
        (["/nowhere/core"], "cannot start /nowhere/core"),
        (["SHOWCASE", "--nope"], "unknown option --nope"),
    ],
)
async def test_a_core_that_does_not_start_is_an_error_in_one_line(
    showcase: str, command: list[str], message: str
) -> None:
    command = [part.replace("SHOWCASE", showcase) for part in command]
    server = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "offstage_mcp", *command),
        stdin=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
    )
    _, errors = await server.communicate()
    assert server.returncode == 1
    assert message in errors.decode()
    assert "Traceback" not in errors.decode()


async def replay(showcase: str, transcript: Path) -> str:
    process = await asyncio.create_subprocess_exec(
        *(showcase, "replay", str(transcript)), stdout=asyncio.subprocess.PIPE
    )
    output, _ = await process.communicate()
    return output.decode().splitlines()[-1]


async def test_a_recorded_session_replays(showcase: str, tmp_path: Path) -> None:
    record = tmp_path / "agent.transcript"
    server = build(
        *(showcase, "--deterministic"), announce=["location.current"], record=record
    )
    async with Client(server) as client:
        await call(client, "look")
        changed = await call(client, "map-locateTapped")
        [prompt] = changed["prompts"]
        value = {"lat": 37.5, "lng": 127.0}
        await call(client, "answer", prompt=prompt, value=value)
        await call(client, "map-searchBarTapped")
        await call(client, "placeSearch-queryText", value="royal")
        await call(client, "advance", milliseconds=300)
        await client.call_tool("placeSearch-placeTapped", {"value": -1})
        await call(client, "back")
        await call(client, "open", url="showcase://avatars/mina")
        await call(client, "chat-messageText", value="Hello")
        await call(client, "chat-send")
        await call(client, "advance", milliseconds=60_000)
        pictures = (await client.list_resources()).resources
        await client.read_resource(pictures[-1].uri)
    assert '"queryText","value":"royal"' in record.read_text()
    assert await replay(showcase, record) == "1 passed, 0 failed"


async def test_a_restart_begins_another_recording(
    showcase: str, tmp_path: Path
) -> None:
    record = tmp_path / "agent.transcript"
    arguments = ["--deterministic", "--root", "signUp"]
    async with Client(build(showcase, *arguments, record=record)) as client:
        await call(client, "signUp-nameText", value="Kim")
        kill(showcase)
        while "restart" not in await names(client):
            pass
        await call(client, "restart")
        await call(client, "signUp-nameText", value="Lee")
    second = tmp_path / "agent-2.transcript"
    assert '"value":"Kim"' in record.read_text()
    assert '"value":"Lee"' in second.read_text()
    assert await replay(showcase, record) == "1 passed, 0 failed"
    assert await replay(showcase, second) == "1 passed, 0 failed"


async def test_a_call_that_waits_ends_with_a_killed_core(
    showcase: str, tmp_path: Path
) -> None:
    arguments = ["--data", str(tmp_path), "--root", "placeSearch"]
    async with Client(build(showcase, *arguments, patience=60)) as client:
        searching = asyncio.create_task(
            client.call_tool("placeSearch-queryText", {"value": "royal"})
        )
        while await document(client, "/screens/1/fields/queryText/value") != "royal":
            pass
        kill(showcase)
        result = await searching
        assert result.is_error
        assert "SIGKILL" in text(result)
