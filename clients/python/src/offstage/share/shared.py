"""What the relays of one app's sessions share, if a process has many of them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Self

from ..connection import Connection
from ..description import Description
from ..pointer import JSON

STARTS = 16
"""The sessions that start at once."""
DESCRIPTIONS = 16
"""The descriptions to keep, such as those in different languages."""


@dataclass(eq=False)
class About:
    """What front ends learn of an app.

    Attributes:
        members: what the answer to `initialize` has besides, such as where the description is.
    """

    description: Description
    members: Mapping[str, JSON] = field(default_factory=dict[str, JSON], kw_only=True)

    @classmethod
    def parse(cls, description: JSON) -> Self:
        return cls(Description(description))


class Shared:
    """What the relays of one app's sessions share.

    Args:
        publish: returns what front ends learn of the app from its description.

    Attributes:
        starts: limits the sessions that start at once, so that those at work are not held up.
    """

    def __init__(self, publish: Callable[[JSON], About] = About.parse) -> None:
        self.starts = asyncio.Semaphore(STARTS)
        self._publish = publish
        self._known: dict[tuple[JSON, ...], About] = {}

    def about(self, handshake: Mapping[str, JSON]) -> About | None:
        """Returns what is known of the app of a session, in the session's language."""
        return self._known.get(_key(handshake))

    async def ask(self, core: Connection, handshake: dict[str, JSON]) -> About:
        """Asks a core for its description, and notes the language in the session's handshake.

        Raises:
            OffstageError: the core cannot describe the app.
        """
        description: JSON = await core.request("rpc.discover")
        about = self._publish(description)
        if language := description.get("x-language"):
            handshake["language"] = language
        key = _key(handshake)
        if None not in key:
            self._known.pop(key, None)
            if len(self._known) == DESCRIPTIONS:
                del self._known[next(iter(self._known))]
            self._known[key] = about
        return about


def _key(handshake: Mapping[str, JSON]) -> tuple[JSON, ...]:
    """Returns what an app's description depends on. A member is None if a core does not say."""
    version: JSON = handshake.get("app", {}).get("version")
    return handshake.get("schema"), version, handshake.get("language")
