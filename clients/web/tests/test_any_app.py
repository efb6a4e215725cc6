"""Apps without a line of front-end code: the page draws them from their descriptions."""

from __future__ import annotations

import pytest
from conftest import find
from playwright.sync_api import expect

from .conftest import REPOSITORY, Serve, Visits


def app(name: str) -> str:
    """A program of Package.swift, or one that Tests/documentation and Tests/Apps/run build."""
    if name == "bench-app":
        return find(name)
    path = REPOSITORY / ".build/apps/debug" / name
    if not path.exists():
        pytest.skip("run Tests/documentation and Tests/Apps/run first")
    return str(path)


@pytest.mark.parametrize("name", ["bench-app", "books", "tracker"])
def test_apps_are_drawn_from_their_descriptions(
    serve: Serve, visit: Visits, name: str
) -> None:
    person = visit(serve(app(name), "--deterministic"))
    page = person.open()
    expect(page.locator("h1:visible")).not_to_be_empty()
    expect(page.locator(".generic")).to_be_visible()
    if name == "books":
        person.input("queryText").fill("e")
        person.settle()
        page.evaluate("offstage.core.advance(1000)")
        expect(page.locator(".generic .row").first).to_contain_text("Emma")
    person.picture(name)
