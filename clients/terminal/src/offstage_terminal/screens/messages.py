"""The messages of a conversation, of which the document has a window."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from offstage import CoreStopped
from textual.app import ComposeResult
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.geometry import Region, clamp
from textual.layout import WidgetPlacement
from textual.scrollbar import ScrollBar
from textual.widget import Widget
from textual.widgets import Static

from ..model.text import clean
from ..widgets.page import Page, Part

# How many messages around the visible ones are asked for, and how many of them may be left.
MARGIN, LEAST = 40, 15


class Bubble(Horizontal):
    """A message, on the side of its author."""

    def __init__(self, message: Any) -> None:
        super().__init__()
        self.message: Any = None
        self._text = Static("", markup=False)
        self.show_message(message)

    def compose(self) -> ComposeResult:
        yield self._text

    def show_message(self, message: Any) -> None:
        if message is self.message:
            return
        self.message = message
        text = clean("".join(message["pieces"]), lines=True)
        end = " ▍" if message["isStreaming"] else " …" if message["isCut"] else ""
        self._text.update(Content(text + end))
        self.set_classes(f"bubble {message['author']}")


class Messages(VerticalScroll, Part):
    """The messages in the window. It opens at the newest one, and follows it until the user scrolls
    up; then what is seen stays where it is."""

    def __init__(self) -> None:
        super().__init__(can_focus=True)
        self._window: Mapping[str, Any] = {}
        self._bubbles: dict[Any, Bubble] = {}
        # Where the messages are since they were last laid out.
        self._regions: dict[Widget, Region] = {}
        self._asked = range(0)
        self._above = Static("", classes="muted", markup=False)
        # The position that the user has gone to with Home or End.
        self._goal: int | None = None
        # True until the user scrolls up from the newest message.
        self._follows = True

    def compose(self) -> ComposeResult:
        yield self._above

    @property
    def _shown(self) -> range:
        """The positions of the messages in the window."""
        first: int = self._window.get("first", 0)
        return range(first, first + len(self._window.get("rows", ())))

    @property
    def _count(self) -> int:
        return self._window.get("count") or 0

    @property
    def _is_at_end(self) -> bool:
        return self._shown.stop >= self._count and self.is_vertical_scroll_end

    def show(self, page: Page) -> None:
        window: Mapping[str, Any] = page.output.get("messages") or {}
        if window is self._window:
            return
        follows = self._is_at_end or self._goal == self._count
        self._window = window
        self._place(window.get("rows", []))
        failure = clean(window.get("failure") or "")
        retry = f"{failure} · {self.app.words('Try again')} (Home)" if failure else "…"
        self._above.update(retry)
        self._above.display = bool(failure) or self._shown.start > 0
        if failure or not self._asked:
            self._asked = self._shown
        if self._goal is not None and self._goal in (self._shown.start, self._shown.stop):
            follows, self._goal, self._regions = self._goal > 0, None, {}
            self._asked = self._shown
            if not follows:
                self.scroll_home()
        if follows:
            # The core adds what comes below to the window.
            self._asked = range(self._asked.start, max(self._asked.stop, self._count))
        self._follows = follows
        self.anchor(follows)
        if not failure:
            self.call_after_refresh(self.ask)

    def _place(self, rows: list[Any]) -> None:
        """Removes the messages that are gone, and adds the new ones where they belong."""
        for id in self._bubbles.keys() - {row["id"] for row in rows}:
            self._bubbles.pop(id).remove()
        new: list[Bubble] = []
        for row in rows:
            if bubble := self._bubbles.get(row["id"]):
                bubble.show_message(row)
                if new:
                    self.mount(*new, before=bubble)
                    new = []
            else:
                bubble = self._bubbles[row["id"]] = Bubble(row)
                new.append(bubble)
        if new:
            self.mount(*new)

    # MARK: Where the messages are

    def process_layout(self, placements: list[WidgetPlacement]) -> list[WidgetPlacement]:
        """Keeps the first visible message where it is while those above it come, go, and grow.

        Called whenever the messages are laid out, before they are drawn.
        """
        before = self._regions
        self._regions = {
            placement.widget: placement.region
            for placement in placements
            if isinstance(placement.widget, Bubble)
        }
        for bubble, region in before.items():
            if bubble in self._regions and region.bottom > self.scroll_y:
                y = self.scroll_y + self._regions[bubble].y - region.y
                end = placements[-1].region.bottom - self.container_size.height
                y = clamp(y, 0, max(0, end))
                # Without what watches them, which would lay out again; so Textual follows an end.
                self.set_reactive(Widget.scroll_y, y)
                self.set_reactive(Widget.scroll_target_y, y)  # pyright: ignore
                self.vertical_scrollbar.set_reactive(ScrollBar.position, y)
                break
        return placements

    def scroll_to(self, x: float | None = None, y: float | None = None, **options: Any) -> None:
        """Scrolls at once: after a movement or a refresh, `y` may be the place of another message."""
        options |= {"animate": False, "immediate": True}
        super().scroll_to(x, y, **options)

    def release_anchor(self) -> None:
        """Called when the user scrolls."""
        super().release_anchor()
        self._follows = False

    # MARK: What is asked for

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        super().watch_scroll_y(old_value, new_value)
        self.ask()

    def on_resize(self) -> None:
        """Called when the messages have been laid out, too."""
        self.ask()

    def ask(self) -> None:
        """Asks for the visible messages and those around them, before the user reaches the end."""
        # On the way to the end, other messages are seen than those that will be.
        if self._follows and not self.is_vertical_scroll_end:
            return
        top, bottom = self.scroll_offset.y, self.scroll_offset.y + self.size.height
        seen = [
            at
            for at, row in enumerate(self._window.get("rows", ()), self._shown.start)
            if (region := self._regions.get(self._bubbles[row["id"]]))
            if region.bottom > top and region.y < bottom
        ]
        if not seen or not self.size.area:
            return
        near = max(seen[0] - LEAST, 0), min(seen[-1] + 1 + LEAST, self._count)
        if not (self._asked.start <= near[0] and near[1] <= self._asked.stop):
            self._request(range(max(seen[0] - MARGIN, 0), seen[-1] + 1 + MARGIN))

    def _request(self, positions: range) -> None:
        self._asked = positions
        with suppress(CoreStopped):
            window = self.page.owner.window("messages", positions.start, len(positions))
            self.app.do(window)

    def action_scroll_home(self) -> None:
        if self._shown.start == 0:
            return super().action_scroll_home()
        self._goal = 0
        self._request(range(2 * MARGIN))

    def action_scroll_end(self) -> None:
        if self._shown.stop >= self._count:
            return super().action_scroll_end()
        self._goal = self._count
        self._request(range(max(self._count - 2 * MARGIN, 0), self._count))
