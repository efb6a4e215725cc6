"""The terminal front end: layers and pages that follow a core's document."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, ClassVar

import offstage
from offstage import (
    CoreStopped,
    Crashes,
    Description,
    Event,
    Frame,
    OffstageError,
    ProcessTransport,
    StreamTransport,
    Transport,
)
from offstage.address import is_address
from offstage.navigation import stack, visible
from textual import events
from textual.binding import Binding, BindingType
from textual.driver import Driver
from textual.drivers.linux_driver import LinuxDriver
from textual.screen import Screen
from textual.widgets import Static

from .device import Device, Place
from .dialogs import BrowserDialog, LinkDialog, PromptDialog, Stopped
from .driver import Answered, GraphicsDriver
from .layers import ModalLayer, Motions, PageLayer, PresentedLayer, RootLayer
from .model.pictures import Pictures
from .model.text import clean
from .model.themes import DARK, LIGHT
from .model.words import Words
from .palette import Command, Palette, commands
from .screens import is_styled
from .widgets.host import Host
from .widgets.keys import Keys
from .widgets.overlays import Help, Layer
from .widgets.page import Page

# The columns from which there is room for two screens side by side.
SPLIT = 120

logger = logging.getLogger("offstage.terminal")


class TerminalApp(Host):
    """An Offstage app in a terminal.

    Args:
        command: the core and its arguments, or the address of a host or a relay.
        locale: the user's language, such as `ko`.
        place: the location to report when the core asks for it.
        fresh: do not go on where the app was left.
        token: what the host or the relay wants to know.

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
        Binding("ctrl+p", "palette", "Find"),
        Binding("ctrl+z", "suspend_process", "Suspend", show=False),
    ]

    def __init__(
        self,
        command: Sequence[str | Path],
        *,
        locale: str = "en",
        place: Place | None = None,
        light: bool = False,
        fresh: bool = False,
        token: str | None = None,
    ) -> None:
        super().__init__()
        self._command, self._fresh = command, fresh
        self.words = Words(locale)
        self._locale = locale
        self.device = Device(self, place or Place())
        self.core = offstage.Core(
            self._connect,
            client=("offstage-terminal", "1.0"),
            locale=locale,
            prompts=self.device.handlers(),
            announce=["*"],
            visible=self._find_visible,
            log="error",
            reconnect=True,
            token=token,
        )
        self.agreed = set()
        self._crashes = Crashes()
        # The description from which the pages are made.
        self._described: Description | None = None
        self._shows_log = "--watch" in command
        self.pictures = Pictures(self.core.read, self.redraw_pictures)
        self._name = Path(command[0]).name
        self._light, self._is_split = light, False
        # The appearance that the user has chosen in the app.
        self._appearance: str | None = None
        self._stage: list[Layer] = []
        self.keys = Keys(self, self._pass_on, self._shows_document)
        self._is_pressed, self._after_press = False, list[Callable[[], object]]()
        self.drawn = 0
        self._is_drawn = asyncio.Condition()
        self.stopped: OffstageError | None = None

    def get_driver_class(self) -> type[Driver]:
        # Not in the place of a driver that the user has chosen, or of the one for Windows.
        chosen = super().get_driver_class()
        return GraphicsDriver if chosen is LinuxDriver else chosen

    def get_default_screen(self) -> Screen[Any]:
        return Screen(id="curtain")

    async def on_mount(self) -> None:
        self.register_theme(DARK)
        self.register_theme(LIGHT)
        self.theme = LIGHT.name if self._light else DARK.name
        text = self.words("Starting {app} …", app=self._name)
        await self.screen.mount(Static(text, id="starting"))
        self.run_worker(self._run(), exclusive=True)

    async def _connect(self) -> Transport:
        if is_address(program := str(self._command[0])):
            return await StreamTransport.connect(program)
        fresh, self._fresh = ["--fresh"] if self._fresh else [], False
        return await ProcessTransport.start(*self._command, *fresh)

    async def _run(self) -> None:
        """Follows the core. If it ends by itself, starts it again, and goes on."""
        frames = self.core.frames()
        try:
            while True:
                if not await self.core.restart():
                    await self._begin()
                if self._shows_log:
                    self.run_worker(self._show_log(), group="log", exclusive=True)
                await self.show(frames.pending())
                try:
                    async for frame in frames:
                        await self.show([frame, *frames.pending()])
                    return
                except OffstageError as error:
                    if not self._crashes.add(error):
                        raise
                    logger.warning("%s", error)
                    await self.show(())
        except OffstageError as error:
            await self._stop(error)

    async def _begin(self) -> None:
        """Draws from scratch, since the screens of another session have the same ids."""
        if self.drawn:
            self.notify(self.words("The app has started again."), markup=False)
        await self._clear()
        self.device.located.clear()
        self.agreed.clear()
        self.title = self.core.handshake.app.name

    async def _show_log(self) -> None:
        """Shows the errors of an app in development, such as build errors."""
        with suppress(OffstageError):
            async for entry in self.core.log():
                self.notify(clean(entry.message), severity="error", timeout=60, markup=False)

    async def _stop(self, error: OffstageError) -> None:
        logger.error("%s", error)
        self.stopped = error
        # A core that cannot start exits with 1 or 2, at the first start or a later one.
        status = error.status if isinstance(error, CoreStopped) else None
        is_refusal = self.core.document.revision == 0 or status in (1, 2)
        log = error.log if isinstance(error, CoreStopped) else ()
        restart = lambda: self.run_worker(self._restart(), exclusive=True)
        layer = Stopped(self, ("\n".join(log) or str(error)) if is_refusal else "", restart)
        self.close_menu()
        self._stage.append(layer)
        await self.push_screen(layer)

    async def _restart(self) -> None:
        self.stopped = None
        self._stage.pop()
        await self.pop_screen()
        await self._run()

    async def on_unmount(self) -> None:
        await self.core.close()

    async def _clear(self) -> None:
        """Removes all layers: another core may have other screens."""
        with self.batch_update():  # A lower layer must not appear for a moment, without its core.
            while self._stage:
                self._stage.pop()
                await self.pop_screen()

    # MARK: Drawing

    def beside(self, screens: Sequence[str]) -> str | None:
        is_plain = not any(is_styled(self.core, id) for id in screens[-2:])
        return screens[-2] if is_plain and self._is_split and len(screens) > 1 else None

    def _find_visible(self, navigation: Any) -> list[str]:
        shown, screens = visible(navigation), stack(navigation)
        beside = self.beside(screens) if shown[-1:] == screens[-1:] else None
        return [*shown, beside] if beside else shown

    async def on_resize(self, event: events.Resize) -> None:
        # Another font size has other cells.
        if isinstance(self._driver, GraphicsDriver):
            self._driver.ask()
        was_split, self._is_split = self._is_split, event.size.width >= SPLIT
        if self.drawn and was_split != self._is_split:
            self.core.visibility_changed()
            await self.show(())

    def on_answered(self, event: Answered) -> None:
        self.pictures.use(event.terminal)

    async def show(self, frames: Sequence[Frame]) -> None:
        """Updates the layers and pages to match the document."""
        motions = Motions(frames)
        if self.core.description is not self._described:
            self._described = self.core.description
            await self._clear()
        self._follow_choices()
        await self._arrange()
        for layer in self._stage:
            if isinstance(layer, PageLayer):
                await layer.show(motions)
        for frame in frames:
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

    async def _shows_document(self) -> None:
        """Waits until the document, as it is now, is on the screen."""
        revision = self.core.document.revision
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
        for id, prompt in self.core.open_prompts.items():
            if prompt["kind"] == "location.current" and self.device.shares_location:
                self.device.locate(id)
            elif self.request and id == self.request[0]:
                continue
            elif prompt["kind"] not in self.device.handlers():
                key = ("prompt", id, prompt["kind"].replace(".", "-"))
                wanted.append((key, lambda i=id, p=prompt: PromptDialog(self, self.device, i, p)))
                break  # The other prompts wait.
        same = 0
        while (
            same < min(len(wanted), len(self._stage)) and wanted[same][0] == self._stage[same].key
        ):
            same += 1
        if len(self._stage) > same or len(wanted) > same:
            self.close_menu()
        while len(self._stage) > same:
            self._stage.pop()
            await self.pop_screen()
        for _, make in wanted[same:]:
            layer = make()
            self._stage.append(layer)
            await self.push_screen(layer)

    def _show_event(self, event: Event[Any]) -> None:
        """Shows an event for people. One with an action stays on its page until an input."""
        owner, port = self.core.source(event) or (None, None)
        if not owner or not port or port.role not in ("failure", "notice"):
            return
        can_act = bool(port.actions) and (port.role == "notice" or port.can_retry(event.value))
        pages = [page for layer in self._stage for page in layer.query(Page)]
        pages = [
            each for each in pages if (each.owner.id, each.owner.path) == (owner.id, owner.path)
        ]
        for page in pages if can_act else ():
            page.tell(port.name, event.value)
        if text := port.message(event.value) if not (can_act and pages) else "":
            severity = "error" if port.role == "failure" else "information"
            self.notify(clean(text), severity=severity, markup=False)

    def redraw_pictures(self) -> None:
        for layer in self._stage:
            layer.redraw_pictures()

    # MARK: Doing

    async def on_event(self, event: events.Event) -> None:
        is_input = isinstance(event, events.Key | events.Paste)
        if is_input and self.screen_stack and isinstance(self.screen, PageLayer):
            self.screen.keep_focus()
        if isinstance(event, events.MouseDown):
            self._is_pressed = True
        if not is_input or event.is_forwarded or not self.keys.hold(event):
            await self._pass_on(event)
        if isinstance(event, events.MouseUp):
            self._is_pressed = False
            while self._after_press:
                self.after_press(self._after_press.pop(0))

    def after_press(self, do: Callable[[], object]) -> None:
        if self._is_pressed:
            self._after_press.append(do)
            return
        with suppress(CoreStopped):  # The app is about to end.
            do()

    async def _pass_on(self, event: events.Event) -> None:
        """Passes an event on to its widget, unless it is a key for what a dialog now covers."""
        layer = self.screen if self.screen_stack else None
        is_key = isinstance(event, events.Key | events.Paste) and not event.is_forwarded
        is_late = is_key and isinstance(layer, Layer) and event.time < layer.since
        if not is_late or isinstance(event, events.Key) and event.key == "ctrl+q":
            await super().on_event(event)

    def agree(self, id: str) -> None:
        self.agreed.add(id)
        self.call_later(self.show, ())

    def copy(self, text: str) -> None:
        """Copies a text by OSC 52, and shows it, since many terminals ignore that without a word."""
        self.copy_to_clipboard(text)
        title = self.words("Copied to the clipboard, if the terminal allows it")
        self.notify(clean(text, lines=True), title=title, timeout=10, markup=False)

    def ask_to_open(self, url: str) -> None:
        self.open_menu(BrowserDialog(self, url))

    async def action_back(self) -> None:
        layer = self.screen
        layer.leave() if isinstance(layer, PageLayer) else self.go_back()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Hides the hints for tabs and for the way back if they lead nowhere."""
        layer = self.screen
        if action == "tab":
            tabs = self.core.document.navigation.get("root", {}).get("tabs", [])
            return int(str(parameters[0])) <= len(tabs)
        if action == "back" and isinstance(layer, PageLayer) and layer.way_out:
            return True
        if action == "back" and isinstance(layer, RootLayer):
            return any(self.back_label(page.owner.id) for page in layer.pages)
        return action != "back" or not isinstance(layer, ModalLayer) or layer.can_close

    def action_tab(self, number: int) -> None:
        tabs = self.core.document.navigation["root"].get("tabs", [])
        self.do(self.core.select_tab(tabs[number - 1]["id"]))

    def action_toggle_theme(self) -> None:
        self.theme = LIGHT.name if self.theme == DARK.name else DARK.name

    def action_help(self) -> None:
        """Shows every key that does something here."""
        keys: dict[str, str] = {}
        for active in self.screen.active_bindings.values():
            if active.enabled and active.binding.show:
                text = self.words(active.binding.description)
                keys.setdefault(text, self.get_key_display(active.binding))
        keys |= {self.words("Next part"): "tab", self.words("Suspend"): "^z"}
        self.open_menu(Help([(key, text) for text, key in keys.items()]))

    def action_palette(self) -> None:
        """Offers everything that can be done now."""
        layer, words = self._stage[-1] if self._stage else None, self.words
        pages = layer.pages if isinstance(layer, PageLayer) else []
        own = [
            Command(words("Open a link"), "^o", self.action_open_link),
            Command(words("Theme"), "^t", self.action_toggle_theme),
            Command(words("Keys"), "?", self.action_help),
            Command(words("Quit"), "^q", self.exit),
        ]
        self.open_menu(Palette([*commands(self, pages), *own]))

    def action_open_link(self) -> None:
        self.open_menu(LinkDialog(self))
