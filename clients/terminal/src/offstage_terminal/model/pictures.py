"""Draws pictures: as graphics where the terminal can, else as half blocks.

A half block shows two pixels, one above the other, in a cell.
"""

from __future__ import annotations

import asyncio
import base64
import io
import logging
import re
import urllib.parse
import urllib.request
from collections.abc import Awaitable, Callable
from functools import lru_cache
from itertools import groupby
from typing import Any, cast
from xml.etree import ElementTree

import resvg_py
from offstage import Resource
from PIL import Image
from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from .graphics import Graphics, Terminal
from .text import fit

logger = logging.getLogger("offstage.terminal")

MAX_BYTES = 8 << 20
Grid = list[list[tuple[str, Style]]]
SVG = "{http://www.w3.org/2000/svg}"


class Pictures:
    """The pictures of an app by their URI, fetched once each.

    Args:
        read: reads what a URI of the core names, up to a number of bytes.
        on_load: called when a picture has arrived and can be drawn, or must be drawn again.
    """

    def __init__(
        self, read: Callable[[str, int], Awaitable[Resource]], on_load: Callable[[], None]
    ) -> None:
        self._read = read
        self._on_load = on_load
        self.graphics = Graphics()
        self._drawn: dict[tuple[bytes, int, int, str, bool], list[Strip]] = {}
        self._data: dict[str, bytes | None] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    def draw(
        self, uri: str, width: int, height: int, background: str, *, is_on_top: bool
    ) -> list[Strip]:
        """Returns the picture as `height` strips; blank until it has arrived.

        Args:
            is_on_top: False below another layer, which dims texts, but cannot dim graphics.
        """
        if uri.startswith("data:"):
            data = _decode(uri)
        else:
            data = self._data.get(uri)
            if uri not in self._data:
                self._data[uri] = None
                task = asyncio.ensure_future(self._fetch(uri))
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)
        if data is None:
            return _blank(width, height, background)
        is_sharp = is_on_top and self.graphics.can_draw(width, height)
        key = data, width, height, background, is_sharp
        if key not in self._drawn:
            if len(self._drawn) > 1000 or self.graphics.is_full:
                self._draw_again()
            graphics = self.graphics if is_sharp else None
            self._drawn[key] = _draw(data, width, height, background, graphics)
        return self._drawn[key]

    def use(self, terminal: Terminal) -> None:
        """Draws as this terminal can from now on."""
        if terminal != self.graphics.terminal:
            self.graphics.terminal = terminal
            self._draw_again()

    def _draw_again(self) -> None:
        self._drawn.clear()
        self.graphics.clear()
        self._on_load()

    def has(self, uri: str) -> bool:
        """True if the picture has arrived."""
        return uri.startswith("data:") or self._data.get(uri) is not None

    async def _fetch(self, uri: str) -> None:
        try:
            if uri.startswith(("http:", "https:")):
                self._data[uri] = await asyncio.to_thread(_download, uri)
            else:
                self._data[uri] = (await self._read(uri, MAX_BYTES)).data
        except Exception as error:  # noqa: BLE001  A missing picture stays blank.
            logger.warning("%s: %s", uri, error)
        else:
            self._on_load()


def _download(uri: str) -> bytes:
    with urllib.request.urlopen(uri, timeout=10) as response:
        return response.read(MAX_BYTES)


@lru_cache(maxsize=512)
def _decode(uri: str) -> bytes:
    head, _, body = uri.partition(",")
    raw = urllib.parse.unquote_to_bytes(body)
    return base64.b64decode(raw) if head.endswith(";base64") else raw


@lru_cache(maxsize=64)
def _blank(width: int, height: int, background: str) -> list[Strip]:
    style = Style(bgcolor=background)
    return [Strip([Segment(" " * width, style)], width)] * height


def _draw(
    data: bytes, width: int, height: int, background: str, graphics: Graphics | None
) -> list[Strip]:
    """Draws a picture by graphics, or as half blocks."""
    cell = graphics.terminal.cell if graphics else (1, 2)
    try:
        image, words = _open(data, (width * cell[0], height * cell[1]))
    except Exception as error:  # noqa: BLE001  Decoders raise anything on foreign bytes.
        logger.warning("a picture cannot be drawn: %s", error)
        return _blank(width, height, background)
    flat: Any = Image.alpha_composite(Image.new("RGBA", image.size, background), image)
    grid: Grid
    if graphics:
        # Edges are mixed with the ground, since a pixel of Sixel is there or not.
        alpha: Any = image.getchannel("A")
        flat.putalpha(alpha.point([0] + [255] * 255))
        ground = Style(bgcolor=background)
        rows = graphics.place(flat, width, height)
        grid = [[(character, ground) for character in row] for row in rows]
    else:
        pixels = flat.load()
        grid = [
            [
                ("▀", Style(color=_hex(pixels[x, y]), bgcolor=_hex(pixels[x, y + 1])))
                for x in range(width)
            ]
            for y in range(0, 2 * height, 2)
        ]
    for x, y, text in words:
        text = fit(text.strip(), min(width, cell_len(text.strip())))
        left = min(max(0, round(x * width) - cell_len(text) // 2), width - cell_len(text))
        right, top = left + cell_len(text), int(y * height)
        box = left * cell[0], top * cell[1], right * cell[0], (top + 1) * cell[1]
        mean = flat.crop(box).resize((1, 1), Image.Resampling.BOX).getpixel((0, 0))
        _write(grid[top], left, text, mean)
    return [Strip(_join(row), width) for row in grid]


def _open(data: bytes, size: tuple[int, int]) -> tuple[Image.Image, list[tuple[float, float, str]]]:
    """Decodes a picture to fit pixels. Returns the texts of an SVG separately."""
    words: list[tuple[float, float, str]] = []
    width, height = size
    if data.lstrip()[:5] in (b"<svg ", b"<?xml"):
        data, words = _without_text(data)
        # More pixels than are shown make the edges of half blocks smooth.
        data = resvg_py.svg_to_bytes(
            svg_string=data.decode(), skip_system_fonts=True, width=max(width, min(4 * width, 128))
        )
    image = Image.open(io.BytesIO(data)).convert("RGBA")
    scale = min(width / image.width, height / image.height)
    inner = max(1, round(image.width * scale)), max(1, round(image.height * scale))
    image = cast("Any", image).resize(inner, Image.Resampling.LANCZOS)
    canvas = Image.new("RGBA", size)
    canvas.alpha_composite(image, ((width - image.width) // 2, (height - image.height) // 2))
    return canvas, words


def _without_text(data: bytes) -> tuple[bytes, list[tuple[float, float, str]]]:
    """Removes an SVG's texts, since characters are more legible than pixels.

    Returns each text with its center as a fraction of the width and the height.
    """
    if re.search(rb"<!(DOCTYPE|ENTITY)", data, re.IGNORECASE):
        raise ValueError("an SVG with a document type")
    root = ElementTree.fromstring(data)
    box = [float(part) for part in root.get("viewBox", "0 0 1 1").split()]
    words: list[tuple[float, float, str]] = []
    for parent in list(root.iter()):
        for child in list(parent):
            if child.tag == SVG + "text":
                size = float(child.get("font-size", root.get("font-size", "16")))
                x = (float(child.get("x", "0")) - box[0]) / box[2]
                y = (float(child.get("y", "0")) - size / 3 - box[1]) / box[3]
                words.append((x, min(max(y, 0), 0.99), "".join(child.itertext())))
                parent.remove(child)
    ElementTree.register_namespace("", SVG[1:-1])
    return ElementTree.tostring(root), words


def _write(row: list[tuple[str, Style]], x: int, text: str, below: Any) -> None:
    """Writes a text in black or white over the color below it."""
    red, green, blue, *_ = below
    is_light = 0.3 * red + 0.6 * green + 0.1 * blue > 110
    style = Style(color="#101010" if is_light else "#f4f4f4", bgcolor=_hex(below), bold=True)
    for character in text:
        # A wide one covers the next cell.
        for at in range(cell_len(character)):
            row[x + at] = ("" if at else character, style)
        x += cell_len(character)


def _join(row: list[tuple[str, Style]]) -> list[Segment]:
    """Joins the cells of the same style."""
    runs = groupby(row, key=lambda cell: cell[1])
    return [Segment("".join(text for text, _ in cells), style) for style, cells in runs]


def _hex(pixel: Any) -> str:
    red, green, blue, *_ = pixel
    return f"#{red:02x}{green:02x}{blue:02x}"
