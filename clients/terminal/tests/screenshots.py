"""Draws each screen and dialog: `python -m tests.screenshots SHOWCASE [NAME ...]`."""

from __future__ import annotations

import asyncio
import html
import re
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

from rich.cells import cell_len
from textual.widgets import Input

from .conftest import Person, using

FOLDER = Path(__file__).parents[1] / "screenshots"
SIZE = (100, 32)
Act = Callable[[Person], Awaitable[None]]


async def chat(person: Person) -> None:
    await person.press("2", "enter")
    await person.type("What is in your soup?")
    await person.press("enter")
    await person.do(person.app.core.advance(20_000))
    person.app.screen.query_one(Input).value = ""


async def form(person: Person) -> None:
    await person.press("6")
    await person.push("createAccountTapped")
    await person.push("signUpTapped")
    await person.type("Kim Mina")


async def modal(person: Person) -> None:
    await person.press("2")
    await person.push("pushPermissionTapped")


async def cover(person: Person) -> None:
    await person.press("6")
    await person.push("createAvatarTapped")
    await person.type("Bori")


async def alert(person: Person) -> None:
    await profile(person)
    await person.push("settingsTapped")
    await person.push("deleteAccountTapped")


async def chats(person: Person) -> None:
    await chat(person)
    await person.press("f3")


async def profile(person: Person) -> None:
    await form(person)
    await person.type("kim@example.com", field=1)
    await person.press("enter")


async def edit_profile(person: Person) -> None:
    await profile(person)
    await person.push("editProfileTapped")


async def create_account(person: Person) -> None:
    await person.press("6")
    await person.push("createAccountTapped")


async def dev_settings(person: Person) -> None:
    await person.press("2")
    await person.push("devSettingsTapped")


async def place_search(person: Person) -> None:
    await person.press("slash")
    await person.type("seong")
    await person.do(person.app.core.advance(1000))


async def place_detail(person: Person) -> None:
    await place_search(person)
    await person.press("down", "enter")


def link(path: str) -> Act:
    async def act(person: Person) -> None:
        await person.do(person.app.core.open(f"showcase://{path}"))

    return act


def keys(*pressed: str) -> Act:
    async def act(person: Person) -> None:
        await person.press(*pressed)

    return act


async def issue(person: Person) -> None:
    await person.type("kim@example.com", field=0)
    await person.type("secret", field=1)
    await person.press("enter")
    await person.do(person.app.core.advance(1000))
    await person.press("down", "enter")


SCREENS: dict[str, Act] = {
    "map": keys("n", "n"),
    "place-search": place_search,
    "place-detail": place_detail,
    "explore": keys("2"),
    "category-list": keys("2", "down", "enter"),
    "chats": chats,
    "chat": chat,
    "pokedex": keys("4", "down"),
    "pokemon-detail": link("pokedex/25"),
    "library": keys("5", "right"),
    "title": keys("5", "enter"),
    "profile": profile,
    "edit-profile": edit_profile,
    "settings": link("profile/settings"),
    "dev-settings": dev_settings,
    "create-account": create_account,
    "form": form,
    "cover": cover,
    "modal": modal,
    "gallery": keys(),
    "alert": alert,
    "link": keys("4", "ctrl+o"),
}
# Screens without a style, of the apps in Tests/Apps beside the program.
UNKNOWN: dict[str, tuple[tuple[int, int], Act]] = {
    "meanings": (SIZE, keys("2")),
    "tracker": ((140, 32), issue),
}
KOREAN = {"map", "explore", "chat"}


async def draw_unknown(program: Path, size: tuple[int, int], act: Act) -> None:
    async with using(str(program), "--deterministic", size=size) as person:
        await act(person)
        export(person, program.name)


async def draw(showcase: str, name: str, act: Act, *, light: bool, locale: str) -> None:
    command = [showcase, "--deterministic", "--developer"]
    if name == "gallery":  # No other screen leads to it.
        command += ["--root", name]
    async with using(*command, size=SIZE, light=light, locale=locale) as person:
        if name != "gallery":
            await person.press("ctrl+n", "c", "enter")
        await act(person)
        suffix = ("-light" if light else "-dark") + ("" if locale == "en" else f"-{locale}")
        export(person, name + suffix)


def export(person: Person, name: str) -> None:
    FOLDER.mkdir(exist_ok=True)
    svg = widen(person.app.export_screenshot(title=person.app.title))
    (FOLDER / f"{name}.svg").write_text(svg, encoding="utf-8")


def widen(svg: str) -> str:
    """Gives wide characters two cells. Rich reserves only one, which squeezes them."""

    def fit(match: re.Match[str]) -> str:
        text = html.unescape(match[3])
        if cell_len(text) == len(text):
            return match[0]
        width = round(float(match[1]) * cell_len(text) / len(text), 1)
        return f'textLength="{width}"{match[2]}>{match[3]}<'

    return re.sub(r'textLength="([0-9.]+)"([^>]*)>([^<]+)<', fit, svg)


async def main(showcase: str, names: list[str]) -> None:
    for name, (size, act) in UNKNOWN.items():
        if not names or name in names:
            await draw_unknown(Path(showcase).with_name(name), size, act)
    for name, act in SCREENS.items():
        if names and name not in names:
            continue
        for light in (False, True):
            await draw(showcase, name, act, light=light, locale="en")
        if name in KOREAN:
            await draw(showcase, name, act, light=False, locale="ko")


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2:]))
