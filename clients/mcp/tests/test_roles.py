"""An agent reads what every role says, and a role that the server does not know by its type."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest
from mcp import Client

from offstage_mcp import build

from .support import call, names

TABLE: list[dict[str, Any]] = json.loads(
    (Path(__file__).parents[3] / "Tests/Apps/Meanings/table.json").read_text("utf-8")
)


def cases() -> list[Any]:
    """Returns the assertions of the table, those about the same state together."""
    groups: dict[str, list[Any]] = {}
    for row in TABLE:
        groups.setdefault(json.dumps([row["screen"], row["send"]]), []).append(row)
    return [pytest.param(group, id=key) for key, group in groups.items()]


async def send(client: Client, screen: str, path: str, value: Any) -> dict[str, Any]:
    """Calls the tool of an input, or that of an input of a part."""
    part, _, name = path.rpartition("/")
    ending = f"-{name}" if part else f"{screen}-{name}"
    [tool] = [
        each
        for each in await names(client)
        if each.endswith(ending) and each.startswith(screen)
    ]
    arguments: dict[str, Any] = {"part": part} if part else {}
    return await call(
        client, tool, **arguments, **({} if value is None else {"value": value})
    )


async def read(client: Client) -> str:
    return (await call(client, "read"))["value"]


@pytest.mark.parametrize("group", cases())
async def test_every_role_is_read(meanings: str, group: list[Any]) -> None:
    screen, events = group[0]["screen"], list[Any]()
    server = build(meanings, "--deterministic", announce=["*"])
    async with Client(server) as client:
        if screen != "app":
            await call(client, "select_tab", tab=screen)
        for name, value in group[0]["send"]:
            events = (await send(client, screen, name, value))["events"]
        values = [event["value"] for event in events]
        text = await read(client)
        text += "".join(value for value in values if isinstance(value, str))
        for row in group:
            missing = [each for each in row["shows"] if each not in text]
            extra = [each for each in row["hides"] if each in text]
            assert (missing, extra) == ([], []), f"{row}\n{text}"


async def test_an_unknown_role_is_read_and_sent_by_its_type(odd: str) -> None:
    async with Client(build(sys.executable, odd)) as client:
        text = await read(client)
        assert "Mood: Cheerful" in text and "Violet" in text
        assert "[Dream]" in text and re.search("Tune:", text)
        await call(client, "odd-dream")
        assert "Mood: Dreamy" in await read(client)
        await call(client, "odd-tune", value=True)
        assert "Mood: Tuned" in await read(client)


async def test_what_retries_is_beside_the_failure(odd: str) -> None:
    async with Client(build(sys.executable, odd)) as client:
        assert "[Once more]" not in await read(client)
        await call(client, "odd-breakDown")
        assert "! It broke. [Once more]" in await read(client)
