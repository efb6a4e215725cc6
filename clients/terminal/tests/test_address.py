"""A core that the terminal does not start, but joins by an address."""

from __future__ import annotations

import os
import signal
import sys
from asyncio import create_subprocess_exec, subprocess
from pathlib import Path

import pytest
from offstage import connect
from textual.widgets import Input

from offstage_terminal.dialogs import Stopped

from .conftest import using

pytestmark = pytest.mark.long


async def test_a_terminal_shares_a_core(showcase: str, tmp_path: Path) -> None:
    address = f"unix:{tmp_path}/socket"
    folders = ("--data", tmp_path / "data", "--state", tmp_path / "state")
    command = (sys.executable, "-m", "offstage.share", "--listen", address, "--", showcase)
    relay = await create_subprocess_exec(
        *command, "--root", "signUp", *folders, stdout=subprocess.PIPE
    )
    assert relay.stdout
    await relay.stdout.readline()
    name = "/screens/1/fields/nameText/value"
    async with using(address) as person, connect(address) as other:
        core = person.app.core
        await person.type("Kim", 0)
        await other.until(lambda: other.document.get(name) == "Kim")
        await other.input("1", "nameText", "Lee")
        await core.until(lambda: core.document.get(name) == "Lee")
        # The relay starts the next core, and the terminal goes on with the session.
        left = core.handshake
        children = Path(f"/proc/{relay.pid}/task/{relay.pid}/children").read_text()
        os.kill(int(children), signal.SIGKILL)
        while core.handshake is left or core.error:
            await person.flush()
        await person.settle()
        assert core.handshake.session == left.session
        assert person.app.screen.query(Input).first().value == "Lee"
        await person.type("!", 0)
        assert core.document.get(name) == "Lee!"
    relay.terminate()
    assert await relay.wait() == 0
    async with using(address) as person:
        assert isinstance(person.app.screen, Stopped)
        assert "cannot connect to unix:" in str(person.app.stopped)
