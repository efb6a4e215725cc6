"""Descriptions write values as one line for people."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import pytest

from offstage.description import Description

TEXT = {"type": "string"}
TIME = datetime(2026, 1, 2, 3, 4).astimezone()


@pytest.mark.parametrize(
    ("value", "schema", "said"),
    [
        (None, TEXT, ""),
        ("Kim", TEXT, "Kim"),
        (3, {"type": "integer", "x-unit": "m"}, "3 m"),
        (
            {"id": 1, "name": "Kim", "isNew": True, "isOld": False},
            {
                "properties": {
                    "id": {"type": "integer", "x-role": "hidden"},
                    "name": TEXT,
                    "isNew": {"type": "boolean"},
                },
                "x-titles": {"isNew": "New"},
            },
            "Kim · New",
        ),
        (
            {"screen": "map", "row": "3"},
            {"type": "object", "additionalProperties": TEXT},
            "screen: map · row: 3",
        ),
        ({"a": [1, 2], "b": None}, {"additionalProperties": True}, "a: 1, 2"),
        (
            int(TIME.timestamp()),
            {"type": "integer", "format": "unix-time", "x-unit": "s"},
            "2026-01-02 03:04",
        ),
        (TIME.isoformat(), {**TEXT, "format": "date-time"}, "2026-01-02 03:04"),
        ("soon", {**TEXT, "format": "date-time"}, "soon"),
        (1e300, {"type": "number", "format": "unix-time"}, "1e+300"),
    ],
)
def test_a_value_is_said_in_one_line(value: Any, schema: Any, said: str) -> None:
    assert Description({}).say(value, schema) == said
