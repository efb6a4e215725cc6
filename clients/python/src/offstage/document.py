"""The front end's copy of the core's document, and the frames that change it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeAlias, TypeVar

from . import patch, pointer
from .errors import ProtocolError
from .patch import PatchError
from .pointer import JSON, PointerError

V = TypeVar("V")

RequestID: TypeAlias = "int | str | float | None"


class RevisionGap(PatchError):
    """A frame does not follow the revision of the document."""


@dataclass(frozen=True)
class Event(Generic[V]):
    """A one-off notification of a screen, which the document does not keep."""

    screen: str
    name: str
    value: V


@dataclass(frozen=True, slots=True)
class Frame:
    """A step of the document from one revision to the next.

    Attributes:
        patch: RFC 6902 operations.
        navigation: the navigation commands, for animations; the patch contains their
            outcome.
        cause: the id of the request that caused the change, if any.
        schema: the hash of the description, if it has to be read again: another core has
            taken over, or the app has changed its language.
    """

    revision: int
    patch: Sequence[Mapping[str, Any]] = ()
    navigation: Sequence[Mapping[str, Any]] = ()
    events: Sequence[Event[Any]] = ()
    cause: RequestID = None
    schema: str | None = None

    @classmethod
    def from_wire(cls, params: JSON) -> Frame:
        try:
            return cls(
                revision=params["revision"],
                patch=params.get("patch", ()),
                navigation=params.get("navigation", ()),
                events=[
                    Event(event["screen"], event["name"], event.get("value"))
                    for event in params.get("events", ())
                ],
                cause=params.get("cause"),
                schema=params.get("schema"),
            )
        except (AttributeError, KeyError, TypeError) as error:
            raise ProtocolError(f"not a frame: {params!r}") from error

    @property
    def is_whole(self) -> bool:
        """True if the frame replaces the whole document."""
        return bool(self.patch) and self.patch[0]["path"] == ""

    @classmethod
    def whole(cls, revision: int, value: JSON, *frames: Frame) -> Frame:
        """Returns a frame that replaces the document, with the events of `frames`."""
        return cls(
            revision=revision,
            patch=[{"op": "replace", "path": "", "value": value}],
            navigation=[command for frame in frames for command in frame.navigation],
            events=[event for frame in frames for event in frame.events],
            cause=frames[-1].cause if frames else None,
            schema=next((f.schema for f in reversed(frames) if f.schema), None),
        )


class Document:
    """The core's document: what its screens show.

    Each revision is a separate value. Keep one as long as you like, and compare two
    parts with `is` to see whether a frame changed them.
    """

    def __init__(self) -> None:
        self.revision = 0
        self.value: JSON = None

    def apply(self, frame: Frame) -> None:
        """Applies a frame, or changes nothing.

        A frame that a resumed session repeats is skipped. A frame that replaces the whole
        document fits any revision.

        Raises:
            RevisionGap: the frame belongs to another revision.
            PatchError: the patch does not fit.
        """
        if frame.revision <= self.revision and not frame.is_whole:
            return
        if frame.revision != self.revision + 1 and not frame.is_whole:
            raise RevisionGap(f"{frame.revision} does not follow {self.revision}")
        self.value = patch.apply(self.value, frame.patch)
        self.revision = frame.revision

    def reset(self, revision: int, value: JSON) -> None:
        """Replaces the document by a snapshot."""
        self.revision = revision
        self.value = value

    def get(self, path: str, default: JSON = None) -> JSON:
        """Returns the value at a JSON Pointer, or `default`."""
        try:
            return pointer.resolve(self.value, path)
        except PointerError:
            return default

    @property
    def navigation(self) -> JSON:
        return self.get("/navigation", {})

    @property
    def app(self) -> Mapping[str, JSON]:
        """The state of the app as a whole, such as the account; empty if it has none."""
        app: Mapping[str, JSON] = self.get("/app/output", {})
        return app

    @property
    def language(self) -> str | None:
        """The language that the user has chosen in the app, such as `ko`."""
        language: str | None = self.get("/display/language")
        return language

    @property
    def appearance(self) -> str | None:
        """`light` or `dark`, if the user has chosen one in the app."""
        appearance: str | None = self.get("/display/appearance")
        return appearance

    @property
    def screens(self) -> Mapping[str, JSON]:
        """The open screens, by id."""
        screens: Mapping[str, JSON] = self.get("/screens", {})
        return screens

    @property
    def prompts(self) -> Mapping[str, JSON]:
        """The unanswered questions, by id."""
        prompts: Mapping[str, JSON] = self.get("/prompts", {})
        return prompts
