"""What a server refuses at its start."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from pathlib import Path
from resource import RLIMIT_NOFILE, setrlimit

import pytest
from playwright.sync_api import expect

from .conftest import FORM, Server, Visits

pytestmark = pytest.mark.long


def test_too_few_open_files_are_reported_at_the_start(showcase: str) -> None:
    def lower() -> None:
        setrlimit(RLIMIT_NOFILE, (1000, 1000))

    server = Server(showcase, *FORM, stderr=subprocess.PIPE, preexec_fn=lower)
    _, reason = server.process.communicate(timeout=60)
    assert server.process.returncode == 1
    assert "200 visitors need 6088 open files, and the limit is 1000" in reason


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
    """A server starts, and then its data cannot be read."""
    server = Server("--data", str(tmp_path), showcase, *FORM, stderr=subprocess.PIPE)
    person = visit(server)
    person.open()
    file = tmp_path / "data/showcase.sqlite"
    file.write_text("no database" * 100)
    Path(f"{file}-wal").unlink()
    os.kill(server.host, signal.SIGKILL)
    dialog = person.page.get_by_role("alertdialog")
    expect(dialog).to_contain_text("The app is not available")
    expect(dialog).not_to_contain_text("stopped")
    expect(dialog).not_to_contain_text("saved")
    server.process.terminate()
    _, reason = server.process.communicate(timeout=60)
    assert f"data: {tmp_path}" in reason
    assert f"{file}: not an SQLite database" in reason


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


def test_a_server_uses_a_host_that_listens(
    visit: Visits, showcase: str, tmp_path: Path
) -> None:
    (tmp_path / "token").write_text("0123456789abcdef")
    address, token = f"unix:{tmp_path}/core", str(tmp_path / "token")
    words = ["--listen", address, "--state", str(tmp_path / "data"), "--token", token]

    def start() -> subprocess.Popen[str]:
        command = [showcase, *FORM, "host", *words]
        host = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert host.stdout and host.stdout.readline() == f"listening on {address}\n"
        return host

    host = start()
    server = Server("--core-address", address, "--core-token", token, showcase)
    try:
        person = visit(server)
        page = person.open()
        person.input("nameText").fill("Kim")
        person.settle()
        host.kill()
        host.wait()
        person.input("emailText").fill("kim@example.com")
        expect(page.locator(".connection")).to_contain_text("What you have done")
        host = start()
        expect(page.locator(".connection")).to_have_count(0)
        person.settle()
        expect(person.input("nameText")).to_have_value("Kim")
        expect(person.input("confirm")).to_be_enabled()
    finally:
        server.close()
        host.terminate()
        host.wait()


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("--core-address", "unix:/nowhere/s"), "no host listens on unix:/nowhere/s"),
        (("--core-address", "nowhere"), "--core-address takes unix:PATH or HOST:PORT"),
        (("--core-address", "unix:s", "--data", "d"), "--data is for the host"),
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
