"""What people and devices ask for: the system's colors, more contrast, 400 %, and paper."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from .conftest import Serve, Visit, Visits

pytestmark = pytest.mark.long

# The elements of these kinds that nothing but their color tells from what is around them.
BLURRED = """(kinds) => [...document.querySelectorAll(kinds)].filter((element) => {
  const style = getComputedStyle(element);
  return element.checkVisibility() && style.borderTopWidth === "0px";
}).map((element) => element.outerHTML)"""

# The titles and buttons whose words do not fit, and the edges of dialogs outside of the window.
CUT = """() => [...document.querySelectorAll("h1, .button, .panel")].filter((element) => {
  if (!element.checkVisibility() || element.closest("[inert], .behind")) return false;
  const { left, right, top } = element.getBoundingClientRect();
  const isOutside = element.matches(".panel") && top < 0;
  return isOutside || element.scrollWidth > element.clientWidth + 1 || left < 0 || right > innerWidth;
}).map((element) => element.outerHTML.slice(0, 200))"""


def ask_to_delete_an_account(person: Visit) -> None:
    """Opens the settings, with switches and choices, and a dialog on them."""
    person.open("/profile")
    person.screen("profile")
    person.input("createAccountTapped").click()
    person.screen("createAccount")
    person.sign_up()
    person.page.goto(f"{person.server.url}/profile/settings")
    person.screen("settings")


@pytest.mark.parametrize("look", [{"forced_colors": "active"}, {"contrast": "more"}])
def test_everything_that_is_pressed_has_an_edge(
    serve: Serve, visit: Visits, showcase: str, look: dict[str, str]
) -> None:
    person = visit(serve(showcase), **look)
    ask_to_delete_an_account(person)
    kinds = ".button, .segment span"
    if "forced_colors" in look:
        kinds += ", .switch input, .panel"
        chosen = "getComputedStyle(document.querySelector('.segment :checked + span'))"
        other = (
            "getComputedStyle(document.querySelector('.segment :not(:checked) + span'))"
        )
        color = "backgroundColor"
        assert person.page.evaluate(f"{chosen}.{color} !== {other}.{color}")
    assert person.page.evaluate(BLURRED, kinds) == []
    person.picture(f"settings-{'forced' if 'forced_colors' in look else 'contrast'}")
    person.input("deleteAccountTapped").click()
    expect(person.page.get_by_role("alertdialog")).to_be_visible()
    assert person.page.evaluate(BLURRED, kinds) == []
    person.check_access()


def test_signs_on_pictures_are_opaque(
    serve: Serve, visit: Visits, showcase: str
) -> None:
    person = visit(serve(showcase), forced_colors="active")
    page = person.open("/library")
    person.screen("library")
    for kind in (".sign", ".bookmark", ".progress"):
        signs = page.locator(f"{kind}:visible")
        expect(signs.first).to_be_visible()
        signs.first.hover()
        expect(signs.first).to_have_css("background-color", "rgb(255, 255, 255)")


def test_nothing_is_cut_at_400_percent(
    serve: Serve, visit: Visits, showcase: str
) -> None:
    """That makes a window of 1280 by 1024 pixels one of 320 by 256."""
    person = visit(serve(showcase), viewport={"width": 320, "height": 256})
    page = person.open("/profile")
    person.screen("profile")
    person.input("createAccountTapped").click()
    person.screen("createAccount")
    assert page.evaluate(CUT) == []
    person.picture("invitation-400-percent")
    person.sign_up()
    for path in ("/library", "/pokedex/25", "/avatars/mina", "/profile/settings"):
        page.goto(person.server.url + path)
        expect(page.locator(".screen:not(.behind) h1")).to_be_visible()
        person.settle()
        assert page.evaluate(CUT) == []
        assert page.evaluate("document.documentElement.scrollWidth") == 320
    person.input("deleteAccountTapped").click()
    dialog = page.get_by_role("alertdialog")
    expect(dialog.get_by_role("button", name="Cancel")).to_be_in_viewport()
    assert page.evaluate(CUT) == []


# True if an element is in view from its upper to its lower edge, and nothing covers it.
SEEN = """element => {
  element.scrollIntoView({ block: "nearest" });
  const { left, top, bottom } = element.getBoundingClientRect();
  return [top + 2, bottom - 2].every((y) => element.contains(document.elementFromPoint(left + 20, y)));
}"""


@pytest.mark.parametrize(("width", "height"), [(320, 256), (667, 375)])
def test_the_map_is_read_in_a_low_window(
    serve: Serve, visit: Visits, showcase: str, width: int, height: int
) -> None:
    person = visit(serve(showcase), viewport={"width": width, "height": height})
    page = person.open("/map")
    person.screen("map")
    expect(page.locator(".request")).to_be_visible()
    person.settle()
    rows = page.locator(".bottom-sheet .row")
    for row in (rows.first, rows.nth(5), page.locator(".search-bar")):
        assert row.evaluate(SEEN)
    expect(page.locator('.pin[title="Seoul City Hall"]')).to_be_in_viewport()
    assert page.evaluate("document.documentElement.scrollWidth") == width
    # What only the focus shows covers nothing until then.
    assert page.locator(".request span").evaluate(SEEN)
    rows.first.click()
    person.input("detailsClosed").wait_for()
    for part in (page.locator(".facts dd").first, person.input("detailsClosed")):
        assert part.evaluate(SEEN)
    person.check_access()
    person.picture(f"map-{width}")
    person.input("searchBarTapped").click()
    person.screen("placeSearch")
    page.keyboard.type("museum")
    expect(page.get_by_text("11 results")).to_be_attached()
    assert page.locator(".screen:not(.behind) .row").first.evaluate(SEEN)


def test_paper_takes_the_whole_screen(
    serve: Serve, visit: Visits, showcase: str
) -> None:
    person = visit(serve(showcase), viewport={"width": 800, "height": 600})
    page = person.open("/pokedex")
    person.screen("pokedex")
    person.settle()
    page.emulate_media(media="print", color_scheme="dark")
    height = page.evaluate("document.documentElement.scrollHeight")
    assert height > 1000
    last = page.locator(".screen:not(.behind) .tile").last.bounding_box()
    assert last and last["y"] + last["height"] <= height
    expect(page.locator(".tabs")).to_be_hidden()
    assert page.pdf().count(b"/Type /Page\n") > 1
    # What is on top is printed alone.
    page.goto(f"{person.server.url}/profile")
    person.screen("profile")
    person.input("createAccountTapped").click()
    expect(page.get_by_role("dialog")).to_be_visible()
    expect(page.locator(".root")).to_be_hidden()


# What is on paper, and then on the screen again: the number of rows, and the text of what says that rows are missing.
PRINTED = """type => {
  dispatchEvent(new Event(type));
  return [document.querySelectorAll(".rows > li[data-at], .rows > li:has(> .line)").length, document.querySelector(".missing-rows")?.innerText ?? ""];
}"""


@pytest.mark.parametrize(
    ("count", "printed", "missing"),
    [("900", 900, ""), ("5000", 1000, "4,000 more are not printed.")],
)
def test_a_long_list_is_printed_up_to_a_thousand_rows(
    serve: Serve, visit: Visits, notes: str, count: str, printed: int, missing: str
) -> None:
    page = visit(serve(notes, count)).open()
    expect(page.locator(".rows > li").first).to_be_visible()
    assert page.evaluate(PRINTED, "beforeprint") == [printed, missing]
    assert page.evaluate(PRINTED, "afterprint")[0] < 300
    assert page.pdf().count(b"/Type /Page\n") > 40


def test_a_printed_window_says_how_many_rows_are_missing(
    serve: Serve, visit: Visits, meanings: str
) -> None:
    person = visit(serve(meanings, "--deterministic", "--root", "long"))
    page = person.open()
    expect(page.locator(".window .rows > li").first).to_be_visible()
    person.settle()
    page.emulate_media(media="print")
    rows, missing = page.evaluate(PRINTED, "beforeprint")
    assert missing.endswith("more are not printed.")
    last = page.locator(".window .rows > li").last.bounding_box()
    note = page.locator(".missing-rows").bounding_box()
    assert rows > 10 and last and note and last["y"] + last["height"] <= note["y"]
