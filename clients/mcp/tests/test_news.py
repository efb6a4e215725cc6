"""Notifications: changed tools, changed resources, and the log."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from mcp import Client, MCPError
from mcp.client import IncomingMessage
from mcp.server.session import ServerSession
from mcp.server.subscriptions import ResourceUpdated, ToolsListChanged
from mcp.types import (
    LoggingMessageNotificationParams,
    ResourceListChangedNotification,
    ResourceUpdatedNotification,
    ToolListChangedNotification,
)
from offstage import JSON

from offstage_mcp.news import FOLLOWED
from offstage_mcp.resources import Resources

from .support import Mode, both, call, connect, names

NAME = "offstage://document/screens/1/fields/nameText"
EMAIL = "offstage://document/screens/1/fields/emailText"


async def test_a_client_learns_of_other_tools(showcase: str) -> None:
    async with (
        connect(showcase) as client,
        client.listen(tools_list_changed=True) as changes,
    ):
        await call(client, "select_tab", tab="pokedex")
        assert isinstance(await anext(aiter(changes)), ToolsListChanged)
        assert "pokedex-pokemonTapped" in await names(client)


async def test_a_client_learns_of_resources_that_it_follows(showcase: str) -> None:
    async with (
        connect(showcase, "--root", "signUp") as client,
        client.listen(resource_subscriptions=[NAME]) as changes,
    ):
        await call(client, "signUp-emailText", value="kim@example.com")
        await call(client, "signUp-nameText", value="Kim")
        assert await anext(aiter(changes)) == ResourceUpdated(NAME)


class OlderClient:
    """A client of the older protocol era, which gets notifications at any time."""

    def __init__(self, showcase: str, *arguments: str) -> None:
        self._messages: asyncio.Queue[IncomingMessage] = asyncio.Queue()
        options: dict[str, Any] = {
            "mode": "legacy",
            "message_handler": self._messages.put,
        }
        self.connection = connect(showcase, *arguments, **options)

    async def until(self, kind: type[IncomingMessage]) -> Any:
        while not isinstance(message := await self._messages.get(), kind):
            pass
        return message


async def test_an_older_client_learns_of_other_tools_and_resources(
    showcase: str,
) -> None:
    older = OlderClient(showcase)
    async with older.connection as client:
        await call(client, "select_tab", tab="library")
        await older.until(ToolListChangedNotification)
        await older.until(ResourceListChangedNotification)
        assert "library-cardTapped" in await names(client)


async def test_an_older_client_learns_of_resources_that_it_follows(
    showcase: str,
) -> None:
    older = OlderClient(showcase, "--root", "signUp")
    async with older.connection as client:
        await client.subscribe_resource(NAME)  # pyright: ignore[reportDeprecated]
        await client.subscribe_resource(EMAIL)  # pyright: ignore[reportDeprecated]
        await client.unsubscribe_resource(NAME)  # pyright: ignore[reportDeprecated]
        await call(client, "signUp-nameText", value="Kim")
        await call(client, "signUp-emailText", value="kim@example.com")
        updated = await older.until(ResourceUpdatedNotification)
        assert updated.params.uri == EMAIL


@both
async def test_the_log_arrives_before_the_result_that_it_explains(
    showcase: str, mode: Mode, monkeypatch: pytest.MonkeyPatch
) -> None:
    send = ServerSession.send_log_message  # pyright: ignore[reportDeprecated]

    async def send_slowly(self: ServerSession, *arguments: Any) -> None:
        for _ in range(100):
            await asyncio.sleep(0)
        await send(self, *arguments)

    monkeypatch.setattr(ServerSession, "send_log_message", send_slowly)
    log: list[LoggingMessageNotificationParams] = []

    async def receive(params: LoggingMessageNotificationParams) -> None:
        log.append(params)

    options: dict[str, Any] = {
        "mode": mode,
        "logging_callback": receive,
        "log_level": "info",
    }
    async with connect(showcase, "--root", "map", **options) as client:
        log.clear()
        await call(client, "map-searchBarTapped")
        assert ("info", "placeSearch.created") in [
            (entry.level, entry.data["message"]) for entry in log
        ]


async def test_an_older_client_sets_the_level_of_the_log(showcase: str) -> None:
    log: list[LoggingMessageNotificationParams] = []

    async def receive(params: LoggingMessageNotificationParams) -> None:
        log.append(params)

    options: dict[str, Any] = {"mode": "legacy", "logging_callback": receive}
    async with connect(showcase, "--root", "map", **options) as client:
        assert isinstance(client, Client)
        await client.set_logging_level("error")  # pyright: ignore[reportDeprecated]
        log.clear()
        await call(client, "map-searchBarTapped")
        assert log == []


async def test_followed_resources_are_bounded(showcase: str) -> None:
    older = OlderClient(showcase, "--root", "signUp")
    async with older.connection as client:
        for index in range(FOLLOWED):
            await client.subscribe_resource(f"{NAME}/{index}")  # pyright: ignore[reportDeprecated]
        with pytest.raises(MCPError, match="1000 resources are followed already"):
            await client.subscribe_resource(NAME)  # pyright: ignore[reportDeprecated]
        with pytest.raises(MCPError, match="longer than 2000 characters"):
            await client.subscribe_resource(NAME + "/" * 2000)  # pyright: ignore[reportDeprecated]
        await client.unsubscribe_resource(f"{NAME}/0")  # pyright: ignore[reportDeprecated]
        await client.subscribe_resource(NAME)  # pyright: ignore[reportDeprecated]
        await call(client, "signUp-nameText", value="Kim")
        updated = await older.until(ResourceUpdatedNotification)
        assert updated.params.uri == NAME


async def test_following_a_resource_reads_no_others(
    showcase: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    reads = 0
    part = Resources.part

    def counted(self: Resources, uri: str) -> JSON:
        nonlocal reads
        reads += 1
        return part(self, uri)

    monkeypatch.setattr(Resources, "part", counted)
    older = OlderClient(showcase, "--root", "signUp")
    async with older.connection as client:
        for index in range(300):
            await client.subscribe_resource(f"{NAME}/{index}")  # pyright: ignore[reportDeprecated]
        assert reads <= 600
