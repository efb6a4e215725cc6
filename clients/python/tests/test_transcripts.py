"""Applies the frames of all transcripts: after each, the document is that of a reference library.

The Swift tests compare the frames with the core's, and the core's snapshots with such documents.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import jsonpatch  # pyright: ignore[reportMissingTypeStubs]

from offstage import Document, Frame

REPOSITORY = Path(__file__).parents[3]
apply_patch = cast("Any", jsonpatch).apply_patch
TRANSCRIPTS = sorted((REPOSITORY / "Protocol/transcripts").rglob("*.transcript"))
PLACEHOLDER = re.compile(r'"\$(?:_|[A-Za-z]\w*)"[],}]')


def runs(path: Path) -> Iterator[list[Any]]:
    """Yields the messages from the core in each run, up to a frame with a placeholder."""
    text = path.read_text(encoding="utf-8").replace("\n  ", "")
    for run in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        messages: list[Any] = []
        # Only LF ends a line: a raw line may hold other separators.
        for line in run.split("\n"):
            if not line.startswith("< "):
                continue
            message = json.loads(line[2:])
            if '"method":"frame"' in line and PLACEHOLDER.search(line):
                break
            messages.append(message)
        yield messages


def test_all_transcripts() -> None:
    assert len(TRANSCRIPTS) > 200
    frames = snapshots = 0
    for path in TRANSCRIPTS:
        for messages in runs(path):
            document = Document()
            reference: Any = None
            for message in messages:
                match message:
                    case {"method": "frame", "params": params}:
                        if params["revision"] > document.revision:
                            reference = apply_patch(reference, params.get("patch", []))
                        document.apply(Frame.from_wire(params))
                        assert document.value == reference, path
                        frames += 1
                    case {"result": {"state": state, "revision": revision}}:
                        assert (state, revision) == (document.value, document.revision)
                        snapshots += 1
                    case _:
                        pass
    print(f"{len(TRANSCRIPTS)} transcripts, {frames} frames, {snapshots} snapshots")
    assert frames > 2_000
    assert snapshots > 10
