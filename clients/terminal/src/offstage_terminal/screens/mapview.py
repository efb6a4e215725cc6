"""The map widget: the ground, and markers on it, in cells."""

from __future__ import annotations

import asyncio
import math
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, ClassVar

from offstage import OffstageError
from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.binding import Binding, BindingType
from textual.strip import Strip
from textual.timer import Timer

from ..model.ground import METERS_PER_DEGREE, Ground
from ..model.text import clean, fit
from ..widgets.page import Home, Page

# A title with less room is not shown.
LEAST = 8


def wrapped(lng: float) -> float:
    """Returns the same longitude, from -180 to 180."""
    return math.remainder(lng, 360)


@dataclass
class View:
    """The visible part of the world.

    Attributes:
        scale: degrees of latitude for each line.
    """

    lat: float
    lng: float
    scale: float = 0.0016

    def across(self) -> float:
        """Degrees of longitude for each column. A cell is twice as high as it is wide."""
        return self.scale / 2 / max(0.1, math.cos(math.radians(self.lat)))


class MapView(Home, can_focus=True):
    """Markers on a grid. Drag or use the arrows to move, the wheel or + and - to zoom."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "map--grid",
        "map--marker",
        "map--label",
        "map--cursor",
        "map--center",
        "map--scale",
        "map--name",
        "map--cluster",
    }
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "move(3,0)", "Move", key_display="↑↓←→"),
        Binding("down", "move(-3,0)", show=False),
        Binding("left", "move(0,-6)", show=False),
        Binding("right", "move(0,6)", show=False),
        Binding("plus,equals_sign", "zoom(0.7)", "Zoom", key_display="+-"),
        Binding("minus", "zoom(1.43)", show=False),
        Binding("n", "next(1)", "Next marker"),
        Binding("p", "next(-1)", show=False),
        Binding("enter", "open", "Open"),
    ]

    def __init__(self) -> None:
        super().__init__()
        self._view: View | None = None
        self._center: Any = None
        self._area: Any = None
        # True until the person moves a map that shows the area.
        self._fits = False
        self._markers: list[Any] = []
        self._clusters: list[Any] = []
        self._ground = Ground()
        self._ground_uri = ""
        self._chosen: Any = None
        self._lines: list[list[tuple[str, Style]]] = []
        self._spots: dict[tuple[int, int], Any] = {}
        self._drag: tuple[int, int] | None = None
        self._sending: Timer | None = None
        self._sent: dict[str, float] = {}
        self._is_new = False

    def show(self, page: Page) -> None:
        center = page.output.get("center")
        if center and center != self._center:
            self._center = center
            if not self._view or not self._is_sent(center):
                scale = self._view.scale if self._view else 0.0016
                self._view = View(center["lat"], center["lng"], scale)
                self._is_new = True
        self._follow_area()
        if self._is_new and not self._is_asking:
            self._send_bounds()
        self._markers = page.find("markers", [])
        self._clusters = page.find("clusters", [])
        if (uri := page.find("ground", "")) != self._ground_uri:
            self._ground_uri = uri
            self.run_worker(self._load_ground(uri), group="ground", exclusive=True)
        self._draw()

    async def _load_ground(self, uri: str) -> None:
        with suppress(OffstageError, ValueError):
            self._ground = Ground.read((await self.app.core.read(uri)).data)
            self._draw()

    def _follow_area(self, is_resized: bool = False) -> None:
        """Zooms out to the area that the app asks for, once the widget has a size, or another."""
        area = self.page.output.get("area")
        is_shown = area == self._area and not (is_resized and self._fits)
        if is_shown or not self._view or not self.size:
            return
        self._area, self._fits = area, bool(area)
        if not area:
            return
        north = area["maxLat"] - area["minLat"]
        east = (area["maxLng"] - area["minLng"]) % 360 or 360
        slope = self._view.across() / self._view.scale
        # The markers stay off the edges.
        scale = 1.1 * max(north / self.size.height, east / self.size.width / slope)
        self._view.scale = min(2, max(self._view.scale, scale))
        self._is_new = True

    def on_resize(self) -> None:
        self._follow_area(is_resized=True)
        self._draw()
        self._report()

    def _report(self) -> None:
        """Sends the bounds when the core has settled, unless it asks for the location."""
        core = self.app.core
        if not core.error:
            core.settle().add_done_callback(self._reported)

    def _reported(self, settled: asyncio.Future[Any]) -> None:
        self._is_new = True
        # Bounds around an old center would undo the move that the app asks for; `show` sends the
        # new ones.
        is_drawn = self.page.output.get("center") == self._center
        is_settled = not settled.cancelled() and not settled.exception()
        if is_settled and is_drawn and not self._is_asking:
            self._send_bounds()

    @property
    def _is_asking(self) -> bool:
        """True while the person is asked for the location, which will move the map."""
        waits = self.app.request[0] if self.app.request else ""
        prompts = self.app.core.document.prompts.items()
        return any(each["kind"] == "location.current" and id != waits for id, each in prompts)

    def _is_sent(self, center: Any) -> bool:
        """True if `center` only repeats that of the bounds that were sent."""
        if not (sent := self._sent):
            return False
        lat = (sent["minLat"] + sent["maxLat"]) / 2
        lng = (sent["minLng"] + sent["maxLng"]) / 2
        if sent["minLng"] > sent["maxLng"]:
            lng += 180
        # The core rounds its center.
        away = max(abs(lat - center["lat"]), abs(wrapped(lng - center["lng"])))
        return away < 1e-6

    def notify_style_update(self) -> None:
        super().notify_style_update()
        self._draw()

    def _point(self, lat: float, lng: float) -> tuple[float, float]:
        assert self._view
        x = self.size.width / 2 + wrapped(lng - self._view.lng) / self._view.across()
        y = self.size.height / 2 - (lat - self._view.lat) / self._view.scale
        return x, y

    def _cell(self, lat: float, lng: float) -> tuple[int, int]:
        x, y = self._point(lat, lng)
        return math.floor(x), math.floor(y)

    def _draw(self) -> None:
        """Draws the grid, the scale, the center, the markers, and labels where there is room."""
        width, height = self.size
        if not width or not self._view or not self.is_mounted:
            return
        ground = self.rich_style
        look = {
            n: self.get_component_rich_style(f"map--{n}")
            for n in ("grid", "marker", "label", "cursor", "center", "scale", "name", "cluster")
        }
        blank, dot = (" ", ground), ("·", look["grid"])
        left, top = self._phase()
        grid = [
            [dot if (x + left) % 10 == 0 and (y + top) % 5 == 0 else blank for x in range(width)]
            for y in range(height)
        ]
        line = self._view.scale * METERS_PER_DEGREE
        colors = self._ground.draw((width, height), self._point, line, self.app.current_theme.dark)
        bare = ground.bgcolor.name if ground.bgcolor else "default"
        for y in range(height):
            for x in range(width):
                top, bottom = colors[2 * y][x], colors[2 * y + 1][x]
                if top and top == bottom:
                    grid[y][x] = (" ", ground + Style(bgcolor=top))
                elif top or bottom:
                    grid[y][x] = ("▀", Style(color=top or bare, bgcolor=bottom or bare))
        taken: set[tuple[int, int]] = set()
        self._spots = {}

        def write(x: int, y: int, text: str, style: Style, shines: bool = True) -> None:
            for character in text:
                if not (0 <= y < height and 0 <= x < width):
                    return
                below = colors[2 * y + 1][x]
                if below and shines:
                    style = style + Style(bgcolor=below)
                grid[y][x] = (character, style)
                taken.add((x, y))
                wide = cell_len(character)
                if wide == 2 and x + 1 < width:
                    grid[y][x + 1] = ("", style)
                    taken.add((x + 1, y))
                x += max(1, wide)

        meters = self._view.scale * METERS_PER_DEGREE * 5
        length = f"{meters:,.0f} m" if meters < 2000 else f"{meters / 1000:,.0f} km"
        write(1, 0, f"├{'─' * 8}┤ {length}", look["scale"])
        if self._center:
            write(*self._cell(self._center["lat"], self._center["lng"]), "◎", look["center"])
        spots: list[tuple[int, int, Any]] = []
        for marker in self._markers:
            x, y = self._cell(marker["lat"], marker["lng"])
            if 0 <= x < width and 0 <= y < height:
                self._spots.setdefault((x, y), marker)
                spots.append((x, y, marker))
                write(x, y, "●", look["marker"])
        for x, y, marker in sorted(spots, key=lambda spot: spot[2] != self._chosen):
            title, chosen = clean(marker["title"]), marker == self._chosen
            # As far as the edge, or as what is there already.
            room = width - x - 2
            if not chosen:
                end = (at for at in range(x + 1, width) if (at, y) in taken)
                room = min(room, next(end, width) - x - 3)
            text = fit(title, min(room, cell_len(title)))
            if text == title or room >= LEAST:
                write(x, y, "●", look["cursor" if chosen else "marker"])
                write(x + 2, y, text, look["cursor" if chosen else "label"])
        for cluster in self._clusters:
            x, y = self._cell(cluster["lat"], cluster["lng"])
            text = f" {clean(cluster['text'])} "
            at = range(x - len(text) // 2, x - len(text) // 2 + len(text))
            if 0 <= at[0] and at[-1] < width and not {(x, y) for x in at} & taken:
                write(at[0], y, text, look["cluster"], shines=False)
        for title, lat, lng in self._ground.names(line):
            (x, y), text = self._cell(lat, lng), clean(title)
            x -= cell_len(text) // 2
            room = {(at, y) for at in range(x - 1, x + 1 + cell_len(text))}
            if x > 0 and x + cell_len(text) < width and not room & taken:
                write(x, y, text, look["name"])
        self._lines = grid
        self.refresh()

    def _phase(self) -> tuple[int, int]:
        """Returns the offset of the grid, which moves with the map."""
        assert self._view
        return (
            round(self._view.lng / self._view.across()) % 10,
            -round(self._view.lat / self._view.scale) % 5,
        )

    def render_line(self, y: int) -> Strip:
        if y >= len(self._lines):
            return Strip.blank(self.size.width, self.rich_style)
        segments = [Segment(text, style) for text, style in self._lines[y] if text]
        return Strip(Segment.simplify(segments)).crop_extend(0, self.size.width, self.rich_style)

    def action_move(self, lines: int, columns: int) -> None:
        if self._view:
            self._view.lat = max(-85, min(85, self._view.lat + lines * self._view.scale))
            self._view.lng = wrapped(self._view.lng + columns * self._view.across())
            self._moved()

    def action_zoom(self, factor: float) -> None:
        if self._view:
            self._view.scale = max(0.00002, min(2, self._view.scale * factor))
            self._moved()

    def action_next(self, by: int) -> None:
        shown = sorted(self._spots.values(), key=lambda marker: (-marker["lat"], marker["lng"]))
        if shown:
            at = shown.index(self._chosen) + by if self._chosen in shown else 0
            self._choose(shown[at % len(shown)])
            self._draw()

    def _choose(self, marker: Any) -> None:
        self._chosen = marker
        self.refresh_bindings()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return action != "open" or self._chosen is not None

    def action_open(self) -> None:
        self.page.send("placeTapped", self._chosen["id"])

    def _moved(self) -> None:
        """Draws at once, and sends the bounds when the map has stopped moving."""
        self._fits = False
        self._draw()
        if self._sending:
            self._sending.stop()
        self._sending = self.set_timer(0.25, self._send_bounds)

    def _send_bounds(self) -> None:
        if not self._view or not self.size.height or self.app.core.error:
            return
        self._is_new = False
        north = self._view.scale * self.size.height / 2
        east = self._view.across() * self.size.width / 2
        lat, lng = self._view.lat, self._view.lng
        is_round = east >= 180
        bounds = {
            "minLat": max(-90, lat - north), "minLng": -180 if is_round else wrapped(lng - east),
            "maxLat": min(90, lat + north), "maxLng": 180 if is_round else wrapped(lng + east),
        }  # fmt: skip
        if bounds != self._sent:
            self._sent = bounds
            self.page.send("boundsChanged", bounds)

    def on_mouse_down(self, event: events.MouseDown) -> None:
        self._drag = (event.x, event.y)
        self.capture_mouse()

    def on_mouse_move(self, event: events.MouseMove) -> None:
        if self._drag and (event.delta_x or event.delta_y):
            self.action_move(event.delta_y, -event.delta_x)

    def on_mouse_up(self, event: events.MouseUp) -> None:
        self.release_mouse()
        if self._drag == (event.x, event.y):
            near = [(event.x + dx, event.y + dy) for dx in (0, -1, 1) for dy in (0, -1, 1)]
            for spot in near:
                if marker := self._spots.get(spot):
                    self._choose(marker)
                    self.action_open()
                    break
        self._drag = None

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        self.action_zoom(0.8)

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        self.action_zoom(1.25)
