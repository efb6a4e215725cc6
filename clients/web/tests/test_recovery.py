"""Lost connections, and cores that die."""

from __future__ import annotations

import json
import os
import random
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from .conftest import FORM, PATIENCE, SETTLE, Serve, Server, Visit, Visits, until

pytestmark = pytest.mark.long


def test_a_lost_connection_resumes(serve: Serve, visit: Visits, showcase: str) -> None:
    person = visit(serve(showcase, *FORM))
    page = person.open()
    person.input("nameText").fill("Kim")
    person.settle()
    person.context.set_offline(True)
    page.evaluate("offstage.core.session.connection.transport.socket.close(3001)")
    expect(page.locator(".connection")).to_be_visible()
    person.input("emailText").fill("kim@example.com")
    person.context.set_offline(False)
    expect(page.locator(".connection")).to_have_count(0)
    expect(person.input("nameText")).to_have_value("Kim")
    expect(person.input("emailText")).to_have_value("kim@example.com")
    expect(person.input("confirm")).to_be_enabled()


def test_an_idle_page_goes_on_as_if_nothing_had_happened(
    visit: Visits, showcase: str
) -> None:
    server = Server(showcase, *FORM, "--idle", "1")
    person = visit(server)
    page = person.open()
    person.input("nameText").fill("Kim")
    email = person.input("emailText")
    email.press_sequentially("kim@exam")
    person.settle()
    # Whatever is drawn again has no such mark.
    page.evaluate(
        "document.querySelectorAll('*').forEach((each) => { each.isMarked = true; })"
    )
    for key in "ple":
        until(lambda: server.sessions() == 0)
        page.keyboard.press(key)
        person.settle()
    expect(email).to_be_focused()
    expect(email).to_have_value("kim@example")
    expect(person.input("nameText")).to_have_value("Kim")
    assert page.evaluate(
        "[...document.querySelectorAll('main *')].every((each) => each.isMarked)"
    )
    server.close()


@contextmanager
def dead_network(person: Visit) -> Iterator[None]:
    """Lets a server answer nothing, as a network does that has gone."""
    server = person.server.process.pid
    os.kill(server, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(server, signal.SIGCONT)
        person.context.set_offline(False)


def test_a_dead_network_is_noticed(visit: Visits, showcase: str) -> None:
    server = Server(showcase, *FORM)
    person = visit(server, viewport={"width": 390, "height": 844})
    page = person.open()
    connection = page.locator(".connection")
    person.input("nameText").fill("Kim")
    person.input("emailText").fill("kim@example")
    person.settle()
    with dead_network(person):
        # The browser only says that it is offline: a server on this machine would still answer.
        person.context.set_offline(True)
        expect(connection).to_contain_text("Connection lost. Reconnecting…")
        person.input("emailText").press_sequentially(".com")
        expect(connection).to_contain_text("What you have done is kept")
        expect(page.locator("p.unsent")).to_have_text("Not sent yet")
        person.input("confirm").click()
        person.input("confirm").click()
        expect(person.input("confirm")).to_contain_text("Not sent yet")
        person.check_access()
        person.picture("unsent")
    expect(connection).to_have_count(0)
    expect(page.locator(".unsent")).to_have_count(0)
    # Both presses are one.
    account = "offstage.core.document.at('app').output.account"
    page.wait_for_function(f"() => {account} !== null")
    person.settle()
    assert page.evaluate(f"[{account}.id, {account}.email]") == [1, "kim@example.com"]
    server.close()


# Lets the clock of a test end what waits for an answer.
TIMEOUTS = """AbortSignal.timeout = (time) => {
  const controller = new AbortController();
  setTimeout(() => controller.abort(), time);
  return controller.signal;
}"""


def test_what_the_server_does_not_answer_says_so_soon(
    visit: Visits, showcase: str
) -> None:
    server = Server(showcase, *FORM)
    person = visit(server)
    page = person.page
    page.add_init_script(TIMEOUTS)
    person.install_clock()
    person.open()
    person.settle()
    page.clock.pause_at(page.evaluate("Date.now() + 1000"))
    unsent, connection = page.locator("p.unsent"), page.locator(".connection")
    with dead_network(person):
        person.input("nameText").fill("Kim")
        page.clock.run_for(3_100)
        expect(unsent).to_have_text("Not sent yet")
        expect(connection).to_have_count(0)
        page.clock.run_for(3_000)
        expect(connection).to_contain_text("What you have done is kept")
    page.clock.resume()
    expect(connection).to_have_count(0)
    expect(unsent).to_have_count(0)
    expect(person.input("nameText")).to_have_value("Kim")
    server.close()


def test_a_core_at_work_is_not_away(visit: Visits, showcase: str) -> None:
    server = Server(showcase, *FORM)
    person = visit(server)
    page = person.page
    person.install_clock()
    person.open()
    person.settle()
    core = server.host
    os.kill(core, signal.SIGSTOP)
    try:
        person.input("nameText").fill("Kim")
        for _ in range(5):
            with page.expect_response("**/config.json"):
                page.clock.run_for(2_100)
        expect(page.locator(".busy")).to_have_count(1)
        assert page.locator(".unsent, .connection").count() == 0
    finally:
        os.kill(core, signal.SIGCONT)
    expect(page.locator(".busy")).to_have_count(0)
    expect(person.input("nameText")).to_have_value("Kim")
    server.close()


def test_a_message_without_a_network_is_sent_once(visit: Visits, showcase: str) -> None:
    server = Server(showcase)
    person = visit(server)
    # No event tells of a dead network: the page asks after some silence.
    person.install_clock()
    page = person.open("/avatars/mina")
    person.input("messageText").fill("Hello")
    person.settle()
    with dead_network(person):
        person.input("send").click()
        page.clock.run_for(30_000)
        expect(page.locator(".connection")).to_contain_text(
            "What you have done is kept"
        )
        expect(person.input("messageText")).to_have_value("Hello")
        page.clock.resume()
    expect(page.locator(".message.mine")).to_have_text("You: Hello")
    expect(person.input("messageText")).to_have_value("")
    server.close()


def test_a_page_without_a_connection(visit: Visits, showcase: str) -> None:
    server = Server(showcase, *FORM)
    person = visit(server)
    page = person.open()
    page.evaluate("navigator.serviceWorker.ready.then(() => undefined)")
    # The worker takes over at the next load.
    page.reload()
    person.screen("signUp")
    server.close()
    page.goto(f"{server.url}/")
    expect(page.get_by_role("heading")).to_have_text("showcase")
    expect(page.locator("p")).to_have_text("There is no connection to the app.")
    person.check_access()
    person.picture("offline")
    successor = Server(showcase, *FORM, port=server.port)
    try:
        page.get_by_role("link", name="Try again").click()
        person.screen("signUp")
    finally:
        successor.close()


def test_the_page_can_be_installed(serve: Serve, visit: Visits, showcase: str) -> None:
    person = visit(serve(showcase, *FORM))
    page = person.open()
    session = person.context.new_cdp_session(page)
    found = session.send("Page.getAppManifest")
    assert (found["errors"], json.loads(found["data"])["name"]) == ([], "showcase")
    errors = session.send("Page.getInstallabilityErrors")["installabilityErrors"]
    assert [each["errorId"] for each in errors] == ["in-incognito"]


STOP = signal.SIGKILL
"""Ends a core that keeps its state."""

# The text of each field, and the one with the focus and its caret.
FORM_STATE = """() => JSON.stringify([
  [...document.querySelectorAll(".screen:not(.behind) input")].map((each) => each.value),
  document.activeElement.id, document.activeElement.selectionStart,
])"""


def replaced(page: Page) -> None:
    """Waits until the page goes on with another core, of which it has drawn the document."""
    page.wait_for_function(
        "() => offstage.core.status === 'connected' && window.before !== offstage.core.handshake"
    )
    page.evaluate(SETTLE, PATIENCE)


def note(page: Page) -> None:
    page.evaluate("window.before = offstage.core.handshake")


def open_sign_up(person: Visit) -> Page:
    page = person.open("/profile")
    person.screen("profile")
    person.input("createAccountTapped").click()
    person.screen("createAccount")
    person.input("signUpTapped").click()
    person.screen("signUp")
    return page


def test_a_core_that_ends_is_not_missed(
    serve: Serve, visit: Visits, showcase: str, tmp_path: Path
) -> None:
    """The same form with the same text, focus, and caret, without a key pressed."""
    server = serve("--data", str(tmp_path), showcase)
    person = visit(server)
    page = open_sign_up(person)
    person.input("nameText").fill("Kim Minji")
    person.input("emailText").fill("kim@example.com")
    for _ in range(3):
        page.keyboard.press("ArrowLeft")
    person.settle()
    before = page.evaluate(FORM_STATE)
    assert "kim@example.com" in before
    note(page)
    core = server.host
    person.picture("before-a-restart")
    os.kill(core, STOP)
    replaced(page)
    assert server.host != core
    assert page.evaluate(FORM_STATE) == before
    expect(page.locator(".toast")).to_have_count(0)
    person.picture("after-a-restart")
    # So is a reload.
    page.reload()
    person.screen("signUp")
    expect(person.input("emailText")).to_have_value("kim@example.com")
    person.input("confirm").click()
    expect(page.locator(".hero")).to_contain_text("kim@example.com")
    (folder,) = (tmp_path / "visitors").iterdir()
    assert folder.stat().st_mode & 0o777 == 0o700


RESTARTS = int(os.environ.get("RESTARTS", "5"))
"""The restarts during one sign-up. A longer run by hand: RESTARTS=50."""


def test_restarts_at_random_moments_lose_no_letter(
    visit: Visits, showcase: str, tmp_path: Path
) -> None:
    server = Server("--data", str(tmp_path), showcase)
    try:
        person = visit(server)
        page = open_sign_up(person)
        moments, text = random.Random(7), ""
        person.input("nameText").focus()
        for number in range(RESTARTS):
            note(page)
            core = server.host
            # Two kills in a row would set the state aside.
            stop = signal.SIGTERM if number % 2 else STOP
            for letter in f"{number} ":
                if moments.random() < 0.5:
                    page.wait_for_timeout(moments.randrange(60))
                page.keyboard.type(letter)
                text += letter
                if core and moments.random() < 0.7:
                    os.kill(core, stop)
                    core = 0
            if core:
                os.kill(core, stop)
            # Typed while the core is away.
            page.keyboard.type("x")
            text += "x"
            replaced(page)
            assert person.input("nameText").input_value() == text
            if number % 4 == 3:
                page.wait_for_timeout(10_000)  # More in a row would be a crash loop.
        kept = "offstage.core.document.screens[offstage.core.find('signUp').id].fields"
        assert page.evaluate(f"{kept}.nameText.value") == text
    finally:
        server.close()


def test_a_killed_core_loses_nothing_that_was_kept(
    serve: Serve, visit: Visits, showcase: str, tmp_path: Path
) -> None:
    server = serve("--data", str(tmp_path), showcase)
    person = visit(server)
    page = open_sign_up(person)
    person.fill_in()
    person.input("createAvatarTapped").click()
    person.screen("createAvatar")
    person.input("nameText").fill("Rosa")
    person.input("save").click()
    person.screen("profile")
    expect(page.locator(".screen:not(.behind) .row")).to_contain_text("Rosa")
    before = page.evaluate(PROFILE)
    note(page)
    core = server.host
    os.kill(core, signal.SIGKILL)
    replaced(page)
    person.screen("profile")
    expect(page.locator(".hero")).to_contain_text("kim@example.com")
    expect(page.locator(".screen:not(.behind) .row")).to_contain_text("Rosa")
    assert page.evaluate(PROFILE) == before
    assert server.sessions() == 1
    # The new core takes input, and the browser's history still works.
    person.tab("library")
    person.screen("library")
    page.go_back()
    person.screen("profile")


def test_a_crash_loop_ends(visit: Visits, showcase: str) -> None:
    server = Server(showcase, *FORM)
    try:
        person = visit(server)
        page = person.open()
        for _ in range(5):
            note(page)
            os.kill(server.host, signal.SIGKILL)
            replaced(page)
        os.kill(server.host, signal.SIGKILL)
        stopped = page.get_by_role("alertdialog")
        expect(stopped).to_contain_text("The app has stopped")
        expect(stopped).to_contain_text("Everything that was saved is still there.")
        stopped.get_by_role("button").click()
        expect(stopped).to_have_count(0)
        person.screen("signUp")
    finally:
        server.close()


def test_a_question_waits_until_its_screen_is_visible(
    serve: Serve, visit: Visits, showcase: str
) -> None:
    server = serve(showcase, "--chat-api", "http://127.0.0.1:9/v1")
    person = visit(server)
    # No event tells of a dead network: the page asks after some silence.
    person.install_clock()
    page = person.open("/avatars/mina")
    person.input("messageText").fill("Hello")
    person.input("send").click()
    dialog = page.get_by_role("alertdialog")
    expect(dialog).to_contain_text("The server isn't accepting connections")
    page.evaluate("offstage.core.selectTab('pokedex')")
    expect(dialog).to_have_count(0)
    page.evaluate("offstage.core.selectTab('explore')")
    expect(dialog).to_contain_text("The server isn't accepting connections")


def test_a_core_that_has_ended_is_replaced_at_the_same_address(
    serve: Serve, visit: Visits, showcase: str
) -> None:
    person = visit(serve("--linger", "0", showcase))
    page = person.open("/pokedex/25")
    person.screen("pokemonDetail")
    note(page)
    session = page.evaluate("before.session")
    page.evaluate("offstage.core.session.connection.transport.socket.close(3001)")
    replaced(page)
    assert page.evaluate("offstage.core.handshake.session") == session
    person.screen("pokemonDetail")
    expect(page.locator("h1:visible")).to_have_text("Pikachu")


# Records the pauses between attempts to reconnect, and shortens them.
PAUSES = """() => {
  const wait = window.setTimeout;
  window.pauses = [];
  window.setTimeout = (act, pause, ...rest) => {
    // Not those of the heartbeat.
    if (offstage.core.status !== "reconnecting" || pause >= 5000) return wait(act, pause, ...rest);
    pauses.push(pause);
    return wait(act, Math.min(pause, 20), ...rest);
  };
}"""


def test_half_typed_text_survives_a_restart_of_the_server(
    visit: Visits, showcase: str, tmp_path: Path
) -> None:
    server = Server("--data", str(tmp_path), showcase)
    person = visit(server)
    page = person.open("/avatars/mina")
    person.screen("chat")
    page.evaluate(PAUSES)
    person.input("messageText").fill("Half a")
    person.settle()
    server.close()
    expect(page.locator(".connection")).to_contain_text("Reconnecting")
    person.input("messageText").press_sequentially(" sentence")
    page.wait_for_function("() => pauses.length > 8")
    assert page.evaluate("Math.max(...pauses)") <= 2000
    successor = Server("--data", str(tmp_path), showcase, port=server.port)
    try:
        expect(page.locator(".connection")).to_have_count(0)
        expect(person.input("messageText")).to_have_value("Half a sentence")
        # The core has it, too.
        page.wait_for_function(
            "() => offstage.core.document.screens[offstage.core.find('chat')?.id]"
            "?.fields.messageText?.value === 'Half a sentence'"
        )
    finally:
        successor.close()
    # A server without the visitor's folder has nothing to go on with, and says so.
    third = Server(showcase, port=server.port)
    try:
        expect(page.locator("body")).to_contain_text("The app has started again.")
        person.screen("chat")
    finally:
        third.close()


def test_a_server_with_a_new_token_says_what_to_do(
    visit: Visits, showcase: str
) -> None:
    server = Server(showcase, *FORM)
    person = visit(server)
    page = person.open()
    server.close()
    expect(page.locator(".connection")).to_contain_text("Reconnecting")
    successor = Server(showcase, *FORM, port=server.port, token="another-token")
    try:
        refusal = page.get_by_role("alertdialog")
        expect(refusal).to_contain_text("The server has restarted with a new address.")
        expect(page.locator(".connection")).to_have_count(0)
        reload = refusal.get_by_role("button", name="Reload")
        expect(reload).to_be_focused()
        person.check_access()
        # The person opens the new address, then goes on in this page.
        page.request.get(f"{server.url}/?token=another-token")
        reload.click()
        person.screen("signUp")
    finally:
        successor.close()


PROFILE = """() => {
  const profile = offstage.core.find("profile").output;
  return JSON.stringify([profile.account, profile.avatars]);
}"""
