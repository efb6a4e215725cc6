"""Descriptions write values as one line for people."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import pytest

from offstage import JSON, Description, Port, ScreenDescription

TEXT = {"type": "string"}
ROOM = {
    "type": "string",
    "enum": ["kitchen", "attic"],
    "x-titles": {"attic": "Under the roof"},
}
NUMBER = {"type": "number"}
PDF, ONCE = "(application/pdf)", "Once upon"
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
        ("2026-02-03", {**TEXT, "format": "date"}, "2026-02-03"),
        ("09:30:00", {**TEXT, "format": "time"}, "09:30"),
        (1048576, NUMBER, "1,048,576"),
        (2.50, NUMBER, "2.5"),
        (3.0, NUMBER, "3"),
        (1200, {**NUMBER, "x-unit": "m"}, "1.2 km"),
        (850, {**NUMBER, "x-unit": "m"}, "850 m"),
        (1234500, {**NUMBER, "format": "money", "x-currency": "KRW"}, "₩1,234,500"),
        ("12.5", {**TEXT, "format": "money", "x-currency": "USD"}, "$12.50"),
        (-3, {**NUMBER, "format": "money", "x-currency": "CHF"}, "-3.00 CHF"),
        (0.25, {**NUMBER, "format": "percent"}, "25%"),
        (3725, {**NUMBER, "format": "duration-seconds"}, "1 h 2 min 5 s"),
        (0, {**NUMBER, "format": "duration-seconds"}, "0 s"),
        (
            {"latitude": 37.5665, "longitude": -0.1},
            {"format": "coordinate", "properties": {"latitude": NUMBER}},
            "37.56650° N, 0.10000° W",
        ),
        (None, {"type": ["number", "null"], "format": "percent"}, ""),
        (False, {"type": "boolean"}, "No"),
        (True, {"type": "boolean"}, "Yes"),
        (False, {"type": "boolean", "x-titles": {"false": "Off"}}, "Off"),
        ("resource:a.png", {**TEXT, "contentMediaType": "image/*"}, "(picture)"),
        ("resource:a.pdf", {**TEXT, "contentMediaType": "application/pdf"}, PDF),
        (["Once ", "upon"], {"type": "array", "items": TEXT, "x-role": "text"}, ONCE),
        ([" a", "b"], {"type": "array", "items": TEXT}, " a, b"),
        (
            {"id": 7, "note": "Below", "name": "Above", "alt": "A face"},
            {
                "properties": {
                    "id": {**NUMBER, "x-role": "hidden"},
                    "note": {**TEXT, "x-role": "subtitle"},
                    "name": {**TEXT, "x-role": "title"},
                    "alt": {**TEXT, "x-role": "alt"},
                }
            },
            "Above · Below · A face",
        ),
    ],
)
def test_a_value_is_said_in_one_line(value: Any, schema: Any, said: str) -> None:
    assert Description({}).say(value, schema) == said


def screen(**groups: Any) -> ScreenDescription:
    return Description({"x-screens": {"one": groups}}).screens["one"]


def test_a_failure_says_its_sentence_and_whether_to_try_again() -> None:
    relations = {
        "x-role": "failure",
        "x-message": "why",
        "x-retryable": "helps",
        "x-retry": "again",
    }
    about = screen(outputs={"text": {"x-role": "failure"}, "object": relations})
    text, whole = about.outputs.values()
    assert (text.message("No."), text.message(None)) == ("No.", "")
    assert text.can_retry("No.") and not text.can_retry(None)
    assert whole.message({"why": "No.", "helps": False}) == "No."
    assert whole.can_retry({"helps": True}) and not whole.can_retry({"helps": False})
    assert about.offered == {"again"}


def test_an_output_is_about_lists() -> None:
    about = screen(
        outputs={
            "all": {"x-role": "busy"},
            "one": {"x-role": "busy", "x-of": ["shelves"]},
        }
    )
    assert [port.name for port in about.about_list("busy", "shelves/*/cards")] == [
        "all",
        "one",
    ]
    assert [port.name for port in about.about_list("busy", "other")] == ["all"]


def test_actions_that_destroy_come_last() -> None:
    rows = [{"list": "notes", "member": "id"}]
    row = {"x-role": "row", "x-rows": rows}
    move = {
        "x-role": "move",
        "x-rows": [{"list": "notes", "members": {"id": "notes/*/id"}, "before": "to"}],
    }
    about = screen(
        inputs={
            "delete": {**row, "x-weight": "destructive"},
            "star": {**row, "x-shows": "notes/*/isOn"},
            "move": move,
        }
    )
    notes = [{"id": 1, "isOn": True}, {"id": 2, "isOn": False}]
    actions = list(about.row_actions("notes", notes, 0))
    assert [port.name for _, port, _ in actions] == ["star", "move", "delete"]
    star = about.inputs["star"]
    assert [star.is_shown(note) for note in notes] == [True, False]
    assert about.inputs["delete"].is_shown(notes[0]) is None


@pytest.mark.parametrize(
    ("text", "schema", "value"),
    [
        ("yes", {"type": "boolean"}, True),
        ("No", {"type": "boolean"}, False),
        ("true", {"type": "boolean"}, True),
        ("open", {"type": "boolean", "x-titles": {"true": "Open"}}, True),
        ("Under the roof", ROOM, "attic"),
        ("kitchen", ROOM, "kitchen"),
        ("7", TEXT, "7"),
        ("7", {"type": "integer"}, 7),
        ("Kim, Lee", {"type": "array", "items": TEXT}, ["Kim, Lee"]),
        (
            '["Kim, Lee", "Park"]',
            {"type": "array", "items": TEXT},
            ["Kim, Lee", "Park"],
        ),
        ("", {"type": "array", "items": TEXT}, []),
        ("1, 2", {"type": "array", "items": {"type": "integer"}}, [1, 2]),
        ("", {"type": "object"}, {}),
        ("", {"type": "null"}, None),
    ],
)
def test_typed_values_are_parsed(text: str, schema: Any, value: Any) -> None:
    assert Description({}).parse(text, schema) == value


def test_a_prompt_without_a_title_has_its_kind() -> None:
    prompts = Description({"x-prompts": {"pickRoom": {"answer": ROOM}}}).prompts
    assert prompts["pickRoom"] == {"title": "Pick room", "answer": ROOM}


def test_progress_is_a_share() -> None:
    counts = {"x-role": "progress", "x-done": "done", "x-total": "total"}
    about = screen(outputs={"share": {"x-role": "progress"}, "counts": counts})
    share, counted = about.outputs.values()
    assert (share.share(0.25), share.share(None)) == (0.25, None)
    assert counted.share({"done": 2, "total": 5}) == 0.4
    assert counted.share({"done": 3, "total": 0}) == 0
    assert counted.share(None) is None


def test_a_table_is_sorted_by_a_column_and_then_the_other_way_round() -> None:
    rows = {"list": "songs", "column": "by", "descending": "down"}
    about = screen(inputs={"order": {"x-role": "sort", "x-rows": [rows]}})
    assert about.sort_input("albums") is None
    found = about.sort_input("songs")
    assert found and found[0].name == "order"
    assert found[1].order(None) is None
    now: Any = None
    for column, expected in (
        ("name", False),
        ("name", True),
        ("name", False),
        ("size", False),
    ):
        now = found[1].sorting(now, column)
        assert now == {"by": column, "down": expected}
        assert found[1].order(now) == (column, expected)


def test_a_table_has_a_text_for_each_column() -> None:
    members: JSON = {
        "id": {"type": "integer", "x-role": "hidden"},
        "name": TEXT,
        "cost": {"type": ["integer", "null"], "x-unit": "kg"},
        "isHot": {"type": "boolean"},
        "share": {"type": "number", "x-role": "progress"},
        "face": {**TEXT, "x-role": "picture", "contentMediaType": "image/*"},
        "alt": {**TEXT, "x-role": "alt"},
    }
    table: JSON = {"type": "array", "items": {"type": "object", "properties": members}}
    describe = Description({})
    titles = [port.title for port in describe.columns(table)]
    assert titles == ["Name", "Cost", "Is hot", "Share", "Face"]
    row: JSON = {"id": 1, "name": "Tea", "cost": None, "isHot": False, "share": 0.5}
    row |= {"face": "resource:a", "alt": "A cup"}
    assert describe.cells(row, table) == ["Tea", "–", "No", "50%", "A cup"]
    row |= {"cost": 3, "isHot": True, "alt": ""}
    assert describe.cells(row, table) == ["Tea", "3 kg", "Yes", "50%", "(picture)"]


def test_progress_is_said_as_a_share_or_by_its_members() -> None:
    describe = Description({})
    share = Port("share", {}, "Share", {"x-role": "progress"})
    says: JSON = {
        "x-role": "progress",
        "x-done": "a",
        "x-total": "b",
        "x-unit": "boxes",
    }
    counts = Port("counts", {}, "Counts", says)
    assert describe.say_member(0.25, share) == "25%"
    assert describe.say_member({"a": 2, "b": 5}, counts) == "2 of 5 boxes"
    assert describe.say_member({"a": 0, "b": 0}, counts) == "0 of 0 boxes"
    assert describe.say_member(None, counts) == ""
