"""Where an app keeps what was open, so that it goes on there the next time."""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

from offstage import OffstageError, ProtocolError, describe

MOST = 50
"""The most places to keep. Beyond it, the one that was unused for longest is removed."""


def with_place(command: Sequence[str]) -> list[str]:
    """Adds the folder for the state of a core to its command, if the core takes one.

    Each command has a folder of its own, since its arguments may name other data.

    Raises:
        CoreStopped: the command does not start.
    """
    plain = [*command]
    if not any(option in plain for option in ("--state", "--watch", "--deterministic")):
        placed = [*plain, "--state", str(_folder(plain))]
        with suppress(OffstageError):  # A mistake, or a core that does not take the option.
            describe(*placed)
            return placed
    with suppress(ProtocolError):  # A core need not describe itself before it runs.
        describe(*plain)
    return plain


def _folder(command: Sequence[str]) -> Path:
    base = Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local/state")
    places = base / "offstage-terminal"
    places.mkdir(mode=0o700, parents=True, exist_ok=True)
    program = Path(command[0])
    key = sha256("\0".join([str(program.resolve()), *command[1:]]).encode()).hexdigest()
    folder = places / f"{program.name}-{key[:16]}"
    others = sorted((each for each in places.iterdir() if each != folder), key=_used)
    for each in others[: max(0, len(others) - MOST + 1)]:
        shutil.rmtree(each, ignore_errors=True)
    folder.mkdir(mode=0o700, exist_ok=True)
    os.utime(folder)
    return folder


def _used(folder: Path) -> float:
    return folder.stat().st_mtime
