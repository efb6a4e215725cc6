"""Lists of which the document has a window: the browser scrolls in all rows, and has the elements of few."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from .conftest import LOOKS, Serve, Visit, Visits, until
from .test_long import FIRST

pytestmark = pytest.mark.long


def open_long(serve: Serve, visit: Visits, meanings: str) -> tuple[Visit, Any, Any]:
    """Opens the list, and returns its element and a function that finds a row."""
    person = visit(serve(meanings, "--deterministic", "--root", "long"))
    page = person.open()
    return (
        person,
        page.locator(".window"),
        lambda name: page.get_by_role("button", name=name),
    )


SCROLL = """async (element, pixels) => {
  for (let rest = pixels; rest > 0; rest -= 400) {
    element.scrollBy(0, Math.min(rest, 400));
    await new Promise(requestAnimationFrame);
  }
}"""


def scroll(window: Any, pixels: int) -> None:
    """Scrolls as a wheel does, in steps."""
    window.evaluate(SCROLL, pixels)


def test_the_browser_scrolls_in_all_rows(
    serve: Serve, visit: Visits, meanings: str
) -> None:
    person, window, row = open_long(serve, visit, meanings)
    expect(
        person.page.get_by_role("heading", name=re.compile("1,000,000"))
    ).to_be_visible()
    expect(row(re.compile("^Number 0 "))).to_be_visible()
    window.focus()
    person.page.keyboard.press("End")
    expect(row(re.compile("^Number 999999 "))).to_be_in_viewport()
    person.page.keyboard.press("Home")
    expect(row(re.compile("^Number 0 "))).to_be_in_viewport()
    person.page.keyboard.press("PageDown")
    expect(row(re.compile("^Number 9 "))).to_be_in_viewport()
    assert person.page.locator(".window li").count() < 100
    person.check_access()


def test_a_step_is_as_long_as_it_is_anywhere(
    serve: Serve, visit: Visits, meanings: str
) -> None:
    """Although the element is not as high as all rows would be."""
    person, window, row = open_long(serve, visit, meanings)
    window.evaluate("element => { element.scrollTop = element.scrollHeight / 2 }")
    first = person.page.locator(".window li").first
    expect(first).to_have_attribute("aria-posinset", re.compile(r"^(49|50)\d{4}$"))
    person.settle()
    name = re.compile(r"^Number (\d+) ")
    shown = [each for each in row(name).all() if is_within(each, window)]
    number = int(re.findall(r"\d+", shown[0].inner_text())[0])
    height = shown[0].bounding_box()["height"]
    for _ in range(40):
        scroll(window, int(height))
        person.settle()
    expect(row(re.compile(f"^Number {number + 40} "))).to_be_in_viewport()
    expect(row(re.compile(f"^Number {number + 30} "))).not_to_be_in_viewport()


def test_a_fast_wheel_goes_as_far_as_it_turns(
    serve: Serve, visit: Visits, meanings: str
) -> None:
    """Also if the browser is too busy to say so step by step."""
    person, window, row = open_long(serve, visit, meanings)
    expect(row(re.compile("^Number 2 "))).to_be_visible()
    window.hover()
    for turn, number in ((6_400, 102), (-3_200, 52)):
        person.page.mouse.wheel(0, turn)
        expect(row(re.compile(f"^Number {number} "))).to_be_in_viewport()


def is_within(row: Any, window: Any) -> bool:
    (inner, outer) = (row.bounding_box(), window.bounding_box())
    return (
        outer["y"] <= inner["y"]
        and inner["y"] + inner["height"] <= outer["y"] + outer["height"]
    )


def test_a_screen_reader_knows_the_place_of_a_row(
    serve: Serve, visit: Visits, meanings: str
) -> None:
    person, _, row = open_long(serve, visit, meanings)
    item = person.page.locator(".window li", has=row(re.compile("^Number 7 ")))
    expect(item).to_have_attribute("aria-posinset", "8")
    expect(item).to_have_attribute("aria-setsize", "1000000")


def test_new_rows_above_do_not_move_what_is_shown(
    serve: Serve, visit: Visits, meanings: str
) -> None:
    person, window, row = open_long(serve, visit, meanings)
    scroll(window, 5_000)
    item = row(re.compile("^Number 80 "))
    expect(item).to_be_in_viewport()
    person.settle()
    before = item.bounding_box()
    person.input("addTwo").click()
    person.settle()
    assert item.bounding_box() == before
    at = person.page.locator(".window li", has=item)
    expect(at).to_have_attribute("aria-posinset", "83")
    item.click()
    expect(person.page.get_by_role("definition")).to_have_text("80")


def test_a_failure_is_said_and_can_be_tried_again(
    serve: Serve, visit: Visits, meanings: str
) -> None:
    person, window, row = open_long(serve, visit, meanings)
    person.input("breakDown").click()
    window.evaluate("element => { element.scrollTop = element.scrollHeight / 2 }")
    expect(person.page.get_by_role("alert")).to_contain_text("The numbers are out.")
    expect(window.locator("ul")).to_have_attribute("aria-busy", "true")
    person.page.get_by_role("button", name="Try again").click()
    expect(person.page.get_by_role("alert")).to_have_count(0)
    expect(row(re.compile(r"^Number (49|50)\d{4} ")).first).to_be_visible()
    expect(window.locator("ul")).to_have_attribute("aria-busy", "false")


def test_a_row_has_room_for_its_texts(
    serve: Serve, visit: Visits, showcase: str
) -> None:
    person = visit(serve(showcase), **LOOKS["phone"])
    page = person.open("/map/all")
    row = page.locator(".window li", has_text="Ahn Jung-geun Memorial Hall")
    expect(row.get_by_text("Memorial", exact=True)).to_be_visible()
    inner = row.locator(".subtitle").bounding_box()
    outer = row.bounding_box()
    assert inner and outer
    assert inner["y"] + inner["height"] <= outer["y"] + outer["height"]


def test_all_of_a_row_is_what_is_pressed(
    serve: Serve, visit: Visits, meanings: str
) -> None:
    _, window, row = open_long(serve, visit, meanings)
    expect(row(re.compile("^Number 2 "))).to_be_visible()
    for item in window.locator("li").all()[:3]:
        inner, outer = item.get_by_role("button").bounding_box(), item.bounding_box()
        assert inner and outer
        assert (inner["y"], inner["height"]) == (outer["y"], outer["height"])


@pytest.mark.parametrize("pixels", [3_000, 3_000_000])
def test_a_reload_keeps_the_first_row_that_is_seen(
    serve: Serve, visit: Visits, meanings: str, pixels: int
) -> None:
    person, window, _ = open_long(serve, visit, meanings)
    window.evaluate("(element, pixels) => { element.scrollTop = pixels }", pixels)
    until(lambda: person.page.evaluate(FIRST) is not None)
    person.settle()
    before = person.page.evaluate(FIRST)
    person.page.reload()
    until(lambda: person.page.evaluate(FIRST) == before)


def test_a_list_that_is_read_from_its_end_opens_there(
    serve: Serve, visit: Visits, meanings: str
) -> None:
    person = visit(serve(meanings, "--deterministic", "--root", "diary"))
    page = person.open()
    window, add = page.locator(".window"), person.input("addEntry")

    def day(number: int) -> Any:
        return window.locator("li").filter(has_text=re.compile(f"Day {number}$"))

    expect(day(10_000)).to_be_in_viewport()
    add.click()
    expect(day(10_001)).to_be_in_viewport()
    window.focus()
    page.keyboard.press("Home")
    expect(day(1)).to_be_in_viewport()
    add.click()
    expect(page.get_by_role("heading", name=re.compile("10,002"))).to_be_visible()
    expect(day(1)).to_be_in_viewport()
    window.focus()
    page.keyboard.press("End")
    expect(day(10_002)).to_be_in_viewport()
    add.click()
    expect(day(10_003)).to_be_in_viewport()
