"""Restores the tab, the screen, and the typed text of a core that has ended."""

from __future__ import annotations

from contextlib import suppress
from typing import NamedTuple

from offstage import Core, RPCError
from offstage.navigation import above, stack

Drafts = dict[tuple[str, str], str]
"""Typed text, by the kind of the screen and the name of the input."""


class Lost(NamedTuple):
    """What is not restored: the titles of screens, and of their fields with text."""

    screens: list[str]
    texts: list[str]


class Whereabouts(NamedTuple):
    """Where a person is in a core, and how to go there in another one.

    Attributes:
        url: that of the topmost screen with one.
        opened: the kinds of the screens above the root, the topmost last.
    """

    tab: str | None
    url: str | None
    opened: list[str]

    @classmethod
    def of(cls, core: Core) -> Whereabouts:
        navigation, screens = core.document.navigation, core.document.screens
        opened = above(navigation)
        ids = [*stack(navigation)[:1], *opened]
        urls: list[str] = [url for id in ids if (url := screens[id].get("url"))]
        return cls(
            navigation.get("root", {}).get("selected"),
            urls[-1] if urls else None,
            [screens[id]["kind"] for id in opened],
        )

    async def reopen(self, core: Core, drafts: Drafts) -> Lost:
        """Goes to the place in a core that has just started, and types the drafts again.

        A sheet or a modal without a URL stays closed: the input that opens it may do more.
        """
        with suppress(RPCError):  # The new core may lack the tab or the screen.
            if self.tab:
                await core.select_tab(self.tab)
            if self.url:
                await core.open(self.url)
        for id, screen in core.document.screens.items():
            for (kind, name), text in drafts.items():
                field = core.field(id, name)
                if screen["kind"] == kind and text and field.value != text:
                    field.write(text)
        kinds = [screen["kind"] for screen in core.document.screens.values()]
        about, closed = core.description.screens, [k for k in self.opened if k not in kinds]
        return Lost(
            [about[kind].title for kind in closed],
            [
                about[kind].inputs[name].title
                for (kind, name), text in drafts.items()
                if text and kind in closed
            ],
        )


def drafts(core: Core) -> Drafts:
    """Returns the texts of the core's fields."""
    return {
        (screen["kind"], name): content["value"]
        for screen in core.document.screens.values()
        for name, content in screen.get("fields", {}).items()
        if core.description.screens[screen["kind"]].inputs[name].role == "text"
    }
