"""What the description says about inputs, outputs, and members decides how they are drawn."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect

from .conftest import LOOKS, REPOSITORY, Serve, Visits
from .test_any_app import app

ODD = Path(__file__).with_name("odd_app.py")
TABLE: list[Any] = json.loads(
    (REPOSITORY / "Tests/Apps/Meanings/table.json").read_text()
)

# What a person reads, also in fields.
TEXT = """() => [
  document.body.innerText,
  ...[...document.querySelectorAll(".screen:not(.behind) :is(input, textarea):not([type=password])")].map(({ value }) => value),
].join("\\n")"""

SEND = """async ({ screen, send }) => {
  const { core } = offstage;
  if (screen !== "app") await core.selectTab(screen);
  const id = screen === "app" ? screen : core.visible[0];
  for (const [name, value] of send) await core.input(id, name, value ?? undefined);
}"""


def cases() -> list[Any]:
    """Returns the assertions of the table, those about the same state together."""
    groups: dict[str, list[Any]] = {}
    for each in TABLE:
        groups.setdefault(json.dumps([each["screen"], each["send"]]), []).append(each)
    return [
        pytest.param(
            group, id="-".join([group[0]["screen"], *(n for n, _ in group[0]["send"])])
        )
        for group in groups.values()
    ]


@pytest.mark.parametrize("group", cases())
def test_every_role_is_drawn(serve: Serve, visit: Visits, group: list[Any]) -> None:
    person = visit(serve(app("meanings"), "--deterministic"))
    page = person.open()
    page.evaluate(SEND, {key: group[0][key] for key in ("screen", "send")})
    person.settle()
    text = page.evaluate(TEXT)
    for each in group:
        missing = [part for part in each["shows"] if part not in text]
        extra = [part for part in each["hides"] if part in text]
        assert (missing, extra) == ([], []), f"{each}\n{text}"


@pytest.mark.parametrize("look", ["light", "dark", "phone"])
def test_roles_have_no_violations(serve: Serve, visit: Visits, look: str) -> None:
    person = visit(serve(app("meanings"), "--deterministic"), **LOOKS[look])
    page = person.open()
    send = [["start", None], ["fail", None], ["announce", None], ["age", None]]
    page.evaluate(SEND, {"screen": "work", "send": send})
    page.evaluate(SEND, {"screen": "app", "send": [["sync", None], ["restore", None]]})
    for tab in ("work", "lists", "values", "form"):
        person.tab(tab)
        person.screen(tab)
        person.settle()
        person.check_access()
        person.picture(f"meanings-{look}-{tab}")


def open_odd(serve: Serve, visit: Visits) -> Any:
    person = visit(serve(sys.executable, str(ODD)))
    person.open()
    return person


def test_names_mean_nothing(serve: Serve, visit: Visits) -> None:
    person = open_odd(serve, visit)
    page: Page = person.page
    expect(page.locator("h1")).to_have_text("A name of its own")
    problem = page.locator(".failure")
    expect(problem).to_contain_text("The line is cut.")
    expect(page.locator(".spinner")).to_have_count(0)
    expect(page.locator(".fact", has_text="Missing")).to_be_visible()
    expect(page.get_by_text("Not a failure")).to_be_visible()
    expect(page.get_by_text("one, two")).to_have_count(0)
    # A condition hides an input.
    expect(person.input("isSending")).to_have_count(0)
    assert person.input("email").get_attribute("type") == "text"
    assert person.input("notes").get_attribute("type") == "email"
    row = page.locator(".rows .line").first
    expect(row.locator("strong")).to_contain_text("Above")
    expect(row.locator(".subtitle")).to_have_text("below")
    assert "is-done" in (row.get_attribute("class") or "")
    # The retry is beside its failure, and nowhere else.
    retry = person.input("retry")
    expect(retry).to_have_count(1)
    problem.get_by_role("button", name="Go again").click()
    expect(problem).to_have_count(0)
    expect(retry).to_have_count(0)
    expect(page.locator(".list[aria-busy] .spinner")).to_contain_text("Fetching more")
    person.check_access()


def test_an_unknown_role_is_drawn_by_its_type(serve: Serve, visit: Visits) -> None:
    person = open_odd(serve, visit)
    expect(person.page.get_by_text("Sunny")).to_be_visible()


def test_markdown_runs_and_loads_nothing(serve: Serve, visit: Visits) -> None:
    person = open_odd(serve, visit)
    page: Page = person.page
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    prose = page.locator(".prose")
    expect(prose.locator("h2 strong")).to_have_text("bold")
    expect(prose.locator("em")).to_have_text("words")
    expect(prose.locator("pre")).to_have_text("<b>not bold</b>")
    expect(prose).to_contain_text("<script>window.attacked = 1</script>")
    expect(prose.locator("script, img, b")).to_have_count(0)
    links = prose.locator("a")
    expect(links).to_have_text(["a link", "a picture"])
    for link in links.all():
        assert link.get_attribute("rel") == "noopener noreferrer"
        assert link.get_attribute("target") == "_blank"
    page.reload()
    expect(links.first).to_be_visible()
    assert page.evaluate("window.attacked") is None
    host = f"127.0.0.1:{person.server.port}"
    assert asked and {urlsplit(url).netloc for url in asked} == {host}
