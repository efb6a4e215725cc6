"""The folders with the visitors' data."""

from __future__ import annotations

import os
import shutil
from collections.abc import Collection
from pathlib import Path


class Folders:
    """Keeps a folder for each visitor, up to a limit.

    Args:
        limit: the maximum number. Beyond it, the least recently used folders are removed.
    """

    def __init__(self, path: Path, limit: int) -> None:
        self._path = path
        self._limit = limit

    def take(self, name: str, in_use: Collection[str]) -> Path:
        """Returns a visitor's folder, after making room for it.

        Args:
            in_use: the names of folders to keep.
        """
        folder = self._path / name
        if not folder.exists():
            others = [each for each in self._path.iterdir() if each.is_dir()]
            idle = [each for each in others if each.name not in in_use]
            idle.sort(key=lambda each: each.stat().st_mtime_ns)
            for each in idle[: max(0, len(others) + 1 - self._limit)]:
                shutil.rmtree(each, ignore_errors=True)
        folder.mkdir(mode=0o700, exist_ok=True)
        os.utime(folder)
        return folder
