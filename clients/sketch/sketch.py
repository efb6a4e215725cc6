#!/usr/bin/env python3
"""Draws any screen of an Offstage app from its description, and sends what you type.

sketch.py [--locale TAG] CORE [ARGUMENT ...]
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import sys
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "python/src"))

from offstage import Core, CoreStopped, Owner, Port, RPCError, Screen, describe, launch

PAGE = 10  # rows of a list to draw at a time
UNSAFE = "[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]"
Action = Callable[..., Awaitable[Any]]


class Sketch:
    """The lines on the screen, and a numbered action for each thing that a person can do."""

    def __init__(self, core: Core) -> None:
        self.core, self.page = core, 0

    def draw(self, news: list[str]) -> list[str]:
        self.lines: list[str] = []
        self.actions: list[tuple[Action, Any]] = []
        core, document = self.core, self.core.document
        tabs = document.navigation["root"].get("tabs", [])
        names = [f"{tab['title']} {tab.get('badge') or ''}".rstrip() for tab in tabs]
        selects = [partial(core.select_tab, tab["id"]) for tab in tabs]
        self.put("", [self.act(name, select) for name, select in zip(names, selects)])
        for id in [*["app"] * bool(core.description.app), *reversed(core.visible)]:
            screen = Screen(core, id)
            self.put(f"── {screen.about.title} ──")
            self.draw_ports(screen, "")
        self.put("", [self.act("Back", core.back)])
        for id, prompt in document.prompts.items():
            if prompt["screen"] in ["app", *core.visible]:
                self.draw_prompt(id, prompt["kind"], prompt["params"] or {})
        return [re.sub(UNSAFE, " ", line) for line in [*self.lines, *filter(None, news)]]

    def draw_prompt(self, id: str, kind: str, params: Any) -> None:
        schemas, answer = self.core.description.prompts[kind], partial(self.core.answer, id)
        self.put(f"── {self.core.description.say(params, schemas['params']) or kind} ──")
        acts: list[str] = []
        for button in params.get("buttons", []):
            value: Any = {"button": button["id"], "fields": {}}
            acts.append(self.act(button["title"], partial(answer, value)))
        if not acts:
            acts = [self.act("Answer", answer, schemas["answer"])]
            acts.append(self.act("Dismiss", partial(answer, dismissed=True)))
        self.put("", acts)

    def draw_ports(self, at: Owner, pad: str) -> None:
        """Draws the outputs and inputs of a screen, or of a part of one."""
        inputs, output = at.about.inputs.values(), at.output
        for name, port in at.about.outputs.items():
            if name not in [input.enabled_by for input in inputs]:
                schema = {**port.schema, "title": port.title}
                self.draw_value(at, name, output[name], schema, [], pad)
        for port in inputs:
            if port.role in ("lifecycle", "row", "move") or not output.get(port.enabled_by, True):
                continue
            if port.role == "trigger":
                self.put(pad, [self.act(port.title, partial(at.send, port.name))])
                continue
            now, error = at.current(port.name), at.field(port.name).error
            text = f"{pad}{port.title}: {self.core.description.say(now, port.schema)}"
            self.put(f"{text}  ! {error}" if error else text, self.choices(at, port, now))

    def choices(self, at: Owner, port: Port, now: Any) -> list[str]:
        """Numbers the values of a choice, the other value of a toggle, or typing a value."""
        fixed = {"choice": port.schema.get("enum", []), "toggle": [not now]}.get(port.role, [])
        acts, send = list[str](), partial(at.send, port.name)
        for value in fixed:
            name = self.core.description.say(value, port.schema) or json.dumps(value)
            acts.append(self.act(name, partial(send, value)))
        return acts or [self.act("…", send, port.schema)]

    def draw_value(
        self, at: Owner, path: str, value: Any, schema: Any, rows: list[Any], pad: str
    ) -> None:
        """Draws an output: a text, a part, or a list. `rows` are the enclosing rows."""
        describe, title = self.core.description, schema.get("title", "")
        parts = at.children(path) if path in at.about.children else []
        if not value or not describe.is_table(schema):
            text = "" if parts else describe.say(value, schema)
            self.put(f"{pad}{title}: {text}".rstrip() if text or parts else "")
            for part in parts:
                self.draw_ports(part, f"{pad}  ")
            self.draw_lists(at, path, {} if parts else value, schema, rows, pad)
            return
        start = 0 if rows or at.path else self.page % -(-len(value) // PAGE) * PAGE
        items, shown = describe.items(schema), value[start : start + PAGE]
        self.put(f"{pad}{title}: {start + 1} to {start + len(shown)} of {len(value)}")
        if start + PAGE >= len(value):
            at.reached_end(path, len(value))
        for number, row in enumerate(shown, start):
            taken = at.about.row_actions(path, value, number, rows)
            acts = [self.act(title, partial(at.send, port.name, v)) for title, port, v in taken]
            self.put(f"{pad}  {row['id'] if parts else describe.say(row, items)}", acts)
            if parts:
                self.draw_ports(parts[number], f"{pad}    ")
            else:
                self.draw_lists(at, f"{path}/*", row, items, [*rows, row], f"{pad}  ")

    def draw_lists(
        self, at: Owner, path: str, value: Any, schema: Any, rows: list[Any], pad: str
    ) -> None:
        """Draws the lists in an object."""
        for name in schema.get("properties", {}) if value else ():
            inner = self.core.description.member(schema, name)
            if self.core.description.is_table(inner):
                self.draw_value(at, f"{path}/{name}", value.get(name), inner, rows, pad)

    def put(self, text: str, acts: Sequence[str] = ()) -> None:
        if text or acts:
            glue = "  " if text.strip() and acts else ""
            self.lines.append(text + glue + "  ".join(acts))

    def act(self, title: str, action: Action, schema: Any = None) -> str:
        """Numbers an action. With `schema`, the person types a value after the number."""
        self.actions.append((action, schema))
        return f"[{len(self.actions)} {title}]"


async def do(action: Action, *values: Any) -> str:
    """Performs an action. Returns the core's reason for refusing it, or an empty text."""
    try:
        await action(*values)
    except RPCError as error:
        return error.message
    return ""


async def talk(sketch: Sketch) -> None:
    """Draws after each change, and performs what is typed."""
    frames, say = sketch.core.frames(), sketch.core.description.say
    typed = asyncio.create_task(asyncio.to_thread(sys.stdin.readline))
    changed = asyncio.ensure_future(anext(frames))
    news = list[str]()
    while True:
        print("\033[H\033[J" * sys.stdout.isatty() + "\n".join(sketch.draw(news)))
        print("NUMBER [VALUE], m for more rows, o URL, q > ", end="", flush=True)
        await asyncio.wait([typed, changed], return_when=asyncio.FIRST_COMPLETED)
        if changed.done():
            arrived = [changed.result(), *frames.pending()]
            news += [say(event.value, {}) for frame in arrived for event in frame.events]
            changed = asyncio.ensure_future(anext(frames))
            continue
        word, _, rest = typed.result().strip().partition(" ")
        if word == "q" or not typed.result():
            changed.cancel()
            return
        sketch.page = sketch.page + 1 if word == "m" else 0
        news = list[str]()
        if word == "o":
            news.append(await do(sketch.core.open, rest))
        elif word.isdigit() and 0 < int(word) <= len(sketch.actions):
            action, schema = sketch.actions[int(word) - 1]
            values = [] if schema is None else [sketch.core.description.parse(rest, schema)]
            news.append(await do(action, *values))
        typed = asyncio.create_task(asyncio.to_thread(sys.stdin.readline))


def start(command: list[str], locale: str) -> Core:
    """Returns a core. All kinds of prompts of its app are announced to it."""
    kinds = list(describe(*command).prompts)
    return launch(*command, announce=kinds, locale=locale, client=("sketch", "1"))


async def main() -> None:
    parser = argparse.ArgumentParser(description="Draws any Offstage app.")
    parser.add_argument("--locale", default="en")
    parser.add_argument("core", nargs="A...", help="the app's program, and its arguments")
    options = parser.parse_args()
    async with start(options.core, options.locale) as core:
        await talk(Sketch(core))


if __name__ == "__main__":
    try:
        asyncio.run(main())
    except CoreStopped as error:
        print(f"sketch.py: {error}", file=sys.stderr)
        sys.exit(error.status or 1)
