"""Reading the document, parts of it, and the app's files."""

from __future__ import annotations

import base64
import json

import mcp
import pytest
from mcp.types import BlobResourceContents, TextResourceContents

from offstage_mcp.driver import LIMIT

from .support import call, connect, look


async def test_the_document_and_each_open_screen_are_listed(showcase: str) -> None:
    async with connect(showcase, "--root", "signUp") as client:
        listed = {each.uri: each for each in (await client.list_resources()).resources}
        assert list(listed) == ["offstage://document", "offstage://document/screens/1"]
        assert listed["offstage://document/screens/1"].title == "Sign up"
        uri = "offstage://document/screens/1/fields/nameText"
        [contents] = (await client.read_resource(uri)).contents
        assert isinstance(contents, TextResourceContents)
        assert json.loads(contents.text) == {"value": None, "error": None}
        templates = (await client.list_resource_templates()).resource_templates
        assert {each.name for each in templates} == {"part", "file"}


async def test_pictures_on_the_screen_are_listed_and_read(showcase: str) -> None:
    async with connect(showcase) as client:
        await call(client, "select_tab", tab="library")
        shelves = await look(client, "/screens/5/output/shelves")
        uri = shelves[0]["cards"][0]["image"]
        listed = (await client.list_resources(cache_mode="bypass")).resources
        assert uri in [each.uri for each in listed]
        [contents] = (await client.read_resource(uri)).contents
        assert isinstance(contents, BlobResourceContents)
        assert contents.mime_type == "image/svg+xml"
        assert b"<svg" in base64.b64decode(contents.blob)


@pytest.mark.parametrize(
    "uri", ["offstage://document/nothing", "resource:nothing", "file:///etc/passwd"]
)
async def test_an_unknown_resource_is_an_error(showcase: str, uri: str) -> None:
    async with connect(showcase, "--root", "signUp") as client:
        with pytest.raises(mcp.MCPError):
            await client.read_resource(uri)


async def test_look_shows_the_visible_screens(showcase: str) -> None:
    async with connect(showcase) as client:
        shown = (await call(client, "look"))["value"]
        assert list(shown["screens"]) == ["1"]
        assert shown["navigation"]["root"]["selected"] == "map"
        assert await look(client, "/screens/1/kind") == "map"


async def test_a_long_value_is_read_in_parts(showcase: str) -> None:
    async with connect(showcase, "--root", "gallery") as client:
        changed = await call(client, "gallery-push", value="a" * LIMIT)
        [path] = changed["omitted"]
        assert path == "/screens/2"
        shown = await call(client, "look", path=path)
        assert shown["length"] > shown["limit"] == LIMIT
        assert shown["parts"] == ["kind", "output"]
        assert await look(client, "/screens/2/kind") == "gallery"
