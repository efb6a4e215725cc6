#!/usr/bin/env python3
"""Checks the sketch against a table of what each role shows.

table.py CORE ODD    ODD serves the screen `odd`, CORE all others
"""

from __future__ import annotations

import asyncio
import re
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "Tests/Apps/Meanings"))

from conformance import TABLE, Drawing, line_of, share_of, shown_pictures, words
from offstage import Core, Part, Screen

from sketch import Sketch, start

ACTION = re.compile(r"\[\d+ (?:\[(.)\] )?([^\]]*?)(?: ([*!]))?\]")
WEIGHTS = {"*": "main", "!": "destructive"}


async def check(row: Any, core_path: str) -> str:
    """Returns what is not drawn as a row of the table says."""
    async with start([core_path, "--deterministic"], "en") as core:
        if row["screen"] not in ("app", "odd"):
            await core.select_tab(row["screen"])
        id = "app" if row["screen"] == "app" else core.visible[0]
        frames, events = core.frames(), list[Any]()
        for name, value in row["send"]:
            await core.input(id, name, value, settle=True)
            # What the person does next takes the place of what has happened.
            events = [event for frame in frames.pending() for event in frame.events]
        sketch = Sketch(core)
        text = "\n".join(sketch.draw(events))
        drawn = actions(text)
        drawing = Drawing(
            text,
            {title: words(line_of(text, title)) for title in row.get("states", {})},
            {title: actions(line_of(text, title)) for title in row.get("actions", {})},
            {name: drawn.get(at_title(core, id, name)) is True for name in row.get("switches", {})},
            {name: at_title(core, id, name) in drawn for name in row.get("enabled", {})},
            {name: weights(text).get(at_title(core, id, name)) for name in row.get("weights", {})},
            shown_pictures(text),
            {title: share_of(line_of(text, title)) for title in row.get("progress", {})},
        )
        wrong = drawing.mistakes(row)
        return "\n".join([*wrong, text, ""]) if wrong else ""


def at_title(core: Core, id: str, name: str) -> str:
    """Returns the title that an input has now."""
    path, slash, name = name.rpartition("/")
    owner = Part(core, id, path + slash) if path else Screen(core, id)
    return owner.title_of(owner.about.inputs[name])


def actions(text: str) -> dict[str, bool | None]:
    """Returns the numbered actions, and of a switch, whether it is on."""
    signs = {"x": True, " ": False}
    return {title: signs.get(sign) for sign, title, _ in ACTION.findall(text)}


def weights(text: str) -> dict[str, str | None]:
    """Returns the weights of the numbered actions."""
    return {title: WEIGHTS.get(mark) for _, title, mark in ACTION.findall(text)}


async def main() -> None:
    cores = [sys.argv[2 if row["screen"] == "odd" else 1] for row in TABLE]
    wrong = list(filter(None, [await check(*each) for each in zip(TABLE, cores, strict=True)]))
    print(f"{len(TABLE) - len(wrong)} of {len(TABLE)} roles are drawn")
    if wrong:
        sys.exit("\n".join(wrong))


if __name__ == "__main__":
    asyncio.run(main())
