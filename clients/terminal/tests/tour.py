"""Draws a tour of the app as one animated picture: `python -m tests.tour SHOWCASE`."""

from __future__ import annotations

import asyncio
import re
import sys
from dataclasses import dataclass, field

from textual.widgets import Input

from .conftest import Person, using
from .screenshots import FOLDER, SIZE, widen


@dataclass
class Tour:
    """Takes a picture after each step.

    Attributes:
        frames: the pictures, and the seconds that each is shown.
    """

    person: Person
    frames: list[tuple[str, float]] = field(default_factory=list[tuple[str, float]])

    def show(self, seconds: float) -> None:
        app = self.person.app
        self.frames.append((widen(app.export_screenshot(title=app.title)), seconds))

    async def press(self, *keys: str, seconds: float = 1.5) -> None:
        await self.person.press(*keys)
        self.show(seconds)

    async def type(self, *parts: str, seconds: float = 0.4) -> None:
        for part in parts:
            await self.person.type(part)
            self.show(seconds)

    async def wait(self, milliseconds: int, seconds: float) -> None:
        await self.person.do(self.person.app.core.advance(milliseconds))
        self.show(seconds)

    async def push(self, input: str, seconds: float = 2) -> None:
        await self.person.push(input)
        self.show(seconds)


async def take(tour: Tour) -> None:
    """A minute of the app: a place, a chat, a film, and an account."""
    await tour.press("ctrl+n", "c", "enter", seconds=3)
    await tour.press("n", "n", seconds=2)
    await tour.press("slash", seconds=1)
    await tour.type("se", "ong")
    await tour.wait(1000, seconds=2)
    await tour.press("down", "enter", seconds=3)
    await tour.press("escape", seconds=1)
    await tour.press("3", seconds=1.5)
    await tour.press("2", "enter", seconds=1.5)
    await tour.type("What is ", "in your ", "soup?")
    await tour.press("enter", seconds=1)
    for _ in range(5):
        await tour.wait(400, seconds=0.5)
    await tour.wait(20_000, seconds=2)
    tour.person.app.screen.query_one(Input).value = ""
    await tour.press("escape", seconds=1)
    await tour.press("4", "down", seconds=2)
    await tour.press("enter", seconds=3)
    await tour.press("5", "enter", seconds=3)
    await tour.press("6", seconds=1.5)
    await tour.push("createAccountTapped", seconds=1.5)
    await tour.push("signUpTapped", seconds=1)
    await tour.type("Kim ", "Mina")
    await tour.press("tab", seconds=0.5)
    await tour.type("kim", "@example.com")
    await tour.press("enter", seconds=2.5)
    await tour.press("ctrl+p", seconds=1)
    await tour.type("sett")
    await tour.press("enter", seconds=2.5)
    await tour.press("escape", "1", seconds=2)


def animate(frames: list[tuple[str, float]]) -> str:
    """Returns one picture that shows others, one after another, again and again.

    People who prefer reduced motion see the first.
    """
    total = sum(seconds for _, seconds in frames)
    style = [".frame { visibility: hidden }", "#frame-0 { visibility: visible }"]
    moves: list[str] = []
    drawn: list[str] = []
    start = 0.0
    for number, (svg, seconds) in enumerate(frames):
        body = svg[svg.index(">", svg.index("<svg")) + 1 : svg.rindex("</svg>")]
        # Pictures that are the same have the same names, and a hidden clip path hides all.
        body = re.sub(r"terminal-\d+", f"f{number}", body)
        if number:
            body = re.sub(r"@font-face \{.*?\}", "", body, flags=re.DOTALL)
        drawn.append(f'<g class="frame" id="frame-{number}">{body}</g>')
        share = round(100 * seconds / total, 3)
        moves.append(
            f"@keyframes show-{number} {{ 0% {{ visibility: visible }} "
            f"{share}% {{ visibility: hidden }} }}\n"
            f"#frame-{number} {{ visibility: hidden; "
            f"animation: show-{number} {total:.1f}s step-end {start:.1f}s infinite }}"
        )
        start += seconds
    style.append("@media not (prefers-reduced-motion) {\n" + "\n".join(moves) + "\n}\n")
    opening = frames[0][0][: frames[0][0].index(">", frames[0][0].index("<svg")) + 1]
    styles = "\n".join(style)
    return f"{opening}\n<style>\n{styles}</style>\n" + "\n".join(drawn) + "\n</svg>\n"


async def main(showcase: str) -> None:
    async with using(showcase, "--deterministic", size=SIZE) as person:
        tour = Tour(person)
        await take(tour)
    (FOLDER / "tour.svg").write_text(animate(tour.frames), encoding="utf-8")


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
