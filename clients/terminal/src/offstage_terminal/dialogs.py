"""The front end's own dialogs, for the end of the core and for links."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from textual.widgets import Button

from .layers import Dialog

if TYPE_CHECKING:
    from .app import TerminalApp


class Stopped(Dialog):
    """Reports that the core has ended, and why."""

    def answered(self, button: str, fields: dict[str, str]) -> None:
        self.app.exit() if button == "quit" else self.app.action_restart()

    def key_r(self) -> None:
        self.app.action_restart()

    def key_escape(self, event: Any) -> None:
        event.stop()


class LinkDialog(Dialog):
    """Asks for a deep link, and opens it."""

    def __init__(self, app: TerminalApp) -> None:
        words = app.words
        buttons = [("open", words("Open"), "primary"), ("close", words("Close"), "default")]
        patterns = [link["pattern"] for link in app.core.handshake.raw.get("links", [])]
        super().__init__(
            ("link",),
            words("Open a link"),
            "\n".join(patterns),
            buttons=buttons,
            fields=[("url", f"{app.core.handshake.app}://…", "")],
        )

    def answered(self, button: str, fields: dict[str, str]) -> None:
        app, url = self.app, fields["url"]
        app.close_menu(self)
        if button == "open" and url:
            app.do(app.core.open(url))
            app.trail.note(unquote(url.rpartition("/")[2]))

    def submit(self) -> None:
        self.query_one(".-primary", Button).press()

    def key_escape(self, event: Any) -> None:
        event.stop()
        self.app.close_menu(self)
