"""The line of keys at the bottom of a layer."""

from __future__ import annotations

from typing import Any, cast

from textual import events
from textual.binding import Binding
from textual.content import Content
from textual.screen import Screen
from textual.style import Style
from textual.widgets import Static

from ..model.text import clean
from .cells import Cells
from .host import Host
from .page import Page, put

# What the app offers now, and the way out. The palette finds everything that can be done, and the
# help every key.
KEPT = ("accept", "app.back", "app.help", "palette", "app.palette", "quit")


class KeyHints(Static):
    """The keys of the part that has the focus. A click on a hint presses its key.

    Textual's footer mounts a widget for each key whenever the focus moves, which takes longer
    than the rest of a page. This class is a single widget.
    """

    app: Host

    def on_mount(self) -> None:
        screen = cast("Any", self.screen)  # The signal has the type of any screen.
        screen.bindings_updated_signal.subscribe(self, self.follow)

    def follow(self, screen: Screen[Any]) -> None:
        """Shows each action once, with its first key.

        A narrow terminal leaves out the last ones, except those that lead to all others, and
        the key to quit.
        """
        shown: dict[str, Binding] = {}
        if screen is not self.app.screen:
            return
        for active in screen.active_bindings.values():
            is_empty = isinstance(active.node, Cells) and not active.node.items
            if active.enabled and active.binding.show and not is_empty:
                shown.setdefault(active.binding.action, active.binding)
        if self.way_back == "Close":
            shown.pop("dismiss_all", None)  # Escape does the same.
        hints = Content("  ").join(map(self._hint, shown.values()))
        while hints.cell_length > self.content_size.width > 0 and len(shown) > 1:
            others = [action for action in shown if action not in KEPT]
            shown.pop((others or [*shown])[-1])
            hints = Content("  ").join(map(self._hint, shown.values()))
        put(self, hints)

    @property
    def way_back(self) -> str:
        """The label of the way back from the layer: `Back` or `Close`."""
        pages = [page for page in self.screen.query(Page) if page.display]
        labels = [self.app.back_label(page.owner.id) for page in pages]
        return "Back" if any(label.startswith("‹") for label in labels) else "Close"

    def on_resize(self) -> None:
        self.follow(self.screen)

    def _hint(self, binding: Binding) -> Content:
        key, text = self.app.get_key_display(binding), self.app.words(binding.description)
        if binding.action == "app.back":
            way_out = cast("Any", self.screen).way_out
            text = clean(way_out.title) if way_out else self.app.words(self.way_back)
        elif binding.action == "accept":
            text = cast("Any", self.screen).offer
        # An action in "@click" would make it look like a link.
        return Content.assemble((key, "$accent bold"), " ", text).stylize(
            Style.from_meta({"key": binding.key})
        )

    def on_click(self, event: events.Click) -> None:
        if key := event.style.meta.get("key"):
            self.app.simulate_key(key)
