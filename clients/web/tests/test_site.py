"""A site of several workers, in which something fails."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

from .conftest import run
from .faults import SITE, Site, suffer

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
