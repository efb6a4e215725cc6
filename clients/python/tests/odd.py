#!/usr/bin/env python3
"""An app whose names mislead: only its description says what is work, and what has failed.

odd.py             serves on standard input and output
odd.py describe    prints the description
"""

from __future__ import annotations

from typing import Any

from cart import TEXT, TRIGGER, reference, serve, structure  # type: ignore[import-not-found]

FLAG: Any = {"type": "boolean"}
LIGHT = {"true": "Bright", "false": "Dark"}
PROBLEM: Any = {
    **structure(sentence=TEXT, code={"type": "integer"}, helps=FLAG),
    "x-role": "failure",
    "x-message": "sentence",
    "x-retryable": "helps",
    "x-retry": "retry",
}
ROW: Any = structure(
    id={**TEXT, "x-role": "hidden"},
    name={**TEXT, "x-role": "subtitle"},
    text={**TEXT, "x-role": "title"},
    glow={**TEXT, "x-role": "aura"},
    lit={**FLAG, "x-titles": {"true": "Lit", "false": "Unlit"}},
    sworn={"type": ["boolean", "null"], "x-titles": {"null": "Unsaid"}},
)
# Content that no person types.
CRATES: Any = {
    "type": "array",
    "items": reference("Row"),
    "title": "Crates",
    "x-role": "value",
}
# A part in a list whose rows inputs take.
LAMP: Any = {
    "title": "Lamp",
    "inputs": {},
    "outputs": {
        "id": {"type": "integer", "x-role": "hidden"},
        "name": {**TEXT, "title": "Name", "x-role": "title"},
        "isLit": {
            **FLAG,
            "title": "Favorite",
            "x-role": "state",
            "x-state": "favorite",
        },
    },
    "fields": {},
    "events": {},
}
LAMP_ROWS: Any = [{"list": "lamps", "member": "id"}]
LAMP_MOVES: Any = [
    {"list": "lamps", "members": {"id": "lamps/*/id"}, "before": "before"}
]
LAMP_MOVE: Any = structure(id={"type": "integer"}, before={"type": ["integer", "null"]})
DESCRIPTION: Any = {
    "info": {"title": "odd", "version": "1"},
    "components": {
        "schemas": {
            "Row": ROW,
            "Lamp": {"type": "object", "properties": LAMP["outputs"]},
        }
    },
    "x-parts": {"Lamp": LAMP},
    "x-screens": {
        "odd": {
            "title": "Odd",
            "inputs": {
                "retry": {**TRIGGER, "type": "null", "title": "Once more"},
                "breakDown": {**TRIGGER, "type": "null", "title": "Break down"},
                "load": {**TRIGGER, "type": "null", "title": "Load"},
                "dream": {"type": "null", "title": "Dream", "x-role": "incantation"},
                "tune": {**FLAG, "title": "Tune", "x-role": "dial"},
                "crates": CRATES,
                "lampBroken": {
                    "type": "integer",
                    "title": "Break lamp",
                    "x-role": "row",
                    "x-weight": "destructive",
                    "x-rows": LAMP_ROWS,
                },
                "lampSwitched": {
                    "type": "integer",
                    "title": "Switch lamp",
                    "x-role": "row",
                    "x-shows": "lamps/*/isLit",
                    "x-rows": LAMP_ROWS,
                },
                "lampMoved": {
                    **LAMP_MOVE,
                    "title": "Move lamp",
                    "x-role": "move",
                    "x-rows": LAMP_MOVES,
                },
            },
            "children": {"lamps": "Lamp"},
            "outputs": {
                "problem": {**PROBLEM, "title": "Problem"},
                "isMissing": {**FLAG, "title": "Missing"},
                "isFound": {**FLAG, "title": "Found"},
                "isLight": {**FLAG, "title": "Light", "x-titles": LIGHT},
                "isLoadingMore": {
                    **FLAG,
                    "title": "Loading more",
                    "x-role": "busy",
                    "x-of": ["rows"],
                },
                "mood": {**TEXT, "title": "Mood", "x-role": "aura"},
                "article": {
                    **TEXT,
                    "title": "Article",
                    "contentMediaType": "text/markdown",
                },
                "rows": {"type": "array", "items": reference("Row"), "title": "Rows"},
                "oath": {
                    "type": ["boolean", "null"],
                    "title": "Oath",
                    "x-titles": {"null": "Not sworn"},
                },
                "lamps": {
                    "type": "array",
                    "items": reference("Lamp"),
                    "title": "Lamps",
                },
            },
            "fields": {"crates": CRATES},
            "events": {},
        }
    },
}
ARTICLE = (
    "# A \x1b]0;owned\x07 head\u202eing\n\n2 * 3 * 4 Some **bold**, <script>alert(1)</script> and "
    "![a picture](https://example.com/p.png), [safe](https://example.com/a), "
    "[unsafe](javascript:alert(1)), [file](file:///etc/passwd), _plain_\n\n"
    "[old](http://example.com/o), [write](mailto:kim@example.com), [call](tel:+8221234567), "
    "[ftp](ftp://example.com/f)\n\n"
    "1. first\n\n| a | b |\n|---|---|\n"
)


class Odd:
    """The state and the inputs."""

    def __init__(self) -> None:
        self.revision = 0
        row: Any = {"id": "r1", "name": "Below", "text": "Above", "glow": "Violet"}
        row |= {"lit": False, "sworn": None}
        self.output: Any = {
            "problem": None,
            "isMissing": True,
            "isFound": False,
            "isLight": False,
            "isLoadingMore": False,
            "mood": "Cheerful",
            "article": ARTICLE,
            "rows": [row],
            "oath": None,
            "lamps": [
                {"id": id, "name": f"Lamp {id}", "isLit": id == 2} for id in (1, 2)
            ],
        }

    @property
    def lamps(self) -> list[Any]:
        lamps: list[Any] = self.output["lamps"]
        return lamps

    @lamps.setter
    def lamps(self, lamps: list[Any]) -> None:
        self.output["lamps"] = lamps

    @property
    def document(self) -> Any:
        root = {"type": "stack", "screens": ["1"]}
        names = {1: "Books", 2: "Plates"}
        crates = [
            {"id": f"c{id}", "name": "Heavy", "text": name, "glow": "", "lit": True}
            for id, name in names.items()
        ]
        fields = {"crates": {"value": crates, "error": None}}
        return {
            "navigation": {"root": root, "presented": [], "modals": []},
            "screens": {"1": {"kind": "odd", "output": self.output, "fields": fields}},
            "prompts": {},
        }

    def input(self, path: list[str], value: Any) -> list[Any]:
        match path:
            case ["breakDown"]:
                problem = {"sentence": "It broke.", "code": 4004, "helps": True}
                self.output["problem"] = problem
            case ["retry"]:
                self.output["problem"] = None
            case ["load"]:
                self.output["isLoadingMore"] = not self.output["isLoadingMore"]
            case ["dream"]:
                self.output["mood"] = "Dreamy"
            case ["lampSwitched"]:
                self.lamps = [
                    {**lamp, "isLit": lamp["isLit"] != (lamp["id"] == value)}
                    for lamp in self.lamps
                ]
            case ["lampBroken"]:
                self.lamps = [lamp for lamp in self.lamps if lamp["id"] != value]
            case ["lampMoved"]:
                [moved] = [lamp for lamp in self.lamps if lamp["id"] == value["id"]]
                others = [lamp for lamp in self.lamps if lamp is not moved]
                ids = [*(lamp["id"] for lamp in others), None]
                at = ids.index(value["before"])
                self.lamps = [*others[:at], moved, *others[at:]]
            case ["tune"]:
                self.output["mood"] = "Tuned" if value else "Untuned"
            case _:
                raise LookupError
        return []


if __name__ == "__main__":
    serve(Odd(), DESCRIPTION)
