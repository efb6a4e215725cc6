"""The age of a page's content."""

from __future__ import annotations

from time import time

from offstage.values import say_time
from textual.widgets import Static

from ..model.text import clean
from ..model.words import Words
from .page import Page, Part, put

UNITS = [("day", 86_400), ("hour", 3600), ("minute", 60)]


class Stale(Static, Part):
    """Shows the age of a page's stale content: "Saved 2 hours ago". Hidden without any.

    The oldest time is shown.
    """

    def __init__(self) -> None:
        super().__init__("", classes="page--stale", markup=False)
        self._since: float | None = None
        self._is_virtual = False

    def on_mount(self) -> None:
        self.set_interval(30, self._write)

    def show(self, page: Page) -> None:
        values = [page.output.get(port.name) for port in page.about.with_role("stale")]
        times = [value for value in values if value is not None and value is not False]
        self._since = min(times, default=None)
        self._is_virtual = page.core.handshake.raw.get("clock") == "virtual"
        self._write()

    def _write(self) -> None:
        self.display = self._since is not None
        if self._since is not None:
            put(self, clean(self._say(self._since)))

    def _say(self, since: float) -> str:
        """Writes the age; the time itself on a virtual clock, or if it is long ago."""
        if since is True:
            return age(None, self.app.words)
        seconds = time() - since
        if self._is_virtual or seconds > 30 * 86_400:
            return self.app.words("Saved {time}", time=say_time(since))
        return age(seconds, self.app.words)


def age(seconds: float | None, words: Words) -> str:
    """Returns a text such as "Saved 2 hours ago"."""
    if seconds is None:
        return words("Saved earlier")
    for unit, length in UNITS:
        if (count := int(seconds // length)) > 0:
            plural = "" if count == 1 else "s"
            return words(f"Saved {{count}} {unit}{plural} ago", count=count)
    return words("Saved just now")
