#!/usr/bin/env python3
"""Checks the sketch against a table of what each role shows.

table.py TABLE CORE
"""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

from sketch import Sketch, start


async def check(row: Any, core_path: str) -> str:
    """Returns what is missing on the screen, or too much."""
    async with start([core_path, "--deterministic"], "en") as core:
        if row["screen"] != "app":
            await core.select_tab(row["screen"])
        id = "app" if row["screen"] == "app" else core.visible[0]
        frames, events = core.frames(), list[Any]()
        for name, value in row["send"]:
            await core.input(id, name, value, settle=True)
            # What the person does next takes the place of what has happened.
            events = [event for frame in frames.pending() for event in frame.events]
        sketch = Sketch(core)
        text = "\n".join(sketch.draw([sketch.say_event(event) for event in events]))
        missing = [each for each in row["shows"] if each not in text]
        extra = [each for each in row["hides"] if each in text]
        return f"{row}\nmissing {missing}, extra {extra}:\n{text}\n" * bool(missing + extra)


async def main() -> None:
    rows = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    wrong = list(filter(None, [await check(row, sys.argv[2]) for row in rows]))
    print(f"{len(rows) - len(wrong)} of {len(rows)} roles are drawn")
    if wrong:
        sys.exit("\n".join(wrong))


if __name__ == "__main__":
    asyncio.run(main())
