"""`python3 -m offstage.share`: several front ends at the socket of one core."""

from __future__ import annotations

import os
import re
import shlex
import signal
import stat
import sys
from asyncio import subprocess
from pathlib import Path

import pytest

import offstage
from offstage import Core, CoreStopped, InvalidRequest, connect

from .running import failing, listening, shared
from .sockets import Caller

FORM = ("--deterministic", "--root", "signUp")
NAME = "/screens/1/fields/nameText/value"


async def shows(core: Core, name: str) -> None:
    """Waits until a front end shows a name in the form."""
    await core.until(lambda: core.document.get(NAME) == name)


async def test_front_ends_share_a_core(showcase: str, tmp_path: Path) -> None:
    address = f"unix:{tmp_path}/socket"
    async with (
        shared(address, showcase, *FORM) as relay,
        connect(relay.address) as one,
        connect(relay.address) as two,
    ):
        await one.input("1", "nameText", "Kim")
        await shows(two, "Kim")
        await two.close()
        await one.input("1", "nameText", "Lee")
        assert one.document.get(NAME) == "Lee"
        assert len(relay.cores()) == 1
    assert not (tmp_path / "socket").exists()


async def test_only_the_user_can_connect(showcase: str, tmp_path: Path) -> None:
    async with shared(f"unix:{tmp_path}/socket", showcase, *FORM):
        assert stat.S_IMODE((tmp_path / "socket").stat().st_mode) == 0o600


async def test_a_network_needs_the_token(showcase: str, tmp_path: Path) -> None:
    token = tmp_path / "token"
    token.write_text("correct-horse-battery\n")
    async with shared("127.0.0.1:0", showcase, *FORM, token=token) as relay:
        hello = '{"jsonrpc":"2.0","id":"a","method":"initialize","params":%s}'
        wrong = (
            hello % '{"protocol":1}',
            hello % '{"protocol":1,"token":"correct-horse-batterx"}',
            hello % '{"protocol":1,"token":5}',
            hello.replace("initialize", "state/snapshot") % "{}",
            "[" * 1000,
            "hello",
        )
        for line in wrong:
            caller = await Caller.connect(relay.address)
            caller.send(line)
            (refusal,) = await caller.rest()
            assert refusal["id"] == ("a" if "id" in line else None)
            assert refusal["error"] == {
                "code": -32600,
                "message": 'this relay needs its token: send it as "token" with initialize first',
            }
            await caller.close()
        async with connect(relay.address, token="correct-horse-battery") as core:
            assert core.document.screens["1"]["kind"] == "signUp"


async def test_a_second_token_lets_a_front_end_only_look(
    showcase: str, tmp_path: Path
) -> None:
    acts, looks = "correct-horse-battery", "staple-of-the-horse"
    token = tmp_path / "token"
    token.write_text(f"{acts}\n{looks}\n")
    async with (
        shared("127.0.0.1:0", showcase, *FORM, token=token) as relay,
        connect(relay.address, token=looks) as spectator,
        connect(relay.address, token=acts) as actor,
    ):
        with pytest.raises(InvalidRequest, match="this front end only looks"):
            await spectator.input("1", "nameText", "Kim")
        await actor.input("1", "nameText", "Lee")
        await shows(spectator, "Lee")


async def test_a_first_line_is_short(showcase: str, tmp_path: Path) -> None:
    async with shared(f"unix:{tmp_path}/socket", showcase, *FORM) as relay:
        caller = await Caller.connect(relay.address)
        caller.send("x" * (1 << 17))
        (refusal,) = await caller.rest()
        assert refusal["error"]["message"] == "the first line is too long"
        await caller.close()
        async with connect(relay.address) as core:
            await core.input("1", "nameText", "Kim")


async def test_garbage_ends_nothing(showcase: str, tmp_path: Path) -> None:
    core = (showcase, *FORM, "--max-line", "100000")
    async with shared(f"unix:{tmp_path}/socket", *core) as relay:
        caller = await Caller.connect(relay.address)
        caller.writer.write(b"\xff\xfe\n\r\n \n")
        assert (await caller.line())["error"]["code"] == -32700
        caller.send("hello")
        error = (await caller.line())["error"]
        assert error["code"] == -32700
        assert "send each message as one line" in error["message"]
        await caller.join()
        # As a line for the core, it would be too long.
        numbers = ",".join(["1e15"] * 10_000)
        for value, id in ('"' + "x" * 200_000 + '"', None), (f"[{numbers}]", "a"):
            params = f'{{"screen":"1","name":"nameText","value":{value}}}'
            caller.send(
                f'{{"jsonrpc":"2.0","id":"a","method":"input","params":{params}}}'
            )
            answer = await caller.line()
            error = answer["error"]
            assert (error["code"], error["message"]) == (-32700, "the line is too long")
            # The front end finds out by the number which of its requests it was.
            assert id or error["data"] == {"line": 4}
            assert answer["id"] == id
        caller.send('{"jsonrpc":"2.0","id":"b","method":"state/snapshot"}')
        assert (await caller.line())["id"] == "b"
        # The end of the input ends the last line.
        caller.writer.write(b'{"jsonrpc":"2.0","id":"c","method":"state/snapshot"}')
        caller.writer.write_eof()
        assert [each["id"] for each in await caller.rest()] == ["c"]
        await caller.close()


async def test_an_address_is_taken_once(showcase: str, tmp_path: Path) -> None:
    socket = tmp_path / "socket"
    async with shared(f"unix:{socket}", showcase, *FORM) as relay:
        status, said = await failing("--listen", f"unix:{socket}", showcase)
        assert status == 1
        assert f"{socket}: another process listens there; end it, or choose" in said
        async with connect(relay.address) as core:
            await core.input("1", "nameText", "Kim")
    socket.write_text("")
    status, said = await failing("--listen", f"unix:{socket}", showcase)
    assert status == 1
    assert f"{socket} exists, and is not a socket; choose another path" in said
    assert socket.read_text() == ""


async def test_the_socket_of_a_dead_relay_is_replaced(
    showcase: str, tmp_path: Path
) -> None:
    address = f"unix:{tmp_path}/socket"
    async with shared(address, showcase, *FORM, status=-signal.SIGKILL) as relay:
        relay.process.kill()
        await relay.process.wait()
    assert (tmp_path / "socket").exists()
    async with shared(address, showcase, *FORM) as relay, connect(address) as core:
        await core.input("1", "nameText", "Kim")


@pytest.mark.parametrize(
    ("arguments", "status", "sentence"),
    [
        (["nowhere", "x"], 2, '--listen takes unix:PATH or HOST:PORT, not "nowhere"'),
        (["unix:", "x"], 2, '--listen takes unix:PATH or HOST:PORT, not "unix:"'),
        (["host:65536", "x"], 2, "unix:PATH or HOST:PORT"),
        (["[::1]:0", "x"], 2, "--listen [::1]:0 needs --token FILE: every user of"),
        (["unix:/nowhere/s", "x"], 1, "/nowhere/s: No such file or directory"),
        (["unix:" + "x" * 200, "x"], 1, "the path of a socket has at most 107 bytes"),
        (["unix:SOCKET", "--token", "SOCKET", "x"], 1, "SOCKET: No such file"),
        (["unix:SOCKET", "--token", "SHORT", "x"], 1, "has at least 16 characters"),
        (["no.invalid:1", "--token", "TOKEN", "x"], 1, "no.invalid: "),
        (["unix:SOCKET", "/nowhere"], 1, "cannot start /nowhere: No such file"),
        (["unix:SOCKET", "CORE", "--bogus"], 1, "unknown option --bogus; see"),
        (["unix:SOCKET", "CORE", "--bogus"], 1, "status 2; it is not started again"),
        (["unix:SOCKET", "sh", "-c", "kill -9 $$"], 1, "SIGKILL; it is not started ag"),
    ],
)
async def test_what_is_wrong_is_said(
    arguments: list[str], status: int, sentence: str, showcase: str, tmp_path: Path
) -> None:
    (tmp_path / "SHORT").write_text("short")
    (tmp_path / "TOKEN").write_text("correct-horse-battery")
    for name in ("SOCKET", "SHORT", "TOKEN"):
        arguments = [each.replace(name, str(tmp_path / name)) for each in arguments]
    arguments = [each.replace("CORE", showcase) for each in arguments]
    ended, said = await failing("--listen", *arguments)
    assert ended == status
    assert sentence.replace("SOCKET", str(tmp_path / "SOCKET")) in said
    assert "Traceback" not in said
    assert not (tmp_path / "SOCKET").exists()


async def test_a_core_that_dies_is_started_again(showcase: str, tmp_path: Path) -> None:
    core = (showcase, "--root", "signUp", "--data", tmp_path, "--state", tmp_path / "s")
    async with shared(f"unix:{tmp_path}/socket", *core) as relay:
        one, caller = connect(relay.address), await Caller.connect(relay.address)
        async with one:
            await caller.join()
            await one.input("1", "nameText", "Kim")
            os.kill(relay.cores()[0], signal.SIGKILL)
            *_, last = await caller.rest()
            assert last["method"] == "error"
            assert last["params"]["message"] == (
                "the core has ended: the app is started again; connect again to go on"
            )
            with pytest.raises(CoreStopped):
                await one.until(lambda: False)
            assert await one.restart()
            await one.input("1", "emailText", "kim@example.com")
            assert one.document.get(NAME) == "Kim"
        await caller.close()


async def test_a_session_outlives_a_core_that_nobody_has_joined(
    showcase: str, tmp_path: Path
) -> None:
    core = (showcase, "--root", "signUp", "--data", tmp_path, "--state", tmp_path / "s")
    async with shared(f"unix:{tmp_path}/socket", *core) as relay:
        async with connect(relay.address) as first:
            session = first.handshake.session.partition("/")[0]
        for _ in range(2):
            cores = relay.cores()
            os.kill(cores[0], signal.SIGKILL)
            while not relay.cores() or relay.cores() == cores:
                caller = await Caller.connect(relay.address)
                await caller.request("state/snapshot")
                await caller.close()
        async with connect(relay.address) as second:
            assert second.handshake.session.partition("/")[0] == session


async def test_a_relay_that_ends_closes_its_connections(
    showcase: str, tmp_path: Path
) -> None:
    async with shared(f"unix:{tmp_path}/socket", showcase, *FORM) as relay:
        caller = await Caller.connect(relay.address)
        await caller.join()
        relay.process.send_signal(signal.SIGHUP)
        assert await caller.rest() == []
        await caller.close()
        assert await relay.process.wait() == 0
    assert list(tmp_path.iterdir()) == []


async def test_a_key_counts_once_for_a_front_end_that_comes_back(
    showcase: str, tmp_path: Path
) -> None:
    gallery = ("--deterministic", "--root", "gallery")
    async with shared(f"unix:{tmp_path}/socket", showcase, *gallery) as relay:
        push = {"screen": "1", "name": "push", "value": "two", "key": "k" * 256}
        first, other = [await Caller.connect(relay.address) for _ in range(2)]
        session = (await first.join())["session"]
        await other.join()
        revision = (await first.request("input", **push))["result"]["revision"]
        await first.close()
        again = await Caller.connect(relay.address)
        hello = await again.join(resume={"session": session, "revision": revision})
        assert (hello["session"], hello["revision"]) == (session, revision)
        await again.request("input", **push)
        # Another front end may choose the same key.
        await other.request("input", **{**push, "screen": "2"})
        state = (await again.request("state/snapshot"))["result"]["state"]
        assert list(state["screens"]) == ["1", "2", "3"]
        for caller in (again, other):
            await caller.close()


async def test_a_front_end_that_reads_nothing_holds_up_nobody(
    showcase: str, tmp_path: Path
) -> None:
    async with shared(f"unix:{tmp_path}/socket", showcase, *FORM) as relay:
        slow = await Caller.connect(relay.address)
        await slow.join()
        async with connect(relay.address) as core:
            for number in range(20):
                await core.input("1", "nameText", f"{number}" + "x" * 900_000)
            # It has missed some, and has the newest document.
            frames = [await slow.frame()]
            while frames[-1]["revision"] < core.document.revision:
                frames.append(await slow.frame())
            assert len(frames) < 20
            (whole,) = frames[-1]["patch"]
            assert whole["path"] == ""
            fields = whole["value"]["screens"]["1"]["fields"]
            assert fields["nameText"]["value"] == core.document.get(NAME)
            await core.input("1", "nameText", "Kim")
            assert (await slow.frame())["patch"][0]["value"] == "Kim"
        await slow.close()


async def test_who_asks_and_reads_later_holds_up_nobody(
    showcase: str, tmp_path: Path
) -> None:
    async with (
        shared(f"unix:{tmp_path}/socket", showcase, *FORM) as relay,
        connect(relay.address) as core,
    ):
        await core.input("1", "nameText", "x" * 900_000)
        slow = await Caller.connect(relay.address)
        await slow.join()
        asked = [slow.ask("state/snapshot") for _ in range(10)]
        await core.input("1", "nameText", "Kim")
        await shows(core, "Kim")
        for id in asked:
            assert "state" in (await slow.answer(id))["result"]
        await slow.close()


async def test_each_documented_line_joins(showcase: str, tmp_path: Path) -> None:
    """Those of the section on several front ends, but for other packages, which test theirs."""
    _, _, section = README.read_text().partition("## Several front ends on one core")
    path = str(tmp_path / "socket")
    [block] = re.findall(r"```sh\n(.*)\n```", section.partition("\n## ")[0])
    start = block.replace(PLACE, path).replace("todo", shlex.join([showcase, *FORM]))
    rows = re.findall(r"\n\| ([^|]+) \| (`.*) \|", section)
    lines = {name: re.findall("`([^`]+)`", text) for name, text in rows}
    python, *command = shlex.split(start)
    assert python == "python3"
    async with listening(sys.executable, *command):
        core = eval(lines["Python"][0].replace(PLACE, path), {"offstage": offstage})
        async with core:
            await core.input("1", "nameText", "Kim")
        [sketch] = lines["one that starts a program, such as `sketch`"]
        shown = await run(f"{sys.executable} {sketch.replace(PLACE, path)}", "q\n")
        assert "Kim" in shown
        hello = '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocol":1}}'
        settle = '{"jsonrpc":"2.0","id":2,"method":"state/settle"}'
        assert len(lines["a script"]) == 2
        for line in lines["a script"]:
            shown = await run(line.replace(PLACE, path), f"{hello}\n{settle}\n")
            assert '"id":2,"result":{"revision":2' in shown


async def run(line: str, typed: str) -> str:
    """Runs a line in the root of the repository. Returns what it prints."""
    process = await subprocess.create_subprocess_exec(
        *shlex.split(line),
        cwd=README.parents[1],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    shown, _ = await process.communicate(typed.encode())
    assert process.returncode == 0
    return shown.decode()


README = Path(__file__).parents[2] / "README.md"
PLACE = "/run/user/1000/todo.socket"
