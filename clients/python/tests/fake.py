"""A core in the test's own process, a delayed line, and a clock that jumps."""

from __future__ import annotations

import asyncio
import json
import selectors
from collections import deque
from collections.abc import Callable, Coroutine, Mapping
from typing import Any

from offstage import JSON, CoreStopped, Transport


def document(*screens: str, output: JSON = None, **members: JSON) -> dict[str, JSON]:
    """Returns a document with a stack of screens of the kind `form`."""
    screen: JSON = {"kind": "form", "output": output or {}, **members}
    return {
        "navigation": {
            "root": {"type": "stack", "screens": list(screens)},
            "presented": [],
            "modals": [],
        },
        "screens": dict.fromkeys(screens, screen),
        "prompts": {},
    }


class FakeCore(Transport):
    """Both ends of a line. The test plays the core with `handle` and `send`.

    Args:
        state: the document of the first frame.
        delay: how many seconds each message takes, in each direction.
    """

    def __init__(self, state: JSON, delay: float = 0) -> None:
        self.state = state
        self.revision = 0
        self.session = "s1"
        self.delay = delay
        self.received: list[dict[str, Any]] = []
        self.inputs: JSON = {}
        self.lines: asyncio.Queue[bytes] = asyncio.Queue()
        self._under_way: deque[tuple[Callable[[bytes], None], bytes]] = deque()

    async def connect(self) -> Transport:
        self.lines = asyncio.Queue()
        return self

    def handle(self, message: dict[str, Any]) -> None:
        """Answers a request. Override `input` to do something first."""
        match message:
            case {"method": "initialize", "id": id}:
                self.frame([{"op": "replace", "path": "", "value": self.state}], id)
                hello = {"protocol": 1, "app": {"name": "fake", "version": "1"}}
                hello |= {"revision": self.revision, "session": self.session}
                self.answer(id, hello)
            case {"method": "rpc.discover", "id": id}:
                self.answer(id, {"x-screens": {"form": {"inputs": self.inputs}}})
            case {"method": "state/snapshot", "id": id}:
                self.answer(id, {"revision": self.revision, "state": self.state})
            case {"method": "input", "id": id, "params": params}:
                self.input(id, params)
                self.answer(id, {"revision": self.revision})
            case {"method": "shutdown", "id": id}:
                self.answer(id, None)
                self.end()
            case {"id": id}:
                self.answer(id, {"revision": self.revision})
            case _:
                pass

    def input(self, id: int, params: JSON) -> None:
        """Handles an input."""

    def frame(self, patch: JSON, cause: int | None = None, **members: JSON) -> None:
        self.revision += 1
        params = {"revision": self.revision, "patch": patch, "cause": cause, **members}
        self.send({"method": "frame", "params": params})

    def answer(self, id: int, result: JSON) -> None:
        self.send({"id": id, "result": result})

    def send(self, message: Mapping[str, JSON]) -> None:
        line = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self._later(self.lines.put_nowait, line)

    def end(self) -> None:
        self._later(self.lines.put_nowait, b"")

    async def read_line(self) -> bytes:
        return await self.lines.get()

    def write_line(self, line: bytes) -> None:
        self._later(self._receive, line)

    async def drain(self) -> None:
        pass

    async def close(self) -> None:
        self.lines.put_nowait(b"")

    def stopped(self) -> CoreStopped:
        return CoreStopped("the fake core has ended")

    def _receive(self, line: bytes) -> None:
        message = json.loads(line)
        self.received.append(message)
        self.handle(message)

    def _later(self, function: Callable[[bytes], None], line: bytes) -> None:
        # The loop may fire timers that are due at the same time in any order.
        self._under_way.append((function, line))
        asyncio.get_running_loop().call_later(self.delay, self._arrive)

    def _arrive(self) -> None:
        function, line = self._under_way.popleft()
        function(line)


class HeldTransport(Transport):
    """Holds what the front end sends until the test releases it."""

    def __init__(self, inner: Transport) -> None:
        self._inner = inner
        self._held: list[bytes] | None = None

    def hold(self) -> None:
        self._held = []

    def release(self, count: int) -> None:
        """Sends the oldest `count` lines."""
        assert self._held is not None
        for line in self._held[:count]:
            self._inner.write_line(line)
        del self._held[:count]

    async def read_line(self) -> bytes:
        return await self._inner.read_line()

    def write_line(self, line: bytes) -> None:
        if self._held is None:
            self._inner.write_line(line)
        else:
            self._held.append(line)

    async def drain(self) -> None:
        await self._inner.drain()

    async def close(self) -> None:
        await self._inner.close()

    def stopped(self) -> CoreStopped:
        return self._inner.stopped()


class _JumpingSelector(selectors.DefaultSelector):
    """Moves the clock to the next timer instead of waiting."""

    now = 0.0

    def select(
        self, timeout: float | None = None
    ) -> list[tuple[selectors.SelectorKey, int]]:
        ready = super().select(0)
        if not ready and timeout is None:
            raise RuntimeError("deadlock: nothing is ready and no timer is set")
        if not ready and timeout:
            self.now += timeout
        return ready


class VirtualLoop(asyncio.SelectorEventLoop):
    """An event loop whose clock costs no time. For tests without real I/O."""

    def __init__(self) -> None:
        self._clock = _JumpingSelector()
        super().__init__(self._clock)

    def time(self) -> float:
        return self._clock.now


async def elapse(seconds: float) -> None:
    """Lets time pass on the virtual clock, without taking real time."""
    done = asyncio.Event()
    asyncio.get_running_loop().call_later(seconds, done.set)
    await done.wait()


def run_virtual(test: Coroutine[Any, Any, None]) -> None:
    """Runs a coroutine on a virtual clock."""
    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        runner.run(test)
