"""Refuses strangers, and recognizes visitors by a cookie."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Awaitable, Callable, Iterable, Mapping
from urllib.parse import urlsplit

from aiohttp import web

from .doors import Doors

COOKIE_AGE = 30 * 24 * 3600
HEALTH = "/health"
"""Where a proxy asks whether this server and its host work."""
RETURN = "/signed-in.html"
"""Where another page sends the browser of a visitor who has signed in there."""
SECRET = web.RequestKey("secret", str)
"""What only the visitor knows: the value of the cookie."""


class Access:
    """Checks each request before it is served.

    Args:
        token: the secret in the address that visitors open.
        hosts: the values of `Host` that are served.
        headers: those of every response, a refusal included.
        doors: bounds the connections.
    """

    def __init__(
        self, token: str, hosts: set[str], headers: Mapping[str, str], doors: Doors
    ) -> None:
        self._token = token
        self._doors = doors
        self._hosts = hosts
        self._headers = headers

    @web.middleware
    async def guard(
        self,
        request: web.Request,
        handler: Callable[[web.Request], Awaitable[web.StreamResponse]],
    ) -> web.StreamResponse:
        """Refuses other hosts and origins, and visitors without the token."""
        if request.path == HEALTH:
            return await handler(request)
        if request.host not in self._hosts:
            raise web.HTTPForbidden(text="unknown host\n")
        origin = request.headers.get("Origin")
        if origin is not None and origin.partition("://")[2] != request.host:
            raise web.HTTPForbidden(text="requests from another origin are refused\n")
        if request.path == RETURN:
            # It is the same for all, and a browser sends no cookie when another page leads to it.
            return await handler(request)
        known = self._known(request)
        request[SECRET] = known or self._welcome(request)
        connection = request.transport
        if connection and not self._doors.admit(connection, self.visitor(request)):
            raise web.HTTPServiceUnavailable(text="too many connections\n")
        response = await handler(request)
        if not known:
            response.set_cookie(
                _cookie(request),
                request[SECRET],
                httponly=True,
                samesite="Strict",
                max_age=COOKIE_AGE,
            )
        return response

    async def protect(self, request: web.Request, response: web.StreamResponse) -> None:
        """Adds the headers to a response that lacks them."""
        # Files and lines that a page loads need no such headers, which take 300 bytes.
        is_file = request.path.startswith("/page/") and response.status == 200
        is_part = is_file or response.status == 101
        for name, value in self._headers.items():
            if not (is_part and name in OF_PAGES):
                response.headers.setdefault(name, value)

    def visitor(self, request: web.Request) -> str:
        """Returns a name for the visitor, different from the secret in the cookie."""
        return hashlib.sha256(request[SECRET].encode()).hexdigest()[:32]

    def _known(self, request: web.Request) -> str | None:
        """Returns the secret in a visitor's cookie."""
        cookie = request.cookies.get(_cookie(request), "")
        key, _, signature = cookie.rpartition(".")
        return cookie if key and _equal(signature, self._sign(key)) else None

    def _welcome(self, request: web.Request) -> str:
        """Returns the secret of a new visitor, who has the token.

        A redirect to the address without the token would take one more round trip: the page
        takes it out of its address.
        """
        if "token" not in request.query:
            raise web.HTTPForbidden(text="open the address with the token\n")
        if not _equal(request.query["token"], self._token):
            raise web.HTTPForbidden(text="wrong token\n")
        key = secrets.token_urlsafe(24)
        return f"{key}.{self._sign(key)}"

    def _sign(self, key: str) -> str:
        text = f"{self._token}/{key}"
        return hashlib.sha256(text.encode(errors="replace")).hexdigest()[:32]


POLICY = "Content-Security-Policy"
OF_PAGES = {
    POLICY,
    "Referrer-Policy",
    "Cross-Origin-Opener-Policy",
}
"""The headers that only have a meaning for pages."""


def headers(pictures: Iterable[str]) -> Mapping[str, str]:
    """Returns the headers of every response.

    Args:
        pictures: further addresses from which pages may load pictures.
    """
    sources = " ".join(["'self' data:", *map(_origin, pictures)])
    return {
        POLICY: "default-src 'self'; "
        f"img-src {sources}; style-src 'self' 'unsafe-inline'; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "same-origin",
        "Cross-Origin-Opener-Policy": "same-origin",
        "Cross-Origin-Resource-Policy": "same-origin",
        "Cache-Control": "no-cache",
    }


def _cookie(request: web.Request) -> str:
    """Returns the cookie's name: the servers on all ports of a host share their cookies."""
    return f"offstage-{request.url.port}"


def _equal(given: str, secret: str) -> bool:
    return secrets.compare_digest(given.encode(errors="replace"), secret.encode())


def _origin(address: str) -> str:
    """Returns the origin of an address, for a policy: `https://host:8080`."""
    parts = urlsplit(address.partition("{")[0])
    return f"{parts.scheme}://{parts.netloc}"
