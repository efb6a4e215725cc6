"""An agent reads what every role says."""

from __future__ import annotations

import base64
import re
import sys
from pathlib import Path
from typing import Any

import pytest
from conformance import (
    Drawing,
    asked,
    groups,
    label,
    line_of,
    share_of,
    shown_pictures,
    words,
)
from mcp import Client

from offstage_mcp import build

from .support import call


async def send(
    client: Client, screen: str, path: str, value: Any, folder: Path
) -> dict[str, Any]:
    """Calls the tool of an input, or that of an input of a part. A file is in a folder."""
    part, _, name = path.rpartition("/")
    ending = f"-{name}" if part else f"{screen}-{name}"
    [(tool, takes)] = [
        (each.name, each.input_schema.get("properties", {}))
        for each in (await client.list_tools(cache_mode="bypass")).tools
        if each.name.endswith(ending) and each.name.startswith(screen)
    ]
    # The only part of a screen needs no name.
    arguments: dict[str, Any] = {"part": part} if "part" in takes else {}
    if screen == "form" and name == "planDropped":
        file = folder / value["name"]
        file.write_bytes(base64.b64decode(value["base64"]))
        return await call(client, tool, path=str(file))
    return await call(
        client, tool, **arguments, **({"value": value} if "value" in takes else {})
    )


async def read(client: Client) -> str:
    return (await call(client, "read"))["value"]


def is_on(text: str, title: str) -> bool | None:
    """Returns the state of a switch with a title."""
    return True if f"[x] {title}" in text else False if f"[ ] {title}" in text else None


async def draw(
    client: Client, group: list[dict[str, Any]], events: list[Any]
) -> Drawing:
    text = await read(client)
    listed = (await client.list_tools(cache_mode="bypass")).tools
    tools = {each.name: str(each.title) for each in listed}
    titles = {tool.rpartition("-")[2]: title for tool, title in tools.items()}
    for event in events:
        offers = [titles[each] for each in event.get("offers", ())]
        text += "\n".join([event.get("message", ""), *offers])
    states = {title: words(line_of(text, title)) for title in asked(group, "states")}
    # The name of an input in a part has the path of the part.
    switches = {
        each: is_on(text, titles[each.rpartition("/")[2]]) is True
        for each in asked(group, "switches")
    }
    enabled = {
        each: f"[{title}]" in text and not re.search(rf"\[{title}\] \(.*disabled", text)
        for each in asked(group, "enabled")
        for title in [titles[each.rpartition("/")[2]]]
    }
    # What a tool switches is among the states of the row.
    shown = dict.fromkeys(("starTapped", "pinTapped", "lampSwitched"), "favorite")
    actions = {
        row: {
            title: shown[each] in words(line_of(text, row)) if each in shown else None
            for each, title in titles.items()
        }
        for row in asked(group, "actions")
    }
    hints = {each.name.rpartition("-")[2]: each.annotations for each in listed}
    weights = {
        each: "main"
        if f"[{titles[name]}] (main" in text
        else "destructive"
        if (hint := hints[name]) and hint.destructive_hint
        else None
        for each in asked(group, "weights")
        for name in [each.rpartition("/")[2]]
    }
    shares = {each: share_of(line_of(text, each)) for each in asked(group, "progress")}
    pictures = shown_pictures(text.replace("- ", ""))
    return Drawing(text, states, actions, switches, enabled, weights, pictures, shares)


@pytest.mark.parametrize("group", groups(), ids=lambda group: label(group[0]))
async def test_every_role_is_read(
    meanings: str, odd: str, group: list[dict[str, Any]], tmp_path: Path
) -> None:
    screen, events = group[0]["screen"], list[Any]()
    core = odd if screen == "odd" else meanings
    server = build(core, "--deterministic")
    async with Client(server) as client:
        if screen not in ("app", "odd"):
            await call(client, "select_tab", tab=screen)
        for input, value in group[0]["send"]:
            events = (await send(client, screen, input, value, tmp_path))["events"]
        drawing = await draw(client, group, events)
        assert [each for row in group for each in drawing.mistakes(row)] == [], (
            drawing.text
        )


async def test_a_file_that_cannot_be_taken_is_refused(
    meanings: str, tmp_path: Path
) -> None:
    (tmp_path / "plan.png").write_bytes(b"PNG")
    async with Client(build(meanings, "--deterministic")) as client:
        await call(client, "select_tab", tab="form")
        for name, reason in (
            ("no.txt", "is not a file"),
            ("plan.png", "of another type"),
        ):
            path = str(tmp_path / name)
            result = await client.call_tool("form-planDropped", {"path": path})
            assert result.is_error and reason in str(result.content)
        assert "PNG" not in await read(client)


async def test_a_chart_is_read_as_its_numbers(meanings: str) -> None:
    async with Client(build(meanings, "--deterministic", "--root", "values")) as client:
        text = await read(client)
        assert "Weights: 61.5, 61.2, 60.8\n" in text
        assert "Points: 2\n  Hour · Visits\n  - 1 · 12\n  - 2 · 30\n" in text


async def test_what_retries_is_beside_the_failure(odd: str) -> None:
    async with Client(build(sys.executable, odd)) as client:
        assert "[Once more]" not in await read(client)
        await call(client, "odd-breakDown")
        assert "! It broke. [Once more]" in await read(client)
