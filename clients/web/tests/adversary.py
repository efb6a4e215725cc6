"""Attacks on a server over raw sockets, with a second visitor at work.

The attackers' lines are prepared before they are sent, so that the server is the only busy process.
"""

from __future__ import annotations

import json
import os
import socket
import struct
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import count
from pathlib import Path
from threading import Thread
from typing import Any, TypeAlias

from .conftest import TOKEN, Server

Attack: TypeAlias = Callable[[Server], "list[Raw]"]


def line(method: str, id: Any = None, **params: Any) -> dict[str, Any]:
    message = {"jsonrpc": "2.0", "method": method, "params": params}
    return message if id is None else {**message, "id": id}


def batch(size: int, method: str, params: str = "") -> bytes:
    """Returns a line of requests that differ in their ids."""
    rest = f',"params":{params}' if params else ""
    calls = (
        f'{{"jsonrpc":"2.0","id":{id},"method":"{method}"{rest}}}'
        for id in range(1, size + 1)
    )
    return f"[{','.join(calls)}]".encode()


HELLO = json.dumps(line("initialize", 0, protocol=1)).encode()


def text(name: str, value: str, id: int = 0) -> bytes:
    return json.dumps(line("input", id, screen="1", name=name, value=value)).encode()


class Raw:
    """A page of a visitor that reads only when it is told to."""

    def __init__(self, server: Server, cookie: str, buffer: int = 0) -> None:
        self.socket = socket.socket()
        if buffer:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
        self.socket.settimeout(120)
        self.socket.connect(("127.0.0.1", server.port))
        head = (
            f"GET /core?page={id(self)} HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n"
            f"Origin: {server.url}\r\nCookie: {cookie}\r\nUpgrade: websocket\r\n"
            "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
        )
        self.socket.sendall(head.encode())
        answer = b""
        while not answer.endswith(b"\r\n\r\n"):
            answer += self.socket.recv(1)
        assert b" 101 " in answer.splitlines()[0], answer

    def send(self, data: bytes, kind: int = 1) -> None:
        """Sends a message, masked with zeros."""
        size = len(data)
        if size < 126:
            head = struct.pack(">BB", 0x80 | kind, 0x80 | size)
        elif size < 1 << 16:
            head = struct.pack(">BBH", 0x80 | kind, 0xFE, size)
        else:
            head = struct.pack(">BBQ", 0x80 | kind, 0xFF, size)
        self.socket.sendall(head + bytes(4) + data)

    def pong(self) -> None:
        self.send(b"", 10)

    def messages(self) -> Iterator[bytes]:
        """Yields the messages up to the end of the connection."""
        try:
            while True:
                first, size = self._read(2)
                if size > 125:
                    size = int.from_bytes(self._read(2 if size == 126 else 8), "big")
                data = self._read(size)
                if first & 15 == 8:
                    return
                if first & 15 == 1:
                    yield data
        except OSError:
            return

    def until(self, part: bytes) -> bytes:
        """Returns the next message with a part; empty at the end of the connection."""
        return next((each for each in self.messages() if part in each), b"")

    def read(self) -> None:
        """Reads and drops everything, on a thread."""

        def drop() -> None:
            try:
                while self.socket.recv(1 << 20):
                    pass
            except OSError:
                pass

        Thread(target=drop, daemon=True).start()

    def close(self) -> None:
        try:
            self.socket.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        self.socket.close()

    def _read(self, size: int) -> bytes:
        data = b""
        while len(data) < size:
            if not (piece := self.socket.recv(size - len(data))):
                raise ConnectionError
            data += piece
        return data


def cookie(server: Server) -> str:
    """Returns the cookie of a new visitor."""
    with socket.create_connection(("127.0.0.1", server.port), 60) as connection:
        head = f"GET /?token={TOKEN} HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nConnection: close\r\n\r\n"
        connection.sendall(head.encode())
        answer = b"".join(iter(lambda: connection.recv(4096), b"")).decode()
    return answer.partition("Set-Cookie: ")[2].partition(";")[0]


class Worker:
    """A visitor that types into a form, on a thread, and measures each answer."""

    def __init__(self, server: Server) -> None:
        self.times: list[float] = []
        self._sent: float | None = None
        self._page = join(server)
        Thread(target=self._work, daemon=True).start()

    def since(self, first: int) -> list[float]:
        """Returns the times of the answers from a number on, that of a late one included."""
        late = [] if self._sent is None else [time.monotonic() - self._sent]
        return self.times[first:] + late

    def wait(self, limit: float) -> None:
        """Waits for the answer to a request that is older than a moment, up to a limit in seconds."""
        while (sent := self._sent) and 0.2 < time.monotonic() - sent < limit:
            time.sleep(0.02)

    def _work(self) -> None:
        for id in count(1):
            self._sent = time.monotonic()
            self._page.send(text("nameText", "a" * (id % 2), id))
            if not self._page.until(b'"id":%d' % id):
                return
            self.times.append(time.monotonic() - self._sent)
            self._sent = None
            time.sleep(0.01)


def join(server: Server, visitor: str = "", buffer: int = 0) -> Raw:
    """Returns a page of a new visitor, or of a given one, that shows the form."""
    page = Raw(server, visitor or cookie(server), buffer)
    page.send(HELLO)
    page.until(b'"id":0')
    return page


def one_line(data: bytes, *before: bytes) -> Attack:
    """Sends a line, after others, and reads whatever comes."""

    def attack(server: Server) -> list[Raw]:
        page = join(server)
        for each in before:
            page.send(each)
        page.read()
        page.send(data)
        return [page]

    return attack


def flood(server: Server) -> list[Raw]:
    """Sends lines as fast as the server takes them."""
    page = join(server)
    page.read()
    data = json.dumps(line("state/snapshot", 1)).encode()

    def send() -> None:
        with suppress(OSError):
            while True:
                page.send(data)

    Thread(target=send, daemon=True).start()
    return [page]


def comers(server: Server) -> list[Raw]:
    """Comes again and again with a long line, and leaves at once."""
    visitor = cookie(server)
    for _ in range(8):
        page = join(server, visitor)
        page.send(RESUMES)
        page.close()
    return []


def sleepers(server: Server) -> list[Raw]:
    """Asks for much on all pages of a visitor, and reads none of it."""
    visitor = cookie(server)
    pages = [join(server, visitor, 4096) for _ in range(16)]
    pages[0].send(text("nameText", LONG))
    for page in pages:
        for id in range(14):
            page.send(json.dumps(line("state/snapshot", id)).encode())
        page.pong()
    return pages


def half_headers(server: Server) -> list[Raw]:
    """Opens connections, and never sends the end of a request."""
    for _ in range(1100):
        connection = socket.create_connection(("127.0.0.1", server.port), 60)
        connection.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n")
        half.append(connection)
    # A new visitor still gets in.
    join(server).close()
    return []


half: list[socket.socket] = []
LONG = "x" * 1_000_000
RESUMES = batch(8000, "initialize", '{"resume":{"session":"0","revision":1}}')
ATTACKS: dict[str, Attack] = {
    "1,100 half headers": half_headers,
    "16,000 snapshots in a line": one_line(batch(16_000, "state/snapshot")),
    "18,000 snapshots of 1 MB": one_line(
        batch(16_000, "state/snapshot"), text("nameText", LONG)
    ),
    "8,000 resumes in a line": one_line(
        RESUMES, *(text("nameText", str(each) * 1000, each) for each in range(190))
    ),
    "13,000 cancellations in a line": one_line(
        batch(13_000, "$/cancelRequest", '{"id":5}')
    ),
    "a flood of lines": flood,
    "long lines of closed pages": comers,
    "16 pages that read nothing": sleepers,
}


def peak(process: int) -> int:
    """Returns the most memory that a process has had resident, in MiB."""
    status = Path(f"/proc/{process}/status").read_text()
    return int(status.partition("VmHWM:")[2].split()[0]) >> 10


def processor(process: int) -> float:
    """Returns the seconds of processor time that a process has used."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
