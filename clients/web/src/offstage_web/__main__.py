"""`offstage-web [OPTIONS] -- CORE [ARGUMENT…]`: serves an app to browsers."""

from __future__ import annotations

import argparse
import asyncio
import json
import logging
import os
import secrets
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from offstage import OffstageError
from offstage.address import is_address, read_tokens

from .cores import Cores
from .descriptions import File, publish
from .doors import reserve
from .install import WORDS
from .server import DIST, Limits, Server, Settings


def main() -> None:
    options = parse()
    logging.basicConfig(level=logging.WARNING, format="%(name)s: %(message)s")
    with tempfile.TemporaryDirectory(prefix="offstage-web-") as scratch:
        token = options.token or secrets.token_urlsafe(16)
        command = [options.core, *options.arguments]
        data = options.data or Path(scratch) / "data"
        address = options.core_address or f"unix:{scratch}/core"
        host = ["host", "--listen", address, "--state", str(data)]
        most = ["--max-sessions", str(options.visitors)]
        starts = not options.core_address
        core_token = read_tokens(options.core_token)[0] if options.core_token else None
        cores = Cores(address, [*command, *host, *most] if starts else [], core_token)
        settings = Settings(
            program=Path(options.core).name,
            cores=cores,
            token=token,
            hosts=set(options.allow_host),
            tiles=options.tiles,
            attribution=options.tiles_attribution,
            pictures=options.pictures,
            limits=Limits(
                visitors=options.visitors, pages=options.pages, linger=options.linger
            ),
        )

        def announce(port: int) -> None:
            if starts:
                print(f"data: {data}", file=sys.stderr)
            print(f"http://{options.host}:{port}/?token={token}", flush=True)

        try:
            reserve(settings.limits)
            for language in WORDS:
                if file := describe(command, language):
                    settings.descriptions[language] = file
            server = Server(settings)
            asyncio.run(server.serve(options.host, options.port, announce))
        except (OSError, ValueError, OffstageError) as error:
            sys.exit(f"offstage-web: {error}")


def describe(command: Sequence[str], language: str) -> File | None:
    """Returns the description of the app in a language; None if the app does not say it in time."""
    requests = {"initialize": {"protocol": 1, "locale": language}, "rpc.discover": {}}
    lines = [
        json.dumps({"jsonrpc": "2.0", "id": method, "method": method, "params": params})
        for method, params in requests.items()
    ]
    with tempfile.TemporaryDirectory(prefix="offstage-web-") as data:
        keeps = [] if "--deterministic" in command else ["--data", data]
        try:
            done = subprocess.run(
                [*command, *keeps],
                input="\n".join([*lines, ""]),
                capture_output=True,
                text=True,
                errors="replace",
                timeout=10,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return None
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    found = [each for each in answers if each.get("id") == "rpc.discover"]
    return publish(found[0]["result"]) if found and "result" in found[0] else None


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="offstage-web", description=__doc__)
    parser.add_argument("--host", default="127.0.0.1", help="the address to listen at")
    parser.add_argument("--port", type=int, default=8480, help="0 for one that is free")
    parser.add_argument(
        "--allow-host",
        action="append",
        default=[],
        help="another name of this server",
    )
    parser.add_argument(
        "--token",
        default=os.environ.get("OFFSTAGE_WEB_TOKEN"),
        help="the secret in the address (default: $OFFSTAGE_WEB_TOKEN, or random)",
    )
    parser.add_argument("--data", type=Path, help="the folder for the visitors' data")
    parser.add_argument(
        "--visitors", type=int, default=200, help="the most visitors at a time"
    )
    parser.add_argument(
        "--pages", type=int, default=16, help="the most pages of a visitor at a time"
    )
    parser.add_argument(
        "--core-address",
        metavar="ADDRESS",
        help="where the app's host listens (default: starts one): unix:PATH, or HOST:PORT",
    )
    parser.add_argument(
        "--core-token", type=Path, metavar="FILE", help="what the host wants to know"
    )
    parser.add_argument(
        "--linger",
        type=float,
        default=60,
        help="the seconds that a session stays in memory after its pages",
    )
    parser.add_argument(
        "--tiles", help="map tiles, such as https://HOST/{z}/{x}/{y}.png"
    )
    parser.add_argument(
        "--tiles-attribution",
        default="",
        help="who made the tiles, as the map says: a text, and a URL after it for a link",
    )
    parser.add_argument(
        "--pictures",
        action="append",
        default=[],
        help="a server from which the app shows pictures, such as https://HOST",
    )
    parser.add_argument("core", help="the program of the app")
    parser.add_argument("arguments", nargs=argparse.REMAINDER, help="its arguments")
    options = parser.parse_args()
    if "--data" in options.arguments or "--state" in options.arguments:
        parser.error("name --data before --: each visitor gets a folder in it")
    if options.data and options.core_address:
        parser.error("--data is for the host that listens at --core-address")
    if options.core_address and not is_address(options.core_address):
        parser.error("--core-address takes unix:PATH or HOST:PORT")
    if not (DIST / "index.html").exists():
        sys.exit("offstage-web: run clients/web/build first")
    return options


if __name__ == "__main__":
    main()
