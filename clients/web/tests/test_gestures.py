"""What a finger can do, in the real browser."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from .conftest import LOOKS, Serve, Visit, Visits

pytestmark = pytest.mark.long

PHONE = {**LOOKS["phone"], "has_touch": True}

# The page loads what follows a finger once it has nothing else to do.
FOLLOWS = """async () => {
  const find = () => performance.getEntriesByType("resource").find(({ name }) => name.includes("/gestures-"));
  while (!find()) await new Promise(requestAnimationFrame);
  await import(find().name);
}"""


def drag(person: Visit, start: tuple[float, float], end: tuple[float, float]) -> None:
    """Drags a finger over the page."""
    person.page.evaluate(FOLLOWS)
    session = person.context.new_cdp_session(person.page)

    def touch(kind: str, *points: dict[str, Any]) -> None:
        session.send(
            "Input.dispatchTouchEvent", {"type": kind, "touchPoints": list(points)}
        )

    (x, y), (to_x, to_y) = start, end
    touch("touchStart", {"x": x, "y": y})
    for step in range(1, 9):
        part = step / 8
        touch("touchMove", {"x": x + (to_x - x) * part, "y": y + (to_y - y) * part})
    touch("touchEnd")
    session.detach()


@pytest.mark.parametrize("path", ["/pokedex", "/pokedex/25", "/library/jaws"])
def test_a_pull_refreshes(
    serve: Serve, visit: Visits, showcase: str, path: str
) -> None:
    person = visit(serve(showcase, "--deterministic"), **PHONE)
    page = person.open(path)
    expect(person.input("refresh")).to_be_visible()
    page.evaluate("""() => {
      window.sent = [];
      const { input } = offstage.core;
      offstage.core.input = (screen, name, ...rest) => (sent.push(name), input.call(offstage.core, screen, name, ...rest));
    }""")
    drag(person, (200, 200), (200, 260))
    person.settle()
    assert "refresh" not in page.evaluate("sent")
    drag(person, (200, 200), (200, 420))
    page.wait_for_function("() => sent.includes('refresh')")
    page.evaluate("sent.length = 0")
    person.settle()
    person.input("refresh").click()
    page.wait_for_function("() => sent.includes('refresh')")


def test_any_screen_that_says_how_is_refreshed(
    serve: Serve, visit: Visits, meanings: str
) -> None:
    """By the purpose of the input, which has another name."""
    person = visit(serve(meanings, "--deterministic"), **PHONE)
    person.open()
    person.tab("work")
    screen = person.screen("work")
    age = screen.locator(".age")
    button = screen.locator(".bar").get_by_role("button", name="Look anew")
    expect(person.input("lookAnew")).to_have_count(1)
    person.input("age").click()
    expect(age).to_be_visible()
    drag(person, (200, 200), (200, 420))
    expect(age).to_have_count(0)
    person.input("age").click()
    expect(age).to_be_visible()
    button.click()
    expect(age).to_have_count(0)
    # Another screen has no such input.
    person.tab("values")
    values = person.screen("values")
    expect(values.locator(".bar button")).to_have_count(0)


def test_a_swipe_from_the_edge_goes_back(
    serve: Serve, visit: Visits, showcase: str
) -> None:
    person = visit(serve(showcase, "--deterministic"), **PHONE)
    person.open("/pokedex/25")
    person.screen("pokemonDetail")
    drag(person, (200, 300), (380, 300))
    drag(person, (5, 300), (60, 300))
    person.settle()
    person.screen("pokemonDetail")
    drag(person, (5, 300), (300, 300))
    person.screen("pokedex")
    # A root has no way back.
    drag(person, (5, 300), (300, 300))
    person.settle()
    person.screen("pokedex")


def test_a_sheet_follows_the_finger(serve: Serve, visit: Visits, showcase: str) -> None:
    server = serve(showcase, "--deterministic", "--developer")
    person = visit(server, **PHONE)
    page = person.open("/explore")
    person.screen("explore")
    person.input("devSettingsTapped").click()
    person.screen("devSettings")
    layer = page.locator(".layer.sheet")
    box = page.locator(".grabber").bounding_box()
    assert box
    x, y = box["x"] + box["width"] / 2, box["y"] + 2
    expect(layer).to_have_attribute("data-detent", "medium")
    drag(person, (x, y), (x, y - 200))
    expect(layer).to_have_attribute("data-detent", "large")
    top = page.locator(".grabber").bounding_box()
    assert top and top["y"] < y - 100
    drag(person, (x, top["y"] + 2), (x, top["y"] + 400))
    expect(layer).to_have_attribute("data-detent", "medium")
    drag(person, (x, y), (x, y + 300))
    person.screen("explore")


def test_developer_settings_are_hidden(
    serve: Serve, visit: Visits, showcase: str
) -> None:
    person = visit(serve(showcase, "--deterministic"))
    person.open("/explore")
    person.screen("explore")
    expect(person.input("devSettingsTapped")).to_have_count(0)


def test_pictures_leave_room_before_they_come(
    serve: Serve, visit: Visits, showcase: str
) -> None:
    person = visit(serve(showcase, "--deterministic"), **PHONE)
    person.page.add_init_script("""
      window.shifts = [];
      new PerformanceObserver((list) => {
        for (const each of list.getEntries()) if (each.sources.some(({ node }) => node?.closest?.(".content"))) shifts.push(each.value);
      }).observe({ type: "layout-shift", buffered: true });
    """)
    page = person.open("/library")
    person.screen("library")
    page.wait_for_function(
        "() => [...document.querySelectorAll('.picture')].slice(0, 4).every((each) => each.complete)"
    )
    person.settle()
    assert sum(page.evaluate("shifts")) < 0.05
