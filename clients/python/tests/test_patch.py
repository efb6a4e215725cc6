"""Patches, compared with those of the reference library."""

from __future__ import annotations

import copy
from typing import Any, cast

import jsonpatch  # pyright: ignore[reportMissingTypeStubs]
import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonpatch import (  # pyright: ignore[reportMissingTypeStubs]
    JsonPatchException,
    JsonPointerException,
)

from offstage import patch, pointer
from offstage.patch import PatchError
from offstage.pointer import JSON

# The reference library treats True as 1, so there are no integers here.
scalars = st.none() | st.booleans() | st.text(max_size=2)
keys = st.sampled_from(["a", "b", "0", "~", "/", "", "é"])
values = st.recursive(
    scalars,
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(keys, inner, max_size=4)
    ),
    max_leaves=12,
)
tokens = keys | st.sampled_from(["-", "1", "2", "3"])
paths = st.lists(tokens, max_size=3).map(lambda names: pointer.join(*names))
operations = st.one_of(
    st.fixed_dictionaries(
        {
            "op": st.sampled_from(["add", "replace", "test"]),
            "path": paths,
            "value": values,
        }
    ),
    st.fixed_dictionaries({"op": st.just("remove"), "path": paths}),
    st.fixed_dictionaries(
        {"op": st.sampled_from(["move", "copy"]), "from": paths, "path": paths}
    ),
)


def reference(document: Any, operations: list[Any]) -> Any:
    apply = cast("Any", jsonpatch).apply_patch
    return apply(copy.deepcopy(document), copy.deepcopy(operations))


@given(values, values)
def test_a_difference_leads_to_the_other_document(old: Any, new: Any) -> None:
    made = cast("Any", jsonpatch).make_patch(old, new).patch
    assert patch.equal(patch.apply(old, made), new)


@given(values, st.lists(operations, max_size=4))
def test_a_patch_does_what_the_reference_does(document: Any, made: list[Any]) -> None:
    before = copy.deepcopy(document)
    try:
        result = patch.apply(document, made)
    except PatchError:
        assert patch.equal(document, before)
        with pytest.raises((JsonPatchException, JsonPointerException)):
            reference(before, made)
        return
    assert patch.equal(document, before)
    # The reference library refuses a few edits of the root that RFC 6902 allows.
    if all(operation["path"] and operation.get("from") != "" for operation in made):
        assert patch.equal(result, reference(before, made))


BAD: list[tuple[Any, Any]] = [
    ({}, {"op": "remove", "path": "/a"}),
    ({}, {"op": "replace", "path": "/a", "value": 1}),
    ({}, {"op": "add", "path": "/a/b", "value": 1}),
    ({}, {"op": "add", "path": "a", "value": 1}),
    ({"a": 1}, {"op": "add", "path": "/a/b", "value": 1}),
    ([], {"op": "add", "path": "/2", "value": 1}),
    ([1], {"op": "replace", "path": "/-", "value": 1}),
    ([1], {"op": "replace", "path": "/00", "value": 1}),
    ([1], {"op": "remove", "path": "/-1"}),
    ([1], {"op": "remove", "path": "/١"}),
    ({"a": []}, {"op": "append", "path": "/a", "value": "x"}),
    ({"a": "x"}, {"op": "append", "path": "/a", "value": 1}),
    ({}, {"op": "append", "path": "/a", "value": "x"}),
    ({"a": {}}, {"op": "move", "from": "/a", "path": "/a/b"}),
    ([{}, {}], {"op": "move", "from": "/0", "path": "/0/a"}),
    ({"a": 1}, {"op": "test", "path": "/a", "value": True}),
    ({}, {"op": "add", "path": "/a"}),
    ({}, {"op": "increment", "path": "/a"}),
]


@pytest.mark.parametrize(("document", "operation"), BAD)
def test_a_bad_operation_is_refused(document: Any, operation: Any) -> None:
    before = copy.deepcopy(document)
    # The operations before it in the patch have no effect, either.
    good = {
        "op": "add",
        "path": "/x" if isinstance(document, dict) else "/-",
        "value": 1,
    }
    with pytest.raises(PatchError, match="operation 1"):
        patch.apply(document, [good, operation])
    assert document == before


def test_an_appended_text_is_added_to_the_end() -> None:
    old: Any = {"a": ["x"], "b": ""}
    edits = [
        {"op": "append", "path": "/a/0", "value": "y"},
        {"op": "append", "path": "/b", "value": "z"},
        {"op": "append", "path": "/a/0", "value": "z"},
    ]
    assert patch.apply(old, edits) == {"a": ["xyz"], "b": "z"}
    assert old == {"a": ["x"], "b": ""}


def test_what_a_patch_leaves_alone_is_shared() -> None:
    old: Any = {"rows": [{"id": 1}, {"id": 2}], "other": {"deep": []}}
    edits = [{"op": "replace", "path": "/rows/1/id", "value": 3}]
    new = patch.apply(old, edits)
    assert new["other"] is old["other"]
    assert new["rows"][0] is old["rows"][0]
    assert old["rows"][1] == {"id": 2}


def test_a_copy_and_its_original_change_apart() -> None:
    edits: list[dict[str, JSON]] = [
        {"op": "add", "path": "/a/x", "value": 1},
        {"op": "copy", "from": "/a", "path": "/b"},
        {"op": "add", "path": "/a/y", "value": 2},
    ]
    assert patch.apply({"a": {}}, edits) == {"a": {"x": 1, "y": 2}, "b": {"x": 1}}


def test_the_value_of_a_patch_stays_as_it_was_sent() -> None:
    value: dict[str, int] = {}
    edits: list[dict[str, JSON]] = [
        {"op": "add", "path": "/a", "value": value},
        {"op": "add", "path": "/a/x", "value": 1},
    ]
    patch.apply({}, edits)
    assert value == {}
