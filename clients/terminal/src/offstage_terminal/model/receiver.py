"""Receives the browser that comes back from a page, as RFC 8252 says in section 7.3."""

from __future__ import annotations

import asyncio
import html
from collections.abc import Callable
from urllib.parse import parse_qs, urlsplit

PATIENCE = 10
"""The seconds that a browser has to send its request."""
PAGE = """HTTP/1.1 {status}\r
Content-Type: text/html; charset=utf-8\r
Connection: close\r
\r
<!doctype html><title>{text}</title><p>{text}"""


class Receiver:
    """Listens on a port of this machine.

    Args:
        page: the address of the page to which the browser goes. Its `state` must come back.
        text: what the browser shows when it is back.
        received: is called with the address at which the browser arrives.

    Attributes:
        address: where it listens; empty until it does.
    """

    def __init__(self, page: str, text: str, received: Callable[[str], None]) -> None:
        self.address = ""
        self._page, self._text, self._received = page, text, received
        self._server: asyncio.Server | None = None

    async def listen(self) -> str:
        """Returns the address.

        Raises:
            OSError: it cannot listen.
        """
        if not self._server:
            self._server = await asyncio.start_server(self._serve, "127.0.0.1")
            self.address = f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}/"
        return self.address

    def close(self) -> None:
        if self._server:
            self._server.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            async with asyncio.timeout(PATIENCE):
                head = (await reader.readuntil(b"\r\n\r\n")).decode("ascii")
                url = self._arrival(head.partition("\r\n")[0])
                status, text = ("200 OK", self._text) if url else ("404 Not Found", "404")
                writer.write(PAGE.format(status=status, text=html.escape(text)).encode())
                await writer.drain()
            if url:
                self._received(url)
        except (OSError, EOFError, ValueError, TimeoutError, asyncio.LimitOverrunError):
            pass  # Not a browser that comes back.
        finally:
            writer.close()

    def _arrival(self, line: str) -> str | None:
        """Returns the address in the first line of a request, if it belongs to the page."""
        method, target, _ = line.split(" ")
        url = self.address + target.removeprefix("/")
        is_back = urlsplit(target).path == "/" and state_of(url) == state_of(self._page)
        return url if method == "GET" and is_back else None


def state_of(url: str) -> list[str]:
    """Returns what tells one visit of a page from another."""
    return parse_qs(urlsplit(url).query).get("state", [])
