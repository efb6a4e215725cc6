"""Apps without any front-end code: the page draws them from their descriptions."""

from __future__ import annotations

import sys
from urllib.parse import urlsplit

import pytest
from conftest import find
from playwright.sync_api import expect

from .conftest import HOLD, LOOKS, REPOSITORY, Serve, Visits

# A fake app whose screen has parts, and parts in them.
CART = REPOSITORY / "clients/python/tests/cart.py"

# The content of the first password in the document.
PASSWORD = """Object.values(offstage.core.document.screens)
  .map(({ fields }) => fields?.passwordText?.value).find(Boolean)"""


@pytest.mark.parametrize(
    "name",
    [
        pytest.param("bench-app", marks=pytest.mark.long),
        pytest.param("notes.py", marks=pytest.mark.long),
        "tracker",
    ],
)
def test_apps_are_drawn_from_their_descriptions(
    serve: Serve, visit: Visits, notes: str, name: str
) -> None:
    program = notes if name == "notes.py" else find(name)
    person = visit(serve(program, "--deterministic"))
    page = person.open()
    expect(page.locator("h1:visible")).not_to_be_empty()
    expect(page.locator(".generic")).to_be_visible()
    if program == notes:
        person.input("word").fill("Milk")
        person.input("keep").click()
        expect(page.locator(".generic .row").first).to_contain_text("Milk")
    person.picture(name)


@pytest.mark.long
def test_parts_are_drawn_with_their_controls(serve: Serve, visit: Visits) -> None:
    person = visit(serve(sys.executable, str(CART)))
    person.print_messages()
    page = person.open()
    total = page.locator(".fact", has_text="Total").locator("dd")
    expect(total).to_have_text("7")
    person.input("lines/a~1b/add").click()
    expect(person.input("lines/a~1b/countText")).to_have_value("2")
    expect(total).to_have_text("10")
    count = person.input("lines/milk/countText")
    count.press_sequentially("x")
    expect(count).to_have_attribute("aria-invalid", "true")
    expect(page.locator(".part", has_text="milk")).to_contain_text("Enter a number.")
    # A row that moves keeps its typed text.
    person.input("lineTapped").last.click()
    expect(page.locator(".part strong").first).to_have_text("a/b")
    expect(count).to_have_value("x1")
    person.act("Move down", "a/b")
    expect(page.locator(".part strong").first).to_have_text("milk")
    person.act("Move up", "a/b")
    expect(page.locator(".part strong").first).to_have_text("a/b")
    note = page.locator(".part", has_text="a/b").locator("input[type=number]")
    note.fill("1")
    note.press("Enter")
    person.input("lines/a~1b/notes/0/text").fill("fresh")
    person.check_access()
    person.picture("parts")
    person.input("lines/milk/remove").click()
    expect(count).to_have_count(0)
    # A part that comes and goes.
    person.input("signIn").fill("Kim")
    person.input("header/refresh").click()
    # A part retries its own failures.
    person.input("signIn").fill("Offline")
    person.input("header/refresh").click()
    toast = page.locator(".toast", has_text="No connection.")
    expect(toast).to_be_visible()
    # It is below the screen, so that it covers no input.
    assert page.evaluate(BETWEEN) >= 0
    toast.get_by_role("button", name="Retry").click()
    expect(toast).to_have_count(0)
    expect(page.locator(".fact", has_text="Retries").locator("dd")).to_have_text("1")
    person.input("signIn").fill("")
    expect(person.input("header/refresh")).to_have_count(0)


def test_a_failure_that_can_be_tried_again_waits_for_the_person(
    serve: Serve, visit: Visits
) -> None:
    person = visit(serve(sys.executable, str(CART)))
    page = person.page
    person.install_clock()
    person.open()
    person.input("signIn").fill("Offline")
    person.input("header/refresh").click()
    toast = page.locator(".toast")
    expect(toast).to_contain_text("No connection.")
    page.clock.run_for(60_000)
    expect(toast).to_contain_text("No connection.")
    # It goes when the person tries again, wherever that is.
    page.evaluate("offstage.core.input(offstage.core.visible[0], 'header/retry')")
    expect(toast).to_have_count(0)


# Reports a failure of a screen that can be tried again, and a passing one.
FAIL = """kind => {
  const { core } = offstage;
  const { id } = core.find(kind);
  const event = (message, retryable) => ({ screen: id, name: "failed", value: { message, retryable } });
  core.publish({ revision: core.document.revision, patch: [], navigation: [], events: [event("It broke.", true), event("It is gone.", false)] });
}"""


@pytest.mark.long
def test_a_message_goes_with_its_screen_or_after_a_while(
    serve: Serve, visit: Visits, showcase: str
) -> None:
    person = visit(serve(showcase, "--deterministic"))
    page = person.page
    person.install_clock()
    person.open("/pokedex")
    person.screen("pokedex")
    page.evaluate(FAIL, "pokedex")
    toasts = page.locator(".toast")
    expect(toasts).to_have_count(2)
    # A person who is at it is in no hurry.
    toasts.last.hover()
    page.clock.run_for(20_000)
    expect(toasts).to_have_count(2)
    page.mouse.move(0, 0)
    page.clock.run_for(2_000)
    expect(toasts).to_have_count(1)
    expect(toasts).to_contain_text("It broke.")
    person.tab("library")
    person.screen("library")
    expect(toasts).to_have_count(0)
    person.tab("pokedex")
    person.screen("pokedex")
    expect(toasts).to_have_count(0)


# The pixels between the screen and the toasts.
BETWEEN = """() => {
  const [screen, toast] = ["main", ".toast"].map((each) => document.querySelector(each).getBoundingClientRect());
  return toast.top - screen.bottom;
}"""

# Pastes a text into the element with the focus, as the clipboard of any program does.
PASTE = """text => {
  const clipboardData = new DataTransfer();
  clipboardData.setData("text", text);
  document.activeElement.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
}"""


@pytest.mark.long
def test_words_are_edited_one_by_one(serve: Serve, visit: Visits) -> None:
    """So that a comma is a part of a word."""
    person = visit(serve(sys.executable, str(CART)))
    page = person.open()
    labels, tags = person.input("labels"), page.locator(".tag")
    expect(tags).to_have_text("food")
    said = page.locator("#announcements p").last
    for word in (" cold, dry ", "food", "  "):
        labels.fill(word)
        labels.press("Enter")
        expect(tags).to_have_text(["food", "cold, dry"])
        expect(said).to_have_text("Added: cold, dry")
    labels.fill("re")
    page.evaluate(PASTE, "d\r\n\nblue, light\nred")
    expect(tags).to_have_text(["food", "cold, dry", "red", "blue, light"])
    expect(labels).to_have_value("")
    person.check_access()
    person.picture("words")
    # A letter goes before a word does.
    labels.press_sequentially("x")
    labels.press("Backspace")
    labels.press("Backspace")
    expect(tags).to_have_text(["food", "cold, dry", "red"])
    expect(said).to_have_text("Removed: blue, light")
    page.get_by_role("button", name="Remove: food").click()
    expect(tags).to_have_text(["cold, dry", "red"])
    expect(labels).to_be_focused()
    # A word that is left in the line counts, too.
    labels.fill("late")
    labels.press("Tab")
    expect(tags).to_have_text(["cold, dry", "red", "late"])
    person.settle()
    page.reload()
    expect(tags).to_have_text(["cold, dry", "red", "late"])


def test_return_presses_the_main_button(serve: Serve, visit: Visits) -> None:
    person = visit(serve(find("tracker"), "--deterministic"))
    page = person.open()
    email = person.input("emailText")
    email.fill("kim@example.com")
    email.press("Enter")
    person.settle()
    # The button is disabled without a password.
    expect(email).to_be_visible()
    password = person.input("passwordText")
    page.evaluate(HOLD)
    password.fill("secret")
    password.press("Enter")
    page.evaluate("release()")
    person.screen("issueList")


@pytest.mark.long
def test_generic_pages_hide_what_a_person_cannot_use(
    serve: Serve, visit: Visits
) -> None:
    person = visit(serve(find("tracker"), "--deterministic"), **LOOKS["phone"])
    page = person.open()
    person.input("emailText").fill("kim@example.com")
    password = person.input("passwordText")
    password.fill("secret")
    person.settle()
    expect(password).to_have_value("secret")
    assert page.evaluate(PASSWORD) == "••••"
    person.input("signInTapped").click()
    person.screen("issueList")
    page.evaluate("offstage.core.advance(1000)")
    expect(person.input("rowTapped").first).to_be_visible()
    expect(person.input("retry")).to_have_count(0)
    expect(page.locator(".fact")).to_have_count(0)
    person.check_access()
    # A row is moved to the end, and another one is deleted.
    rows = page.locator(".generic .list button.row strong")
    expect(rows.first).to_have_text("Issue 1")
    # The list is called what the screen is called: it is said once.
    expect(page.locator(".list > h2")).to_have_class("hidden")
    page.get_by_role("button", name="More: Issue 1", exact=True).click()
    up = page.get_by_role("button", name="Move row up: Issue 1", exact=True)
    expect(up).to_be_disabled()
    page.keyboard.press("Escape")
    expect(up).to_be_hidden()
    person.act("Move row down", "Issue 1")
    expect(rows.nth(1)).to_have_text("Issue 1")
    person.act("Delete", "Issue 1")
    expect(page.get_by_text("Deleted Issue 1")).to_be_visible()
    person.picture("tracker-list")
    # The app has no links, so it has no other address.
    page.locator("[data-tab]").last.click()
    person.screen("settings")
    # The app sets its own appearance.
    page.get_by_role("radio", name="Dark").check()
    expect(page.locator("html")).to_have_attribute("data-appearance", "dark")
    page.get_by_role("radio", name="System").check()
    expect(page.locator("html")).to_have_attribute("data-appearance", "light")
    page.wait_for_function("() => history.state?.levels?.[0] !== 'tab:issues'")
    page.reload()
    person.screen("settings")
    assert urlsplit(page.url).path == "/"
    page.goto(f"{person.server.url}/nowhere")
    expect(page.locator("h1:visible")).to_have_text("Page not found")


@pytest.mark.long
def test_a_wide_window_shows_a_list_beside_what_it_opened(
    serve: Serve, visit: Visits, showcase: str
) -> None:
    person = visit(serve(showcase, "--deterministic", "--root", "gallery"))
    page = person.page
    page.set_viewport_size({"width": 1200, "height": 800})
    person.open()
    page.evaluate("offstage.core.input('1', 'push', 'two')")
    left, right = (page.locator(f".screen[data-screen='{id}']") for id in "12")
    expect(left.locator(".content")).to_be_visible()
    expect(right.locator("h1")).to_be_visible()
    expect(page.locator("h1:visible")).to_have_count(1)
    page.set_viewport_size({"width": 900, "height": 800})
    expect(left.locator(".content")).to_be_hidden()
    assert page.evaluate("offstage.core.visible.length") == 1
    page.set_viewport_size({"width": 1200, "height": 800})
    expect(left.locator(".content")).to_be_visible()
    person.check_access()
    person.picture("side-by-side")
    # A button on the left may open something: what is on the right makes room.
    left.locator("[data-input=showNext]").click()
    expect(right).to_have_count(0)
    expect(left.locator("h1")).to_be_visible()
