"""The dialogs: for the end of the core, for links, and for prompts."""

from __future__ import annotations

import webbrowser
from collections.abc import Callable, Mapping
from typing import Any

from offstage import Core
from offstage.navigation import above, stack
from textual.widgets import Button

from .device import Device
from .model.files import Mistake
from .model.text import clean
from .questions import CLOSE, Questions
from .widgets.host import Host
from .widgets.overlays import Asked, Dialog, Surprise


class Stopped(Surprise):
    """Reports that the core has ended, or why it could not start."""

    def __init__(self, app: Host, reason: str, restart: Callable[[], object]) -> None:
        words = app.words
        again = words("Try again") if reason else words("Restart")
        title = words("The app could not be started") if reason else words("The app has stopped")
        buttons = [("restart", again + " (r)", "primary"), ("quit", words("Quit"), "default")]
        message = reason or words("Everything that was saved is still there.")
        super().__init__(("stopped",), title, message, buttons=buttons)
        self._restart = restart

    def answered(self, button: str, fields: dict[str, str]) -> None:
        self.app.exit() if button == "quit" else self._restart()

    def key_r(self) -> None:
        self._restart()

    def key_escape(self, event: Any) -> None:
        event.stop()


class LinkDialog(Dialog):
    """Shows the address of the topmost screen, and asks for a link to open."""

    def __init__(self, app: Host) -> None:
        words = app.words
        buttons = [("open", words("Open"), "primary"), ("close", words("Close"), "default")]
        patterns = [link["pattern"] for link in app.core.handshake.raw.get("links", [])]
        self._url = _address(app.core)
        if self._url:
            buttons.insert(1, ("copy", words("Copy the address"), "default"))
            patterns = [words("You are at {url}", url=self._url), "", *patterns]
        super().__init__(
            ("link",),
            words("Open a link"),
            "\n".join(patterns),
            buttons=buttons,
            fields=[Asked("url", f"{app.core.handshake.app.name}://…")],
        )

    def answered(self, button: str, fields: dict[str, str]) -> None:
        app, url = self.app, fields["url"]
        app.close_menu(self)
        if button == "copy" and self._url:
            app.copy(self._url)
        if button == "open" and url:
            app.do(app.core.open(url))

    def submit(self) -> None:
        self.query_one(".-primary", Button).press()

    def key_escape(self, event: Any) -> None:
        event.stop()
        self.app.close_menu(self)


def _address(core: Core) -> str | None:
    """Returns the URL of the topmost screen with one."""
    navigation, screens = core.document.navigation, core.document.screens
    ids = [*stack(navigation)[:1], *above(navigation)]
    return next((url for id in reversed(ids) if (url := screens[id].get("url"))), None)


class BrowserDialog(Dialog):
    """Asks whether to open a link of a text in the browser."""

    def __init__(self, app: Host, url: str) -> None:
        words, self._url = app.words, url
        buttons = [("open", words("Open"), "primary"), ("copy", words("Copy"), "default")]
        buttons.append(("close", words("Close"), "default"))
        super().__init__(("link",), words("Open a link"), url, buttons=buttons)

    def answered(self, button: str, fields: dict[str, str]) -> None:
        self.app.close_menu(self)
        if button == "open":
            webbrowser.open(self._url)
        elif button == "copy":
            self.app.copy(self._url)

    def key_escape(self, event: Any) -> None:
        event.stop()
        self.app.close_menu(self)


class PromptDialog(Surprise):
    """Shows a prompt, and sends the person's answer."""

    def __init__(self, app: Host, device: Device, id: str, prompt: Mapping[str, Any]) -> None:
        self._prompt, self._question = id, Questions(app, device).write(id, prompt)
        question = self._question
        super().__init__(
            ("prompt", id, prompt["kind"].replace(".", "-")),
            question.title,
            question.message,
            buttons=question.buttons,
            fields=question.fields,
        )

    def on_unmount(self) -> None:
        self._question.close()

    def answered(self, button: str, fields: dict[str, str]) -> None:
        app = self.app
        if button == CLOSE:
            app.do(app.core.answer(self._prompt, dismissed=True))
            return
        try:
            if sent := self._question.answer(button, fields):
                app.do(sent)
        except Mistake as mistake:
            app.notify(clean(mistake), severity="warning", markup=False)

    def key_escape(self, event: Any) -> None:
        """Presses the cancel button, or dismisses a prompt without one."""
        event.stop()
        event.prevent_default()
        self.answered(self._question.escape, {})
