"""The command palette, and rows side by side."""

from __future__ import annotations

import json

import pytest
from offstage import Resource
from textual.widgets import OptionList

from offstage_terminal.model.ground import Ground
from offstage_terminal.palette import Palette
from offstage_terminal.screens.mapview import MapView
from offstage_terminal.widgets.rows import RowList

from .conftest import Person, using

pytestmark = pytest.mark.long


def offered(person: Person) -> list[str]:
    options = person.app.screen.query_one(OptionList)
    return [str(options.get_option_at_index(at).prompt) for at in range(options.option_count)]


async def test_the_palette_has_inputs_tabs_and_links(showcase: str) -> None:
    async with using(showcase, "--deterministic") as person:
        await person.press("ctrl+p")
        names = offered(person)
        for name in ("My location  Map", "Sort by: Rating  Map", "Library  Tab", "Quit  ^q"):
            assert name in names, names
        assert "showcase://profile/settings  Link" in names
        # Only inputs of visible screens are listed, and those that an output offers only while it does.
        assert not any(name.startswith("Back to the places") for name in names)
        assert not any(name.startswith("Back to the list") for name in names)


async def test_a_few_letters_find_a_command(showcase: str) -> None:
    async with using(showcase, "--deterministic") as person:
        await person.press("ctrl+p")
        await person.type("sortrat")
        assert offered(person)[0] == "Sort by: Rating  Map"
        await person.press("enter")
        assert not isinstance(person.app.screen, Palette)
        assert person.page.owner.current("sortBy") == "rating"
        await person.press("ctrl+p")
        await person.type("pkdx")
        await person.press("enter")
        assert person.page.about.kind == "pokedex"
        await person.press("ctrl+p")
        await person.type("zzzz")
        await person.press("enter", "escape")
        assert person.page.about.kind == "pokedex"
        await person.press("ctrl+p")
        await person.type("search")
        await person.press("enter")
        await person.type("mew")
        assert person.page.owner.field("searchText").value == "mew"


async def test_a_sheet_has_the_palette(showcase: str) -> None:
    async with using(showcase, "--deterministic", "--root", "profile") as person:
        await person.push("settingsTapped")
        assert "^p Find" in person.hints
        await person.press("ctrl+p")
        await person.type("dark")
        assert offered(person)[0] == "Appearance: Dark  Settings"
        await person.press("enter")
        assert person.app.current_theme.dark
        assert person.page.about.kind == "settings"


@pytest.mark.parametrize("key", ["ctrl+p", "question_mark", "ctrl+o"])
async def test_escape_closes_the_palette_over_another_menu(showcase: str, key: str) -> None:
    async with using(showcase, "--deterministic", "--root", "profile") as person:
        await person.press("ctrl+p")
        names = offered(person)
        await person.press("escape", key, "ctrl+p")
        assert offered(person) == names
        await person.press("escape")
        assert person.page.about.kind == "profile"


async def test_a_wide_terminal_shows_rows_side_by_side(showcase: str) -> None:
    command = (showcase, "--deterministic", "--root", "pokedex")
    async with using(*command, size=(200, 40)) as person:
        grid = person.list("pokemon")
        assert isinstance(grid, RowList) and grid.columns == 6
        line = next(line for line in person.text.splitlines() if "Bulbasaur" in line)
        assert "Venusaur" in line
        names = list[str]()
        for key in ("right", "right", "down", "left", "up"):
            await person.press(key)
            names.append(grid.row["name"])
        assert names == ["Ivysaur", "Venusaur", "Charizard", "Charmeleon", "Ivysaur"]
        await person.press("right")
        await person.press("enter")
        assert "Venusaur" in person.text and person.page.about.kind == "pokemonDetail"
        await person.press("escape")
        await person.resize(60, 30)
        assert grid.columns == 1 and grid.row["name"] == "Venusaur"


async def test_the_end_of_a_grid_asks_for_more(showcase: str) -> None:
    async with using(showcase, "--deterministic", "--root", "pokedex", size=(200, 40)) as person:
        before = len(person.page.output["pokemon"])
        await person.press("end")
        assert len(person.page.output["pokemon"]) > before


async def test_the_ground_is_below_the_markers(showcase: str) -> None:
    async with using(showcase, "--deterministic", size=(120, 44)) as person:
        await person.sees("Namsan")
        person.app.screen.query_one(MapView).focus()
        for _ in range(4):
            await person.press("minus")
        assert "Han River" in person.text and "Namsan" not in person.text


async def test_the_map_counts_the_places_without_markers(showcase: str) -> None:
    async with using(showcase, "--deterministic", "--root", "map") as person:
        map = person.app.screen.query_one(MapView)
        cluster = {"id": "a", "count": 12345, "text": "12,345", "lat": 37.556, "lng": 126.96}
        map._clusters = [cluster]  # pyright: ignore
        map._draw()  # pyright: ignore
        await person.settle()
        assert " 12,345 " in person.text


async def test_a_label_on_the_map_has_the_room_there_is(showcase: str) -> None:
    async with using(showcase, "--deterministic", "--root", "map", size=(200, 44)) as person:
        map = person.app.screen.query_one(MapView)
        title = "A place with quite a long name"
        marker = {"id": 1, "title": title, "lat": 37.5665, "lng": 126.978}
        map._markers = [marker]  # pyright: ignore
        map._draw()  # pyright: ignore
        await person.settle()
        assert title in person.text


def test_areas_and_bands_have_colors() -> None:
    features = [
        {"kind": "park", "title": "Park", "points": [0, 0, 0, 4, 4, 4, 4, 0]},
        {"kind": "river", "title": "River", "meters": 2, "points": [6, 0, 6, 9]},
        {"kind": "unknown", "title": "", "points": [0, 0, 0, 9, 9, 9]},
    ]
    ground = Ground.read(
        Resource("application/json", json.dumps({"features": features}).encode()).data
    )
    colors = ground.draw((10, 5), lambda lat, lng: (lng, lat), 1.0, False)
    assert colors[2][2] == "#cbe4ba" and colors[12 - 3][5] is None
    assert [name for name, _, _ in ground.names(1)] == ["River", "Park"]
