"""The tools that every app has: reading, navigation, prompts, and the clock."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Iterator, Sequence
from typing import Any

from offstage import JSON, Core, PointerError, Screen, pointer

from .prompts import answer_schema, send_answer
from .reading import Reading
from .tools import Action, Arguments, Mistake, Toolbox, make_tool

_LINK = "A URL of the app, such as "
_PATH: JSON = {
    "type": "string",
    "description": "A JSON Pointer into the document, such as /screens/1/output.",
}


class Commands:
    """Creates these tools from the document.

    Args:
        running: the replies to earlier calls whose work has not ended.
    """

    def __init__(
        self,
        core: Core,
        toolbox: Toolbox,
        running: Sequence[asyncio.Future[Any]],
        *,
        is_virtual: bool,
    ) -> None:
        self._core = core
        self._toolbox = toolbox
        self._running = running
        self._is_virtual = is_virtual

    def actions(self) -> Iterator[Action]:
        yield self._look()
        yield self._read()
        yield from self._navigation()
        yield from self._scroll()
        if self._core.document.prompts:
            yield self._answer()
        yield self._advance() if self._is_virtual else self._wait()

    def _look(self) -> Action:
        about = "Returns what the visible screens show, or one part of the document."
        tool = make_tool(
            "look", "Look", about, {"path": _PATH}, required=[], reads=True
        )
        return Action(tool, lambda _: self._core.settle(), self._seen)

    def _read(self) -> Action:
        about = (
            "Returns the visible screens as a person reads them: values with their units, rows,"
            " failures, and what can be pressed, in brackets."
        )
        tool = make_tool("read", "Read", about, {}, reads=True)
        return Action(
            tool, lambda _: self._core.settle(), lambda _: Reading(self._core).text()
        )

    def _seen(self, arguments: Arguments) -> JSON:
        document = self._core.document
        if "path" in arguments:
            path = str(arguments["path"])
            try:
                return pointer.resolve(document.value, path)
            except PointerError as error:
                raise Mistake(f"nothing at {path}: {error}") from error
        screens = {id: document.screens[id] for id in self._core.visible}
        return {**document.value, "screens": screens}

    def _navigation(self) -> Iterator[Action]:
        core = self._core
        yield Action(
            make_tool("back", "Go back", "Closes the topmost screen.", {}),
            lambda _: core.back(),
        )
        screen = {"type": "string", "description": "The id of a screen."}
        yield Action(
            make_tool(
                "dismiss",
                "Close",
                "Closes a sheet, cover, or modal.",
                {"screen": screen},
            ),
            lambda arguments: core.dismiss(screen=arguments["screen"]),
        )
        if links := core.handshake.raw.get("links"):
            patterns = ", ".join(link["pattern"] for link in links)
            url = {"type": "string", "description": _LINK + patterns}
            yield Action(
                make_tool("open", "Open a link", "Opens a link.", {"url": url}),
                lambda arguments: core.open(arguments["url"]),
            )
        if tabs := core.document.navigation["root"].get("tabs"):
            tab = {"type": "string", "enum": [tab["id"] for tab in tabs]}
            titles = ", ".join(f"{tab['id']}: {tab['title']}" for tab in tabs)
            about = f"Selects a tab: {titles}."
            yield Action(
                make_tool("select_tab", "Select a tab", about, {"tab": tab}),
                lambda arguments: core.select_tab(arguments["tab"]),
            )

    def _scroll(self) -> Iterator[Action]:
        """Yields the tool for lists that are longer than the document."""
        core = self._core
        lists = {
            f"{id}/{port.name}": (id, port.name)
            for id in core.visible
            for port in Screen(core, id).about.outputs.values()
            if port.is_window
        }
        if not lists:
            return

        async def scroll(arguments: Arguments) -> None:
            if arguments["list"] not in lists:
                raise Mistake(f"no list {arguments['list']}; there are {[*lists]}")
            screen, name = lists[arguments["list"]]
            await core.window(screen, name, arguments["first"], arguments["count"])
            await core.settle()

        position = {"type": "integer", "minimum": 0}
        count = {"type": "integer", "minimum": 1, "maximum": 1000}
        about = "Shows other rows of a long list: `count` of them, from position `first` on."
        names = {"type": "string", "enum": [*lists]}
        given = {"list": names, "first": position, "count": count}
        yield Action(make_tool("scroll", "Scroll", about, given), scroll)

    def _answer(self) -> Action:
        """Returns the tool for answers, with the schema of each open prompt."""
        description, prompts = self._core.description, self._core.document.prompts
        answers = [answer_schema(prompt, description) for prompt in prompts.values()]
        value, used = self._toolbox.bundle(
            answers[0] if len(answers) == 1 else {"anyOf": answers}
        )
        ids = {"type": "string", "enum": [*prompts]}
        tool = make_tool(
            "answer",
            "Answer",
            "Answers a prompt. Without a value, dismisses it.",
            {"prompt": ids, "value": value},
            required=["prompt"],
            definitions=used,
        )
        return Action(tool, self._reply)

    def _reply(self, arguments: Arguments) -> Awaitable[Any]:
        prompt = arguments["prompt"]
        if "value" not in arguments:
            return self._core.answer(prompt, dismissed=True)
        return send_answer(self._core, prompt, arguments["value"])

    def _advance(self) -> Action:
        about = "Advances the virtual clock, so that timers fire."
        time = {"type": "integer", "minimum": 0}
        return Action(
            make_tool("advance", "Advance the clock", about, {"milliseconds": time}),
            lambda arguments: self._core.advance(arguments["milliseconds"]),
        )

    def _wait(self) -> Action:
        async def ended(running: list[asyncio.Future[Any]]) -> None:
            # Canceling the wait must not cancel the work.
            if running:
                await asyncio.wait(running)

        about = "Waits until the work of earlier tools has ended, such as a reply."
        tool = make_tool("wait", "Wait", about, {})
        return Action(tool, lambda _: ended([*self._running]))
