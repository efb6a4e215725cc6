"""The sessions of visitors who come and go."""

from __future__ import annotations

import asyncio
from typing import Any
from unittest.mock import Mock

from offstage import CoreStopped

from offstage_web.cores import Cores
from offstage_web.page import Limits
from offstage_web.visitors import Visitors

from .conftest import run


class Away(Cores):
    """A host that is away, which takes a moment to notice."""

    def __init__(self) -> None:
        super().__init__("unix:nowhere")

    async def connect(self) -> Any:
        for _ in range(3):
            await asyncio.sleep(0)
        raise CoreStopped("no host")


def test_a_page_that_comes_while_its_session_is_parked_leaves_nothing() -> None:
    async def scene(pause: int) -> None:
        visitors = Visitors(Away(), Limits(linger=0))
        for steps in (pause, 40):
            visitor = visitors.admit("someone")
            assert visitor
            session = visitor.session("", has_room=not visitor.sessions)
            # It takes a moment to close the connection of a page.
            page = Mock(finish=lambda: asyncio.sleep(0))
            await visitors.attend(page, session, visitor)
            ending = session.ending
            for _ in range(steps):
                await asyncio.sleep(0)
        assert ending
        await ending
        assert visitors.find("someone") is None

    # The second page comes at each step of the parking.
    for pause in range(10):
        run(scene(pause))


def test_a_new_tab_goes_on_where_one_was_closed_that_still_seems_to_be_open() -> None:
    visitors = Visitors(Away(), Limits())
    visitor = visitors.admit("someone")
    assert visitor
    session = visitor.session("closed", has_room=True)
    session.enter(Mock())
    assert visitor.session("closed", has_room=True) is session
    assert visitor.session("", has_room=True) is not session
