"""What a screen reader is told, as Orca has read it on a desktop."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from .conftest import LOOKS, Serve, Visits
from .test_messages import CHAT

# Keeps all texts that are announced, also those that another one has replaced.
LISTEN = """() => {
  window.said = [];
  new MutationObserver((changes) => {
    for (const { addedNodes } of changes) for (const each of addedNodes) said.push(each.textContent);
  }).observe(document.getElementById("announcements"), { childList: true });
}"""

SEND = """async (text) => {
  const { core } = offstage;
  await core.input(core.visible[0], "messageText", text);
  await core.input(core.visible[0], "send");
}"""


@pytest.mark.long
def test_a_reply_is_said_once_when_it_is_complete(
    serve: Serve, visit: Visits, showcase: str
) -> None:
    person = visit(serve(showcase, *CHAT))
    page = person.open()
    person.settle()
    # Its pieces, and older messages that come as they are loaded, are not.
    expect(page.get_by_role("log")).to_have_attribute("aria-live", "off")
    page.evaluate(LISTEN)
    page.evaluate(SEND, "Hello")
    last = page.locator(".message").last
    while not page.locator(".message[aria-busy]").count():
        page.evaluate("() => offstage.core.advance(50)")
        person.settle()
    assert page.evaluate("said") == []
    page.evaluate("() => offstage.core.advance(10000)")
    person.settle()
    expect(last.get_by_role("button")).to_be_visible()
    reply = last.locator(".bubble").text_content()
    assert page.evaluate("said") == [reply]
    page.evaluate(SEND, "More")
    page.evaluate("() => offstage.core.advance(10000)")
    person.settle()
    expect(page.locator(".message")).to_have_count(4)
    assert page.evaluate("said") == [reply, last.locator(".bubble").text_content()]
    page.reload()
    expect(page.locator(".message")).to_have_count(4)
    person.settle()
    expect(page.locator("#announcements")).to_be_empty()


def test_a_message_is_said_again_and_beside_another(
    serve: Serve, visit: Visits, meanings: str
) -> None:
    person = visit(serve(meanings, "--deterministic"))
    page = person.open()
    expect(page.get_by_role("region", name="Messages")).to_have_count(0)
    said = page.locator("#announcements p")
    person.input("shout").click()
    expect(page.get_by_role("region", name="Messages")).to_be_visible()
    page.evaluate(LISTEN)
    page.evaluate(
        """async () => {
          const { core } = offstage;
          for (const name of ["shout", "drop"]) await core.input(core.visible[0], name);
        }"""
    )
    page.wait_for_function("() => said.length === 2")
    expect(said.nth(-2)).to_have_text("Mind the step!")
    expect(said.last).to_have_text("A lamp fell down")


def test_a_bar_is_said_once(serve: Serve, visit: Visits, meanings: str) -> None:
    person = visit(serve(meanings, "--deterministic"))
    page = person.open()
    bar = page.get_by_role("progressbar", name="Boxes")
    expect(bar).to_have_attribute("aria-valuetext", "2 of 5 boxes")
    assert "2 of 5 boxes" not in page.locator(".progress-line").last.aria_snapshot()


def test_the_map_says_what_can_be_pressed_and_what_has_opened(
    serve: Serve, visit: Visits, showcase: str
) -> None:
    person = visit(serve(showcase, "--deterministic"), **LOOKS["light"])
    page = person.open()
    # The page asks for the location before the browser does.
    reason = page.locator(".request span").inner_text()
    expect(page.locator("#announcements")).to_have_text(reason)
    page.evaluate(LISTEN)
    row = page.locator(".bottom-sheet .row").first
    expect(row.get_by_role("img", name="Rating")).to_be_visible()
    expect(page.locator(".drawn-tile").first).to_have_attribute("aria-hidden", "true")
    name = row.locator("strong").inner_text()
    pin = page.locator(".map").get_by_role("button", name=name, exact=True)
    pin.focus()
    page.keyboard.press("Space")
    expect(page).to_have_url(re.compile("/map#place-"))
    page.wait_for_function(
        "(name) => said.some((each) => each.startsWith(name))", arg=name
    )
    assert page.evaluate("said.length") == 1


def test_a_title_that_is_loaded_later_is_said(
    serve: Serve, visit: Visits, showcase: str
) -> None:
    person = visit(serve(showcase, "--deterministic"), **LOOKS["light"])
    page = person.open()
    person.settle()
    page.evaluate(LISTEN)
    page.evaluate("() => offstage.core.open('showcase://avatars/mina')")
    heading = page.locator(".screen:not(.behind) h1")
    expect(heading).to_have_text("Mina")
    expect(heading).to_be_focused()
    assert page.evaluate("said").count("Mina") == 0
    # So much later that a screen reader has read the heading.
    page.evaluate(
        """() => {
          const { now } = performance;
          performance.now = () => now.call(performance) + 1000;
          const { core } = offstage;
          const { screens } = core.document;
          const screen = screens[core.visible[0]];
          const { output } = screen;
          screens[core.visible[0]] = { ...screen, output: { ...output, avatar: { ...output.avatar, name: "Minah" } } };
          core.wake();
        }"""
    )
    expect(heading).to_have_text("Minah")
    page.wait_for_function("() => said.includes('Minah')")


def test_a_dialog_is_named_once(serve: Serve, visit: Visits, showcase: str) -> None:
    person = visit(serve(showcase, "--deterministic"), **LOOKS["light"])
    page = person.open()
    person.tab("profile")
    person.input("createAccountTapped").press("Enter")
    dialog = page.get_by_role("dialog", name="Create an account?")
    expect(dialog).to_be_visible()
    expect(dialog.get_by_role("region")).to_have_count(0)


@pytest.mark.parametrize("way", ["Escape", "back"])
def test_what_gets_the_focus_back_is_said(
    serve: Serve, visit: Visits, showcase: str, way: str
) -> None:
    """Chromium tells nothing of it before it has arrived at the other entry of its history."""
    person = visit(serve(showcase, "--deterministic"), **LOOKS["light"])
    page = person.open()
    person.tab("profile")
    person.screen("profile")
    opener = person.input("settingsTapped")
    opener.press("Enter")
    person.screen("settings")
    page.evaluate(LISTEN)
    if way == "back":
        page.evaluate("history.back()")
    else:
        page.keyboard.press(way)
    page.wait_for_function("() => said.includes('Profile, Settings')")
    expect(opener).to_be_focused()
