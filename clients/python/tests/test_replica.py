"""The document recovers from lost frames."""

from __future__ import annotations

from typing import Any

import pytest

from offstage import (
    Core,
    CoreStopped,
    Document,
    Event,
    Frame,
    Frames,
    ProtocolError,
    patch,
)
from offstage.replica import Replica

from .fake import FakeCore, document


async def test_a_missing_frame_is_made_up_for_by_a_snapshot() -> None:
    fake = FakeCore(document("1"))
    async with Core(fake.connect) as core:
        frames = core.frames()
        fake.revision += 3
        fake.state = document("1", output={"count": 3})
        event = {"screen": "1", "name": "counted", "value": 4}
        count = {"op": "replace", "path": "/screens/1/output/count", "value": 4}
        fake.state = patch.apply(fake.state, [count])
        fake.frame([count], events=[event])
        await core.until(lambda: core.document.get("/screens/1/output/count") == 4)
        assert core.document.revision == fake.revision == 5
        frame = await anext(frames)
        assert patch.apply(None, frame.patch) == fake.state
        assert frame.events == [Event("1", "counted", 4)]
        # After that, frame by frame.
        fake.frame([{**count, "value": 5}])
        assert (await anext(frames)).revision == 6
    asked = [m for m in fake.received if m["method"] == "state/snapshot"]
    assert len(asked) == 1


async def test_a_core_that_takes_over_is_described_before_it_is_shown() -> None:
    fake = FakeCore(document("1"))
    async with Core(fake.connect) as core:
        frames = core.frames()
        fake.inputs = {"added": {"x-role": "trigger"}}
        fake.state = document("1", output={"count": 1})
        replace = {"op": "replace", "path": "", "value": fake.state}
        fake.frame([replace], schema="rebuilt")
        frame = await anext(frames)
        assert frame.schema == "rebuilt"
        assert core.document.value == fake.state
        assert "added" in core.description.screens["form"].inputs
        # The hash does not cover texts.
        fake.inputs = {"added": {"x-role": "trigger", "title": "Add"}}
        fake.frame([replace], schema="rebuilt")
        await anext(frames)
        assert core.description.screens["form"].inputs["added"].title == "Add"
    assert len([m for m in fake.received if m["method"] == "rpc.discover"]) == 3


def test_a_whole_frame_closes_a_gap_without_the_snapshot() -> None:
    copy = Document()
    asked: list[None] = []
    replica = Replica(copy, lambda: asked.append(None))

    def frame(revision: int, path: str, value: Any) -> Frame:
        change = {"op": "replace", "path": path, "value": value}
        event = {"screen": "1", "name": "told", "value": revision}
        return Frame.from_wire(
            {"revision": revision, "patch": [change], "events": [event]}
        )

    assert replica.receive(frame(1, "", {"n": 1}))
    assert replica.receive(frame(3, "/n", 3)) is None
    whole = replica.receive(frame(9, "", {"n": 9}))
    assert (copy.revision, copy.value) == (9, {"n": 9})
    assert whole and [event.value for event in whole.events] == [3, 9]
    # The snapshot may fail, as when another core takes over.
    assert replica.give_up() is None
    assert replica.receive(frame(10, "/n", 10))
    assert copy.value == {"n": 10}
    assert len(asked) == 1
    # One that waits for its description is shown if the snapshot fails.
    replica.resync()
    change = {"op": "replace", "path": "", "value": {"n": 11}}
    described = {"revision": 11, "patch": [change], "schema": "rebuilt"}
    assert replica.receive(Frame.from_wire(described)) is None
    assert replica.give_up()
    assert copy.value == {"n": 11}


async def test_a_patch_that_does_not_fit_changes_nothing_and_resyncs() -> None:
    fake = FakeCore(document("1"))
    async with Core(fake.connect) as core:
        before = core.document.value
        good = {"op": "add", "path": "/screens/1/output/x", "value": 1}
        fake.frame([good, {"op": "remove", "path": "/nothing"}])
        fake.state = document("1", output={"x": 2})
        assert "x" not in before["screens"]["1"]["output"]
        await core.until(lambda: core.document.get("/screens/1/output/x") == 2)


async def test_a_reader_that_falls_behind_gets_everything_in_few_frames() -> None:
    fake = FakeCore(document("1", output={"count": 0}))
    async with Core(fake.connect) as core:
        frames = core.frames()
        seen: Any = core.document.value
        counts: list[int] = []
        for count in range(2000):
            path = "/screens/1/output/count"
            fake.frame(
                [{"op": "replace", "path": path, "value": count}],
                events=[{"screen": "1", "name": "counted", "value": count}],
            )
        await core.settle()
        taken = 0
        while counts[-1:] != [1999]:
            frame: Frame = await anext(frames)
            seen = patch.apply(seen, frame.patch)
            counts += [event.value for event in frame.events]
            taken += 1
        assert seen == core.document.value
        assert counts == list(range(2000))
        assert taken <= 256


async def test_iterators_raise_if_the_core_stops_by_itself() -> None:
    fake = FakeCore(document("1"))
    async with Core(fake.connect) as core:
        frames: Frames = core.frames()
        fake.frame([])
        fake.end()
        assert (await anext(frames)).revision == 2
        with pytest.raises(CoreStopped):
            await anext(frames)
        with pytest.raises(CoreStopped):
            await core.until(lambda: False)


@pytest.mark.parametrize("line", [b"{", b"[]", b'{"method":"frame","params":{}}', b"7"])
async def test_a_peer_that_talks_nonsense_ends_the_connection(line: bytes) -> None:
    fake = FakeCore(document("1"))
    async with Core(fake.connect) as core:
        await fake.lines.put(line)
        with pytest.raises(ProtocolError):
            await core.until(lambda: False)
