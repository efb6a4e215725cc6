"""The tools that an app offers: the inputs of its visible screens, and of their parts."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, cast

from mcp.types import Tool, ToolAnnotations
from offstage import JSON, Core, Port, read_file

from .owners import Owner, owners
from .prompts import file_schema

Arguments = Mapping[str, JSON]

# Phrases for the descriptions of tools.
_IN_WORDS = {
    "title",
    "description",
    "x-role",
    "x-rows",
    "x-enabledBy",
    "x-secret",
}

CHANGES: JSON = {
    "type": "object",
    "properties": {
        "revision": {"type": "integer"},
        "screens": {"type": "array", "items": {"type": "object"}},
        "patch": {"type": "array", "items": {"type": "object"}},
        "omitted": {"type": "array", "items": {"type": "string"}},
        "events": {"type": "array", "items": {"type": "object"}},
        "prompts": {"type": "object"},
        "settled": {"type": "boolean"},
        "pending": {"type": "array", "items": {"type": "object"}},
    },
    "required": ["revision", "screens", "patch", "events", "prompts", "settled"],
}


class Mistake(Exception):
    """A call that the agent must correct."""


@dataclass(frozen=True)
class Action:
    """A tool, and the request that it makes.

    Attributes:
        read: returns the result. If None, the result is the changes.
    """

    tool: Tool
    request: Callable[[Arguments], Awaitable[Any]]
    read: Callable[[Arguments], JSON] | None = None

    def check(self, arguments: Arguments) -> None:
        """Raises `Mistake` if an argument is missing or unknown.

        The core checks the values.
        """
        schema = self.tool.input_schema
        known: list[str] = list(schema["properties"])
        for name in arguments:
            if name not in known:
                takes = ", ".join(known) or "no arguments"
                raise Mistake(
                    f'unknown argument "{name}"; {self.tool.name} takes {takes}'
                )
        for name in schema["required"]:
            if name not in arguments:
                raise Mistake(f'missing argument "{name}"')


def make_tool(
    name: str,
    title: str,
    about: str,
    properties: JSON,
    *,
    required: list[str] | None = None,
    definitions: JSON = None,
    reads: bool = False,
    idempotent: bool | None = None,
    destructive: bool | None = None,
) -> Tool:
    """Creates a tool. All arguments are required unless `required` lists some."""
    schema: JSON = {
        "type": "object",
        "properties": properties,
        "required": list(properties) if required is None else required,
        "additionalProperties": False,
    }
    return Tool(
        name=name,
        title=title,
        description=about,
        input_schema={**schema, "$defs": definitions} if definitions else schema,
        output_schema=None if reads else CHANGES,
        annotations=ToolAnnotations(
            read_only_hint=reads,
            idempotent_hint=idempotent,
            destructive_hint=destructive,
            open_world_hint=False,
        ),
    )


class Toolbox:
    """Derives tools from the document and the app's description.

    A tool's text does not depend on the screen's content, so an agent can keep the list
    while the screen is visible.
    """

    def __init__(self, core: Core) -> None:
        self._core = core

    def actions(self) -> Iterator[Action]:
        """Yields the inputs of the visible screens, of their parts, and of the app."""
        for owner in owners(self._core):
            for port in owner.about.inputs.values():
                # The client reports appearances. Seeing more rows is the agent's choice.
                if port.role != "lifecycle" or port.when == "end":
                    yield self._input(owner, port)

    def bundle(self, schema: JSON) -> tuple[JSON, JSON]:
        """Returns a schema, and the named types that it refers to as `#/$defs/NAME`."""
        components = self._core.description.raw["components"]["schemas"]
        used: dict[str, JSON] = {}

        def copy(part: JSON) -> JSON:
            match part:
                case {"$ref": str(reference)}:
                    name = reference.rpartition("/")[2]
                    if name not in used:
                        used[name] = {}
                        used[name] = copy(components[name])
                    return {"$ref": f"#/$defs/{name}"}
                case dict():
                    members = cast("dict[str, JSON]", part)
                    # A discriminator refers to the types by their original location.
                    return {
                        k: copy(v) for k, v in members.items() if k != "discriminator"
                    }
                case list():
                    return [copy(each) for each in cast("list[JSON]", part)]
                case _:
                    return part

        return copy(schema), used

    def _input(self, owner: Owner, port: Port) -> Action:
        name = re.sub(r"[^A-Za-z0-9_-]", "_", f"{owner.prefix}-{port.name}")

        def request(arguments: Arguments) -> Awaitable[Any]:
            path = owner.only_path or str(arguments.get("part", "")).strip("/")
            for word, condition in (
                ("disabled", port.enabled_by),
                ("hidden", port.visible_by),
            ):
                if condition and owner.read(self._core, path, condition) is False:
                    output = owner.output(condition)
                    why = owner.about.outputs[condition].description
                    sentence = f"{name} is {word} while {output} is false"
                    raise Mistake(f"{sentence}: {why}" if why else sentence)
            input = f"{path}/{port.name}" if path else port.name
            value = arguments.get("value")
            if port.role == "file":
                value = read_file(str(arguments.get("path", "")), port.accepts)
            return self._core.input(owner.screen, input, value, settle=True)

        properties, used = {}, None
        if owner.paths and not owner.only_path:
            properties["part"] = _part(owner)
        # A role that this server does not know takes what its schema says.
        if port.role == "file":
            properties["path"] = file_schema(port.accepts)
        elif (
            port.role not in ("trigger", "lifecycle")
            and port.schema.get("type") != "null"
        ):
            schema = owner.raw["inputs"][port.name]
            rest = {key: value for key, value in schema.items() if key not in _IN_WORDS}
            properties["value"], used = self.bundle(rest)
        return Action(
            make_tool(
                name,
                port.title,
                _words(owner, port),
                properties,
                definitions=used,
                idempotent=port.role in ("text", "choice", "toggle") or None,
                destructive=port.weight == "destructive" or None,
            ),
            request,
        )


def _part(owner: Owner) -> JSON:
    paths = " or ".join(owner.paths)
    about = f"The path of the part: {paths}."
    if owner.has_ids:
        about += " In an id, ~ is written ~0, and / is written ~1."
    return {"type": "string", "description": about}


def _words(owner: Owner, port: Port) -> str:
    """Describes the purpose of an input."""
    title = owner.about.title
    words = [f"{title}: {port.description or port.title}".rstrip(".") + "."]
    if port.name in owner.about.fields:
        words.append(f"Its value and error are at {owner.field(port.name)}.")
        if port.is_secret:
            words.append("The value is masked there.")
    if port.rows:
        words.append(_rows(owner, port))
    if port.role == "hidden":
        words.append("Front ends do not show it.")
    if port.enabled_by:
        words.append(f"Enabled while {owner.output(port.enabled_by)} is true.")
    if port.visible_by:
        words.append(f"Shown while {owner.output(port.visible_by)} is true.")
    for about in owner.about.outputs.values():
        if port.name in about.actions:
            words.append(f"Offered with {owner.output(about.name)}.")
    return " ".join(words)


def _rows(owner: Owner, port: Port) -> str:
    """Describes the rows that an input takes."""
    lists = " or ".join(owner.output(rows.list) for rows in port.rows)
    if port.role == "lifecycle":
        return f"Loads more rows of {lists}."
    first = port.rows[0]
    if first.members:
        paths = [
            f"{name} from {owner.output(path)}" for name, path in first.members.items()
        ]
        words = f"Takes members of one row: {', '.join(paths)}."
        if first.before:
            words += f" {first.before} is that of the row below its new place; null at the end."
        return words
    return f"Takes {f'the {first.member} of a row' if first.member else 'a row'} of {lists}."
