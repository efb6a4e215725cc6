"""Answers to prompts: their schemas, and how they reach the core."""

from __future__ import annotations

from collections.abc import Awaitable, Mapping
from typing import Any

from offstage import (
    JSON,
    Core,
    Description,
    OffstageError,
    Prompt,
    downloads,
    read_file,
    save_file,
)

# What only a device can do. The user answers those that `--announce` names.
DEVICE = (
    "location.current",
    "notifications.authorize",
    "notifications.schedule",
    "notifications.status",
)


async def refuse(_: Prompt[Any]) -> JSON:
    """Answers a prompt for a device."""
    raise OffstageError("An assistant uses the app, and has no device for this.")


def file_schema(accepts: Mapping[str, Any]) -> JSON:
    """Returns the schema of the path of a file that the app takes."""
    types = " or ".join(accepts["types"]) or "any type"
    about = f"The absolute path of a file of {types}, at most {accepts['maxBytes']:,} bytes."
    return {"type": "string", "description": about}


def answer_schema(prompt: JSON, description: Description) -> JSON:
    """Returns the schema of an answer. That about a file has its path."""
    params = prompt["params"]
    match prompt["kind"]:
        case "pickFile":
            path = file_schema(params)
        case "saveFile":
            about = "The absolute path of the new file."
            suggested = str(downloads(params["name"]))
            path = {"type": "string", "description": about, "default": suggested}
        case kind:
            return description.prompts.get(kind, {}).get("answer", {})
    return {"type": "object", "properties": {"path": path}, "required": ["path"]}


def send_answer(core: Core, id: str, value: JSON) -> Awaitable[Any]:
    """Sends the answer to a prompt. Reads or saves the file that it names."""
    prompt = core.document.prompts.get(id, {})
    params = prompt.get("params")
    match prompt.get("kind"), value:
        case "pickFile", {"path": str(path)}:
            return core.answer(id, read_file(path, params))
        case "saveFile", {"path": str(path)}:
            return _save(core, id, params["uri"], path)
        case _:
            return core.answer(id, value)


async def _save(core: Core, id: str, uri: str, path: str) -> None:
    save_file(path, (await core.read(uri)).data)
    await core.answer(id, {})
