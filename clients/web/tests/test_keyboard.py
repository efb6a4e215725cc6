"""The app without a mouse: Tab reaches every control, and closing a layer restores the focus."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from .conftest import LOOKS, Serve, Visit, Visits

pytestmark = pytest.mark.long

# The visible elements that take the focus. Tab stops at one radio button of each name.
CONTROLS = """() => {
  const groups = new Set();
  const dialog = [...document.querySelectorAll("[role=dialog], [role=alertdialog]")].at(-1);
  return [...(dialog ?? document).querySelectorAll("button, input, textarea, select, a[href], [tabindex='0']")]
    .filter((each) => !each.disabled && !each.closest("[inert]") && each.checkVisibility({ visibilityProperty: true }))
    .filter((each) => each.type !== "radio" || (!groups.has(each.name) && groups.add(each.name)))
    .map((each) => each.type === "radio" ? each.name : ((each.offstageTest ??= crypto.randomUUID()), each.offstageTest));
}"""
# Notes what takes the focus from now on; null where it leaves the page.
WATCH = """() => {
  window.offstageTest?.abort();
  window.offstageTest = new AbortController();
  offstageTest.reached = [];
  document.activeElement?.blur();
  const options = { capture: true, signal: offstageTest.signal };
  addEventListener("focusin", ({ target: each }) => {
    // A heading has the focus if what had it is gone.
    if (each.matches("h1")) return;
    // A switch and a pill show the focus on what stands for them.
    const looks = [each, each.nextElementSibling].filter(Boolean).map((shown) => getComputedStyle(shown));
    offstageTest.reached.push({
      id: each.type === "radio" ? each.name : each.offstageTest,
      about: each.outerHTML.slice(0, 120),
      isSeen: each.matches(":focus-visible") && looks.some((look) => look.outlineStyle !== "none" && parseFloat(look.outlineWidth) >= 2),
    });
  }, options);
  addEventListener("focusout", ({ relatedTarget }) => relatedTarget || offstageTest.reached.push(null), options);
}"""
REACHED = "() => offstageTest.reached.splice(0)"


def walk(person: Visit) -> None:
    """Presses Tab until the focus has been everywhere and leaves the page."""
    page = person.page
    wanted = set(page.evaluate(CONTROLS))
    page.evaluate(WATCH)
    reached: set[str] = set()
    faults: list[Any] = []
    for _ in range(3 + len(wanted) // 5):
        for _ in range(10):
            page.keyboard.press("Tab")
        focused = page.evaluate(REACHED)
        faults += [each for each in focused if each and not each["isSeen"]]
        reached |= {each["id"] for each in focused if each}
        if None in focused and wanted <= reached:
            break
        # Tab need not reach controls that are gone, such as rows that were replaced.
        wanted &= set(page.evaluate(CONTROLS)) | reached
    missed = wanted - reached
    script = "ids => [...document.querySelectorAll('*')].filter(each => ids.includes(each.offstageTest)).map(each => each.outerHTML.slice(0, 120))"
    assert not faults, faults
    assert not missed, page.evaluate(script, list(missed))


@pytest.mark.parametrize("look", ["light", "phone"])
def test_tab_reaches_every_control_and_shows_where_it_is(
    serve: Serve, visit: Visits, showcase: str, look: str
) -> None:
    person = visit(serve(showcase, "--deterministic"), **LOOKS[look])
    page = person.open()
    for tab in ["map", "explore", "chats", "pokedex", "library", "profile"]:
        person.tab(tab)
        person.screen(tab)
        person.settle()
        walk(person)
    for link, kind in {
        "avatars/mina": "chat",
        "pokedex/25": "pokemonDetail",
        "library/seven-samurai": "titleDetail",
        "profile/settings": "settings",
    }.items():
        page.evaluate("(path) => offstage.core.open(`showcase://${path}`)", link)
        person.screen(kind)
        person.settle()
        walk(person)


LAYERS = [
    ("profile", "createAccountTapped", "createAccount"),
    ("profile", "createAvatarTapped", "createAvatar"),
    ("profile", "settingsTapped", "settings"),
    ("explore", "devSettingsTapped", "devSettings"),
    ("explore", "pushPermissionTapped", "customModal"),
]


@pytest.mark.parametrize("look", ["light", "korean"])
@pytest.mark.parametrize(("tab", "input", "kind"), LAYERS)
def test_a_layer_keeps_the_focus_and_gives_it_back(
    serve: Serve,
    visit: Visits,
    showcase: str,
    tab: str,
    input: str,
    kind: str,
    look: str,
) -> None:
    person = visit(serve(showcase, "--deterministic", "--developer"), **LOOKS[look])
    page = person.open()
    person.tab(tab)
    person.screen(tab)
    person.settle()
    opener = person.input(input)
    opener.press("Enter")
    layer = person.screen(kind)
    expect(layer.locator(":focus")).to_have_count(1)
    person.settle()
    walk(person)
    person.check_access()
    page.keyboard.press("Escape")
    expect(layer).to_have_count(0)
    expect(opener).to_be_focused()


def test_a_field_that_was_left_empty_says_so(
    serve: Serve, visit: Visits, showcase: str
) -> None:
    person = visit(serve(showcase, "--deterministic", "--root", "signUp"))
    page = person.open()
    error = page.locator(".error")
    person.input("nameText").press_sequentially("Kim")
    page.keyboard.press("Tab")
    # The message must not move the button before it is pressed.
    person.input("cancel").hover()
    page.mouse.down()
    person.settle()
    expect(error).to_have_count(0)
    page.mouse.up()
    expect(error).to_have_text("Enter an email address.")


@pytest.mark.parametrize("look", ["dark", "korean"])
def test_a_dialog_over_a_sheet_gives_the_focus_back(
    serve: Serve, visit: Visits, showcase: str, look: str
) -> None:
    person = visit(serve(showcase, "--deterministic"), **LOOKS[look])
    page = person.open()
    person.tab("profile")
    person.input("createAccountTapped").press("Enter")
    person.screen("createAccount")
    person.input("signUpTapped").press("Enter")
    person.screen("signUp")
    page.keyboard.type("Kim")
    page.keyboard.press("Tab")
    page.keyboard.type("kim@example.com")
    page.keyboard.press("Enter")
    expect(page.locator(".hero")).to_contain_text("kim@example.com")
    person.input("settingsTapped").press("Enter")
    person.screen("settings")
    delete = person.input("deleteAccountTapped")
    delete.press("Enter")
    dialog = page.get_by_role("alertdialog")
    expect(dialog.locator(":focus")).to_have_count(1)
    walk(person)
    person.check_access()
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    expect(delete).to_be_focused()


def test_single_keys(serve: Serve, visit: Visits, showcase: str) -> None:
    person = visit(serve(showcase))
    page = person.open("/library")
    person.screen("library")
    page.keyboard.press("4")
    person.screen("pokedex")
    page.keyboard.press("/")
    search = page.locator("[data-kind=pokedex] [type=search]")
    expect(search).to_be_focused()
    # They are letters where people type.
    page.keyboard.type("3/?")
    expect(search).to_have_value("3/?")
    search.fill("")
    search.blur()
    # The arrows move in a list. This section has two lines.
    tiles = page.locator("[data-kind=pokedex] .grid", has_text="Caterpie").locator(
        ".tile"
    )
    expect(tiles.nth(3)).to_be_attached()
    tiles.first.focus()
    for key in ["Right", "Right", "Left", "Down", "Up"]:
        page.keyboard.press(f"Arrow{key}")
    expect(page.locator(":focus")).to_contain_text("Metapod")
    page.keyboard.press("ArrowDown")
    below = page.locator(":focus").bounding_box()
    first = tiles.nth(1).bounding_box()
    assert below and first and below["x"] == first["x"] and below["y"] > first["y"]
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    person.screen("pokemonDetail")
    page.keyboard.press("1")
    person.screen("map")
    page.keyboard.press("/")
    person.screen("placeSearch")


def test_the_arrows_go_from_section_to_section(
    serve: Serve, visit: Visits, notes: str
) -> None:
    page = visit(serve(notes, "12", "5")).open()
    page.locator(".rows button").first.focus()
    for key, note in [("ArrowDown", "Note 11"), ("ArrowUp", "Note 0")]:
        for _ in range(11):
            page.keyboard.press(key)
        expect(page.locator(":focus")).to_have_text(note)


def test_escape_leaves_a_search_and_a_detail(
    serve: Serve, visit: Visits, showcase: str
) -> None:
    person = visit(serve(showcase))
    page = person.open("/pokedex")
    search = page.locator("[data-kind=pokedex] [type=search]")
    search.fill("ivy")
    expect(page).to_have_url(re.compile("search=ivy"))
    page.locator(".tile", has_text="Ivysaur").click()
    person.screen("pokemonDetail")
    page.keyboard.press("Escape")
    person.screen("pokedex")
    expect(search).to_have_value("ivy")
    page.keyboard.press("Escape")
    expect(search).to_have_value("")
    person.screen("pokedex")
    page.keyboard.press("Escape")
    person.screen("pokedex")


def test_help_shows_the_keys_and_turns_them_off(
    serve: Serve, visit: Visits, showcase: str
) -> None:
    person = visit(serve(showcase))
    page = person.open("/profile")
    person.screen("profile")
    person.input("createAccountTapped").click()
    person.screen("createAccount")
    # A sheet has no tabs.
    page.keyboard.press("4")
    page.keyboard.press("?")
    help = page.get_by_role("dialog", name="Keys")
    expect(help).to_contain_text("Search")
    expect(help).to_contain_text("go back")
    person.check_access()
    person.picture("keys")
    page.keyboard.press("Escape")
    expect(help).to_have_count(0)
    person.screen("createAccount")
    page.keyboard.press("Escape")
    person.screen("profile")
    page.keyboard.press("?")
    help.get_by_role("switch").click()
    help.get_by_role("button", name="Close").click()
    page.keyboard.press("4")
    page.keyboard.press("?")
    person.screen("profile")
    help.get_by_role("switch").click()
    page.keyboard.press("Escape")
    page.keyboard.press("4")
    person.screen("pokedex")


@pytest.mark.parametrize(
    "path", ["/library", "/explore", "/map", "/map/place/1", "/profile/settings"]
)
def test_a_finger_hits_what_it_aims_at(
    serve: Serve, visit: Visits, showcase: str, path: str
) -> None:
    """The edges of 44 by 44 pixels around the middle of each target belong to it."""
    person = visit(serve(showcase), **LOOKS["phone"])
    page = person.open(path)
    expect(page.locator(".screen:not(.behind) h1")).to_be_attached()
    person.settle()
    assert page.evaluate(SMALL) == []


# What a finger in view misses 21 pixels above, below, or beside its middle.
SMALL = """() => [...document.querySelectorAll(".screen:not(.behind) :is(button, select, .segment, dd a, .leaflet-bar a)")].filter((button) => {
  const { x, y, width, height } = button.getBoundingClientRect();
  const [middle, center] = [x + width / 2, y + height / 2];
  const inView = middle > 30 && center > 30 && middle < innerWidth - 30 && center < innerHeight - 90;
  if (!inView || !button.contains(document.elementFromPoint(middle, center))) return false;
  return [[0, 21], [0, -21], [21, 0], [-21, 0]].some(([dx, dy]) => !button.contains(document.elementFromPoint(middle + dx, center + dy)));
}).map((button) => button.outerHTML.slice(0, 160))"""
