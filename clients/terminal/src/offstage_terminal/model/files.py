"""The files that a person names by their paths."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from offstage import FileRefused, read_file, say_size

from .words import Words


class Mistake(Exception):
    """What the person typed cannot be taken; the sentence says why."""


def read(typed: str, accepts: Mapping[str, Any], words: Words) -> Any:
    """Reads a file as the answer to `pickFile`, or as the value of an input.

    Raises:
        Mistake: the file is not there, too large, of another type, or cut off.
    """
    try:
        return read_file(typed, accepts)
    except FileRefused as refused:
        raise Mistake(words(refused.sentence, **refused.values)) from refused


def say(accepts: Mapping[str, Any], words: Words) -> str:
    """Says which files the app takes."""
    most = words("at most {most}", most=say_size(accepts["maxBytes"]))
    return " · ".join([*accepts["types"], most])


def suggested(name: str) -> Path:
    """Returns the path in the folder for downloads. A name with a folder would leave it."""
    last = name.replace("\\", "/").rpartition("/")[2].lstrip(". ")
    downloads = Path.home() / "Downloads"
    return (downloads if downloads.is_dir() else Path.cwd()) / (last or "file")


def save(typed: str, data: bytes, words: Words) -> None:
    """Writes a new file.

    Raises:
        Mistake: there is one already, or the folder does not take it.
    """
    path = Path(typed).expanduser()
    try:
        with path.open("xb") as file:
            file.write(data)
    except FileExistsError as error:
        raise Mistake(words("{path} already exists. Choose another name.", path=path)) from error
    except (OSError, ValueError) as error:
        raise Mistake(words("{path} cannot be written.", path=path)) from error
