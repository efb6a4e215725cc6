"""Lets front ends in at an address, as a host does: section 11.1 of the protocol."""

from __future__ import annotations

import asyncio
import json
import logging
import secrets
from collections.abc import Awaitable, Callable, Sequence

from ..address import ListeningSocket, is_unix
from ..errors import OffstageError, ParseError, RPCError
from ..pointer import JSON
from .client import FAREWELL, Client
from .members import members_of

logger = logging.getLogger("offstage.share")

FRONT_ENDS = 64
"""The most front ends at a time."""
STRANGERS = 64
"""The most connections that have not sent their first line yet."""
PATIENCE = 60
"""The seconds that a connection has for its first line."""


class Listener:
    """Lets front ends in, until it is closed.

    Args:
        attend: serves a front end until it has nothing more to send.
        tokens: a front end must know the first; one that knows the second only looks. Without
            any, every front end that can connect is let in.

    Attributes:
        address: the address, with the port that the system has chosen for port 0.

    Raises:
        OSError: the message says why it cannot listen there.
    """

    def __init__(
        self,
        address: str,
        attend: Callable[[Client], Awaitable[None]],
        tokens: Sequence[str] = (),
    ) -> None:
        self._socket = ListeningSocket(address)
        self.address = self._socket.address
        self._attend = attend
        self._tokens = [each.encode() for each in tokens[:2]]
        self._server: asyncio.Server | None = None
        # In the order of their arrival.
        self._strangers: dict[Client, None] = {}
        self._front_ends: set[Client] = set()
        self._tasks: set[asyncio.Task[None] | None] = set()

    async def start(self) -> None:
        self._server = await asyncio.start_server(
            self._accept, sock=self._socket.socket
        )

    async def close(self) -> None:
        """Closes the socket, and each connection once it has read what was sent to it."""
        if self._server:
            self._server.close()
        self._socket.close()
        for client in (*self._strangers, *self._front_ends):
            client.close(None)
        if tasks := [each for each in self._tasks if each]:
            await asyncio.wait(tasks, timeout=FAREWELL)

    async def _accept(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        client = Client(reader, writer, is_local=is_unix(self.address))
        self._tasks.add(task := asyncio.current_task())
        try:
            if await self._admits(client):
                self._front_ends.add(client)
                await self._attend(client)
        except OffstageError as error:
            logger.warning("%s", error)
        finally:
            self._front_ends.discard(client)
            await client.finish()
            self._tasks.discard(task)

    async def _admits(self, client: Client) -> bool:
        """Reads the first line. Returns False if the connection is over."""
        if len(self._strangers) >= STRANGERS:
            oldest = next(iter(self._strangers))
            del self._strangers[oldest]
            oldest.cut()
        self._strangers[client] = None
        try:
            async with asyncio.timeout(PATIENCE):
                line = await client.first_line()
        except ParseError:
            client.refuse(None, ParseError(-32700, "the first line is too long"))
            return False
        except TimeoutError:
            return False
        finally:
            self._strangers.pop(client, None)
        id, token = _greeting(line)
        if not line:
            return False
        known = [secrets.compare_digest(token, each) for each in self._tokens]
        client.only_looks = known[1:] == [True]
        if self._tokens and not any(known):
            client.refuse(id, RPCError(-32600, NEEDS_TOKEN))
            return False
        if (count := len(self._front_ends)) >= FRONT_ENDS:
            busy = f"busy: {count} front ends are connected; try again later"
            client.refuse(id, RPCError(1005, busy))
            return False
        return True


NEEDS_TOKEN = 'this relay needs its token: send it as "token" with initialize first'


def _greeting(line: bytes) -> tuple[JSON, bytes]:
    """Returns the id of a first line, and its token."""
    try:
        message = members_of(json.loads(line))
    except (ValueError, RecursionError):
        return None, b""
    id, params = message.get("id"), members_of(message.get("params"))
    is_greeting = message.get("method") == "initialize"
    token = params.get("token") if is_greeting else ""
    given = token.encode(errors="replace") if isinstance(token, str) else b""
    return id if isinstance(id, (str, int, float)) else None, given
