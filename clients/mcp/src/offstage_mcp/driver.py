"""Makes a request for the agent, and sees what it changes."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from mcp.types import CallToolResult, TextContent
from offstage import JSON, Core, Frames, RPCError

from .tools import Action


@dataclass
class Call:
    """A tool at work.

    Attributes:
        reply: answered once the work has ended.
        frames: what has happened since it began.
        asked: the prompts that the user has been asked already.
    """

    reply: asyncio.Future[Any]
    frames: Frames
    asked: set[str] = field(default_factory=set[str])


class Driver:
    """Runs the calls of an agent.

    Args:
        patience: how many seconds to wait for the work that a call starts.
    """

    def __init__(self, core: Core, patience: float) -> None:
        self._core = core
        self._patience = patience

    def begin(self, action: Action, arguments: Mapping[str, JSON]) -> Call:
        """Makes the request of a tool."""
        frames = self._core.frames()
        reply = action.request(arguments)
        # A call may return before its work has ended, and nobody awaits the reply then.
        reply.add_done_callback(lambda reply: reply.cancelled() or reply.exception())
        return Call(reply, frames)

    async def wait(self, call: Call) -> None:
        """Waits until the work has ended, or asks something, or takes too long."""
        asking = asyncio.create_task(self._core.until(lambda: self.open(call)))
        try:
            await asyncio.wait(
                {call.reply, asking},
                timeout=self._patience,
                return_when=asyncio.FIRST_COMPLETED,
            )
            if call.reply.done():
                call.reply.result()
            await self._core.settle()
        except asyncio.CancelledError:
            call.reply.cancel()
            raise
        finally:
            asking.cancel()

    def open(self, call: Call) -> dict[str, JSON]:
        """Returns the prompts that the user has not been asked yet."""
        prompts = self._core.document.prompts
        return {id: prompts[id] for id in prompts if id not in call.asked}

    def result(self, call: Call) -> CallToolResult:
        """Says what has changed."""
        document, frames = self._core.document, call.frames.pending()
        return answer(
            {
                "revision": document.revision,
                "visible": [
                    {"id": id, "kind": document.screens[id]["kind"]}
                    for id in self._core.visible
                ],
                "patch": [edit for frame in frames for edit in frame.patch],
                "events": [
                    {"screen": event.screen, "name": event.name, "value": event.value}
                    for frame in frames
                    for event in frame.events
                ],
                "prompts": document.prompts,
                "settled": call.reply.done(),
            }
        )


def answer(value: dict[str, JSON]) -> CallToolResult:
    """A result, as JSON and as text for agents that read only that."""
    text = json.dumps(value, ensure_ascii=False)
    return CallToolResult(
        content=[TextContent(type="text", text=text)], structured_content=value
    )


def failure(error: Exception) -> CallToolResult:
    """An error that the agent reads and corrects."""
    text = str(error)
    if isinstance(error, RPCError) and error.data is not None:
        text += "\n" + json.dumps(error.data, ensure_ascii=False)
    return CallToolResult(content=[TextContent(type="text", text=text)], is_error=True)
