"""Serves an app to an agent, on standard input and output.

offstage-mcp [--announce KIND] CORE [ARGUMENT ...]
"""

from __future__ import annotations

import argparse
import asyncio

from mcp.server import NotificationOptions
from mcp.server.stdio import stdio_server

from .server import build


async def serve(command: list[str], announce: list[str], patience: float) -> None:
    server = build(*command, announce=announce, patience=patience)
    changes = NotificationOptions(tools_changed=True, resources_changed=True)
    options = server.create_initialization_options(changes)
    async with stdio_server() as (receive, send):
        await server.run(receive, send, options)


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="offstage-mcp", description="Lets an agent drive an Offstage app."
    )
    parser.add_argument(
        "--announce",
        action="append",
        default=[],
        metavar="KIND",
        help="a kind of prompt for the device that the agent's user can answer",
    )
    parser.add_argument(
        "--patience",
        type=float,
        default=10,
        metavar="SECONDS",
        help="how long a tool waits for the work that it starts (default: 10)",
    )
    parser.add_argument("core", help="the program of the app")
    parser.add_argument("arguments", nargs=argparse.REMAINDER, help="its arguments")
    options = parser.parse_args()
    command = [options.core, *options.arguments]
    asyncio.run(serve(command, options.announce, options.patience))


if __name__ == "__main__":
    main()
