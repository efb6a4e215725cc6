"""The tools describe themselves, and refuse invalid calls."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, cast

import jsonschema
import mcp
import pytest
from mcp import Client
from mcp.types import Tool
from offstage import JSON

from offstage_mcp import build
from offstage_mcp.driver import _within  # pyright: ignore[reportPrivateUsage]

from .support import call, connect, names, text

# The names that all models accept; some models allow fewer characters than MCP.
NAME = re.compile(r"^[a-zA-Z0-9_-]{1,64}$")
TABS = ["map", "explore", "chats", "pokedex", "library", "profile"]


async def tools(client: Client) -> dict[str, Tool]:
    listed = await client.list_tools(cache_mode="bypass")
    return {tool.name: tool for tool in listed.tools}


async def test_every_list_of_tools_validates(showcase: str) -> None:
    async with connect(showcase) as client:
        for tab in TABS:
            await call(client, "select_tab", tab=tab)
            for name, tool in (await tools(client)).items():
                assert NAME.match(name)
                assert tool.title
                assert tool.description
                assert not list(unresolved(tool.input_schema, tool.input_schema))
                jsonschema.Draft202012Validator.check_schema(tool.input_schema)
                if tool.output_schema:
                    jsonschema.Draft202012Validator.check_schema(tool.output_schema)


def unresolved(schema: JSON, root: JSON) -> Iterator[str]:
    """Yields the references to types that are missing from the schema."""
    if isinstance(schema, dict):
        members = cast("dict[str, JSON]", schema)
        reference: str = members.get("$ref", "")
        if reference and reference.removeprefix("#/$defs/") not in root["$defs"]:
            yield reference
        schema = [*members.values()]
    if isinstance(schema, list):
        for part in cast("list[JSON]", schema):
            yield from unresolved(part, root)


async def test_tools_say_what_an_input_takes(showcase: str) -> None:
    async with connect(showcase) as client:
        by_name = await tools(client)
        assert by_name["map-placeTapped"].description == (
            "Map: Show place. Takes the id of a row of /screens/1/output/places"
            " or /screens/1/output/markers."
        )
        assert by_name["map-sheetDetentChanged"].description == (
            "Map: Sheet height. Its value and error are at /screens/1/fields/sheetDetentChanged."
        )
        detent = by_name["map-sheetDetentChanged"].input_schema["$defs"]["SheetDetent"]
        assert detent["enum"] == ["tip", "half", "full"]
        assert detent["x-titles"]["half"] == "Half"
        assert by_name["map-reachedEnd"].description == (
            "Map: Show more. Loads more rows of /screens/1/output/places."
        )
        assert not [name for name in by_name if name.endswith("Appear")]
        await call(client, "select_tab", tab="library")
        assert (await tools(client))["library-cardTapped"].description == (
            "Library: Show title. Takes members of one row:"
            " shelf from /screens/5/output/shelves/*/id,"
            " card from /screens/5/output/shelves/*/cards/*/id."
        )


async def test_tools_of_a_form_point_to_its_fields(showcase: str) -> None:
    async with connect(showcase, "--root", "signUp") as client:
        name = (await tools(client))["signUp-nameText"]
        assert name.title == "Name"
        assert name.description == (
            "Sign up: Name. Its value and error are at /screens/1/fields/nameText."
        )
        assert name.input_schema["properties"]["value"] == {
            "type": ["string", "null"],
            "placeholder": "Your name",
            "x-valid": {"minLength": 1, "maxLength": 80},
        }


async def test_titles_are_in_the_language_of_the_user(showcase: str) -> None:
    server = build(showcase, "--deterministic", "--root", "signUp", locale="ko")
    async with Client(server) as client:
        assert (await tools(client))["signUp-nameText"].title == "이름"


async def test_a_disabled_input_is_refused(showcase: str) -> None:
    async with connect(showcase, "--root", "signUp") as client:
        result = await client.call_tool("signUp-confirm", {})
        assert result.is_error
        assert text(result) == (
            "signUp-confirm is disabled while /screens/1/output/isConfirmEnabled is false: "
            "Enter your name and your email address."
        )


async def test_tools_say_what_an_input_belongs_to(meanings: str) -> None:
    async with connect(meanings) as client:
        by_name = await tools(client)
        again, down = by_name["work-again"], by_name["work-tearDown"]
        assert "Offered with /screens/1/output/problem." in str(again.description)
        assert down.annotations and down.annotations.destructive_hint
        assert again.annotations and again.annotations.destructive_hint is None
        await call(client, "select_tab", tab="form")
        wish = (await tools(client))["form-wishText"]
        assert "Shown while /screens/4/output/isGiftShown" in str(wish.description)
        result = await client.call_tool("form-wishText", {"value": "A bike"})
        assert result.is_error and "hidden while" in text(result)


async def test_two_screens_of_a_kind_have_tools_of_their_own(showcase: str) -> None:
    async with connect(showcase, "--root", "gallery") as client:
        await call(client, "gallery-sheet", value="Upper")
        assert {"gallery-alert", "gallery-1-alert"} <= set(await names(client))
        await call(client, "gallery-1-alert", value="Sure?")


async def test_the_tool_for_answers_has_the_schema_of_the_open_prompt(
    showcase: str,
) -> None:
    async with connect(showcase, "--root", "gallery") as client:
        await call(client, "gallery-alert", value="Sure?")
        schema = (await tools(client))["answer"].input_schema
        assert schema["properties"]["prompt"]["enum"] == ["q1"]
        assert schema["properties"]["value"] == {"$ref": "#/$defs/DialogAnswer"}
        assert schema["required"] == ["prompt"]


def test_a_long_text_is_cut() -> None:
    assert _within(10, "a" * 20) == {"length": 22, "limit": 10, "start": "a" * 10}


async def test_errors_say_what_is_wrong(showcase: str) -> None:
    async with connect(showcase, "--root", "signUp") as client:

        async def error(tool: str, **arguments: Any) -> str:
            result = await client.call_tool(tool, arguments)
            assert result.is_error
            return text(result)

        assert '"path": "/value"' in await error("signUp-nameText", value=5)
        assert "(1004)" in await error("back")
        assert await error("look", path="/nope") == "nothing at /nope: no member 'nope'"
        assert (
            await call(client, "look", path="/screens/1/fields/nameText/error")
        ) == {"value": None}
        assert await error("signUp-nameText") == 'missing argument "value"'
        assert await error("signUp-nameText", text="Kim") == (
            'unknown argument "text"; signUp-nameText takes value'
        )
        with pytest.raises(mcp.MCPError, match=r"signUp-nameText"):
            await client.call_tool("signUp-name", {})


async def test_an_agent_scrolls_in_a_long_list(meanings: str) -> None:
    async with connect(meanings, "--root", "long") as client:
        assert (
            "Numbers: rows 1 to 50 of 1000000" in (await call(client, "read"))["value"]
        )
        await call(client, "scroll", list="1/numbers", first=900_000, count=3)
        text = (await call(client, "read"))["value"]
        assert "rows 900001 to 900003 of 1000000" in text and "Number 900002" in text
        await call(client, "long-breakDown")
        await call(client, "scroll", list="1/numbers", first=5, count=3)
        assert "! The numbers are out." in (await call(client, "read"))["value"]
        await call(client, "scroll", list="1/numbers", first=5, count=3)
        assert "Number 7" in (await call(client, "read"))["value"]
