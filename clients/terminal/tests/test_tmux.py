"""Goes through the app in a real terminal: tmux draws it, and the test captures its panes."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

pytestmark = pytest.mark.long

STOP = signal.SIGKILL
"""Ends a core that keeps its state."""


@pytest.fixture(autouse=True)
def state(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Keeps the places of apps apart from those of the person who runs the tests."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "places"))


class Terminal:
    """A terminal of 100 by 34 cells, with its own tmux server."""

    def __init__(self, command: list[str]) -> None:
        self._tmux = ["tmux", "-L", f"offstage-{os.getpid()}-{id(self)}", "-f", "/dev/null"]
        size = ["-x", "100", "-y", "34"]
        self.run("new-session", "-d", *size, "-e", "LANG=C.UTF-8", "cat")
        self.run("set-option", "-g", "status", "off")
        self.run("set-option", "-g", "remain-on-exit", "on")
        self._command = f"env -u COLUMNS -u LINES {shlex.join(command)}"
        self.run("respawn-pane", "-k", self._command)

    def run(self, *arguments: str) -> str:
        return subprocess.run(
            [*self._tmux, *arguments], check=True, capture_output=True, text=True
        ).stdout

    def again(self) -> None:
        """Waits until the program has ended, and starts it again."""
        deadline = time.monotonic() + 90
        while self.run("display-message", "-p", "#{pane_dead}").strip() != "1":
            assert time.monotonic() < deadline, f"still runs, and shows\n{self.text()}"
            time.sleep(0.05)  # Between two looks, not for something to happen.
        self.run("respawn-pane", self._command)

    def press(self, *keys: str) -> None:
        for key in keys:
            self.run("send-keys", key)

    def type(self, text: str) -> None:
        self.run("send-keys", "-l", text)

    def click(self, label: str) -> None:
        """Clicks on a text after it has appeared and stopped moving."""
        before, text = "", self.shows(re.escape(label))
        while text != before:
            time.sleep(0.05)  # Between two looks, not for something to happen.
            before, text = text, self.shows(re.escape(label))
        lines = text.splitlines()
        y, line = next((y, line) for y, line in enumerate(lines, 1) if label in line)
        place = f"0;{line.index(label) + 1};{y}"
        self.type(f"\x1b[<{place}M\x1b[<{place}m")

    def text(self) -> str:
        return self.run("capture-pane", "-p")

    def shows(self, pattern: str, *, within: float = 90) -> str:
        """Waits until the terminal shows a text that matches."""
        deadline = time.monotonic() + within
        while not re.search(pattern, text := self.text()):
            assert time.monotonic() < deadline, f"{pattern!r} does not appear in\n{text}"
            time.sleep(0.05)  # Between two looks, not for something to happen.
        return text

    def hides(self, text: str) -> None:
        """Waits until the terminal no longer shows a text."""
        self.shows(rf"\A(?!(.|\n)*{re.escape(text)})")

    def close(self) -> None:
        subprocess.run([*self._tmux, "kill-server"], check=False, capture_output=True)


class EndlessChat(BaseHTTPRequestHandler):
    """A chat server whose replies start, but end only when the core hangs up."""

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        self.wfile.write(b'data: {"choices":[{"delta":{"content":"Well"}}]}\n\n')
        self.rfile.read(1)

    def log_message(self, format: str, *args: object) -> None: ...


@pytest.fixture
def chat() -> Iterator[str]:
    """Yields the address of a chat server."""
    with ThreadingHTTPServer(("127.0.0.1", 0), EndlessChat) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/v1"
        server.shutdown()


def program() -> str:
    if not shutil.which("tmux"):
        pytest.fail("tmux is missing: apt-get install tmux")
    return str(Path(sys.executable).parent / "offstage-terminal")


@pytest.fixture
def terminal(showcase: str, chat: str, tmp_path: Path) -> Iterator[Terminal]:
    # The installation decides which variant of an experiment the app shows.
    core = [showcase, "--data", str(tmp_path), "--installation", "0", "--chat-api", chat]
    # Something that slides in would have moved before the click.
    variables = ["SHOWCASE_CHAT_KEY=key", "TEXTUAL_ANIMATIONS=none"]
    terminal = Terminal(["env", *variables, program(), "--locale", "en", *core])
    yield terminal
    terminal.close()


def core_of(directory: Path, ended: int | None = None) -> int | None:
    """Returns the process of the core that runs on a data directory, or `ended` without one."""
    for entry in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            arguments = entry.read_bytes().split(b"\0")
        except OSError:
            continue
        is_core = Path(os.fsdecode(arguments[0])).name == "showcase"
        if is_core and os.fsencode(directory) in arguments:
            return int(entry.parent.name)
    return ended


def test_the_focus_stays_where_people_type(notes: str) -> None:
    terminal = Terminal([program(), "--locale", "en", notes])
    try:
        terminal.shows("Kept: Nothing here yet")
        # Without a pause: the second word must not go to the list that the first one fills.
        terminal.type("Milk")
        terminal.press("Enter")
        terminal.type("Bread")
        terminal.press("Enter")
        terminal.shows("Milk(.|\n)*Bread")
        terminal.type("Tea")
        terminal.shows("▊ +Tea(.|\n)*Milk(.|\n)*Bread")
        # Tab goes to the button; Enter presses it, which clears the field and disables the button.
        terminal.press("Tab", "Enter")
        terminal.shows("Milk(.|\n)*Bread(.|\n)*Tea")
        terminal.hides("▊  Tea")
    finally:
        terminal.close()


def test_words_in_a_prompt_have_commas(meanings: str) -> None:
    terminal = Terminal([program(), "--locale", "en", meanings, "--deterministic"])
    try:
        terminal.click("5 Ask")
        terminal.click("List guests")
        terminal.shows("Done +Dismiss")
        # What has not been added is an answer, too.
        for word in ("Kim, Jr.", "Park", "Lee"):
            terminal.type(word)
            terminal.press("Enter" if word != "Lee" else "Tab")
        terminal.shows("Kim, Jr. × +Park ×")
        terminal.press("Enter")
        terminal.shows(r"Kim, Jr\.\+Park\+Lee")
    finally:
        terminal.close()


def test_the_app_waits_in_the_background(showcase: str) -> None:
    terminal = Terminal(["env", "PS1=ready> ", "bash", "--norc", "-i"])
    try:
        terminal.shows("ready>")
        terminal.type(f"{program()} --locale en {showcase} --deterministic --root signUp")
        terminal.press("Enter")
        terminal.shows("Sign up(.|\n)*Name")
        terminal.type("Kim")
        terminal.press("Down", "C-z")
        terminal.shows("Stopped(.|\n)*ready>")
        terminal.type("fg")
        terminal.press("Enter")
        terminal.shows("Sign up(.|\n)*Kim")
        terminal.type("kim@x")
        terminal.shows("▊ +kim@x")
    finally:
        terminal.close()


def test_through_the_app(terminal: Terminal, tmp_path: Path) -> None:
    # The welcome, a prompt, then the map with its sheet.
    terminal.shows("Welcome!(.|\n)*Got it")
    terminal.press("C-n")
    terminal.hides("Welcome!")
    terminal.press("c")
    terminal.shows("Share your location with")
    terminal.press("Enter")
    terminal.hides("with showcase?")  # The prompt has the keys while the map shows behind it.
    terminal.shows("●(.|\n)*★ 5.0")
    # A push and a search.
    terminal.press("/")
    terminal.shows("‹ Back")
    terminal.type("seongsu")
    terminal.shows("Seongsu Station")
    terminal.press("Escape")
    terminal.shows("★ 5.0")
    # The other tabs, and a push.
    terminal.press("2")
    terminal.shows("Mina")
    terminal.press("3")
    terminal.shows("No chats yet")
    terminal.press("4")
    terminal.shows("Bulbasaur")
    # The rows are side by side.
    terminal.press("Right", "Enter")
    terminal.shows("‹ Back +Ivysaur")
    terminal.press("Escape")
    terminal.shows("Bulbasaur")
    terminal.press("5")
    terminal.shows("Seven Samurai")
    # A sheet with a form.
    terminal.press("6")
    terminal.shows("Create account")
    terminal.press("Right", "Enter")
    terminal.shows("✕ Close")
    terminal.press("Enter")
    terminal.shows("Name(.|\n)*Email")
    terminal.type("Kim")
    terminal.press("Tab")
    terminal.type("kim@example.com")
    terminal.press("Enter")
    terminal.shows("Kim(.|\n)*kim@example.com(.|\n)*Edit profile")
    # A cover.
    terminal.click("New avatar")
    terminal.shows("✕ Close +New avatar(.|\n)*Description")
    terminal.press("C-w")
    terminal.shows("Edit profile")
    # An alert over a sheet.
    terminal.click("Settings")
    terminal.shows("(Appearance|Language)(.|\\n)*esc Close")
    terminal.click("Delete account")
    terminal.shows("Cancel")
    terminal.press("Enter")
    terminal.hides("Cancel")
    terminal.press("Escape")
    terminal.hides("✕ Close")
    # A modal.
    terminal.press("2")
    terminal.shows("Popular")
    terminal.press("Tab", "Tab", "Tab")
    terminal.click("Turn on notifications")
    terminal.shows("Enable push notifications")
    terminal.click("Cancel")
    terminal.hides("Enable push notifications")
    # A chat that streams and is stopped.
    terminal.click("Mina")
    terminal.shows("‹ Back +Mina")
    terminal.type("Hello")
    terminal.press("Enter")
    terminal.shows("Well ▍")
    terminal.press("C-s")
    text = terminal.shows("Try again")
    assert "▍" not in text
    terminal.type("And then")
    terminal.shows("And then")
    # The core ends, and is not missed: the same screen, and a text that goes on at the caret.
    terminal.press("Left", "Left")
    before, core = terminal.text(), core_of(tmp_path)
    assert core
    os.kill(core, STOP)
    while core_of(tmp_path, core) == core:
        time.sleep(0.05)  # Between two looks, not for something to happen.
    terminal.shows(re.escape(before))
    terminal.type("xy")
    terminal.shows("‹ Back +Mina(.|\n)*Hello(.|\n)*And thxyen")
    terminal.press("F5")
    terminal.shows("Seven Samurai")  # The new core answers.
    terminal.press("F2")
    terminal.shows("And thxyen")
    # The app is quit, and comes back where it was.
    terminal.press("C-q")
    terminal.again()
    terminal.shows("‹ Back +Mina(.|\n)*Hello(.|\n)*And thxyen")
    terminal.press("F6")
    terminal.shows("kim@example.com")
    terminal.press("C-q")
