"""The end of the core, its restart, and the age of its data."""

from __future__ import annotations

import asyncio
import os
import signal
from pathlib import Path

import pytest
from offstage import ProcessTransport
from textual.widgets import Input

from offstage_terminal.model.words import Words
from offstage_terminal.pages.anypage import AnyPage
from offstage_terminal.widgets import stale

from .conftest import Person, using


def kill(person: Person) -> None:
    connection = person.app.core._connection  # pyright: ignore
    assert connection and isinstance(connection.transport, ProcessTransport)
    os.kill(connection.transport.process.pid, signal.SIGKILL)


async def test_a_killed_core_restarts_with_what_was_kept(showcase: str, tmp_path: Path) -> None:
    async with using(showcase, "--data", str(tmp_path), "--installation", "0") as person:
        await person.press("enter", "6")
        await person.sign_up("Kim", "kim@example.com")
        assert person.page.output["account"]["email"] == "kim@example.com"
        kill(person)
        await person.sees("The app has stopped")
        assert "SIGKILL" not in person.text
        assert "SIGKILL" in str(person.app.stopped)
        await person.restart()
        assert person.page.about.kind == "profile"
        assert "kim@example.com" in person.text


async def test_a_screen_of_another_app_is_drawn_from_its_description(
    showcase: str, tmp_path: Path
) -> None:
    """Its kind may equal that of a screen with a styled page."""
    core = tmp_path / "core"
    core.write_text(
        f"""#!/bin/sh
        '{showcase}' "$@" | sed -u 's/"app":{{"name":"showcase"/"app":{{"name":"shelf"/'
        """
    )
    core.chmod(0o700)
    for path, is_styled in ((showcase, True), (str(core), False)):
        async with using(path, "--deterministic", "--root", "library") as person:
            assert person.page.about.kind == "library"
            assert isinstance(person.page, AnyPage) != is_styled


async def test_a_restart_reopens_the_screen_with_what_was_typed(
    showcase: str, tmp_path: Path
) -> None:
    async with using(showcase, "--data", str(tmp_path), "--installation", "0") as person:
        await person.press("enter", "4")
        await person.type("pika", field=0)
        await person.press("f2", "enter")
        assert person.page.about.kind == "chat"
        name = person.page.heading()
        for text in ("Half a", " sentence"):
            await person.type(text)
            kill(person)
            await person.restart()
            assert (person.page.about.kind, person.page.heading()) == ("chat", name)
        assert person.app.screen.query_one(Input).value == "Half a sentence"
        assert person.page.owner.field("messageText").value == "Half a sentence"
        await person.press("f4")
        assert person.app.screen.query_one(Input).value == "pika"


async def test_a_restart_says_what_it_has_closed(showcase: str, tmp_path: Path) -> None:
    async with using(showcase, "--data", str(tmp_path), "--installation", "0") as person:
        await person.press("enter", "6")
        await person.push("createAccountTapped")
        await person.push("signUpTapped")
        await person.type("Kim")
        kill(person)
        await person.restart()
        assert person.page.about.kind == "profile"
        (note,) = person.app._notifications  # pyright: ignore
        assert note.message == (
            "Closed by the restart: Create account, Sign up. This text could not be restored: Name."
        )


async def test_a_core_that_cannot_start_is_reported() -> None:
    async with using("/no/such/core") as person:
        await person.sees("cannot start /no/such/core")
        person.app.simulate_key("r")
        await person.flush()
        await person.sees("cannot start /no/such/core")
        assert len(person.app.screen_stack) == 2


async def test_a_build_that_fails_is_reported(showcase: str, tmp_path: Path) -> None:
    log = '{"jsonrpc":"2.0","method":"log","params":{"level":"error","message":"the build failed"}}'
    core = tmp_path / "core"
    core.write_text(
        f"#!/bin/sh\n{showcase} --deterministic --root signUp | sed -u 's/.*revision\":2.*/&\\n{log}/'\n"
    )
    core.chmod(0o755)
    async with using(str(core), "--watch") as person:
        await person.type("K", 0)
        notes = person.app._notifications  # pyright: ignore
        while "the build failed" not in [note.message for note in notes]:
            await person.flush()


async def test_data_from_a_server_that_is_gone_shows_its_age(
    showcase: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        body = b'{"count":1,"results":[{"name":"mew","url":"http://s/api/v2/pokemon/151/"}]}'
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(body) + body)
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1")
    host, port = server.sockets[0].getsockname()
    command = (showcase, "--data", str(tmp_path), "--root", "pokedex")
    command += ("--pokeapi", f"http://{host}:{port}/api/v2")
    async with using(*command) as person:
        await person.sees("Mew")
        assert "Saved" not in person.text
    server.close()
    async with using(*command) as person:
        await person.sees("Saved just now")
        await person.push("retry")
        now = stale.time()
        monkeypatch.setattr(stale, "time", lambda: now + 2 * 3600)
        person.page.show()
        await person.sees("Saved 2 hours ago")


@pytest.mark.parametrize(
    ("seconds", "english", "korean"),
    [
        (-5, "Saved just now", "방금 저장됨"),
        (119, "Saved 1 minute ago", "1분 전에 저장됨"),
        (7200, "Saved 2 hours ago", "2시간 전에 저장됨"),
        (86_400, "Saved 1 day ago", "1일 전에 저장됨"),
        (None, "Saved earlier", "저장된 내용"),
    ],
)
def test_ages(seconds: float | None, english: str, korean: str) -> None:
    assert stale.age(seconds, Words("en")) == english
    assert stale.age(seconds, Words("ko")) == korean
