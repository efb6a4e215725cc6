"""The addresses at which programs listen: `unix:PATH` and `HOST:PORT`."""

from __future__ import annotations

import asyncio
import os
import re
import socket
import stat
from contextlib import suppress
from pathlib import Path

from .errors import CoreStopped

PATH = 107
"""The bytes in the path of a Unix socket, where the system does not allow more."""
TOKEN = 16
"""The characters of the shortest token."""


def is_address(text: str) -> bool:
    """Returns True for `unix:PATH` and `HOST:PORT`."""
    match = re.fullmatch(r"unix:.+|[^/]+:(\d{1,5})", text)
    return match is not None and int(match[1] or 0) < 1 << 16


def is_unix(address: str) -> bool:
    return address.startswith("unix:")


def path_of(address: str) -> Path:
    return Path(address.removeprefix("unix:"))


def host_of(address: str) -> tuple[str, int]:
    """Returns the host and the port, without the brackets of an IPv6 address."""
    host, _, port = address.rpartition(":")
    return host.strip("[]"), int(port)


async def open_address(
    address: str,
) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """Connects to an address.

    Raises:
        CoreStopped: nobody listens there.
    """
    try:
        if not is_address(address):
            raise ValueError("an address is unix:PATH or HOST:PORT")
        if is_unix(address):
            return await asyncio.open_unix_connection(path_of(address))
        return await asyncio.open_connection(*host_of(address))
    except (OSError, ValueError) as error:
        raise CoreStopped(f"cannot connect to {address}: {error}") from error


class ListeningSocket:
    """A socket that listens, as that of a host does.

    Only the user can connect to a Unix socket. The file of a process that is gone is replaced.

    Attributes:
        address: the address, with the port that the system has chosen for port 0.

    Raises:
        OSError: the message says why it cannot listen there.
    """

    def __init__(self, address: str) -> None:
        self._file: os.stat_result | None = None
        if is_unix(address):
            self.socket, self.address = _listen_unix(path_of(address)), address
            self._file = path_of(address).stat()
        else:
            self.socket = _listen_tcp(address)
            host, _, _ = address.rpartition(":")
            self.address = f"{host}:{self.socket.getsockname()[1]}"

    def close(self) -> None:
        """Closes the socket, and removes its file, but not that of another process."""
        self.socket.close()
        path = path_of(self.address)
        with suppress(FileNotFoundError):
            if self._file and os.path.samestat(path.stat(), self._file):
                path.unlink()


def read_tokens(path: Path) -> list[str]:
    """Returns the words of a file with a token, which is the first one.

    Raises:
        OSError: the file cannot be read.
        ValueError: a word is too short.
    """
    try:
        words = path.read_text().split()
    except OSError as error:
        raise OSError(f"{path}: {error.strerror}") from None
    if not words or any(len(word) < TOKEN for word in words):
        raise ValueError(f"{path}: a token has at least {TOKEN} characters")
    return words


def _listen_tcp(address: str) -> socket.socket:
    host, port = host_of(address)
    try:
        family, *_, place = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        return socket.create_server(place[:2], family=family)
    except socket.gaierror as error:
        raise OSError(f"{host}: {error.strerror}") from None
    except OSError as error:
        raise OSError(f"{address}: {_reason(error)}") from None


def _listen_unix(path: Path) -> socket.socket:
    if len(os.fsencode(path)) > PATH:
        raise OSError(f"{path}: the path of a socket has at most {PATH} bytes")
    try:
        if path.is_symlink() or path.exists():
            _remove_abandoned(path)
        listener = socket.socket(socket.AF_UNIX)
        # Other users must not be able to connect, not even for a moment.
        mask = os.umask(0o177)
        try:
            listener.bind(str(path))
        except OSError:
            listener.close()
            raise
        finally:
            os.umask(mask)
        listener.listen()
        return listener
    except OSError as error:
        raise OSError(f"{path}: {_reason(error)}") if error.errno else error from None


def _remove_abandoned(path: Path) -> None:
    """Removes the socket of a process that is gone."""
    if not stat.S_ISSOCK(path.lstat().st_mode):
        raise OSError(f"{path} exists, and is not a socket; choose another path")
    with socket.socket(socket.AF_UNIX) as probe:
        try:
            probe.connect(str(path))
        except ConnectionRefusedError:
            path.unlink()
            return
    raise OSError(
        f"{path}: another process listens there; end it, or choose another path"
    )


def _reason(error: OSError) -> str:
    return os.strerror(error.errno) if error.errno else str(error)
