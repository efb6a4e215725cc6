"""The command palette: what can be done now, found by a few letters."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.fuzzy import Matcher
from textual.widgets import Input, OptionList
from textual.widgets.option_list import Option

from .model.text import clean
from .widgets.fields import TextField
from .widgets.host import Host
from .widgets.overlays import Overlay
from .widgets.page import Page

# More do not fit, and the best are on top.
MOST = 50


class Command(NamedTuple):
    """Something to do.

    Attributes:
        title: what it does.
        place: the screen that it belongs to.
    """

    title: str
    place: str
    run: Callable[[], object]


class Palette(Overlay):
    """Commands, of which a few letters leave those that match."""

    def __init__(self, commands: list[Command]) -> None:
        super().__init__(("palette",))
        self._commands, self._shown = commands, list[Command]()

    def compose(self) -> ComposeResult:
        with Vertical(classes="panel"):
            yield Input(placeholder=self.app.words("What would you like to do?"))
            yield OptionList(markup=False)

    def on_mount(self) -> None:
        self.query_one(OptionList).can_focus = False
        self.query_one(Input).focus()
        self._find("")

    @on(Input.Changed)
    def changed(self, event: Input.Changed) -> None:
        event.stop()
        self._find(event.value.strip())

    def _find(self, text: str) -> None:
        matcher = Matcher(text)
        names = [f"{each.title}  {each.place}" for each in self._commands]
        scores = [matcher.match(name) if text else 1.0 for name in names]
        best = sorted(range(len(names)), key=lambda at: -scores[at])[:MOST]
        best = [at for at in best if scores[at] > 0]
        self._shown = [self._commands[at] for at in best]
        options = self.query_one(OptionList)
        options.clear_options()
        for at in best:
            name = matcher.highlight(names[at]) if text else Content(names[at])
            options.add_option(Option(name.stylize("$text-muted", len(self._commands[at].title))))
        options.highlighted = 0 if best else None

    def key_up(self) -> None:
        self.query_one(OptionList).action_cursor_up()

    def key_down(self) -> None:
        self.query_one(OptionList).action_cursor_down()

    @on(Input.Submitted)
    def entered(self, event: Input.Submitted) -> None:
        event.stop()
        if (at := self.query_one(OptionList).highlighted) is not None:
            self._run(at)

    @on(OptionList.OptionSelected)
    def selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self._run(event.option_index)

    def _run(self, at: int) -> None:
        command = self._shown[at]
        self.app.close_menu(self)
        command.run()

    def key_escape(self, event: Any) -> None:
        event.stop()
        event.prevent_default()
        self.app.close_menu(self)

    def on_click(self, event: Any) -> None:
        if event.widget is self:
            self.app.close_menu(self)


def commands(app: Host, pages: list[Page]) -> Iterator[Command]:
    """Yields the inputs of the visible screens, then the tabs and the links of the app."""
    for page in pages:
        yield from _inputs(page)
    root = app.core.document.navigation.get("root", {})
    for tab in root.get("tabs", []):
        select = lambda id=tab["id"]: app.do(app.core.select_tab(id))
        yield Command(clean(tab["title"]), app.words("Tab"), select)
    for link in app.core.handshake.raw.get("links", []):
        # Others need an id.
        if ":" not in link["pattern"].partition("://")[2]:
            go = lambda url=link["pattern"]: app.do(app.core.open(url))
            yield Command(clean(link["pattern"]), app.words("Link"), go)


def _inputs(page: Page) -> Iterator[Command]:
    place = clean(page.about.title)
    for port in page.about.inputs.values():
        if not (page.is_on(port.visible_by) and page.is_on(port.enabled_by)):
            continue
        if page.about.is_only_offered(port) and not page.offers(port.name):
            continue
        title = clean(page.owner.title_of(port))
        schema = page.description.resolve(port.schema)
        choices: list[Any] = schema.get("enum") or []
        if port.role == "trigger":
            yield Command(title, place, lambda name=port.name: page.send(name))
        elif port.role == "toggle":
            flip = lambda name=port.name: page.write(name, not page.owner.current(name))
            yield Command(title, place, flip)
        elif port.role == "choice":
            for value in choices:
                said = clean(page.description.say(value, schema)) or str(value)
                choose = lambda name=port.name, value=value: page.write(name, value)
                yield Command(f"{title}: {said}", place, choose)
        elif port.role == "text":
            yield Command(title, place, lambda name=port.name: _focus(page, name))


def _focus(page: Page, name: str) -> None:
    """Goes to the field of an input."""
    for field in page.own(TextField):
        if field.input == name:
            field.entry.focus()
