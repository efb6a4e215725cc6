"""Answers the questions of a core."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeAlias, TypeVar

from .connection import ignore_errors
from .errors import CoreStopped

if TYPE_CHECKING:
    from .core import Core

P = TypeVar("P")

logger = logging.getLogger("offstage")


class Dismissed(Exception):
    """The user closed the prompt without an answer. Raise it in a handler."""


@dataclass(frozen=True)
class Prompt(Generic[P]):
    """A question that awaits an answer, such as an alert."""

    id: str
    kind: str
    screen: str
    params: P


Handler: TypeAlias = Callable[[Prompt[Any]], Awaitable[Any]]


class PromptHandler:
    """Answers prompts: one method for each kind, generated for an app.

    Override the methods of the kinds that you answer; only those are announced to the
    core. A method returns the answer, raises `Dismissed`, or raises another error, whose
    message goes to the core. It is canceled if the core withdraws the prompt.
    """

    methods: ClassVar[Mapping[str, str]] = {}
    """The name of the method for each kind."""

    def handlers(self) -> dict[str, Handler]:
        """Returns the overridden methods, by kind."""
        base = next(cls for cls in type(self).__mro__ if "methods" in cls.__dict__)
        return {
            kind: getattr(self, name)
            for kind, name in self.methods.items()
            if getattr(type(self), name) is not getattr(base, name)
        }


class PromptDesk:
    """Runs the handler of each prompt in the document."""

    def __init__(self, core: Core, handlers: Mapping[str, Handler]) -> None:
        self._core = core
        self._handlers = handlers
        self._running: dict[str, asyncio.Task[None]] = {}

    def update(self) -> None:
        """Starts the handlers of new prompts, and cancels those of closed ones."""
        prompts = self._core.document.prompts
        for id in self._running.keys() - prompts.keys():
            self._running.pop(id).cancel()
        for id, prompt in prompts.items():
            handler = self._handlers.get(prompt["kind"])
            if handler and id not in self._running:
                screen, params = prompt.get("screen", ""), prompt.get("params")
                asked = Prompt(id, prompt["kind"], screen, params)
                self._running[id] = asyncio.create_task(self._answer(handler, asked))

    def stop(self) -> None:
        for task in self._running.values():
            task.cancel()
        self._running.clear()

    async def _answer(self, handler: Handler, prompt: Prompt[Any]) -> None:
        value, dismissed, message = None, False, None
        try:
            value = await handler(prompt)
        except Dismissed:
            dismissed = True
        except CoreStopped:
            return
        except Exception as error:
            logger.exception("the handler of the prompt %s failed", prompt.kind)
            message = str(error)
        # Do not wait: the frame that removes the prompt cancels this task.
        answer = self._core.answer(prompt.id, value, error=message, dismissed=dismissed)
        ignore_errors(answer)
