"""A server under attack, with a second visitor at work."""

from __future__ import annotations

import socket
import time
from itertools import chain

import pytest

from .adversary import ATTACKS, Worker, half, peak, processor
from .conftest import FORM, Server

pytestmark = pytest.mark.long

MEMORY = 400
"""The most that the server may have resident, in MiB."""
FLOOR = 0.025
"""A p95 in seconds that is as good as a lower one, since other processes are at work."""
ROUNDS = 3


def p95(times: list[float]) -> float:
    return sorted(times)[len(times) * 95 // 100] if times else 0


def test_an_attack_does_not_delay_another_visitor(
    showcase: str, capsys: pytest.CaptureFixture[str]
) -> None:
    server = Server("--linger", "0", showcase, *FORM)
    try:
        worker = Worker(server)
        for _ in range(ROUNDS):
            alone, attacked = rounds(server, worker, capsys)
            if p95(attacked) <= 2 * max(p95(alone), FLOOR):
                break
        assert p95(attacked) <= 2 * max(p95(alone), FLOOR)
        assert max(attacked) < 3
        assert peak(server.process.pid) < MEMORY
        # The strangers have had their time.
        assert all(is_closed(each) for each in half)
    finally:
        start = time.monotonic()
        server.close()
    assert time.monotonic() - start < 15


def is_closed(connection: socket.socket) -> bool:
    """Checks that the server has ended a connection, whose bytes it may not have read."""
    try:
        return connection.recv(1) == b""
    except ConnectionResetError:
        return True


def rounds(
    server: Server, worker: Worker, capsys: pytest.CaptureFixture[str]
) -> tuple[list[float], list[float]]:
    """Returns the waits between the attacks, and those during them."""
    alone: list[list[float]] = []
    attacked: list[list[float]] = []
    for name, attack in ATTACKS.items():
        first = len(worker.times)
        time.sleep(0.5)
        alone.append(worker.since(first))
        used, first = processor(server.process.pid), len(worker.times)
        pages = attack(server)
        time.sleep(1.5)
        worker.wait(3)
        attacked.append(worker.since(first))
        used = processor(server.process.pid) - used
        waits = f"{1000 * p95(alone[-1]):.0f} ms alone, {1000 * p95(attacked[-1]):.0f}"
        with capsys.disabled():
            print(
                f"\n{name}: {used:.1f} s of CPU, {peak(server.process.pid)} MiB, p95 "
                f"{waits} ms, at most {1000 * max(attacked[-1]):.0f} ms",
                end="",
            )
        for page in pages:
            page.close()
        time.sleep(0.1)
    all_alone, all_attacked = list(chain(*alone)), list(chain(*attacked))
    with capsys.disabled():
        print(
            f"\nall attacks: p95 {1000 * p95(all_alone):.0f} ms alone, "
            f"{1000 * p95(all_attacked):.0f}"
        )
    return all_alone, all_attacked
