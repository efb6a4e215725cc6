"""Restores the tab, the screen, and the typed text of a core that has ended."""

from __future__ import annotations

from contextlib import suppress
from typing import Any, NamedTuple
from urllib.parse import quote

from offstage import Core, Frame, RPCError
from offstage.navigation import above, stack

Drafts = dict[tuple[str, str], str]
"""Typed text, by the kind of the screen and the name of the input."""


class Lost(NamedTuple):
    """What is not restored: the titles of screens, and of their fields with text."""

    screens: list[str]
    texts: list[str]


class Trail:
    """Remembers the links to the screens that were opened."""

    def __init__(self, core: Core) -> None:
        self._core = core
        self._links: dict[str, str] = {}
        self._sent: tuple[int, Any] = (0, None)

    def note(self, value: Any) -> None:
        """Remembers the value of the newest request, which may open a screen."""
        self._sent = (self._core.last_id, value)

    def follow(self, frame: Frame) -> None:
        """Remembers the links to the screens that a frame opens."""
        id, value = self._sent
        for command in frame.navigation:
            if command["type"] in ("push", "present") and frame.cause == id:
                for screen in command["screens"][-1:]:
                    if link := self._link_to(screen, value):
                        self._links[screen] = link

    def _link_to(self, screen: str, value: Any) -> str | None:
        document, links = self._core.document, self._core.handshake.raw.get("links", [])
        kind = document.screens.get(screen, {}).get("kind")
        tab = document.navigation["root"].get("selected")
        for link in links:
            if link.get("screen") == kind and link.get("tab") in (None, tab):
                return fill(link["pattern"], value)
        return None

    @property
    def place(self) -> tuple[str | None, str | None]:
        """The selected tab, and the link to the topmost screen that has one."""
        navigation = self._core.document.navigation
        screens = [*stack(navigation)[:1], *above(navigation)]
        links = [self._links[screen] for screen in reversed(screens) if screen in self._links]
        return navigation.get("root", {}).get("selected"), links[0] if links else None

    @property
    def opened(self) -> list[str]:
        """The kinds of the screens above the root, the topmost last."""
        screens = self._core.document.screens
        return [screens[id]["kind"] for id in above(self._core.document.navigation)]

    async def reopen(
        self, tab: str | None, link: str | None, drafts: Drafts, opened: list[str]
    ) -> Lost:
        """Goes to a place in a core that has just started, and types the drafts again.

        A sheet or a modal stays closed: it has no link, and the input that opens it may do more.
        """
        core = self._core
        self._links = {}
        with suppress(RPCError):  # The new core may lack the tab or the screen.
            if tab:
                await core.select_tab(tab)
            if link:
                await core.open(link)
                self._links[core.visible[0]] = link
        for id, screen in core.document.screens.items():
            for (kind, name), text in drafts.items():
                field = core.field(id, name)
                if screen["kind"] == kind and text and field.value != text:
                    field.write(text)
        kinds = [screen["kind"] for screen in core.document.screens.values()]
        about, closed = core.description.screens, [kind for kind in opened if kind not in kinds]
        return Lost(
            [about[kind].title for kind in closed],
            [
                about[kind].inputs[name].title
                for (kind, name), text in drafts.items()
                if text and kind in closed
            ],
        )


def fill(pattern: str, value: Any) -> str | None:
    """Replaces `:name` in a link's pattern with a value, or the last member of one."""
    before, colon, name = pattern.partition("/:")
    if not colon:
        return pattern
    if isinstance(value, dict):
        *_, value = value.values()  # pyright: ignore
    if not isinstance(value, str | int) or "/" in name:
        return None
    return f"{before}/{quote(str(value), safe='')}"


def drafts(core: Core) -> Drafts:
    """Returns the texts of the core's fields."""
    return {
        (screen["kind"], name): content["value"]
        for screen in core.document.screens.values()
        for name, content in screen.get("fields", {}).items()
        if core.description.screens[screen["kind"]].inputs[name].role == "text"
    }
