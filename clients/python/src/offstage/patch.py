"""JSON Patch (RFC 6902) and the operation `append`, applied without changing the original."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from . import pointer
from .pointer import JSON, PointerError, is_array, is_object


class PatchError(ValueError):
    """A patch does not fit the document."""


def apply(document: JSON, patch: Iterable[Mapping[str, Any]]) -> JSON:
    """Returns the patched document: all operations, or none.

    The original stays as it is. The new document shares the values that the patch leaves
    alone, so `is` is a cheap test for changes.

    Raises:
        PatchError: an operation is malformed or does not fit.
    """
    editor = _Editor(document)
    for number, operation in enumerate(patch):
        try:
            editor.apply(operation)
        except (PatchError, PointerError) as error:
            raise PatchError(f"operation {number}: {error}") from error
    return editor.root


def equal(left: JSON, right: JSON) -> bool:
    """Compares JSON values. Unlike in Python, `true` does not equal `1`."""
    if isinstance(left, bool) or isinstance(right, bool):
        return left is right
    if is_object(left) and is_object(right):
        return left.keys() == right.keys() and all(
            equal(left[key], right[key]) for key in left
        )
    if is_array(left) and is_array(right):
        return len(left) == len(right) and all(map(equal, left, right))
    return bool(left == right)


class _Editor:
    """Applies operations to copies of the containers on their paths.

    A container is copied once per patch. `_copies` holds the copies themselves, since
    Python may reuse the `id()` of a deleted object.
    """

    def __init__(self, root: JSON) -> None:
        self.root = root
        self._copies: dict[int, dict[str, JSON] | list[JSON]] = {}

    def apply(self, operation: Mapping[str, Any]) -> None:
        match operation:
            case {"op": "add", "path": str(path), "value": value}:
                self._add(pointer.parse(path), value)
            case {"op": "remove", "path": str(path)}:
                self._remove(pointer.parse(path))
            case {"op": "replace", "path": str(path), "value": value}:
                self._replace(pointer.parse(path), value)
            case {"op": "move", "from": str(source), "path": str(path)}:
                if path.startswith(source + "/"):
                    raise PatchError(f"cannot move {source!r} into itself")
                value = self._remove(pointer.parse(source))
                self._add(pointer.parse(path), value)
            case {"op": "append", "path": str(path), "value": str(value)}:
                old = pointer.resolve(self.root, path)
                if not isinstance(old, str):
                    raise PatchError(f"{path!r} is not a string")
                self._replace(pointer.parse(path), old + value)
            case {"op": "copy", "from": str(source), "path": str(path)}:
                value = pointer.resolve(self.root, source)
                # Two places now share the value: copy it before the next edit.
                self._copies.clear()
                self._add(pointer.parse(path), value)
            case {"op": "test", "path": str(path), "value": value}:
                if not equal(pointer.resolve(self.root, path), value):
                    raise PatchError(f"{path!r} has another value")
            case _:
                raise PatchError(f"not an operation: {dict(operation)!r}")

    def _add(self, tokens: list[str], value: JSON) -> None:
        if not tokens:
            self.root = value
            return
        container, token = self._container(tokens), tokens[-1]
        if isinstance(container, dict):
            container[token] = value
        else:
            count = len(container)
            at = count if token == "-" else pointer.index(token, count + 1)
            container.insert(at, value)

    def _remove(self, tokens: list[str]) -> JSON:
        if not tokens:
            value, self.root = self.root, None
            return value
        container, token = self._container(tokens), tokens[-1]
        value = pointer.step(container, token)
        if isinstance(container, dict):
            del container[token]
        else:
            del container[int(token)]
        return value

    def _replace(self, tokens: list[str], value: JSON) -> None:
        if not tokens:
            self.root = value
            return
        container, token = self._container(tokens), tokens[-1]
        pointer.step(container, token)
        if isinstance(container, dict):
            container[token] = value
        else:
            container[int(token)] = value

    def _container(self, tokens: list[str]) -> dict[str, JSON] | list[JSON]:
        """Copies the containers on the path, and returns the innermost one."""
        self.root = node = self._own(self.root)
        for token in tokens[:-1]:
            child = self._own(pointer.step(node, token))
            if isinstance(node, dict):
                node[token] = child
            else:
                node[int(token)] = child
            node = child
        return node

    def _own(self, node: JSON) -> dict[str, JSON] | list[JSON]:
        copy: dict[str, JSON] | list[JSON]
        if (known := self._copies.get(id(node))) is not None:
            return known
        if is_object(node) or is_array(node):
            copy = node.copy()
            self._copies[id(copy)] = copy
            return copy
        raise PatchError(f"{type(node).__name__} has no members")
