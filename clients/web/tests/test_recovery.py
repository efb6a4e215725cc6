"""Lost connections, and cores that die."""

from __future__ import annotations

import os
import signal
from pathlib import Path

from playwright.sync_api import expect

from .conftest import FORM, Serve, Server, Visits, until


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


def test_a_killed_core_loses_nothing_that_was_kept(
    serve: Serve, visit: Visits, showcase: str, tmp_path: Path
) -> None:
    server = serve("--data", str(tmp_path), showcase)
    person = visit(server)
    page = person.open("/profile")
    person.screen("profile")
    person.input("createAccountTapped").click()
    person.screen("createAccount")
    person.sign_up()
    person.input("createAvatarTapped").click()
    person.screen("createAvatar")
    person.input("nameText").fill("Rosa")
    person.input("save").click()
    person.screen("profile")
    expect(page.locator(".screen:not(.behind) .row")).to_contain_text("Rosa")
    before = page.evaluate(PROFILE)

    (core,) = server.cores()
    os.kill(core, signal.SIGKILL)
    stopped = page.get_by_role("alertdialog")
    expect(stopped).to_contain_text("The app has stopped")
    expect(stopped).to_contain_text("Everything that was saved is still there.")
    stopped.get_by_role("button").click()
    expect(stopped).to_have_count(0)
    # The page opens where it was.
    person.screen("profile")
    expect(page.locator(".hero")).to_contain_text("kim@example.com")
    expect(page.locator(".screen:not(.behind) .row")).to_contain_text("Rosa")
    assert page.evaluate(PROFILE) == before
    until(lambda: core not in server.cores())
    assert len(server.cores()) == 1
    # The new core takes input, and the browser's history still works.
    person.tab("library")
    person.screen("library")
    page.go_back()
    person.screen("profile")


def test_a_question_waits_until_its_screen_is_visible(
    serve: Serve, visit: Visits, showcase: str
) -> None:
    server = serve(showcase, "--chat-api", "http://127.0.0.1:9/v1")
    person = visit(server)
    page = person.open("/avatars/mina")
    person.input("messageText").fill("Hello")
    person.input("send").click()
    dialog = page.get_by_role("alertdialog")
    expect(dialog).to_contain_text("The server isn't accepting connections")
    page.evaluate("offstage.core.selectTab('pokedex')")
    expect(dialog).to_have_count(0)
    page.evaluate("offstage.core.selectTab('explore')")
    expect(dialog).to_contain_text("The server isn't accepting connections")
    # The end of the core covers the question.
    (core,) = server.cores()
    os.kill(core, signal.SIGKILL)
    expect(dialog).to_have_count(1)
    expect(dialog).to_contain_text("The app has stopped")


def test_a_core_that_has_ended_is_replaced_at_the_same_address(
    serve: Serve, visit: Visits, showcase: str
) -> None:
    person = visit(serve("--linger", "0", showcase))
    page = person.open("/pokedex/25")
    person.screen("pokemonDetail")
    session = page.evaluate("offstage.core.handshake.session")
    page.evaluate("offstage.core.session.connection.transport.socket.close(3001)")
    page.wait_for_function(
        "before => offstage.core.status === 'connected'"
        " && offstage.core.handshake?.session !== before",
        arg=session,
    )
    person.screen("pokemonDetail")
    expect(page.locator("h1:visible")).to_have_text("Pikachu")


# Records the pauses between attempts to reconnect, and shortens them.
PAUSES = """() => {
  const wait = window.setTimeout;
  window.pauses = [];
  window.setTimeout = (act, pause, ...rest) => {
    if (offstage.core.status !== "reconnecting") return wait(act, pause, ...rest);
    pauses.push(pause);
    return wait(act, Math.min(pause, 20), ...rest);
  };
}"""


def test_half_typed_text_survives_a_restart_of_the_server(
    visit: Visits, showcase: str
) -> None:
    server = Server(showcase)
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
    successor = Server(showcase, port=server.port)
    try:
        expect(page.locator(".connection")).to_have_count(0)
        expect(person.input("messageText")).to_have_value("Half a sentence")
        # The core has it, too.
        page.wait_for_function(
            "() => offstage.core.document.screens[offstage.core.find('chat')?.id]"
            "?.fields.messageText?.value === 'Half a sentence'"
        )
        person.input("messageText").fill("")
        # A form in a sheet does not reopen.
        person.tab("profile")
        person.screen("profile")
        person.input("createAvatarTapped").click()
        person.screen("createAvatar")
        person.input("nameText").fill("Rosa")
        person.settle()
    finally:
        successor.close()
    third = Server(showcase, port=server.port)
    try:
        toast = page.locator(".toast")
        expect(toast).to_contain_text(
            "Closed: New avatar. This text could not be restored: Name."
        )
        person.screen("profile")
        person.check_access()
        person.picture("gone")
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
