"""Draws any screen from its description."""

from __future__ import annotations

from collections.abc import Iterator

from offstage import Port
from textual.app import ComposeResult
from textual.containers import ItemGrid, VerticalScroll
from textual.widget import Widget

from .page import Page
from .parts import (
    Busy,
    Failure,
    Line,
    Picture,
    Pills,
    Rows,
    TextField,
    Toggle,
    Trigger,
    ValueField,
)
from .stale import is_stale_since


class AnyPage(Page):
    """Shows the outputs as pictures, texts, and lists; the inputs as fields and buttons."""

    def body(self) -> ComposeResult:
        lists, shown = list[str](), self._shown_by_inputs()
        yield Busy(*self.busy_outputs())
        with VerticalScroll(classes="form"):
            for port in self.about.outputs.values():
                if port.name not in shown and not self._is_hidden(port):
                    yield from self._output(port, lists)
            for port in self.about.inputs.values():
                if widget := self._input(port):
                    yield widget
            with ItemGrid(min_column_width=22, classes="triggers"):
                for port in self.about.inputs.values():
                    if port.role == "trigger":
                        yield Trigger(
                            port.name, variant="primary" if port.enabled_by else "default"
                        )
            for path in lists:
                pictures = self.description.items(self._schema(path)).get("properties", {})
                has_picture = any(map(self.description.is_picture, pictures.values()))
                yield Rows(path, picture=6 if has_picture else 0)

    def _shown_by_inputs(self) -> set[str | None]:
        ports = self.about.inputs.values()
        return {port.enabled_by for port in ports} | {port.shown_by for port in ports}

    def _is_hidden(self, port: Port) -> bool:
        """True for a flag, a time shown by the title, and a choice shown by its input."""
        items = self.description.items(port.schema)
        values = port.schema.get("enum") or items.get("enum")
        inputs = self.about.inputs.values()
        choices = [each.schema.get("enum") for each in inputs if each.role == "choice"]
        is_flag = port.schema.get("type") == "boolean"
        return is_flag or is_stale_since(port) or bool(values) and values in choices

    def _schema(self, path: str) -> object:
        first, *rest = path.split("/")
        schema: object = self.about.outputs[first].schema
        for token in rest:
            schema = (
                self.description.items(schema)
                if token == "*"
                else self.description.member(schema, token)
            )
        return schema

    def _output(self, port: Port, lists: list[str]) -> Iterator[Widget]:
        describe, name, schema = self.description, port.name, port.schema
        members = schema.get("properties", {})
        if "items" in schema and describe.items(schema).get("properties"):
            rows = describe.items(schema)["properties"]
            inner = [m for m in rows if describe.items(rows[m]).get("properties")]
            lists += [f"{name}/*/{member}" for member in inner] or [name]
        elif describe.is_picture(schema):
            yield Picture(lambda page: page.output.get(name), 24, 12)
        elif {"message", "retryable"} <= set(members):
            yield Failure(name)
        elif members:
            for member in members:
                if describe.is_picture(members[member]):
                    yield Picture(lambda page, m=member: page.find(f"{name}/{m}"), 24, 12)
                elif describe.items(members[member]).get("properties"):
                    lists.append(f"{name}/{member}")
            yield Line(lambda page: self._say(port))
        else:
            yield Line(lambda page: self._say(port))

    def _say(self, port: Port) -> str:
        text = self.description.say(self.output.get(port.name), port.schema)
        kinds = port.schema.get("type", "")
        is_prose = "string" in kinds and not {"enum", "format", "x-unit"} & set(port.schema)
        return text if is_prose or not text else f"{port.title}: {text}"

    def _input(self, port: Port) -> Widget | None:
        match port.role:
            case "text":
                return TextField(port.name)
            case "choice":
                return Pills(port.name)
            case "toggle":
                return Toggle(port.name)
            case "value":
                return ValueField(port.name)
            case _:
                return None
