"""Compares two documents."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import cast

from offstage import JSON
from offstage.patch import equal
from offstage.pointer import join


def difference(old: JSON, new: JSON, path: str = "") -> list[JSON]:
    """Returns a short RFC 6902 patch that turns `old` into `new`.

    Rows with the same `id` are the same row, so the patch has only its edited members.
    """
    if old is new:
        return []
    if isinstance(old, dict) and isinstance(new, dict):
        return list(_members(cast(JSON, old), cast(JSON, new), path))
    if isinstance(old, list) and isinstance(new, list):
        return list(_elements(cast(JSON, old), cast(JSON, new), path))
    return [] if equal(old, new) else [_edit("replace", path, new)]


def shorten(patch: list[JSON], limit: int) -> tuple[list[JSON], list[str]]:
    """Drops the longest edits until the rest fits. Returns the rest and the dropped paths.

    Args:
        limit: how many characters of JSON to keep.
    """
    sizes = [len(json.dumps(edit, ensure_ascii=False)) for edit in patch]
    omitted: list[int] = []
    for index in sorted(range(len(patch)), key=lambda index: -sizes[index]):
        if sum(sizes) <= limit:
            break
        omitted.append(index)
        sizes[index] = 0
    kept = [edit for index, edit in enumerate(patch) if index not in omitted]
    return kept, [patch[index]["path"] for index in sorted(omitted)]


def _members(old: dict[str, JSON], new: dict[str, JSON], path: str) -> Iterator[JSON]:
    for name in old:
        if name not in new:
            yield _edit("remove", _join(path, name))
    for name, value in new.items():
        if name in old:
            yield from difference(old[name], value, _join(path, name))
        else:
            yield _edit("add", _join(path, name), value)


def _elements(old: list[JSON], new: list[JSON], path: str) -> Iterator[JSON]:
    """Compares two lists: their common start, the middle, and their common end."""
    shorter = min(len(old), len(new))
    head = 0
    while head < shorter and _is_same(old[head], new[head]):
        head += 1
    tail = 0
    while tail < shorter - head and _is_same(old[-1 - tail], new[-1 - tail]):
        tail += 1
    if head + tail == 0 and (old or new):
        yield _edit("replace", path, new)
        return
    for index in range(head):
        yield from difference(old[index], new[index], _join(path, index))
    for _ in range(len(old) - head - tail):
        yield _edit("remove", _join(path, head))
    for index in range(head, len(new) - tail):
        yield _edit("add", _join(path, index), new[index])
    for index in range(-tail, 0):
        place = _join(path, len(new) + index)
        yield from difference(old[index], new[index], place)


def _is_same(old: JSON, new: JSON) -> bool:
    if isinstance(old, dict) and isinstance(new, dict) and "id" in old and "id" in new:
        return equal(cast(JSON, old)["id"], cast(JSON, new)["id"])
    return old is new or equal(old, new)


def _join(path: str, token: str | int) -> str:
    return path + join(str(token))


def _edit(op: str, path: str, *value: JSON) -> JSON:
    edit: JSON = {"op": op, "path": path}
    return {**edit, "value": value[0]} if value else edit
