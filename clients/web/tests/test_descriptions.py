"""The description of an app, which a page reads over HTTP."""

from __future__ import annotations

import json
from typing import Any

import pytest
from playwright.sync_api import expect

from offstage_web.descriptions import drawn

from .conftest import FORM, Serve, Visits

TRANSFERRED = """() => performance.getEntriesByType("resource")
  .filter(({ transferSize }) => transferSize > 0)
  .map(({ name }) => new URL(name).pathname)
  .filter((path) => path.startsWith("/page/description-"))"""


def reference(name: str) -> Any:
    return {"$ref": f"#/components/schemas/{name}"}


def test_a_page_gets_the_types_of_what_it_draws() -> None:
    types = {
        "Row": {"properties": {"kind": reference("Kind"), "required": {}}},
        "Kind": {"enum": ["$ref", "b"]},
        "State": {"type": "object", "properties": {"self": reference("State")}},
    }
    home = {"outputs": {"rows": {"anyOf": [{"items": reference("Row")}]}}}
    row = {**types["Row"], "required": ["kind", "required"]}
    whole = {
        "info": {"title": "app"},
        "methods": [{"result": reference("State")}],
        "components": {"schemas": {**types, "Row": row}, "errors": {}},
        "x-screens": {"home": {**home, "argument": reference("State"), "result": {}}},
        "x-state": reference("State"),
    }
    assert drawn(whole) == {
        "info": {"title": "app"},
        "x-screens": {"home": home},
        "components": {"schemas": {"Row": types["Row"], "Kind": types["Kind"]}},
    }


@pytest.mark.long
def test_the_address_of_a_description_changes_with_the_language(
    serve: Serve, visit: Visits, showcase: str
) -> None:
    server = serve(showcase, *FORM)
    titles = {}
    for locale in ("en-US", "ko-KR"):
        page = visit(server, locale=locale).open()
        address = page.evaluate("offstage.core.handshake.description")
        # The HTML has named it, and the browser has kept it for the page.
        assert page.evaluate(TRANSFERRED) == [address]
        response = page.request.get(f"{server.url}{address}")
        assert "immutable" in response.headers["cache-control"]
        titles[address] = json.loads(response.body())["x-screens"]["signUp"]["title"]
    assert sorted(titles.values()) == ["Sign up", "가입하기"]


def test_a_page_without_the_file_asks_the_core(
    serve: Serve, visit: Visits, showcase: str
) -> None:
    person = visit(serve(showcase, *FORM))
    person.page.route("**/page/description-*", lambda route: route.fulfill(status=404))
    person.open()
    expect(person.input("confirm")).to_be_visible()
