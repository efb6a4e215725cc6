"""The cart sends what the protocol allows, by the schemas of `Protocol/openrpc.json`."""

from __future__ import annotations

import asyncio
import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

from jsonschema import Draft7Validator  # type: ignore[import-untyped]

from .cart import METHODS
from .running import listening
from .sockets import Caller

CART = Path(__file__).with_name("cart.py")
OPENRPC = json.loads(
    (Path(__file__).parents[3] / "Protocol/openrpc.json").read_text(encoding="utf-8")
)
INPUTS = [
    {"screen": "1", "name": "signIn", "value": "Kim"},
    {"screen": "1", "name": "header/refresh"},
    {"screen": "1", "name": "lines/a~1b/countText", "value": "x"},
    {"screen": "1", "name": "lineTapped", "value": "a/b"},
    {"screen": "1", "name": "lines/gone/add"},
    {"screen": "2", "name": "fill"},
    {"name": "fill"},
]


def fits(value: Any, schema: Any) -> None:
    whole = {"components": OPENRPC["components"], "allOf": [schema]}
    validator: Any = Draft7Validator(whole)
    errors = [error.message for error in validator.iter_errors(value)]
    assert errors == [], value


def named(name: str) -> Any:
    return {"$ref": f"#/components/schemas/{name}"}


def test_every_message_fits_its_schema() -> None:
    results = {method["name"]: method.get("result") for method in OPENRPC["methods"]}
    assert list(METHODS) == list(results)
    methods: list[str] = []
    lines: list[str] = []
    for method, params in [("input", params) for params in INPUTS] + examples():
        if method not in ("input", "initialize", "shutdown") or params in INPUTS:
            lines.append(_line(method, params, None if "$" in method else len(methods)))
            methods.append(method)
    lines = [
        _line("initialize", {"protocol": 1}, "hello"),
        *lines,
        "{",
        _line("nothing", {}, "unknown"),
        _line("initialize", {"protocol": 1}, "again"),
        _line("shutdown", {}, "bye"),
    ]
    output = subprocess.check_output(
        [sys.executable, CART],
        input="\n".join(lines),
        text=True,
        timeout=60,
    )
    revision, answered = 0, 0
    for line in output.splitlines():
        message = json.loads(line)
        if message.get("method") == "frame":
            revision += 1
            assert message["params"]["revision"] == revision
            fits(message["params"], named("Frame"))
        elif "error" in message:
            answered += 1
            fits(message["error"], named("Error"))
        else:
            answered += 1
            id = message["id"]
            fixed = {"hello": "initialize", "bye": "shutdown"}
            method = methods[id] if isinstance(id, int) else fixed[id]
            if method == "state/snapshot":
                # The document of showcase has other screens.
                assert message["result"]["state"]["screens"]["1"]["kind"] == "cart"
            else:
                fits(message["result"], results[method]["schema"])
    # All but the notification.
    assert answered == len(lines) - 1


async def test_lines_that_arrive_together_are_answered(tmp_path: Path) -> None:
    command = (sys.executable, CART, "host", "--listen", f"unix:{tmp_path}/socket")
    async with listening(*command, status=-signal.SIGTERM) as host:
        caller = await Caller.connect(host.address)
        caller.send("\n".join(_line("input", INPUTS[0], id) for id in range(3)))
        for id in range(3):
            async with asyncio.timeout(10):
                while (await caller.line()).get("id") != id:
                    pass
        caller.writer.close()


def examples() -> list[tuple[str, Any]]:
    return [
        (method["name"], {each["name"]: each["value"] for each in example["params"]})
        for method in OPENRPC["methods"]
        for example in method["examples"]
    ]


def _line(method: str, params: Any, id: Any) -> str:
    message = {"jsonrpc": "2.0", "method": method, "params": params}
    return json.dumps(message if id is None else {**message, "id": id})
