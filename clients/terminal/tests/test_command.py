"""The command line."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path


def test_a_core_says_what_is_wrong_with_its_options(showcase: str) -> None:
    program = Path(sys.executable).parent / "offstage-terminal"
    command = [program, "--", showcase, "--bogus"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr == "showcase: unknown option --bogus; see showcase --help\n"


def test_an_address_takes_no_arguments() -> None:
    program = Path(sys.executable).parent / "offstage-terminal"
    for wrong in (["unix:/nowhere", "--root"], ["--fresh", "localhost:80"]):
        done = subprocess.run([program, *wrong], capture_output=True, text=True, check=False)
        assert done.returncode == 2
        assert "an address takes no arguments, and no --fresh" in done.stderr
