"""Answers the questions of a core."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, TypeAlias, TypeVar

from .errors import CoreStopped, OffstageError
from .pointer import JSON

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
    """Runs the handler of each prompt in the document.

    Args:
        answer: sends the params of `answer`.
    """

    def __init__(
        self,
        handlers: Mapping[str, Handler],
        answer: Callable[[Mapping[str, JSON]], object],
    ) -> None:
        self._handlers = handlers
        self._answer = answer
        self._running: dict[str, asyncio.Task[None]] = {}

    def update(self, prompts: Mapping[str, JSON]) -> None:
        """Starts the handlers of new prompts, and cancels those of closed ones."""
        for id in self._running.keys() - prompts.keys():
            self._running.pop(id).cancel()
        for id, prompt in prompts.items():
            handler = self._handlers.get(prompt["kind"])
            if handler and id not in self._running:
                screen, params = prompt.get("screen", ""), prompt.get("params")
                asked = Prompt(id, prompt["kind"], screen, params)
                self._running[id] = asyncio.create_task(self._ask(handler, asked))

    def stop(self) -> None:
        self.update({})

    async def _ask(self, handler: Handler, prompt: Prompt[Any]) -> None:
        params: dict[str, JSON] = {"prompt": prompt.id}
        try:
            params["value"] = await handler(prompt)
        except Dismissed:
            params["dismissed"] = True
        except CoreStopped:
            return
        except Exception as error:
            # An error of this package is a refusal, and its message says all.
            if not isinstance(error, OffstageError):
                logger.exception("the handler of the prompt %s failed", prompt.kind)
            params["error"] = {"message": str(error)}
        # Do not wait: the frame that removes the prompt cancels this task.
        self._answer(params)
