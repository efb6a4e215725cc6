"""Collects the core's messages that transcripts state. The Swift tests compare them with the core."""

import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any, cast

JSON = Any
PLACEHOLDER = re.compile(r'"\$(?:_|[A-Za-z]\w*)"[],}]')
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


def read(transcripts: Iterable[Path]) -> Messages:
    """Reads the messages of the transcripts, in each run up to a frame with a placeholder."""
    messages: Messages = {"Frame": set(), "Document": set(), "Error": set()}
    for path in transcripts:
        document: JSON = None
        for line in path.read_text(encoding="utf-8").replace("\n  ", "").split("\n"):
            mark, _, rest = line.partition(" ")
            if mark == "$":
                document = {}
            if mark != "<" or document is None:
                continue
            read: JSON = json.loads(rest)
            for message in cast(list[JSON], read) if isinstance(read, list) else [read]:
                is_frame = message.get("method") == "frame"
                if is_frame and PLACEHOLDER.search(rest):
                    document = None
                elif is_frame:
                    document = collect(message["params"], document, messages)
                elif message.get("method") == "error":
                    messages["Error"].add(json.dumps(message["params"]))
                elif "error" in message:
                    messages["Error"].add(json.dumps(message["error"]))
    return messages


def collect(frame: JSON, document: JSON, messages: Messages) -> JSON:
    """Adds a frame and the document after it, which is returned."""
    for operation in frame.get("patch", []):
        document = patched(document, operation)
    messages["Frame"].add(json.dumps(frame))
    messages["Document"].add(json.dumps(document))
    return document


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
