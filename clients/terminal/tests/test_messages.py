"""The messages of a long chat, of which the document has a window."""

from __future__ import annotations

import asyncio
import json
import shutil
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from offstage_terminal.screens.messages import Bubble, Messages
from offstage_terminal.widgets import keys

from .conftest import Person, using

pytestmark = pytest.mark.long

CHAT = ("--deterministic", "--root", 'chat {"avatarId":"mina"}')


@pytest.fixture(autouse=True)
def patient_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a busy machine, a key may take longer than a person waits for it."""
    monkeypatch.setattr(keys, "LONGEST", 600)


@pytest.fixture(scope="module")
def talked(showcase: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The data of a person who has sent 100 messages, and got as many replies."""
    data = tmp_path_factory.mktemp("talked")
    calls: list[tuple[str, Any]] = []
    for number in range(100):
        message = {"screen": "1", "name": "messageText", "value": f"Message {number}."}
        calls.append(("input", message))
        calls.append(("input", {"screen": "1", "name": "send"}))
        calls.append(("clock/advance", {"milliseconds": 10_000}))
    lines = [
        json.dumps({"jsonrpc": "2.0", "id": id, "method": method, "params": params})
        for id, (method, params) in enumerate(calls, 1)
    ]
    command = [showcase, *CHAT, "--data", str(data)]
    text = "\n".join(lines) + "\n"
    subprocess.run(command, input=text, text=True, stdout=subprocess.DEVNULL, check=True)
    return data


def messages(person: Person) -> Messages:
    return person.page.query_one(Messages)


def seen(person: Person) -> list[tuple[int, int]]:
    """The ids of the visible messages, and how far below the edge each is."""
    list = messages(person)
    top = list.scroll_offset.y
    return [
        (bubble.message["id"], bubble.virtual_region.y - top)
        for bubble in list.query_children(Bubble)
        if 0 < bubble.virtual_region.bottom - top
        and bubble.virtual_region.y - top < list.size.height
    ]


async def test_a_long_chat_opens_at_its_newest_message(showcase: str, talked: Path) -> None:
    async with using(showcase, *CHAT, "--data", str(talked)) as person:
        window = person.page.output["messages"]
        assert (window["count"], len(window["rows"])) == (200, 50)
        assert "Message 99." in person.text and seen(person)[-1][0] == 200


async def test_older_messages_come_as_the_user_scrolls_up(showcase: str, talked: Path) -> None:
    async with using(showcase, *CHAT, "--data", str(talked)) as person:
        messages(person).focus()
        ids: list[int] = []
        while seen(person)[0] != (1, 0):
            before = seen(person)
            await person.press("pageup")
            now = seen(person)
            # Each page ends where the one before it begins.
            assert now[0] < before[0] and now[-1][0] >= before[0][0] - 1, (before, now)
            ids += [id for id, _ in reversed(now) if id not in ids]
        assert ids == sorted(ids, reverse=True) and "Message 0." in person.text
        assert len(messages(person).query_children(Bubble)) < 150
        await person.press("end")
        assert "Message 99." in person.text
        await person.press("home")
        assert "Message 0." in person.text and seen(person)[0][0] == 1


async def test_no_key_is_lost_as_older_messages_arrive(showcase: str, talked: Path) -> None:
    async with using(showcase, *CHAT, "--data", str(talked)) as person:
        messages(person).focus()
        moves: list[int] = []
        while (first := seen(person)[0]) != (1, 0):
            person.app.simulate_key("pageup")
            # Longer each time, so that the second key comes before, with, and after an answer.
            for _ in range(3 * len(moves)):
                await asyncio.sleep(0)
            await person.press("pageup")
            moves.append(first[0] - seen(person)[0][0])
        # What two pages hold, and what is left at the beginning.
        assert {*moves[:-1]} <= {23, 24} and len(moves) == 9


async def test_a_reply_does_not_move_what_is_read_further_up(showcase: str, talked: Path) -> None:
    async with using(showcase, *CHAT, "--data", str(talked)) as person:
        messages(person).focus()
        await person.press("pageup", "pageup")
        before = seen(person)
        await person.do(person.app.core.input("1", "messageText", "One more."))
        await person.do(person.app.core.input("1", "send"))
        for _ in range(3):
            await person.do(person.app.core.advance(50))
            assert seen(person) == before
        await person.press("end")
        assert "One more." in person.text and "▍" in person.text
        # At the end, what comes is followed.
        await person.do(person.app.core.advance(10_000))
        list = messages(person)
        assert "▍" not in person.text and list.is_vertical_scroll_end


async def test_messages_that_cannot_be_read_are_asked_for_again(
    showcase: str, talked: Path, tmp_path: Path
) -> None:
    data = shutil.copytree(talked, tmp_path / "data")

    def rename(old: str, new: str) -> None:
        with closing(sqlite3.connect(data / "showcase.sqlite")) as database:
            database.execute(f"ALTER TABLE {old} RENAME TO {new}")

    async with using(showcase, *CHAT, "--data", str(data)) as person:
        messages(person).focus()
        rename("messages", "gone")
        await person.press("home")
        failure = person.page.output["messages"]["failure"]
        assert failure and failure.split()[0] in person.text and seen(person)[0][0] > 1
        rename("gone", "messages")
        await person.press("home")
        assert "Message 0." in person.text and not person.page.output["messages"]["failure"]
