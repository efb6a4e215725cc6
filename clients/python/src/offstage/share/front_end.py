"""What a relay needs to know of a front end that is connected to it."""

from __future__ import annotations

import re
import secrets
from collections.abc import AsyncIterator
from typing import Protocol

from ..connection import dump
from ..pointer import JSON

CANNOT_START = "the app cannot be started"
"""The status of a core that refuses to start."""
RESTARTS = "the app is started again"
"""The status of a core that is followed by the next one."""


class FrontEnd(Protocol):
    """A connected front end.

    Attributes:
        name: unique, and the same for each connection of a front end.
        is_known: True if the name is known when it connects. If not, its session names it.
        only_looks: True if it may not change anything.
        is_local: True if it can open the files of this machine's user.
    """

    name: str
    is_known: bool
    only_looks: bool
    is_local: bool

    @property
    def is_closing(self) -> bool:
        """True if nothing can be sent any more."""
        ...

    @property
    def is_behind(self) -> bool:
        """True if it has so much to read that it should get no more frames."""
        ...

    def lines(self) -> AsyncIterator[str | bytes | None]:
        """Yields the lines that it sends; None for one that is too long."""
        ...

    def send(self, line: bytes) -> None:
        """Sends a line without waiting."""
        ...

    def hold(self, count: int) -> None:
        """Counts bytes that wait to be sent; a negative number if they no longer do."""
        ...

    async def drain(self) -> None:
        """Waits until the front end has read what was sent."""
        ...

    async def pace(self) -> None:
        """Counts a request, lets others run, and waits if there were too many."""
        ...

    def close(self, status: str | None) -> None:
        """Closes the connection. A status means that the core has ended."""
        ...


def send(front_end: FrontEnd, message: JSON) -> None:
    front_end.send(dump({"jsonrpc": "2.0", **message}))


NAME = re.compile("[0-9a-f]{16}")
"""The name of a front end that is not known when it connects."""


def new_name() -> str:
    return secrets.token_hex(8)
