"""A slow core: the page shows that it is at work, and loses and repeats nothing."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from .conftest import Serve, Visit, Visits

pytestmark = pytest.mark.long

# Holds back the core's messages from `hold()` to `release()`, and counts the page's.
SLOW = """() => {
  let held;
  const messages = [];
  window.hold = () => (held = []);
  // As they would arrive: each line on its own.
  window.release = async () => {
    for (let give; (give = held.shift()); ) {
      give();
      await new Promise((done) => setTimeout(done));
    }
    held = undefined;
  };
  window.sent = (name) => messages.filter(({ method, params }) => [method, params?.name].includes(name)).length;
  window.WebSocket = class extends WebSocket {
    send(line) {
      messages.push(...[JSON.parse(line)].flat());
      super.send(line);
    }
    addEventListener(type, listener) {
      if (type !== "message") return super.addEventListener(type, listener);
      super.addEventListener(type, (event) => (held ? held.push(() => listener(event)) : listener(event)));
    }
  };
}"""


def slow(
    visit: Visits, serve: Serve, showcase: str, path: str, **options: Any
) -> Visit:
    person = visit(serve(showcase, "--deterministic"), **options)
    person.page.add_init_script(f"({SLOW})()")
    person.open(path)
    person.settle()
    return person


def sent(person: Visit, name: str) -> Any:
    return person.page.evaluate("(name) => sent(name)", name)


def test_a_late_answer_shows(serve: Serve, visit: Visits, showcase: str) -> None:
    person = slow(visit, serve, showcase, "/profile")
    busy = person.page.locator(".busy")
    expect(busy).to_have_count(0)
    person.page.evaluate("hold()")
    person.tab("library")
    expect(busy).to_be_visible()
    person.check_access()
    person.page.evaluate("release()")
    person.screen("library")
    expect(busy).to_have_count(0)


def test_a_second_tap_waits_for_the_answer_to_the_first(
    serve: Serve, visit: Visits, showcase: str
) -> None:
    person = slow(visit, serve, showcase, "/library")
    bookmark = person.page.get_by_label("In the Mood for Love").first
    person.page.evaluate("hold()")
    bookmark.click()
    bookmark.click()
    person.page.evaluate("release()")
    person.settle()
    assert sent(person, "bookmarkTapped") == 1
    bookmark.click()
    person.settle()
    assert sent(person, "bookmarkTapped") == 2


def test_two_quick_steps_back_are_one(
    serve: Serve, visit: Visits, showcase: str
) -> None:
    person = slow(visit, serve, showcase, "/explore")
    page = person.page
    page.locator(".category").first.click()
    person.screen("categoryList").locator(".row").first.click()
    back = person.screen("chat").get_by_label("Back")
    page.evaluate("hold()")
    back.click()
    back.click()
    page.evaluate("release()")
    person.screen("categoryList")
    person.settle()
    assert sent(person, "navigation/back") == 1


def test_return_confirms_a_form_that_the_core_has_yet_to_enable(
    serve: Serve, visit: Visits, showcase: str
) -> None:
    person = slow(visit, serve, showcase, "/profile")
    page = person.page
    person.input("createAccountTapped").click()
    person.screen("createAccount")
    person.input("signUpTapped").click()
    person.screen("signUp")
    page.evaluate("hold()")
    page.keyboard.type("Kim")
    page.keyboard.press("Tab")
    page.keyboard.type("kim@example.com")
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    expect(person.input("emailText")).to_have_value("kim@example.com")
    page.evaluate("release()")
    expect(page.locator(".hero")).to_contain_text("kim@example.com")
    assert sent(person, "confirm") == 1


def test_a_switch_stays_where_it_was_put(
    serve: Serve, visit: Visits, showcase: str
) -> None:
    allowed = ["notifications"]
    person = slow(visit, serve, showcase, "/profile/settings", permissions=allowed)
    switch = person.page.get_by_role("switch")
    person.page.evaluate("hold()")
    switch.click()
    # As an unrelated frame would.
    person.page.evaluate("offstage.core.wake()")
    expect(person.page.locator(".busy")).to_be_visible()
    expect(switch).to_be_checked()
    person.page.evaluate("release()")
    person.settle()
    expect(switch).to_be_checked()


def test_what_follows_a_message_is_the_next_message(
    serve: Serve, visit: Visits, showcase: str
) -> None:
    person = slow(visit, serve, showcase, "/avatars/mina")
    page = person.page
    message = person.input("messageText")
    message.focus()
    page.evaluate("hold()")
    page.keyboard.type("Hello")
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    page.keyboard.type(" and more")
    page.evaluate("release()")
    person.settle()
    expect(page.locator(".message.mine")).to_have_count(1)
    expect(page.locator(".message.mine")).to_contain_text("Hello")
    expect(message).to_have_value(" and more")
