"""Files as values: the answer to the prompt `pickFile`, and the value of an input with the role `file`."""

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
    kind = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
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
