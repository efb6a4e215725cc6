"""The dialogs: for the end of the core, for links, and for prompts."""

from __future__ import annotations

import webbrowser
from collections.abc import Callable, Mapping
from typing import Any

from textual.widgets import Button

from .device import Device
from .model.reopen import Whereabouts
from .widgets.host import Host
from .widgets.overlays import Dialog

VARIANTS = {"destructive": "error", "cancel": "default"}


class Stopped(Dialog):
    """Reports that the core has ended, and why."""

    def __init__(self, app: Host, message: str, restart: Callable[[], None]) -> None:
        words = app.words
        buttons = [
            ("restart", words("Restart") + " (r)", "primary"),
            ("quit", words("Quit"), "default"),
        ]
        super().__init__(("stopped",), words("The app has stopped"), message, buttons=buttons)
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
        self._url = Whereabouts.of(app.core).url
        if self._url:
            buttons.insert(1, ("copy", words("Copy the address"), "default"))
            patterns = [words("You are at {url}", url=self._url), "", *patterns]
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
        if button == "copy" and self._url:
            app.copy_to_clipboard(self._url)
            app.notify(app.words("Copied to the clipboard"), markup=False)
        if button == "open" and url:
            app.do(app.core.open(url))

    def submit(self) -> None:
        self.query_one(".-primary", Button).press()

    def key_escape(self, event: Any) -> None:
        event.stop()
        self.app.close_menu(self)


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
            self.app.copy_to_clipboard(self._url)
            self.app.notify(self.app.words("Copied to the clipboard"))

    def key_escape(self, event: Any) -> None:
        event.stop()
        self.app.close_menu(self)


class PromptDialog(Dialog):
    """Shows a prompt, and sends the user's answer."""

    def __init__(self, app: Host, device: Device, id: str, prompt: Mapping[str, Any]) -> None:
        self.prompt, self.kind = id, prompt["kind"]
        self._answer = app.core.description.prompts.get(self.kind, {}).get("answer", {})
        self._device = device
        params: Any = prompt.get("params") or {}
        words, name = app.words, app.core.handshake.app
        yes_no = [("yes", words("Allow"), "primary"), ("no", words("Don’t allow"), "default")]
        self._buttons_of: list[Any] = params.get("buttons") or []
        message, fields = params.get("message") or "", list[tuple[str, str, str]]()
        if self.kind == "location.current":
            title, buttons = words("Share your location with {app}?", app=name), yes_no
            message = words("Your location will be {place}.", place=words(device.place.name))
        elif self.kind == "notifications.authorize":
            title, buttons = words("Let {app} send notifications?", app=name), yes_no
        elif self._buttons_of:
            title = params.get("title", "")
            buttons = [
                (each["id"], each["title"], VARIANTS.get(each.get("role") or "", "primary"))
                for each in self._buttons_of
            ]
            asked: list[Any] = params.get("fields") or []
            fields = [(field["id"], field["placeholder"], "") for field in asked]
        else:
            title, message = self.kind, app.core.description.say(params, {})
            properties = app.core.description.resolve(self._answer).get("properties", {})
            fields = [(name, name, "") for name in properties]
            buttons = [("yes", words("Answer"), "primary"), ("no", words("Dismiss"), "default")]
        super().__init__(
            ("prompt", id, self.kind.replace(".", "-")),
            title,
            message,
            buttons=buttons,
            fields=fields,
        )

    def answered(self, button: str, fields: dict[str, str]) -> None:
        core = self.app.core
        if self._buttons_of:
            value: Any = {"button": button, "fields": fields}
        elif self.kind == "notifications.authorize":
            granted = button == "yes"
            self._device.notifications = "granted" if granted else "denied"
            value = {"granted": granted}
        elif button == "no":
            self.app.do(core.answer(self.prompt, dismissed=True))
            return
        elif self.kind == "location.current":
            self._device.locate(self.prompt)
            return
        else:
            members = core.description.resolve(self._answer).get("properties", {})
            value = {
                name: core.description.parse(text, members[name]) for name, text in fields.items()
            }
        self.app.do(core.answer(self.prompt, value))

    def key_escape(self, event: Any) -> None:
        """Presses the cancel button, or dismisses a prompt without one."""
        event.stop()
        event.prevent_default()
        cancel = [each["id"] for each in self._buttons_of if each.get("role") == "cancel"]
        if cancel:
            self.answered(cancel[0], {})
        else:
            self.app.do(self.app.core.answer(self.prompt, dismissed=True))
