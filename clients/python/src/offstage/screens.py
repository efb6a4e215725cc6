"""Typed access to screens and parts. `python -m offstage.generate` writes the subclasses."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from typing import Any, ClassVar, Generic, TypeVar

from . import parts
from .connection import ignore_errors
from .errors import UnknownScreen
from .fields import Field
from .pointer import JSON
from .ports import Port, ScreenDescription
from .requests import Reply, WindowReply
from .subscriptions import Events
from .view import View

P = TypeVar("P", bound="Part")


class Owner(ABC):
    """A screen, or a part of one: anything with ports.

    Attributes:
        id: the id of the screen.
        path: the path from the screen to the part, such as `lines/7/`; empty for a screen.
    """

    def __init__(self, core: View, id: str, path: str = "") -> None:
        self.core = core
        self.id = id
        self.path = path

    def __repr__(self) -> str:
        place = f"{self.id!r}, {self.path!r}" if self.path else repr(self.id)
        return f"{type(self).__name__}({place})"

    @property
    @abstractmethod
    def about(self) -> ScreenDescription:
        """The description."""

    @property
    @abstractmethod
    def output(self) -> Any:
        """The outputs, by name."""

    @property
    def heading(self) -> str:
        """The title that the screen or part gives itself; empty without one."""
        return self._named("title")

    @property
    def subtitle(self) -> str:
        """The line below the title; empty without one."""
        return self._named("subtitle")

    def _named(self, role: str) -> str:
        texts = [self.output.get(port.name) for port in self.about.with_role(role)]
        return str(next((text for text in texts if text), ""))

    @property
    def is_open(self) -> bool:
        """True until the screen closes, or the part is removed."""
        return self._found is not None

    def children(self, output: str) -> list[Part]:
        """Returns the parts that an output shows: at most one, unless it is a list."""
        shown = parts.shown(output, self.output[output])
        return [Part(self.core, self.id, self.path + path) for path, _ in shown]

    def send(
        self, name: str, value: JSON = None, *, settle: bool = False
    ) -> asyncio.Future[Reply]:
        """Sends a value to an input."""
        return self.core.input(self.id, self.path + name, value, settle=settle)

    def window(self, name: str, first: int, count: int) -> asyncio.Future[WindowReply]:
        """Says which rows of a list with `x-window` the front end shows."""
        return self.core.window(self.id, self.path + name, first, count)

    def field(self, name: str) -> Field[Any]:
        """Returns the field of an input, which shows text ahead of the core."""
        return self.core.field(self.id, self.path + name)

    def listen(self, name: str) -> Events[Any]:
        """Returns an iterator over the events of this name, from now on."""
        return self.core.events(self.id, self.path + name)

    def current(self, name: str) -> JSON:
        """Returns the content of an input if the core shows it, or None."""
        return self.field(name).value if name in self.about.fields else None

    def title_of(self, port: Port) -> str:
        """Returns the title that an input has now."""
        label = self.about.of_input("label", port.name)
        return str(label and self.output.get(label.name) or port.title)

    def reason(self, port: Port) -> str:
        """Returns why an input is disabled; empty if it is enabled, or if a field says why."""
        condition = self.about.outputs.get(port.enabled_by or "")
        if not condition or self.output.get(condition.name, True):
            return ""
        is_said = any(self.field(name).error for name in self.about.fields)
        return "" if is_said else condition.description or ""

    def headers(self, list: str) -> dict[Any, str]:
        """Returns the headers of a list's sections, by the value that its rows have."""
        describe = self.core.description
        return {
            section["id"]: describe.say(section, describe.items(port.schema))
            for port in self.about.about_list("sections", list)
            for section in self.output[port.name]
        }

    def reached_end(self, list: str, count: int) -> None:
        """Reports that the end of a list is in view, once for each length of the list."""
        for port in self.about.lifecycle("end", list):
            if self.core.note_end(self.id, self.path + port.name, count):
                ignore_errors(self.send(port.name))

    @property
    def _found(self) -> JSON:
        document = self.core.document
        screens = document.screens if self.id != "app" else document.value
        return parts.find(screens.get(self.id), self.path)


class Screen(Owner):
    """An open screen of a core."""

    kind: ClassVar[str] = ""

    @property
    def about(self) -> ScreenDescription:
        description = self.core.description
        if self.id == "app" and description.app:
            return description.app
        return description.screens[self._found["kind"]]

    @property
    def url(self) -> str | None:
        """The URL that opens the screen; None if it has no address, or has closed."""
        return self._found.get("url") if self.is_open else None

    @property
    def output(self) -> Any:
        """The outputs, by name.

        Raises:
            UnknownScreen: the screen has closed.
        """
        if not self.is_open:
            raise UnknownScreen(1001, "the screen has closed", {"screen": self.id})
        return self._found["output"]


class Part(Owner):
    """A part of a screen. In a list, its id identifies it even after it moves."""

    @property
    def about(self) -> ScreenDescription:
        names = self.path.split("/")[:-1]
        about = Screen(self.core, self.id).about
        while names:
            name, *names = names
            is_list = about.outputs[name].schema.get("type") == "array"
            about = self.core.description.parts[about.children[name]]
            names = names[is_list:]
        return about

    @property
    def output(self) -> Any:
        """The outputs, by name, with the `id` and the `fields` of the part.

        Raises:
            UnknownScreen: the part has been removed, or the screen has closed.
        """
        if (found := self._found) is None:
            raise UnknownScreen(1001, "the part is gone", {"screen": self.id})
        return found


class Parts(Generic[P]):
    """A list of parts of a screen, by id.

    Args:
        owner: the screen, or the part around the list.
        name: the output that shows the list.
        make: the class of the parts.
    """

    def __init__(
        self, owner: Owner, name: str, make: Callable[[View, str, str], P]
    ) -> None:
        self._owner, self._name, self._make = owner, name, make

    def __getitem__(self, id: JSON) -> P:
        """Returns the part with an id. It need not be in the list yet."""
        owner = self._owner
        path = owner.path + parts.row_path(self._name, id)
        return self._make(owner.core, owner.id, path)

    def __iter__(self) -> Iterator[P]:
        """Yields the parts in order."""
        return (self[part["id"]] for part in self._rows)

    def __len__(self) -> int:
        return len(self._rows)

    @property
    def _rows(self) -> list[JSON]:
        owner = self._owner
        path = f"{owner.path}{self._name}/"
        return parts.find(owner.core.document.screens.get(owner.id), path) or []


class Ports:
    """The inputs, fields, events, or parts of a screen or a part."""

    def __init__(self, owner: Owner) -> None:
        self._owner = owner

    def _part(self, output: str, make: Callable[[View, str, str], P]) -> P:
        owner = self._owner
        return make(owner.core, owner.id, f"{owner.path}{output}/")
