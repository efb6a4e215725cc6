"""The owners of inputs: the visible screens, the app, and their parts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from offstage import JSON, Core, Description, ScreenDescription, parts

_ID = "ID"


@dataclass(frozen=True)
class Owner:
    """A screen, the app, or a kind of part of one.

    Attributes:
        prefix: the start of the names of its tools.
        screen: the id of the screen, or `app`.
        paths: the paths to a part, with `ID` in place of each id. Empty for a screen.
    """

    prefix: str
    screen: str
    about: ScreenDescription
    raw: JSON
    paths: tuple[str, ...] = ()

    @property
    def only_path(self) -> str | None:
        """The path of a part that is shown in only one place."""
        return self.paths[0] if len(self.paths) == 1 and not self.has_ids else None

    @property
    def has_ids(self) -> bool:
        return any(_ID in path.split("/") for path in self.paths)

    def output(self, path: str) -> str:
        """Describes the location of an output."""
        if self.paths:
            return f"{path} of the part"
        return f"{self._place}/output/{path}"

    def field(self, name: str) -> str:
        """Describes the location of a field."""
        if self.paths:
            return f"fields/{name} of the part"
        return f"{self._place}/fields/{name}"

    def read(self, core: Core, path: str, output: str) -> JSON:
        """Returns the value of an output of this screen, or of the part at a path."""
        screen = core.document.get(self._place)
        owner = parts.find(screen, f"{path}/" if path else "")
        if not path and owner is not None:
            owner = owner["output"]
        return None if owner is None else owner.get(output)

    @property
    def _place(self) -> str:
        return "/app" if self.screen == "app" else f"/screens/{self.screen}"


def owners(core: Core) -> Iterator[Owner]:
    """Yields the visible screens and the app, each followed by its parts.

    If two screens of a kind are visible, the lower one's prefix has its id.
    """
    description = core.description
    kinds: set[str] = set()
    for id in core.visible:
        kind = core.document.screens[id]["kind"]
        prefix = f"{kind}-{id}" if kind in kinds else kind
        kinds.add(kind)
        raw = description.raw["x-screens"][kind]
        screen = Owner(prefix, id, description.screens[kind], raw)
        yield screen
        yield from _parts_of(screen, description)
    if description.app:
        app = Owner("app", "app", description.app, description.raw["x-app"])
        yield app
        yield from _parts_of(app, description)


def _parts_of(owner: Owner, description: Description) -> Iterator[Owner]:
    """Yields each kind of part once, with all its paths. Stops where a tree recurs."""
    found: dict[str, list[str]] = {}

    def visit(about: ScreenDescription, path: str, above: frozenset[str]) -> None:
        for output, name in about.children.items():
            is_list = about.outputs[output].schema.get("type") == "array"
            way = f"{path}{output}/{_ID}" if is_list else f"{path}{output}"
            found.setdefault(name, []).append(way)
            if name not in above:
                visit(description.parts[name], f"{way}/", above | {name})

    visit(owner.about, "", frozenset())
    for name, ways in found.items():
        about, raw = description.parts[name], description.raw["x-parts"][name]
        yield Owner(f"{owner.prefix}-{name}", owner.screen, about, raw, tuple(ways))
