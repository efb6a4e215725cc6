"""A core without asyncio, for a REPL, a notebook, or a script.

    from offstage import sync

    core = sync.launch("showcase", "--root", "signUp")
    core.input("1", "nameText", "Kim")
    core.document.get("/screens/1/output")

Everything is as in `offstage`, but each call waits for its result, and `for` takes the
place of `async for`. The core itself lives in an event loop in another thread.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable, Mapping
from functools import cache
from inspect import isawaitable
from pathlib import Path
from typing import Any, Self, Unpack

from .core import Core, Options
from .core import connect as connect_core
from .core import launch as launch_core
from .fields import Field
from .pointer import is_array
from .screens import Owner, Parts, Ports
from .subscriptions import Subscription
from .transport import Transport

# The objects that live in the loop. All others are values, which never change.
_LIVE = (Core, Field, Owner, Parts, Ports, Subscription)


def launch(
    *command: str | Path,
    env: Mapping[str, str] | None = None,
    cwd: str | Path | None = None,
    grace: float = 5,
    **options: Unpack[Options],
) -> Sync:
    """Starts a core as a child process, and returns it. See `offstage.launch`."""
    return _start(
        lambda: launch_core(*command, env=env, cwd=cwd, grace=grace, **options)
    )


def connect(
    open: str | Callable[[], Awaitable[Transport]], **options: Unpack[Options]
) -> Sync:
    """Connects to the address of a host or a relay, or to a core by other means, and returns it.

    See `offstage.connect` and `offstage.Core`.
    """
    if isinstance(open, str):
        return _start(lambda: connect_core(open, **options))
    return _start(lambda: Core(open, **options))


def _start(make: Callable[[], Core]) -> Sync:
    return Sync(_loop().run(lambda: make().start()))


class Sync:
    """Stands for an object of `offstage`: what it returns is waited for.

    An interrupt, such as Ctrl-C, cancels the request that is waited for.
    """

    def __init__(self, target: Any) -> None:
        self._target = target

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return self._run(lambda: getattr(self._target, name))

    def __getitem__(self, key: Any) -> Any:
        return self._run(lambda: self._target[key])

    def __len__(self) -> int:
        count: int = _loop().run(lambda: len(self._target))
        return count

    def __iter__(self) -> Any:
        if isinstance(self._target, Subscription):
            return self
        return iter(self._run(lambda: list(self._target)))

    def __next__(self) -> Any:
        try:
            return self._run(lambda: anext(self._target))
        except StopAsyncIteration:
            raise StopIteration from None

    def __dir__(self) -> list[str]:
        return dir(self._target)

    def __repr__(self) -> str:
        return f"Sync({self._target!r})"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _run(self, call: Callable[[], Any]) -> Any:
        return self._wrap(_loop().run(call))

    def _wrap(self, value: Any) -> Any:
        if is_array(value):
            return [self._wrap(item) for item in value]
        if isinstance(value, _LIVE):
            return Sync(value)
        if callable(value) and getattr(value, "__self__", None) is self._target:
            return self._method(value)
        return value

    def _method(self, method: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any, **options: Any) -> Any:
            return self._run(lambda: method(*args, **options))

        call.__doc__ = method.__doc__
        return call


class _Loop:
    """An event loop in a thread, which ends with the program."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(
            target=self._loop.run_forever, name="offstage", daemon=True
        )
        self._thread.start()

    def run(self, call: Callable[[], Any]) -> Any:
        """Calls a function in the loop, and waits for its result."""
        # Such as a condition of `until`, which the loop itself evaluates.
        if threading.current_thread() is self._thread:
            return call()

        async def perform() -> Any:
            result = call()
            return await result if isawaitable(result) else result

        future = asyncio.run_coroutine_threadsafe(perform(), self._loop)
        try:
            return future.result()
        except BaseException:
            future.cancel()
            raise


@cache
def _loop() -> _Loop:
    """Returns the loop that all cores of the program share."""
    return _Loop()
