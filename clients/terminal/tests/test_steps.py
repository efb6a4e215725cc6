"""Dates, times, and numbers have a next value, and say what is wrong with them."""

from __future__ import annotations

from typing import Any

import pytest

from offstage_terminal.model.steps import fault, hint, step
from offstage_terminal.model.words import Words
from offstage_terminal.widgets.fields import ValueField

from .conftest import using

DATE, TIME = {"type": "string", "format": "date"}, {"type": "string", "format": "time"}
SEATS = {"type": "integer", "minimum": 1, "maximum": 8}
PARTY = {"properties": {"count": SEATS, "name": {"type": "string"}}, "required": ["count"]}
QUARTERS = {"type": "number", "minimum": 0, "maximum": 1, "multipleOf": 0.25}
HALF = {"type": ["number", "null"], "multipleOf": 0.1}


@pytest.mark.parametrize(
    ("value", "schema", "by", "next"),
    [
        ("2026-02-28", DATE, 1, "2026-03-01"),
        ("2026-01-01", DATE, -1, "2025-12-31"),
        ("soon", DATE, 1, None),
        ("23:50", TIME, 1, "00:05"),
        ("2026-01-31T09:30:00+00:00", {"format": "date-time"}, 1, "2026-02-01T09:30:00+00:00"),
        (8, SEATS, 1, 8),
        (1, SEATS, -1, 1),
        (None, SEATS, 1, 2),
        (0.2, HALF, 1, 0.3),
        (0.75, QUARTERS, 1, 1),
        ("Kim", {"type": "string"}, 1, None),
    ],
)
def test_a_value_has_a_next_one(value: Any, schema: Any, by: int, next: Any) -> None:
    assert step(value, schema, by) == next


@pytest.mark.parametrize(
    ("value", "schema", "at", "by", "next"),
    [
        ("2026-01-31", DATE, 0, 1, "2027-01-31"),
        ("2024-02-29", DATE, 4, -1, "2023-02-28"),
        ("2026-01-31", DATE, 5, 1, "2026-02-28"),
        ("2026-01-31", DATE, 7, -1, "2025-12-31"),
        ("2026-01-31", DATE, 10, 1, "2026-02-01"),
        ("9999-12-31", DATE, 0, 1, None),
        ("09:30", TIME, 2, 1, "10:30"),
        ("09:30", TIME, 5, -1, "09:15"),
        ("2026-01-31T09:30:00+00:00", {"format": "date-time"}, 12, 1, "2026-01-31T10:30:00+00:00"),
    ],
)
def test_the_part_at_the_cursor_is_stepped(
    value: Any, schema: Any, at: int, by: int, next: Any
) -> None:
    assert step(value, schema, by, at) == next


@pytest.mark.parametrize(
    ("value", "schema", "said"),
    [
        ("2026-02-30", DATE, "For example 2026-01-31"),
        ("2026-02-28", DATE, ""),
        ("9", SEATS, "Enter a number"),
        (9, SEATS, "1 to 8"),
        (3, SEATS, ""),
        (-1, {"type": "integer", "minimum": 0}, "0 to …"),
        (None, SEATS, ""),
        (0.3, QUARTERS, "A multiple of 0.25"),
        (0.75, QUARTERS, ""),
        (0.3, HALF, ""),
        (2, QUARTERS, "0 to 1"),
        ({"count": "milk"}, PARTY, "Enter a number"),
        ({"name": "Kim", "count": 9}, PARTY, "1 to 8"),
        ({"count": 2}, PARTY, ""),
        ({}, PARTY, "For example count name"),
    ],
)
def test_a_wrong_value_says_what_is_right(value: Any, schema: Any, said: str) -> None:
    assert fault(value, schema, Words("en")) == said


def test_an_empty_field_says_what_it_takes() -> None:
    words = Words("en")
    assert hint(SEATS, words) == "1 to 8"
    assert hint(TIME, words) == "09:30"
    assert hint({"type": "array"}, words) == "Separate with commas"
    assert hint({"type": "array", "items": {"type": "string"}}, words) == '["…", "…"]'


@pytest.mark.long
async def test_a_number_in_its_range_is_sent(cart: str) -> None:
    async with using(cart, size=(100, 60)) as person:
        values = person.inputs("grow")
        field = next(each for each in person.page.query(ValueField) if each.input == "grow")
        field.query_one("Input").focus()
        await person.type("101")
        await person.press("enter")
        assert values == [] and "0 to 100" in person.text
        await person.press("ctrl+up")
        assert values == [1]
