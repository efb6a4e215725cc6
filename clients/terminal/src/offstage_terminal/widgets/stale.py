"""The age of a page's content."""

from __future__ import annotations

from time import time

from offstage import Port
from textual.widgets import Static

from ..model.words import Words
from .page import Page, Part, put

UNITS = [("day", 86_400), ("hour", 3600), ("minute", 60)]


def is_stale_since(port: Port) -> bool:
    """True for an output with the time at which stale content was loaded."""
    return port.name == "staleSince" or port.name.endswith("StaleSince")


class Stale(Static, Part):
    """Shows the age of a page's stale content: "Saved 2 hours ago". Hidden without any.

    A screen has an output `staleSince`, or one for each part, such as `resultsStaleSince`:
    seconds since 1970, or null while the content is up to date. The oldest time is shown.
    """

    def __init__(self) -> None:
        super().__init__("", classes="page--stale", markup=False)
        self._since: int | None = None
        self._is_virtual = False

    def on_mount(self) -> None:
        self.set_interval(30, self._write)

    def show(self, page: Page) -> None:
        ports = filter(is_stale_since, page.about.outputs.values())
        times = [page.output.get(port.name) for port in ports]
        self._since = min((since for since in times if since is not None), default=None)
        self._is_virtual = page.core.handshake.raw.get("clock") == "virtual"
        self._write()

    def _write(self) -> None:
        self.display = self._since is not None
        if self._since is not None:
            # The age is unknown on a virtual clock.
            seconds = None if self._is_virtual else time() - self._since
            put(self, age(seconds, self.app.words))


def age(seconds: float | None, words: Words) -> str:
    """Returns a text such as "Saved 2 hours ago"."""
    if seconds is None:
        return words("Saved earlier")
    for unit, length in UNITS:
        if (count := int(seconds // length)) > 0:
            plural = "" if count == 1 else "s"
            return words(f"Saved {{count}} {unit}{plural} ago", count=count)
    return words("Saved just now")
