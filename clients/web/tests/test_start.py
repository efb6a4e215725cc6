"""What a server refuses at its start, and the folders that it keeps."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from resource import RLIMIT_NOFILE, setrlimit

import pytest
from offstage import InvalidRequest, connect
from playwright.sync_api import expect

from offstage_web.folders import Folders

from .conftest import FORM, TOKEN, Server, Visits, run, until


def test_too_few_open_files_are_reported_at_the_start(showcase: str) -> None:
    def lower() -> None:
        setrlimit(RLIMIT_NOFILE, (1000, 1000))

    server = Server(showcase, *FORM, stderr=subprocess.PIPE, preexec_fn=lower)
    _, reason = server.process.communicate(timeout=60)
    assert server.process.returncode == 1
    assert "200 visitors need 5792 open files, and the limit is 1000" in reason


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("--nonsense",), "showcase: unknown option --nonsense"),
        (("--data", "/there"), "name --data before --"),
    ],
)
def test_a_core_that_refuses_its_command_line_says_why(
    showcase: str, arguments: tuple[str, ...], reason: str
) -> None:
    server = Server(showcase, *arguments, stderr=subprocess.PIPE)
    _, said = server.process.communicate(timeout=60)
    assert (server.address, server.process.returncode) != ("", 0)
    assert reason in said


def test_a_core_that_is_not_there_is_reported(tmp_path: Path) -> None:
    server = Server(str(tmp_path / "app"), stderr=subprocess.PIPE)
    _, said = server.process.communicate(timeout=60)
    assert (server.address, server.process.returncode) == ("", 1)
    assert said.startswith("offstage-web: [Errno 2] No such file")


def test_a_core_that_cannot_start_says_why_in_the_log(
    visit: Visits, showcase: str, tmp_path: Path
) -> None:
    """A server starts, and then the data of a visitor cannot be read."""
    command = ("--linger", "0", "--data", str(tmp_path), showcase)
    server = Server(*command, stderr=subprocess.PIPE)
    person = visit(server)
    person.open()
    person.page.goto("about:blank")
    until(lambda: server.cores() == [])
    (folder,) = [each for each in tmp_path.iterdir() if each.is_dir()]
    (folder / "showcase.sqlite").write_text("no database" * 100)
    with pytest.raises(AssertionError, match="could not be started"):
        person.open()
    dialog = person.page.get_by_role("alertdialog")
    expect(dialog).to_contain_text("The app is not available")
    expect(dialog).not_to_contain_text("stopped")
    expect(dialog).not_to_contain_text("saved")
    server.process.terminate()
    _, reason = server.process.communicate(timeout=60)
    assert f"data: {tmp_path}" in reason
    assert f"{folder}/showcase.sqlite: not an SQLite database" in reason


def test_visitors_share_the_places_that_were_imported(
    visit: Visits, showcase: str, tmp_path: Path
) -> None:
    place = {
        "type": "Feature",
        "properties": {"name": "Somewhere new"},
        "geometry": {"type": "Point", "coordinates": [127, 37.5]},
    }
    (tmp_path / "new.geojson").write_text(json.dumps(place))
    data = str(tmp_path / "data")
    words = ["import", "places", str(tmp_path / "new.geojson"), "--data", data]
    done = subprocess.run(
        [showcase, *words], capture_output=True, text=True, check=True
    )
    assert done.stderr == f"imported 1 place\ndata: {data}/\n"
    server = Server(showcase, "--places", data)
    try:
        person = visit(server)
        page = person.open()
        page.get_by_role("button", name="Search").first.click()
        person.screen("placeSearch")
        person.input("queryText").fill("somewhere")
        expect(person.screen("placeSearch")).to_contain_text("Somewhere new")
    finally:
        server.close()


def test_the_oldest_folders_are_removed(tmp_path: Path) -> None:
    folders = Folders(tmp_path, 2)
    names = [letter * 32 for letter in "abc"]
    for time, name in enumerate(names):
        folder = folders.take(name, in_use={names[0]})
        os.utime(folder, (time, time))
    assert {each.name for each in tmp_path.iterdir() if each.is_dir()} == {
        names[0],
        names[2],
    }


def test_only_folders_of_visitors_are_removed(tmp_path: Path) -> None:
    (tmp_path / "Documents").mkdir()
    with pytest.raises(ValueError, match="is not empty"):
        Folders(tmp_path, 1)
    home = tmp_path / "home"
    folders = Folders(home, 1)
    folders.take("a" * 32, in_use=())
    others = [home / "Documents", home / ".ssh", home / ("A" * 32)]
    for each in others:
        each.mkdir()
    (home / ("c" * 32)).symlink_to(tmp_path / "Documents")
    folders.take("b" * 32, in_use=())
    assert not (home / ("a" * 32)).exists()
    assert all(each.exists() for each in [*others, home / ("c" * 32)])
    with pytest.raises(ValueError, match="is not a visitor's folder"):
        Folders(home, 1)


def test_a_directory_with_other_files_is_refused(showcase: str, tmp_path: Path) -> None:
    (tmp_path / "Documents").mkdir()
    server = Server("--data", str(tmp_path), showcase, stderr=subprocess.PIPE)
    _, reason = server.process.communicate(timeout=60)
    assert server.process.returncode == 1
    assert reason.startswith(f"offstage-web: {tmp_path} is not empty")
    assert [each.name for each in tmp_path.iterdir()] == ["Documents"]


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("--listen", "unix:socket"), "--listen needs --shared"),
        (("--shared", "--listen", "nowhere"), "--listen takes unix:PATH or HOST:PORT"),
        (("--shared", "--listen", "unix:/nowhere/s"), "/nowhere/s: No such file"),
    ],
)
def test_an_address_that_cannot_be_is_refused(
    showcase: str, arguments: tuple[str, ...], reason: str
) -> None:
    server = Server(*arguments, showcase, stderr=subprocess.PIPE)
    _, said = server.process.communicate(timeout=60)
    assert server.process.returncode
    assert reason in said
    assert "Traceback" not in said


def test_a_server_without_a_port_takes_one_that_is_free(
    visit: Visits, showcase: str
) -> None:
    server = Server(showcase, *FORM, port=0)
    assert server.port
    visit(server).open()
    server.close()


def test_the_token_of_visitors_lets_other_front_ends_in(showcase: str) -> None:
    server = Server("--shared", "--listen", "127.0.0.1:0", showcase, *FORM)
    assert server.process.stdout
    address = server.process.stdout.readline().removeprefix("listening on ").strip()

    async def scene() -> None:
        with pytest.raises(InvalidRequest, match="needs its token"):
            await connect(address, lifecycle=False).start()
        async with connect(address, token=TOKEN) as core:
            assert core.document.screens["1"]["kind"] == "signUp"

    run(scene())
    server.close()
