"""The back and forward buttons on long walks through the app, compared with a model of the history."""

from __future__ import annotations

import os
import random
from typing import Any

import pytest
from playwright.sync_api import TimeoutError

from .conftest import Serve, Visits

pytestmark = pytest.mark.long

DETAILS = {
    "pokedex": [f"pokemonDetail={id}" for id in (1, 2)],
    "library": [f"titleDetail={id}" for id in ("pulp-fiction", "seven-samurai")],
}


class Model:
    """A browser's history of an app with tabs, and the screens in each tab."""

    def __init__(self) -> None:
        self.entries = [("tab:map",)]
        self.index = 0
        self.stacks: dict[str, tuple[str, ...]] = {}

    @property
    def levels(self) -> tuple[str, ...]:
        return self.entries[self.index]

    @property
    def tab(self) -> str:
        return self.levels[0].removeprefix("tab:")

    @property
    def path(self) -> str:
        return "/".join(
            ["", self.tab, *(each.split("=")[1] for each in self.levels[1:])]
        )

    @property
    def names(self) -> list[str]:
        """The levels as the page writes them into the browser's entry."""
        ids = [each.split("=")[1] for each in self.levels[1:]]
        return [self.levels[0], *(f"showcase://{self.tab}/{id}" for id in ids)]

    def select(self, tab: str) -> None:
        self.open((f"tab:{tab}", *self.stacks.get(tab, ())))

    def open(self, levels: tuple[str, ...]) -> None:
        if levels != self.levels:
            self.entries = [*self.entries[: self.index + 1], levels]
            self.index += 1
        self.stacks[self.tab] = levels[1:]

    def close(self) -> None:
        """Closes a screen in the app: the entries since it was opened are now ahead."""
        earlier = [i for i in range(self.index) if self.entries[i] == self.levels[:-1]]
        if earlier:
            self.index = earlier[-1]
        else:
            self.entries[self.index] = self.levels[:-1]
        self.stacks[self.tab] = self.levels[1:]

    def go(self, distance: int) -> None:
        self.index += distance
        self.stacks[self.tab] = self.levels[1:]


# The state of the page and of the browser.
STATE = """([length, levels, names, path]) => {
  const { navigation, screens } = offstage.core.document;
  const tab = navigation.root.tabs.find(({ id }) => id === navigation.root.selected);
  const kinds = [`tab:${tab.id}`, ...tab.screens.slice(1).map((id) => screens[id].kind)];
  const shown = document.querySelector(".screen:not(.behind):not(.leaving)")?.dataset.kind;
  return history.length === length && location.pathname === path
    && String(history.state?.levels) === String(names)
    && String(kinds) === String(levels.map((each) => each.split("=")[0]))
    && shown === screens[tab.screens.at(-1)].kind;
}"""
TAP = """([kind, name, value]) => offstage.core.input(offstage.core.find(kind).id, name, value)"""

JUMP = "(distance) => history.go(distance)"
# Does not wait for the app between two presses.
PRESSES = """async (distance) => {
  for (let presses = Math.abs(distance); presses > 0; presses--) {
    history.go(Math.sign(distance));
    await new Promise((done) => addEventListener("popstate", done, { once: true }));
  }
}"""


def step(page: Any, model: Model, chance: random.Random) -> str:
    """Performs a random step in the page and in the model."""
    moves = ["select", "back", "forward", "back", "forward", "jump"]
    moves += ["open"] * 2 * (model.tab in DETAILS and len(model.levels) == 1)
    moves += ["close"] * (len(model.levels) > 1)
    move = chance.choice(moves)
    if move == "select":
        tab = chance.choice(["map", *DETAILS])
        if tab == model.tab:
            return "nothing"
        page.evaluate("(tab) => offstage.core.selectTab(tab)", tab)
        model.select(tab)
        return f"select {tab}"
    if move == "open":
        detail = chance.choice(DETAILS[model.tab])
        id = detail.split("=")[1]
        card = {"shelf": "begun", "card": id}
        tap = (
            ["cardTapped", card]
            if model.tab == "library"
            else ["pokemonTapped", int(id)]
        )
        page.evaluate(TAP, [model.tab, *tap])
        model.open((*model.levels, detail))
        return f"open {detail}"
    if move == "close":
        page.evaluate("offstage.core.back()")
        model.close()
        return "close"
    distance = {"back": -1, "forward": 1}.get(move) or chance.randint(-4, 4)
    distance = max(-model.index, min(distance, len(model.entries) - 1 - model.index))
    if distance:
        page.evaluate(chance.choice([JUMP, PRESSES]), distance)
        model.go(distance)
    return f"go {distance}"


# CI takes more walks.
@pytest.mark.parametrize("seed", range(3 if "CI" in os.environ else 1))
def test_random_walks_match_a_model(
    serve: Serve, visit: Visits, showcase: str, seed: int
) -> None:
    person = visit(serve(showcase, "--deterministic"))
    page = person.open()
    person.tab("library")
    person.screen("library")
    page.wait_for_selector(".library-card")
    person.tab("map")
    person.screen("map")
    page.wait_for_function("() => history.state?.index === 2")
    model, chance = Model(), random.Random(seed)
    model.select("library")
    model.select("map")
    start = page.evaluate("history.length") - len(model.entries)
    walk: list[str] = []
    while len(model.entries) + start < 45 and len(walk) < 40:
        walk.append(step(page, model, chance))
        state = [
            start + len(model.entries),
            model.levels,
            model.names,
            model.path,
        ]
        try:
            page.wait_for_function(STATE, arg=state)
        except TimeoutError as error:
            raise AssertionError(f"after {walk}, not {state}") from error
        person.settle()
