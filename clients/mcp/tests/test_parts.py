"""The inputs of parts of a screen."""

from __future__ import annotations

import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import jsonschema
from mcp import Client

from offstage_mcp import build

from .support import call, look, text

CART = Path(__file__).parents[2] / "python/tests/cart.py"


@asynccontextmanager
async def cart() -> AsyncGenerator[tuple[Client, dict[str, Any]]]:
    """Yields a client of a fake app, and its tools by name."""
    async with Client(build(sys.executable, str(CART))) as client:
        listed = await client.list_tools()
        yield client, {tool.name: tool for tool in listed.tools}


async def test_inputs_of_parts_are_tools_of_their_screen() -> None:
    async with cart() as (client, tools):
        add = tools["cart-CartLine-add"]
        assert add.title == "One more"
        assert add.description == (
            "Line: One more. Enabled while canAdd of the part is true."
        )
        assert add.input_schema["required"] == ["part"]
        assert add.input_schema["properties"]["part"]["description"] == (
            "The path of the part: lines/ID. In an id, ~ is written ~0, and / is written ~1."
        )
        assert tools["cart-CartLine-countText"].description == (
            "Line: Count. Its value and error are at fields/countText of the part."
        )
        for tool in tools.values():
            jsonschema.Draft202012Validator.check_schema(tool.input_schema)
        changes = await call(client, "cart-CartLine-add", part="lines/a~1b")
        assert {edit["path"] for edit in changes["patch"]} >= {
            "/screens/1/output/lines/1/cost",
            "/screens/1/output/total",
        }
        await call(client, "cart-CartLine-countText", part="lines/milk", value="3")
        assert await look(client, "/screens/1/output/total") == 18


async def test_parts_of_parts_have_tools() -> None:
    async with cart() as (client, tools):
        part = tools["cart-Note-text"].input_schema["properties"]["part"]
        assert "lines/ID/notes/ID" in part["description"]
        await call(client, "cart-CartLine-note", part="lines/milk", value=1)
        note = "lines/milk/notes/0"
        await call(client, "cart-Note-text", part=note, value="fresh")
        text = await look(client, "/screens/1/output/lines/0/notes/0/text")
        assert text == "fresh"


async def test_a_part_that_is_shown_alone_needs_no_path() -> None:
    async with cart() as (client, tools):
        assert tools["cart-Header-refresh"].input_schema["properties"] == {}
        refused = await client.call_tool("cart-Header-refresh", {})
        assert refused.is_error and "(1002)" in text(refused)
        await call(client, "cart-signIn", value="Kim")
        changes = await call(client, "cart-Header-refresh")
        assert changes["events"] == [
            {"screen": "1", "name": "header/refreshed", "value": "Kim"}
        ]


async def test_a_disabled_input_of_a_part_is_refused() -> None:
    async with cart() as (client, _):
        await call(client, "cart-CartLine-countText", part="lines/milk", value="99")
        refused = await client.call_tool("cart-CartLine-add", {"part": "lines/milk"})
        assert refused.is_error
        assert text(refused) == (
            "cart-CartLine-add is disabled while canAdd of the part is false"
        )
