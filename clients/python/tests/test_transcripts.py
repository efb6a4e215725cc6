"""Replays all transcripts: after each frame, the document matches the core's.

A reference library applies each frame, too, and each snapshot of the core is compared with
the last frame before it.
"""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, cast

import jsonpatch  # pyright: ignore[reportMissingTypeStubs]

from offstage import Document, Frame, ProcessTransport

from .transcript import Run, read

REPOSITORY = Path(__file__).parents[3]
apply_patch = cast("Any", jsonpatch).apply_patch
TRANSCRIPTS = sorted((REPOSITORY / "Protocol/transcripts").rglob("*.transcript"))


class Player:
    """Sends a transcript's lines, and keeps the document from the answers.

    No transcript contains the ids of its own requests.
    """

    def __init__(self, transport: ProcessTransport) -> None:
        self.document = Document()
        self.reference: Any = None
        self.frames = 0
        self.compared: set[int] = set()
        self._transport = transport
        self._barrier: asyncio.Future[None] | None = None
        self._asked = True

    async def play(self, run: Run) -> None:
        reading = asyncio.create_task(self._read())
        for step in run.steps:
            if step is not None:
                self._transport.write_raw(step)
                continue
            self._barrier = asyncio.get_running_loop().create_future()
            # Settling would initialize the core, so ask for nothing at first.
            self._ask("state/settle" if self.frames else "no/such/method", "~b")
            await asyncio.wait([self._barrier, reading], return_when="FIRST_COMPLETED")
        await self._transport.close()
        await reading

    def _ask(self, method: str, id: str) -> None:
        # Some transcripts allow short lines only.
        line = f'{{"jsonrpc":"2.0","id":"{id}","method":"{method}"}}'
        self._transport.write_line(line.encode())

    async def _read(self) -> None:
        while line := await self._transport.read_line():
            message = json.loads(line)
            match message:
                case {"method": "frame", "params": params}:
                    if params["revision"] > self.document.revision:
                        self.reference = apply_patch(
                            self.reference, params.get("patch", [])
                        )
                    self.document.apply(Frame.from_wire(params))
                    assert self.document.value == self.reference
                    self.frames += 1
                    self._ask("state/snapshot", "~s")
                case {"id": "~s", "result": snapshot}:
                    self._compare(snapshot)
                case {"id": "~b"} if self._barrier:
                    self._barrier.set_result(None)
                case {"result": {"state": _} as snapshot}:
                    self._compare(snapshot)
                case _:
                    pass

    def _compare(self, snapshot: Any) -> None:
        assert snapshot["revision"] == self.document.revision
        assert snapshot["state"] == self.document.value
        self.compared.add(self.document.revision)


async def test_all_transcripts(showcase: str) -> None:
    assert len(TRANSCRIPTS) > 200
    queue = list(TRANSCRIPTS)
    frames = compared = 0

    async def work() -> None:
        nonlocal frames, compared
        while queue:
            path = queue.pop()
            # The runs of a transcript may share a data directory.
            with TemporaryDirectory() as folder:
                for run in read(path):
                    player = await replay(showcase, run, path, folder)
                    frames += player.frames
                    compared += len(player.compared)

    async with asyncio.TaskGroup() as group:
        for _ in range(4):
            group.create_task(work())
    print(f"{len(TRANSCRIPTS)} transcripts, {frames} frames, {compared} snapshots")
    assert compared > len(TRANSCRIPTS)


async def replay(showcase: str, run: Run, path: Path, folder: str) -> Player:
    transport = await ProcessTransport.start(showcase, *run.arguments, cwd=folder)
    player = Player(transport)
    try:
        await player.play(run)
        assert transport.process.returncode == run.status
    except AssertionError as error:
        error.add_note(str(path))
        raise
    return player
