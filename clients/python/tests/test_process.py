"""A core ends with its front end, and can be restarted after a crash."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from pathlib import Path

import pytest

from offstage import (
    Core,
    CoreStopped,
    Crashes,
    ProcessTransport,
    ProtocolError,
    Transport,
    describe,
    launch,
    process,
)

FRONT_END = """
import asyncio, signal, sys, offstage

# A shell starts background jobs with this signal ignored.
signal.signal(signal.SIGINT, signal.default_int_handler)

async def main():
    transports = []
    async def connect():
        transports.append(await offstage.ProcessTransport.start(*sys.argv[1:]))
        return transports[0]
    async with offstage.Core(connect):
        print(transports[0].process.pid, flush=True)
        await asyncio.Event().wait()

asyncio.run(main())
"""

INTERRUPTED = """
import asyncio, signal, sys, offstage

async def main():
    async with offstage.launch(*sys.argv[1:]) as core:
        interrupted = asyncio.Event()
        asyncio.get_running_loop().add_signal_handler(signal.SIGINT, interrupted.set)
        print("ready", flush=True)
        await interrupted.wait()
        await core.settle()
        print("still here", flush=True)

asyncio.run(main())
"""

STUBBORN = """
import signal, sys
for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
    signal.signal(number, signal.SIG_IGN)
sys.stdin.readline()
print('{"jsonrpc":"2.0","id":1,"result":{"protocol":1,"app":{"name":"s","version":"1"}}}')
sys.stdout.flush()
while True:
    signal.pause()
"""


class Launcher:
    """Starts cores, and records their processes."""

    def __init__(self, *command: str, grace: float = 5) -> None:
        self.processes: list[asyncio.subprocess.Process] = []
        self.has_started = asyncio.Event()
        self._command = command
        self._grace = grace

    async def connect(self) -> Transport:
        transport = await ProcessTransport.start(*self._command, grace=self._grace)
        self.processes.append(transport.process)
        self.has_started.set()
        return transport


async def ended(pid: int) -> None:
    """Waits until a process has ended. It need not be a child."""
    try:
        descriptor = os.pidfd_open(pid)
    except ProcessLookupError:
        return
    loop = asyncio.get_running_loop()
    end = loop.create_future()
    loop.add_reader(descriptor, end.set_result, None)
    try:
        async with asyncio.timeout(60):
            await end
    finally:
        loop.remove_reader(descriptor)
        os.close(descriptor)


async def test_a_killed_core_is_reported_and_restarted(showcase: str) -> None:
    launcher = Launcher(showcase, "--deterministic", "--root", "signUp")
    async with Core(launcher.connect) as core:
        await core.input("1", "nameText", "Kim")
        last = core.document.value
        watching = core.watch("/nothing")
        assert await anext(watching) is None
        waiting = core.input("1", "confirm", settle=True)
        launcher.processes[0].kill()
        with pytest.raises(CoreStopped) as stopped:
            await anext(watching)
        assert stopped.value.status == -signal.SIGKILL
        assert "SIGKILL" in str(stopped.value)
        with pytest.raises(CoreStopped):
            await waiting
            await core.input("1", "confirm")
        assert core.document.value is last
        await core.restart()
        assert core.document.revision == 1
        await core.input("1", "nameText", "Kim")
    assert [process.returncode for process in launcher.processes] == [-9, 0]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
async def test_a_core_ends_with_its_front_end(
    showcase: str, number: signal.Signals
) -> None:
    front_end = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", FRONT_END, showcase, "--deterministic"),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
    )
    assert front_end.stdout
    core = int(await front_end.stdout.readline())
    front_end.send_signal(number)
    await ended(core)
    await front_end.wait()


async def test_a_key_that_interrupts_the_front_end_leaves_the_core_alone(
    showcase: str,
) -> None:
    front_end = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", INTERRUPTED, showcase, "--deterministic"),
        stdout=asyncio.subprocess.PIPE,
        start_new_session=True,
    )
    assert front_end.stdout
    assert await front_end.stdout.readline() == b"ready\n"
    # A terminal sends Ctrl-C to all processes of the group.
    os.killpg(front_end.pid, signal.SIGINT)
    assert await front_end.stdout.readline() == b"still here\n"
    assert await front_end.wait() == 0


async def test_a_core_that_does_not_end_is_killed(tmp_path: Path) -> None:
    program = tmp_path / "stubborn.py"
    program.write_text(STUBBORN)
    launcher = Launcher(sys.executable, str(program), grace=0.2)
    async with Core(launcher.connect, lifecycle=False):
        [process] = launcher.processes
    assert process.returncode == -signal.SIGKILL


async def test_a_canceled_start_leaves_nothing_behind(tmp_path: Path) -> None:
    launcher = Launcher(
        sys.executable, "-c", "import signal; signal.pause()", grace=0.2
    )
    starting = asyncio.create_task(Core(launcher.connect).start())
    await launcher.has_started.wait()
    starting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await starting
    assert launcher.processes[0].returncode is not None


async def test_a_core_that_cannot_start_says_why(showcase: str) -> None:
    with pytest.raises(CoreStopped) as stopped:
        async with launch(showcase, "--nonsense"):
            pass
    assert stopped.value.status == 2
    assert "--nonsense" in str(stopped.value)
    with pytest.raises(CoreStopped, match="No such file"):
        async with launch("/no/such/core"):
            pass


async def test_leaving_by_an_error_ends_the_core(showcase: str) -> None:
    launcher = Launcher(showcase, "--deterministic")
    with pytest.raises(ZeroDivisionError):
        async with Core(launcher.connect):
            raise ZeroDivisionError
    assert launcher.processes[0].returncode == 0


async def test_a_flood_of_unawaited_requests_is_written_as_it_is_taken(
    showcase: str,
) -> None:
    async with launch(showcase, "--deterministic", "--root", "signUp") as core:
        replies: list[asyncio.Future[object]] = []
        for number in range(5000):
            replies.append(core.request("state/snapshot"))
            if number % 100 == 0:
                await core.drain()
        await asyncio.gather(*replies)


def test_crashes_in_a_row_are_a_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr(process, "monotonic", lambda: now)
    crashes, crash = Crashes(limit=2, seconds=10), CoreStopped("killed", status=-9)
    assert crashes.add(crash) and crashes.add(crash)
    assert not crashes.add(crash)
    now += 10
    assert crashes.add(crash)
    assert not crashes.add(CoreStopped("a wrong option", status=2))
    assert not crashes.add(ProtocolError("not JSON"))


def test_a_program_describes_its_app_without_running_it(showcase: str) -> None:
    assert "alert" in describe(showcase, "--deterministic").prompts
    with pytest.raises(CoreStopped, match="unknown option --bogus") as refused:
        describe(showcase, "--bogus")
    assert refused.value.status == 2
    with pytest.raises(CoreStopped, match="cannot start /no/such"):
        describe("/no/such/core")
    with pytest.raises(ProtocolError, match="prints no description"):
        describe("echo")
