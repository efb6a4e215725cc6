"""The document and the app's files, as resources."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from itertools import islice
from typing import cast
from urllib.parse import unquote

from mcp.types import (
    BlobResourceContents,
    ReadResourceResult,
    Resource,
    ResourceTemplate,
    TextResourceContents,
)
from offstage import JSON, Core

DOCUMENT = "offstage://document"
FILE = "resource:"
# The maximum number of files to list: a screen may show thousands of pictures.
FILES = 100
# The maximum bytes of a file, since an agent gets it as text.
BYTES = 8 << 20
_JSON = "application/json"
_MISSING = object()

TEMPLATES = [
    ResourceTemplate(
        uri_template=DOCUMENT + "{/path*}",
        name="part",
        title="A part of the document",
        mime_type=_JSON,
    ),
    ResourceTemplate(
        uri_template=FILE + "{+path}", name="file", title="A file of the app"
    ),
]


class UnknownResource(Exception):
    """The URI names nothing, or something that is gone."""


class Resources:
    """Lists and reads the resources of a core."""

    def __init__(self, core: Core) -> None:
        self._core = core
        self._files: dict[str, tuple[JSON, list[str]]] = {}

    def list(self) -> list[Resource]:
        """Returns the document, each open screen, and the files on the visible ones."""
        document = Resource(
            uri=DOCUMENT, name="document", title="The document", mime_type=_JSON
        )
        kinds = self._core.description.screens
        screens = [
            Resource(
                uri=f"{DOCUMENT}/screens/{id}",
                name=f"screen-{id}",
                title=kinds[screen["kind"]].title,
                mime_type=_JSON,
            )
            for id, screen in self._core.document.screens.items()
        ]
        files = [Resource(uri=uri, name=uri.removeprefix(FILE)) for uri in self.files()]
        return [document, *screens, *files]

    def files(self) -> list[str]:
        """Returns the URIs of the first files that the visible screens show."""
        seen, self._files = self._files, {}
        for id in self._core.visible:
            screen = self._core.document.screens[id]
            last = seen.get(id)
            # A screen that did not change is the same object.
            if not last or last[0] is not screen:
                last = (screen, [*islice(dict.fromkeys(_uris(screen)), FILES)])
            self._files[id] = last
        every = [uri for _, uris in self._files.values() for uri in uris]
        return [*islice(dict.fromkeys(every), FILES)]

    def part(self, uri: str) -> JSON:
        """Returns the part of the document that a URI names.

        Raises:
            UnknownResource: the document has no such part.
        """
        path = unquote(uri.removeprefix(DOCUMENT))
        value = self._core.document.get(path, _MISSING)
        if not uri.startswith(DOCUMENT) or value is _MISSING:
            raise UnknownResource(f"unknown resource {uri}")
        return value

    async def read(self, uri: str) -> ReadResourceResult:
        """Returns the contents of a resource.

        Raises:
            UnknownResource: the document has no such part.
            RPCError: the app has no such file.
        """
        if uri.startswith(FILE):
            return ReadResourceResult(contents=[await self._file(uri)])
        text = json.dumps(self.part(uri), ensure_ascii=False)
        part = TextResourceContents(uri=uri, mime_type=_JSON, text=text)
        return ReadResourceResult(contents=[part])

    async def _file(self, uri: str) -> BlobResourceContents:
        file = await self._core.read(uri, BYTES)
        blob = base64.b64encode(file.data).decode()
        return BlobResourceContents(uri=uri, mime_type=file.mime_type, blob=blob)


def _uris(value: JSON) -> Iterator[str]:
    if isinstance(value, str) and value.startswith(FILE):
        yield value
    elif isinstance(value, dict):
        for part in cast("dict[str, JSON]", value).values():
            yield from _uris(part)
    elif isinstance(value, list):
        for part in cast("list[JSON]", value):
            yield from _uris(part)
