"""What a browser needs to install the page as an app, and to show it without a connection."""

from __future__ import annotations

import html
import json
from pathlib import Path

from aiohttp import web

ICON = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96">
<rect width="96" height="96" fill="#4f46e5"/>
<text x="48" y="64" text-anchor="middle" font-family="system-ui, sans-serif" font-weight="700"
font-size="46" fill="#fff">{letter}</text></svg>"""
"""The first letter of the app, with room for a mask around it."""

WORDS = {
    "en": ("There is no connection to the app.", "Try again"),
    "ko": ("앱에 연결할 수 없어요.", "다시 시도"),
}
SIGNED_IN = {
    "en": "You have signed in. You can close this window.",
    "ko": "로그인했어요. 이 창은 닫아도 돼요.",
}


def language_of(request: web.Request) -> str:
    """Returns the one of `WORDS` that a browser prefers."""
    accepted = request.headers.get("Accept-Language", "")
    return "ko" if accepted.startswith("ko") else "en"


def installable(folder: Path, name: str) -> list[web.RouteDef]:
    """Returns the routes of an app.

    Args:
        folder: the page, as clients/web/build bundles it.
    """
    icon = {"src": "/icon.svg", "sizes": "any", "type": "image/svg+xml"}
    manifest = {
        "name": name,
        "start_url": "/",
        "display": "standalone",
        "background_color": "#f6f6f8",
        "theme_color": "#f6f6f8",
        "icons": [{**icon, "purpose": "any"}, {**icon, "purpose": "maskable"}],
    }
    letter = html.escape(name[:1].upper())

    async def offline(request: web.Request) -> web.Response:
        language = language_of(request)
        message, again = WORDS[language]
        text = (folder / "offline.html").read_text()
        text = text.replace("LANGUAGE", language).replace("Offstage", html.escape(name))
        text = text.replace("MESSAGE", message).replace("AGAIN", again)
        response = web.Response(text=text, content_type="text/html")
        response.enable_compression()
        return response

    async def worker(_: web.Request) -> web.FileResponse:
        return web.FileResponse(folder / "worker.js")

    async def describe(_: web.Request) -> web.Response:
        text = json.dumps(manifest)
        return web.Response(text=text, content_type="application/manifest+json")

    async def draw(_: web.Request) -> web.Response:
        text = ICON.format(letter=letter)
        return web.Response(text=text, content_type="image/svg+xml")

    return [
        web.get("/offline.html", offline),
        web.get("/worker.js", worker),
        web.get("/manifest.webmanifest", describe),
        web.get("/icon.svg", draw),
    ]
