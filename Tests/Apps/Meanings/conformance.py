"""The table of what every front end shows; see `README.md`."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

TABLE: list[dict[str, Any]] = json.loads(
    Path(__file__).with_name("table.json").read_text("utf-8")
)
STATES = ("unread", "done", "selected", "disabled", "favorite")


@dataclass(frozen=True)
class Drawing:
    """What a person sees of a screen.

    Attributes:
        states: those of each row, by its title.
        actions: what can be done with each row, by its title; and of a switch, whether it is on.
        switches: whether the switch of each input is on.
        enabled: whether each input can be pressed.
        weights: the weight that the button of each input shows.
        pictures: the texts of the pictures that are drawn: the alternative text, or the title.
        progress: how far each row is, by its title.
    """

    text: str
    states: Mapping[str, set[str]] = field(default_factory=dict[str, set[str]])
    actions: Mapping[str, Mapping[str, bool | None]] = field(
        default_factory=dict[str, Mapping[str, "bool | None"]]
    )
    switches: Mapping[str, bool] = field(default_factory=dict[str, bool])
    enabled: Mapping[str, bool] = field(default_factory=dict[str, bool])
    weights: Mapping[str, str | None] = field(default_factory=dict[str, "str | None"])
    pictures: Sequence[str] = ()
    progress: Mapping[str, float] = field(default_factory=dict[str, float])

    def mistakes(self, row: Mapping[str, Any]) -> list[str]:
        """Returns what is not drawn as a row of the table says."""
        text, wrong = self.text, list[str]()
        wrong += [f"does not show {each!r}" for each in row.get("shows", ()) if each not in text]
        wrong += [f"shows {each!r}" for each in row.get("hides", ()) if each in text]
        places = [text.find(each) for each in row.get("order", ())]
        if -1 in places or places != sorted(places):
            wrong.append(f"does not show {row['order']} in this order")
        for title, states in row.get("states", {}).items():
            if self.states[title] != {*states}:
                wrong.append(f"shows {title} as {sorted(self.states[title])}, not {states}")
        for title, actions in row.get("actions", {}).items():
            found = self.actions[title]
            for action, is_on in actions.items():
                if not any(each.startswith(action) and found[each] is is_on for each in found):
                    wrong.append(f"offers {dict(found)} for {title}, not {action}: {is_on}")
        for member in "switches", "enabled", "weights", "progress":
            known: Mapping[str, Any] = getattr(self, member)
            for name, value in row.get(member, {}).items():
                if known[name] != value:
                    wrong.append(f"{member}: {name} is {known[name]}, not {value}")
        hidden = [each for each in row.get("pictures", ()) if each not in self.pictures]
        wrong += [f"does not draw the picture {each!r}" for each in hidden]
        return [f"{row['role']} of {row['screen']}: {each}" for each in wrong]


def groups() -> list[list[dict[str, Any]]]:
    """Returns the rows of the table, those about the same state of the app together."""
    found: dict[str, list[dict[str, Any]]] = {}
    for row in TABLE:
        found.setdefault(label(row), []).append(row)
    return [*found.values()]


def label(row: Mapping[str, Any]) -> str:
    """Names the state of the app that a row is about."""
    sent = [name for name, _ in row["send"]]
    return f"{row['screen']}-{json.dumps(row['send'])}" if sent else str(row["screen"])


def shown_pictures(text: str) -> list[str]:
    """Returns the texts of pictures on lines that say them in words."""
    lines = [line.strip() for line in text.splitlines()]
    parts = [part for line in lines for part in line.split(" · ")]
    return [
        *(line.removesuffix(": (picture)") for line in lines),
        *parts,
        *(part.partition(": ")[2] for part in parts),
    ]


def share_of(line: str) -> float:
    """Returns the share that a line says in percent; -1 for none."""
    found = re.search(r"([\d.]+)%", line)
    return float(found[1]) / 100 if found else -1


def asked(group: list[dict[str, Any]], member: str) -> list[str]:
    """Returns the titles or names about which rows say something in a member."""
    return [*dict.fromkeys(each for row in group for each in row.get(member, {}))]


def words(line: str) -> set[str]:
    """Returns the states in a row that says them in words."""
    return {state for state in STATES if state.capitalize() in line}


def line_of(text: str, title: str) -> str:
    """Returns the line with the title of a row."""
    return next((line for line in text.splitlines() if title in line), "")
