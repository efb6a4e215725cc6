"""Many visitors at work on a site, and what an input costs. By hand:

python -m tests.load CORE VISITORS SECONDS [WORKERS]
"""

from __future__ import annotations

import asyncio
import os
import resource
import sys
import tempfile
from pathlib import Path

from .conftest import children
from .crowd import ARRIVALS, Report, work
from .faults import Site

PAUSE = 10
"""The mean seconds between a visitor's inputs."""


def used(process: int) -> float:
    """Returns the seconds of CPU of a process, and of those that it has started."""
    ticks = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[11:15]
    own = sum(map(int, ticks)) / os.sysconf("SC_CLK_TCK")
    return own + sum(map(used, children(process)))


def costs(site: Site) -> dict[str, float]:
    """Returns the seconds of CPU of each part of a site."""
    numbers = range(1, site.workers + 1)
    webs = [site.processes(number)[-1] for number in numbers]
    hosts = [site.processes(number)[0] for number in numbers]
    database = (site.folder / "postgresql" / "postmaster.pid").resolve()
    parts = {
        "HAProxy": [int((site.folder / "haproxy.pid").read_text())],
        "web servers": webs,
        "hosts": hosts,
        "PostgreSQL": [int(database.read_text().split()[0])],
    }
    seconds = {name: sum(map(used, parts[name])) for name in parts}
    seconds["web servers"] -= seconds["hosts"]
    times = os.times()
    return {**seconds, "visitors": times.user + times.system}


def main() -> None:
    core, visitors, seconds = sys.argv[1], int(sys.argv[2]), float(sys.argv[3])
    workers = int(sys.argv[4]) if len(sys.argv) > 4 else 4
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(core).resolve()
        # HAProxy does not give each worker as many.
        share = visitors * 3 // workers // 2 + 10
        site = Site(Path(folder) / "site", path, workers, share, pages=1)
        try:
            site.start()
            asyncio.run(run(site, visitors, seconds))
        finally:
            site.stop()


async def run(site: Site, visitors: int, seconds: float) -> None:
    """Lets visitors come for a while, and measures what follows."""
    report = Report()
    before: dict[str, float] = {}
    after: dict[str, float] = {}

    async def measure() -> None:
        # All have come by then.
        await asyncio.sleep(visitors / ARRIVALS + 2 * PAUSE)
        report.answers.clear()
        before.update(costs(site))
        await asyncio.sleep(seconds)
        after.update(costs(site), inputs=len(report.answers))

    await work(site.address, visitors, PAUSE, measure(), report)
    inputs = after.pop("inputs")
    print(report, *report.mistakes[:5], sep="\n  ")
    print(f"{inputs / seconds:.0f} inputs a second; milliseconds of CPU for each:")
    for name, time in after.items():
        print(f"  {name} {1000 * (time - before[name]) / inputs:.2f}")


if __name__ == "__main__":
    main()
