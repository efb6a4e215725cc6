"""What the first screen takes on a slow network."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator

import pytest
from playwright.sync_api import Route, WebSocket, expect

from .conftest import FORM, LOOKS, TOKEN, Visit, Visits, until
from .slow_link import SlowLink

pytestmark = pytest.mark.long


@pytest.fixture
def link(showcase: str) -> Iterator[SlowLink]:
    link = SlowLink(showcase, *FORM)
    yield link
    link.close()


def open_page(person: Visit, link: SlowLink) -> int:
    """Opens the app. Returns the bytes until its first screen."""
    before = link.received
    person.page.goto(f"{link.url}/?token={TOKEN}", wait_until="commit")
    person.page.wait_for_selector(".screen:not(.behind)")
    return link.received - before


def test_the_first_screen_takes_few_bytes(link: SlowLink, visit: Visits) -> None:
    # A form has neither pictures nor a map, which come after it, as what it does not need does.
    person = visit(link.server, **LOOKS["phone"])
    person.page.add_init_script("window.requestIdleCallback = () => {}")
    first = open_page(person, link)
    print(f"\n{first:,} bytes")
    assert first < 60 << 10
    person.page.goto("about:blank")
    # The browser keeps the files, and the description of the app.
    again = open_page(person, link)
    print(f"{again:,} bytes again")
    assert again < 4_000


SKELETON = """() => {
  const { content, height } = getComputedStyle(document.querySelector(".starting"), "::after");
  return content !== "none" && parseFloat(height) > innerHeight / 2;
}"""


def test_the_name_of_the_app_and_the_shape_of_a_screen_come_first(
    link: SlowLink, visit: Visits
) -> None:
    person = visit(link.server, **LOOKS["phone"])
    page = person.page
    held: list[Route] = []
    page.route("**/page/*", lambda route: held.append(route))
    page.route_web_socket("**/core?*", lambda socket: None)
    page.goto(f"{link.url}/?token={TOKEN}", wait_until="commit")
    expect(page.locator(".starting")).to_have_text("showcase")
    assert page.title() == "showcase"
    assert page.evaluate(SKELETON)
    # They stay until the first document.
    page.route("**/page/*", lambda route: route.continue_())
    for route in held:
        route.continue_()
    expect(page.get_by_text("Connecting…")).to_be_attached()
    expect(page.locator(".starting")).to_have_text("showcase")
    assert page.evaluate(SKELETON)
    person.picture("starting")


WATCH = """new MutationObserver(() => {
  if (document.querySelector("[role=alertdialog]")) window.hasStopped = true;
}).observe(document, { subtree: true, childList: true })"""


def test_an_app_that_is_about_to_start_has_not_stopped(
    link: SlowLink, visit: Visits
) -> None:
    person = visit(link.server)
    person.page.add_init_script(WATCH)
    open_page(person, link)
    assert person.page.evaluate("window.hasStopped") is None


def test_the_core_is_asked_before_the_scripts_are_there(
    link: SlowLink, visit: Visits
) -> None:
    page = visit(link.server, **LOOKS["phone"]).page
    sent: list[str] = []

    def keep(socket: WebSocket) -> None:
        socket.on("framesent", lambda line: sent.append(line))

    page.on("websocket", keep)
    held: list[Route] = []
    page.route("**/page/main-*", lambda route: held.append(route))
    with page.expect_response("**/page/description-*.json") as description:
        page.goto(f"{link.url}/?token={TOKEN}", wait_until="commit")
    until(lambda: page.evaluate("1") and len(sent) > 0)
    held.pop().continue_()
    page.wait_for_selector(".screen:not(.behind)")
    # Neither is asked again by the scripts.
    calls = [json.loads(line)["method"] for line in sent]
    assert calls[0] == "initialize"
    assert not {"initialize", "rpc.discover"} & set(calls[1:])
    address = page.evaluate("offstage.core.handshake.description")
    assert description.value.url == link.url + address


def test_from_a_link_to_the_first_screen_on_a_slow_network(
    showcase: str, visit: Visits
) -> None:
    """Prints the seconds with `clients/web/test CORE -s -k slow_network`."""
    # 400 kbit/s, and 400 ms there and back.
    link = SlowLink(showcase, "--deterministic", rate=50_000, latency=0.2)
    person = visit(link.server, **LOOKS["phone"])
    start = time.monotonic()
    size = open_page(person, link)
    print(f"\nfirst screen: {size:,} bytes, {time.monotonic() - start:.1f} s")
    link.close()
