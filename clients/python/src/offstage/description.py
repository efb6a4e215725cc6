"""The description of an app: its screens, and the role of each port."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any

from .pointer import JSON, is_array, is_object


@dataclass(frozen=True)
class RowsOf:
    """A list whose rows an input takes.

    Attributes:
        list: the list's path below `output`; `*` stands for each element, as in
            `shelves/*/cards`.
        member: the member of a row that is the input's value; None for the whole row.
        members: for a value with several members, the path to each. `shelves/*/id` is a
            member of the row that contains the list.
        before: for an input that moves a row, the member that takes the id of the row
            below its new place.
    """

    list: str
    member: str | None
    members: Mapping[str, str] | None = None
    before: str | None = None

    def of(self, rows: Sequence[Any]) -> JSON:
        """Returns the input value for the last of `rows`, each nested in the previous one."""
        if self.members:
            return {
                name: rows[path.count("*") - 1][path.rpartition("/")[2]]
                for name, path in self.members.items()
            }
        return rows[-1][self.member] if self.member else rows[-1]

    def moving(self, rows: Sequence[Any], at: int, by: int) -> JSON:
        """Returns the value that moves a row up or down; None past an end of the list."""
        to = at + by
        if not self.members or not self.before or not 0 <= to < len(rows):
            return None
        ((name, path),) = self.members.items()
        member, below = path.rpartition("/")[2], to if by < 0 else to + 1
        next = rows[below][member] if below < len(rows) else None
        return {name: rows[at][member], self.before: next}


@dataclass(frozen=True)
class Port:
    """An input, a field, an output, or an event of a screen.

    Attributes:
        schema: the JSON Schema of the value, with references resolved at the top.
        title: a short text for people, such as a button's.
        role: `trigger`, `lifecycle`, `text`, `choice`, `toggle`, `row`, `move`, or `value`
            for an input.
        when: `appear`, `disappear`, or `end` for a lifecycle input.
        enabled_by: the Boolean output that enables the input.
        is_secret: True if the text is hidden while it is typed.
    """

    name: str
    schema: Mapping[str, JSON]
    title: str
    role: str = "value"
    description: str | None = None
    placeholder: str | None = None
    when: str | None = None
    rows: tuple[RowsOf, ...] = ()
    enabled_by: str | None = None
    is_secret: bool = False


@dataclass(frozen=True)
class ScreenDescription:
    """The inputs, outputs, fields, and events of a kind of screen, or of a part.

    Attributes:
        kind: the kind of the screen, or the name of the part.
        children: the names of the parts that outputs show; see `Description.parts`.
    """

    kind: str
    title: str
    inputs: Mapping[str, Port]
    outputs: Mapping[str, Port]
    fields: Mapping[str, Port]
    events: Mapping[str, Port]
    children: Mapping[str, str]

    def lifecycle(self, when: str, list: str | None = None) -> Iterator[Port]:
        """Yields the inputs to send when the screen, or the end of a list, appears."""
        for port in self.inputs.values():
            if port.when == when and (
                list is None
                or not port.rows
                or list in [rows.list for rows in port.rows]
            ):
                yield port

    def row_inputs(self, list: str, role: str = "row") -> Iterator[tuple[Port, RowsOf]]:
        """Yields the inputs of a role that take a row of a list."""
        for port in self.inputs.values():
            for rows in port.rows:
                if port.role == role and rows.list == list:
                    yield port, rows

    def moves(
        self, list: str, rows: Sequence[Any], at: int, by: int
    ) -> Iterator[tuple[Port, JSON]]:
        """Yields the inputs that move a row of a list up (-1) or down (1), with their values."""
        for port, rows_of in self.row_inputs(list, "move"):
            if value := rows_of.moving(rows, at, by):
                yield port, value

    def row_actions(
        self, list: str, rows: Sequence[Any], at: int, around: Sequence[Any] = ()
    ) -> Iterator[tuple[str, Port, JSON]]:
        """Yields the title, input, and value of each action on a row.

        Args:
            around: the rows that contain the list, the outermost first.
        """
        for port, rows_of in self.row_inputs(list):
            yield port.title, port, rows_of.of([*around, rows[at]])
        for arrow, by in ("↑", -1), ("↓", 1):
            for port, value in self.moves(list, rows, at, by):
                yield f"{port.title} {arrow}", port, value


class Description:
    """An app's `rpc.discover`.

    Attributes:
        raw: the OpenRPC document.
    """

    def __init__(self, raw: JSON) -> None:
        self.raw = raw
        self._schemas: Mapping[str, JSON] = raw.get("components", {}).get("schemas", {})
        self._resolved: dict[str, Mapping[str, JSON]] = {}

    @cached_property
    def screens(self) -> Mapping[str, ScreenDescription]:
        """The kinds of screens."""
        screens: Mapping[str, JSON] = self.raw.get("x-screens", {})
        return {kind: self._screen(kind, screen) for kind, screen in screens.items()}

    @cached_property
    def parts(self) -> Mapping[str, ScreenDescription]:
        """The parts of screens, by name."""
        parts: Mapping[str, JSON] = self.raw.get("x-parts", {})
        return {name: self._screen(name, part) for name, part in parts.items()}

    @cached_property
    def has_lifecycle_parts(self) -> bool:
        """True if a part has inputs that the front end sends automatically."""
        ports = (port for part in self.parts.values() for port in part.inputs.values())
        return any(port.role == "lifecycle" for port in ports)

    @cached_property
    def app(self) -> ScreenDescription | None:
        """The app as a whole, addressed as the screen `app`; None if it has no ports."""
        screen = self.raw.get("x-app")
        return screen and self._screen("app", screen)

    @property
    def prompts(self) -> Mapping[str, JSON]:
        """The schemas of the params and the answer, by kind of prompt."""
        prompts: Mapping[str, JSON] = self.raw.get("x-prompts", {})
        return prompts

    def resolve(self, schema: JSON) -> Mapping[str, JSON]:
        """Follows references, and unwraps nullable schemas. Siblings take precedence.

        The members of a union are those of all its kinds.
        """
        if reference := schema.get("$ref"):
            named = self._named(reference.rpartition("/")[2])
            siblings = {k: v for k, v in schema.items() if k != "$ref"}
            return {**named, **siblings} if siblings else named
        if union := schema.get("anyOf"):
            kinds = [kind for kind in union if kind != {"type": "null"}]
            if len(kinds) == 1:
                schema = {**self.resolve(kinds[0]), **schema}
        if union := schema.get("oneOf"):
            kinds = [self.resolve(kind) for kind in union]
            schema = dict(schema)
            for group in ("properties", "x-titles"):
                parts = [kind.get(group, {}) for kind in kinds]
                schema[group] = {k: v for part in parts for k, v in part.items()}
        resolved: Mapping[str, JSON] = schema
        return resolved

    def _named(self, component: str) -> Mapping[str, JSON]:
        if component not in self._resolved:
            self._resolved[component] = self.resolve(self._schemas[component])
        return self._resolved[component]

    def member(self, schema: JSON, name: str) -> Mapping[str, JSON]:
        """Returns the resolved schema of an object's member, with its title."""
        owner = self.resolve(schema)
        member = self.resolve(owner.get("properties", {}).get(name, {}))
        title = owner.get("x-titles", {}).get(name)
        return {**member, "title": title} if title else member

    def items(self, schema: JSON) -> Mapping[str, JSON]:
        """Returns the resolved schema of a list's elements."""
        return self.resolve(self.resolve(schema).get("items", {}))

    def within(self, outputs: Mapping[str, Port], path: str) -> Mapping[str, JSON]:
        """Returns the schema at a path of outputs; `*` or an index stands for an element."""
        name, *tokens = path.split("/")
        schema = outputs[name].schema
        for token in tokens:
            is_element = token == "*" or token.isdigit()
            schema = self.items(schema) if is_element else self.member(schema, token)
        return schema

    def is_table(self, schema: JSON) -> bool:
        """True for a list whose elements are objects."""
        return "properties" in self.items(schema)

    def is_picture(self, schema: JSON) -> bool:
        return str(self.resolve(schema).get("contentMediaType", "")).startswith(
            "image/"
        )

    def say(self, value: JSON, schema: JSON) -> str:
        """Writes a value as one line for people: no pictures, and nothing for null.

        A true Boolean becomes its title. The members of an object are joined by dots,
        without `id` and members that have no text.
        """
        schema = self.resolve(schema)
        if value is None or value is False or self.is_picture(schema):
            return ""
        if is_object(value):
            if values := schema.get("additionalProperties"):
                return self._say_dictionary(value, values)
            parts = [
                self._member(name, part, self.member(schema, name))
                for name, part in value.items()
                if name != "id"
            ]
            return " · ".join(filter(None, parts))
        if is_array(value):
            if any(is_object(row) for row in value):
                return ""
            texts = [self.say(row, self.items(schema)) for row in value]
            # Pieces of one text contain their own spaces.
            glue = "" if any(re.search(r"^\s|\s$", text) for text in texts) else ", "
            return glue.join(texts)
        if isinstance(value, str) and value.startswith(("data:", "resource:")):
            return ""
        if schema.get("format") in ("unix-time", "date-time"):
            return say_time(value)
        titles = schema.get("x-titles", {})
        text = str(titles.get(value, value)) if isinstance(value, str) else str(value)
        unit = schema.get("x-unit")
        return f"{text} {unit}" if unit else text

    def parse(self, text: str, schema: JSON) -> JSON:
        """Parses what a person typed: words for an object's members, JSON, or a string.

        The elements of a list are separated by commas, as `say` writes them.
        """
        schema = self.resolve(schema)
        members: Mapping[str, JSON] = schema.get("properties", {})
        if members and not text.startswith("{"):
            given = zip(members, text.split(), strict=False)
            return {name: self.parse(word, members[name]) for name, word in given}
        if "array" in schema.get("type", "") and not text.startswith("["):
            words = filter(None, map(str.strip, text.split(",")))
            return [self.parse(word, self.items(schema)) for word in words]
        try:
            return text if "string" in schema.get("type", "") else json.loads(text)
        except ValueError:
            return text or None

    def _say_dictionary(self, entries: Mapping[str, JSON], values: JSON) -> str:
        """Writes the entries of a dictionary. Its keys are the app's own words."""
        schema: JSON = {} if values is True else values
        texts = [(key, self.say(value, schema)) for key, value in entries.items()]
        return " · ".join(f"{key}: {text}" for key, text in texts if text)

    def _member(self, name: str, value: JSON, schema: Mapping[str, JSON]) -> str:
        if value is True:
            return str(schema.get("title") or words(name))
        return self.say(value, schema)

    def _screen(self, kind: str, screen: JSON) -> ScreenDescription:
        inputs, outputs, fields, events = (
            {name: self._port(name, schema) for name, schema in ports.items()}
            for ports in (
                screen.get(group, {})
                for group in ("inputs", "outputs", "fields", "events")
            )
        )
        title, children = screen.get("title") or words(kind), screen.get("children", {})
        return ScreenDescription(kind, title, inputs, outputs, fields, events, children)

    def _port(self, name: str, schema: JSON) -> Port:
        resolved = self.resolve(schema)
        return Port(
            name,
            resolved,
            schema.get("title") or words(name),
            schema.get("x-role", "value"),
            schema.get("description"),
            schema.get("placeholder"),
            schema.get("x-when"),
            tuple(
                RowsOf(
                    rows["list"],
                    rows.get("member"),
                    rows.get("members"),
                    rows.get("before"),
                )
                for rows in schema.get("x-rows", [])
            ),
            schema.get("x-enabledBy"),
            schema.get("x-secret", False),
        )


def say_time(value: JSON) -> str:
    """Writes seconds since 1970, or an ISO 8601 time, in this machine's time zone."""
    try:
        time = (
            datetime.fromisoformat(value)
            if isinstance(value, str)
            else datetime.fromtimestamp(value)
        )
    except (ValueError, OverflowError, OSError):
        return str(value)
    return time.astimezone().strftime("%Y-%m-%d %H:%M")


def words(name: str) -> str:
    """Converts a name to text: `nameText` to `Name`, `placeTapped` to `Place`."""
    name = re.sub(r"(?<=.)(Text|Tapped|Picked|Switched|Changed)$", "", name)
    name = re.sub(r"^(did|is)(?=[A-Z])", "", name)
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", name).lower()
    return spaced[:1].upper() + spaced[1:]
