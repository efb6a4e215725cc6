"""The terminal front end: layers and pages that follow a core's document."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, ClassVar

import offstage
from offstage import Core, CoreStopped, Event, Frame, OffstageError, launch
from textual import events
from textual.app import App
from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Static

from . import screens as _styled  # Registers the styled pages.
from .anypage import AnyPage
from .cells import Cells
from .dialogs import LinkDialog, Stopped
from .keys import Keys
from .layers import Layer, Menu, ModalLayer, PresentedLayer, RootLayer
from .page import Page
from .pictures import Pictures
from .prompts import DIALOGS, Device, Place, PromptDialog
from .reopen import Lost, Trail, drafts
from .text import clean
from .themes import DARK, LIGHT
from .words import Words

assert _styled
logger = logging.getLogger("offstage.terminal")


class TerminalApp(App[None]):
    """An Offstage app in a terminal.

    Args:
        command: the core and its arguments.
        locale: the user's language, such as `ko`.
        announce: the kinds of prompts to announce.
        place: the location to report when the core asks for it.

    Attributes:
        drawn: the revision of the document that is on the screen.
        stopped: why the core has stopped, or None.
    """

    CSS_PATH = "terminal.tcss"
    ENABLE_COMMAND_PALETTE = False
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (80, "-wide")]  # noqa: RUF012
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+o", "open_link", "Links"),
        Binding("ctrl+t", "toggle_theme", "Theme"),
        Binding("ctrl+q", "quit", "Quit", priority=True),
    ]

    def __init__(
        self,
        command: Sequence[str | Path],
        *,
        locale: str = "en",
        announce: Sequence[str] = (),
        place: Place | None = None,
        light: bool = False,
    ) -> None:
        super().__init__()
        self.words = Words(locale)
        self._locale = locale
        self.place = place or Place()
        self.device = Device(self)
        self.core: Core = launch(
            *command,
            client=("offstage-terminal", "1.0"),
            locale=locale,
            prompts=self.device.handlers(),
            announce=[*announce, "location.current", "notifications.authorize"],
            log="error",
        )
        self._shows_log = "--watch" in command
        self.trail = Trail(self.core)
        self.pictures = Pictures(self.core.read, self._redraw_lists)
        self._name = Path(command[0]).name
        self._light = light
        # The appearance that the user has chosen in the app.
        self._appearance: str | None = None
        self._stage: list[Layer] = []
        self._menu: Layer | None = None
        self._motions: dict[str, str] = {}
        self._popped = False
        self.keys = Keys(self)
        self.drawn = 0
        self._is_drawn = asyncio.Condition()
        self.stopped: OffstageError | None = None

    def get_default_screen(self) -> Screen[Any]:
        return Screen(id="curtain")

    async def on_mount(self) -> None:
        self.register_theme(DARK)
        self.register_theme(LIGHT)
        self.theme = LIGHT.name if self._light else DARK.name
        text = self.words("Starting {app} …", app=self._name)
        await self.screen.mount(Static(text, id="starting"))
        self.run_worker(self._run(), exclusive=True)

    async def _run(self) -> None:
        """Follows the core until it ends."""
        try:
            if self.core.error:
                await self.core.start()
            frames = self.core.frames()
            self.title = self.core.handshake.app
            if self._shows_log:
                self.run_worker(self._show_log(), group="log", exclusive=True)
            await self.show([])
            async for frame in frames:
                await self.show([frame, *frames.pending()])
        except OffstageError as error:
            await self._stop(error)

    async def _show_log(self) -> None:
        """Shows the errors of an app in development, such as build errors."""
        with suppress(OffstageError):
            async for entry in self.core.log():
                self.notify(clean(entry.message), severity="error", timeout=60, markup=False)

    async def _stop(self, error: OffstageError) -> None:
        words = self.words
        logger.error("%s", error)
        self.stopped = error
        was_started = self.core.document.revision > 0
        saved = words("Everything that was saved is still there.")
        message = saved if was_started else str(error)
        buttons = [
            ("restart", words("Restart") + " (r)", "primary"),
            ("quit", words("Quit"), "default"),
        ]
        layer = Stopped(("stopped",), words("The app has stopped"), message, buttons=buttons)
        self._stage.append(layer)
        await self.push_screen(layer)

    def action_restart(self) -> None:
        self.run_worker(self._restart(), exclusive=True)

    async def _restart(self) -> None:
        (tab, link), opened = self.trail.place, self.trail.opened
        typed = drafts(self.core, [page for layer in self._stage for page in layer.query(Page)])
        self.drawn, self.stopped = 0, None
        await self._clear()
        self.device.located.clear()
        try:
            await self.core.restart()
            lost = await self.trail.reopen(tab, link, typed, opened)
        except OffstageError as error:
            await self._stop(error)
        else:
            self._report(lost)
            await self._run()

    def _report(self, lost: Lost) -> None:
        """Reports what was open before the core ended but is no longer."""
        texts = {
            "Closed by the restart: {names}.": lost.screens,
            "This text could not be restored: {names}.": lost.texts,
        }
        said = [self.words(text, names=", ".join(names)) for text, names in texts.items() if names]
        if said:
            self.notify(clean(" ".join(said)), severity="warning", timeout=20, markup=False)

    async def on_unmount(self) -> None:
        await self.core.close()

    async def _clear(self) -> None:
        """Removes all layers: another core may have other screens."""
        while self._stage:
            self._stage.pop()
            await self.pop_screen()

    # MARK: Drawing

    async def show(self, frames: Sequence[Frame]) -> None:
        """Updates the layers and pages to match the document."""
        self._motions = {
            command["screens"][0]: "push" if command["type"] in ("push", "moveToTop") else "pop"
            for frame in frames
            for command in frame.navigation
            if command["type"] in ("push", "moveToTop", "popTo") and command["screens"]
        }
        self._popped = any(c["type"] == "pop" for frame in frames for c in frame.navigation)
        if any(frame.schema for frame in frames):
            await self._clear()
        self._follow_choices()
        await self._arrange()
        for layer in self._stage:
            await layer.show()
        for frame in frames:
            self.trail.follow(frame)
            for event in frame.events:
                self._show_event(event)
        self.drawn = self.core.document.revision
        async with self._is_drawn:
            self._is_drawn.notify_all()

    def _follow_choices(self) -> None:
        """Follows the language and the appearance that the user has chosen in the app."""
        document = self.core.document
        self.words = Words(document.language or self._locale)
        if document.appearance == self._appearance:
            return
        self._appearance = document.appearance
        light = self._light if self._appearance is None else self._appearance == "light"
        self.theme = LIGHT.name if light else DARK.name

    async def shows(self, revision: int) -> None:
        """Waits until a revision of the document is on the screen."""
        async with self._is_drawn:
            await self._is_drawn.wait_for(lambda: self.drawn >= revision)

    async def _arrange(self) -> None:
        """Removes layers that are gone, with all layers above them, and adds missing ones."""
        document = self.core.document
        wanted: list[tuple[tuple[str, ...], Callable[[], Layer]]] = [(("root",), RootLayer)]
        for p in document.navigation.get("presented", []):
            key = (p["style"], p["id"])
            detents: list[str] = p.get("detents") or []
            wanted.append((key, lambda k=key, d=detents: PresentedLayer(k[1], k[0], d)))
        for m in document.navigation.get("modals", []):
            make = lambda m=m: ModalLayer(m["id"], m["screen"], m.get("background"))
            wanted.append((("modal", m["id"]), make))
        for id, prompt in document.prompts.items():
            if prompt["kind"] in DIALOGS and prompt["screen"] not in ["app", *self.core.visible]:
                continue  # The prompt waits until its screen is visible.
            if prompt["kind"] == "location.current" and self.device.shares_location:
                self.device.locate(id)
            elif prompt["kind"] not in self.device.handlers():
                key = ("prompt", id, prompt["kind"].replace(".", "-"))
                wanted.append((key, lambda i=id, p=prompt: PromptDialog(self, i, p)))
                break  # The other prompts wait.
        same = 0
        while (
            same < min(len(wanted), len(self._stage)) and wanted[same][0] == self._stage[same].key
        ):
            same += 1
        if self._menu and (len(self._stage) > same or len(wanted) > same):
            self.close_menu(self._menu)
        while len(self._stage) > same:
            self._stage.pop()
            await self.pop_screen()
        for _, make in wanted[same:]:
            layer = make()
            self._stage.append(layer)
            await self.push_screen(layer)

    def motion_of(self, id: str) -> str:
        """Returns the motion that brought a screen to the top: `push`, `pop`, or empty."""
        if self._popped and id not in self._motions:
            self._popped = False
            return "pop"
        return self._motions.pop(id, "")

    def focus_first(self) -> None:
        """Focuses the first list on top, if nothing has the focus."""
        if isinstance(self.screen, Layer):
            self.screen.focus_first()

    def make_page(self, id: str) -> Page:
        shown = offstage.Screen(self.core, id)
        key = (self.core.handshake.app, shown.about.kind)
        return Page.styled.get(key, AnyPage)(shown)

    def page_of(self, widget: Widget) -> Page:
        """Returns the innermost page around a widget, which may draw a part of a screen."""
        return next(each for each in widget.ancestors if isinstance(each, Page))

    @property
    def way_back(self) -> str:
        """The label of the way back from the top layer: `Back` or `Close`."""
        pages = self.screen.pages if isinstance(self.screen, Layer) else []
        labels = [self.back_label(page.id_of_screen) for page in pages]
        return "Back" if any(label.startswith("‹") for label in labels) else "Close"

    def back_label(self, id: str) -> str:
        """Returns the label of the way back from a screen; empty at a root."""
        navigation = self.core.document.navigation
        root = navigation["root"]
        stacks = [root, *root.get("tabs", [])]
        for stack in stacks:
            if id in stack.get("screens", [])[1:]:
                return "‹ " + self.words("Back")
        for presented in navigation["presented"]:
            if id in presented["screens"]:
                first = id == presented["screens"][0]
                return "✕ " + self.words("Close") if first else "‹ " + self.words("Back")
        return ""

    def _show_event(self, event: Event[Any]) -> None:
        """Shows an event that has a message for the user."""
        message = event.value.get("message") if hasattr(event.value, "get") else None
        if isinstance(message, str):
            self.notify(clean(message), severity="error", markup=False)
            for layer in self._stage:
                for page in layer.query(Page):
                    page.notice(event)

    def _redraw_lists(self) -> None:
        for layer in self._stage:
            for cells in layer.query(Cells):
                cells.clear_drawn()
            for picture in layer.query(".picture"):
                picture.refresh()

    # MARK: Doing

    async def on_event(self, event: events.Event) -> None:
        is_input = isinstance(event, events.Key | events.Paste)
        if not is_input or event.is_forwarded or not self.keys.hold(event):
            await self.pass_on(event)

    async def pass_on(self, event: events.Event) -> None:
        """Passes an event on to its widget."""
        await super().on_event(event)

    def do(self, request: asyncio.Future[Any]) -> None:
        """Shows the error if the core refuses the request."""

        def done(future: asyncio.Future[Any]) -> None:
            if future.cancelled() or not (error := future.exception()):
                return
            if not isinstance(error, CoreStopped):
                self.notify(clean(error), severity="warning", markup=False)

        request.add_done_callback(done)
        self.keys.wait_for(request)

    def choose(self, titles: list[str], chosen: Callable[[int], None]) -> None:
        """Shows a menu."""
        self._open_menu(Menu(titles, chosen))

    def _open_menu(self, menu: Layer) -> None:
        self._menu = menu
        self.push_screen(menu)

    def close_menu(self, menu: Layer) -> None:
        if self._menu is menu:
            self._menu = None
            self.pop_screen()

    async def action_back(self) -> None:
        self.go_back()

    def go_back(self) -> None:
        self.do(self.core.back())

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Hides the hints for tabs and for the way back if they lead nowhere."""
        layer = self.screen
        if action == "tab":
            tabs = self.core.document.navigation.get("root", {}).get("tabs", [])
            return int(str(parameters[0])) <= len(tabs)
        if action == "back" and isinstance(layer, RootLayer):
            return any(self.back_label(page.id_of_screen) for page in layer.pages)
        return action != "back" or not isinstance(layer, ModalLayer) or layer.can_close

    def action_tab(self, number: int) -> None:
        tabs = self.core.document.navigation["root"].get("tabs", [])
        self.do(self.core.select_tab(tabs[number - 1]["id"]))

    def action_toggle_theme(self) -> None:
        self.theme = LIGHT.name if self.theme == DARK.name else DARK.name

    def action_open_link(self) -> None:
        self._open_menu(LinkDialog(self))
