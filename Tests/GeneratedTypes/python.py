"""Proves that a generator of types takes the description of an app as it is.

    python3 Tests/generated-types.py SHOWCASE TRANSCRIPT...

datamodel-code-generator turns `SHOWCASE describe` into Python classes, which pyright checks
strictly. Then the runs of the transcripts are played, and the document is kept up to date by
their frames. Every frame, every document, and every error is decoded into the classes, encoded
again, and must not have changed.
"""

import asyncio
import importlib.util
import json
import os
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

PYTHON = Path(sys.executable).parent


def main() -> None:
    showcase, transcripts = sys.argv[1], [Path(name) for name in sys.argv[2:]]
    with tempfile.TemporaryDirectory() as folder:
        models = generate(showcase, Path(folder))
        check_types(Path(folder))
        runs = [run for path in transcripts for run in runs_of(path)]
        counts = asyncio.run(play_all(models, os.path.realpath(showcase), runs))
    if not counts["frames"]:
        sys.exit("generated types: no frame was played")
    print("generated types: " + ", ".join(f"{n} {what}" for what, n in counts.items()))


def generate(showcase: str, folder: Path):
    """Returns the module that the generator writes."""
    description = subprocess.run(
        [showcase, "describe", "--deterministic"], stdout=subprocess.PIPE, check=True
    ).stdout
    (folder / "api.json").write_bytes(description)
    subprocess.run(
        [
            *(PYTHON / "datamodel-codegen", "--input", folder / "api.json"),
            *("--input-file-type", "openapi", "--output", folder / "api.py"),
            *("--output-model-type", "pydantic_v2.BaseModel"),
            *("--target-python-version", "3.11", "--extra-fields", "forbid"),
            *("--formatters", "builtin", "--use-annotated"),
            # An enum in Python cannot have a case "name".
            *("--enum-field-as-literal", "all"),
        ],
        check=True,
    )
    spec = importlib.util.spec_from_file_location("api", folder / "api.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules["api"] = module
    spec.loader.exec_module(module)
    return module


def check_types(folder: Path) -> None:
    (folder / "pyrightconfig.json").write_text('{"typeCheckingMode": "strict"}')
    subprocess.run(
        [PYTHON / "pyright", "--pythonpath", sys.executable, "--project", folder],
        check=True,
        stdout=subprocess.DEVNULL,
    )


def runs_of(path: Path) -> list[tuple[Path, list[str], list[bytes]]]:
    """Returns the arguments and the input of each run. One beside an HTTP server is left out."""
    runs: list[tuple[Path, list[str], list[bytes]]] = []
    text = path.read_text(encoding="utf-8").replace("\n  ", "")
    for line in text.split("\n"):
        mark, _, rest = line.partition(" ")
        if mark == "$":
            runs.append((path, shlex.split(rest)[1:], []))
        elif mark == ">":
            runs[-1][2].append(rest.encode())
    return [run for run in runs if "http://server" not in " ".join(run[1])]


async def play_all(models, showcase, runs) -> dict[str, int]:
    counts = {"runs": 0, "frames": 0, "errors": 0}
    slots = asyncio.Semaphore(os.cpu_count() or 1)

    async def one(run) -> None:
        async with slots:
            await play(models, showcase, run, counts)

    await asyncio.gather(*map(one, runs))
    return counts


async def play(models, showcase, run, counts) -> None:
    path, arguments, lines = run
    with tempfile.TemporaryDirectory() as folder:
        core = await asyncio.create_subprocess_exec(
            *(showcase, *arguments), cwd=folder,
            stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
        )  # fmt: skip
        output, _ = await core.communicate(b"\n".join(lines) + b"\n")
    counts["runs"] += 1
    document = None
    for line in output.splitlines():
        for message in as_list(json.loads(line)):
            if message.get("method") == "frame":
                frame = message["params"]
                same(models.Frame, frame, path)
                for operation in frame.get("patch", []):
                    document = patched(document, operation)
                same(models.Document, document, path)
                counts["frames"] += 1
            error = message["params"] if message.get("method") == "error" else message.get("error")
            if error:
                same(models.Error, error, path)
                counts["errors"] += 1


def as_list(value):
    return value if isinstance(value, list) else [value]


def same(model, value, path) -> None:
    """A value must not change when it is decoded and encoded again."""
    decoded = model.model_validate_json(json.dumps(value))
    again = json.loads(decoded.model_dump_json(by_alias=True, exclude_unset=True))
    if again != value:
        sys.exit(f"{path}: {model.__name__} changes\n{json.dumps(value)}\n{json.dumps(again)}")


def patched(document, operation):
    """Applies one operation of a patch (RFC 6902)."""
    value = operation.get("value")
    if operation["op"] == "move":
        value = at(document, tokens(operation["from"]))
        document = patched(document, {"op": "remove", "path": operation["from"]})
    path = tokens(operation["path"])
    if not path:
        return value
    parent, key = at(document, path[:-1]), path[-1]
    if operation["op"] == "remove":
        del parent[int(key) if isinstance(parent, list) else key]
    elif isinstance(parent, list) and operation["op"] != "replace":
        parent.insert(int(key), value)
    else:
        parent[int(key) if isinstance(parent, list) else key] = value
    return document


def tokens(pointer: str) -> list[str]:
    return [token.replace("~1", "/").replace("~0", "~") for token in pointer.split("/")[1:]]


def at(value, path: list[str]):
    for key in path:
        value = value[int(key) if isinstance(value, list) else key]
    return value


main()
