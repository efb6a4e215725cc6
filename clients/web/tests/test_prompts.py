"""The standard prompts, and those of an app, answered in the browser."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from conftest import Provider
from playwright.sync_api import expect

from .conftest import Serve, Visit, Visits


def ask(serve: Serve, visit: Visits, meanings: str, name: str, **options: Any) -> Visit:
    """Opens the screen that asks, and has it ask."""
    person = visit(serve(meanings, "--deterministic"), **options)
    person.open()
    person.tab("ask")
    person.screen("ask")
    person.input(name).click()
    return person


def reply(person: Visit, text: str) -> None:
    expect(person.page.locator(".screen:not(.behind)")).to_contain_text(text)
    expect(person.page.get_by_role("dialog")).to_have_count(0)


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "fill", "button", "text"),
    [
        ("pickDay", {"Day": "2026-03-02"}, "Done", "2026"),
        (
            "signIn",
            {"Paste the address that the page leads to": "meanings://done?code=1"},
            "Done",
            "meanings://done?code=1",
        ),
        ("lend", {}, "Yes", "true"),
        ("lend", {}, "No", "false"),
        ("pickRoom", {}, "Under the roof", "attic"),
        ("countBoxes", {"How many boxes?": "12"}, "Done", "12"),
        ("nameCat", {"The name of the cat": "7"}, "Done", "7"),
        ("listGuests", {"Who comes?": "Kim, Jr."}, "Done", "Kim, Jr."),
        ("ring", {}, "Done", "rung"),
        (
            "describeHome",
            {"Street": "Elm", "Number of floors": "2"},
            "Done",
            "Elm 2 false attic",
        ),
        ("nameCat", {}, "Close", "no answer: closed without an answer"),
    ],
)
def test_a_question_is_answered(
    serve: Serve,
    visit: Visits,
    meanings: str,
    name: str,
    fill: dict[str, str],
    button: str,
    text: str,
) -> None:
    person = ask(serve, visit, meanings, name)
    dialog = person.page.get_by_role("dialog")
    expect(dialog).to_be_visible()
    person.check_access()
    for label, value in fill.items():
        dialog.get_by_label(label, exact=True).fill(value)
    if name == "describeHome":
        dialog.get_by_label("Room").select_option(label="Under the roof")
        person.picture("question")
    dialog.get_by_role("button", name=button, exact=True).click()
    reply(person, text)


@pytest.mark.long
def test_a_question_takes_words(serve: Serve, visit: Visits, meanings: str) -> None:
    person = ask(serve, visit, meanings, "listGuests")
    dialog = person.page.get_by_role("dialog")
    line = dialog.get_by_label("Who comes?", exact=True)
    expect(line).to_be_focused()
    for name in ("Kim, Jr.", "Nobody", "Lee"):
        line.fill(name)
        line.press("Enter")
    dialog.get_by_role("button", name="Remove: Nobody").click()
    expect(line).to_be_focused()
    # Enter in an empty line answers.
    line.press("Enter")
    reply(person, "Kim, Jr.+Lee")


def test_the_device_answers_at_once(serve: Serve, visit: Visits, meanings: str) -> None:
    here = {"latitude": 37.5, "longitude": 127.25}
    allowed = ["geolocation", "notifications", "clipboard-read", "clipboard-write"]
    person = ask(
        serve, visit, meanings, "copyWord", geolocation=here, permissions=allowed
    )
    reply(person, "copied")
    assert person.page.evaluate("navigator.clipboard.readText()") == "Rosebud"
    for name, text in (
        ("locate", "37.5 127.25"),
        ("permit", "granted"),
        ("tellFriends", "shared"),
    ):
        person.input(name).click()
        reply(person, text)


@pytest.mark.long
@pytest.mark.parametrize(
    "device",
    [
        # A page that is neither encrypted nor local has no clipboard.
        "Object.defineProperty(navigator, 'clipboard', { value: undefined })",
        # The browser, or the person, refuses after a while.
        """const frame = () => new Promise(requestAnimationFrame);
        navigator.clipboard.writeText = async () => {
          for (let count = 0; count < 9; count++) await frame();
          throw new DOMException("", "NotAllowedError");
        };""",
    ],
)
@pytest.mark.parametrize(
    ("name", "content", "text"),
    [
        ("copyWord", "Rosebud", "copied"),
        ("tellFriends", "We have moved", "shared"),
    ],
)
def test_a_text_is_copied_by_hand_where_the_page_may_not(
    serve: Serve,
    visit: Visits,
    meanings: str,
    device: str,
    name: str,
    content: str,
    text: str,
) -> None:
    person = visit(serve(meanings, "--deterministic"))
    person.page.add_init_script(f"delete Navigator.prototype.share; {device}")
    page = person.open()
    person.tab("ask")
    person.screen("ask")
    person.input(name).click()
    dialog = page.get_by_role("dialog")
    field = dialog.get_by_label("Copy the text yourself")
    expect(field).to_have_value(content)
    expect(field).to_be_focused()
    assert page.evaluate("String(getSelection())") == content
    person.check_access()
    dialog.get_by_role("button", name="Done").click()
    reply(person, text)
    person.input(name).click()
    dialog.get_by_role("button", name="Close").click()
    reply(person, "no answer: closed without an answer")


def test_a_page_is_shown_before_it_is_opened(
    serve: Serve, visit: Visits, meanings: str
) -> None:
    person = ask(serve, visit, meanings, "openMap")
    dialog = person.page.get_by_role("dialog")
    expect(dialog).to_contain_text("https://example.com/map")
    person.context.route("https://example.com/**", lambda route: route.fulfill(body=""))
    link = dialog.get_by_role("link", name="Open")
    assert link.get_attribute("rel") == "noopener noreferrer"
    with person.context.expect_page() as opened:
        link.click()
    assert opened.value.url == "https://example.com/map"
    reply(person, "opened")


@pytest.mark.long
def test_a_person_signs_in_on_another_page_and_comes_back(
    serve: Serve, visit: Visits, meanings: str, provider: str
) -> None:
    person = visit(serve(meanings, "--deterministic"))
    page = person.open()
    person.tab("ask")
    person.screen("ask")
    expect(person.input("signInAt")).to_have_count(0)
    page.evaluate(
        "(at) => offstage.core.input(offstage.core.visible[0], 'signInAt', at)",
        provider,
    )
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text(f"{provider}/authorize")
    assert Provider.asked == []  # Nothing is opened before the person agrees.
    with person.context.expect_page() as opened:
        dialog.get_by_role("link", name="Open").click()
    tab = opened.value
    tab.wait_for_url(f"{provider}/done?*")
    # The page of the service learns nothing about the app's.
    paths = [(each.partition("?")[0], referrer) for each, referrer in Provider.asked]
    assert paths[:2] == [("/authorize", None), ("/done", None)]
    assert tab.evaluate("window.opener") is None
    field = dialog.get_by_label("Paste the address that the page leads to")
    for wrong, reason in (
        (f"{provider}/authorize", f"The address must start with {provider}/done."),
        (f"{provider}/done.example.com", "expected an address that starts with"),
    ):
        field.fill(wrong)
        dialog.get_by_role("button", name="Done", exact=True).click()
        expect(dialog.get_by_role("alert")).to_contain_text(reason)
    field.fill(tab.url)
    dialog.get_by_role("button", name="Done", exact=True).click()
    reply(person, f"{provider}/done?code=c%2F1&state=42")


@pytest.mark.long
def test_a_browser_that_has_signed_in_comes_back_by_itself(
    serve: Serve, visit: Visits, meanings: str, provider: str
) -> None:
    """Through an address of the page's own server, for which it has no cookie then."""
    person = visit(serve(meanings, "--deterministic"))
    page = person.open()
    other = visit(person.server)
    for each in (other, person):
        each.open()
        each.tab("ask")
        each.screen("ask")
        each.page.evaluate(
            "(at) => offstage.core.input(offstage.core.visible[0], 'signInFrom', at)",
            provider,
        )
    dialog = page.get_by_role("dialog")
    back = f"{person.server.url}/signed-in.html"
    field = dialog.get_by_label("Paste the address that the page leads to")
    expect(field).to_have_attribute("placeholder", back)
    person.check_access()
    # A page that somebody else has made the browser open answers nothing.
    tab = person.context.new_page()
    tab.goto(f"{back}?code=stolen&state=41")
    expect(tab.get_by_role("main")).to_contain_text("You can close this window")
    expect(dialog).to_be_visible()
    with person.context.expect_page() as opened:
        dialog.get_by_role("link", name="Open").click()
    reply(person, f"{back}?code=c%2F1&state=42 {back}")
    if not opened.value.is_closed():
        opened.value.wait_for_event("close")
    # The page of the service learns nothing about the app's, and another visitor nothing about the sign-in.
    asked = f"/authorize?state=42&redirect_uri={quote(back, safe='')}"
    assert Provider.asked == [(asked, None)]
    expect(other.page.get_by_role("dialog")).to_be_visible()


def test_a_file_is_taken_only_as_asked(
    serve: Serve, visit: Visits, meanings: str, tmp_path: Path
) -> None:
    person = ask(serve, visit, meanings, "addPhoto")
    dialog = person.page.get_by_role("dialog")
    for name, size, sentence in (
        ("large.png", 1_001, "large.png has 1.1 kB. At most 1 kB are allowed."),
        ("notes.txt", 3, "notes.txt is of another type."),
    ):
        (tmp_path / name).write_bytes(b"x" * size)
        dialog.get_by_label("File").set_input_files(tmp_path / name)
        dialog.get_by_role("button", name="Done").click()
        expect(dialog.get_by_role("alert")).to_contain_text(sentence)
    # The file has changed since it was chosen.
    (tmp_path / "cut.png").write_bytes(b"x" * 900)
    field = dialog.get_by_label("File")
    field.set_input_files(tmp_path / "cut.png")
    # A browser looks at the file only once it is asked for its size.
    assert field.evaluate("field => field.files[0].size") == 900
    (tmp_path / "cut.png").write_bytes(b"x")
    dialog.get_by_role("button", name="Done").click()
    expect(dialog.get_by_role("alert")).to_contain_text("could not be read to its end")
    person.check_access()
    (tmp_path / "house.png").write_bytes(bytes(range(250)) * 4)
    dialog.get_by_label("File").set_input_files(tmp_path / "house.png")
    dialog.get_by_role("button", name="Done").click()
    reply(person, "house.png 1000")


def test_a_file_is_saved_under_its_last_name(
    serve: Serve, visit: Visits, meanings: str
) -> None:
    person = visit(serve(meanings, "--deterministic"))
    page = person.open()
    person.tab("ask")
    person.screen("ask")
    with page.expect_download() as download:
        person.input("savePlan").click()
    assert download.value.suggested_filename == "plan.svg"
    assert b"<svg" in Path(download.value.path()).read_bytes()
    reply(person, "saved")


def test_a_link_in_a_text_is_asked_for(
    serve: Serve, visit: Visits, meanings: str
) -> None:
    person = visit(serve(meanings, "--deterministic"))
    page = person.open()
    person.tab("values")
    person.screen("values")
    page.locator(".prose a").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("https://example.com/a")
    assert len(person.context.pages) == 1
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    page.locator(".prose a").click()
    person.context.route("https://example.com/**", lambda route: route.fulfill(body=""))
    with person.context.expect_page() as opened:
        dialog.get_by_role("link", name="Open").click()
    assert opened.value.url == "https://example.com/a"
    expect(dialog).to_have_count(0)
