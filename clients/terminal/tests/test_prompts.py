"""The standard prompts, and those of an app, answered in the terminal."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path
from urllib.error import HTTPError, URLError
from urllib.parse import parse_qs, urlsplit
from urllib.request import urlopen

import pytest
from textual import events
from textual.widgets import Button, Input

from .conftest import Person, using


async def ask(person: Person, name: str) -> None:
    """Opens the screen that asks, and has it ask."""
    await person.do(person.app.core.select_tab("ask"))
    await person.push(name)


async def choose(person: Person, title: str) -> None:
    """Presses a button of the dialog."""
    buttons = [each for each in person.app.screen.query(Button) if str(each.label) == title]
    buttons[0].press()
    await person.settle()


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "typed", "button", "reply"),
    [
        ("pickDay", ["2026-03-02"], "Done", "2026-03-02"),
        ("signIn", ["meanings://done?code=1"], "Done", "meanings://done?code=1"),
        ("locate", [], "Allow", "37.5665 126.978"),
        ("permit", [], "Don’t allow", "denied"),
        ("permit", [], "Allow", "granted"),
        ("lend", [], "Yes", "true"),
        ("lend", [], "No", "false"),
        ("pickRoom", [], "Under the roof", "attic"),
        ("countBoxes", ["12"], "Done", "12"),
        ("nameCat", ["7"], "Done", "7"),
        ("listGuests", ["Kim, Jr."], "Done", "Kim, Jr."),
        ("ring", [], "Done", "rung"),
        ("nameCat", [], "Dismiss", "no answer: closed without an answer"),
        ("locate", [], "Don’t allow", "no answer: closed without an answer"),
    ],
)
async def test_a_prompt_is_answered(
    meanings: str, name: str, typed: list[str], button: str, reply: str
) -> None:
    async with using(meanings, "--deterministic", size=(100, 90)) as person:
        await ask(person, name)
        for entry, text in zip(person.app.screen.query(Input), typed, strict=bool(typed)):
            entry.value = text
        await choose(person, button)
        assert person.app.core.document.prompts == {}
        assert person.page.output["reply"] == reply


@pytest.mark.long
async def test_a_prompt_has_a_switch_and_a_choice(meanings: str) -> None:
    async with using(meanings, "--deterministic", size=(100, 90)) as person:
        await ask(person, "describeHome")
        await person.type("Elm")
        await person.press("enter")
        await person.type("2")
        # A line that is filled keeps its label.
        assert "Street" in person.text and "Number of floors" in person.text
        await person.press("enter", "space", "tab", "right", "right")
        await choose(person, "Done")
        assert person.page.output["reply"] == "Elm 2 true attic"


@pytest.mark.long
async def test_what_the_device_does_is_not_asked(meanings: str) -> None:
    async with using(meanings, "--deterministic", size=(100, 90)) as person:
        for name, reply in (("copyWord", "copied"), ("tellFriends", "shared")):
            await ask(person, name)
            assert person.page.output["reply"] == reply
        assert person.app.clipboard == "We have moved"
        # Many terminals do not let an app copy, and do not say so.
        assert "Rosebud" in person.toasts and "We have moved" in person.toasts
        await ask(person, "remind")
        assert person.page.output["reply"] in ("scheduled", "notDetermined")
        assert person.app.core.document.prompts == {}


@pytest.mark.long
async def test_a_page_is_shown_before_it_is_opened(
    meanings: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    async with using(meanings, "--deterministic", size=(100, 90)) as person:
        await ask(person, "openMap")
        assert "https://example.com/map" in person.text and opened == []
        await person.press("enter")
        assert opened == ["https://example.com/map"]
        assert person.page.output["reply"] == "opened"


def get(url: str) -> tuple[int, str]:
    """Opens a page as a browser does. Returns its status and its text, or 0 if the connection fails."""
    try:
        with urlopen(url) as response:
            return response.status, response.read().decode()
    except HTTPError as error:
        return error.code, ""
    except URLError:
        return 0, ""


@pytest.mark.long
async def test_a_browser_that_has_signed_in_comes_back_by_itself(
    meanings: str, provider: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = list[str]()
    monkeypatch.setattr("webbrowser.open", opened.append)
    async with using(meanings, "--deterministic", size=(100, 90)) as person:
        await person.do(person.app.core.select_tab("ask"))
        await person.do(person.app.core.input(person.page.owner.id, "signInFrom", provider))
        await choose(person, "Open")
        while not opened:
            await person.settle()
        (back,) = parse_qs(urlsplit(opened[0]).query)["redirect_uri"]
        assert re.fullmatch(r"http://127\.0\.0\.1:\d+/", back)
        # An address with another state does not answer the prompt.
        for wrong in ("?code=stolen&state=41", "favicon.ico"):
            assert await asyncio.to_thread(get, back + wrong) == (404, "")
        assert person.app.core.document.prompts
        status, text = await asyncio.to_thread(get, opened[0])
        assert status == 200 and "You can close this window" in text
        while person.app.core.document.prompts:
            await person.settle()
        await person.settle()
        assert person.page.output["reply"] == f"{back}?code=c%2F1&state=42 {back}"
        while (await asyncio.to_thread(get, back))[0]:
            await person.settle()


@pytest.mark.long
async def test_a_file_is_read_and_saved(meanings: str, tmp_path: Path) -> None:
    picture = tmp_path / "house.png"
    picture.write_bytes(b"x" * 1000)
    async with using(meanings, "--deterministic", size=(100, 90)) as person:
        await ask(person, "addPhoto")
        for wrong, sentence in (
            (str(tmp_path / "none.png"), "is not a file"),
            (__file__, "At most 1 kB are allowed"),
        ):
            person.app.screen.query_one(Input).value = wrong
            await choose(person, "Done")
            assert sentence in person.toasts and person.app.core.document.prompts
        person.app.screen.query_one(Input).value = str(picture)
        await choose(person, "Done")
        assert person.page.output["reply"] == "house.png 1000"
        await ask(person, "savePlan")
        path = person.app.screen.query_one(Input)
        assert Path(path.value).name == "plan.svg"
        path.value = str(picture)
        await choose(person, "Done")
        assert "already exists" in person.toasts and picture.read_bytes() == b"x" * 1000
        path.value = str(tmp_path / "plan.svg")
        await choose(person, "Done")
        while person.app.core.document.prompts:
            await person.settle()
        assert b"<svg" in (tmp_path / "plan.svg").read_bytes()


@pytest.mark.long
async def test_a_day_is_picked_with_the_arrow_keys(meanings: str) -> None:
    async with using(meanings, "--deterministic", size=(100, 90)) as person:
        await ask(person, "pickDay")
        await person.press("up", "home", "right", "right", "right", "right", "right", "up")
        await choose(person, "Done")
        assert person.page.output["reply"] == "2026-04-02"


@pytest.mark.long
async def test_a_wrong_answer_keeps_the_question(meanings: str) -> None:
    async with using(meanings, "--deterministic", size=(100, 90)) as person:
        await ask(person, "pickDay")
        for wrong in ("2026-01-31", "2026-02-30", "soon"):
            person.app.screen.query_one(Input).value = wrong
            await choose(person, "Done")
            assert "2026-02-01 – " in person.toasts and person.app.core.document.prompts
        person.app.screen.query_one(Input).value = "2026-02-01"
        await choose(person, "Done")
        assert person.page.output["reply"] == "2026-02-01"


@pytest.mark.long
async def test_a_key_from_before_a_prompt_does_not_answer_it(meanings: str) -> None:
    async with using(meanings, "--deterministic") as person:
        early = events.Key("enter", None)
        await ask(person, "lend")
        assert "Lend the book?" in person.text
        person.app.post_message(early)
        await person.settle()
        assert "Lend the book?" in person.text
        await person.press("enter")
        assert "true" in person.text
