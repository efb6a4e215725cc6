"""A core and the copy of its document."""

from __future__ import annotations

import asyncio
import logging
import re
import secrets
from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, Self, TypedDict, TypeVar, Unpack

from .connection import Connection, ignore_errors
from .description import Description
from .document import Document, Event, Frame
from .errors import CoreStopped, OffstageError, RPCError
from .lifecycle import Lifecycle
from .navigation import Visible, visible
from .pointer import JSON
from .ports import Port
from .process import ProcessTransport
from .prompts import Handler, PromptDesk, PromptHandler
from .replica import Replica
from .requests import Handshake, OnAnswer, no_answer
from .screens import Owner, Part, Screen
from .subscriptions import LogEntry
from .transport import StreamTransport, Transport
from .version import VERSION
from .view import View

T = TypeVar("T")
S = TypeVar("S", bound=Screen)

logger = logging.getLogger("offstage")

_CHANGES = re.compile(
    r"input|answer|field/check|list/window|navigation/.*|clock/advance"
)
"""Requests that change something. One that is sent again must be performed only once."""


class Options(TypedDict, total=False):
    """The options of a front end.

    Attributes:
        prompts: answers the core's questions: an instance of a generated handler, or a
            coroutine function for each kind. Only these kinds are announced.
        announce: other kinds of prompts, which you answer with `Core.answer`.
        lifecycle: send `didAppear` and `didDisappear` to screens; True by default.
        visible: returns the ids of the screens on display, the topmost first. A front end
            that shows several screens of a stack side by side returns all of them.
        client: the name and the version of the front end.
        locale: the user's language, such as `ko-KR`.
        time_zone: the user's time zone, such as `Asia/Seoul`.
        log: the lowest level of entries that `Core.log` yields; none by default.
        reconnect: keep what has not been answered when the core stops or the connection is
            lost, and send it again once after `Core.restart`; False by default.
        token: what a host or a relay that listens on a network wants to know.
    """

    prompts: PromptHandler | Mapping[str, Handler]
    announce: Sequence[str]
    lifecycle: bool
    visible: Visible
    client: tuple[str, str]
    locale: str
    time_zone: str
    log: Literal["debug", "info", "warning", "error"]
    reconnect: bool
    token: str | None


def launch(
    *command: str | Path,
    env: Mapping[str, str] | None = None,
    cwd: str | Path | None = None,
    grace: float = 5,
    **options: Unpack[Options],
) -> Core:
    """Returns a core that runs `command` as a child process. Use it in `async with`.

    Args:
        env: variables to add to the environment.
        cwd: the directory to run in.
        grace: how many seconds the core may take to exit before it is killed.
    """

    def connect() -> Awaitable[Transport]:
        return ProcessTransport.start(*command, env=env, cwd=cwd, grace=grace)

    return Core(connect, **options)


def connect(address: str, **options: Unpack[Options]) -> Core:
    """Returns a core behind the socket of a host or a relay. Use it in `async with`.

    The session is kept there: `restart` goes on with it.

    Args:
        address: `unix:PATH` or `HOST:PORT`.
    """
    return Core(lambda: StreamTransport.connect(address), **options)


class Core(View):
    """A connection to a core, and the copy of its document.

    If the core stops by itself, requests and iterators raise `CoreStopped`. The document
    stays as it was, and `restart` starts the core again. With `reconnect`, requests that
    change something wait for that instead.

    Args:
        connect: opens a transport. `restart` calls it again.

    Attributes:
        handshake: the result of `initialize`.
    """

    handshake: Handshake

    def __init__(
        self, connect: Callable[[], Awaitable[Transport]], **options: Unpack[Options]
    ) -> None:
        super().__init__(options.get("visible", visible))
        self._connect = connect
        self._options = options
        self._connection: Connection | None = None
        self._key = secrets.token_hex(8)
        self._is_stopping = False
        self._lifecycle: Lifecycle | None = None
        prompts = options.get("prompts", {})
        if isinstance(prompts, PromptHandler):
            prompts = prompts.handlers()
        self._handlers = prompts

    async def __aenter__(self) -> Self:
        return await self.start()

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def start(self) -> Self:
        """Connects to the core and introduces the front end. Returns this core.

        Raises:
            CoreStopped: the core cannot be started, or exits at once.
        """
        self._forget()
        self.document, self._connection, self._lifecycle = Document(), None, None
        try:
            await self._start(None)
        except BaseException:
            await self.close()
            self.document = Document()
            raise
        return self

    async def restart(self) -> bool:
        """Starts the core again, or connects to it again, and goes on with its session.

        Stops the core first if it is still running. A core that has kept the session, as
        with `--state`, shows the same screens. Fields and iterators go on.

        Returns:
            False if the core has not kept the session. The document is then that of a new
            one, and requests that waited for the core have failed.

        Raises:
            CoreStopped: the core cannot be started, or ends at once. What waits for it
                still does, until `restart` or `close`.
        """
        await self._stop()
        if not self.document.revision:
            await self.start()
            return False
        session, revision = self.handshake.session, self.document.revision
        return await self._start({"session": session, "revision": revision})

    async def _start(self, resume: JSON) -> bool:
        if not self.error:
            raise RuntimeError("the core runs already")
        transport = await self._connect()
        lifecycle, self._lifecycle = self._lifecycle, None
        self.error = None
        self._is_stopping = False
        self._replica = Replica(self.document, self._resync)
        self._desk = PromptDesk(self._handlers, self._answer_prompt)
        self._subscriptions.go_on()
        keeps = self._options.get("reconnect", False)
        connection = Connection(transport, self, keeps=keeps, earlier=self._connection)
        self._connection = connection
        try:
            greeting = self.request(
                "initialize", self._introduction(resume), Handshake.from_wire
            )
            if self._options.get("lifecycle", True):
                self.handshake, raw = await asyncio.gather(greeting, self.discover())
                self._describe(raw)
            else:
                self.handshake = await greeting
        except BaseException:
            self._lifecycle = lifecycle
            await self._stop()
            raise
        hello, revision = self.handshake, self.handshake.raw.get("revision", 0)
        # The sessions of all cores on a virtual clock have the same id. A new one is at
        # revision 1.
        is_virtual = hello.raw.get("clock") == "virtual"
        is_same = (
            bool(resume)
            and resume["session"] == hello.session
            and resume["revision"] <= revision
            and not (is_virtual and revision == 1)
        )
        if is_same:
            self._lifecycle = lifecycle
            connection.go_on()
        elif resume:
            self._forget()
            connection.fail(CoreStopped("the core has started another session"))
        if self._options.get("lifecycle", True):
            self._lifecycle = self._lifecycle or Lifecycle(
                self.document,
                self.description,
                self._find_visible,
                self._send_lifecycle,
            )
            self._lifecycle.description = self.description
            self._lifecycle.update()
        self.wake()
        return is_same

    def _forget(self) -> None:
        self._fields.clear()
        self._ends.clear()

    async def close(self) -> None:
        """Stops the core and waits for it to exit. Iterators end, too."""
        await self._stop()
        if self._connection:
            self._connection.fail(CoreStopped("the core has been closed"))
        self._subscriptions.close()

    async def _stop(self) -> None:
        self._is_stopping = True
        if self._connection:
            if not self.error:
                ignore_errors(self.request("shutdown"))
            await self._connection.close()

    def visibility_changed(self) -> None:
        """Tells screens that they have appeared or disappeared, with the document as it is.

        Call it when what the option `visible` returns has changed, for example with the
        size of a window.
        """
        if self._lifecycle:
            self._lifecycle.update()
        self.wake()

    async def drain(self) -> None:
        """Waits until the core has read most of the data sent to it.

        Needed only if you send without awaiting the replies.
        """
        if self._connection:
            await self._connection.transport.drain()

    def find(self, screen: type[S]) -> S | None:
        """Returns the topmost visible screen of a type, or None."""
        for id in self.visible:
            if self.document.screens[id]["kind"] == screen.kind:
                return screen(self, id)
        return None

    def source(self, event: Event[Any]) -> tuple[Owner, Port] | None:
        """Returns the screen or part that has sent an event, and the event's description.

        Returns:
            None once the screen has closed, or the part is gone.
        """
        path, slash, name = event.name.rpartition("/")
        owner: Owner = Screen(self, event.screen)
        if path and owner.is_open:
            owner = Part(self, event.screen, path + slash)
        port = owner.about.events.get(name) if owner.is_open else None
        return (owner, port) if port else None

    async def wait_for(self, screen: type[S]) -> S:
        """Waits until a screen of this type is visible, and returns it."""
        return await self.until(lambda: self.find(screen))

    def request(
        self,
        method: str,
        params: Mapping[str, JSON] | None = None,
        decode: Callable[[JSON], T] = lambda result: result,
        on_answer: OnAnswer = no_answer,
    ) -> asyncio.Future[T]:
        if not self._connection:
            raise self.error or CoreStopped("the core has not been started")
        if self._options.get("reconnect") and _CHANGES.fullmatch(method):
            params = {**(params or {}), "key": f"{self._key}-{self.last_id + 1}"}
        return self._connection.request(method, params, decode, on_answer)

    @property
    def last_id(self) -> int:
        return self._connection.last_id if self._connection else 0

    @property
    def is_away(self) -> bool:
        """True, with `reconnect`, from the end of the core until `restart` has brought it back."""
        return bool(self._connection and self._connection.is_held)

    def on_notification(self, method: str, params: JSON) -> None:
        match method:
            case "frame":
                frame = Frame.from_wire(params)
                if frame.schema:
                    self._describe_again()
                if received := self._replica.receive(frame):
                    self._publish(received)
            case "log":
                self._subscriptions.log(LogEntry.from_wire(params))
            case "error":
                logger.error("%s", RPCError.from_wire(params))
            case _:
                pass  # A newer core may send more.

    def on_end(self, error: OffstageError) -> None:
        self.error = error
        self._desk.stop()
        if not self._is_stopping:
            self._subscriptions.end(error)

    def _publish(self, frame: Frame) -> None:
        open = {"app", *self.document.screens}
        for kept in (self._fields, self._ends):
            for key in [key for key in kept if key[0] not in open]:
                del kept[key]
        for field in self._fields.values():
            field.reconcile(frame.cause)
        self._desk.update(self.document.prompts)
        if self._lifecycle:
            self._lifecycle.update()
        self._subscriptions.publish(frame, self.document)

    def _answer_prompt(self, params: Mapping[str, JSON]) -> None:
        ignore_errors(self.request("answer", params))

    def _send_lifecycle(self, screen: str, name: str) -> None:
        ignore_errors(self.input(screen, name))

    def _describe_again(self) -> None:
        """Fetches the description and a snapshot from the core that has taken over."""
        if not self._lifecycle:
            return

        ignore_errors(self.request("rpc.discover", None, self._describe))
        self._replica.resync()

    def _describe(self, raw: JSON) -> None:
        """Takes a description. An equal one changes nothing, so that nothing is drawn again."""
        if (known := getattr(self, "description", None)) and known.raw == raw:
            return
        self.description = Description(raw)
        if self._lifecycle:
            self._lifecycle.description = self.description

    def _resync(self) -> None:
        """Asks for a snapshot, which replaces the document before any later frame."""

        def restore(result: JSON) -> None:
            self._publish(self._replica.restore(result["revision"], result["state"]))

        def answered(error: OffstageError | None) -> None:
            if error and (frame := self._replica.give_up()):
                self._publish(frame)

        ignore_errors(self.request("state/snapshot", None, restore, answered))

    def _introduction(self, resume: JSON) -> dict[str, JSON]:
        name, number = self._options.get("client", ("offstage-python", VERSION))
        params: dict[str, JSON] = {
            "protocol": 1,
            "client": {"name": name, "version": number},
            "capabilities": sorted(
                {*self._handlers, *self._options.get("announce", ())}
            ),
            "locale": self._options.get("locale"),
            "timeZone": self._options.get("time_zone"),
            "log": self._options.get("log"),
            "append": True,
            "token": self._options.get("token"),
            "resume": resume,
        }
        return {name: value for name, value in params.items() if value is not None}
