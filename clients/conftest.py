"""Runs coroutines as tests, and finds the programs to test with."""

from __future__ import annotations

import asyncio
import inspect
import os
import sys
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[1]
sys.path.append(str(REPOSITORY / "Tests/Apps/Meanings"))


def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Runs a test that is a coroutine, then cancels its remaining tasks."""
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    names = inspect.signature(pyfuncitem.obj).parameters
    test = pyfuncitem.obj(**{name: pyfuncitem.funcargs[name] for name in names})
    asyncio.run(asyncio.wait_for(test, timeout=600))
    return True


def find(program: str) -> str:
    """Returns the newest build of a program in this repository."""
    builds = [REPOSITORY / ".build" / mode / program for mode in ("release", "debug")]
    builds = [build for build in builds if build.exists()]
    if not builds:
        pytest.fail(f"no {program} found; run swift build")
    return str(max(builds, key=lambda build: build.stat().st_mtime))


@pytest.fixture(scope="session")
def cart() -> str:
    """A program whose screen has parts; it needs nothing but Python."""
    return str(REPOSITORY / "clients/python/tests/cart.py")


@pytest.fixture(scope="session")
def odd() -> str:
    """A program with meanings that no name gives away; it needs nothing but Python."""
    return str(REPOSITORY / "clients/python/tests/odd.py")


@pytest.fixture(scope="session")
def notes() -> str:
    """A program with a form beside a list that grows; it needs nothing but Python."""
    return str(REPOSITORY / "clients/python/tests/notes.py")


@pytest.fixture(scope="session")
def meanings() -> str:
    """The program of the conformance app, `Tests/Apps/Meanings`."""
    path = REPOSITORY / ".build/apps/debug/meanings"
    if not path.exists() and "CI" not in os.environ:
        pytest.skip("run Tests/run --step apps first")
    return str(path)


@pytest.fixture(scope="session")
def showcase() -> str:
    """The program of the reference app: $SHOWCASE, or the newest build."""
    if path := os.environ.get("SHOWCASE"):
        return str(Path(path).resolve())
    return find("showcase")
