"""JSON Pointers (RFC 6901), such as `/screens/1/output`."""

from __future__ import annotations

import re
from typing import Any, TypeAlias, TypeGuard

JSON: TypeAlias = Any
"""A JSON value: None, bool, int, float, str, a list, or a dict with str keys.

Values in a document are shared between revisions. Read them; never change them.
"""

_INDEX = re.compile(r"0|[1-9][0-9]*")


class PointerError(LookupError):
    """A pointer is malformed, or names nothing in the document."""


def parse(pointer: str) -> list[str]:
    """Splits a pointer into its unescaped tokens. The empty pointer has none."""
    if not pointer:
        return []
    if not pointer.startswith("/"):
        raise PointerError(f"a pointer starts with a slash: {pointer!r}")
    return [unescape(token) for token in pointer[1:].split("/")]


def join(*tokens: str) -> str:
    """Builds the pointer of `tokens`, escaping them."""
    return "".join("/" + escape(token) for token in tokens)


def escape(token: str) -> str:
    return token.replace("~", "~0").replace("/", "~1")


def unescape(token: str) -> str:
    if re.search(r"~(?![01])", token):
        raise PointerError(f"a tilde is written ~0: {token!r}")
    return token.replace("~1", "/").replace("~0", "~")


def resolve(document: JSON, pointer: str) -> JSON:
    """Returns the value that `pointer` names in `document`.

    Raises:
        PointerError: the pointer names nothing.
    """
    node = document
    for token in parse(pointer):
        node = step(node, token)
    return node


def is_object(value: JSON) -> TypeGuard[dict[str, JSON]]:
    """True for a JSON object."""
    return isinstance(value, dict)


def is_array(value: JSON) -> TypeGuard[list[JSON]]:
    """True for a JSON array."""
    return isinstance(value, list)


def step(node: JSON, token: str) -> JSON:
    """Returns the member or the element of `node` that `token` names."""
    if is_object(node):
        if token in node:
            return node[token]
    elif is_array(node):
        return node[index(token, len(node))]
    raise PointerError(f"no member {token!r}")


def index(token: str, count: int) -> int:
    """Parses the index of one of `count` elements."""
    if not _INDEX.fullmatch(token) or len(token) > 18 or int(token) >= count:
        raise PointerError(f"no element {token!r} among {count}")
    return int(token)
