"""The quick start works as typed."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

README = Path(__file__).parents[1] / "README.md"


def test_the_quick_start(showcase: str, tmp_path: Path) -> None:
    blocks = re.findall(r"```(\w+)\n(.*?)```", README.read_text(), re.DOTALL)
    [shell, program, console] = [text for _, text in blocks[:3]]
    # This test run has already done the build and the installation.
    [generate] = re.findall(r"python -m offstage\.generate .*", shell)
    folder = tmp_path / ".build/quickstart"
    folder.mkdir(parents=True)
    (tmp_path / ".build/debug").mkdir()
    (tmp_path / ".build/debug/showcase").symlink_to(showcase)
    (folder / "sign_up.py").write_text(program)

    def run(command: str) -> str:
        words = [sys.executable, *command.split()[1:]]
        return subprocess.check_output(words, cwd=tmp_path, text=True, timeout=60)

    run(generate)
    prompt, _, expected = console.partition("\n")
    assert run(prompt.removeprefix("$ ")) == expected
