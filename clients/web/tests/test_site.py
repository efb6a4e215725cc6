"""A site of several workers, in which something fails."""

from __future__ import annotations

from pathlib import Path

from .conftest import run
from .faults import Site, suffer


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
