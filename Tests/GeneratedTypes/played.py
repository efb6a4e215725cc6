"""Plays transcripts, and collects the core's messages."""

import asyncio
import json
import os
import shlex
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

JSON = Any
# Distinct JSON texts: each frame, each error, and the document after each frame.
Messages = dict[str, set[str]]
# Generated types must reject these, or a check would prove nothing.
MISTAKES: Messages = {
    "Frame": {
        '{"revision": "one"}',
        '{"revision": 1, "patches": []}',
        '{"revision": 1, "patch": [{"op": "drop", "path": ""}]}',
    },
    "Document": {'{"navigation": {}, "screens": {}, "prompts": {}, "app": {}}'},
    "Error": {
        '{"code": "one", "message": ""}',
        '{"code": 1001, "message": "", "data": {"row": "1"}}',
    },
}
# Errors with the data of another code. Types whose `code` is any integer accept them.
ALL_MISTAKES: Messages = {
    **MISTAKES,
    "Error": {
        *MISTAKES["Error"],
        '{"code": 1001, "message": ""}',
        '{"code": 1001, "message": "", "data": {"uri": ""}}',
        '{"code": 1005, "message": "", "data": {"screen": "1"}}',
    },
}


@dataclass
class Run:
    """The arguments of a core, and the lines to send."""

    arguments: list[str]
    lines: list[str] = field(default_factory=list[str])

    @property
    def needs_server(self) -> bool:
        return any("http://server" in argument for argument in self.arguments)


async def play(core: str, transcripts: Iterable[Path]) -> Messages:
    """Plays all runs of the transcripts, except those with an HTTP server."""
    messages: Messages = {"Frame": set(), "Document": set(), "Error": set()}
    slots = asyncio.Semaphore(os.cpu_count() or 1)

    async def one(run: Run) -> None:
        async with slots:
            collect(await output(core, run), messages)

    runs = [run for path in transcripts for run in runs_of(path) if not run.needs_server]
    await asyncio.gather(*map(one, runs))
    return messages


def runs_of(transcript: Path) -> list[Run]:
    runs: list[Run] = []
    for line in transcript.read_text(encoding="utf-8").replace("\n  ", "").split("\n"):
        mark, _, rest = line.partition(" ")
        if mark == "$":
            runs.append(Run(shlex.split(rest)[1:]))
        elif mark == ">":
            runs[-1].lines.append(rest)
    return runs


async def output(core: str, run: Run) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        process = await asyncio.create_subprocess_exec(
            *(core, *run.arguments), cwd=folder,
            stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
        )  # fmt: skip
        lines, _ = await process.communicate("\n".join(run.lines).encode() + b"\n")
    return lines


def collect(lines: bytes, messages: Messages) -> None:
    document: JSON = None
    for line in lines.splitlines():
        read: JSON = json.loads(line)
        batch = cast(list[JSON], read) if isinstance(read, list) else [read]
        for message in batch:
            method, params = message.get("method"), message.get("params")
            if method == "frame":
                messages["Frame"].add(json.dumps(params))
                for operation in params.get("patch", []):
                    document = patched(document, operation)
                messages["Document"].add(json.dumps(document))
            if error := params if method == "error" else message.get("error"):
                messages["Error"].add(json.dumps(error))


def patched(document: JSON, operation: JSON) -> JSON:
    """Applies one operation of a patch (RFC 6902)."""
    value = operation.get("value")
    if operation["op"] == "move":
        value = at(document, tokens(operation["from"]))
        document = patched(document, {"op": "remove", "path": operation["from"]})
    path = tokens(operation["path"])
    if not path:
        return value
    parent, key = at(document, path[:-1]), path[-1]
    if isinstance(parent, list):
        rows, index = cast(list[JSON], parent), int(key)
        end = index if operation["op"] in ("add", "move") else index + 1
        rows[index:end] = [] if operation["op"] == "remove" else [value]
    elif operation["op"] == "remove":
        del parent[key]
    else:
        parent[key] = value
    return document


def tokens(pointer: str) -> list[str]:
    return [token.replace("~1", "/").replace("~0", "~") for token in pointer.split("/")[1:]]


def at(value: JSON, path: list[str]) -> JSON:
    for key in path:
        value = value[int(key) if isinstance(value, list) else key]
    return value
