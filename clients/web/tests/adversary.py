"""Attacks on a server over raw sockets, with a second visitor at work.

The attackers' lines are prepared before they are sent, so that the server is the only busy process.
"""

from __future__ import annotations

import json
import os
import socket
import statistics
import struct
import time
from collections.abc import Iterator
from pathlib import Path
from threading import Event, Thread
from typing import Any

from .conftest import TOKEN, Server


def line(method: str, id: Any = None, **params: Any) -> dict[str, Any]:
    message = {"jsonrpc": "2.0", "method": method, "params": params}
    return message if id is None else {**message, "id": id}


def batch(count: int, method: str, params: str = "") -> bytes:
    """Returns a line of requests that differ in their ids."""
    rest = f',"params":{params}' if params else ""
    calls = (
        f'{{"jsonrpc":"2.0","id":{id},"method":"{method}"{rest}}}'
        for id in range(1, count + 1)
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
        return next(each for each in self.messages() if part in each)

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

    def _read(self, count: int) -> bytes:
        data = b""
        while len(data) < count:
            if not (piece := self.socket.recv(count - len(data))):
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
        self.waiting: float | None = None
        self.error: BaseException | None = None
        self._end = Event()
        self._server = server
        self._thread = Thread(target=self._run, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        self._end.set()
        self._thread.join(5)
        if self.waiting is not None:
            self.times.append(time.monotonic() - self.waiting)

    def p95(self) -> float:
        return statistics.quantiles(self.times, n=20)[18]

    def _run(self) -> None:
        try:
            page = Raw(self._server, cookie(self._server))
            page.send(HELLO)
            page.until(b'"id":0')
            id = 1
            while not self._end.is_set():
                self.waiting = time.monotonic()
                page.send(text("nameText", "a" * (id % 2), id))
                page.until(b'"id":%d' % id)
                self.times.append(time.monotonic() - self.waiting)
                self.waiting = None
                id += 1
                time.sleep(0.01)
        except BaseException as error:
            self.error = error


def processor(process: int) -> float:
    """Returns the seconds of processor time that a process has used."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def memory(process: int) -> float:
    """Returns the resident memory of a process, in MiB."""
    pages = int(Path(f"/proc/{process}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / (1 << 20)
