"""Looks at the pixels of a real terminal that draws Sixel."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image, ImageGrab

pytestmark = pytest.mark.long

CELL = (6, 13)
COLUMNS, LINES = 100, 36


@pytest.fixture
def display() -> Iterator[str]:
    """Yields the name of an X server that draws into memory."""
    if not shutil.which("Xvfb"):
        pytest.fail("Xvfb is missing: apt-get install xvfb")
    reader, writer = os.pipe()
    screen = f"{COLUMNS * CELL[0]}x{LINES * CELL[1]}x24"
    # Without a reset, which the end of each look would cause.
    command = ["Xvfb", "-displayfd", str(writer), "-screen", "0", screen, "-noreset"]
    with subprocess.Popen(command, pass_fds=[writer], stderr=subprocess.DEVNULL) as server:
        os.close(writer)
        with os.fdopen(reader) as number:
            yield f":{number.readline().strip()}"
        server.terminate()


def detailed_cells(screen: Image.Image) -> int:
    """Returns how many cells have more colors than a letter or a half block, which have two."""
    width, height = CELL
    boxes = (
        (x, y, x + width, y + height)
        for x in range(0, screen.width, width)
        for y in range(0, screen.height, height)
    )
    return sum(len(screen.crop(box).getcolors() or ()) > 3 for box in boxes)


def test_xterm_draws_pictures(showcase: str, display: str, tmp_path: Path) -> None:
    if not shutil.which("xterm"):
        pytest.fail("xterm is missing: apt-get install xterm")
    environment = {**os.environ, "DISPLAY": display, "XDG_STATE_HOME": str(tmp_path)}
    xterm = ["xterm", "-ti", "vt340", "-b", "0", "-bw", "0", "-fn", "fixed"]
    program = str(Path(sys.executable).parent / "offstage-terminal")
    # Only xterm removes this variable, by which Textual knows the colors.
    app = ["env", "COLORTERM=truecolor", program, "--locale", "en", showcase, "--deterministic"]
    root = ["--root", "explore"]
    command = [*xterm, "-geometry", f"{COLUMNS}x{LINES}+0+0", "-e", *app, *root]
    with subprocess.Popen(command, env=environment) as terminal:
        try:
            deadline = time.monotonic() + 60
            while detailed_cells(screen := ImageGrab.grab(xdisplay=display)) < 200:
                screen.save(tmp_path / "screen.png")
                assert time.monotonic() < deadline, f"no pictures in {tmp_path}/screen.png"
                assert terminal.poll() is None, "xterm has ended"
                time.sleep(0.05)  # Between two looks, not for something to happen.
        finally:
            terminal.terminate()
