"""An agent drives the app with the official client, in both eras of the protocol."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any, Literal

import jsonschema
import mcp
import pytest
from mcp import Client, StdioServerParameters
from mcp.client import ClientRequestContext, IncomingMessage
from mcp.server.subscriptions import ToolsListChanged
from mcp.types import (
    CallToolResult,
    ElicitRequestFormParams,
    ElicitRequestParams,
    ElicitResult,
    TextContent,
    TextResourceContents,
    ToolListChangedNotification,
)

from offstage_mcp import build

Mode = Literal["legacy", "auto"]
both = pytest.mark.parametrize("mode", ["legacy", "auto"])


def connect(
    showcase: str, *arguments: str, **options: Any
) -> AbstractAsyncContextManager[Client]:
    """Connects to a server in this process."""
    return Client(build(showcase, "--deterministic", *arguments), **options)


def connect_by_pipe(
    showcase: str, *arguments: str, **options: Any
) -> AbstractAsyncContextManager[Client]:
    """Connects to a server in a process of its own, as agents do."""
    server = StdioServerParameters(
        command=sys.executable,
        args=["-m", "offstage_mcp", showcase, "--deterministic", *arguments],
    )
    return Client(server, **options)


async def names(client: Client) -> list[str]:
    return [tool.name for tool in (await client.list_tools(cache_mode="bypass")).tools]


async def call(client: Client, name: str, **arguments: Any) -> dict[str, Any]:
    """Calls a tool. What changed comes as JSON, and as the same JSON in text."""
    result = await client.call_tool(name, arguments)
    assert not result.is_error, result.content
    assert json.loads(text(result)) == result.structured_content
    return result.structured_content


async def look(client: Client, path: str) -> Any:
    return (await call(client, "look", path=path))["value"]


def text(result: CallToolResult) -> str:
    [content] = result.content
    assert isinstance(content, TextContent)
    return content.text


@both
async def test_an_agent_signs_up(showcase: str, mode: Mode) -> None:
    async with connect_by_pipe(showcase, "--root", "signUp", mode=mode) as client:
        capabilities = client.server_capabilities
        assert capabilities.tools
        assert capabilities.tools.list_changed
        tools = (await client.list_tools()).tools
        for tool in tools:
            jsonschema.Draft202012Validator.check_schema(tool.input_schema)
        [name] = [tool for tool in tools if tool.name == "signUp.nameText"]
        assert name.title == "Name"
        value = name.input_schema["properties"]["value"]
        assert value["type"] == ["string", "null"]
        assert value["x-role"] == "text"
        changed = await call(client, "signUp.nameText", value="Kim")
        path = "/screens/1/fields/nameText/value"
        assert changed["patch"] == [{"op": "replace", "path": path, "value": "Kim"}]
        changed = await call(client, "signUp.emailText", value="kim@example.com")
        path = "/screens/1/output/isConfirmEnabled"
        assert {"op": "replace", "path": path, "value": True} in changed["patch"]
        changed = await call(client, "signUp.confirm")
        [event] = changed["events"]
        assert event["name"] == "finished"
        assert event["value"]["email"] == "kim@example.com"


@both
async def test_an_agent_finds_a_place(showcase: str, mode: Mode) -> None:
    async with connect(showcase, "--root", "map", mode=mode) as client:
        await call(client, "map.searchBarTapped")
        assert "placeSearch.queryText" in await names(client)
        assert "map.searchBarTapped" not in await names(client)
        await call(client, "placeSearch.queryText", value="royal")
        changed = await call(client, "advance", milliseconds=300)
        assert changed["visible"] == [{"id": "2", "kind": "placeSearch"}]
        places = await look(client, "/screens/2/output/results")
        assert {"Heonilleung Royal Tombs"} <= {place["name"] for place in places}
        await call(client, "placeSearch.placeTapped", value=places[0]["id"])
        center = await look(client, "/screens/1/output/center")
        assert center == {"lat": places[0]["lat"], "lng": places[0]["lng"]}


async def test_an_agent_reads_a_chat(showcase: str) -> None:
    async with connect(showcase, "--root", 'chat {"avatarId":"mina"}') as client:
        await call(client, "chat.messageText", value="Hello")
        await call(client, "chat.send")
        await call(client, "advance", milliseconds=60_000)
        resource = "offstage://document/screens/1"
        listed = (await client.list_resources()).resources
        assert resource in [each.uri for each in listed]
        [contents] = (await client.read_resource(resource)).contents
        assert isinstance(contents, TextResourceContents)
        messages = json.loads(contents.text)["output"]["messages"]
        assert messages[0]["pieces"] == ["Hello"]
        assert messages[1]["author"] == "avatar"


@both
async def test_prompts_are_put_to_the_user(showcase: str, mode: Mode) -> None:
    asked: list[ElicitRequestFormParams] = []

    async def elicit(
        _: ClientRequestContext, params: ElicitRequestParams
    ) -> ElicitResult:
        assert isinstance(params, ElicitRequestFormParams)
        asked.append(params)
        button = params.requested_schema["properties"]["button"]["enum"][0]
        return ElicitResult(action="accept", content={"button": button})

    options: dict[str, Any] = {"mode": mode, "elicitation_callback": elicit}
    async with connect(showcase, "--root", "gallery", **options) as client:
        changed = await call(client, "gallery.alert", value="Sure?")
        assert changed["prompts"] == {}
        assert changed["settled"]
        [form] = asked
        assert "Sure?" in form.message
        answer = await look(client, "/screens/1/output/answer")
        assert answer["button"] in form.requested_schema["properties"]["button"]["enum"]


@both
async def test_a_client_without_forms_answers_by_a_tool(
    showcase: str, mode: Mode
) -> None:
    async with connect(showcase, "--root", "gallery", mode=mode) as client:
        assert "answer" not in await names(client)
        [(id, prompt)] = (await call(client, "gallery.alert", value="Sure?"))[
            "prompts"
        ].items()
        button = prompt["params"]["buttons"][0]["id"]
        value = {"button": button, "fields": None}
        await call(client, "answer", prompt=id, value=value)
        answer = await look(client, "/screens/1/output/answer")
        assert answer["button"] == button


async def test_errors_say_what_is_wrong(showcase: str) -> None:
    async with connect(showcase, "--root", "signUp") as client:
        result = await client.call_tool("signUp.nameText", {"value": 5})
        assert result.is_error
        assert "/value" in text(result)
        result = await client.call_tool("back", {})
        assert result.is_error
        with pytest.raises(mcp.MCPError, match=r"signUp\.nameText"):
            await client.call_tool("signUp.name", {})
        with pytest.raises(mcp.MCPError):
            await client.read_resource("offstage://document/nothing")


async def test_a_killed_core_is_restarted_by_a_tool(showcase: str) -> None:
    async with connect(showcase, "--root", "signUp") as client:
        await call(client, "signUp.nameText", value="Kim")
        os.kill(child(showcase), signal.SIGKILL)
        result = await client.call_tool("signUp.nameText", {"value": "Kim"})
        while not result.is_error:  # The signal is on its way.
            result = await client.call_tool("signUp.nameText", {"value": "Kim"})
        assert "SIGKILL" in text(result)
        assert await names(client) == ["restart"]
        assert await call(client, "restart") == {"revision": 1}
        await call(client, "signUp.nameText", value="Kim")


def child(program: str) -> int:
    """The process that runs `program` below this one."""
    for status in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            command = status.read_bytes().split(b"\0")[0].decode()
            pid = int(status.parent.name)
            if command == program and parent_of(pid) == os.getpid():
                return pid
        except (FileNotFoundError, ProcessLookupError):
            continue
    raise AssertionError("no core is running")


def parent_of(pid: int) -> int:
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])


async def test_a_session_is_recorded(showcase: str, tmp_path: Path) -> None:
    record = tmp_path / "agent.transcript"
    arguments = ["--root", "signUp", "--record", str(record)]
    async with connect(showcase, *arguments) as client:
        await call(client, "signUp.nameText", value="Kim")
    replay = await asyncio.create_subprocess_exec(showcase, "replay", str(record))
    assert await replay.wait() == 0
    assert '"nameText","value":"Kim"' in record.read_text()


async def test_a_client_hears_of_other_tools(showcase: str) -> None:
    async with (
        connect(showcase) as client,
        client.listen(tools_list_changed=True) as changes,
    ):
        await call(client, "select_tab", tab="pokedex")
        assert isinstance(await anext(aiter(changes)), ToolsListChanged)
        assert "pokedex.pokemonTapped" in await names(client)


async def test_a_client_of_the_older_era_hears_of_other_tools(showcase: str) -> None:
    changed = asyncio.Event()

    async def receive(message: IncomingMessage) -> None:
        if isinstance(message, ToolListChangedNotification):
            changed.set()

    options: dict[str, Any] = {"mode": "legacy", "message_handler": receive}
    async with connect(showcase, **options) as client:
        await call(client, "select_tab", tab="pokedex")
        await changed.wait()
        assert "pokedex.pokemonTapped" in await names(client)


@both
async def test_on_a_real_clock_a_tool_waits_for_what_it_starts(
    showcase: str, tmp_path: Path, mode: Mode
) -> None:
    async def elicit(
        context: ClientRequestContext, params: ElicitRequestParams
    ) -> ElicitResult:
        return ElicitResult(action="decline")

    def real(root: str) -> Client:
        arguments = ["--data", str(tmp_path), "--root", root]
        return Client(
            build(showcase, *arguments), mode=mode, elicitation_callback=elicit
        )

    async with real("placeSearch") as client:
        # The result comes after the debounce and the search.
        changed = await call(client, "placeSearch.queryText", value="royal")
        assert changed["settled"]
        assert await look(client, "/screens/1/output/results") != []
        assert "advance" not in await names(client)
    async with real("gallery") as client:
        # The work waits for the answer, and the tool for both.
        changed = await call(client, "gallery.alert", value="Sure?")
        assert changed["settled"]
        assert changed["prompts"] == {}


async def test_a_tool_does_not_wait_longer_than_it_may(
    showcase: str, tmp_path: Path
) -> None:
    arguments = ["--data", str(tmp_path), "--root", "placeSearch"]
    async with Client(build(showcase, *arguments, patience=0)) as client:
        changed = await call(client, "placeSearch.queryText", value="royal")
        assert not changed["settled"]
        assert changed["patch"][0]["value"] == "royal"


@both
async def test_a_canceled_call_cancels_its_work(
    showcase: str, tmp_path: Path, mode: Mode
) -> None:
    record = tmp_path / "agent.transcript"
    arguments = ["--data", str(tmp_path), "--root", "placeSearch"]
    server = build(showcase, *arguments, "--record", str(record))
    async with Client(server, mode=mode) as client:
        searching = asyncio.create_task(
            client.call_tool("placeSearch.queryText", {"value": "royal"})
        )
        while await document(client, "/screens/1/output/query") != "royal":
            pass
        searching.cancel()
        with pytest.raises(asyncio.CancelledError):
            await searching
        assert await look(client, "/screens/1/output/results") == []
    assert "$/cancelRequest" in record.read_text()


async def document(client: Client, path: str) -> Any:
    """Reads a part of the document without waiting for a tool at work."""
    uri = "offstage://document" + path
    [contents] = (await client.read_resource(uri, cache_mode="bypass")).contents
    assert isinstance(contents, TextResourceContents)
    return json.loads(contents.text)
