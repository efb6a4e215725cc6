"""A site of several workers, in which something fails."""

from __future__ import annotations

import json
import re
import signal
import subprocess
from pathlib import Path
from types import SimpleNamespace

import pytest
from playwright.sync_api import expect
from yarl import URL

from .conftest import TOKEN, Visits, run, sessions
from .databases import Pair
from .faults import SITE, Site, suffer, update
from .walls import Person

DEPLOY = SITE.parent / "deploy"


def test_visitors_go_on_where_they_were(showcase: str, tmp_path: Path) -> None:
    site = Site(tmp_path / "site", showcase)
    site.start()
    try:
        report = run(suffer(site, [site.kill, site.database], 50, 0.5, 5))
    finally:
        site.stop()
    print(f"\n{report}")
    assert report.mistakes == []
    # The visitors of the worker that was killed have lost their connections.
    assert report.returns and len(report.answers) > 100


@pytest.mark.long
def test_visitors_go_on_after_a_failover_an_update_and_a_reload(tmp_path: Path) -> None:
    pair = Pair()
    rooms = update(tmp_path)
    site = Site(tmp_path / "site", rooms, arguments="--root room", pair=pair)
    try:
        run(pair.start())
        site.start()
        faults = [site.standby, site.schema, site.reload, site.kill]
        report = run(suffer(site, faults, 50, 0.5, 3))
        # HAProxy has sent visitors to the worker that has come.
        assert sessions(site.processes(3)[0]) > 0
    finally:
        site.stop()
        run(pair.stop())
    print(f"\n{report}")
    assert report.mistakes == []
    assert report.returns and len(report.answers) > 100


@pytest.mark.long
def test_a_page_draws_the_new_version_of_an_app(visit: Visits, tmp_path: Path) -> None:
    folder = tmp_path / "site"
    folder.mkdir()
    (folder / "token").write_text(TOKEN)
    site = Site(folder, update(tmp_path), arguments="--root room")
    site.start()
    try:
        server = SimpleNamespace(url=site.address.partition("/?")[0])
        person = visit(server, viewport={"width": 390, "height": 844})
        page = person.open()
        page.evaluate("offstage.core.input('1', 'push', 'two')")
        person.settle()
        expect(person.input("note")).to_be_visible()
        page.evaluate("window.before = offstage.core.handshake")
        update(tmp_path, is_next=True)
        for number in (1, 2):
            site.restart(number)
        # The screen is the same, and has what is new.
        expect(person.input("remark")).to_be_visible()
        assert page.evaluate("offstage.core.handshake.session === before.session")
        output = page.evaluate("offstage.core.document.screens['2'].output")
        assert output == {"label": "two", "remark": "", "opened": "", "floor": 1}
        person.complaints.clear()
    finally:
        site.stop()


@pytest.mark.long
def test_a_worker_that_has_lost_a_session_shows_no_earlier_state(
    showcase: str, tmp_path: Path
) -> None:
    site = Site(tmp_path / "site", showcase)
    site.start()
    url = URL(site.address)
    assert url.port
    first, second = (Person(str(url.with_port(url.port + number))) for number in (1, 2))

    async def scene() -> None:
        await first.enter()
        await second.enter()
        second.cookie = first.cookie
        await first.open()
        await first.call("input", screen="1", name="push", value="one")
        await second.open(first.session, 2)
        last = await second.call("input", screen="2", name="push", value="two")
        # The first worker does not know yet that the session has gone on.
        resume = {"session": first.session, "revision": last["revision"]}
        answer = b""
        while b'"result"' not in answer:
            answer = await first.look(
                {"session": first.session}, {"protocol": 1, "resume": resume}
            )
        result = json.loads(answer[answer.rindex(b'{"jsonrpc"') :])["result"]
        assert result["session"] == first.session
        assert result["revision"] > last["revision"]
        assert b'"label":"two"' in answer
        for each in first, second:
            await each.close()

    try:
        run(scene())
    finally:
        site.stop()


@pytest.mark.long
def test_a_page_goes_on_after_all_workers_have_died(
    visit: Visits, showcase: str, tmp_path: Path
) -> None:
    folder = tmp_path / "site"
    folder.mkdir()
    (folder / "token").write_text(TOKEN)
    site = Site(folder, showcase)
    site.start()
    try:
        person = visit(SimpleNamespace(url=site.address.partition("/?")[0]))
        page = person.open()
        page.evaluate("offstage.core.input('1', 'push', 'two')")
        person.settle()
        page.evaluate("window.before = offstage.core.handshake")
        for number in (1, 2):
            site.signal(number, signal.SIGKILL)
        page.wait_for_function(
            "() => offstage.core.status === 'connected' && before !== offstage.core.handshake"
        )
        session = "offstage.core.handshake.session"
        assert page.evaluate(f"{session} === before.session")
        label = "offstage.core.document.screens[offstage.core.visible[0]].output.label"
        assert page.evaluate(label) == "two"
        # The page would say so if it had begun a new session.
        expect(page.locator(".toast")).to_have_count(0)
        page.evaluate("offstage.core.input('2', 'push', 'three')")
        page.wait_for_function(f"() => {label} === 'three'")
        # The browser complains of what HAProxy has refused meanwhile.
        person.complaints.clear()
    finally:
        site.stop()


def test_haproxy_takes_its_configuration(tmp_path: Path) -> None:
    """Those of both kinds of sites agree, apart from addresses."""
    whole = (DEPLOY / "kubernetes.yaml").read_text()
    inner = re.search(r"haproxy\.cfg: \|\n((?:    .*\n)+)", whole)
    assert inner
    in_cluster = tmp_path / "cluster.cfg"
    in_cluster.write_text(re.sub("^    ", "", inner[1], flags=re.MULTILINE))
    subprocess.run(["haproxy", "-c", "-f", in_cluster], check=True)
    lines = (DEPLOY / "haproxy.cfg").read_text().splitlines()
    said = [each for each in lines if each and not re.search("@|^ *#", each)]
    missing = [each for each in said if each not in in_cluster.read_text()]
    assert missing == []
