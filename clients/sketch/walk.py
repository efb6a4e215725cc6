#!/usr/bin/env python3
"""Acts at random on an app through the sketch. After each step, the document must match the core's.

walk.py [--seed N] STEPS CORE [ARGUMENT ...]
"""

from __future__ import annotations

import argparse
import asyncio
import random
from typing import Any

from sketch import Core, Sketch, do, start

WORDS = ["", "Kim", "kim@example.com", "ma", "김", "a" * 300, "\x1b[31m\u202e", "7"]


def guess(core: Core, schema: Any) -> Any:
    """Returns a random value of a schema."""
    schema = core.description.resolve(schema)
    for key in ("oneOf", "anyOf"):
        if key in schema:
            return guess(core, random.choice(schema[key]))
    if "enum" in schema:
        return random.choice(schema["enum"])
    if "properties" in schema:
        return {name: guess(core, inner) for name, inner in schema["properties"].items()}
    kinds = schema.get("type", "null")
    kind = kinds if isinstance(kinds, str) else random.choice(kinds)
    number = random.randint(schema.get("minimum", -2), schema.get("maximum", 200))
    others: Any = {"string": random.choice(WORDS), "boolean": number % 2 == 0, "array": []}
    return number if kind in ("integer", "number") else others.get(kind)


async def walk(core: Core, steps: int, seed: int) -> None:
    random.seed(seed)
    sketch, refused = Sketch(core), 0
    for step in range(steps):
        sketch.draw([])
        action, schema = random.choice(sketch.actions)
        values = [] if schema is None else [guess(core, schema)]
        refused += bool(await do(action, *values))
        if random.random() < 0.2:
            await do(core.advance, random.choice([100, 2000]))
        sketch.page = random.choice([0, 0, sketch.page + 1])
        snapshot = await core.request("state/snapshot")
        same = snapshot["state"] == core.document.value
        assert same, f"step {step} of seed {seed}: {action} {values}"
    print(f"{steps} steps, seed {seed}: the document was the core's; {refused} refused")


async def main() -> None:
    parser = argparse.ArgumentParser(description="Acts at random on an Offstage app.")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("steps", type=int)
    parser.add_argument("core", nargs=argparse.REMAINDER)
    options = parser.parse_args()
    async with start(options.core, "en") as core:
        await walk(core, options.steps, options.seed)


if __name__ == "__main__":
    asyncio.run(main())
