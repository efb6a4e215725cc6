"""The end of the core, its restart, and the age of its data."""

from __future__ import annotations

import asyncio
import signal
import sys
from pathlib import Path

import pytest
from offstage import Core, CoreStopped, Transport
from textual.widgets import Input

from offstage_terminal.model import place
from offstage_terminal.model.place import with_place
from offstage_terminal.model.words import Words
from offstage_terminal.pages.anypage import AnyPage
from offstage_terminal.widgets import stale
from offstage_terminal.widgets.chips import Pills
from offstage_terminal.widgets.parts import Trigger

from .conftest import using

pytestmark = pytest.mark.long

STOP = signal.SIGKILL
"""Ends a core that keeps its state."""
CART = str(Path(__file__).parents[2] / "python/tests/cart.py")
NOTES = str(Path(__file__).parents[2] / "python/tests/notes.py")


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


async def test_a_core_that_ends_is_not_missed(showcase: str, tmp_path: Path) -> None:
    """The same form with the same text, focus, and caret, without a key pressed."""
    place = ("--data", str(tmp_path), "--state", str(tmp_path / "place"))
    async with using(showcase, *place, "--installation", "0") as person:
        await person.press("enter", "6")
        await person.push("createAccountTapped")
        await person.push("signUpTapped")
        await person.type("Kim Minji")
        await person.press("tab")
        await person.type("kim@example.com")
        await person.press("left", "left", "left")
        for letter in "xy":
            # The last line tells of the location, for which only the first start asks.
            before, focused = person.text.splitlines()[:-1], person.app.focused
            person.end_core(STOP)
            await person.is_back()
            assert person.text.splitlines()[:-1] == before
            assert person.app.focused is focused and person.toasts == ""
            # What is typed while the core is away is not lost. A second kill in a row would set the
            # state aside.
            person.end_core(signal.SIGTERM)
            person.app.simulate_key(letter)
            await person.is_back()
        focused = person.app.focused
        assert isinstance(focused, Input)
        assert focused.cursor_position == len(focused.value) - 3
        assert focused.value == person.page.owner.field("emailText").value
        assert focused.value == "kim@example.xycom"
        await person.press("enter")
        assert "Kim Minji" in person.text


def hold_back(core: Core) -> asyncio.Event:
    """Lets the core come back only after the event."""
    returns = asyncio.Event()
    connect = core._connect  # pyright: ignore

    async def connect_later() -> Transport:
        await returns.wait()
        return await connect()

    core._connect = connect_later  # pyright: ignore
    return returns


async def test_text_that_waits_for_the_core_is_not_sent_yet(showcase: str, tmp_path: Path) -> None:
    place = ("--data", str(tmp_path), "--state", str(tmp_path / "place"))
    async with using(showcase, *place, "--root", "signUp") as person:
        core, returns = person.app.core, hold_back(person.app.core)
        await person.type("K", 0)
        assert "Not sent yet" not in person.text
        person.end_core(signal.SIGTERM)
        while not core.is_away:
            await person.flush()
        person.app.simulate_key("i")
        await person.sees("Not sent yet")
        returns.set()
        await person.is_back()
        assert "Not sent yet" not in person.text
        assert core.document.get("/screens/1/fields/nameText/value") == "Ki"


async def test_a_choice_and_a_press_that_wait_for_the_core_say_so(
    showcase: str, tmp_path: Path
) -> None:
    place = ("--data", str(tmp_path), "--state", str(tmp_path / "place"))
    async with using(showcase, *place, "--installation", "0", "--root", "createAvatar") as person:
        core, returns = person.app.core, hold_back(person.app.core)
        await person.type("Nova", 0)
        person.end_core(signal.SIGTERM)
        while not core.is_away:
            await person.flush()
        category, save = person.page.query_one(Pills), person.page.query_one(Trigger)
        value = next(value for value, _ in category.options if value != category.chosen)
        category.pick(value)
        save.press()
        await person.sees(f"{category.label.partition(' · ')[0]} · Not sent yet")
        await person.sees("Save · Not sent yet")
        assert category.chosen == value
        save.press()
        await person.flush()
        returns.set()
        await person.is_back()
        assert "Not sent yet" not in person.text


async def test_a_quit_app_comes_back_where_it_was(showcase: str, tmp_path: Path) -> None:
    command = (showcase, "--data", str(tmp_path), "--state", str(tmp_path / "place"))
    async with using(*command, "--installation", "0") as person:
        await person.press("enter", "4")
        await person.type("pika", field=0)
    async with using(*command) as person:
        assert person.page.about.kind == "pokedex"
        assert person.app.screen.query_one(Input).value == "pika"


async def test_a_core_that_keeps_no_place_starts_again(showcase: str, tmp_path: Path) -> None:
    async with using(showcase, "--data", str(tmp_path), "--installation", "0") as person:
        await person.press("enter", "6")
        person.end_core(signal.SIGKILL)
        await person.is_back()
        assert person.toasts == "The app has started again."
        assert person.page.about.kind == "map"


async def test_a_crash_loop_ends(showcase: str) -> None:
    async with using(showcase, "--deterministic", "--root", "signUp") as person:
        for _ in range(5):
            person.end_core(signal.SIGKILL)
            await person.is_back()
        person.end_core(signal.SIGKILL)
        await person.sees("The app has stopped")
        assert "SIGKILL" not in person.text
        assert "SIGKILL" in str(person.app.stopped)
        person.app.simulate_key("r")
        await person.is_back()
        assert person.page.about.kind == "signUp"


def test_each_command_has_a_place_of_its_own(
    showcase: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.setattr(place, "MOST", 2)
    first, second = with_place([showcase]), with_place([showcase, "--root", "signUp"])
    assert first[1] == "--state" and first != second
    assert with_place([showcase]) == first
    folder = Path(first[2])
    assert folder.parent == tmp_path / "offstage-terminal"
    assert folder.stat().st_mode & 0o777 == 0o700
    with_place([showcase, "--root", "map"])
    assert folder.exists() and len([*folder.parent.iterdir()]) == 2
    for command in ([showcase, "--deterministic"], [showcase, "--state", "there"], [CART]):
        assert with_place(command) == command
    # A program may have two words, and need not describe itself.
    assert with_place(["env", showcase])[2] == "--state"
    for command in ([sys.executable, CART], [sys.executable, NOTES, "3"]):
        assert with_place(command) == command
    with pytest.raises(CoreStopped, match="status 2"):
        with_place([showcase, "--nonsense"])


async def test_a_core_that_cannot_start_is_reported() -> None:
    async with using("/no/such/core") as person:
        await person.sees("The app could not be started")
        await person.sees("cannot start /no/such/core")
        assert "stopped" not in person.text
        person.app.simulate_key("r")
        await person.flush()
        await person.sees("cannot start /no/such/core")
        assert len(person.app.screen_stack) == 2


async def test_a_core_that_cannot_start_says_only_why(showcase: str, tmp_path: Path) -> None:
    (tmp_path / "showcase.sqlite").write_text("no database" * 100)
    async with using(showcase, "--data", str(tmp_path)) as person:
        await person.sees("The app could not be started")
        await person.sees("not an SQLite")
        assert "status" not in person.text and "stopped" not in person.text


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
