"""The description of an app: its screens, and the role of each port."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import cached_property
from typing import ClassVar

from .pointer import JSON, is_array, is_object
from .ports import Port, RowsOf, ScreenDescription
from .values import plain, say_scalar


class Description:
    """An app's `rpc.discover`.

    Attributes:
        raw: the OpenRPC document.
    """

    IN_ROW: ClassVar[frozenset[str]] = frozenset(
        [
            "title",
            "subtitle",
            "picture",
            "alt",
            "badge",
            "accessory",
            "section",
            "state",
            "progress",
        ]
    )
    """The roles of outputs that `say_row` has written of a part that is a row of a list."""

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
        """The title, and the schemas of the params and the answer, by kind of prompt."""
        prompts: Mapping[str, JSON] = self.raw.get("x-prompts", {})
        return {
            kind: {"title": words(kind), **about} for kind, about in prompts.items()
        }

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

    def members(self, schema: JSON) -> Mapping[str, Port]:
        """Returns the members of an object, with their roles."""
        owner = self.resolve(schema)
        titles, properties = owner.get("x-titles", {}), owner.get("properties", {})
        return {
            name: Port(
                name, self.resolve(member), titles.get(name) or words(name), member
            )
            for name, member in properties.items()
        }

    def items(self, schema: JSON) -> Mapping[str, JSON]:
        """Returns the resolved schema of a list's elements."""
        return self.resolve(self.resolve(schema).get("items", {}))

    def within(self, outputs: Mapping[str, Port], path: str) -> Mapping[str, JSON]:
        """Returns the schema at a path of outputs; `*` or an index stands for an element.

        A list of which the document has a window counts as the list.
        """
        name, *tokens = path.split("/")
        schema = outputs[name].schema
        if outputs[name].is_window:
            schema = self.member(schema, "rows")
        for token in tokens:
            is_element = token == "*" or token.isdigit()
            schema = self.items(schema) if is_element else self.member(schema, token)
        return schema

    def is_table(self, schema: JSON) -> bool:
        """True for a list whose elements are objects."""
        return "properties" in self.items(schema)

    def is_words(self, schema: JSON) -> bool:
        """True for a list of texts."""
        items = self.items(schema)
        return "string" in str(items.get("type", "")) and not items.get("enum")

    def is_picture(self, schema: JSON) -> bool:
        return self.media(schema).startswith("image/")

    def say(self, value: JSON, schema: JSON, *, rows: bool = False) -> str:
        """Writes a value as one line for people: no marks, and nothing for null.

        The members of an object are joined by dots: first its title and its subtitle, without
        those that are false or not for people. A picture is what its alternative text says.

        Args:
            rows: writes a list of objects, too, for which a front end draws no rows.
        """
        schema = self.resolve(schema)
        if schema.get("format") == "coordinate" and value:
            return say_scalar(value, schema)
        if is_object(value):
            if values := schema.get("additionalProperties"):
                return self._say_dictionary(value, values)
            return " · ".join(self.texts(value, schema))
        if is_array(value):
            if any(is_object(row) for row in value) and not rows:
                return ""
            texts = [self.say(row, self.items(schema)) for row in value]
            return ("" if schema.get("x-role") == "text" else ", ").join(texts)
        if value is None:
            return str(schema.get("x-titles", {}).get("null", ""))
        if media := self.media(schema):
            return "(picture)" if media.startswith("image/") else f"({media})"
        if schema.get("contentMediaType") == "text/markdown":
            return plain(value)
        return say_scalar(value, schema)

    def texts(
        self, row: JSON, schema: JSON, ports: Mapping[str, Port] | None = None
    ) -> list[str]:
        """Writes each member of an object that has a text: the title, the subtitle, the rest.

        Args:
            ports: the members, if they are not those of the schema: the outputs of a part.
        """
        ports = self.members(schema) if ports is None else ports
        known = {name: ports.get(name) or Port(name, {}, words(name)) for name in row}
        order = ("title", "subtitle")
        shown = [
            port for port in known.values() if port.role not in ("hidden", "picture")
        ]
        shown.sort(
            key=lambda port: (
                order.index(port.role) if port.role in order else len(order)
            )
        )
        return [
            text for port in shown if (text := self.say_member(row[port.name], port))
        ]

    def say_member(self, value: JSON, port: Port) -> str:
        """Writes a member of an object: its title if it is true, and nothing if it is false."""
        is_titled = json.dumps(value) in port.schema.get("x-titles", {})
        if isinstance(value, bool) and not is_titled:
            return port.title if value else ""
        if port.role == "progress":
            return self.say_progress(value, port)
        return self.say(value, port.schema)

    def say_progress(self, value: JSON, port: Port) -> str:
        """Writes how far work is: 25%, or 2 of 5 boxes; nothing for null."""
        if value is None:
            return ""
        if "x-total" not in port.says:
            return self.say(value, {"format": "percent"})
        done, total = (value[port.says[key]] for key in ("x-done", "x-total"))
        unit = {"x-unit": port.says["x-unit"]} if "x-unit" in port.says else {}
        return f"{self.say(done, {})} of {self.say(total, unit)}"

    def say_state(self, value: JSON, port: Port) -> str:
        """Writes what a screen or a part says about itself, by its role; empty if it says nothing.

        The roles are `busy`, `failure`, `notice`, `stale`, `progress`, and `empty`.
        """
        if value is None or value is False:
            return ""
        match port.role:
            case "failure" | "notice":
                return port.message(value)
            case "progress":
                return f"{port.title}: {self.say_progress(value, port)}"
            case "stale" if value is not True:
                return f"{port.title}: {self.say(value, {'format': 'unix-time'})}"
            case "empty":
                said = value if isinstance(value, str) else port.description
                return str(port.title if said is None else said)
            case _:
                return port.title

    def say_row(
        self, row: JSON, schema: JSON, ports: Mapping[str, Port] | None = None
    ) -> tuple[str, JSON]:
        """Writes a row of a list on one line. Returns the value by which it is in a section, too.

        Args:
            schema: the schema of the list.
            ports: the outputs of the row if it is a part. What a row has in its line is written,
                and the rest of them is for the lines below.
        """
        items = self.items(schema)
        about = self.members(items) if ports is None else ports
        section = next(
            (row.get(name) for name, port in about.items() if port.role == "section"),
            None,
        )
        if ports is not None:
            roles = self.IN_ROW - {"section"}
            line = {
                name: row[name] for name, port in ports.items() if port.role in roles
            }
            texts = self.texts(line, items, ports)
            is_named = any(ports[name].role == "title" and line[name] for name in line)
            texts = texts if is_named else [str(row["id"]), *texts]
        elif schema.get("x-role") in ("table", "chart"):
            states = {name: row[name] for name in row if about[name].role == "state"}
            texts = [*self.cells(row, schema), self.say(states, items)]
        else:
            apart = [name for name, port in about.items() if port.role == "section"]
            rest = {name: row[name] for name in row if name not in apart}
            texts = [self.say(rest, items)]
        return " · ".join(filter(None, texts)), section

    def columns(self, schema: JSON) -> list[Port]:
        """Returns the members that are the columns of a table."""
        apart = ("hidden", "alt", "state")
        members = self.members(self.items(schema)).values()
        return [port for port in members if port.role not in apart]

    def cells(self, row: JSON, schema: JSON) -> list[str]:
        """Writes a row of a table: a text for each of its columns, such as – for null."""
        members = self.members(self.items(schema)).values()
        alt = next((row.get(port.name) for port in members if port.role == "alt"), None)

        def cell(port: Port) -> str:
            value = row.get(port.name)
            if isinstance(value, bool):
                return self.say(value, port.schema)
            return str(port.role == "picture" and alt or self.say_member(value, port))

        return [cell(port) or "–" for port in self.columns(schema)]

    def media(self, schema: JSON) -> str:
        """Returns the type of what a URI names, such as `image/*`; empty for a text."""
        media = str(self.resolve(schema).get("contentMediaType", ""))
        return "" if media.startswith("text/") else media

    def parse(self, text: str, schema: JSON) -> JSON:
        """Parses what a person typed: words for an object's members, JSON, the title of a choice,
        or a string.

        Commas separate the elements of a list, except for texts, which may have commas: a list
        of several is JSON.
        """
        schema = self.resolve(schema)
        members: Mapping[str, JSON] = schema.get("properties", {})
        if members and not text.startswith("{"):
            given = zip(members, text.split(), strict=False)
            return {name: self.parse(word, members[name]) for name, word in given}
        if schema.get("type") == "object" and not members and not text.strip():
            return {}
        if "array" in schema.get("type", "") and not text.startswith("["):
            words = [text] if self.is_words(schema) else text.split(",")
            items = self.items(schema)
            return [self.parse(each.strip(), items) for each in words if each.strip()]
        if (value := self._titled(text, schema)) is not None:
            return value
        try:
            return text if "string" in schema.get("type", "") else json.loads(text)
        except ValueError:
            return text or None

    def _titled(self, text: str, schema: Mapping[str, JSON]) -> JSON:
        """Returns the value of a choice that has a title; None if there is none."""
        values: list[JSON] = schema.get("enum") or []
        titles: Mapping[str, str] = schema.get("x-titles", {})
        if "boolean" in schema.get("type", ""):
            values, titles = [True, False], {"true": "yes", "false": "no", **titles}
        for value in values:
            key = value if isinstance(value, str) else json.dumps(value)
            if text.casefold() in (
                str(titles.get(key, key)).casefold(),
                key.casefold(),
            ):
                return value
        return None

    def _say_dictionary(self, entries: Mapping[str, JSON], values: JSON) -> str:
        """Writes the entries of a dictionary. Its keys are the app's own words."""
        schema: JSON = {} if values is True else values
        texts = [(key, self.say(value, schema)) for key, value in entries.items()]
        return " · ".join(f"{key}: {text}" for key, text in texts if text)

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
        rows = (
            RowsOf(
                rows["list"],
                rows.get("member"),
                rows.get("members"),
                rows.get("before"),
                rows.get("column"),
                rows.get("descending"),
            )
            for rows in schema.get("x-rows", [])
        )
        title = schema.get("title") or words(name)
        return Port(name, self.resolve(schema), title, schema, tuple(rows))


def words(name: str) -> str:
    """Converts a name without a title to text: `canAdd` to `Can add`."""
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", name).lower()
    return spaced[:1].upper() + spaced[1:]
