"""Files are read and written only as asked."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from offstage import FileRefused, downloads, read_file, save_file


@pytest.mark.parametrize(
    ("name", "size", "types", "sentence"),
    [
        ("a.png", 4, ["image/*"], "a.png has 4 bytes. At most 3 bytes are allowed."),
        ("a.txt", 3, ["image/*", "text/csv"], "a.txt is of another type."),
        ("a.txt.gz", 3, ["text/*"], "a.txt.gz is of another type."),
        ("a.txt.gz", 3, ["application/gzip"], ""),
        ("a.png", 3, ["IMAGE/png"], ""),
        ("a.txt", 0, [], ""),
        ("fifo", 0, [], "is not a file."),
        ("no/such", 0, [], "is not a file."),
        ("nul\0", 0, [], "is not a file."),
    ],
)
def test_a_file_is_read_only_as_asked(
    tmp_path: Path, name: str, size: int, types: list[str], sentence: str
) -> None:
    path = tmp_path / name
    if name == "fifo":
        os.mkfifo(path)
    elif "/" not in name and "\0" not in name:
        path.write_bytes(b"x" * size)
    params: dict[str, Any] = {"types": types, "maxBytes": 3}
    if not sentence:
        assert read_file(path, params)["size"] == size
        return
    with pytest.raises(FileRefused, match=sentence):
        read_file(path, params)


@pytest.mark.parametrize(
    ("name", "last"),
    [
        ("../../.ssh/id", "id"),
        ("..\\boot.ini", "boot.ini"),
        (".bashrc", "bashrc"),
        ("..", "file"),
    ],
)
def test_a_suggested_name_stays_in_its_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, last: str
) -> None:
    (tmp_path / "Downloads").mkdir()
    monkeypatch.setenv("HOME", str(tmp_path))
    assert downloads(name) == tmp_path / "Downloads" / last
    with pytest.raises(FileRefused, match="cannot be written"):
        save_file(tmp_path / "none" / last, b"")
