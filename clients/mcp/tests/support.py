"""Connects an agent to the reference app, with the official client."""

from __future__ import annotations

import json
import os
import signal
import sys
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any, Literal

import pytest
from mcp import Client, StdioServerParameters
from mcp.types import CallToolResult, TextContent, TextResourceContents

from offstage_mcp import build

Mode = Literal["legacy", "auto"]
both = pytest.mark.parametrize("mode", ["legacy", "auto"])


def connect(
    showcase: str, *arguments: str, **options: Any
) -> AbstractAsyncContextManager[Client]:
    """Connects to a server in this process, with an app on a virtual clock."""
    return Client(build(showcase, "--deterministic", *arguments), **options)


def connect_by_pipe(
    showcase: str, *arguments: str, **options: Any
) -> AbstractAsyncContextManager[Client]:
    """Connects to a server in its own process, as agents do."""
    command = ["-m", "offstage_mcp", showcase, "--deterministic", *arguments]
    server = StdioServerParameters(command=sys.executable, args=command)
    return Client(server, **options)


async def names(client: Client) -> list[str]:
    return [tool.name for tool in (await client.list_tools(cache_mode="bypass")).tools]


async def call(client: Client, name: str, **arguments: Any) -> dict[str, Any]:
    """Calls a tool, and returns the changes after comparing them with the text."""
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


def kill(program: str) -> None:
    """Kills the descendant of this process that runs `program`."""
    for status in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            command = status.read_bytes().split(b"\0")[0].decode()
            pid = int(status.parent.name)
            if command == program and _parent_of(pid) == os.getpid():
                os.kill(pid, signal.SIGKILL)
                return
        except (FileNotFoundError, ProcessLookupError):
            continue
    raise AssertionError(f"{program} does not run")


def _parent_of(pid: int) -> int:
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])


async def document(client: Client, path: str) -> Any:
    """Reads a part of the document without waiting for a running tool."""
    uri = "offstage://document" + path
    [contents] = (await client.read_resource(uri, cache_mode="bypass")).contents
    assert isinstance(contents, TextResourceContents)
    return json.loads(contents.text)
