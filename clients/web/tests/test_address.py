"""The address bar, the back and forward buttons, and reloading."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from .conftest import FORM, TOKEN, Serve, Visits


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
    page.goto(f"{person.server.url}/feed/x/article/a")
    expect(page.locator("h1:visible")).to_have_text("Page not found")
