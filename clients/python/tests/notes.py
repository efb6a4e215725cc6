#!/usr/bin/env python3
"""An app with a form beside a list that grows: a text, a button to add it, and the notes.

notes.py [COUNT [SIZE]]     serves on standard input and output, with so many notes, in sections of a size
notes.py describe           prints the description
"""

from __future__ import annotations

import sys
from typing import Any

from cart import CONDITION, TEXT, TRIGGER, reference, serve, structure  # type: ignore[import-not-found]

NOTE: Any = structure(
    id={"type": "integer", "x-role": "hidden"},
    text={**TEXT, "x-role": "title"},
    part={"type": ["string", "null"], "x-role": "section"},
)
WORD: Any = {**TEXT, "title": "Note", "x-role": "text"}
DESCRIPTION: Any = {
    "info": {"title": "notes", "version": "1"},
    "components": {"schemas": {"Note": NOTE}},
    "x-screens": {
        "notes": {
            "title": "Notes",
            "inputs": {
                "word": WORD,
                "keep": {
                    **TRIGGER,
                    "title": "Keep",
                    "x-weight": "main",
                    "x-enabledBy": "ready",
                },
                "opened": {
                    "type": "integer",
                    "title": "Open",
                    "x-role": "row",
                    "x-rows": [{"list": "kept", "member": "id"}],
                },
            },
            "outputs": {
                "ready": CONDITION,
                "kept": {"type": "array", "items": reference("Note"), "title": "Kept"},
            },
            "fields": {"word": WORD},
            "events": {},
        }
    },
}


class Notes:
    """The state and the inputs."""

    def __init__(self, count: int = 0, size: int = 0) -> None:
        self.revision, self.word, self.size = 0, "", size
        self.kept = [self._note(n, f"Note {n}") for n in range(count)]

    def _note(self, id: int, text: str) -> Any:
        part = f"Part {id // self.size}" if self.size else None
        return {"id": id, "text": text, "part": part}

    @property
    def document(self) -> Any:
        output = {"ready": bool(self.word), "kept": self.kept}
        fields = {"word": {"value": self.word, "error": None}}
        root = {"type": "stack", "screens": ["1"]}
        return {
            "navigation": {"root": root, "presented": [], "modals": []},
            "screens": {"1": {"kind": "notes", "output": output, "fields": fields}},
            "prompts": {},
        }

    def input(self, path: list[str], value: Any) -> list[Any]:
        match path:
            case ["word"]:
                self.word = value or ""
            case ["keep"]:
                note = self._note(len(self.kept), self.word)
                self.kept, self.word = [*self.kept, note], ""
            case ["opened"]:
                self.kept = [note for note in self.kept if note["id"] != value]
            case _:
                raise LookupError
        return []


if __name__ == "__main__":
    serve(Notes(*map(int, filter(str.isdigit, sys.argv[1:3]))), DESCRIPTION)
