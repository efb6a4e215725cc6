#!/usr/bin/env python3
"""An app with one long list, whose rows may be taken away.

many.py table COUNT     serves a table on standard input and output
many.py albums COUNT    serves rows that hold lists
many.py describe        prints the description
"""

from __future__ import annotations

import sys
from typing import Any

from cart import TEXT, reference, serve, structure  # type: ignore[import-not-found]

ID: Any = {"type": "integer", "x-role": "hidden"}
SONG: Any = structure(
    id=ID, name={**TEXT, "x-role": "title"}, plays={"type": "integer"}
)
ALBUM: Any = structure(
    id=ID,
    name={**TEXT, "x-role": "title"},
    songs={"type": "array", "items": reference("Song")},
)


def screen(output: str, items: str, **says: Any) -> Any:
    port = {"type": "array", "items": reference(items), "title": output.title(), **says}
    rows = [{"list": output, "member": "id"}]
    taken = {"type": "integer", "title": "Take", "x-role": "row", "x-rows": rows}
    return {
        "title": "Many",
        "inputs": {"taken": taken},
        "outputs": {output: port},
        "fields": {},
        "events": {},
    }


DESCRIPTION: Any = {
    "info": {"title": "many", "version": "1"},
    "components": {"schemas": {"Song": SONG, "Album": ALBUM}},
    "x-screens": {
        "table": screen("table", "Song", **{"x-role": "table"}),
        "albums": screen("albums", "Album"),
    },
}


class Many:
    """The state and the inputs."""

    def __init__(self, kind: str = "table", count: str = "0") -> None:
        self.revision, self.kind = 0, kind
        self.rows = [self._row(id) for id in range(int(count))]

    def _row(self, id: int) -> Any:
        song = {"id": id, "name": f"Song {id}", "plays": id * 7}
        if self.kind == "table":
            return song
        # No two successive rows are equally high.
        songs = [{**song, "id": n, "name": f"Song {id}.{n}"} for n in range(1 + id % 3)]
        return {"id": id, "name": f"Album {id}", "songs": songs}

    @property
    def document(self) -> Any:
        screen = {"kind": self.kind, "output": {self.kind: self.rows}, "fields": {}}
        return {
            "navigation": {
                "root": {"type": "stack", "screens": ["1"]},
                "presented": [],
                "modals": [],
            },
            "screens": {"1": screen},
            "prompts": {},
        }

    def input(self, path: list[str], value: Any) -> list[Any]:
        if path != ["taken"]:
            raise LookupError
        self.rows = [row for row in self.rows if row["id"] != value]
        return []


if __name__ == "__main__":
    serve(Many(*sys.argv[1:3]), DESCRIPTION)
