"""Starts the terminal front end.

offstage-terminal [OPTIONS] CORE [ARGUMENT ...]
offstage-terminal [OPTIONS] ADDRESS
"""

from __future__ import annotations

import argparse
import logging
import os
import sys
from pathlib import Path

from offstage import CoreStopped, OffstageError
from offstage.address import is_address, read_tokens

from .app import TerminalApp
from .device import Place
from .model.place import with_place


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="offstage-terminal", description="Shows an Offstage app in the terminal."
    )
    language = (
        os.environ.get("LC_ALL") or os.environ.get("LC_MESSAGES") or os.environ.get("LANG", "")
    )
    tag = language.split(".")[0].replace("_", "-")
    parser.add_argument(
        "--locale",
        default=tag if tag not in ("", "C", "POSIX") else "en",
        help="the language, such as ko (default: the terminal's)",
    )
    parser.add_argument("--light", action="store_true", help="start with the light theme")
    parser.add_argument(
        "--location",
        type=place,
        default=Place(),
        metavar="LAT,LNG",
        help="the location to report (default: Seoul City Hall)",
    )
    parser.add_argument(
        "--fresh", action="store_true", help="start afresh, not where the app was left"
    )
    parser.add_argument("--log", metavar="FILE", help="write the core's log to a file")
    parser.add_argument(
        "--token", metavar="FILE", type=Path, help="a file with what ADDRESS wants to know"
    )
    parser.add_argument(
        "core",
        help="the program of the app, or where a host or a relay listens: unix:PATH or HOST:PORT",
    )
    parser.add_argument("arguments", nargs=argparse.REMAINDER, help="its arguments")
    options = parser.parse_args()
    # The log must not write over the app.
    handler = logging.FileHandler(options.log) if options.log else logging.NullHandler()
    logging.basicConfig(handlers=[handler], level=logging.INFO)
    try:
        token = read_tokens(options.token)[0] if options.token else None
        command = [options.core, *options.arguments]
        if not is_address(options.core):
            # A program that does not start says why, without a screen over it.
            command = with_place(command)
        elif options.arguments or options.fresh:
            parser.error("an address takes no arguments, and no --fresh")
    except (OffstageError, OSError, ValueError) as error:
        log = error.log if isinstance(error, CoreStopped) else ()
        sys.exit("\n".join(log) or f"offstage-terminal: {error}")
    app = TerminalApp(
        command,
        locale=options.locale,
        place=options.location,
        light=options.light,
        fresh=options.fresh,
        token=token,
    )
    app.run()
    if app.stopped:
        print(f"offstage-terminal: {app.stopped}", file=sys.stderr)
    sys.exit(app.return_code)


def place(text: str) -> Place:
    """Reads `37.5,127.0`."""
    lat, lng = (float(part) for part in text.split(","))
    return Place(text, lat, lng)


if __name__ == "__main__":
    main()
