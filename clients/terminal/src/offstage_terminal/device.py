"""The device of the core's prompts: this terminal."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from offstage import Prompt

from .widgets.host import Host


@dataclass
class Place:
    """The location to report, since a terminal has no sensor."""

    name: str = "Seoul City Hall"
    lat: float = 37.5665
    lng: float = 126.978


class Device:
    """Answers the prompts that need no decision by the user.

    Args:
        place: the location to report when the core asks for it.
    """

    def __init__(self, app: Host, place: Place) -> None:
        self._app, self.place = app, place
        self.notifications = "notDetermined"
        self.shares_location = False
        self.located = set[str]()
        self.scheduled = 0

    def handlers(self) -> dict[str, Any]:
        return {
            "notifications.status": self.status,
            "notifications.schedule": self.schedule,
            "share": self.copy,
            "copy": self.copy,
        }

    def locate(self, prompt: str) -> None:
        """Answers with the location, now and whenever the core asks again in this run."""
        self.shares_location = True
        if prompt not in self.located:
            self.located.add(prompt)
            location = {"lat": self.place.lat, "lng": self.place.lng}
            self._app.do(self._app.core.answer(prompt, location))

    async def status(self, prompt: Prompt[Any]) -> Any:
        return {"status": self.notifications}

    async def schedule(self, prompt: Prompt[Any]) -> Any:
        count = len(prompt.params["notifications"])
        self.scheduled = count
        if count:
            self._app.notify(self._app.words("{count} reminders scheduled", count=count))
        return {}

    async def copy(self, prompt: Prompt[Any]) -> Any:
        """Copies a text: a terminal has no other apps to share it with."""
        self._app.copy(prompt.params["text"])
        return {}
