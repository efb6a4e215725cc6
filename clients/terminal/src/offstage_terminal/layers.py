"""The layers with pages: the root, sheets and covers, and modals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import offstage
from offstage import Frame, Port
from offstage.navigation import stack
from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.color import Color
from textual.containers import Container, ScrollableContainer, Vertical
from textual.content import Content
from textual.css.scalar import ScalarOffset
from textual.scroll_view import ScrollView
from textual.signal import Signal
from textual.widget import Widget
from textual.widgets import Input, Static, Tab, Tabs, TextArea

from .model.text import clean
from .pages.scope import Scope
from .screens import page_of_screen
from .widgets.cells import Cells
from .widgets.hints import KeyHints
from .widgets.host import Host
from .widgets.overlays import Layer, Overlay
from .widgets.page import Home, Page
from .widgets.parts import Offered


class Motions:
    """The motions with which frames bring screens to the top: `push`, `pop`, or empty."""

    def __init__(self, frames: Sequence[Frame]) -> None:
        commands = [command for frame in frames for command in frame.navigation]
        self._motions = {
            command["screens"][0]: "pop" if command["type"] == "popTo" else "push"
            for command in commands
            if command["type"] in ("push", "moveToTop", "popTo") and command["screens"]
        }
        self._popped = any(command["type"] == "pop" for command in commands)

    def take(self, screen: str) -> str:
        """Returns the motion of a screen, which is carried out once."""
        if self._popped and screen not in self._motions:
            self._popped = False
            return "pop"
        return self._motions.pop(screen, "")


class PageLayer(Layer):
    """A layer with pages."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+n", "accept", "Do what is offered"),
        Binding("question_mark", "app.help", "Keys", key_display="?"),
    ]

    def __init__(self, key: tuple[str, ...]) -> None:
        super().__init__(key)
        self._offered: tuple[str, Port | None] = ("", None)
        self._placed: Widget | None = None

    async def show(self, motions: Motions) -> None:
        """Draws the layer's part of the document."""
        for scope in self.query(Scope):
            scope.show()
        self.call_after_refresh(self._follow_offer)

    @property
    def offered(self) -> Offered | None:
        """The first button that an output offers, such as the one that undoes."""
        pages = self.pages
        buttons = (each for each in self.query(Offered) if each.display and each.page in pages)
        return next(buttons, None)

    @property
    def offer(self) -> str:
        if self.offered:
            return str(self.offered.label)
        if not self.app.request:
            return ""
        return clean(self.app.core.description.prompts[self.app.request[1]["kind"]]["title"])

    def _follow_offer(self) -> None:
        if (self.offer, self.way_out) != self._offered:
            self._offered = self.offer, self.way_out
            self.refresh_bindings()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return bool(self.offer) if action == "accept" else True

    def action_accept(self) -> None:
        if self.offered:
            self.offered.press()
        elif self.app.request:
            self.app.agree(self.app.request[0])

    def scope(self) -> ComposeResult:
        """Yields what the app says on every screen."""
        if Scope.is_drawn(self.app.core.description.app):
            yield Scope(offstage.Screen(self.app.core, "app"))

    @property
    def pages(self) -> list[Page]:
        """The visible pages."""
        return [page for page in self.query(Page) if page.display]

    @property
    def way_out(self) -> Port | None:
        """The input that leaves the top page without doing anything."""
        page = self._top
        port = page.button_with("cancel") if page else None
        return port if page and port and page.is_on(port.enabled_by) else None

    def leave(self) -> None:
        """Presses what leaves the top page, or else closes it."""
        if self._top and self.way_out:
            self._top.send(self.way_out.name)
        else:
            self.app.go_back()

    @property
    def _top(self) -> Page | None:
        pages = (page for stack in self.query(Stack) for page in stack.query_children(Page))
        return next((page for page in pages if page.display and not page.is_beside), None)

    def on_mount(self) -> None:
        laid_out: Signal[Any] = self.screen_layout_refresh_signal  # pyright: ignore
        laid_out.subscribe(self, lambda _: self.focus_first())

    def keep_focus(self) -> None:
        """Leaves the focus where the user has pressed a key, whatever appears later."""
        self._placed = None

    def focus_first(self) -> None:
        """Focuses the first widget that takes keys, or at a root, the first list.

        A list whose rows do nothing comes last. So does a text beside a list if there are
        tabs, since it would take the keys that select them. A list gets the focus once it has
        rows, unless the user has pressed a key in the meantime. What must be scrolled to gets
        none: if all of it must, the page takes the keys that scroll.
        """
        # A terminal that gets the focus back gives it to the widget that had it.
        if self.app.screen is not self or not self.app.app_focus:
            return
        chain, focused = self.focus_chain, self.focused
        is_root = not any(self.app.back_label(page.owner.id) for page in self.pages)
        is_final = focused is not self._placed or not is_root or not self._rank(focused)
        if focused in chain and is_final:
            return
        # The order depends on the regions, and so each layout calls this.
        chain = [each for each in chain if is_in_view(each) and is_of_top(each)]
        if is_root:
            chain.sort(key=self._rank)
        usable = [
            each
            for each in chain
            if isinstance(each, ScrollView) or not isinstance(each, ScrollableContainer)
        ]
        if not is_root:
            usable.sort(key=lambda each: isinstance(each, Cells) and not each.choices)
        if usable or chain:
            self._placed = (usable or chain)[0]
            if self._placed is not focused:
                self.set_focus(self._placed, scroll_visible=False)

    def _rank(self, widget: Widget | None) -> int:
        if isinstance(widget, Home) or isinstance(widget, Cells) and widget.items:
            return 0
        if not isinstance(widget, Input | TextArea):
            return 1
        has_tabs = "tabs" in self.app.core.document.navigation.get("root", {})
        has_list = any(isinstance(each, Cells | Home) for each in self.focus_chain)
        return 2 if has_tabs and has_list else 1


def is_in_view(widget: Widget) -> bool:
    """True for a widget that is laid out, and not scrolled out of what is around it."""
    around = (each for each in widget.ancestors if isinstance(each, ScrollableContainer))
    return bool(widget.region) and all(each.region.overlaps(widget.region) for each in around)


def is_of_top(widget: Widget) -> bool:
    """True unless the app has the widget on every screen, or a page at the left of the top one."""
    pages = [each for each in widget.ancestors if isinstance(each, Page)]
    return not any(isinstance(page, Scope) or page.is_beside for page in pages)


class Stack(Container):
    """The topmost page of a stack, with the one below it at its left if there is room for both.

    The other pages are kept, hidden.
    """

    app: Host
    _top = ""

    async def show(
        self, top: str, open: set[str], motion: str = "", beside: str | None = None
    ) -> None:
        pages = {page.owner.id: page for page in self.query_children(Page)}
        is_new, before = top != self._top, pages.get(self._top)
        if is_new:
            if before:
                before.last_focus = self.screen.focused
            # Textual would focus a widget near the one that disappears.
            self.screen.set_focus(None)
            self._top = top
        for id, page in pages.items():
            page.display = id in (top, beside)
            if id not in open:
                await page.remove()
        page = pages.get(top) or await self._place(top)
        page.set_class(False, "beside")
        page.show()
        if beside:
            left = pages.get(beside) or await self._place(beside)
            left.set_class(True, "beside")
            if self.children.index(left) > self.children.index(page):
                self.move_child(left, before=page)
            left.show()
        if is_new:
            self.screen.set_focus(page.last_focus, scroll_visible=False)
            self.screen.refresh_bindings()
        if motion and not beside and self.app.animation_level != "none" and self.size.width:
            start = self.size.width // (3 if motion == "push" else -3)
            page.styles.offset = (start, 0)
            slide_in(page)

    async def _place(self, screen: str) -> Page:
        page = page_of_screen(self.app.core, screen)
        await self.mount(page)
        return page


def slide_in(widget: Widget) -> None:
    """Moves a widget from its offset to its place."""
    here: Any = ScalarOffset.null()
    widget.styles.animate("offset", here, duration=0.18, easing="out_cubic")


class RootLayer(PageLayer):
    """The tabs, or the one stack, of the root."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            f"{prefix}{n}", f"app.tab({n})", "Tabs", show=n == 1, key_display=f"{prefix.upper()}1…"
        )
        for n in range(1, 10)
        for prefix in ("", "f")  # In a text field, only the function keys select tabs.
    ]

    def __init__(self) -> None:
        super().__init__(("root",))
        self._tabs: list[tuple[str, Content]] = []

    def compose(self) -> ComposeResult:
        tabs = Tabs()
        tabs.can_focus = False  # The digits select tabs, wherever the focus is.
        yield tabs
        yield from self.scope()
        yield Stack()
        yield KeyHints()

    async def show(self, motions: Motions) -> None:
        document = self.app.core.document
        root = document.navigation.get("root")
        if not root:
            return
        await super().show(motions)
        tabs, bar = root.get("tabs", []), self.query_one(Tabs)
        bar.display = bool(tabs)
        labels = self._labels(tabs)
        with bar.prevent(Tabs.TabActivated):
            if [id for id, _ in labels] != [id for id, _ in self._tabs]:
                await bar.clear()
                for id, label in labels:
                    await bar.add_tab(Tab(label, id=f"tab-{id}"))
            else:
                self._relabel(labels)
            self._tabs = labels
            if tabs:
                bar.active = f"tab-{root['selected']}"
        screens = stack(document.navigation)
        open = {id for tab in (tabs or [root]) for id in tab["screens"]}
        top, beside = screens[-1], self.app.beside(screens)
        await self.query_one(Stack).show(top, open, motions.take(top), beside)
        self.focus_first()

    def on_resize(self) -> None:
        root = self.app.core.document.navigation.get("root", {})
        labels = self._labels(root.get("tabs", []))
        if [id for id, _ in labels] == [id for id, _ in self._tabs]:
            self._relabel(labels)

    def _relabel(self, labels: list[tuple[str, Content]]) -> None:
        if labels != self._tabs:
            for id, label in labels:
                self.query_one(f"#tab-{id}", Tab).label = label
            self._tabs = labels

    def _labels(self, tabs: list[Any]) -> list[tuple[str, Content]]:
        return [(tab["id"], self._label(n, tab)) for n, tab in enumerate(tabs, 1)]

    def _label(self, number: int, tab: Any) -> Content:
        """Writes the title of a tab, in a wide terminal with the digit that selects it."""
        badge = f" {clean(tab['badge'])} " if tab.get("badge") else ""
        title = clean(tab["title"]) + (f" ●{badge}".rstrip() if badge else "")
        digit = (
            (f"{number} ", "$foreground 65%") if number < 10 and self.app.size.width >= 80 else ""
        )
        return Content.assemble(digit, title)

    @on(Tabs.TabActivated)
    def selected(self, event: Tabs.TabActivated) -> None:
        event.stop()
        if event.tab.id:
            self.app.do(self.app.core.select_tab(event.tab.id.removeprefix("tab-")))


class PresentedLayer(PageLayer, Overlay):
    """A sheet, or a cover over the full screen."""

    BINDINGS: ClassVar[list[BindingType]] = [
        # Without priority, a text field would delete a word instead.
        Binding("ctrl+w", "dismiss_all", "Close", priority=True),
    ]
    HEIGHTS: ClassVar[dict[str, str]] = {"medium": "62%", "large": "94%"}

    def __init__(self, id: str, style: str, detents: list[str]) -> None:
        super().__init__((style, id))
        self.presentation, self._detents, self._at = id, detents, 0

    def compose(self) -> ComposeResult:
        with Vertical(classes="panel"):
            yield Static("━━━━━━", classes="grabber")
            yield from self.scope()
            yield Stack()
            yield KeyHints()

    def on_mount(self) -> None:
        if self.key[0] == "sheet":
            panel = self.query_one(".panel")
            panel.styles.height = self.HEIGHTS.get((self._detents or ["large"])[0], "94%")
            if self.app.animation_level != "none":
                panel.styles.offset = (0, 8)
                slide_in(panel)

    async def show(self, motions: Motions) -> None:
        await super().show(motions)
        for presented in self.app.core.document.navigation["presented"]:
            if presented["id"] == self.presentation:
                top = presented["screens"][-1]
                await self.query_one(Stack).show(top, set(presented["screens"]), motions.take(top))
        self.focus_first()

    def action_dismiss_all(self) -> None:
        self.app.do(self.app.core.dismiss(presentation=self.presentation))

    def on_click(self, event: events.Click) -> None:
        if event.widget is self and self.key[0] == "sheet":
            self.action_dismiss_all()
        elif event.widget and event.widget.has_class("grabber") and len(self._detents) > 1:
            self._at = (self._at + 1) % len(self._detents)
            height = self.HEIGHTS.get(self._detents[self._at], "94%")
            self.query_one(".panel").styles.height = height


class ModalLayer(PageLayer, Overlay):
    """A single screen over everything, on its own background."""

    def __init__(self, id: str, screen: str, background: Any) -> None:
        super().__init__(("modal", id))
        self.modal, self.id_of_screen = id, screen
        self._background: dict[str, Any] = background or {}

    def compose(self) -> ComposeResult:
        with Vertical(classes="panel"):
            yield from self.scope()
            yield Stack()
            yield KeyHints()

    @property
    def can_close(self) -> bool:
        """True if the user may close the modal without an answer."""
        return bool(self._background.get("dismissesOnTap"))

    def on_mount(self) -> None:
        if color := self._background.get("color"):
            opacity = self._background.get("opacity", 0.6)
            self.styles.background = Color.parse(color).with_alpha(opacity)

    async def show(self, motions: Motions) -> None:
        await super().show(motions)
        await self.query_one(Stack).show(self.id_of_screen, {self.id_of_screen})
        self.focus_first()

    def on_click(self, event: events.Click) -> None:
        if event.widget is self and self.can_close:
            self.app.do(self.app.core.dismiss(presentation=self.modal))
