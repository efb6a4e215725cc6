"""Files: those that an input or the prompt `pickFile` takes, and those that `saveFile` makes."""

from __future__ import annotations

import base64
import mimetypes
from collections.abc import Mapping
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from .errors import OffstageError
from .pointer import JSON
from .values import say_size


class FileRefused(OffstageError):
    """A file that the app would not take, or that cannot be read.

    Attributes:
        sentence: why, with the names of `values` in braces, so that it can be translated.
    """

    def __init__(self, sentence: str, **values: object) -> None:
        super().__init__(sentence.format(**values))
        self.sentence, self.values = sentence, values


def read_file(path: str | Path, accepts: Mapping[str, Any]) -> JSON:
    """Reads a file as the value of an input, or as an answer.

    Args:
        accepts: the media `types` and the `maxBytes` that the app takes: the `x-accepts` of an
            input, or the params of the prompt.

    Raises:
        FileRefused: the file is not there, too large, of another type, or cut off.
    """
    path = Path(path).expanduser()
    kind = media_type(path.name)
    most: int = accepts["maxBytes"]
    try:
        # Reading from a device or a pipe may never end.
        if not path.is_file():
            raise FileRefused("{path} is not a file.", path=path)
        size = path.stat().st_size
        if size > most:
            raise FileRefused(
                "{name} has {size}. At most {most} are allowed.",
                name=path.name,
                size=say_size(size, rounds_up=True),
                most=say_size(most),
            )
        with path.open("rb") as file:
            data = file.read(most + 1)
    except (OSError, ValueError) as error:
        raise FileRefused("{path} cannot be read.", path=path) from error
    if len(data) != size:
        raise FileRefused("{path} is being written. Try again.", path=path)
    types: list[str] = accepts["types"]
    if types and not any(fnmatchcase(kind, pattern.lower()) for pattern in types):
        raise FileRefused(
            "{name} is of another type. Choose a file of {types}.",
            name=path.name,
            types=", ".join(types),
        )
    content = base64.b64encode(data).decode()
    return {"name": path.name, "mimeType": kind, "size": size, "base64": content}


def media_type(name: str) -> str:
    """Returns the type of a file by its name: that of the archive for a compressed file."""
    kind, encoding = mimetypes.guess_type(name)
    if encoding:
        return f"application/{encoding}"
    return kind or "application/octet-stream"


def downloads(name: str) -> Path:
    """Returns the path of a download. A name with a folder would leave the one for downloads."""
    last = name.replace("\\", "/").rpartition("/")[2].lstrip(". ")
    folder = Path.home() / "Downloads"
    return (folder if folder.is_dir() else Path.cwd()) / (last or "file")


def save_file(path: str | Path, data: bytes) -> None:
    """Writes a new file.

    Raises:
        FileRefused: there is one already, or the folder does not take it.
    """
    path = Path(path).expanduser()
    try:
        with path.open("xb") as file:
            file.write(data)
    except FileExistsError as error:
        raise FileRefused(
            "{path} already exists. Choose another name.", path=path
        ) from error
    except (OSError, ValueError) as error:
        raise FileRefused("{path} cannot be written.", path=path) from error
