"""Writes the visible screens as text, by the roles of their outputs and inputs."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator
from typing import Any

from offstage import Core, Owner, Port, Screen

# Written elsewhere: in a heading, beside an input, or as the header of rows.
_ELSEWHERE = {
    "title",
    "subtitle",
    "condition",
    "selection",
    "options",
    "label",
    "sections",
    "more",
    "hidden",
}
# What a screen says about itself. An output with any other role is a value.
_STATES = {"busy", "failure", "notice", "stale", "progress", "empty"}
# What the app says on every screen.
_SCOPE = _STATES - {"empty"}
_WEIGHTS = ("main", "destructive")
_MARKS = {"failure": "! ", "notice": "» ", "busy": "… "}


class Reading:
    """The text of the visible screens, and of what the app says on each of them."""

    def __init__(self, core: Core) -> None:
        self._core = core
        self._say = core.description.say

    def text(self) -> str:
        ids = [*["app"] * bool(self._core.description.app), *self._core.visible]
        lines = [line for id in ids for line in self._screen(id) if line]
        return "\n".join([*lines, *self._prompts()])

    def _prompts(self) -> Iterator[str]:
        """Writes the prompts that wait for the tool `answer`, and what they are about.

        In brackets is what an answer consists of: the titles of its members, or of its values.
        """
        describe = self._core.description
        for prompt in self._core.document.prompts.values():
            about = describe.prompts.get(prompt["kind"], {})
            texts = [about.get(each, "") for each in ("title", "description")]
            params = json.dumps(prompt["params"], ensure_ascii=False)
            schema = describe.resolve(about.get("answer", {}))
            titles = [port.title for port in describe.members(schema).values()]
            titles += [self._say(value, schema) for value in schema.get("enum", ())]
            is_dialog = "buttons" in (prompt["params"] or {})
            asked = f"[{', '.join(titles)}]" if titles and not is_dialog else ""
            yield " ".join(filter(None, ["?", *texts, params, asked]))

    def _screen(self, id: str) -> Iterator[str]:
        screen = Screen(self._core, id)
        # The app's own outputs are for its screens.
        named = ("", "") if id == "app" else (screen.heading, screen.subtitle)
        yield f"# {named[0] or screen.about.title}"
        yield named[1]
        yield from self._ports(screen, "")

    def _ports(
        self, at: Owner, pad: str, written: Collection[str] = ()
    ) -> Iterator[str]:
        """Writes the outputs and inputs of a screen, or of a part of one.

        Args:
            written: the roles that the line above has.
        """
        inputs, output = at.about.inputs, at.output
        conditions = {
            by for port in inputs.values() for by in (port.enabled_by, port.visible_by)
        }
        offered = set[str]()
        for name, port in at.about.outputs.items():
            if port.role in _ELSEWHERE or name in conditions or port.role in written:
                continue
            if at.id == "app" and port.role not in _SCOPE:
                continue  # The app's values are for its screens.
            if port.role in _STATES:
                if text := self._core.description.say_state(output[name], port):
                    line = _MARKS.get(port.role, "") + text
                    names = port.offers(output[name])
                    offered |= {*names}
                    titles = [f"[{at.title_of(inputs[each])}]" for each in names]
                    yield pad + " ".join([line, *titles])
            else:
                yield from self._value(at, name, port, pad)
        for name, port in inputs.items():
            if name not in offered:
                yield from self._input(at, port, pad)

    def _input(self, at: Owner, port: Port, pad: str) -> Iterator[str]:
        """Writes a button by its title, and a field with its content."""
        output, name, title = at.output, port.name, at.title_of(port)
        if not output.get(port.visible_by, True):
            return
        # What belongs to a failure, a notice, or an empty list is written there.
        is_apart = name in at.about.offered
        is_enabled = output.get(port.enabled_by, not is_apart)
        if port.role in ("lifecycle", "row", "move", "sort", "hidden"):
            return
        if port.role == "trigger" or port.schema.get("type") == "null":
            notes = [port.weight] if port.weight in _WEIGHTS else []
            if not is_enabled:
                notes.append(": ".join(filter(None, ["disabled", at.reason(port)])))
            if is_enabled or not is_apart:
                said = f" ({', '.join(notes)})" if notes else ""
                yield f"{pad}[{title}]{said}"
            return
        shown = at.about.of_input("selection", name)
        now = output[shown.name] if shown else at.current(name)
        text = f"{pad}{title}: {self._say(now, port.schema, rows=True)}".rstrip()
        if port.role == "toggle":
            text = f"{pad}[{'x' if now else ' '}] {title}"
        if options := at.about.of_input("options", name):
            text += f" (of {self._say(output[options.name], options.schema)})"
        error = at.field(name).error
        yield f"{text}  ! {error}" if error else text

    def _value(self, at: Owner, name: str, port: Port, pad: str) -> Iterator[str]:
        """Writes an output that is a value, a part, or a list."""
        describe, value = self._core.description, at.output[name]
        if port.is_window:
            yield from self._window(at, port, value, pad)
            return
        if value is not None and describe.is_table(port.schema):
            yield from self._list(
                at, name, value, {**port.schema, "title": port.title}, pad
            )
            return
        parts = at.children(name) if name in at.about.children else []
        text = "" if parts else self._say(value, port.schema)
        if text or parts:
            yield f"{pad}{port.title}: {text}".rstrip()
        for part in parts:
            if said := " · ".join(filter(None, [part.heading, part.subtitle])):
                yield f"{pad}  {said}"
            yield from self._ports(part, f"{pad}  ")

    def _window(self, at: Owner, port: Port, value: Any, pad: str) -> Iterator[str]:
        """Writes the rows of a long list that the core has sent, and how to get others."""
        schema = self._core.description.within(at.about.outputs, port.name)
        first, rows, count = value["first"], value["rows"], value["count"]
        named = {"title": port.title, "placeholder": port.placeholder}
        if len(rows) != count:
            last = f"{first + len(rows)} of {'?' if count is None else count}"
            yield f"{pad}{port.title}: rows {first + 1} to {last}; scroll to see others"
        if value["failure"]:
            yield f"{pad}! {value['failure']} Scroll to the same row to try again."
        yield from self._list(at, port.name, rows, {**schema, **named}, pad)

    def _list(
        self, at: Owner, path: str, rows: list[Any], schema: Any, pad: str
    ) -> Iterator[str]:
        if not rows:
            empty = at.about.about_list("empty", path)
            if not any(at.output[port.name] for port in empty):
                yield f"{pad}{schema['title']}: {schema.get('placeholder') or 'nothing'}"
            return
        yield f"{pad}{schema['title']}: {len(rows)}"
        items = self._core.description.items(schema)
        parts = at.children(path) if path in at.about.children else []
        headers, section = at.headers(path), None
        if schema.get("x-role") in ("table", "chart"):
            columns = self._core.description.columns(schema)
            yield f"{pad}  {' · '.join(port.title for port in columns)}"
        for at_row, row in enumerate(rows):
            ports = parts[at_row].about.outputs if parts else None
            text, header = self._core.description.say_row(row, schema, ports)
            if header != section:
                yield f"{pad}  {headers.get(section := header, header)}:"
            yield f"{pad}  - {text}"
            if parts:
                written = self._core.description.IN_ROW
                yield from self._ports(parts[at_row], f"{pad}    ", written)
                continue
            for name, member in self._core.description.members(items).items():
                if self._core.description.is_table(member.schema) and row.get(name):
                    inner = {**member.schema, "title": member.title}
                    yield from self._list(
                        at, f"{path}/*/{name}", row[name], inner, f"{pad}    "
                    )
