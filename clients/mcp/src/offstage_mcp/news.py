"""Notifies the client of changed tools, changed resources, and the log."""

from __future__ import annotations

import asyncio
from collections import Counter, deque
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import cast, get_args

from mcp import MCPError
from mcp.server.session import ServerSession
from mcp.server.subscriptions import (
    ResourcesListChanged,
    ResourceUpdated,
    ServerEvent,
    SubscriptionBus,
    ToolsListChanged,
)
from mcp.types import INVALID_PARAMS, LoggingLevel
from mcp_types.version import MODERN_PROTOCOL_VERSIONS
from offstage import JSON, Core, CoreStopped, LogEntry

from .resources import Resources, UnknownResource

# The maximum number of resources to follow, since every change compares all of them.
FOLLOWED = 1000
# The maximum length of a URI to follow.
LENGTH = 2000
_LEVELS: tuple[LoggingLevel, ...] = get_args(LoggingLevel)


@dataclass
class _State:
    """The tools and resources that a client may have read."""

    tools: JSON
    resources: list[str]
    contents: dict[str, JSON]


class News:
    """Compares what a client may have read with the core's current state.

    A client of the older protocol era gets notifications at any time. A newer one gets
    those that it subscribes to, and the log while one of its calls runs.

    Attributes:
        level: the lowest level of log entries that a client of the older era gets.
    """

    def __init__(self, core: Core, resources: Resources, bus: SubscriptionBus) -> None:
        self._core = core
        self._resources = resources
        self._bus = bus
        self._session: ServerSession | None = None
        self._followed: Counter[str] = Counter()
        self._tasks: list[asyncio.Task[None]] = []
        self._unsent: deque[LogEntry] = deque()
        self._logging = asyncio.Lock()
        self.level: LoggingLevel = "info"

    def start(self) -> None:
        """Watches the core until it ends."""
        watching, self._entries = self._core.watching(self._state), self._core.log()
        self._last = self._state()

        async def watch() -> None:
            try:
                async for state in watching:
                    last, self._last = self._last, state
                    await self._compare(last, state)
            except CoreStopped:
                await self.all_changed()

        async def forward() -> None:
            try:
                async for entry in self._entries:
                    await self._log([entry])
            except CoreStopped as error:
                await self._log([LogEntry("error", str(error))])

        self._tasks = [asyncio.create_task(watch()), asyncio.create_task(forward())]

    def stop(self) -> None:
        for task in self._tasks:
            task.cancel()

    def connect(self, session: ServerSession) -> None:
        """Sends notifications to this session, if it is of the older era."""
        if session.protocol_version not in MODERN_PROTOCOL_VERSIONS:
            self._session = session

    @asynccontextmanager
    async def during(self, session: ServerSession) -> AsyncGenerator[None]:
        """Sends the log to the session during a call, and finishes before the result."""
        self._session = session
        try:
            yield
        finally:
            await self._log(self._entries.pending())
            if session.protocol_version in MODERN_PROTOCOL_VERSIONS:
                self._session = None

    def follow(self, uri: str) -> None:
        """Reports changes of a resource.

        Raises:
            MCPError: the URI is too long, or too many are followed.
        """
        if len(uri) > LENGTH:
            raise MCPError(
                INVALID_PARAMS, f"the URI is longer than {LENGTH} characters"
            )
        if uri not in self._followed and len(self._followed) >= FOLLOWED:
            raise MCPError(INVALID_PARAMS, f"{FOLLOWED} resources are followed already")
        self._followed[uri] += 1
        self._last.contents[uri] = self._read(uri)

    def unfollow(self, uri: str) -> None:
        if self._followed[uri] > 1:
            self._followed[uri] -= 1
        else:
            del self._followed[uri]
            self._last.contents.pop(uri, None)

    async def all_changed(self) -> None:
        """Reports that all tools and resources changed: the core has started or ended."""
        await self._publish(ToolsListChanged())
        await self._publish(ResourcesListChanged())
        for uri in [*self._followed]:
            await self._publish(ResourceUpdated(uri))

    def _state(self) -> _State:
        document = self._core.document
        screens = [(id, document.screens[id]["kind"]) for id in self._core.visible]
        uris = [*document.screens, *self._resources.files()]
        return _State(
            [screens, [*document.prompts]],
            uris,
            {uri: self._read(uri) for uri in self._followed},
        )

    def _read(self, uri: str) -> JSON:
        try:
            return self._resources.part(uri)
        except UnknownResource:
            return None

    async def _compare(self, old: _State, new: _State) -> None:
        if old.tools != new.tools:
            await self._publish(ToolsListChanged())
        if old.resources != new.resources:
            await self._publish(ResourcesListChanged())
        for uri, value in old.contents.items():
            if uri in new.contents and new.contents[uri] != value:
                await self._publish(ResourceUpdated(uri))

    async def _publish(self, event: ServerEvent) -> None:
        await self._bus.publish(event)
        session = self._session
        if not session or session.protocol_version in MODERN_PROTOCOL_VERSIONS:
            return
        match event:
            case ToolsListChanged():
                await session.send_tool_list_changed()
            case ResourceUpdated(uri):
                await session.send_resource_updated(uri)
            case _:
                await session.send_resource_list_changed()

    async def _log(self, entries: list[LogEntry]) -> None:
        """Sends entries, and what still waits, in order."""
        self._unsent += entries
        async with self._logging:
            while self._unsent:
                await self._send(self._unsent.popleft())

    async def _send(self, entry: LogEntry) -> None:
        session, level = self._session, cast(LoggingLevel, entry.level)
        if not session or level not in _LEVELS:
            return
        is_modern = session.protocol_version in MODERN_PROTOCOL_VERSIONS
        if is_modern or _LEVELS.index(level) >= _LEVELS.index(self.level):
            data = {"message": entry.message, "screen": entry.screen}
            # The package sends a newer client only what its call has asked for.
            await session.send_log_message(level, data, "core")  # pyright: ignore[reportDeprecated]
