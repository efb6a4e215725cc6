"""Draws pictures as half blocks: two pixels, one above the other, in each cell."""

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
from typing import Any, cast
from xml.etree import ElementTree

import resvg_py
from offstage import Resource
from PIL import Image
from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from .text import fit

logger = logging.getLogger("offstage.terminal")

MAX_BYTES = 8 << 20
SVG = "{http://www.w3.org/2000/svg}"


class Pictures:
    """The pictures of an app by their URI, fetched once each.

    Args:
        read: reads what a URI of the core names, up to a number of bytes.
        on_load: called when a picture has arrived and can be drawn.
    """

    def __init__(
        self, read: Callable[[str, int], Awaitable[Resource]], on_load: Callable[[], None]
    ) -> None:
        self._read = read
        self._on_load = on_load
        self._data: dict[str, bytes | None] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    def draw(self, uri: str, width: int, height: int, background: str) -> list[Strip]:
        """Returns the picture as `height` strips; blank until it has arrived."""
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
        return _strips(data, width, height, background)

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


@lru_cache(maxsize=1024)
def _strips(data: bytes, width: int, height: int, background: str) -> list[Strip]:
    try:
        image, words = _open(data, width, height)
    except Exception as error:  # noqa: BLE001  Decoders raise anything on foreign bytes.
        logger.warning("a picture cannot be drawn: %s", error)
        return _blank(width, height, background)
    canvas = Image.new("RGBA", (width, 2 * height), background)
    at = ((width - image.width) // 2, (2 * height - image.height) // 2)
    canvas.alpha_composite(image, at)
    flat = canvas.convert("RGB").load()
    assert flat is not None
    grid: list[list[tuple[str, Style]]] = []
    for y in range(height):
        row: list[tuple[str, Style]] = []
        for x in range(width):
            top, bottom = _hex(flat[x, 2 * y]), _hex(flat[x, 2 * y + 1])
            row.append(("▀", Style(color=top, bgcolor=bottom)))
        grid.append(row)
    for x, y, text in words:
        _write(grid, round(x * width), int(y * height), text)
    return [Strip([Segment(text, style) for text, style in row if text], width) for row in grid]


def _open(
    data: bytes, width: int, height: int
) -> tuple[Image.Image, list[tuple[float, float, str]]]:
    """Decodes a picture to fit the cells. Returns the texts of an SVG separately."""
    words: list[tuple[float, float, str]] = []
    if data.lstrip()[:5] in (b"<svg ", b"<?xml"):
        data, words = _without_text(data)
        data = resvg_py.svg_to_bytes(
            svg_string=data.decode(), skip_system_fonts=True, width=4 * width
        )
    image = Image.open(io.BytesIO(data)).convert("RGBA")
    scale = min(width / image.width, 2 * height / image.height)
    size = max(1, round(image.width * scale)), max(1, round(image.height * scale))
    return cast("Any", image).resize(size, Image.Resampling.LANCZOS), words


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


def _write(grid: list[list[tuple[str, Style]]], center: int, y: int, text: str) -> None:
    """Writes a text over the picture, in black or white on the colors below it."""
    width = len(grid[y])
    text = fit(text.strip(), min(width, cell_len(text.strip())))
    x = min(max(0, center - cell_len(text) // 2), width - cell_len(text))
    for character in text:
        wide = cell_len(character)
        if wide == 0:
            continue
        below = grid[y][x][1].bgcolor
        color = below.triplet if below and below.triplet else (0, 0, 0)
        light = 0.3 * color[0] + 0.6 * color[1] + 0.1 * color[2] > 110
        style = Style(color="#101010" if light else "#f4f4f4", bgcolor=below, bold=True)
        grid[y][x] = (character, style)
        for covered in range(x + 1, min(x + wide, width)):
            grid[y][covered] = ("", style)
        x += wide


def _hex(pixel: Any) -> str:
    red, green, blue = pixel
    return f"#{red:02x}{green:02x}{blue:02x}"
