"""Draws the ground of a map, as the app describes it, in cells of two pixels."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from PIL import Image, ImageDraw

METERS_PER_DEGREE = 111_320
# The colors of what covers the ground: in the light, and in the dark.
COLORS = {
    "mountain": ("#dbe7d2", "#1d2a1c"),
    "park": ("#cbe4ba", "#22351f"),
    "river": ("#a9d1ea", "#173a56"),
    "lake": ("#a9d1ea", "#173a56"),
    "stream": ("#a9d1ea", "#173a56"),
    "palace": ("#eedcb8", "#3d3220"),
    "street": ("#d2d4cb", "#34373d"),
}
# From how many meters in a line on a name is left out: a larger part of the world is shown then.
COARSEST = {"river": 900, "district": 300, "mountain": 250, "park": 90, "palace": 90, "stream": 60}
Point: TypeAlias = tuple[float, float]
Colors: TypeAlias = list[list[str | None]]


@dataclass
class Ground:
    """What covers the ground.

    Attributes:
        features: what the app has sent; empty until it has.
    """

    features: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])

    @classmethod
    def read(cls, data: bytes) -> Ground:
        return cls(json.loads(data)["features"])

    def draw(
        self, size: tuple[int, int], cell: Callable[[float, float], Point], line: float, dark: bool
    ) -> Colors:
        """Returns the color of each half of each cell, from the top; None for bare ground.

        Args:
            size: the columns and the lines.
            cell: converts a latitude and a longitude to a column and a line, with fractions.
            line: the meters in a line.
        """
        width, height = size[0], 2 * size[1]
        image = Image.new("P", (width, height))
        pen = ImageDraw.Draw(image)
        kinds = list(COLORS)
        for feature in self.features:
            if (kind := feature["kind"]) not in COLORS:
                continue
            points = [(x, 2 * y) for x, y in (cell(*at) for at in _pairs(feature["points"]))]
            if not _is_near(points, width, height):
                continue
            color = kinds.index(kind) + 1
            if meters := feature.get("meters"):
                wide = max(1, round(2 * meters / line))
                pen.line(points, fill=color, width=wide, joint="curve")
            elif len(points) > 2:
                pen.polygon(points, fill=color)
        bare: list[str | None] = [None]
        palette = bare + [COLORS[kind][dark] for kind in kinds]
        data = image.tobytes()
        return [[palette[at] for at in data[y * width : (y + 1) * width]] for y in range(height)]

    def names(self, line: float) -> Iterator[tuple[str, float, float]]:
        """Yields the names that fit a scale, the most important first, with their places."""
        order = list(COARSEST)
        for feature in sorted(
            self.features,
            key=lambda each: order.index(each["kind"]) if each["kind"] in order else len(order),
        ):
            points = list(_pairs(feature["points"]))
            if line < COARSEST.get(feature["kind"], 30) and feature["title"]:
                if feature.get("meters"):
                    yield feature["title"], *points[len(points) // 2]
                else:
                    lats, lngs = zip(*points, strict=True)
                    yield feature["title"], sum(lats) / len(lats), sum(lngs) / len(lngs)


def _pairs(numbers: list[float]) -> Iterator[Point]:
    return zip(numbers[::2], numbers[1::2], strict=True)


def _is_near(points: list[Point], width: int, height: int) -> bool:
    xs, ys = zip(*points, strict=True)
    return max(xs) > -width and min(xs) < 2 * width and max(ys) > -height and min(ys) < 2 * height
