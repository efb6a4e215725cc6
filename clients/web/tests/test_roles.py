"""What the description says about inputs, outputs, and members decides how they are drawn."""

from __future__ import annotations

import json
import sys
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from .conftest import LOOKS, REPOSITORY, Serve, Visit, Visits

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


def open_tab(serve: Serve, visit: Visits, meanings: str, tab: str) -> Visit:
    person = visit(serve(meanings, "--deterministic"))
    person.open()
    person.tab(tab)
    person.screen(tab)
    return person


def test_a_row_shows_its_state_and_its_actions(
    serve: Serve, visit: Visits, meanings: str
) -> None:
    person = open_tab(serve, visit, meanings, "lists")
    page = person.page
    guests = page.locator(".list", has_text="Guests").locator(".line")
    star = guests.first.locator("[data-input=starTapped]")
    expect(star).to_have_attribute("aria-pressed", "false")
    star.click()
    expect(star).to_have_attribute("aria-pressed", "true")
    done = page.locator("[data-input=doneSwitched]").first
    title = page.locator(".list", has_text="Tasks").locator(".line strong").first
    done.click()
    expect(done).to_have_attribute("aria-pressed", "true")
    expect(title).to_have_css("text-decoration-line", "line-through")
    expect(guests.first.locator(".dot.on")).to_have_count(1)
    expect(guests.first.get_by_role("progressbar")).to_have_attribute(
        "aria-valuenow", "25"
    )
    # What takes the row away is last, and red.
    page.get_by_role("button", name="More: Guest 1", exact=True).click()
    items = page.locator(".menu:popover-open .menu-item")
    expect(items.last).to_have_text("Swipe guest")
    expect(items.last).to_have_class("menu-item destructive")
    items.last.click()
    expect(guests.first).not_to_contain_text("Guest 1")
    headers = page.locator(".list h3.section")
    expect(headers.first).to_have_text("Friends")


def test_a_value_has_the_editor_of_its_type(
    serve: Serve, visit: Visits, meanings: str
) -> None:
    person = open_tab(serve, visit, meanings, "form")
    page = person.page
    types = {
        "nicknameText": "text",
        "emailText": "email",
        "urlText": "url",
        "phoneText": "tel",
        "passwordText": "password",
        "birthday": "date",
        "alarm": "time",
        "due": "datetime-local",
        "isGift": "checkbox",
    }
    shown = {name: person.input(name).get_attribute("type") for name in types}
    assert shown == types
    assert person.input("noteText").evaluate("element => element.tagName") == "TEXTAREA"
    field = "name => offstage.core.field(offstage.core.visible[0], name).value"
    person.input("birthday").fill("2001-02-03")
    person.settle()
    assert page.evaluate(field, "birthday") == "2001-02-03"
    due = person.input("due")
    due.fill("2026-03-04T05:06")
    due.press("Enter")
    due.blur()
    person.settle()
    written = page.evaluate("() => new Date('2026-03-04T05:06').toISOString()")
    assert str(page.evaluate(field, "due"))[:16] == written[:16]
    # A choice shows the value that the app has, and offers what the app offers.
    colors = page.get_by_role("group", name="Color")
    expect(colors.get_by_label("Red")).to_be_checked()
    colors.get_by_label("Blue").check(force=True)
    expect(colors.get_by_label("Blue")).to_be_checked()
    expect(person.input("wishText")).to_have_count(0)
    person.input("isGift").check()
    expect(person.input("wishText")).to_be_visible()
    # The Return key presses the main button.
    nickname = person.input("nicknameText")
    nickname.fill("Kim")
    person.input("emailText").fill("kim@example.com")
    nickname.press("Enter")
    expect(page.get_by_text("Ordered for Kim")).to_be_visible()
    expect(person.input("go")).to_be_disabled()


def test_a_number_is_set_within_its_rules(
    serve: Serve, visit: Visits, meanings: str
) -> None:
    person = open_tab(serve, visit, meanings, "form")
    volume, guests = person.input("volume"), person.input("guests")
    limits = "({ type, min, max, step }) => [type, min, max, step]"
    assert volume.evaluate(limits) == ["range", "0", "1", "0.25"]
    assert guests.evaluate(limits) == ["number", "0", "12", "2"]
    volume.focus()
    volume.press("ArrowRight")
    person.settle()
    expect(person.page.locator(".field output")).to_have_text("0.75")
    guests.fill("3")
    guests.blur()
    error = person.page.get_by_role("alert")
    expect(error).to_have_text("Enter a multiple of 2.")
    guests.fill("14")
    guests.blur()
    expect(error).to_have_text("Enter a number from 0 to 12.")
    guests.press("ArrowDown")
    guests.blur()
    expect(error).to_have_count(0)


def test_words_are_added_and_removed(
    serve: Serve, visit: Visits, meanings: str
) -> None:
    person = open_tab(serve, visit, meanings, "form")
    field = "offstage.core.field(offstage.core.visible[0], 'allergies').value"
    tags = person.input("allergies")
    tags.fill("milk")
    tags.press("Enter")
    person.settle()
    assert person.page.evaluate(field) == ["nuts", "milk"]
    person.page.get_by_role("button", name="Remove: nuts").click()
    person.settle()
    assert person.page.evaluate(field) == ["milk"]


def test_a_table_is_sorted_and_selected(
    serve: Serve, visit: Visits, meanings: str
) -> None:
    person = open_tab(serve, visit, meanings, "values")
    table = person.page.locator(".table")
    header, rows = table.locator("th"), table.locator("tbody tr")
    expect(header).to_have_text(["Name", "Minutes"])
    expect(rows).to_contain_text(["Stir", "Bake"])
    expect(header.nth(1)).to_have_attribute("aria-sort", "ascending")
    minutes = header.nth(1).get_by_role("button")
    minutes.focus()
    minutes.press("Enter")
    expect(rows).to_contain_text(["Bake", "Stir"])
    expect(header.nth(1)).to_have_attribute("aria-sort", "descending")
    header.nth(0).get_by_role("button").click()
    expect(header.nth(0)).to_have_attribute("aria-sort", "ascending")
    expect(header.nth(1)).not_to_have_attribute("aria-sort", "ascending")
    # The headers are the only place to sort.
    expect(person.page.locator(".field", has_text="descending")).to_have_count(0)
    bake = rows.nth(0).get_by_role("button", name="Bake")
    bake.focus()
    bake.press("Enter")
    expect(rows.nth(0)).to_contain_text("Selected: Bake")
    expect(rows.nth(1)).not_to_contain_text("Selected")
    person.check_access()


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
