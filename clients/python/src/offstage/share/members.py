"""The introductions of front ends, and the merged one for the core."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ..errors import InvalidParams
from ..pointer import JSON, is_array, is_object
from .front_end import FrontEnd

LEVELS = ("debug", "info", "warning", "error")


@dataclass(frozen=True)
class Member:
    """The introduction of a front end.

    Attributes:
        kinds: the kinds of prompts that the front end answers.
        log: the lowest level of log entries that the front end gets.
        appends: True if the front end knows the operation `append` of a patch.
        files: True if the front end can open the files of this machine's user.
    """

    kinds: frozenset[str] = frozenset()
    log: str | None = None
    appends: bool = False
    files: bool = False

    @classmethod
    def parse(cls, params: JSON, protocol: int, front_end: FrontEnd) -> Member:
        """Parses the params of `initialize` as a core does.

        Args:
            protocol: the version that the core speaks.

        Raises:
            InvalidParams: a param is wrong.
        """
        protocols: JSON = params.get("protocol", 1)
        kinds: JSON = params.get("capabilities", [])
        if protocol not in (protocols if isinstance(protocols, list) else [protocols]):
            raise invalid("/protocol", f"one of {protocol}", protocols=[protocol])
        if not is_array(kinds):
            raise invalid("/capabilities", "array")
        if not all(isinstance(kind, str) for kind in kinds):
            raise invalid("/capabilities", "array of strings")
        if params.get("log") not in (None, *LEVELS):
            raise invalid("/log", "one of " + ", ".join(f'"{each}"' for each in LEVELS))
        if front_end.only_looks:
            kinds = []  # It cannot answer.
        files = front_end.is_local and params.get("files") is True
        appends = params.get("append") is True
        return cls(frozenset(kinds), params.get("log"), appends, files)

    def gets(self, level: str) -> bool:
        """True if the front end has asked for log entries of a level."""
        return self.log is not None and LEVELS.index(self.log) <= LEVELS.index(level)


def merged(introduction: JSON, members: Iterable[Member]) -> JSON:
    """Returns an introduction with what all members can do, and what any of them wants."""
    members = list(members)
    kinds = frozenset[str]().union(*(member.kinds for member in members))
    levels = [level for level in LEVELS if any(each.log == level for each in members)]
    merged = {
        **introduction,
        "capabilities": sorted(kinds),
        "log": levels[0] if levels else None,
        "append": all(member.appends for member in members) or None,
        "files": all(member.files for member in members) or None,
    }
    return {name: value for name, value in merged.items() if value is not None}


def members_of(value: JSON) -> dict[str, JSON]:
    """Returns `value` if it is an object, or an empty object."""
    return value if is_object(value) else {}


def invalid(path: str, expected: str, **data: JSON) -> InvalidParams:
    found = {"path": path, "expected": expected, **data}
    return InvalidParams(-32602, f"params{path}: expected {expected}", found)
