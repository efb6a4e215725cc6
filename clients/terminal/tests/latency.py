"""Measures the time from a key to the first changed character, and the core's share.

    python -m tests.latency SHOWCASE [PRESSES]

Runs the app in a pseudoterminal. The core's share is the time from the line of a request to
the line of its frame, as the front end sees them. Run it on an idle machine.
"""

from __future__ import annotations

import os
import pty
import select
import statistics
import struct
import sys
import termios
import time
from fcntl import ioctl
from pathlib import Path
from tempfile import TemporaryDirectory

from offstage.transport import StreamTransport

from offstage_terminal.app import TerminalApp

QUIET = 0.3


def run_app(log: Path, *command: str) -> None:
    """Runs the app, and logs when a line passes to or from the core."""
    lines = log.open("w", buffering=1)
    write, read = StreamTransport.write_line, StreamTransport.read_line

    def write_line(self: StreamTransport, line: bytes) -> None:
        print(time.monotonic(), ">", file=lines)
        write(self, line)

    async def read_line(self: StreamTransport) -> bytes:
        line = await read(self)
        print(time.monotonic(), "frame" if b'"frame"' in line else "<", file=lines)
        return line

    StreamTransport.write_line, StreamTransport.read_line = write_line, read_line
    TerminalApp(command).run()


class Terminal:
    """A pseudoterminal with the app in it."""

    def __init__(self, log: Path, showcase: str) -> None:
        self.process, self.file = pty.fork()
        if self.process == 0:
            os.environ |= {"TERM": "xterm-256color", "COLORTERM": "truecolor"}
            run_app(log, showcase, "--deterministic")
            os._exit(0)
        ioctl(self.file, termios.TIOCSWINSZ, struct.pack("HHHH", 34, 100, 0, 0))

    def press(self, key: str) -> tuple[float, float]:
        """Returns when the key was pressed, and when the first output arrived."""
        start = time.monotonic()
        os.write(self.file, key.encode())
        self.read(None)
        end = time.monotonic()
        self.rest()
        return start, end

    def read(self, timeout: float | None) -> bytes:
        """Returns the next output; empty if none arrives in time."""
        ready, _, _ = select.select([self.file], [], [], timeout)
        return os.read(self.file, 1 << 16) if ready else b""

    def rest(self) -> None:
        """Reads until the app stops drawing."""
        while self.read(QUIET):
            pass

    def wait_for(self, text: str) -> None:
        seen = b""
        while text.encode() not in seen:
            seen += self.read(None)
        self.rest()


def core_part(log: Path, start: float, end: float) -> float:
    """Returns the core's share of the time between two points."""
    entries = [line.split() for line in log.read_text().splitlines()]
    within = [(float(at), kind) for at, kind in entries if start <= float(at) <= end]
    sent = next((at for at, kind in within if kind == ">"), None)
    frame = next((at for at, kind in within if kind == "frame" and sent), None)
    return frame - sent if sent and frame else 0


def measure(terminal: Terminal, log: Path, name: str, keys: list[str], presses: int) -> None:
    times, parts = list[float](), list[float]()
    for number in range(presses):
        start, end = terminal.press(keys[number % len(keys)])
        times.append(1000 * (end - start))
        parts.append(1000 * core_part(log, start, end))
    half, most = statistics.median(times), statistics.quantiles(times, n=20)[-1]
    print(f"{name:24} {half:8.1f} {most:8.1f} {statistics.median(parts):8.1f}")


def main(showcase: str, presses: int = 60) -> None:
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores, {presses} presses, ms")
    print(f"{'':24} {'p50':>8} {'p95':>8} {'core p50':>8}")
    with TemporaryDirectory() as folder:
        log = Path(folder) / "lines"
        terminal = Terminal(log, showcase)
        terminal.wait_for("Welcome!")
        for tab in "456":
            terminal.press(tab)
        measure(terminal, log, "select a tab", ["4", "5"], presses)
        terminal.press("4")
        measure(terminal, log, "move in a list", ["\x1b[B", "\x1b[A"], presses)
        # Not into a search: its bar moves until the virtual clock does.
        for key in ("6", "\r", "\r"):
            terminal.press(key)
        measure(terminal, log, "type into a field", list("pikachu"), presses)
        os.write(terminal.file, b"\x11")
        os.waitpid(terminal.process, 0)


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:]))
