"""Long lists that the document has as a whole: the page has the elements of the rows that are seen."""

from __future__ import annotations

import re
import sys
from typing import Any

import pytest
from playwright.sync_api import expect

from .conftest import HOLD, LOOKS, REPOSITORY, Serve, Visit, Visits, until

pytestmark = pytest.mark.long

CART = str(REPOSITORY / "clients/python/tests/cart.py")
MANY = str(REPOSITORY / "clients/python/tests/many.py")

# Counts the elements and texts that come and go in the list.
CHANGES = """() => {
  window.changes = 0;
  const count = (records) => (window.changes += records.length);
  new MutationObserver(count).observe(document.querySelector(".rows"), { childList: true, characterData: true, subtree: true });
}"""


def open_whole(serve: Serve, visit: Visits, notes: str) -> tuple[Visit, Any]:
    """Opens a list that the document has as a whole, beside a form, and returns its element."""
    person = visit(serve(notes, "10000"))
    page = person.open()
    rows = page.locator(".list > .rows")
    expect(rows.locator("li").first).to_have_attribute("aria-setsize", "10000")
    return person, rows


def press(person: Visit, key: str) -> None:
    """Presses a key that scrolls the page."""
    person.page.locator(".content").focus()
    person.page.keyboard.press(key)


def test_a_whole_list_has_the_elements_of_the_rows_that_are_seen(
    serve: Serve, visit: Visits, notes: str
) -> None:
    person, rows = open_whole(serve, visit, notes)
    page = person.page
    expect(page.get_by_role("heading", name=re.compile("10,000"))).to_be_visible()
    assert page.locator("*").count() < 1000
    press(person, "End")
    last = rows.get_by_role("button", name="Note 9999")
    expect(last).to_be_in_viewport()
    assert page.locator("*").count() < 1000
    last.click()
    expect(page.get_by_role("heading", name=re.compile("9,999"))).to_be_visible()
    expect(rows.get_by_role("button", name="Note 9998")).to_be_in_viewport()


def test_a_letter_beside_a_long_list_changes_none_of_its_rows(
    serve: Serve, visit: Visits, notes: str
) -> None:
    person, _ = open_whole(serve, visit, notes)
    person.settle()
    person.page.evaluate(CHANGES)
    person.input("word").press_sequentially("Milk")
    expect(person.input("keep")).to_be_enabled()
    person.settle()
    assert person.page.evaluate("changes") == 0


def test_the_arrows_move_in_a_long_list(
    serve: Serve, visit: Visits, notes: str
) -> None:
    person, rows = open_whole(serve, visit, notes)
    page = person.page
    rows.get_by_role("button").first.focus()
    focused = rows.locator("li", has=page.locator(":focus"))
    # Faster than the rows are drawn.
    for key, position in [("ArrowDown", 151), ("ArrowUp", 1)]:
        page.evaluate(HOLD)
        for _ in range(150):
            page.keyboard.press(key)
        page.evaluate("release()")
        expect(focused).to_have_attribute("aria-posinset", str(position))
        expect(focused).to_be_in_viewport()
    person.check_access()


def test_a_long_list_has_sections(serve: Serve, visit: Visits, notes: str) -> None:
    """The title of a section is a row of the list, which the arrows skip."""
    person = visit(serve(notes, "10000", "5"))
    page = person.open()
    rows = page.locator(".list > .rows")
    assert page.locator("*").count() < 1000
    expect(page.get_by_role("heading", name=re.compile("10,000"))).to_be_visible()
    expect(rows.get_by_role("heading", name="Part 0", exact=True)).to_be_visible()
    rows.get_by_role("button").first.focus()
    focused = rows.locator("li", has=page.locator(":focus"))
    expect(focused).to_have_attribute("aria-posinset", "2")
    for key, note, position in [("ArrowDown", 60, 74), ("ArrowUp", 0, 2)]:
        for _ in range(60):
            page.keyboard.press(key)
        expect(focused).to_contain_text(f"Note {note}")
        expect(focused).to_have_attribute("aria-posinset", str(position))
        expect(focused).to_be_in_viewport()
    person.check_access()
    press(person, "End")
    expect(rows.get_by_role("button", name="Note 9999")).to_be_in_viewport()
    expect(rows.get_by_role("heading", name="Part 1999")).to_be_in_viewport()
    person.picture("sections")
    person.input("word").fill("Milk")
    person.input("keep").click()
    expect(rows.locator("li").first).to_have_attribute("aria-setsize", "12002")


def test_a_list_becomes_long_and_short_again(
    serve: Serve, visit: Visits, notes: str
) -> None:
    person = visit(serve(notes, "300"))
    page = person.open()
    assert page.locator(".rows > li").count() == 300
    person.input("word").fill("Milk")
    person.input("keep").click()
    expect(page.locator(".rows > li").first).to_have_attribute("aria-setsize", "301")
    assert page.locator(".rows > li").count() < 100
    page.locator(".rows").get_by_role("button").first.click()
    expect(page.locator(".rows > li")).to_have_count(300)


def test_rows_that_hold_lists_are_drawn_where_they_are_seen(
    serve: Serve, visit: Visits
) -> None:
    person = visit(serve(sys.executable, MANY, "albums", "10000"))
    page = person.open()
    expect(page.get_by_role("heading", name=re.compile("10,000"))).to_be_visible()
    expect(page.get_by_text("Song 2.2", exact=True)).to_be_visible()
    assert page.locator("*").count() < 2000
    press(person, "End")
    last = page.get_by_role("button", name="Album 9998", exact=True)
    expect(last).to_be_in_viewport()
    assert page.locator("*").count() < 2000
    # What is above the rows that are seen does not move them.
    before = last.bounding_box()
    assert before
    page.evaluate("offstage.core.input('1', 'taken', 5)")
    expect(page.get_by_role("heading", name=re.compile("9,999"))).to_have_count(1)
    person.settle()
    after = last.bounding_box()
    assert after and abs(after["y"] - before["y"]) < 1
    last.click()
    expect(last).to_have_count(0)
    expect(
        page.get_by_role("button", name="Album 9999", exact=True)
    ).to_be_in_viewport()
    person.check_access()
    person.picture("albums")


def test_a_long_table_is_drawn_where_it_is_seen(serve: Serve, visit: Visits) -> None:
    person = visit(serve(sys.executable, MANY, "table", "10000"))
    page = person.open()
    expect(page.get_by_role("table")).to_have_attribute("aria-rowcount", "10001")
    assert page.locator("*").count() < 1000
    press(person, "End")
    last = page.get_by_role("row", name=re.compile("^Song 9999 "))
    expect(last).to_be_in_viewport()
    expect(last).to_have_attribute("aria-rowindex", "10001")
    assert page.locator("*").count() < 1000
    person.check_access()
    person.picture("table")
    last.get_by_role("button").click()
    expect(page.get_by_role("table")).to_have_attribute("aria-rowcount", "10000")
    expect(page.get_by_role("row", name=re.compile("^Song 9998 "))).to_be_in_viewport()


def test_a_long_list_of_parts_is_drawn_where_it_is_seen(
    serve: Serve, visit: Visits
) -> None:
    person = visit(serve(sys.executable, CART))
    page = person.open()
    page.evaluate("offstage.core.input('1', 'grow', 10000)")
    expect(page.get_by_role("heading", name=re.compile("10,000"))).to_be_visible()
    first = person.input("lines/0/countText")
    first.fill("12")
    assert page.locator("*").count() < 3000
    press(person, "End")
    last = person.input("lines/9999/countText")
    expect(last).to_be_in_viewport()
    # The row with the focus stays, so that the person can go on.
    last.fill("34")
    press(person, "Home")
    expect(first).to_have_value("12")
    expect(last).to_have_count(0)
    assert page.locator("*").count() < 3000


MULTIPLY = """([name, count]) => {
  const { core } = offstage;
  const { output } = core.document.screens[core.visible[0]];
  const [model] = output[name];
  output[name] = Array.from({ length: count }, (_, id) => ({ ...model, id, name: `Number ${id}`, text: `Number ${id}` }));
  core.wake();
}"""


@pytest.mark.parametrize("look", ["light", "phone"])
@pytest.mark.parametrize(
    ("tab", "name", "item"),
    [
        ("pokedex", "pokemon", ".tile"),
        ("explore", "popular", ".row"),
        ("explore", "featured", ".hero-card"),
        ("chats", "chats", ".row"),
    ],
)
def test_a_long_list_of_a_styled_screen_is_drawn_where_it_is_seen(
    serve: Serve,
    visit: Visits,
    showcase: str,
    look: str,
    tab: str,
    name: str,
    item: str,
) -> None:
    person = visit(serve(showcase, "--deterministic"), **LOOKS[look])
    page = person.open()
    person.tab(tab)
    screen = person.screen(tab)
    person.settle()
    page.evaluate(MULTIPLY, [name, 10_000])
    rows = screen.locator(f"{item}:has-text('Number ')")
    expect(rows.first).to_be_attached()
    assert page.locator("*").count() < 2500
    last = rows.filter(has_text="Number 9999")
    # A line of cards scrolls sideways on a phone.
    page.evaluate(
        """() => document.querySelectorAll(".screen:not(.behind) :is(.content, .cards)").forEach(
          (each) => each.scrollTo(each.scrollWidth, each.scrollHeight))"""
    )
    expect(last).to_be_attached()
    assert page.locator("*").count() < 2500
    person.picture(f"long-{name}-{look}")


# The first row that is seen, and how far it is below the edge.
FIRST = """() => {
  const outer = [...document.querySelectorAll(".window, .content")].at(-1)?.getBoundingClientRect().top;
  const row = [...document.querySelectorAll(":is(.rows, tbody) > :not(.space)")].find((row) => row.getBoundingClientRect().bottom > outer && !row.querySelector(":scope > .section"));
  return row && [row.innerText, Math.round(row.getBoundingClientRect().top - outer)];
}"""


@pytest.mark.parametrize("kind", ["whole", "sections", "albums", "table"])
def test_a_reload_keeps_the_first_row_that_is_seen(
    serve: Serve, visit: Visits, notes: str, kind: str
) -> None:
    apps = {"whole": [notes, "10000"], "sections": [notes, "10000", "5"]}
    person = visit(
        serve(*apps.get(kind, [sys.executable, MANY, kind, "10000"])), **LOOKS["light"]
    )
    page = person.open()
    expect(page.locator("[data-at]").first).to_be_visible()
    page.locator(".content").evaluate("each => { each.scrollTop = 30_000 }")
    until(lambda: page.evaluate(FIRST) is not None)
    person.settle()
    before = page.evaluate(FIRST)
    page.reload()
    until(lambda: page.evaluate(FIRST) == before)
