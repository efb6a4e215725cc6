"""Pictures as graphics of the terminal, by Kitty's protocol or as Sixel.

A picture is drawn as characters for private use, one for each of its cells, and so it scrolls, and is
cropped and covered, like a text. On the way to the terminal, `paint` replaces these characters by
what the terminal draws.
"""

from __future__ import annotations

import base64
import io
import random
import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache

from PIL import Image, ImageChops

# Below the character by which Kitty's protocol stands for a cell of a picture.
FIRST, LAST, KITTY_CELL = 0x100000, 0x10EDFF, "\U0010eeee"
# A move of the cursor to a line, or cells of pictures.
PIECE = re.compile(f"\x1b\\[(\\d+);\\d+H|\n|[{chr(FIRST)}-{chr(LAST)}]+")
# The version of the terminal, the size of a cell, the number of Sixel's colors, and last, since all
# terminals answer it, the attributes of the device.
ASK = "\x1b[>q\x1b[16t\x1b[?1;1;0S\x1b[c"
ANSWER = re.compile(
    "\x1bP>\\|(?P<name>[^\x1b]*)\x1b\\\\|\x1b\\[6;(?P<height>\\d+);(?P<width>\\d+)t"
    "|\x1b\\[\\?1;0;(?P<colors>\\d+)S|\x1b\\[\\?1;[1-3][;\\d]*S|\x1b\\[\\?(?P<device>[\\d;]*)c"
)
# The first ones of Kitty's marks for the number of a row or a column.
MARKS = bytes.fromhex(
    "0305 030d 030e 0310 0312 033d 033e 033f 0346 034a 034b 034c 0350 0351 0352 0357"
    "035b 0363 0364 0365 0366 0367 0368 0369 036a 036b 036c 036d 036e 036f 0483 0484"
    "0485 0486 0487 0592 0593 0594 0595 0597 0598 0599 059c 059d 059e 059f 05a0 05a1"
    "05a8 05a9 05ab 05ac 05af 05c4 0610 0611 0612 0613 0614 0615 0616 0617 0657 0658"
).decode("utf-16-be")


# The color of no pixel.
MISSING = 255


@dataclass(frozen=True)
class Terminal:
    """What the terminal has said about itself.

    Attributes:
        kind: what draws pictures: `kitty`, `sixel`, or nothing.
        cell: the width and the height of a cell in pixels.
        colors: the most colors of a Sixel picture.
    """

    kind: str = ""
    cell: tuple[int, int] = (0, 0)
    colors: int = 256


def read_answers(text: str, cell: tuple[int, int]) -> Terminal:
    """Reads what a terminal has answered to `ASK`.

    Args:
        cell: the size of a cell as far as the system knows it, for a terminal that does not tell.
    """
    said: dict[str, str] = {}
    for match in ANSWER.finditer(text):
        said |= {key: value for key, value in match.groupdict().items() if value is not None}
    if "width" in said:
        cell = int(said["width"]), int(said["height"])
    name, _, version = said.get("name", "").replace("(", " ").rstrip(")").partition(" ")
    numbers = [int(part) for part in re.findall(r"\d+", version)[:2]]
    # Those that draw Kitty's pictures at characters. Others know the protocol, but not this part.
    is_kitty = name == "ghostty" or name == "kitty" and numbers >= [0, 28]
    # tmux says that it draws Sixel even where the terminal around it does not.
    is_sixel = "4" in said.get("device", "").split(";") and name != "tmux"
    kind = "kitty" if is_kitty else "sixel" if is_sixel else ""
    return Terminal(kind if all(cell) else "", cell, min(int(said.get("colors", 256)), 256))


@dataclass
class Placed:
    """A picture whose cells are characters from `first` on, row by row."""

    first: int
    id: int
    width: int
    height: int
    image: Image.Image
    rows: dict[tuple[int, int, int], str] = field(default_factory=dict[tuple[int, int, int], str])

    @property
    def end(self) -> int:
        """The character after the last one."""
        return self.first + self.width * self.height


class Graphics:
    """What the terminal can draw, and the pictures that it draws.

    Attributes:
        terminal: what the terminal has said; at first, that it draws no pictures.
    """

    def __init__(self) -> None:
        self.terminal = Terminal()
        self._placed: list[Placed] = []
        self._sent = set[int]()
        self._removed = ""
        # Other programs have pictures in the same terminal.
        self._id = random.randrange(1 << 16, 1 << 23)

    @property
    def is_full(self) -> bool:
        """True if no characters are left for another picture."""
        return bool(self._placed) and self._placed[-1].end + len(MARKS) ** 2 > LAST

    def can_draw(self, width: int, height: int) -> bool:
        """True if the terminal draws pictures, also with so many cells."""
        return bool(self.terminal.kind) and max(width, height) <= len(MARKS)

    def place(self, image: Image.Image, width: int, height: int) -> list[str]:
        """Returns the characters that show a picture, row by row.

        Args:
            image: the picture, as large as its cells; each pixel is opaque or missing.
        """
        first = self._placed[-1].end if self._placed else FIRST
        if self.terminal.kind == "sixel":
            missing = ImageChops.invert(image.getchannel("A"))
            image = image.convert("RGB").quantize(min(self.terminal.colors, 64))
            image.paste(MISSING, mask=missing)
        self._id += 1
        self._placed.append(Placed(first, self._id, width, height, image))
        starts = range(first, first + width * height, width)
        return ["".join(map(chr, range(start, start + width))) for start in starts]

    def clear(self) -> None:
        """Forgets all pictures, also in the terminal once it draws something."""
        self._removed += self.remove()
        self._placed.clear()

    def remove(self) -> str:
        """Returns what takes the pictures out of the memory of the terminal, which has it no more."""
        removed = "".join(_kitty(f"a=d,d=I,i={id}") for id in sorted(self._sent))
        self._sent.clear()
        return removed

    def paint(self, text: str, lines: int) -> str:
        """Replaces the characters that stand for pictures.

        Args:
            text: what a terminal draws, with a move of the cursor before each line.
            lines: the height of the terminal. Sixel would scroll it at the last line.
        """
        if not self._placed:
            return text
        removed, self._removed = self._removed, ""
        line = 0

        def paint(piece: re.Match[str]) -> str:
            nonlocal line
            if piece[0][0] in "\x1b\n":
                line = int(piece[1]) if piece[1] else line + 1
                return piece[0]
            scrolls = line >= lines and self.terminal.kind == "sixel"
            return " " * len(piece[0]) if scrolls else "".join(self._paint(piece[0]))

        return removed + PIECE.sub(paint, text)

    def _paint(self, run: str) -> Iterator[str]:
        """Yields what draws neighboring cells, for each row of a picture."""
        codes = [ord(character) for character in run]
        while codes:
            first = codes[0]
            placed = self._placed[bisect_right(self._placed, first, key=lambda p: p.first) - 1]
            y, left = divmod(first - placed.first, placed.width)
            count = 1
            while count < min(len(codes), placed.width - left) and codes[count] == first + count:
                count += 1
            del codes[:count]
            # A text may have the same characters.
            yield self._draw(placed, y, left, left + count) if y < placed.height else " " * count

    def _draw(self, placed: Placed, y: int, left: int, right: int) -> str:
        is_kitty, key = self.terminal.kind == "kitty", (y, left, right)
        if key not in placed.rows:
            draw = self._draw_kitty if is_kitty else self._draw_sixel
            placed.rows[key] = draw(placed, *key)
        if not is_kitty or placed.id in self._sent:
            return placed.rows[key]
        self._sent.add(placed.id)
        return self._send(placed) + placed.rows[key]

    def _draw_kitty(self, placed: Placed, y: int, left: int, right: int) -> str:
        color = f"{placed.id >> 16};{placed.id >> 8 & 255};{placed.id & 255}"
        cells = "".join(KITTY_CELL + MARKS[y] + MARKS[x] for x in range(left, right))
        return f"\x1b[38;2;{color}m{cells}\x1b[39m"

    def _send(self, placed: Placed) -> str:
        """Returns what gives a picture to the terminal, to show it where its characters are."""
        file = io.BytesIO()
        placed.image.save(file, "PNG")
        data = base64.b64encode(file.getvalue()).decode()
        parts = [data[at : at + 4096] for at in range(0, len(data), 4096)]
        heads = [f"a=T,U=1,f=100,q=2,i={placed.id},c={placed.width},r={placed.height},m=1"]
        heads += ["m=1"] * (len(parts) - 1)
        heads[-1] = heads[-1].removesuffix("1") + "0"
        return "".join(_kitty(head, part) for head, part in zip(heads, parts, strict=True))

    def _draw_sixel(self, placed: Placed, y: int, left: int, right: int) -> str:
        width, height = self.terminal.cell
        part = placed.image.crop((left * width, y * height, right * width, (y + 1) * height))
        count = right - left
        # Takes away what is there, draws without a move of the cursor, and moves it as a text would.
        return f"\x1b[{count}X\x1b7{sixel(part)}\x1b8\x1b[{count}C"


def _kitty(head: str, data: str = "") -> str:
    return f"\x1b_G{head}{';' if data else ''}{data}\x1b\\"


def sixel(image: Image.Image) -> str:
    """Returns a picture as Sixel: bands of six rows, one color after another."""
    width, height = image.size
    pixels, palette = image.tobytes(), image.getpalette() or []
    bands: list[str] = []
    for top in range(0, height, 6):
        rows = [pixels[y * width : (y + 1) * width] for y in range(top, min(top + 6, height))]
        lines: list[str] = []
        for color in sorted(set(b"".join(rows)) - {MISSING}):
            # A byte for each column, in which a bit stands for a row.
            bits = sum(
                int.from_bytes(row.translate(_only(color)), "big") << y
                for y, row in enumerate(rows)
            )
            text = bits.to_bytes(width, "big").translate(_SIXELS).decode().rstrip("?")
            lines.append(f"#{color}{_REPEATED.sub(_repeat, text)}")
        bands.append("$".join(lines))
    colors = "".join(
        f"#{color};2;" + ";".join(str(round(part / 2.55)) for part in palette[3 * color :][:3])
        for color in sorted(set(pixels) - {MISSING})
    )
    # Without a line feed at the end, which would scroll at the last line of the terminal.
    return f'\x1bP0;1;0q"1;1;{width};{height}{colors}{"-".join(bands)}\x1b\\'


_SIXELS = bytes(range(63, 127)) + bytes(192)
_REPEATED = re.compile(r"(.)\1{3,}")


def _repeat(match: re.Match[str]) -> str:
    return f"!{len(match[0])}{match[1]}"


@cache
def _only(color: int) -> bytes:
    """Returns a table that makes the bytes of a color 1, and all others 0."""
    return bytes(index == color for index in range(256))
