"""The messages of a long chat, of which the document has a window."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from .conftest import LOOKS, Serve, Visit, Visits

pytestmark = pytest.mark.long

CHAT = ("--deterministic", "--root", 'chat {"avatarId":"mina"}')


# Sends messages, waits for the replies, and goes back to the newest ones.
TALK = """async (count) => {
  const { core } = offstage;
  const [screen] = core.visible;
  for (let number = 0; number < count; number++) {
    core.input(screen, "messageText", `Message ${number}. ` + "Some more of it. ".repeat(number % 4));
    core.input(screen, "send");
    await core.advance(10000);
  }
  await core.window(screen, "messages", 1e6, 50);
}"""


def open_chat(serve: Serve, visit: Visits, showcase: str) -> Visit:
    """Opens a chat of 400 messages."""
    person = visit(serve(showcase, *CHAT), **LOOKS["light"])
    page = person.open()
    page.evaluate(TALK, 200)
    person.settle()
    person.open()
    person.settle()
    return person


def message(person: Visit, number: int) -> Any:
    return person.page.locator(".message.mine").filter(has_text=f"Message {number}.")


# Scrolls as a wheel does, in steps.
SCROLL = """async (element, pixels) => {
  for (let rest = Math.abs(pixels); rest > 0; rest -= 200) {
    element.scrollBy(0, Math.sign(pixels) * Math.min(rest, 200));
    await new Promise(requestAnimationFrame);
  }
}"""

# The position of the first message that is seen, and how far it is below the upper edge.
FIRST = """() => {
  const top = document.querySelector(".conversation").getBoundingClientRect().top;
  const row = [...document.querySelectorAll(".message")].find((row) => row.getBoundingClientRect().bottom > top);
  return [Number(row.ariaPosInSet), Math.round(row.getBoundingClientRect().top - top)];
}"""


def test_a_long_chat_opens_at_its_newest_message(
    serve: Serve, visit: Visits, showcase: str
) -> None:
    person = open_chat(serve, visit, showcase)
    expect(message(person, 199)).to_be_in_viewport()
    expect(person.page.locator(".message").last).to_be_in_viewport()
    expect(person.page.locator(".message").last).to_have_attribute(
        "aria-posinset", "400"
    )
    assert person.page.locator(".message").count() < 60
    person.check_access()


def test_older_messages_come_as_the_person_scrolls_up(
    serve: Serve, visit: Visits, showcase: str
) -> None:
    person = open_chat(serve, visit, showcase)
    conversation = person.page.locator(".conversation")
    before = person.page.evaluate(FIRST)
    while before[0] > 250:
        conversation.evaluate(SCROLL, -400)
        person.settle()
        first, below = person.page.evaluate(FIRST)
        assert 0 < before[0] - first < 12, (before, first, below)
        before = (first, below)
    conversation.focus()
    person.page.keyboard.press("Home")
    expect(message(person, 0)).to_be_in_viewport()
    assert person.page.locator(".message").count() < 100
    person.page.keyboard.press("End")
    expect(message(person, 199)).to_be_in_viewport()


def test_a_reply_does_not_move_what_is_read_further_up(
    serve: Serve, visit: Visits, showcase: str
) -> None:
    person = open_chat(serve, visit, showcase)
    person.page.locator(".conversation").evaluate(SCROLL, -3000)
    person.settle()
    before = person.page.evaluate(FIRST)
    person.page.evaluate(
        """async () => {
          await offstage.core.input(offstage.core.visible[0], "messageText", "One more.");
          await offstage.core.input(offstage.core.visible[0], "send");
        }"""
    )
    for _ in range(3):
        person.page.evaluate("() => offstage.core.advance(50)")
        person.settle()
        assert person.page.evaluate(FIRST) == before
    person.page.locator(".conversation").focus()
    person.page.keyboard.press("End")
    expect(person.page.locator(".message[aria-busy]")).to_be_in_viewport()
    # At the end, what comes is followed.
    person.page.evaluate("() => offstage.core.advance(10000)")
    person.settle()
    expect(
        person.page.locator(".message").last.get_by_role("button")
    ).to_be_in_viewport()
