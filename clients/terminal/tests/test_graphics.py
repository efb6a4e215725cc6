"""Reads what terminals say of themselves, and decodes the pictures that they are given."""

from __future__ import annotations

import base64
import fcntl
import io
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageDraw
from textual import events

from offstage_terminal.driver import Answered, Parser
from offstage_terminal.model.graphics import ASK, KITTY_CELL, MARKS, Graphics, Terminal

from .conftest import using

CELL = (7, 13)
ANSWERS = {
    "xterm": (
        "\x1bP>|XTerm(379)\x1b\\\x1b[?1;0;16S\x1b[?63;1;2;4;22;28c",
        Terminal("sixel", CELL, 16),
    ),
    "xterm without graphics": (
        "\x1bP>|XTerm(379)\x1b\\\x1b[?1;3S\x1b[?64;1;2;6c",
        Terminal("", CELL),
    ),
    "foot": (
        "\x1bP>|foot(1.13.1)\x1b\\\x1b[6;19;9t\x1b[?1;0;1024S\x1b[?62;4;22c",
        Terminal("sixel", (9, 19)),
    ),
    "kitty": ("\x1bP>|kitty(0.35.2)\x1b\\\x1b[6;18;9t\x1b[?62;c", Terminal("kitty", (9, 18))),
    "an old kitty": ("\x1bP>|kitty(0.26.5)\x1b\\\x1b[6;18;9t\x1b[?62;c", Terminal("", (9, 18))),
    "ghostty": ("\x1bP>|ghostty 1.0.1\x1b\\\x1b[6;20;10t\x1b[?62;22c", Terminal("kitty", (10, 20))),
    "tmux": ("\x1bP>|tmux 3.4\x1b\\\x1b[6;20;10t\x1b[?1;2;4c", Terminal("", (10, 20))),
    "only its attributes": ("\x1b[?1;2c", Terminal("", CELL)),
}


def read(parser: Parser, *parts: str) -> tuple[list[str], list[Terminal]]:
    """Returns the keys and the terminals that a parser reads."""
    read = [message for part in parts for message in parser.feed(part)]
    keys = [message.key for message in read if isinstance(message, events.Key)]
    return keys, [message.terminal for message in read if isinstance(message, Answered)]


@pytest.mark.parametrize("name", ANSWERS)
def test_a_terminal_says_what_it_draws(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("offstage_terminal.driver.cell_size", lambda: CELL)
    answer, terminal = ANSWERS[name]
    assert read(Parser(), answer) == ([], [terminal])
    # Without pixels, there is nothing to draw.
    monkeypatch.setattr("offstage_terminal.driver.cell_size", lambda: (0, 0))
    assert "t" in answer or read(Parser(), answer)[1][0].kind == ""


def test_an_answer_types_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("offstage_terminal.driver.cell_size", lambda: CELL)
    answer, terminal = ANSWERS["foot"]
    for cut in range(len(answer)):
        if answer[:cut].endswith(("\x1b", "\x1b[", "\x1bP")):
            continue  # This much may be a key.
        keys, terminals = read(Parser(), "a\x1b[A", answer[:cut], answer[cut:] + "b\x1b[6~")
        assert (keys, terminals) == (["a", "up", "b", "pagedown"], [terminal]), cut


def picture(width: int, height: int) -> Image.Image:
    """Returns a picture of so many cells with some colors, and nothing in a corner."""
    image = Image.new("RGBA", (width * CELL[0], height * CELL[1]), "#204060")
    draw = ImageDraw.Draw(image)
    draw.ellipse((3, 2, 20, 30), fill="#ff8000")
    draw.rectangle((9, 5, 30, 9), fill="#ffffff")
    draw.rectangle((0, 0, 5, 5), fill=(0, 0, 0, 0))
    return image


def decode(data: str) -> Image.Image:
    """Draws Sixel as a terminal does."""
    body = re.fullmatch('\x1bP0;1;0q"1;1;(\\d+);(\\d+)(.*)\x1b\\\\', data)
    assert body
    image = Image.new("RGBA", (int(body[1]), int(body[2])))
    colors: dict[str, tuple[int, ...]] = {}
    x = y = 0
    color = ""
    for part in re.finditer(r"#(\d+)(?:;2;(\d+);(\d+);(\d+))?|!(\d+)(.)|(.)", body[3]):
        if part[1]:
            color = part[1]
            if part[2]:
                colors[color] = tuple(round(int(part[at]) * 2.55) for at in (2, 3, 4))
        elif part[7] in ("$", "-"):
            x, y = 0, y + 6 * (part[7] == "-")
        else:
            bits, count = ord(part[6] or part[7]) - 63, int(part[5] or 1)
            for row in (row for row in range(6) if bits >> row & 1):
                image.paste((*colors[color], 255), (x, y + row, x + count, y + row + 1))
            x += count
    return image


def is_near(one: Any, other: Any) -> bool:
    """True if all pixels of two pictures have the same colors, rounded to percents."""
    assert one.size == other.size
    return all(
        (a[3] == b[3] == 0) or max(abs(p - q) for p, q in zip(a, b, strict=True)) <= 2
        for a, b in zip(one.get_flattened_data(), other.get_flattened_data(), strict=True)
    )


def test_sixel_has_each_pixel() -> None:
    graphics = Graphics()
    graphics.terminal = Terminal("sixel", CELL, 16)
    image = picture(5, 3)
    rows = graphics.place(image, 5, 3)
    # The second of two pictures has its own characters.
    assert not set("".join(graphics.place(image, 2, 1))) & set("".join(rows))
    # A part of the second row, as of a picture that a sheet covers.
    painted = graphics.paint(f"\x1b[4;1Ha{rows[1][1:4]}b", 10)
    match = re.fullmatch("\x1b\\[4;1Ha\x1b\\[3X\x1b7(.*)\x1b8\x1b\\[3Cb", painted)
    assert match
    width, height = CELL
    part = image.crop((width, height, 4 * width, 2 * height))
    assert is_near(decode(match[1]), part)
    first = re.findall("\x1bP.*\x1b\\\\", graphics.paint(f"\x1b[4;1H{rows[0]}", 10))
    assert is_near(decode(first[0]), image.crop((0, 0, 5 * width, height)))
    # It would scroll the terminal at the last line.
    assert graphics.paint(f"\x1b[9;1Ha\n{rows[1]}b", 10) == "\x1b[9;1Ha\n     b"


def test_kitty_gets_a_picture_once() -> None:
    graphics = Graphics()
    graphics.terminal = Terminal("kitty", CELL)
    image = picture(5, 3)
    rows = graphics.place(image, 5, 3)
    painted = graphics.paint(f"\x1b[4;1Ha{rows[1][1:4]}b", 4)
    match = re.fullmatch(
        "\x1b\\[4;1Ha\x1b_Ga=T,U=1,f=100,q=2,i=(\\d+),c=5,r=3,m=0;(.*)\x1b\\\\"
        "\x1b\\[38;2;(\\d+);(\\d+);(\\d+)m(.*)\x1b\\[39mb",
        painted,
    )
    assert match
    red, green, blue = (int(part) for part in match.group(3, 4, 5))
    assert red << 16 | green << 8 | blue == int(match[1])
    assert match[6] == "".join(KITTY_CELL + MARKS[1] + MARKS[x] for x in (1, 2, 3))
    sent = Image.open(io.BytesIO(base64.b64decode(match[2])))
    assert is_near(sent, image)
    assert "\x1b_G" not in graphics.paint(rows[2], 4)
    # What is no longer shown leaves the terminal with the next picture.
    graphics.clear()
    rows = graphics.place(image, 5, 3)
    assert graphics.paint(rows[0], 4).startswith(f"\x1b_Ga=d,d=I,i={match[1]}\x1b\\\x1b_Ga=T")
    assert len(re.findall("a=d", graphics.remove())) == 1
    assert not graphics.remove()


def test_a_large_picture_comes_in_parts() -> None:
    graphics = Graphics()
    graphics.terminal = Terminal("kitty", (20, 40))
    noise = Image.frombytes("RGBA", (200, 200), os.urandom(160_000))
    painted = graphics.paint(graphics.place(noise, 10, 5)[0], 4)
    parts = re.findall("\x1b_G([^;]*);([^\x1b]*)\x1b", painted)
    assert len(parts) > 10 and all(len(data) <= 4096 for _, data in parts)
    assert [head[-3:] for head, _ in parts] == ["m=1"] * (len(parts) - 1) + ["m=0"]
    data = base64.b64decode("".join(data for _, data in parts))
    assert Image.open(io.BytesIO(data)).tobytes() == noise.tobytes()


def test_a_text_shows_no_picture() -> None:
    graphics = Graphics()
    graphics.terminal = Terminal("sixel", CELL)
    graphics.place(picture(2, 1), 2, 1)
    assert graphics.paint("a\U0010ed00b", 10) == "a b"


@pytest.mark.long
async def test_graphics_are_on_the_top_layer(showcase: str) -> None:
    async with using(showcase, "--deterministic") as person:
        await person.press("2")
        assert "▀" in person.text
        person.app.pictures.use(Terminal("sixel", CELL))
        await person.settle()
        assert "▀" not in person.text and "\U00100000" in person.text
        # What is below a dialog is dimmed, which graphics cannot be.
        await person.press("question_mark")
        assert "▀" in person.text and not re.search("[\U00100000-\U0010ffff]", person.text)
        await person.press("escape")
        assert "▀" not in person.text
        # Another size of the font: other pictures.
        before = person.text
        person.app.pictures.use(Terminal("sixel", (9, 18)))
        await person.settle()
        painted = person.app.pictures.graphics.paint(person.text, 99)
        assert 'q"1;1;108;18' in painted and before == person.text


@pytest.mark.long
async def test_pictures_do_not_run_out(showcase: str) -> None:
    async with using(showcase, "--deterministic") as person:
        pictures = person.app.pictures
        pictures.use(Terminal("kitty", (1, 2)))
        svg = (
            "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 1 1' id='{}'/>"
        )
        for id in range(30):
            strips = pictures.draw(svg.format(id), 60, 60, "#000000", is_on_top=True)
            assert "\U00100000" <= strips[-1].text[-1] < KITTY_CELL
        await person.settle()


@contextmanager
def in_a_terminal(
    showcase: str, folder: Path
) -> Generator[tuple[int, subprocess.Popen[bytes]], None, None]:
    """Runs the program in a terminal that does not control it."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("4H", 36, 100, 100 * 7, 36 * 13))
    program = str(Path(sys.executable).parent / "offstage-terminal")
    environment = {**os.environ, "TERM": "xterm-256color", "XDG_STATE_HOME": str(folder)}
    with subprocess.Popen(
        [program, "--locale", "en", showcase, "--deterministic"],
        env=environment,
        start_new_session=True,
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
    ) as process:
        os.close(theirs)
        try:
            yield ours, process
        finally:
            process.kill()


@pytest.mark.long
def test_a_program_ends_with_its_terminal(showcase: str, tmp_path: Path) -> None:
    with in_a_terminal(showcase, tmp_path) as (ours, process):
        drawn = b""
        while b"Welcome!" not in drawn:
            drawn += os.read(ours, 65536)
        os.close(ours)
        assert process.wait(60) == -signal.SIGHUP


@pytest.mark.long
def test_a_program_asks_its_terminal(showcase: str, tmp_path: Path) -> None:
    with in_a_terminal(showcase, tmp_path) as (ours, _):
        drawn = ""

        def wait_for(text: str) -> None:
            nonlocal drawn
            while text not in drawn:
                assert select.select([ours], [], [], 60)[0], f"{text!r} does not come"
                drawn += os.read(ours, 65536).decode(errors="replace")

        wait_for(ASK)
        wait_for("Welcome!")
        os.write(ours, b"2")
        wait_for("Featured")
        # Between keys, and late.
        os.write(ours, f"\x1b[B{ANSWERS['xterm'][0]}\x1b[A".encode())
        wait_for("\x1bP0;1;0q")
        os.write(ours, b"\x11")
        # The end of the alternate screen.
        wait_for("\x1b[?1049l")
        os.close(ours)
    assert "Pok\u00e9dex" in drawn and "Bulbasaur" not in drawn
