"""Values that a person types: what they look like, what is wrong with them, and the next one."""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Mapping
from datetime import date, datetime, time, timedelta
from typing import Any, TypeVar

from .words import Words

FORMATS: Mapping[str, tuple[Any, str]] = {
    "date": (date, "2026-01-31"),
    "time": (time, "09:30"),
    "date-time": (datetime, "2026-01-31T09:30:00Z"),
}


def _is_number(schema: Mapping[str, Any]) -> bool:
    return bool({"integer", "number"} & {*_kinds(schema)})


def _kinds(schema: Mapping[str, Any]) -> list[str]:
    kinds: Any = schema.get("type", [])
    return [kinds] if isinstance(kinds, str) else kinds


def hint(schema: Mapping[str, Any], words: Words) -> str:
    """Returns what a value looks like: an example, or the range of a number."""
    if known := FORMATS.get(schema.get("format", "")):
        return known[1]
    low, high = schema.get("minimum"), schema.get("maximum")
    if low is not None and high is not None:
        return words("{low} to {high}", low=low, high=high)
    if "array" not in _kinds(schema):
        return ""
    is_words = "string" in _kinds(schema.get("items", {}))
    return '["…", "…"]' if is_words else words("Separate with commas")


def fault(value: Any, schema: Mapping[str, Any], words: Words) -> str:
    """Returns what is wrong with a value; empty if nothing is."""
    if value is None:
        return ""
    if members := schema.get("properties"):
        return _fault_of_members(value, schema, members, words)
    if known := FORMATS.get(schema.get("format", "")):
        try:
            known[0].fromisoformat(value)
        except (ValueError, TypeError):
            return words("For example {example}", example=known[1])
    if not _is_number(schema):
        return ""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return words("Enter a number")
    low, high = schema.get("minimum"), schema.get("maximum")
    if low is not None and value < low or high is not None and value > high:
        return words(
            "{low} to {high}", low="…" if low is None else low, high="…" if high is None else high
        )
    size = schema.get("multipleOf")
    if size and abs(value / size - round(value / size)) > 1e-9 * max(1, abs(value / size)):
        return words("A multiple of {size}", size=size)
    return ""


def _fault_of_members(
    value: Any, schema: Mapping[str, Any], members: Mapping[str, Any], words: Words
) -> str:
    given: Mapping[str, Any] = value if isinstance(value, Mapping) else {}  # pyright: ignore
    if any(given.get(name) is None for name in schema.get("required", ())):
        return words("For example {example}", example=" ".join(members))
    faults = (fault(given.get(name), member, words) for name, member in members.items())
    return next(filter(None, faults), "")


def step(value: Any, schema: Mapping[str, Any], by: int, at: int | None = None) -> Any:
    """Returns the value after, or before, another one; None if values have no order.

    Args:
        at: the place of the cursor in a day or a time, whose part there is stepped.
    """
    try:
        match schema.get("format"):
            case "date":
                day = date.fromisoformat(value) if value else date.today()
                return _shift(day, _part(at, "day"), by).isoformat()
            case "time":
                now = datetime.combine(date.today(), time.fromisoformat(value or "12:00"))
                part = _part(None if at is None else at + len("2026-01-31T"), "minute")
                return _shift(now, part, by).time().isoformat("minutes")
            case "date-time":
                now = datetime.fromisoformat(value) if value else datetime.now().astimezone()
                return _shift(now, _part(at, "day"), by).isoformat(timespec="seconds")
            case _:
                pass
    except (ValueError, TypeError, OverflowError):
        return None
    if not _is_number(schema):
        return None
    size = schema.get("multipleOf") or 1
    low, high = schema.get("minimum"), schema.get("maximum")
    start = low if low is not None else 0
    next = round((value if value is not None else start) + by * size, 10)
    next = next if low is None else max(low, next)
    next = next if high is None else min(high, next)
    return int(next) if "integer" in _kinds(schema) else next


# Where each part of a time ends.
_ENDS = {"year": 4, "month": 7, "day": 10, "hour": 13}


def _part(at: int | None, default: str) -> str:
    """Returns the part of a time at a place."""
    if at is None:
        return default
    return next((part for part, end in _ENDS.items() if at <= end), "minute")


Day = TypeVar("Day", bound=date)


def _shift(day: Day, part: str, by: int) -> Day:
    """Returns the time some years, months, days, hours, or quarters of an hour later."""
    match part:
        case "year" | "month":
            year, month = divmod(
                day.year * 12 + day.month - 1 + by * (12 if part == "year" else 1), 12
            )
            last = monthrange(year, month + 1)[1]
            return day.replace(year=year, month=month + 1, day=min(day.day, last))
        case "day":
            return day + timedelta(days=by)
        case "hour":
            return day + timedelta(hours=by)
        case _:
            return day + timedelta(minutes=15 * by)
