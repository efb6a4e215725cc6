"""Front ends of other kinds that join a shared core."""

from __future__ import annotations

import sys
from pathlib import Path

from offstage import describe, launch

from .conftest import Serve, run

JOIN = str(Path(sys.executable).parent / "offstage-join")


def test_a_terminal_joins_a_shared_core(serve: Serve, showcase: str) -> None:
    server = serve("--shared", "--", showcase, "--deterministic", "--root", "pokedex")
    command = [JOIN, server.address]
    kinds = list(describe(*command).prompts)
    assert {"alert", "location.current"} <= set(kinds)

    async def scene() -> list[str]:
        async with launch(*command, announce=kinds) as core:
            await core.settle()
            return [screen["kind"] for screen in core.document.screens.values()]

    assert run(scene()) == ["pokedex"]
