"""Goes through the reference app in a browser as a person would."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from playwright.sync_api import expect

from .conftest import HOLD, LOOKS, Serve, Visits

TABS = ["map", "explore", "chats", "pokedex", "library", "profile"]


@pytest.mark.parametrize(
    "look",
    [
        "light",
        *(
            pytest.param(look, marks=pytest.mark.long)
            for look in LOOKS
            if look != "light"
        ),
    ],
)
def test_every_tab_has_no_violations(
    serve: Serve, visit: Visits, showcase: str, look: str
) -> None:
    # The virtual clock keeps the app from inviting the visitor to sign up meanwhile.
    person = visit(serve(showcase, "--deterministic"), **LOOKS[look])
    person.open()
    for tab in TABS:
        person.tab(tab)
        person.screen(tab)
        person.settle()
        person.check_access()
        person.picture(f"{look}-{tab}")


def test_push_and_back(serve: Serve, visit: Visits, showcase: str) -> None:
    person = visit(serve(showcase))
    page = person.open()
    person.tab("pokedex")
    page.click("text=Bulbasaur")
    person.screen("pokemonDetail")
    expect(page.locator("h1:visible")).to_have_text("Bulbasaur")
    expect(page.locator("h1:focus")).to_have_text("Bulbasaur")
    person.check_access()
    person.picture("push")
    page.click("[aria-label=Back]")
    person.screen("pokedex")
    # The focus is back where it was.
    expect(page.locator("button:focus")).to_contain_text("Bulbasaur")


@pytest.mark.long
def test_facts_in_korean(serve: Serve, visit: Visits, showcase: str) -> None:
    person = visit(serve(showcase, "--deterministic"), **LOOKS["korean"])
    page = person.open("/pokedex/25")
    person.screen("pokemonDetail")
    expect(page.locator(".facts dt")).to_have_text(["키", "몸무게"])


@pytest.mark.long
def test_values_are_in_the_words_of_the_person(
    serve: Serve, visit: Visits, showcase: str
) -> None:
    """The developer settings have no styled screen."""
    person = visit(serve(showcase, "--deterministic", "--developer"), **LOOKS["korean"])
    person.open("/explore")
    person.settle()
    person.input("devSettingsTapped").click()
    screen = person.screen("devSettings")
    choice = screen.get_by_role("group", name="계정 만들기 안내")
    expect(choice.locator(".segment")).to_have_text(["예", "아니요", "없음"])
    expect(screen.locator(".list .row small").first).to_contain_text("2026. 1. 1.")
    # An empty value takes no space.
    expect(screen.get_by_role("heading", name="직접 정한 값")).to_have_count(0)
    choice.page.get_by_label("맨 위").check()
    expect(screen.get_by_role("heading", name="직접 정한 값")).to_be_visible()


def test_endless_list(serve: Serve, visit: Visits, showcase: str) -> None:
    person = visit(serve(showcase, "--deterministic"))
    page = person.open()
    person.tab("pokedex")
    page.wait_for_selector(".tile")
    count = page.locator(".tile").count()
    page.locator(".tile").last.scroll_into_view_if_needed()
    page.wait_for_function(
        "count => document.querySelectorAll('.tile').length > count", arg=count
    )


def test_blanks_search_nothing(serve: Serve, visit: Visits, showcase: str) -> None:
    person = visit(serve(showcase))
    page = person.open("/pokedex")
    person.screen("pokedex")
    tiles = page.locator(".tile")
    person.input("searchText").fill("pika")
    expect(tiles).to_have_count(1)
    person.input("searchText").fill(" ")
    expect(tiles.nth(1)).to_be_visible()
    person.input("searchText").fill("  ")
    person.settle()
    expect(tiles.nth(1)).to_be_visible()


class PokeAPI(ThreadingHTTPServer):
    """A server with one Pokémon, which a test can take down."""

    is_up = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), PokeAPIHandler)
        self.url = f"http://127.0.0.1:{self.server_port}/api/v2"


class PokeAPIHandler(BaseHTTPRequestHandler):
    server: PokeAPI

    def do_GET(self) -> None:
        if "sprites" in self.path or not self.server.is_up:
            self.send_error(404 if self.server.is_up else 500)
            return
        pokemon = {"name": "bulbasaur", "url": f"{self.server.url}/pokemon/1/"}
        body = json.dumps({"count": 1, "results": [pokemon]}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        pass


@pytest.fixture
def pokeapi() -> Iterator[PokeAPI]:
    with PokeAPI() as server:
        Thread(target=server.serve_forever).start()
        yield server
        server.shutdown()


@pytest.mark.long
def test_old_content_shows_its_age(
    serve: Serve, visit: Visits, showcase: str, pokeapi: PokeAPI
) -> None:
    person = visit(serve(showcase, "--pokeapi", pokeapi.url), **LOOKS["phone"])
    page = person.open("/pokedex")
    person.screen("pokedex")
    tile = page.locator(".tile")
    expect(tile).to_contain_text("Bulbasaur")
    expect(page.locator(".age")).to_have_count(0)
    pokeapi.is_up = False
    page.evaluate("offstage.core.input(offstage.core.find('pokedex').id, 'refresh')")
    expect(page.locator(".age")).to_contain_text("Last updated")
    expect(tile).to_contain_text("Bulbasaur")
    retry = person.input("retry")
    expect(retry).to_be_visible()
    person.check_access()
    person.picture("old")
    pokeapi.is_up = True
    retry.click()
    expect(page.locator(".age")).to_have_count(0)
    expect(retry).to_have_count(0)


@pytest.mark.long
def test_form_with_an_error(serve: Serve, visit: Visits, showcase: str) -> None:
    person = visit(serve(showcase, "--root", "createAvatar"))
    page = person.open()
    name = page.get_by_role("textbox").first
    name.fill("a" * 200)
    person.input("save").click()
    error = page.locator(".error")
    expect(error).to_be_visible()
    expect(name).to_have_attribute("aria-invalid", "true")
    person.check_access()
    person.picture("error")
    name.fill("Rosa")
    expect(error).to_have_count(0)
    expect(name).to_have_value("Rosa")


def test_sign_up_in_a_sheet(
    serve: Serve, visit: Visits, showcase: str, tmp_path: Path
) -> None:
    person = visit(serve("--data", str(tmp_path), showcase))
    person.open()
    person.tab("profile")
    person.input("createAccountTapped").click()
    person.screen("createAccount")
    person.check_access()
    person.picture("invitation")
    person.input("signUpTapped").click()
    person.screen("signUp")
    expect(person.input("nameText")).to_be_focused()
    person.page.keyboard.press("Tab")
    expect(person.input("emailText")).to_be_focused()
    person.fill_in()


# The reply starts within ten seconds of the virtual clock.
ADVANCE = """async (selector) => {
  for (let step = 0; step < 100 && !document.querySelector(selector); step++) {
    await offstage.core.advance(100);
    await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  }
}"""


def test_chat_streams_and_is_stopped(
    serve: Serve, visit: Visits, showcase: str
) -> None:
    """The virtual clock keeps the reply from growing before the test looks."""
    person = visit(serve(showcase, "--deterministic"), **LOOKS["phone"])
    page = person.open("/avatars/mina")
    person.screen("chat")
    message = person.input("messageText")
    # The key takes effect even if the page has not drawn the core's answer to the text.
    page.evaluate(HOLD)
    message.fill("Tell me about soup, from the broth up.")
    page.evaluate("offstage.core.settle()")
    message.press("Enter")
    page.evaluate("release()")
    expect(page.locator(".message.mine")).to_contain_text("soup")
    expect(message).to_have_value("")
    bubble = page.locator(".message[aria-busy] .bubble")
    page.evaluate(ADVANCE, ".message[aria-busy] .bubble")
    expect(bubble).to_have_count(1)
    # The button that had the focus is gone, so the text field has the focus.
    expect(message).to_be_focused()
    before = bubble.inner_text()
    page.evaluate("offstage.core.advance(300)")
    expect(bubble).not_to_have_text(before)
    person.picture("chat")
    person.input("stop").click()
    expect(page.locator(".message[aria-busy]")).to_have_count(0)
    expect(message).to_be_focused()
    message.fill("And noodles?")
    person.input("send").click()
    expect(message).to_be_focused()
    page.evaluate(ADVANCE, ".message[aria-busy] .bubble")
    person.input("stop").press("Enter")
    expect(person.input("stop")).to_have_count(0)
    expect(message).to_be_focused()
    person.check_access()
    page.click("[aria-label=Back]")
    person.tab("chats")
    chats = page.locator(".screen:not(.behind) .row")
    expect(chats).to_have_count(1)
    person.input("deleteTapped").click()
    expect(page.locator(".notice")).to_contain_text("Mina's chat was deleted")
    person.check_access()
    person.picture("deleted")
    person.input("undoTapped").click()
    expect(chats).to_have_count(1)


GALLERY = ("--deterministic", "--root", "gallery")


@pytest.mark.long
@pytest.mark.parametrize("kind", ["sheet", "cover", "modal"])
def test_layers(serve: Serve, visit: Visits, showcase: str, kind: str) -> None:
    """The gallery is drawn from its description."""
    person = visit(serve(showcase, *GALLERY))
    page = person.open()
    send = "([name, value]) => offstage.core.input('1', name, value)"
    page.evaluate(send, [kind, "two"])
    layer = page.locator(f".layer.{kind}")
    expect(layer).to_be_visible()
    expect(page.locator(".root")).to_have_js_property("inert", True)
    page.wait_for_function("() => document.activeElement?.closest('[role=dialog]')")
    person.check_access()
    person.picture(kind)
    page.keyboard.press("Escape")
    expect(layer).to_have_count(0)


# Counts how often the screens of the gallery are drawn.
COUNT = """async () => {
  const { styled } = offstage;
  window.draws = {};
  styled.gallery = { draw: (view) => {
    draws[view.id] = (draws[view.id] ?? 0) + 1;
    return [];
  } };
}"""


@pytest.mark.long
def test_a_frame_draws_the_screens_that_it_changes(
    serve: Serve, visit: Visits, showcase: str
) -> None:
    person = visit(serve(showcase, *GALLERY))
    page = person.open()
    page.evaluate(COUNT)
    page.evaluate("offstage.core.input('1', 'sheet', 'two')")
    expect(page.locator(".layer.sheet")).to_be_visible()
    person.settle()
    before = page.evaluate("draws['1']")
    page.evaluate("offstage.core.input('2', 'push', 'three')")
    expect(page.locator(".screen[data-screen='3']")).to_be_visible()
    person.settle()
    assert page.evaluate("[draws['1'], draws['3']]") == [before, 1]


@pytest.mark.long
def test_alert(serve: Serve, visit: Visits, showcase: str) -> None:
    person = visit(serve(showcase, *GALLERY))
    page = person.open()
    page.evaluate("offstage.core.input('1', 'alert', 'Really?')")
    alert = page.get_by_role("alertdialog")
    expect(alert).to_contain_text("Really?")
    person.check_access()
    person.picture("alert")
    alert.get_by_role("button").last.click()
    expect(alert).to_have_count(0)
    page.wait_for_function(
        "() => offstage.core.document.get('/screens/1/output/answer')?.button"
    )


@pytest.mark.long
def test_bookmark_on_a_shelf(serve: Serve, visit: Visits, showcase: str) -> None:
    person = visit(serve(showcase, "--deterministic"))
    page = person.open()
    person.tab("library")
    shelf = (
        page.locator(".shelf").filter(has_text="Bookmarked").locator(".library-card")
    )
    expect(shelf).not_to_have_count(0)
    before = shelf.count()
    page.get_by_label("In the Mood for Love").first.click()
    expect(shelf).to_have_count(before + 1)
    page.locator(".poster [data-input=cardTapped]").first.click()
    person.screen("titleDetail")
    person.check_access()


def test_the_video_follows_the_core(serve: Serve, visit: Visits, showcase: str) -> None:
    person = visit(serve(showcase))
    page = person.open("/library/jaws")
    person.screen("titleDetail")
    expect(page.locator("video")).to_have_attribute("aria-label", "Jaws")
    page.click("text=Play")
    page.wait_for_function(
        "() => !document.querySelector('video').paused && document.querySelector('video').currentTime > 0.2"
    )
    person.check_access()
    person.picture("title")
    page.click("text=Pause")
    page.wait_for_function("() => document.querySelector('video').paused")
    # Seeking reads the video from there.
    page.locator("[data-input=seek]").evaluate(
        "(slider) => { slider.value = '0.75'; slider.dispatchEvent(new Event('change')); }"
    )
    page.wait_for_function(
        "() => Math.abs(document.querySelector('video').currentTime - 9) < 0.1"
    )


@pytest.mark.long
def test_the_app_chooses_its_language_and_its_appearance(
    serve: Serve, visit: Visits, showcase: str
) -> None:
    person = visit(serve(showcase), color_scheme="light")
    page = person.open("/profile")
    html = page.locator("html")
    person.input("settingsTapped").click()
    person.screen("settings")
    page.get_by_role("radio", name="한국어").check(force=True)
    expect(page.get_by_role("heading", name="설정")).to_be_visible()
    expect(html).to_have_attribute("lang", "ko")
    page.get_by_role("radio", name="다크").check(force=True)
    expect(html).to_have_attribute("data-appearance", "dark")
    person.check_access()
    page.keyboard.press("Escape")
    person.screen("profile")
    person.tab("map")
    tile = page.locator(".leaflet-tile-pane canvas").first
    expect(tile).to_have_css("filter", re.compile("invert"))
    page.reload()
    expect(html).to_have_attribute("data-appearance", "dark")
    expect(html).to_have_attribute("lang", "ko")
