"""What the description says about inputs, outputs, and members decides how they are drawn."""

from __future__ import annotations

import json
import sys
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from .conftest import LOOKS, REPOSITORY, Serve, Visits

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
def test_every_role_is_drawn(
    serve: Serve, visit: Visits, meanings: str, group: list[Any]
) -> None:
    person = visit(serve(meanings, "--deterministic"))
    page = person.open()
    page.evaluate(SEND, {key: group[0][key] for key in ("screen", "send")})
    person.settle()
    text = page.evaluate(TEXT)
    for each in group:
        missing = [part for part in each["shows"] if part not in text]
        extra = [part for part in each["hides"] if part in text]
        assert (missing, extra) == ([], []), f"{each}\n{text}"


@pytest.mark.parametrize("look", ["light", "dark", "phone"])
def test_roles_have_no_violations(
    serve: Serve, visit: Visits, meanings: str, look: str
) -> None:
    person = visit(serve(meanings, "--deterministic"), **LOOKS[look])
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


def test_names_mean_nothing(serve: Serve, visit: Visits, odd: str) -> None:
    person = visit(serve(sys.executable, odd))
    page = person.open()
    expect(page.locator(".fact", has_text="Missing")).to_be_visible()
    spinner = page.locator(".list[aria-busy] .spinner")
    expect(page.locator(".spinner")).to_have_count(0)
    person.input("load").click()
    expect(spinner).to_contain_text("Loading more")
    person.input("load").click()
    expect(spinner).to_have_count(0)
    row = page.locator(".rows .line")
    expect(row.locator("strong")).to_have_text("Above")
    expect(row.locator(".subtitle")).to_have_text("Below")
    # What tries again is beside the failure, and nowhere else.
    retry, problem = person.input("retry"), page.get_by_role("alert")
    expect(retry).to_have_count(0)
    person.input("breakDown").click()
    expect(problem).to_contain_text("It broke.")
    expect(page.get_by_text("4004")).to_have_count(0)
    person.check_access()
    expect(retry).to_have_count(1)
    problem.get_by_role("button", name="Once more").click()
    expect(problem).to_have_count(0)
    expect(retry).to_have_count(0)


def test_an_unknown_role_is_drawn_by_its_type(
    serve: Serve, visit: Visits, odd: str
) -> None:
    person = visit(serve(sys.executable, odd))
    page = person.open()
    expect(page.get_by_text("Cheerful")).to_be_visible()
    expect(page.locator(".rows .line")).to_contain_text("Violet")
    person.input("dream").click()
    expect(page.get_by_text("Dreamy")).to_be_visible()
    person.input("tune").check()
    expect(page.get_by_text("Tuned")).to_be_visible()


def test_rich_text_runs_and_loads_nothing(
    serve: Serve, visit: Visits, odd: str
) -> None:
    person = visit(serve(sys.executable, odd))
    asked: list[str] = []
    person.page.on("request", lambda request: asked.append(request.url))
    person.page.on("dialog", lambda dialog: asked.append(dialog.message))
    prose = person.open().locator(".prose")
    expect(prose.locator("strong")).to_have_text("bold")
    for text in (
        "<script>alert(1)</script>",
        "[unsafe](javascript:alert(1))",
        "[file](file:///etc/passwd)",
        "_plain_",
        "| a | b |",
    ):
        expect(prose).to_contain_text(text)
    expect(prose.locator("script, img, iframe")).to_have_count(0)
    links = prose.locator("a")
    expect(links).to_have_text(["a picture", "safe"])
    for link in links.all():
        assert link.get_attribute("rel") == "noopener noreferrer"
        assert link.get_attribute("target") == "_blank"
    person.settle()
    host = f"127.0.0.1:{person.server.port}"
    assert asked and {urlsplit(url).netloc for url in asked} == {host}
