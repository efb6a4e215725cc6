"""Makes text from a core safe for a terminal."""

from __future__ import annotations

import re

from rich.cells import cell_len, set_cell_size

# Control characters could move the cursor or retitle the terminal, bidirectional overrides could
# reorder the text, and the last ones for private use stand for pictures.
_UNSAFE = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\U00100000-\U0010ffff]"
)
_UNSAFE_IN_LINES = re.compile(_UNSAFE.pattern.replace("\x00-\x1f", "\x00-\x09\x0b-\x1f"))


def clean(text: object, *, lines: bool = False) -> str:
    """Replaces control characters with spaces; `lines` keeps line feeds."""
    return (_UNSAFE_IN_LINES if lines else _UNSAFE).sub(" ", str(text))


def fit(text: str, width: int) -> str:
    """Cuts or pads a text to exactly `width` cells."""
    text = clean(text)
    if cell_len(text) > width > 0:
        text = set_cell_size(text, width - 1).rstrip() + "…"
    return set_cell_size(text, max(width, 0))


def wrap(text: str, width: int) -> list[str]:
    """Breaks a text into lines of at most `width` cells, at blanks where it can."""
    lines: list[str] = []
    for paragraph in clean(text, lines=True).split("\n"):
        line = ""
        for word in re.findall(r"\S+\s*", paragraph):
            if cell_len(line) + cell_len(word.rstrip()) > width and line:
                lines.append(line.rstrip())
                line = ""
            while cell_len(word.rstrip()) > width:
                head = set_cell_size(word, width).rstrip() or word[0]
                lines.append(head)
                word = word[len(head) :]
            line += word
        lines.append(line.rstrip())
    return lines
