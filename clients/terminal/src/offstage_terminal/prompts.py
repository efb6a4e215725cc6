"""The prompts of a core: alerts, dialogs, and prompts for the device, this terminal."""

from __future__ import annotations

import webbrowser
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from offstage import Prompt

from .layers import Dialog

if TYPE_CHECKING:
    from .app import TerminalApp

DIALOGS = ("alert", "confirmationDialog")
VARIANTS = {"destructive": "error", "cancel": "default"}


@dataclass
class Place:
    """The location to report, since a terminal has no sensor."""

    name: str = "Seoul City Hall"
    lat: float = 37.5665
    lng: float = 126.978


class Device:
    """Answers the prompts that need no decision by the user."""

    def __init__(self, app: TerminalApp) -> None:
        self._app = app
        self.notifications = "notDetermined"
        self.shares_location = False
        self.located = set[str]()
        self.scheduled = 0

    def handlers(self) -> dict[str, Any]:
        return {
            "notifications.status": self.status,
            "notifications.schedule": self.schedule,
            "share": self.share,
            "openURL": self.open_url,
        }

    def locate(self, prompt: str) -> None:
        """Answers with the location, now and whenever the core asks again in this run."""
        self.shares_location = True
        if prompt not in self.located:
            self.located.add(prompt)
            place, core = self._app.place, self._app.core
            self._app.do(core.answer(prompt, {"lat": place.lat, "lng": place.lng}))

    async def status(self, prompt: Prompt[Any]) -> Any:
        return {"status": self.notifications}

    async def schedule(self, prompt: Prompt[Any]) -> Any:
        count = len(prompt.params["notifications"])
        self.scheduled = count
        if count:
            self._app.notify(self._app.words("{count} reminders scheduled", count=count))

    async def share(self, prompt: Prompt[Any]) -> Any:
        self._app.copy_to_clipboard(prompt.params["text"])
        self._app.notify(self._app.words("Copied to the clipboard"))

    async def open_url(self, prompt: Prompt[Any]) -> Any:
        if str(prompt.params["url"]).startswith(("http:", "https:")):
            webbrowser.open(prompt.params["url"])


class PromptDialog(Dialog):
    """Shows a prompt, and sends the user's answer."""

    def __init__(self, app: TerminalApp, id: str, prompt: Mapping[str, Any]) -> None:
        self.prompt, self.kind = id, prompt["kind"]
        self._answer = app.core.description.prompts.get(self.kind, {}).get("answer", {})
        self._device = app.device
        params: Any = prompt.get("params") or {}
        words, name = app.words, app.core.handshake.app
        yes_no = [("yes", words("Allow"), "primary"), ("no", words("Don’t allow"), "default")]
        self._buttons_of: list[Any] = params.get("buttons") or []
        message, fields = params.get("message") or "", list[tuple[str, str, str]]()
        if self.kind == "location.current":
            title, buttons = words("Share your location with {app}?", app=name), yes_no
            message = words("Your location will be {place}.", place=words(app.place.name))
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
