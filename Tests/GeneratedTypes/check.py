"""Passes the messages of transcripts through types that generators create from its description.

python check.py CORE LANGUAGE... -- TRANSCRIPT...
"""

import json
import subprocess
import sys
import tempfile
from importlib import import_module
from pathlib import Path

from stated import read


def main() -> None:
    core, *arguments = sys.argv[1:]
    end = arguments.index("--")
    languages, transcripts = arguments[:end], map(Path, arguments[end + 1 :])
    description = json.loads(subprocess.check_output([core, "describe", "--deterministic"]))
    messages = read(transcripts)
    count = ", ".join(f"{len(values)} {kind}s" for kind, values in messages.items())
    if not all(messages.values()):
        sys.exit(f"nothing to check: {count}")
    for language in languages:
        with tempfile.TemporaryDirectory() as folder:
            import_module(language).check(description, messages, Path(folder))
        print(f"{language}: {count}", flush=True)


main()
