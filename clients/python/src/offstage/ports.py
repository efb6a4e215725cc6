"""The ports of a screen: its inputs, outputs, fields, and events, and what each is for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from .pointer import JSON


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
        column: for an input that sorts the list, the member that takes the name of a
            member of its rows.
        descending: for an input that sorts the list, the member that reverses it.
    """

    list: str
    member: str | None
    members: Mapping[str, str] | None = None
    before: str | None = None
    column: str | None = None
    descending: str | None = None

    def order(self, value: JSON) -> tuple[str, bool] | None:
        """Returns the column and the direction in the value of an input that sorts."""
        if not (value and self.column and self.descending):
            return None
        return value[self.column], bool(value[self.descending])

    def sorting(self, value: JSON, column: str) -> JSON:
        """Returns the value that sorts by a column, or by the same one the other way round."""
        now = self.order(value)
        reverses = now is not None and now[0] == column and not now[1]
        return {self.column: column, self.descending: reverses}

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
    """An input, a field, an output, an event, or a member of an object.

    Attributes:
        schema: the JSON Schema of the value, with references resolved at the top.
        title: a short text for people, such as a button's.
        says: the description of the port alone, without its type: its role, and what goes
            with it, such as `x-of`.
        rows: the lists whose rows an input takes.
    """

    name: str
    schema: Mapping[str, JSON]
    title: str
    says: Mapping[str, JSON] = field(default_factory=dict[str, JSON])
    rows: tuple[RowsOf, ...] = ()

    @property
    def role(self) -> str:
        """What the port is for; `value` without a role.

        An input is a `trigger`, `lifecycle`, `text`, `choice`, `toggle`, `row`, `move`,
        `sort`, `file`, `value`, or `hidden`; section 6.4 of the protocol lists the roles of outputs.
        """
        return str(self.says.get("x-role", "value"))

    @property
    def description(self) -> str | None:
        return self.says.get("description")

    @property
    def placeholder(self) -> str | None:
        """The text to show while a field or a list is empty."""
        return self.says.get("placeholder")

    @property
    def when(self) -> str | None:
        """`appear`, `disappear`, or `end` for a lifecycle input."""
        return self.says.get("x-when")

    @property
    def enabled_by(self) -> str | None:
        """The Boolean output that enables the input."""
        return self.says.get("x-enabledBy")

    @property
    def visible_by(self) -> str | None:
        """The Boolean output that shows the input."""
        return self.says.get("x-visibleBy")

    @property
    def is_secret(self) -> bool:
        """True if the text is hidden while it is typed."""
        return bool(self.says.get("x-secret", False))

    @property
    def accepts(self) -> Mapping[str, Any]:
        """The `types` and the `maxBytes` of the files that the input takes; see `read_file`."""
        accepts: Mapping[str, Any] = self.says.get("x-accepts", {})
        return accepts

    @property
    def weight(self) -> str | None:
        """`main`, `destructive`, or `cancel` for a button."""
        return self.says.get("x-weight")

    @property
    def purpose(self) -> str | None:
        """What a text is for, such as `search` or `long`; or a trigger: `refresh`."""
        return self.says.get("x-purpose")

    @property
    def state(self) -> str | None:
        """The state of a row while this member is true, such as `unread`."""
        return self.says.get("x-state")

    @property
    def of(self) -> Sequence[str]:
        """The outputs that a busy, stale, empty, or more output is about; none for all."""
        outputs: Sequence[str] = self.says.get("x-of", ())
        return outputs

    @property
    def is_window(self) -> bool:
        """True for a list of which the document has a window; see `Requests.window`."""
        return bool(self.says.get("x-window", False))

    @property
    def is_from_end(self) -> bool:
        """True for a list with a window that is read from its end, such as a chat."""
        return self.says.get("x-from") == "end"

    @property
    def actions(self) -> Sequence[str]:
        """The inputs that are offered with the output, such as the one that retries."""
        retry = self.says.get("x-retry")
        return [*([retry] if retry else []), *self.says.get("x-actions", ())]

    def offers(self, value: JSON) -> list[str]:
        """Returns the inputs that are offered with a value, without a retry that cannot help."""
        retry = self.says.get("x-retry")
        return [name for name in self.actions if name != retry or self.can_retry(value)]

    def is_about(self, path: str) -> bool:
        """True if the output is about a list, such as `shelves/*/cards`."""
        return not self.of or path.partition("/")[0] in self.of

    def message(self, value: JSON) -> str:
        """Returns the sentence of a failure or a notice; empty without one."""
        member = self.says.get("x-message")
        return str((value.get(member) if member else value) or "") if value else ""

    def share(self, value: JSON) -> float | None:
        """Returns how far work is, from 0 to 1: the value itself, or how many of a total."""
        done, total = self.says.get("x-done"), self.says.get("x-total")
        if not (done and total):
            return None if value is None else float(value)
        if not value:
            return None
        return float(value[done]) / float(value[total]) if value[total] else 0.0

    def can_retry(self, value: JSON) -> bool:
        """True if it helps to repeat what has failed."""
        member = self.says.get("x-retryable")
        return bool(value) and (not member or bool(value.get(member)))

    def is_shown(self, row: JSON) -> bool | None:
        """Returns the current state of what a row's input switches; None for others."""
        path = self.says.get("x-shows")
        return bool(row.get(path.rpartition("/")[2])) if path else None


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

    def sort_input(self, list: str) -> tuple[Port, RowsOf] | None:
        """Returns the input that sorts a table by one of its columns."""
        return next(self.row_inputs(list, "sort"), None)

    def with_role(self, *roles: str) -> Iterator[Port]:
        """Yields the outputs with one of these roles."""
        return (port for port in self.outputs.values() if port.role in roles)

    def about_list(self, role: str, path: str) -> Iterator[Port]:
        """Yields the outputs of a role that are about a list."""
        return (port for port in self.with_role(role) if port.is_about(path))

    def of_input(self, role: str, name: str) -> Port | None:
        """Returns the output with the `selection` or the `options` of an input."""
        ports = (p for p in self.with_role(role) if p.says.get("x-input") == name)
        return next(ports, None)

    @cached_property
    def offered(self) -> frozenset[str]:
        """The inputs that are offered with an output, such as the one that retries."""
        ports = (*self.outputs.values(), *self.events.values())
        return frozenset(name for port in ports for name in port.actions)

    def is_only_offered(self, port: Port) -> bool:
        """True for an input that is shown with the output that offers it, and nowhere else."""
        return port.name in self.offered and not port.enabled_by

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
        """Yields the title, input, and value of each action on a row, destructive ones last.

        Args:
            around: the rows that contain the list, the outermost first.
        """
        taken = [
            (port.title, port, rows_of.of([*around, rows[at]]))
            for port, rows_of in self.row_inputs(list)
        ]
        yield from (action for action in taken if action[1].weight != "destructive")
        for arrow, by in ("↑", -1), ("↓", 1):
            for port, value in self.moves(list, rows, at, by):
                yield f"{port.title} {arrow}", port, value
        yield from (action for action in taken if action[1].weight == "destructive")
