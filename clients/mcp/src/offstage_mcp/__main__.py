"""Serves an app to an agent, on standard input and output.

offstage-mcp [OPTION ...] CORE [ARGUMENT ...]
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import warnings
from pathlib import Path

from mcp.server import NotificationOptions
from mcp.server.stdio import stdio_server
from mcp.shared.exceptions import MCPDeprecationWarning
from offstage import CoreStopped

from .server import build


async def serve(options: argparse.Namespace) -> None:
    server = build(
        options.core,
        *options.arguments,
        announce=options.announce,
        locale=options.locale,
        patience=options.patience,
        record=options.record,
    )
    changes = NotificationOptions(tools_changed=True, resources_changed=True)
    introduction = server.create_initialization_options(changes)
    async with stdio_server() as (receive, send):
        await server.run(receive, send, introduction)


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="offstage-mcp", description="Lets an agent drive an Offstage app."
    )
    parser.add_argument(
        "--announce",
        action="append",
        default=[],
        metavar="KIND",
        help="a kind of prompt for a device, such as location.current, that is not refused",
    )
    parser.add_argument("--locale", metavar="TAG", help="the language, such as ko-KR")
    parser.add_argument(
        "--patience",
        type=float,
        default=10,
        metavar="SECONDS",
        help="how long a tool waits for the work that it starts (default: 10)",
    )
    parser.add_argument(
        "--record", type=Path, metavar="FILE", help="records the run as a transcript"
    )
    parser.add_argument("core", help="the program of the app")
    parser.add_argument("arguments", nargs=argparse.REMAINDER, help="its arguments")
    # Clients of the older protocol era still use the log.
    warnings.simplefilter("ignore", MCPDeprecationWarning)
    try:
        asyncio.run(serve(parser.parse_args()))
    except* CoreStopped as errors:
        sys.exit(f"offstage-mcp: {errors.exceptions[0]}")


if __name__ == "__main__":
    main()
