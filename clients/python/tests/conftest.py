"""Runs coroutines as tests, and finds the core."""

from __future__ import annotations

import asyncio
import inspect
import os
from pathlib import Path

import pytest
from hypothesis import settings

# A busy machine must not fail a test for being slow.
settings.register_profile("offstage", deadline=None)
settings.load_profile("offstage")

REPOSITORY = Path(__file__).parents[3]


def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Runs a test that is a coroutine. Tasks that it leaves behind are canceled."""
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    names = inspect.signature(pyfuncitem.obj).parameters
    test = pyfuncitem.obj(**{name: pyfuncitem.funcargs[name] for name in names})
    asyncio.run(asyncio.wait_for(test, timeout=120))
    return True


@pytest.fixture(scope="session")
def showcase() -> str:
    """The program of the reference app: $SHOWCASE, or the newest build."""
    if path := os.environ.get("SHOWCASE"):
        return str(Path(path).resolve())
    builds = [
        REPOSITORY / ".build" / mode / "showcase" for mode in ("release", "debug")
    ]
    builds = [build for build in builds if build.exists()]
    if not builds:
        pytest.fail("no core found; run swift build, or set SHOWCASE to the program")
    return str(max(builds, key=lambda build: build.stat().st_mtime))
