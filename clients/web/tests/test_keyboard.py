"""The app without a mouse: Tab reaches every control, and closing a layer restores the focus."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from .conftest import LOOKS, Serve, Visit, Visits

# The visible elements that take the focus. Tab stops at one radio button of each name.
CONTROLS = """() => {
  const groups = new Set();
  const dialog = [...document.querySelectorAll("[role=dialog], [role=alertdialog]")].at(-1);
  return [...(dialog ?? document).querySelectorAll("button, input, textarea, select, a[href], [tabindex='0']")]
    .filter((each) => !each.disabled && !each.closest("[inert]") && each.checkVisibility({ visibilityProperty: true }))
    .filter((each) => each.type !== "radio" || (!groups.has(each.name) && groups.add(each.name)))
    .map((each) => each.type === "radio" ? each.name : ((each.offstageTest ??= crypto.randomUUID()), each.offstageTest));
}"""
FOCUSED = """() => {
  const each = document.activeElement;
  // A heading has the focus if what had it is gone.
  if (!each || each === document.body || each.matches("h1")) return null;
  // A switch and a pill show the focus on what stands for them.
  const looks = [each, each.nextElementSibling].filter(Boolean).map((shown) => getComputedStyle(shown));
  return {
    id: each.type === "radio" ? each.name : each.offstageTest,
    about: each.outerHTML.slice(0, 120),
    isSeen: each.matches(":focus-visible") && looks.some((look) => look.outlineStyle !== "none" && parseFloat(look.outlineWidth) >= 2),
  };
}"""


def walk(person: Visit) -> None:
    """Presses Tab until the focus has been everywhere and leaves the page."""
    page = person.page
    page.evaluate("document.activeElement?.blur()")
    wanted = set(page.evaluate(CONTROLS))
    reached: set[str] = set()
    faults: list[Any] = []
    for _ in range(3 * len(wanted) + 20):
        page.keyboard.press("Tab")
        focused = page.evaluate(FOCUSED)
        if focused is None:
            if wanted <= reached:
                break
            continue
        if not focused["isSeen"]:
            faults.append(focused)
        reached.add(focused["id"])
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
    person = visit(serve(showcase, "--deterministic"), **LOOKS[look])
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
