"""Plays transcripts to a core; `Protocol/transcripts` describes their language."""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass, field
from pathlib import Path

_ESCAPES = {"n": b"\n", "r": b"\r", "t": b"\t", "0": b"\0", "a": b"\a", "b": b"\b"}


@dataclass
class Run:
    """A run of a core.

    Attributes:
        arguments: the arguments of the core.
        steps: what to send, byte for byte; None is a barrier.
        status: the exit status.
    """

    arguments: list[str]
    steps: list[bytes | None] = field(default_factory=list[bytes | None])
    status: int = 0


def read(path: Path) -> list[Run]:
    """Reads the runs of a transcript, without the lines expected from the core."""
    runs: list[Run] = []
    is_running = False
    for mark, rest in _lines(path):
        match mark:
            case "$":
                runs.append(Run(shlex.split(rest)[1:]))
                is_running = True
            case ">":
                runs[-1].steps.append(rest.encode() + b"\n")
            case ">!":
                runs[-1].steps.append(_unescape(rest))
            case "=":
                runs[-1].status = int(rest.removeprefix("exit "))
                is_running = False
            case "" if is_running:
                runs[-1].steps.append(None)
            case _:
                pass
    return runs


def _lines(path: Path) -> list[tuple[str, str]]:
    """Splits each line into its mark and the rest, and joins continued lines."""
    lines: list[tuple[str, str]] = []
    # Only LF ends a line: a raw line may hold other separators.
    for line in path.read_text(encoding="utf-8").removesuffix("\n").split("\n"):
        if line.startswith("  ") and line.strip():
            mark, rest = lines[-1]
            lines[-1] = (mark, rest + line[2:])
        else:
            mark, _, rest = line.partition(" ")
            lines.append((mark, rest))
    return lines


def _unescape(text: str) -> bytes:
    """Reads C escapes. Adds an LF, unless the line ends in `\\c`."""
    ended = text.endswith("\\c")
    raw = text.removesuffix("\\c").encode()

    def replace(match: re.Match[bytes]) -> bytes:
        if match[1]:
            return bytes([int(match[1], 16)])
        return _ESCAPES.get(match[2].decode(), match[2])

    raw = re.sub(rb"\\(?:x([0-9A-Fa-f]{2})|(.))", replace, raw, flags=re.DOTALL)
    return raw if ended else raw + b"\n"
