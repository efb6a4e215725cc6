"""The files that a person names by their paths."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from contextlib import contextmanager
from typing import Any

from offstage import FileRefused, say_size

from .words import Words


class Mistake(Exception):
    """What the person typed cannot be taken; the sentence says why."""


@contextmanager
def told(words: Words) -> Generator[None]:
    """Tells why a file cannot be read or written as a `Mistake`."""
    try:
        yield
    except FileRefused as refused:
        raise Mistake(words(refused.sentence, **refused.values)) from refused


def say(accepts: Mapping[str, Any], words: Words) -> str:
    """Says which files the app takes."""
    most = words("at most {most}", most=say_size(accepts["maxBytes"]))
    return " · ".join([*accepts["types"], most])
