"""Writes single values for people, by the format and the unit in their schema."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from datetime import date, datetime
from datetime import time as time_of_day

from .pointer import JSON

_MARKS = re.compile(
    r"(?ms)^[ \t]*```[^`\n]*\n(?P<fenced>.*?)(?:\n[ \t]*```[ \t]*$|\Z)|"
    r"^[ \t]*(?P<heading>#{1,6})[ \t]+|`(?P<code>[^`\n]+)`|"
    r"\*\*(?=\S)(?P<bold>(?:[^*]|\*(?!\*))+?)(?<=\S)\*\*|"
    r"\*(?=[^\s*])(?P<italic>[^*\n]+?)(?<=\S)\*|"
    r"!?\[(?P<label>[^[\]]*)\]\((?P<url>(?i:https?://|mailto:|tel:)[^\s()<>]+)\)|!\["
)
_SYMBOLS = {"USD": "$", "EUR": "€", "GBP": "£", "JPY": "¥", "KRW": "₩"}
_WHOLE = {"JPY", "KRW"}


def say_scalar(value: JSON, schema: Mapping[str, JSON]) -> str:
    """Writes a text, a number, or a Boolean: by its title, its format, or its unit."""
    titles = schema.get("x-titles", {})
    key = value if isinstance(value, str) else json.dumps(value)
    if key in titles:
        return str(titles[key])
    if isinstance(value, bool):
        return "Yes" if value else "No"
    if write := _FORMATS.get(schema.get("format", "")):
        try:
            return write(value, schema)
        except (ValueError, TypeError, KeyError, OverflowError, OSError):
            return str(value)
    unit = schema.get("x-unit")
    return quantity(value, unit) if unit else number(value)


def say_size(count: int, *, rounds_up: bool = False) -> str:
    """Writes a number of bytes as a person would: 8 MB, also for 8 MiB.

    Args:
        rounds_up: True for the size of a file, which is then never written as a limit that it
            exceeds.
    """
    for unit, power in ("GB", 3), ("MB", 2), ("kB", 1):
        if count and count % 1024**power == 0 and not rounds_up:
            return f"{count // 1024**power:,} {unit}"
        size: int = 1000**power
        if count >= size:
            tenths = 10 if count < 10 * size else 1
            rounded = (
                -(-count * tenths // size) if rounds_up else count * tenths // size
            )
            return f"{rounded / tenths:,.15g} {unit}"
    return "1 byte" if count == 1 else f"{count} bytes"


def can_open(url: str) -> bool:
    """Returns True for an address that a browser may open.

    Others could name a file or a program.
    """
    return url.lower().startswith(("https://", "http://", "mailto:", "tel:"))


def plain(markdown: str) -> str:
    """Writes a text in Markdown without its marks. Emphasis touches the words that it marks.

    The address of a link is behind its text.
    """
    return _MARKS.sub(_unmarked, markdown)


def _unmarked(match: re.Match[str]) -> str:
    code = match["fenced"] if match["code"] is None else match["code"]
    if code is not None:
        return code
    if url := match["url"]:
        label = _MARKS.sub(_unmarked, match["label"])
        return f"{label} <{url}>" if label not in ("", url) else url
    if match["heading"]:
        return ""
    inner = match["bold"] or match["italic"]
    return "[" if inner is None else _MARKS.sub(_unmarked, inner)


def quantity(value: JSON, unit: str) -> str:
    """Writes 850 m, and 1200 m as 1.2 km."""
    if not isinstance(value, int | float) or isinstance(value, bool):
        return f"{value} {unit}"
    if unit == "B" and isinstance(value, int):
        return say_size(value)
    if unit in ("m", "g") and abs(value) >= 1000:
        return f"{number(round(value / 1000, 1))} k{unit}"
    return f"{number(value)} {unit}"


def number(value: JSON) -> str:
    """Writes 1048576 as 1,048,576. Anything that is not a number as Python writes it."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return str(value)
    if isinstance(value, float) and abs(value) >= 1e15:
        return str(value)
    whole, point, fraction = f"{value:,}".partition(".")
    return whole if fraction.strip("0") == "" else whole + point + fraction


def say_time(value: JSON) -> str:
    """Writes seconds since 1970, or an ISO 8601 time, in this machine's time zone."""
    try:
        time = (
            datetime.fromisoformat(value)
            if isinstance(value, str)
            else datetime.fromtimestamp(value)
        )
    except (ValueError, OverflowError, OSError):
        return str(value)
    return time.astimezone().strftime("%Y-%m-%d %H:%M")


def say_duration(seconds: float) -> str:
    """Writes 3725 as 1 h 2 min 5 s."""
    rest, parts = abs(seconds), list[str]()
    for unit, length in ("d", 86_400), ("h", 3600), ("min", 60):
        if count := int(rest // length):
            parts.append(f"{count} {unit}")
        rest %= length
    if rest or not parts:
        parts.append(f"{number(round(rest, 1))} s")
    return ("-" if seconds < 0 else "") + " ".join(parts)


def _money(value: JSON, schema: Mapping[str, JSON]) -> str:
    currency = schema.get("x-currency", "")
    amount, sign = float(value), "-" if float(value) < 0 else ""
    text = f"{abs(amount):,.{0 if currency in _WHOLE else 2}f}"
    symbol = _SYMBOLS.get(currency)
    return f"{sign}{symbol}{text}" if symbol else f"{sign}{text} {currency}".rstrip()


def _coordinate(value: JSON, _: Mapping[str, JSON]) -> str:
    latitude, longitude = float(value["latitude"]), float(value["longitude"])
    south, west = "NS"[latitude < 0], "EW"[longitude < 0]
    return f"{abs(latitude):.5f}° {south}, {abs(longitude):.5f}° {west}"


_FORMATS: Mapping[str, Callable[[JSON, Mapping[str, JSON]], str]] = {
    "unix-time": lambda value, _: say_time(value),
    "date-time": lambda value, _: say_time(value),
    "date": lambda value, _: date.fromisoformat(value).isoformat(),
    "time": lambda value, _: time_of_day.fromisoformat(value).strftime("%H:%M"),
    "duration-seconds": lambda value, _: say_duration(value),
    "percent": lambda value, _: f"{number(round(value * 100, 1))}%",
    "money": _money,
    "coordinate": _coordinate,
}
