"""The client against the core's side of a transcript, played by `replay --serve`."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from offstage import (
    Core,
    CoreStopped,
    ProcessTransport,
    Screen,
    Transport,
    UnknownInput,
)

INITIALIZE = """
$ showcase --deterministic --root signUp

> {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocol":1,"locale":"ko"}}
< "$_"
< "$_"
"""


class SignUp(Screen):
    kind = "signUp"


def sends(id: int, name: str, value: str) -> str:
    """Returns the line of a request to an input of the form."""
    params = f'{{"screen":"1","name":"{name}","value":"{value}"}}'
    return f'> {{"jsonrpc":"2.0","id":{id},"method":"input","params":{params}}}\n'


@asynccontextmanager
async def served(
    showcase: str, folder: Path, *lines: str, status: int = 0
) -> AsyncGenerator[Core]:
    """Runs a fake core that expects a handshake and these lines; exits with `status`."""
    file = folder / "run.transcript"
    file.write_text(INITIALIZE + "".join(lines))
    transport = await ProcessTransport.start(showcase, "replay", "--serve", file)

    async def connect() -> Transport:
        return transport

    async with Core(connect, lifecycle=False, locale="ko") as core:
        yield core
    assert transport.process.returncode == status


async def test_a_client_that_follows_the_transcript_passes(
    showcase: str, tmp_path: Path
) -> None:
    lines = (sends(2, "nameText", "Kim"), '< "$_"\n' * 2)
    async with served(showcase, tmp_path, *lines) as core:
        form = await core.wait_for(SignUp)
        await form.field("nameText").write("Kim")
        assert form.field("nameText").value == "Kim"
        assert core.document.revision == 2


async def test_a_client_that_stops_early_fails(showcase: str, tmp_path: Path) -> None:
    lines = (sends(2, "nameText", "Kim"), '< "$_"\n' * 2)
    async with served(showcase, tmp_path, *lines, status=1):
        pass


async def test_a_refusal_is_played(showcase: str, tmp_path: Path) -> None:
    lines = (sends(2, "name", "Kim"), '< "$_"\n')
    async with served(showcase, tmp_path, *lines) as core:
        with pytest.raises(UnknownInput) as unknown:
            await core.input("1", "name", "Kim")
        assert "nameText" in unknown.value.inputs


async def test_a_client_that_deviates_learns_where(
    showcase: str, tmp_path: Path
) -> None:
    lines = (sends(2, "nameText", "Kim"), '< "$_"\n' * 2)
    async with served(showcase, tmp_path, *lines, status=1) as core:
        with pytest.raises(CoreStopped) as stopped:
            await core.input("1", "nameText", "Kin")
    assert 'at /params/value: expected "Kim", found "Kin"' in str(stopped.value)
