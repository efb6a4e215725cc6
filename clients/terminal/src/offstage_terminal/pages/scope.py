"""What an app says and takes on every screen."""

from __future__ import annotations

from offstage import ScreenDescription
from textual.app import ComposeResult
from textual.containers import Horizontal

from ..widgets.parts import Busy
from ..widgets.stale import Stale
from .anypage import AnyPage
from .drawing import draw_input, draw_output


class Scope(AnyPage):
    """The app's own notices, failures, running work, progress, and inputs, above a screen."""

    DEFAULT_CLASSES = "scope"

    @staticmethod
    def is_drawn(app: ScreenDescription | None) -> bool:
        """True if there is something to draw."""
        roles = {"busy", "failure", "notice", "progress", "stale"}
        return app is not None and (bool(app.inputs) or any(app.with_role(*roles)))

    def compose(self) -> ComposeResult:
        if self.names("stale"):
            yield Stale()
        if names := self.names("busy"):
            yield Busy(*names)
        yield from self.news()
        for port in self.about.with_role("progress"):
            yield from draw_output(self, port, [])
        inputs = self.about.inputs.values()
        yield from filter(None, (draw_input(self, port) for port in inputs))
        if buttons := list(self.buttons()):
            with Horizontal(classes="scope--buttons"):
                yield from buttons

    def show(self) -> None:
        self.show_parts()
