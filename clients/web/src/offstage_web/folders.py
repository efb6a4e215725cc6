"""The folders with the visitors' data."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Collection
from pathlib import Path

MARK = ".offstage-web"
"""The file that tells a directory of visitors' folders from any other."""
NAME = re.compile("[0-9a-f]{32}|shared")


class Folders:
    """Keeps a folder for each visitor, up to a limit, in a directory of their own.

    Args:
        limit: the maximum number. Beyond it, the least recently used folders are removed.

    Raises:
        ValueError: the directory holds something else.
    """

    def __init__(self, path: Path, limit: int) -> None:
        self._path = path
        self._limit = limit
        path.mkdir(parents=True, exist_ok=True, mode=0o700)
        entries = list(path.iterdir())
        if not entries:
            (path / MARK).touch()
        elif path / MARK not in entries:
            raise ValueError(
                f"{path} is not empty, and was not made by offstage-web; name another "
                f"directory, or create {path / MARK} if an earlier version made it"
            )
        for each in entries:
            if each.name != MARK and not _is_own(each):
                raise ValueError(f"{each} is not a visitor's folder; move it away")

    def take(self, name: str, in_use: Collection[str]) -> Path:
        """Returns a visitor's folder, after making room for it.

        Args:
            in_use: the names of folders to keep.
        """
        folder = self._path / name
        if not folder.exists():
            others = [each for each in self._path.iterdir() if _is_own(each)]
            idle = [each for each in others if each.name not in in_use]
            idle.sort(key=lambda each: each.stat().st_mtime_ns)
            for each in idle[: max(0, len(others) + 1 - self._limit)]:
                shutil.rmtree(each, ignore_errors=True)
        folder.mkdir(mode=0o700, exist_ok=True)
        os.utime(folder)
        return folder


def _is_own(folder: Path) -> bool:
    is_folder = folder.is_dir() and not folder.is_symlink()
    return is_folder and NAME.fullmatch(folder.name) is not None
