"""The facade for code without asyncio."""

from __future__ import annotations

import signal
import threading
from typing import Any

import pytest

from offstage import CoreStopped, Event, Reply, Screen, UnknownInput, sync


class SignUp(Screen):
    kind = "signUp"


def test_calls_wait_for_their_results(showcase: str) -> None:
    with sync.launch(showcase, "--deterministic", "--root", "signUp") as core:
        assert core.handshake.app.name == "showcase"
        form = core.wait_for(SignUp)
        assert core.input("1", "nameText", "Kim") == Reply(2)
        assert form.send("emailText", "kim@example.com").revision == 3
        assert form.output["isConfirmEnabled"]
        assert core.document.get("/screens/1/fields/nameText/value") == "Kim"
        assert core.until(lambda: form.field("nameText").value) == "Kim"
        finished = form.listen("finished")
        form.send("confirm", settle=True)
        event: Event[Any] = next(finished)
        assert event.value["email"] == "kim@example.com"
        with pytest.raises(UnknownInput):
            core.input("1", "name")
    assert list(finished) == []
    with pytest.raises(CoreStopped):
        core.settle()


def test_a_watched_value_is_iterated(showcase: str) -> None:
    with sync.launch(showcase, "--deterministic", "--root", "signUp") as core:
        seen: list[Any] = []
        for value in core.watch("/screens/1/fields/nameText/value"):
            seen.append(value)
            if value == "Kim":
                break
            core.input("1", "nameText", "Kim")
        assert seen == [None, "Kim"]


def test_parts_are_reached(cart: str) -> None:
    with sync.launch(cart) as core:
        screen = core.wait_for(_Cart)
        lines = [part.output["id"] for part in screen.children("lines")]
        assert lines == ["milk", "a/b"]


class _Cart(Screen):
    kind = "cart"


def test_a_core_that_cannot_start_is_an_error() -> None:
    with pytest.raises(CoreStopped):
        sync.launch("/nowhere")


def test_an_interrupt_cancels_the_request(showcase: str) -> None:
    # A shell starts background jobs with interrupts ignored.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    command = (showcase, "--deterministic", "--root", "placeSearch")
    with sync.launch(*command) as core:
        # As the terminal does: to the thread that waits.
        waiting = threading.get_ident()
        script = threading.Timer(0, lambda: signal.pthread_kill(waiting, signal.SIGINT))
        with pytest.raises(KeyboardInterrupt):
            script.start()
            core.until(lambda: False)
        assert core.settle()
    signal.signal(signal.SIGINT, before)


def test_a_started_core_runs_again(showcase: str) -> None:
    with sync.launch(showcase, "--deterministic", "--root", "signUp") as core:
        core.input("1", "nameText", "Kim")
        assert not core.restart()
        assert core.document.get("/screens/1/fields/nameText/value") is None
