"""The parts of screens, and the paths that name their inputs, such as `lines/7/remove`."""

from __future__ import annotations

import json
from collections.abc import Iterator

from .pointer import JSON, escape, is_array, is_object, unescape


def shown(output: str, value: JSON) -> Iterator[tuple[str, JSON]]:
    """Yields the parts that an output shows, each with its path from the output's owner.

    The path ends with a slash: add the name of an input.
    """
    if is_array(value):
        for part in value:
            yield row_path(output, part["id"]), part
    elif value is not None:
        yield f"{output}/", value


def row_path(output: str, id: JSON) -> str:
    """Returns the path of a part in a list."""
    return f"{output}/{escape(_spell(id))}/"


def find(screen: JSON, path: str) -> JSON:
    """Returns the part of a screen at a path, or None if it is gone.

    The empty path is the screen itself. Text after the last slash is ignored.
    """
    node, tokens = screen, path.split("/")[:-1]
    if tokens and node is not None:
        node = node["output"]
    for token in map(unescape, tokens):
        if is_array(node):
            node = next((row for row in node if _spell(row["id"]) == token), None)
        elif is_object(node):
            node = node.get(token)
        else:
            return None
    return node


def _spell(id: JSON) -> str:
    return id if isinstance(id, str) else json.dumps(id)
