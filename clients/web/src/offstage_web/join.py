"""`offstage-join ADDRESS`: connects standard input and output with the core behind a server.

A terminal, a script, or an inspector joins the core of `offstage-web --shared` with it.
`offstage-join describe ADDRESS` prints the description of the core, as a core itself does.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import aiohttp
from yarl import URL


def main() -> None:
    parser = argparse.ArgumentParser(prog="offstage-join", description=__doc__)
    parser.add_argument("command", nargs="?", choices=["describe"])
    parser.add_argument("address", help="the address that the server printed")
    options = parser.parse_args()
    act = describe if options.command else join
    try:
        sys.exit(asyncio.run(act(URL(options.address))))
    except (aiohttp.ClientError, OSError, ValueError) as error:
        sys.exit(f"offstage-join: {error}")


@asynccontextmanager
async def connect(address: URL) -> AsyncGenerator[aiohttp.ClientWebSocketResponse]:
    origin = address.origin()
    # A front end that joins again is the same one.
    jar = aiohttp.CookieJar(unsafe=True)
    async with aiohttp.ClientSession(cookie_jar=jar, raise_for_status=True) as session:
        await session.get(address)
        url = origin.with_path("/core").with_query(page=f"join-{os.getppid()}")
        async with session.ws_connect(
            url, origin=str(origin), max_msg_size=0, heartbeat=20
        ) as socket:
            yield socket


async def join(address: URL) -> int:
    """Carries lines until one side ends. Returns 0 if that was the front end."""
    async with connect(address) as socket:
        sending = asyncio.create_task(send(socket))
        receiving = asyncio.create_task(receive(socket))
        await asyncio.wait({sending, receiving}, return_when=asyncio.FIRST_COMPLETED)
        status = 0 if sending.done() else 1
        sending.cancel()
        receiving.cancel()
        return status


async def describe(address: URL) -> int:
    """Prints the description. Returns 1 if the server ends before it answers."""
    async with connect(address) as socket:
        client = {"name": "offstage-join", "version": "1.0"}
        hello: dict[str, Any] = {"protocol": 1, "client": client, "capabilities": []}
        for method, params in (("initialize", hello), ("rpc.discover", {})):
            request = {"jsonrpc": "2.0", "id": method, "method": method}
            await socket.send_json({**request, "params": params})
        async for message in socket:
            answer = message.json()
            if answer.get("id") == "rpc.discover":
                print(json.dumps(answer["result"]))
                return 0
    return 1


async def receive(socket: aiohttp.ClientWebSocketResponse) -> None:
    async for message in socket:
        sys.stdout.write(f"{message.data}\n")
        sys.stdout.flush()


async def send(socket: aiohttp.ClientWebSocketResponse) -> None:
    reader = asyncio.StreamReader(limit=64 << 20)
    loop = asyncio.get_running_loop()
    await loop.connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(reader), sys.stdin
    )
    async for line in reader:
        await socket.send_str(line.decode().rstrip("\n"))
