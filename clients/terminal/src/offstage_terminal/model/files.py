"""The files that a person names by their paths."""

from __future__ import annotations

import base64
import mimetypes
from collections.abc import Mapping
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from .words import Words


class Mistake(Exception):
    """What the person typed cannot be taken; the sentence says why."""


def read(typed: str, params: Mapping[str, Any], words: Words) -> dict[str, Any]:
    """Reads a file as the answer to `pickFile`.

    Raises:
        Mistake: the file is not there, too large, of another type, or cut off.
    """
    path = Path(typed).expanduser()
    kind = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    most: int = params["maxBytes"]
    try:
        if not path.is_file():  # Reading from a device or a pipe may never end.
            raise Mistake(words("{path} is not a file.", path=path))
        size = path.stat().st_size
        if size > most:
            texts = {"name": path.name, "size": f"{size:,}", "most": f"{most:,}"}
            raise Mistake(words("{name} has {size} bytes. At most {most} are allowed.", **texts))
        with path.open("rb") as file:
            data = file.read(most + 1)
    except (OSError, ValueError) as error:
        raise Mistake(words("{path} cannot be read.", path=path)) from error
    if len(data) != size:
        raise Mistake(words("{path} is being written. Try again.", path=path))
    types: list[str] = params["types"]
    if types and not any(fnmatchcase(kind, pattern.lower()) for pattern in types):
        texts = {"name": path.name, "types": ", ".join(types)}
        raise Mistake(words("{name} is of another type. Choose a file of {types}.", **texts))
    content = base64.b64encode(data).decode()
    return {"name": path.name, "mimeType": kind, "size": size, "base64": content}


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
