"""The list of conversations, and a conversation."""

from __future__ import annotations

from typing import Any, ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal

from ..model.text import clean
from ..pages.screenpage import ScreenPage
from ..widgets.cells import Cell
from ..widgets.fields import TextField
from ..widgets.lists import Rows
from ..widgets.parts import Busy, Empty, Failure, Line, Picture, Trigger
from .messages import Messages


def chat(row: Any) -> Cell:
    return Cell(clean(row["name"]), clean(row["lastMessage"]), picture=row["image"])


class Chats(ScreenPage, app="showcase", kind="chats"):
    BINDINGS: ClassVar[list[BindingType]] = [Binding("u", "undo", "Undo", show=False)]

    def body(self) -> ComposeResult:
        yield Busy("isLoading")
        yield Failure("failure")
        yield Empty("invitation")
        yield Rows("chats", chat, lines=4, picture=6)
        with Horizontal(classes="undo"):
            yield Line(lambda page: page.find("deletedNotice", ""))
            yield Trigger("undoTapped", hides=True)

    def show(self) -> None:
        super().show()
        self.query_one(".undo").display = bool(self.output.get("canUndo"))

    def action_undo(self) -> None:
        self.send("undoTapped")


class Chat(ScreenPage, app="showcase", kind="chat"):
    BINDINGS: ClassVar[list[BindingType]] = [Binding("ctrl+s", "stop", "Stop")]

    def heading(self) -> str:
        return self.find("avatar/name") or self.about.title

    def body(self) -> ComposeResult:
        yield Busy("isLoading", "isReplying")
        with Horizontal(classes="chat--top"):
            yield Picture(lambda page: page.find("avatar/image"), 6, 3)
            yield Line(
                lambda page: page.find("avatar/description", ""),
                classes="muted",
            )
            yield Trigger("clear", hides=True)
        yield Failure("failure", actions=False)
        yield Messages()
        with Horizontal(classes="compose"):
            yield TextField("messageText", label=False)
            yield Trigger("send", variant="primary")
            yield Trigger("stop", variant="error", hides=True)
            yield Trigger("retry", hides=True)

    def show(self) -> None:
        super().show()
        self.refresh_bindings()

    def submit(self, name: str) -> None:
        self.send("send")

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "stop":
            return bool(self.output.get("isReplying"))
        return super().check_action(action, parameters)

    def action_stop(self) -> None:
        self.send("stop")
