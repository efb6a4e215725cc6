"""Sends the agent's requests, and reports changes."""

from __future__ import annotations

import asyncio
import json
from dataclasses import asdict, dataclass, field
from typing import Any

from mcp.types import CallToolResult, TextContent
from offstage import JSON, Core, Event, PendingWork, RPCError

from .changes import difference, shorten
from .commands import Commands
from .tools import Action, Arguments, Toolbox

# About 25,000 tokens, the most that agents read of a result.
LIMIT = 100_000
# Seconds between two looks at work that goes on.
PAUSE = 0.05


@dataclass
class Call:
    """A running tool.

    Attributes:
        reply: answered once the core has settled.
        id: the id of the request; None if there is none.
        asked: the prompts that the user has already been asked.
    """

    action: Action
    arguments: Arguments
    reply: asyncio.Future[Any]
    id: int | None = None
    asked: set[str] = field(default_factory=set[str])


class Driver:
    """Runs the calls of an agent on a core, from the core's start to its end.

    Args:
        patience: how many seconds to wait for the work that a call starts.
    """

    def __init__(self, core: Core, patience: float) -> None:
        self._is_virtual = is_virtual = core.handshake.raw.get("clock") == "virtual"
        toolbox = Toolbox(core)
        self._core = core
        self._patience = patience
        self._running: list[asyncio.Future[Any]] = []
        self._commands = Commands(core, toolbox, self._running, is_virtual=is_virtual)
        self._toolbox = toolbox
        self._frames = core.frames()
        self._reported: JSON = core.document.value

    def actions(self) -> dict[str, Action]:
        """Returns the current tools, by name."""
        actions = [*self._toolbox.actions(), *self._commands.actions()]
        return {action.tool.name: action for action in actions}

    def begin(self, action: Action, arguments: Arguments) -> Call:
        """Sends the request of a tool."""
        action.check(arguments)
        before = self._core.last_id
        reply = asyncio.ensure_future(action.request(arguments))
        id = self._core.last_id
        self._running.append(reply)
        reply.add_done_callback(self._end)
        # A prompt that the call answers is not asked again.
        asked = {str(arguments.get("prompt"))}
        return Call(action, arguments, reply, id if id != before else None, asked)

    def _end(self, reply: asyncio.Future[Any]) -> None:
        self._running.remove(reply)
        if not reply.cancelled():
            # The call may have returned without awaiting the error.
            reply.exception()

    async def wait(self, call: Call) -> None:
        """Waits until the work has ended, asks a question, or takes too long."""
        asking = asyncio.create_task(self._core.until(lambda: self.open(call)))
        try:
            async with asyncio.timeout(self._patience):
                await asyncio.wait(
                    {call.reply, asking}, return_when=asyncio.FIRST_COMPLETED
                )
                await self._core.settle()
                if call.reply.done():
                    call.reply.result()
                while not asking.done() and await self._work(call):
                    await asyncio.sleep(PAUSE)
        except TimeoutError:
            pass
        except asyncio.CancelledError:
            call.reply.cancel()
            raise
        finally:
            asking.cancel()

    async def _work(self, call: Call) -> list[PendingWork]:
        """Returns the work of a call that goes on, such as a reply that arrives in pieces.

        On a virtual clock, it goes on with an `advance`.
        """
        if self._is_virtual:
            return []
        work = await self._core.pending_work()
        kinds = ("effect", "timer")
        return [each for each in work if each.cause == call.id and each.kind in kinds]

    def open(self, call: Call) -> dict[str, JSON]:
        """Returns the visible prompts that the user has not been asked yet."""
        prompts = self._core.open_prompts
        return {id: prompts[id] for id in prompts if id not in call.asked}

    async def result(self, call: Call) -> CallToolResult:
        """Returns the changes since the previous result, or what the call reads."""
        document = self._core.document
        if call.action.read:
            self._reported = document.value
            return answer(_within(LIMIT, call.action.read(call.arguments)))
        # The core answers at once, after the frames that the request has caused.
        settled, pending = call.reply.done() and not await self._work(call), []
        if not settled:
            work = await self._core.pending_work()
            pending = [asdict(each) for each in work if each.kind != "request"]
        edits = difference(self._reported, document.value)
        self._reported = document.value
        patch, omitted = shorten(edits, LIMIT)
        news = [event for frame in self._frames.pending() for event in frame.events]
        changes: dict[str, JSON] = {
            "revision": document.revision,
            "screens": [self._screen(id) for id in self._core.visible],
            "patch": patch,
            "events": [self._event(event) for event in news],
            "prompts": document.prompts,
            "settled": settled,
        }
        if omitted:
            changes["omitted"] = omitted
        if pending:
            changes["pending"] = pending
        return answer(changes)

    def _event(self, event: Event[JSON]) -> JSON:
        """Writes an event: that of a failure or a notice with its message, and what it offers."""
        said: dict[str, JSON] = {
            "screen": event.screen,
            "name": event.name,
            "value": event.value,
        }
        _, port = self._core.source(event) or (None, None)
        if port and port.role in ("failure", "notice"):
            said["message"] = port.message(event.value)
            if offers := port.offers(event.value):
                said["offers"] = offers
        return said

    def _screen(self, id: str) -> JSON:
        kind = self._core.document.screens[id]["kind"]
        title = self._core.description.screens[kind].title
        return {"id": id, "kind": kind, "title": title}


def answer(value: dict[str, JSON]) -> CallToolResult:
    """Returns a result as JSON, and as text for agents that read only that."""
    text = json.dumps(value, ensure_ascii=False)
    return CallToolResult(
        content=[TextContent(type="text", text=text)], structured_content=value
    )


def failure(error: Exception) -> CallToolResult:
    """Returns an error for the agent to read and correct."""
    text = str(error)
    if isinstance(error, RPCError) and error.data is not None:
        text += "\n" + json.dumps(error.data, ensure_ascii=False)
    return CallToolResult(content=[TextContent(type="text", text=text)], is_error=True)


def _within(limit: int, value: JSON) -> dict[str, JSON]:
    """Returns a value, or instructions to read it in parts if it is too long."""
    length = len(json.dumps(value, ensure_ascii=False))
    if length <= limit:
        return {"value": value}
    if isinstance(value, str):
        return {"length": length, "limit": limit, "start": value[:limit]}
    names: list[JSON] = list(value)
    parts = f"/0 to /{len(names) - 1}" if isinstance(value, list) else names
    return {"length": length, "limit": limit, "parts": parts}
