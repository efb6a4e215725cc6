"""Asks the terminal what it can draw, hears its answer, gives it pictures, and ends with it."""

from __future__ import annotations

import fcntl
import os
import re
import select
import signal
import struct
import sys
import termios
import threading
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from textual._xterm_parser import XTermParser
from textual.app import App
from textual.drivers import linux_driver
from textual.drivers.linux_driver import LinuxDriver
from textual.message import Message

from .model.graphics import ANSWER, ASK, Terminal, read_answers
from .widgets.host import Host

# The start of an answer, at the end of what has been read.
UNFINISHED = re.compile("\x1b(P>[^\x1b]*\x1b?|\\[\\?[\\d;]*|\\[6[\\d;]*)$")
# These write a part of what they do not know.
MUTE = os.environ.get("TERM_PROGRAM") == "Apple_Terminal" or os.environ.get("TERM") == "linux"


@dataclass
class Answered(Message):
    """The terminal has said what it can draw."""

    terminal: Terminal


def cell_size() -> tuple[int, int]:
    """Returns the width and the height of a cell in pixels as far as the system knows them."""
    answer = fcntl.ioctl(sys.__stdin__ or 0, termios.TIOCGWINSZ, bytes(8))
    rows, columns, width, height = struct.unpack("4H", answer)
    return width // max(columns, 1), height // max(rows, 1)


class Parser(XTermParser):
    """Takes what the terminal answers out of what the user types.

    Textual would read it as keys, however late it comes.
    """

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self._held = self._heard = ""

    def feed(self, data: str) -> Iterable[Message]:
        data, self._held = self._held + data, ""
        if unfinished := UNFINISHED.search(data):
            data, self._held = data[: unfinished.start()], unfinished[0]
        for answer in ANSWER.finditer(data):
            self._heard += answer[0]
            if answer["device"] is not None:
                yield Answered(read_answers(self._heard, cell_size()))
                self._heard = ""
        if data := ANSWER.sub("", data):
            yield from super().feed(data)


# The driver makes its parser by this name, and has no other door for what the terminal says.
linux_driver.XTermParser = Parser  # pyright: ignore[reportPrivateImportUsage]


def end_with(terminal: int) -> None:
    """Waits until a terminal is gone, and ends the program as its shell would."""
    gone = select.poll()
    gone.register(terminal, 0)
    gone.poll()
    signal.raise_signal(signal.SIGHUP)


class GraphicsDriver(LinuxDriver):
    """Textual's driver for a terminal, with pictures."""

    def __init__(self, app: App[Any], **options: Any) -> None:
        super().__init__(app, **options)  # pyright: ignore[reportUnknownMemberType]
        assert isinstance(app, Host)
        self._graphics = app.pictures.graphics
        # The system tells only the programs that the terminal controls. Textual would read the end
        # of the input again and again.
        threading.Thread(target=end_with, args=(self.fileno,), daemon=True).start()

    def ask(self) -> None:
        """Asks the terminal what it can draw, without a wait for the answer."""
        if self.input_tty and not MUTE:
            super().write(ASK)

    def write(self, data: str) -> None:
        super().write(self._graphics.paint(data, self._app.size.height))

    def start_application_mode(self) -> None:
        # A terminal may forget its pictures while the app is in the background.
        self._graphics.remove()
        super().start_application_mode()

    def stop_application_mode(self) -> None:
        super().write(self._graphics.remove())
        super().stop_application_mode()
