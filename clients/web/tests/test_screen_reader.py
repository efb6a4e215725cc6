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
