"""The difference between two documents is a patch from one to the other."""

from __future__ import annotations

import random
from typing import Any

import pytest
from offstage import JSON
from offstage.patch import apply, equal

from offstage_mcp.changes import difference, shorten


def guess(depth: int) -> Any:
    kind = random.choice(["scalar", "object", "rows", "list"]) if depth else "scalar"
    count = random.randint(0, 4)
    if kind == "object":
        return {random.choice("abc~/"): guess(depth - 1) for _ in range(count)}
    if kind == "rows":
        ids = random.sample(range(6), count)
        return [{"id": id, "a": guess(depth - 1)} for id in ids]
    if kind == "list":
        return [guess(depth - 1) for _ in range(count)]
    return random.choice([None, True, False, 0, 1, "", "a"])


def test_a_patch_leads_from_the_old_document_to_the_new() -> None:
    random.seed(1)
    for _ in range(2000):
        old, new = guess(4), guess(4)
        assert equal(apply(old, difference(old, new)), new), (old, new)
        assert difference(new, new) == []


@pytest.mark.parametrize(
    ("old", "new", "patch"),
    [
        ({"a": 1}, {"a": True}, [{"op": "replace", "path": "/a", "value": True}]),
        ({"a": 1, "b/~": 2}, {"a": 1}, [{"op": "remove", "path": "/b~1~0"}]),
        ([], [1, 2], [{"op": "replace", "path": "", "value": [1, 2]}]),
        ([1, 2], [1, 2, 3], [{"op": "add", "path": "/2", "value": 3}]),
        ([1, 2, 3], [1, 3], [{"op": "remove", "path": "/1"}]),
        (
            [{"id": 1, "n": 1}, {"id": 2, "n": 1}, {"id": 3, "n": 1}],
            [{"id": 1, "n": 1}, {"id": 3, "n": 2}],
            [
                {"op": "remove", "path": "/1"},
                {"op": "replace", "path": "/1/n", "value": 2},
            ],
        ),
    ],
)
def test_a_patch_has_only_what_has_changed(old: JSON, new: JSON, patch: JSON) -> None:
    assert difference(old, new) == patch


def test_the_longest_edits_are_left_out() -> None:
    values = {"/a": "a" * 10, "/b": "b" * 100, "/c": "c" * 50}
    patch: list[JSON] = [
        {"op": "add", "path": path, "value": value} for path, value in values.items()
    ]
    kept, omitted = shorten(patch, 200)
    assert [edit["path"] for edit in kept] == ["/a", "/c"]
    assert omitted == ["/b"]
    assert shorten(patch, 1000) == (patch, [])
