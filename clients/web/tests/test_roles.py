"""What the description says about inputs, outputs, and members decides how they are drawn."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from conformance import Drawing, asked, groups, label
from playwright.sync_api import Page, expect

from .conftest import LOOKS, Serve, Visit, Visits

# What a person reads, also in fields and on videos, without what a screen reader has been told.
TEXT = """() => [
  document.getElementById("app").innerText,
  ...[...document.querySelectorAll(".screen:not(.behind) :is(input, textarea):not([type=password])")].map(({ value }) => value),
  ...[...document.querySelectorAll(".screen:not(.behind) video")].map(({ ariaLabel }) => ariaLabel),
].join("\\n")"""

# The row of a list or a table with a title.
ROW = """title => {
  const names = [...document.querySelectorAll(".screen:not(.behind) :is(.line strong, tbody tr > :first-child)")];
  const found = names.find((each) => each.innerText.endsWith(title));
  return found.closest(".line, tr");
}"""

STATES = """row => {
  const said = [...row.querySelectorAll(".hidden")].map(({ textContent }) => textContent.replace(":", "").trim().toLowerCase());
  const isDisabled = row.querySelector("button.row:disabled") || said.includes("unavailable");
  return [...said.filter((each) => each !== "unavailable"), ...(isDisabled ? ["disabled"] : [])];
}"""

ACTIONS = """row => Object.fromEntries([...row.querySelectorAll("button:not(.row)")].map((button) => [
  button.ariaLabel.split(": ")[0], button.ariaPressed === null ? null : button.ariaPressed === "true",
]))"""

SWITCHES = """names => names.map((name) => document.querySelector(`.screen:not(.behind) [data-input="${name}"][role=switch]`).checked)"""

ENABLED = """names => names.map((name) => !document.querySelector(`.screen:not(.behind) button[data-input="${name}"]`).disabled)"""

WEIGHTS = """names => names.map((name) => {
  const { classList } = document.querySelector(`.screen:not(.behind) button[data-input="${name}"]`);
  return classList.contains("primary") ? "main" : classList.contains("destructive") ? "destructive" : null;
})"""

PICTURES = """async () => {
  const images = [...document.querySelectorAll(".screen:not(.behind) img")];
  // Those that are out of view would be loaded later.
  for (const image of images) image.loading = "eager";
  await Promise.all(images.map((image) => image.decode().catch(() => {})));
  return images.filter(({ naturalWidth, hidden }) => naturalWidth > 0 && !hidden).map(({ alt }) => alt);
}"""

SHARE = """row => Number(row.querySelector("[role=progressbar]").ariaValueNow) / 100"""

SEND = """async ({ screen, send }) => {
  const { core } = offstage;
  if (!["app", "odd"].includes(screen)) await core.selectTab(screen);
  const id = screen === "app" ? screen : core.visible[0];
  for (const [name, value] of send) await core.input(id, name, value ?? undefined);
}"""


DROP = """element => {
  const dataTransfer = new DataTransfer();
  dataTransfer.items.add(new File(["One van"], "dropped.txt", { type: "text/plain" }));
  element.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
}"""


def draw(page: Page, group: list[dict[str, Any]]) -> Drawing:
    def of_row(title: str, script: str) -> Any:
        return page.evaluate_handle(ROW, title).evaluate(script)

    def of_inputs(member: str, script: str) -> dict[str, bool]:
        inputs = asked(group, member)
        return dict(zip(inputs, page.evaluate(script, inputs), strict=True))

    return Drawing(
        page.evaluate(TEXT),
        {title: {*of_row(title, STATES)} for title in asked(group, "states")},
        {title: of_row(title, ACTIONS) for title in asked(group, "actions")},
        of_inputs("switches", SWITCHES),
        of_inputs("enabled", ENABLED),
        of_inputs("weights", WEIGHTS),
        page.evaluate(PICTURES),
        {title: of_row(title, SHARE) for title in asked(group, "progress")},
    )


@pytest.mark.parametrize(
    "group",
    [
        pytest.param(
            group,
            id=label(group[0]),
            marks=() if "lists" in label(group[0]) else pytest.mark.long,
        )
        for group in groups()
    ],
)
def test_every_role_is_drawn(
    serve: Serve, visit: Visits, meanings: str, odd: str, group: list[dict[str, Any]]
) -> None:
    core = odd if group[0]["screen"] == "odd" else meanings
    person = visit(serve(core, "--deterministic"))
    page = person.open()
    page.evaluate(SEND, {key: group[0][key] for key in ("screen", "send")})
    person.settle()
    drawing = draw(page, group)
    mistakes = [each for row in group for each in drawing.mistakes(row)]
    assert mistakes == [], drawing.text


@pytest.mark.long
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


def test_a_video_from_elsewhere_is_a_link_that_asks(
    serve: Serve, visit: Visits, meanings: str
) -> None:
    person = open_tab(serve, visit, meanings, "values")
    films = person.page.locator("video")
    expect(films).to_have_count(1)
    person.page.get_by_role("link", name="Trailer").click()
    question = person.page.get_by_role("dialog")
    expect(question).to_contain_text("https://example.com/trailer.mp4")
    assert len(person.page.context.pages) == 1


@pytest.mark.long
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


def test_what_is_at_the_end_of_rows_is_in_line(
    serve: Serve, visit: Visits, meanings: str
) -> None:
    """Also in a row that cannot be pressed."""
    person = open_tab(serve, visit, meanings, "lists")
    badges = person.page.locator(".list", has_text="Guests").locator(".count-badge")
    expect(badges).to_have_count(4)
    edges = [
        box["x"] + box["width"] for each in badges.all() if (box := each.bounding_box())
    ]
    assert len(set(edges)) == 1


def test_a_list_that_is_being_filled_is_not_called_empty(
    serve: Serve, visit: Visits, meanings: str
) -> None:
    person = open_tab(serve, visit, meanings, "work")
    empty = person.page.get_by_text("No room is ready yet")
    expect(empty).to_be_visible()
    person.input("start").click()
    expect(person.page.locator(".list-busy")).to_be_visible()
    expect(empty).to_have_count(0)
    person.input("end").click()
    expect(empty).to_be_visible()


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


@pytest.mark.long
def test_a_file_is_picked_or_dropped(
    serve: Serve, visit: Visits, meanings: str, tmp_path: Path
) -> None:
    person = open_tab(serve, visit, meanings, "form")
    page, chooser = person.page, person.input("planDropped")
    assert chooser.get_attribute("accept") == "text/*"
    field = page.locator(".screen:not(.behind) .field:has([data-input=planDropped])")
    expect(field).to_contain_text("text/* · at most 20 bytes")
    for name, content, reason in (
        ("plan.png", b"PNG", "plan.png is of another type."),
        ("long.txt", b"Two vans " * 3, "long.txt has 27 bytes. At most 20 bytes"),
    ):
        (tmp_path / name).write_bytes(content)
        chooser.set_input_files(tmp_path / name)
        expect(field.get_by_role("alert")).to_contain_text(reason)
    person.check_access()
    (tmp_path / "plan.txt").write_text("Two vans")
    for _ in range(2):  # The same file may be picked again.
        chooser.set_input_files(tmp_path / "plan.txt")
        expect(page.get_by_text("plan.txt: Two vans")).to_be_visible()
        expect(field.get_by_role("alert")).to_have_count(0)
        person.input("wipe").click()
        expect(page.get_by_text("plan.txt: Two vans")).to_have_count(0)
    field.evaluate(DROP)
    expect(page.get_by_text("dropped.txt: One van")).to_be_visible()


def test_a_table_is_sorted_and_selected(
    serve: Serve, visit: Visits, meanings: str
) -> None:
    person = open_tab(serve, visit, meanings, "values")
    table = person.page.locator(".table")
    header, rows = table.locator("th"), table.locator("tbody tr")
    expect(header).to_have_text(["Name", "Minutes", "Cost", "Hot"])
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


@pytest.mark.long
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
    row = page.locator(".rows .line").first
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


@pytest.mark.long
def test_a_button_sends_no_value(serve: Serve, visit: Visits, odd: str) -> None:
    person = visit(serve(sys.executable, odd))
    sent: list[Any] = []
    person.page.on(
        "websocket",
        lambda socket: socket.on(
            "framesent", lambda text: sent.append(json.loads(text)["params"])
        ),
    )
    person.open()
    person.input("load").click()
    expect(person.page.locator(".spinner")).to_have_count(1)
    [params] = [each for each in sent if each.get("name") == "load"]
    assert params.keys() - {"key"} == {"screen", "name"}


@pytest.mark.long
def test_an_unknown_role_is_drawn_by_its_type(
    serve: Serve, visit: Visits, odd: str
) -> None:
    person = visit(serve(sys.executable, odd))
    page = person.open()
    expect(page.get_by_text("Cheerful")).to_be_visible()
    expect(page.locator(".rows .line").first).to_contain_text("Violet")
    person.input("dream").click()
    expect(page.get_by_text("Dreamy")).to_be_visible()
    crates = page.locator(".field", has_text="Crates").locator("li")
    expect(crates).to_contain_text(["Books", "Plates"])
    person.input("tune").check()
    expect(page.get_by_text("Tuned")).to_be_visible()


@pytest.mark.long
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
        "[ftp](ftp://example.com/f)",
        "_plain_",
        "| a | b |",
    ):
        expect(prose).to_contain_text(text)
    expect(prose.locator("script, img, iframe")).to_have_count(0)
    links = prose.locator("a")
    expect(links).to_have_text(["a picture", "safe", "old", "write", "call"])
    for link in links.all():
        assert link.get_attribute("rel") == "noopener noreferrer"
        assert link.get_attribute("target") == "_blank"
    dialog = person.page.get_by_role("dialog")
    for link in links.all():
        link.click()
        expect(dialog).to_contain_text(str(link.get_attribute("href")))
        expect(dialog.get_by_role("link", name="Open")).to_have_count(1)
        person.page.keyboard.press("Escape")
        expect(dialog).to_have_count(0)
    assert len(person.context.pages) == 1
    person.settle()
    host = f"127.0.0.1:{person.server.port}"
    assert asked and {urlsplit(url).netloc for url in asked} == {host}
