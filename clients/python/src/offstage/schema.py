"""Converts JSON Schemas to Python types."""

from __future__ import annotations

import json
import keyword
import re
from collections.abc import Mapping
from typing import Any

from .pointer import JSON, is_array, is_object

_SCALARS = {
    "string": "str",
    "integer": "int",
    "number": "float",
    "boolean": "bool",
    "null": "None",
}
_RESERVED = {
    *("Any", "ClassVar", "Literal", "NotRequired", "TypeAlias", "TypedDict"),
    *("Future", "Mapping", "Sequence"),
}
_ANNOTATIONS = {"title", "description", "default", "examples"}


class Names:
    """Hands out unique identifiers."""

    def __init__(self, taken: set[str] | None = None) -> None:
        self._taken = set(taken or ())

    def pick(self, name: str) -> str:
        name = re.sub(r"\W", "_", name).lstrip("_") or "value"
        if name[0].isdigit():
            name = "n" + name
        if keyword.iskeyword(name):
            name += "_"
        candidate, number = name, 1
        while candidate in self._taken:
            number += 1
            candidate = f"{name}{number}"
        self._taken.add(candidate)
        return candidate


def snake(name: str) -> str:
    """Converts `didAppear` to `did_appear`, `location.current` to `location_current`."""
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name)
    return re.sub(r"\W+", "_", words).lower()


def pascal(name: str) -> str:
    """Converts `signUp` to `SignUp`, and `location.current` to `LocationCurrent`."""
    return "".join(word[:1].upper() + word[1:] for word in re.split(r"[\W_]+", name))


def is_empty(schema: JSON) -> bool:
    """True if a value says nothing: that of a trigger, or of a screen without a result."""
    said = {key for key in schema if key not in _ANNOTATIONS and key[:2] != "x-"}
    return not said or said == {"type"} and schema["type"] in ("null", "object")


class Types:
    """The types that a module declares.

    Equal schemas share one type. A core sends every member of an object, and null for a
    missing value. A front end may leave out optional members; `sent` asks for its type.
    """

    def __init__(self, components: Mapping[str, JSON]) -> None:
        self.names = Names(_RESERVED)
        self.declarations: list[str] = []
        self._components = components
        self._called: dict[str, str] = {}
        self._declared: dict[str, str] = {}

    def rename(self, component: str, name: str) -> None:
        """Renames the type of a component to `name`."""
        self._called[component] = name

    def annotation(self, schema: JSON, name: str, *, sent: bool) -> str:
        """Returns the type of a schema, named `name` if it needs a name."""
        if reference := schema.get("$ref"):
            return self._named(reference.rpartition("/")[2], sent)
        for key in ("anyOf", "oneOf"):
            if key in schema:
                return self._union(schema[key], name, sent)
        if "const" in schema:
            return _literal([schema["const"]])
        if "enum" in schema:
            return _literal(schema["enum"])
        kinds = schema.get("type", [])
        if isinstance(kinds, str):
            kinds = [kinds]
        parts = [self._simple(kind, schema, name, sent) for kind in kinds]
        return " | ".join(dict.fromkeys(parts)) or "Any"

    def declare(
        self, schema: JSON, name: str, *, sent: bool, prefix: str | None = None
    ) -> str:
        """Declares the TypedDict of an object unless an equal one exists.

        The types of its members are named `prefix` plus the member's name.
        """
        sent = sent and self._has_options(schema)
        key = json.dumps([sent, schema], sort_keys=True)
        if key in self._declared:
            return self._declared[key]
        name = self._declared[key] = self.names.pick(name)
        required = schema.get("required", [])
        members: dict[str, str] = {}
        for member, value in schema.get("properties", {}).items():
            called = (prefix or name) + pascal(member)
            annotation = self.annotation(value, called, sent=sent)
            if sent and member not in required:
                annotation = f"NotRequired[{annotation}]"
            members[member] = annotation
        self.declarations.append(_typed_dict(name, members))
        return name

    def _has_options(self, schema: JSON, *seen: str) -> bool:
        """True if a member may be left out, here or in a nested type."""
        if is_array(schema):
            return any(self._has_options(each, *seen) for each in schema)
        if not is_object(schema):
            return False
        members = schema
        reference = members.get("$ref")
        if isinstance(reference, str):
            name = reference.rpartition("/")[2]
            known = name in seen
            return not known and self._has_options(self._components[name], *seen, name)
        if not set(members.get("properties", ())) <= set(members.get("required", ())):
            return True
        return any(self._has_options(each, *seen) for each in members.values())

    def _named(self, component: str, sent: bool) -> str:
        schema = self._components[component]
        if schema.get("type") == "object" and "properties" in schema:
            name = self._called.get(component, pascal(component))
            return self.declare(schema, name, sent=sent)
        key = f"{component} {sent and self._has_options(schema)}"
        if key not in self._declared:
            name = self._declared[key] = self.names.pick(pascal(component))
            annotation = self.annotation(schema, name, sent=sent)
            self.declarations.append(f"{name}: TypeAlias = {quote(annotation)}\n")
        return self._declared[key]

    def _union(self, schemas: list[Any], name: str, sent: bool) -> str:
        many = sum(schema != {"type": "null"} for schema in schemas) > 1
        parts = [
            self.annotation(schema, f"{name}{number}" if many else name, sent=sent)
            for number, schema in enumerate(schemas, start=1)
        ]
        return " | ".join(dict.fromkeys(parts))

    def _simple(self, kind: str, schema: JSON, name: str, sent: bool) -> str:
        if kind == "array":
            items = self.annotation(schema.get("items", {}), name + "Item", sent=sent)
            return f"Sequence[{items}]"
        if kind == "object":
            if "properties" in schema:
                return self.declare(schema, name, sent=sent)
            rest = schema.get("additionalProperties", {})
            if isinstance(rest, bool):
                return "Mapping[str, Any]"
            return f"Mapping[str, {self.annotation(rest, name + 'Value', sent=sent)}]"
        return _SCALARS[kind]


def quote(value: JSON) -> str:
    """Writes a value as a Python literal, with double quotes."""
    return json.dumps(value) if isinstance(value, str) else repr(value)


def _literal(values: list[Any]) -> str:
    return f"Literal[{', '.join(map(quote, values))}]"


def _typed_dict(name: str, members: Mapping[str, str]) -> str:
    if all(key.isidentifier() and not keyword.iskeyword(key) for key in members):
        lines = [f"    {key}: {value}\n" for key, value in members.items()]
        return f"class {name}(TypedDict):\n" + ("".join(lines) or "    pass\n")
    lines = [f"        {quote(k)}: {quote(v)},\n" for k, v in members.items()]
    return f'{name} = TypedDict(\n    "{name}",\n    {{\n{"".join(lines)}    }},\n)\n'
