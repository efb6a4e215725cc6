"""The layers of an app: the root, sheets and covers, modals, and dialogs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.color import Color
from textual.containers import (
    Container,
    Horizontal,
    ScrollableContainer,
    Vertical,
    VerticalScroll,
)
from textual.content import Content
from textual.css.scalar import ScalarOffset
from textual.screen import ModalScreen, Screen
from textual.scroll_view import ScrollView
from textual.widget import Widget
from textual.widgets import Button, Input, Label, OptionList, Static, Tab, Tabs

from .cells import Cells
from .fields import Entry
from .hints import KeyHints
from .page import Page
from .parts import Home, put
from .text import clean

if TYPE_CHECKING:
    from .app import TerminalApp


class Layer(Screen[None]):
    """A layer of the app.

    Attributes:
        key: identifies the layer from one document to the next.
    """

    app: TerminalApp
    AUTO_FOCUS = ""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "app.back", "Back", key_display="esc"),
    ]

    def __init__(self, key: tuple[str, ...]) -> None:
        super().__init__(classes=f"layer {key[0]}")
        self.key = key
        self._placed: Widget | None = None

    async def show(self) -> None:
        """Draws the layer's part of the document."""

    def on_screen_suspend(self) -> None:
        for hints in self.query(KeyHints):
            put(hints, "")  # Keys go to the layer above.

    def on_screen_resume(self) -> None:
        self.refresh_bindings()

    @property
    def pages(self) -> list[Page]:
        """The visible pages."""
        return [page for page in self.query(Page) if page.display]

    def focus_first(self) -> None:
        """Focuses the first widget that takes keys, or at a root, the first list.

        A list whose rows do nothing comes last. So does a text field if there are tabs,
        since it would take the keys that select them. A list gets the focus once it has
        rows, unless the user has moved the focus or typed by then.
        """
        if self.app.screen is not self:
            return
        chain, focused = self.focus_chain, self.focused
        is_root = not any(self.app.back_label(page.id_of_screen) for page in self.pages)
        is_final = focused is not self._placed or not is_root or not self._rank(focused)
        is_typing = isinstance(focused, Input) and focused.value
        if focused in chain and (is_final or is_typing):
            return
        # The order depends on the regions. The layout, which sets them, calls this again.
        chain = [each for each in chain if each.region]
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
        has_tabs = "tabs" in self.app.core.document.navigation.get("root", {})
        return 2 if has_tabs and isinstance(widget, Input) else 1


class Overlay(Layer, ModalScreen[None]):
    """A layer that leaves the one below it visible."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+t", "app.toggle_theme", "Theme", show=False),
        Binding("ctrl+q", "app.quit", "Quit", show=False),
    ]


class Stack(Container):
    """The topmost page of a stack. The pages below it are kept, hidden."""

    app: TerminalApp
    _top = ""

    async def show(self, top: str, open: set[str], motion: str = "") -> None:
        pages = {page.id_of_screen: page for page in self.query_children(Page)}
        is_new, before = top != self._top, pages.get(self._top)
        if is_new:
            if before:
                before.last_focus = self.screen.focused
            # Textual would focus a widget near the one that disappears.
            self.screen.set_focus(None)
            self._top = top
        for id, page in pages.items():
            page.display = id == top
            if id not in open:
                await page.remove()
        page = pages.get(top) or self.app.make_page(top)
        if top not in pages:
            await self.mount(page)
        page.display = True
        page.show()
        if is_new:
            self.screen.set_focus(page.last_focus, scroll_visible=False)
            self.screen.refresh_bindings()
        if motion and self.app.animation_level != "none" and self.size.width:
            start = self.size.width // (3 if motion == "push" else -3)
            page.styles.offset = (start, 0)
            slide_in(page)


def slide_in(widget: Widget) -> None:
    """Moves a widget from its offset to its place."""
    here: Any = ScalarOffset.null()
    widget.styles.animate("offset", here, duration=0.18, easing="out_cubic")


class RootLayer(Layer):
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
        self._tabs: list[tuple[str, str]] = []

    def compose(self) -> ComposeResult:
        tabs = Tabs()
        tabs.can_focus = False  # The digits select tabs, wherever the focus is.
        yield tabs
        yield Stack()
        yield KeyHints()

    async def show(self) -> None:
        document = self.app.core.document
        root = document.navigation.get("root")
        if not root:
            return
        tabs, bar = root.get("tabs", []), self.query_one(Tabs)
        bar.display = bool(tabs)
        labels = [(tab["id"], self._label(tab)) for tab in tabs]
        with bar.prevent(Tabs.TabActivated):
            if [id for id, _ in labels] != [id for id, _ in self._tabs]:
                await bar.clear()
                for id, label in labels:
                    await bar.add_tab(Tab(Content(label), id=f"tab-{id}"))
            elif labels != self._tabs:
                for id, label in labels:
                    self.query_one(f"#tab-{id}", Tab).label = Content(label)
            self._tabs = labels
            if tabs:
                bar.active = f"tab-{root['selected']}"
        stack = next((tab for tab in tabs if tab["id"] == root["selected"]), root)["screens"]
        open = {id for tab in (tabs or [root]) for id in tab["screens"]}
        await self.query_one(Stack).show(stack[-1], open, self.app.motion_of(stack[-1]))
        self.focus_first()
        self.call_after_refresh(self.focus_first)

    def _label(self, tab: Any) -> str:
        badge = f" {clean(tab['badge'])} " if tab.get("badge") else ""
        return clean(tab["title"]) + (f" ●{badge}".rstrip() if badge else "")

    @on(Tabs.TabActivated)
    def selected(self, event: Tabs.TabActivated) -> None:
        event.stop()
        if event.tab.id:
            self.app.do(self.app.core.select_tab(event.tab.id.removeprefix("tab-")))


class PresentedLayer(Overlay):
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
            yield Stack()
            yield KeyHints()

    def on_mount(self) -> None:
        if self.key[0] == "sheet":
            panel = self.query_one(".panel")
            panel.styles.height = self.HEIGHTS.get((self._detents or ["large"])[0], "94%")
            if self.app.animation_level != "none":
                panel.styles.offset = (0, 8)
                slide_in(panel)

    async def show(self) -> None:
        for presented in self.app.core.document.navigation["presented"]:
            if presented["id"] == self.presentation:
                top = presented["screens"][-1]
                await self.query_one(Stack).show(
                    top, set(presented["screens"]), self.app.motion_of(top)
                )
        self.focus_first()
        self.call_after_refresh(self.focus_first)

    def action_dismiss_all(self) -> None:
        self.app.do(self.app.core.dismiss(presentation=self.presentation))

    def on_click(self, event: events.Click) -> None:
        if event.widget is self and self.key[0] == "sheet":
            self.action_dismiss_all()
        elif event.widget and event.widget.has_class("grabber") and len(self._detents) > 1:
            self._at = (self._at + 1) % len(self._detents)
            height = self.HEIGHTS.get(self._detents[self._at], "94%")
            self.query_one(".panel").styles.height = height


class ModalLayer(Overlay):
    """A single screen over everything, on its own background."""

    def __init__(self, id: str, screen: str, background: Any) -> None:
        super().__init__(("modal", id))
        self.modal, self.id_of_screen = id, screen
        self._background: dict[str, Any] = background or {}

    def compose(self) -> ComposeResult:
        with Vertical(classes="panel"):
            yield Stack()

    @property
    def can_close(self) -> bool:
        """True if the user may close the modal without an answer."""
        return bool(self._background.get("dismissesOnTap"))

    def on_mount(self) -> None:
        if color := self._background.get("color"):
            opacity = self._background.get("opacity", 0.6)
            self.styles.background = Color.parse(color).with_alpha(opacity)

    async def show(self) -> None:
        await self.query_one(Stack).show(self.id_of_screen, {self.id_of_screen})
        self.focus_first()
        self.call_after_refresh(self.focus_first)

    def on_click(self, event: events.Click) -> None:
        if event.widget is self and self.can_close:
            self.app.do(self.app.core.dismiss(presentation=self.modal))


class Dialog(Overlay):
    """A title, a message, fields, and buttons."""

    def __init__(
        self,
        key: tuple[str, ...],
        title: str,
        message: str = "",
        *,
        buttons: list[tuple[str, str, str]],
        fields: list[tuple[str, str, str]] | None = None,
    ) -> None:
        """Creates a dialog.

        Args:
            buttons: the id, the title, and the variant of each.
            fields: the id, the placeholder, and the content of each.
        """
        super().__init__(key)
        self._title, self._message = clean(title), clean(message, lines=True)
        self._buttons, self._fields = buttons, fields or []

    def compose(self) -> ComposeResult:
        with Vertical(classes="panel"):
            yield Label(self._title, classes="dialog--title", markup=False)
            if self._message:
                with VerticalScroll(classes="dialog--message", can_focus=False):
                    yield Static(self._message, markup=False)
            for id, placeholder, content in self._fields:
                yield Entry(content, placeholder=clean(placeholder), name=id)
            with Horizontal(classes="dialog--buttons"):
                for id, title, variant in self._buttons:
                    yield Button(Content(clean(title)), name=id, variant=variant)  # pyright: ignore

    def on_mount(self) -> None:
        self.focus_next("Input, Button")
        if isinstance(self.focused, Button) and self.focused.variant == "error":
            self.focus_next("Button")  # An accidental Enter must not destroy anything.

    @on(Button.Pressed)
    def pressed(self, event: Button.Pressed) -> None:
        event.stop()
        fields = {entry.name or "": entry.value for entry in self.query(Input)}
        self.answered(event.button.name or "", fields)

    @on(Input.Submitted)
    def entered(self, event: Input.Submitted) -> None:
        event.stop()
        self.submit()

    def submit(self) -> None:
        """Moves on from a field."""
        self.focus_next("Input, Button")

    def key_up(self) -> None:
        self._scroll(-1)

    def key_down(self) -> None:
        self._scroll(1)

    def _scroll(self, lines: int) -> None:
        for message in self.query(VerticalScroll):
            message.scroll_relative(y=lines, animate=False)

    def key_left(self) -> None:
        self.focus_previous("Button")

    def key_right(self) -> None:
        self.focus_next("Button")

    def answered(self, button: str, fields: dict[str, str]) -> None:
        """Handles the choice of a button."""


class Menu(Overlay):
    """A few choices."""

    def __init__(self, titles: list[str], chosen: Any) -> None:
        super().__init__(("menu",))
        self._titles, self._chosen = titles, chosen

    def compose(self) -> ComposeResult:
        yield OptionList(*[Content(title) for title in self._titles], classes="panel", markup=False)

    def on_mount(self) -> None:
        self.query_one(OptionList).focus()

    @on(OptionList.OptionSelected)
    def selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self.app.close_menu(self)
        self._chosen(event.option_index)

    def key_escape(self, event: events.Key) -> None:
        event.stop()
        event.prevent_default()
        self.app.close_menu(self)

    def on_click(self, event: events.Click) -> None:
        if event.widget is self:
            self.app.close_menu(self)
