"""The tools that an app offers: the inputs of its visible screens, and navigation."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, cast

from mcp.types import Tool, ToolAnnotations
from offstage import JSON, Core

_LIFECYCLE = {"didAppear", "didDisappear"}
_NOTHING: JSON = {"type": "object", "properties": {}, "additionalProperties": False}

CHANGES: JSON = {
    "type": "object",
    "properties": {
        "revision": {"type": "integer", "description": "The document's revision."},
        "visible": {
            "type": "array",
            "description": "The visible screens, the topmost first.",
            "items": {
                "type": "object",
                "properties": {"id": {"type": "string"}, "kind": {"type": "string"}},
                "required": ["id", "kind"],
            },
        },
        "patch": {
            "type": "array",
            "description": "What has changed in the document, as an RFC 6902 patch.",
            "items": {"type": "object"},
        },
        "events": {
            "type": "array",
            "description": "One-off notifications of screens.",
            "items": {"type": "object"},
        },
        "prompts": {
            "type": "object",
            "description": "Questions that wait for the tool `answer`, by id.",
        },
        "settled": {
            "type": "boolean",
            "description": "False if work that the tool has started still runs.",
        },
    },
    "required": ["revision", "visible", "patch", "events", "prompts", "settled"],
}


@dataclass(frozen=True)
class Action:
    """A tool, and the request that it makes of its arguments."""

    tool: Tool
    request: Callable[[Mapping[str, JSON]], asyncio.Future[Any]]


class Toolbox:
    """Derives the tools from the document and the app's description."""

    def __init__(self, core: Core, description: JSON, *, is_virtual: bool) -> None:
        self._core = core
        self._screens: Mapping[str, JSON] = description.get("x-screens", {})
        self._components = description.get("components", {}).get("schemas", {})
        self._is_virtual = is_virtual

    def actions(self) -> dict[str, Action]:
        """Returns the tools of this moment, by name."""
        actions: dict[str, Action] = {}
        for action in [*self._inputs(), *self._general()]:
            actions.setdefault(action.tool.name, action)
        return actions

    def _inputs(self) -> Iterator[Action]:
        """The inputs of each visible screen, as `kind.input`.

        If two screens of a kind are visible, the lower one's have its id in the name.
        """
        kinds: set[str] = set()
        for id in self._core.visible:
            kind = self._core.document.screens[id]["kind"]
            prefix = f"{kind}.{id}" if kind in kinds else kind
            kinds.add(kind)
            for name, schema in self._screens.get(kind, {}).get("inputs", {}).items():
                if name not in _LIFECYCLE and schema.get("x-role") != "lifecycle":
                    yield self._input(f"{prefix}.{name}", id, kind, name, schema)

    def _input(
        self, tool: str, screen: str, kind: str, name: str, schema: JSON
    ) -> Action:
        def send(arguments: Mapping[str, JSON]) -> asyncio.Future[Any]:
            # On a virtual clock, timers wait for a later `advance`.
            value, settle = arguments.get("value"), not self._is_virtual
            return self._core.input(screen, name, value, settle=settle)

        title = schema.get("title") or words(name)
        about = schema.get("description") or f"Input {name} of the screen {kind}."
        parameters = self._with_value(schema)
        return Action(_tool(tool, title, about, parameters), send)

    def _with_value(self, schema: JSON) -> JSON:
        about = {"title", "description"}
        if all(key in about or key.startswith("x-") for key in schema):
            return _NOTHING
        used: dict[str, JSON] = {}
        value = self._bundle(schema, used)
        parameters = {**_NOTHING, "properties": {"value": value}, "required": ["value"]}
        return {**parameters, "$defs": used} if used else parameters

    def _bundle(self, schema: JSON, used: dict[str, JSON]) -> JSON:
        """Copies a schema, with references to `used`, which gets what they name."""
        match schema:
            case {"$ref": str(reference)}:
                name = reference.rpartition("/")[2]
                if name not in used:
                    used[name] = {}
                    used[name] = self._bundle(self._components[name], used)
                return {"$ref": f"#/$defs/{name}"}
            case dict():
                members = cast("dict[str, JSON]", schema)
                return {key: self._bundle(members[key], used) for key in members}
            case list():
                return [self._bundle(each, used) for each in cast("list[JSON]", schema)]
            case _:
                return schema

    def _general(self) -> Iterator[Action]:
        core = self._core
        yield Action(
            _tool(
                "look", "Look", "Returns a part of the document.", _object(path=_PATH)
            ),
            lambda _: core.settle(),
        )
        yield Action(
            _tool("back", "Go back", "Removes the topmost screen."),
            lambda _: core.back(),
        )
        yield Action(
            _tool(
                "dismiss",
                "Close",
                "Closes a sheet, cover, or modal.",
                _object(screen=_ID),
            ),
            lambda arguments: core.dismiss(screen=arguments["screen"]),
        )
        yield Action(
            _tool("open", "Open a link", "Opens a URL of the app.", _object(url=_URL)),
            lambda arguments: core.open(arguments["url"]),
        )
        if tabs := core.document.navigation["root"].get("tabs"):
            tab = {"type": "string", "enum": [tab["id"] for tab in tabs]}
            yield Action(
                _tool("select_tab", "Select a tab", "Selects a tab.", _object(tab=tab)),
                lambda arguments: core.select_tab(arguments["tab"]),
            )
        if core.document.prompts:
            prompt = {"type": "string", "enum": [*core.document.prompts]}
            about = "Answers a prompt; without a value, dismisses it."
            schema = _object(prompt=prompt)
            schema["properties"]["value"] = {"description": "The answer."}
            yield Action(_tool("answer", "Answer", about, schema), self._answer)
        if self._is_virtual:
            about = "Advances the virtual clock, so timers fire."
            schema = _object(milliseconds={"type": "integer", "minimum": 0})
            yield Action(
                _tool("advance", "Advance the clock", about, schema),
                lambda arguments: core.advance(arguments["milliseconds"]),
            )

    def _answer(self, arguments: Mapping[str, JSON]) -> asyncio.Future[Any]:
        dismissed = "value" not in arguments
        return self._core.answer(
            arguments["prompt"], arguments.get("value"), dismissed=dismissed
        )


_ID: JSON = {"type": "string", "description": "The id of a screen."}
_URL: JSON = {"type": "string"}
_PATH: JSON = {
    "type": "string",
    "description": "A JSON Pointer, such as /screens/1/output; empty for all of it.",
}


def words(name: str) -> str:
    """`placeTapped` becomes `Place tapped`."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", name).capitalize()


def _object(**properties: JSON) -> Any:
    return {**_NOTHING, "properties": properties, "required": list(properties)}


def _tool(name: str, title: str, about: str, schema: JSON = _NOTHING) -> Tool:
    reads = name == "look"
    return Tool(
        name=name,
        title=title,
        description=about,
        input_schema=schema,
        output_schema=None if reads else CHANGES,
        annotations=ToolAnnotations(read_only_hint=reads, open_world_hint=False),
    )
