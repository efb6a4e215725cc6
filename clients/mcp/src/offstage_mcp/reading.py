"""Writes the visible screens as text, by the roles of their outputs and inputs."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from offstage import JSON, Core, Owner, Part, Port, Screen

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
        """Writes the prompts that wait for the tool `answer`, and what they are about."""
        for prompt in self._core.document.prompts.values():
            about = self._core.description.prompts.get(prompt["kind"], {})
            texts = [about.get(each, "") for each in ("title", "description")]
            params = json.dumps(prompt["params"], ensure_ascii=False)
            yield " ".join(["?", *filter(None, texts), params])

    def _screen(self, id: str) -> Iterator[str]:
        screen = Screen(self._core, id)
        named = {
            port.role: screen.output[name]
            for name, port in screen.about.outputs.items()
        }
        yield f"# {named.get('title') or screen.about.title}"
        yield named.get("subtitle") or ""
        yield from self._ports(screen, "")

    def _ports(self, at: Owner, pad: str) -> Iterator[str]:
        """Writes the outputs and inputs of a screen, or of a part of one."""
        inputs, output = at.about.inputs, at.output
        conditions = {
            by for port in inputs.values() for by in (port.enabled_by, port.visible_by)
        }
        offered = set[str]()
        for name, port in at.about.outputs.items():
            if port.role in _ELSEWHERE or name in conditions or output[name] is None:
                continue
            if at.id == "app" and port.role not in _STATES:
                continue  # The app's values are for its screens.
            if port.role in _STATES:
                if line := self._state(port, output[name]):
                    names = port.offers(output[name])
                    offered |= {*names}
                    titles = [f"[{at.title_of(inputs[each])}]" for each in names]
                    yield pad + " ".join([line, *titles])
            else:
                yield from self._value(at, name, port, pad)
        for name, port in inputs.items():
            if name not in offered:
                yield from self._input(at, port, pad)

    def _state(self, port: Port, value: JSON) -> str:
        """Writes what a screen says about itself; nothing for false."""
        if value is False:
            return ""
        text = port.title
        match port.role:
            case "failure" | "notice":
                text = port.message(value)
            case "progress":
                text += f": {self._core.description.say_progress(value, port)}"
            case "stale" if value is not True:
                text += f": {self._say(value, {'format': 'unix-time'})}"
            case "empty" if value:
                text = value if isinstance(value, str) else port.description or text
            case _:
                pass
        return text and _MARKS.get(port.role, "") + text

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
        if describe.is_table(port.schema):
            yield from self._list(
                at, name, value, {**port.schema, "title": port.title}, pad
            )
            return
        parts = at.children(name) if name in at.about.children else []
        text = "" if parts else self._say(value, port.schema)
        if text or parts:
            yield f"{pad}{port.title}: {text}".rstrip()
        for part in parts:
            ports = part.about.outputs.values()
            named = [
                part.output[p.name] for p in ports if p.role in ("title", "subtitle")
            ]
            if said := " · ".join(filter(None, named)):
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
            text, header = self._row(row, schema, parts[at_row : at_row + 1])
            if header != section:
                yield f"{pad}  {headers.get(section := header, header)}:"
            yield f"{pad}  - {text}"
            if parts:
                yield from self._ports(parts[at_row], f"{pad}    ")
                continue
            for name, member in self._core.description.members(items).items():
                if self._core.description.is_table(member.schema) and row.get(name):
                    inner = {**member.schema, "title": member.title}
                    yield from self._list(
                        at, f"{path}/*/{name}", row[name], inner, f"{pad}    "
                    )

    def _row(self, row: Any, schema: Any, parts: list[Part]) -> tuple[str, Any]:
        """Writes a row on a line. Returns its section, too."""
        describe = self._core.description
        items = describe.items(schema)
        about = parts[0].about.outputs if parts else describe.members(items)
        roles = {port.role: row.get(name) for name, port in about.items()}
        rest = {
            name: value
            for name, value in row.items()
            if name not in about or about[name].role != "section"
        }
        if parts:
            texts = [roles.get("title") or str(row["id"]), roles.get("subtitle")]
        elif schema.get("x-role") in ("table", "chart"):
            states = {n: v for n, v in rest.items() if about[n].role == "state"}
            texts = [*describe.cells(row, schema), self._say(states, items)]
        else:
            texts = [self._say(rest, items)]
        return " · ".join(filter(None, texts)), roles.get("section")
