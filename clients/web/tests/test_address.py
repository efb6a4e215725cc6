"""The address bar, the back and forward buttons, and reloading."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from .conftest import FORM, TOKEN, Serve, Server, Visit, Visits, until


def test_back_and_forward_buttons(serve: Serve, visit: Visits, showcase: str) -> None:
    person = visit(serve(showcase))
    page = person.open()
    person.tab("pokedex")
    page.click("text=Bulbasaur")
    person.screen("pokemonDetail")
    page.go_back()
    person.screen("pokedex")
    page.go_back()
    person.screen("map")
    page.go_forward()
    person.screen("pokedex")
    # Closing a screen in the app removes its entry.
    page.click("text=Ivysaur")
    person.screen("pokemonDetail")
    page.click("[aria-label=Back]")
    person.screen("pokedex")
    page.go_back()
    person.screen("map")


@pytest.mark.long
def test_forward_opens_again_what_back_has_closed(
    serve: Serve, visit: Visits, showcase: str
) -> None:
    person = visit(serve(showcase, "--deterministic"))
    page = person.open()
    person.tab("pokedex")
    page.click("text=Bulbasaur")
    person.screen("pokemonDetail")
    person.tab("library")
    page.locator(".screen:not(.behind) .library-card").first.click()
    person.screen("titleDetail")
    page.wait_for_function("() => location.pathname !== '/library'")
    title = page.url
    length = page.evaluate("history.length")
    for kind in ["library", "pokemonDetail", "pokedex"]:
        page.go_back()
        person.screen(kind)
    for kind in ["pokemonDetail", "library", "titleDetail"]:
        page.go_forward()
        person.screen(kind)
    expect(page).to_have_url(title)
    assert page.evaluate("history.length") == length


def test_a_deep_link_in_the_address(serve: Serve, visit: Visits, showcase: str) -> None:
    person = visit(serve(showcase))
    page = person.open("/pokedex/25")
    person.screen("pokemonDetail")
    expect(page.locator("h1:visible")).to_have_text("Pikachu")
    expect(page).to_have_title("Pikachu – showcase")
    page.wait_for_function("() => location.pathname === '/pokedex/25'")
    # A fragment leads nowhere else.
    page.evaluate("location.hash = 'x'")
    expect(page).to_have_url(f"{person.server.url}/pokedex/25")
    page.go_back()
    person.screen("pokemonDetail")
    page.goto(f"{person.server.url}/library")
    person.screen("library")


@pytest.mark.long
def test_an_address_that_leads_nowhere(
    serve: Serve, visit: Visits, showcase: str
) -> None:
    person = visit(serve(showcase, "--deterministic"))
    page = person.open("/pokedex/99999")
    person.screen("pokemonDetail")
    page.goto(f"{person.server.url}/nonsense/x")
    heading = page.locator("h1:visible")
    expect(heading).to_have_text("Page not found")
    expect(page).to_have_title("Page not found – showcase")
    expect(page).to_have_url(f"{person.server.url}/nonsense/x")
    person.check_access()
    person.picture("missing")
    page.reload()
    expect(heading).to_have_text("Page not found")
    page.get_by_role("button", name="Open showcase").click()
    person.screen("pokemonDetail")
    expect(page.locator("h1:focus")).to_have_count(1)
    page.go_back()
    expect(heading).to_have_text("Page not found")
    page.go_forward()
    person.screen("pokemonDetail")
    page.go_back()
    page.go_back()
    person.screen("pokemonDetail")
    expect(page).to_have_url(f"{person.server.url}/pokedex/99999")


@pytest.mark.parametrize(("lang", "title"), [("ko_KR", "지도"), ("!!", "Map")])
def test_the_language_in_the_address(
    serve: Serve, visit: Visits, showcase: str, lang: str, title: str
) -> None:
    person = visit(serve(showcase))
    server, page = person.server, person.page
    page.goto(f"{server.url}/?token={TOKEN}&lang={lang}")
    expect(page.locator("[data-tab=map]")).to_have_text(title)
    page.goto(server.url)
    expect(page.locator("[data-tab=map]")).to_have_text(title)


@pytest.mark.long
def test_reload_in_the_middle_of_a_form(
    serve: Serve, visit: Visits, showcase: str
) -> None:
    person = visit(serve(showcase, *FORM))
    page = person.open()
    person.input("nameText").fill("Kim")
    person.input("emailText").fill("kim@example.com")
    person.settle()
    page.reload()
    expect(person.input("nameText")).to_have_value("Kim")
    expect(person.input("confirm")).to_be_enabled()


def test_a_reload_keeps_the_place(visit: Visits, serve: Serve, showcase: str) -> None:
    person = visit(serve(showcase), viewport={"width": 390, "height": 844})
    page = person.open("/pokedex")
    place = '.screen[data-kind="pokedex"] .content'

    def top() -> Any:
        return page.eval_on_selector(place, "each => each.scrollTop")

    person.screen("pokedex")
    person.settle()
    page.eval_on_selector(place, "each => each.scrollTo({ top: 300 })")
    page.reload()
    person.screen("pokedex")
    until(lambda: top() == 300)
    # Also below another screen.
    page.click("text=Charmander")
    person.screen("pokemonDetail")
    page.reload()
    person.screen("pokemonDetail")
    page.go_back()
    person.screen("pokedex")
    until(lambda: top() == 300)


def test_back_closes_one_thing_at_a_time(
    visit: Visits, serve: Serve, showcase: str
) -> None:
    person = visit(serve(showcase))
    page = person.page
    page.goto("about:blank")
    person.open("/profile")
    person.screen("profile")
    person.input("createAccountTapped").click()
    person.screen("createAccount")
    person.input("signUpTapped").click()
    person.screen("signUp")
    page.go_back()
    person.screen("createAccount")
    page.go_back()
    person.screen("profile")
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.go_back()
    expect(page).to_have_url("about:blank")


def test_a_sheet_has_an_address(serve: Serve, visit: Visits, showcase: str) -> None:
    person = visit(serve(showcase))
    page = person.open("/profile")
    person.input("createAccountTapped").click()
    person.screen("createAccount")
    first = f"{person.server.url}/profile#createAccount"
    expect(page).to_have_url(first)
    person.input("signUpTapped").click()
    person.screen("signUp")
    second = f"{first}/signUp"
    expect(page).to_have_url(second)
    page.reload()
    person.screen("signUp")
    expect(page).to_have_url(second)
    page.go_back()
    person.screen("createAccount")
    expect(page).to_have_url(first)
    page.go_back()
    person.screen("profile")
    expect(page).to_have_url(f"{person.server.url}/profile")


@pytest.mark.long
def test_a_search_has_an_address(serve: Serve, visit: Visits, showcase: str) -> None:
    person = visit(serve(showcase))
    page = person.open("/pokedex")
    person.screen("pokedex")
    search, tiles = person.input("searchText"), page.locator(".tile:visible")
    length = page.evaluate("history.length")
    search.press_sequentially("ivy & saur")
    expect(page).to_have_url(f"{person.server.url}/pokedex?search=ivy%20%26%20saur")
    search.fill("ivysaur")
    address = f"{person.server.url}/pokedex?search=ivysaur"
    expect(page).to_have_url(address)
    expect(tiles).to_have_count(1)
    assert page.evaluate("history.length") == length + 1
    tiles.click()
    person.screen("pokemonDetail")
    expect(page).to_have_url(f"{person.server.url}/pokedex/2")
    page.go_back()
    person.screen("pokedex")
    expect(page).to_have_url(address)
    expect(search).to_have_value("ivysaur")
    page.reload()
    person.screen("pokedex")
    expect(page).to_have_url(address)
    expect(search).to_have_value("ivysaur")
    # Back ends the search, and forward searches again.
    page.go_back()
    expect(search).to_have_value("")
    expect(page).to_have_url(f"{person.server.url}/pokedex")
    page.go_forward()
    expect(search).to_have_value("ivysaur")
    expect(page).to_have_url(address)
    # Who empties the field is where the search began.
    search.fill("")
    expect(page).to_have_url(f"{person.server.url}/pokedex")
    assert page.evaluate("history.state.levels.length") == 1
    # The address is that of the search for others, too.
    other = visit(person.server)
    other.page.goto(f"{address}&token={TOKEN}")
    other.screen("pokedex")
    expect(other.input("searchText")).to_have_value("ivysaur")
    expect(other.page).to_have_url(address)
    expect(other.page.locator(".tile:visible")).to_have_count(1)


@pytest.mark.long
def test_a_place_and_the_results_on_the_map_have_an_address(
    serve: Serve, visit: Visits, showcase: str
) -> None:
    person = visit(serve(showcase))
    page = person.page
    page.goto("about:blank")
    person.open("/map")
    person.screen("map")
    rows = page.locator(".bottom-sheet .row")
    rows.filter(has_text="Seoul City Hall").click()
    place = re.compile(r"/map#place-\d+$")
    expect(page).to_have_url(place)
    address = page.url
    page.go_back()
    expect(rows.nth(1)).to_be_visible()
    expect(page).to_have_url(f"{person.server.url}/map")
    page.go_forward()
    expect(rows).to_have_count(1)
    expect(page).to_have_url(address)
    page.reload()
    expect(rows).to_have_count(1)
    page.keyboard.press("Escape")
    expect(rows.nth(1)).to_be_visible()
    expect(page).to_have_url(f"{person.server.url}/map")
    # The address is that of the place for others, too.
    other = visit(person.server)
    other.page.goto(address.replace("#", f"?token={TOKEN}#"))
    expect(other.page.locator(".bottom-sheet .row")).to_have_count(1)
    expect(other.page.locator(".bottom-sheet .row")).to_contain_text("Seoul City Hall")
    expect(other.page).to_have_url(address)
    # The results of a search, and a place among them.
    person.show_museums()
    expect(page).to_have_url(f"{person.server.url}/map#results")
    expect(rows).to_have_count(11)
    rows.first.click()
    expect(page).to_have_url(re.compile(r"/map#results/place-\d+$"))
    page.go_back()
    expect(rows).to_have_count(11)
    page.go_back()
    expect(page).to_have_url(f"{person.server.url}/map")
    expect(person.input("resultsClosed")).to_have_count(0)
    # Forward shows them again, also both at once.
    page.go_forward()
    expect(rows).to_have_count(11)
    expect(page).to_have_url(f"{person.server.url}/map#results")
    page.go_back()
    expect(page).to_have_url(f"{person.server.url}/map")
    page.evaluate("() => history.go(2)")
    expect(rows).to_have_count(1)
    expect(page).to_have_url(re.compile(r"/map#results/place-\d+$"))
    page.evaluate("() => history.go(-2)")
    expect(page).to_have_url(f"{person.server.url}/map")
    expect(person.input("resultsClosed")).to_have_count(0)
    page.go_back()
    expect(page).to_have_url("about:blank")


@pytest.mark.long
@pytest.mark.parametrize("is_reloaded", [False, True])
def test_what_is_open_while_a_link_waits_is_not_in_the_history(
    visit: Visits, serve: Serve, showcase: str, is_reloaded: bool
) -> None:
    person = visit(serve(showcase))
    page = person.open("/profile")
    person.input("createAccountTapped").click()
    person.screen("createAccount")
    person.input("signUpTapped").click()
    person.screen("signUp")
    person.input("nameText").fill("Kim")
    person.settle()
    page.goto("about:blank")
    # The form asks before it is left.
    person.open("/library")
    person.screen("signUp")
    if is_reloaded:
        expect(page).not_to_have_url(f"{person.server.url}/library")
        page.reload()
        person.screen("signUp")
    page.get_by_role("button", name="Discard").click()
    person.screen("library")
    page.go_back()
    expect(page).to_have_url("about:blank")


@pytest.mark.long
def test_two_tabs_of_one_browser(visit: Visits, showcase: str, tmp_path: Path) -> None:
    """Each has a place of its own, and both have the same data."""
    server = Server("--linger", "0", "--data", str(tmp_path), showcase)
    person = visit(server)
    page = person.open("/profile")
    person.screen("profile")
    second = Visit(person.context, server)
    second.open("/library")
    second.screen("library")
    second.page.locator(".screen:not(.behind) .library-card").first.click()
    second.screen("titleDetail")
    second.settle()
    assert server.sessions() == 2
    person.screen("profile")
    # What is saved in one tab is there when the other one loads it.
    second.input("bookmarkTapped").click()
    second.settle()
    title = second.page.locator("h1:visible").inner_text()
    person.tab("library")
    person.screen("library")
    person.settle()
    shelf = page.locator("section", has=page.get_by_role("heading", name="Bookmarked"))
    expect(shelf.last).to_contain_text(title)
    person.tab("pokedex")
    person.screen("pokedex")
    # A reload, and another server, come back to their own places.
    for each, kind in ((second, "titleDetail"), (person, "pokedex")):
        each.page.reload()
        each.screen(kind)
    server.close()
    successor = Server("--data", str(tmp_path), showcase, port=server.port)
    try:
        for each, kind in ((second, "titleDetail"), (person, "pokedex")):
            expect(each.page.locator(".connection")).to_have_count(0)
            each.screen(kind)
        assert successor.sessions() == 2
        # A new tab goes on where the last one was closed, and only one does.
        second.page.close()
        third = Visit(person.context, successor)
        third.open()
        third.screen("titleDetail")
        assert successor.sessions() == 2
        # A tab that was reloaded keeps its place.
        third.page.reload()
        third.screen("titleDetail")
        fourth = Visit(person.context, successor)
        fourth.open()
        fourth.screen("map")
        assert successor.sessions() == 3
        person.screen("pokedex")
        assert page.url == f"{server.url}/pokedex"
    finally:
        successor.close()


@pytest.mark.long
def test_tabs_share_a_core_if_there_is_no_room(visit: Visits, showcase: str) -> None:
    server = Server("--visitors", "1", showcase)
    try:
        person = visit(server)
        person.open("/profile")
        second = Visit(person.context, server)
        second.open("/library")
        second.screen("library")
        person.screen("library")
        assert server.sessions() == 1
    finally:
        server.close()


@pytest.mark.long
def test_an_address_with_two_parameters(
    serve: Serve, visit: Visits, meanings: str
) -> None:
    person = visit(serve(meanings, "--deterministic"))
    page = person.open("/feed/4/article/a%20b")
    name = page.locator(".screen:not(.behind, .beside)")
    expect(name).to_contain_text("a b of feed 4")
    expect(page).to_have_url(f"{person.server.url}/feed/4/article/a%20b")
    person.input("next").click()
    expect(name).to_contain_text("a b/?é of feed 5")
    address = f"{person.server.url}/feed/5/article/a%20b%2F%3F%C3%A9"
    expect(page).to_have_url(address)
    page.reload()
    expect(name).to_contain_text("a b/?é of feed 5")
    expect(page).to_have_url(address)
    page.go_back()
    expect(name).to_contain_text("a b of feed 4")
    expect(page).to_have_url(f"{person.server.url}/feed/4/article/a%20b")
    page.go_forward()
    expect(name).to_contain_text("a b/?é of feed 5")
    expect(page).to_have_url(address)
    # A pasted address, in a core that does not show the screen.
    page.goto(f"{person.server.url}/feed/-1/article/%25")
    expect(name).to_contain_text("% of feed -1")
    expect(page).to_have_url(f"{person.server.url}/feed/-1/article/%25")
    page.goto(f"{person.server.url}/feed/4/article/a.b")
    expect(name).to_contain_text("a.b of feed 4")
    # A link with another scheme.
    page.goto(f"{person.server.url}/example.com/7/c")
    expect(name).to_contain_text("c of feed 7")
    page.goto(f"{person.server.url}/feed/x/article/a")
    expect(page.locator("h1:visible")).to_have_text("Page not found")
