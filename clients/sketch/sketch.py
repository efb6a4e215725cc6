#!/usr/bin/env python3
"""Draws any screen of an Offstage app from its description, and sends what you type.

sketch.py [--locale TAG] CORE [ARGUMENT ...]
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "python/src"))

from offstage import Core, Port, RPCError, ScreenDescription, launch

PAGE = 10  # rows of a list to draw at a time
UNSAFE = "[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]"
NO_VALUE: Any = object()
At = tuple[str, ScreenDescription]


class Sketch:
    """What a person sees: lines of text, and a number for everything that can be done."""

    def __init__(self, core: Core) -> None:
        self.core, self.page = core, 0
        self.sent: dict[tuple[str, str], int] = {}

    def draw(self, news: list[str]) -> list[str]:
        self.lines: list[str] = []
        self.actions: list[tuple[str, Any, Any]] = []
        document, about = self.core.document, self.core.description
        tabs = document.navigation["root"].get("tabs", [])
        names = [f"{tab['title']} {tab.get('badge') or ''}".rstrip() for tab in tabs]
        select = "navigation/selectTab"
        self.put("", [self.act(n, select, {"tab": t["id"]}) for n, t in zip(names, tabs)])
        if about.app:
            self.draw_screen("app", document.value["app"], about.app)
        for id in reversed(self.core.visible):
            screen = document.screens[id]
            self.draw_screen(id, screen, about.screens[screen["kind"]])
        self.put("", [self.act("Back", "navigation/back", {})])
        for id, prompt in document.prompts.items():
            self.draw_prompt(id, prompt["kind"], prompt["params"] or {})
        return [re.sub(UNSAFE, " ", line) for line in [*self.lines, *filter(None, news)]]

    def draw_prompt(self, id: str, kind: str, params: Any) -> None:
        schemas = self.core.description.prompts[kind]
        self.put(f"── {self.core.description.say(params, schemas['params']) or kind} ──")
        acts: list[str] = []
        for button in params.get("buttons", []):
            answer: Any = {"prompt": id, "value": {"button": button["id"], "fields": {}}}
            acts.append(self.act(button["title"], "answer", answer))
        if not acts:
            acts = [self.act("Answer", "answer", {"prompt": id}, schemas["answer"])]
            acts.append(self.act("Dismiss", "answer", {"prompt": id, "dismissed": True}))
        self.put("", acts)

    def draw_screen(self, id: str, screen: Any, about: ScreenDescription) -> None:
        self.put(f"── {about.title} ──")
        output, inputs = screen["output"], about.inputs.values()
        for name, port in about.outputs.items():
            if name not in [input.enabled_by for input in inputs]:
                schema = {**port.schema, "title": port.title}
                self.draw_value((id, about), name, output[name], schema, [])
        for port in inputs:
            if port.role in ("lifecycle", "row") or not output.get(port.enabled_by, True):
                continue
            params = {"screen": id, "name": port.name}
            if port.role == "trigger":
                self.put("", [self.act(port.title, "input", params)])
            else:
                field = screen.get("fields", {}).get(port.name, {})
                now = field.get("value", output.get(port.shown_by))
                error = f"  ! {field['error']}" if field.get("error") else ""
                text = f"{port.title}: {self.core.description.say(now, port.schema)}{error}"
                self.put(text, self.choices(port, now, params))

    def choices(self, port: Port, now: Any, params: Any) -> list[str]:
        """Numbers the values of a choice, the other one of a toggle, or typing one."""
        fixed = {"choice": port.schema.get("enum", []), "toggle": [not now]}.get(port.role, [])
        acts = list[str]()
        for value in fixed:
            name = self.core.description.say(value, port.schema) or json.dumps(value)
            acts.append(self.act(name, "input", {**params, "value": value}))
        return acts or [self.act("…", "input", params, port.schema)]

    def draw_value(self, at: At, path: str, value: Any, schema: Any, rows: list[Any]) -> None:
        """Draws an output: a line, or the rows of a list. `rows` are those around it."""
        describe, pad, title = self.core.description, "  " * len(rows), schema.get("title", "")
        if is_list(value):
            start = 0 if rows else self.page % -(-len(value) // PAGE) * PAGE
            items, shown = describe.items(schema), value[start : start + PAGE]
            self.put(f"{pad}{title}: {start + 1} to {start + len(shown)} of {len(value)}")
            if start + PAGE >= len(value):
                self.reached(at, path, len(value))
            for row in shown:
                acts: list[str] = []
                for port, taken in at[1].row_inputs(path):
                    value = taken.of([*rows, row])
                    params = {"screen": at[0], "name": port.name, "value": value}
                    acts.append(self.act(port.title, "input", params))
                self.put(f"{pad}  {describe.say(row, items)}", acts)
                self.draw_lists(at, f"{path}/*", row, items, [*rows, row])
        else:
            if text := describe.say(value, schema):
                self.put(f"{pad}{title}: {text}")
            self.draw_lists(at, path, value, schema, rows)

    def draw_lists(self, at: At, path: str, value: Any, schema: Any, rows: list[Any]) -> None:
        """Draws the lists inside an object."""
        for name in schema.get("properties", {}) if value else ():
            if is_list(part := value.get(name)):
                inner = self.core.description.member(schema, name)
                self.draw_value(at, f"{path}/{name}", part, inner, rows)

    def reached(self, at: At, path: str, count: int) -> None:
        """Sends that the end of a list is in sight: once for each length of the list."""
        for port in at[1].lifecycle("end", path):
            if self.sent.get((at[0], port.name)) != count:
                self.sent[at[0], port.name] = count
                asyncio.ensure_future(self.do("input", {"screen": at[0], "name": port.name}))

    def put(self, text: str, acts: list[str] | None = None) -> None:
        self.lines.append("  ".join([text] * bool(text) + (acts or [])))

    def act(self, title: str, method: str, params: Any, schema: Any = None) -> str:
        """Numbers an action; a value of `schema` is typed behind the number."""
        self.actions.append((method, params, schema))
        return f"[{len(self.actions)} {title}]"

    async def do(self, method: str, params: Any, value: Any = NO_VALUE) -> str:
        """Sends a request. Returns why the core refuses it, or an empty text."""
        try:
            given = params if value is NO_VALUE else {**params, "value": value}
            await self.core.request(method, given)
        except RPCError as error:
            return error.message
        return ""


def is_list(value: Any) -> bool:
    return isinstance(value, list) and isinstance(next(iter([*value]), None), dict)  # pyright: ignore


async def talk(sketch: Sketch) -> None:
    """Draws whenever something has changed, and does what is typed."""
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
        line = typed.result()
        word, _, rest = line.strip().partition(" ")
        if word == "q" or not line:
            changed.cancel()
            return
        sketch.page = sketch.page + 1 if word == "m" else 0
        news = list[str]()
        if word == "o":
            news.append(await sketch.do("navigation/open", {"url": rest}))
        elif word.isdigit() and 0 < int(word) <= len(sketch.actions):
            method, params, schema = sketch.actions[int(word) - 1]
            value = NO_VALUE if schema is None else sketch.core.description.parse(rest, schema)
            news.append(await sketch.do(method, params, value))
        typed = asyncio.create_task(asyncio.to_thread(sys.stdin.readline))


def start(command: list[str], locale: str) -> Core:
    """Returns a core, to which every kind of prompt of its app is announced."""
    described = subprocess.check_output([command[0], "describe", *command[1:]])
    kinds = list(json.loads(described).get("x-prompts", {}))
    return launch(*command, announce=kinds, locale=locale, client=("sketch", "1"))


async def main() -> None:
    parser = argparse.ArgumentParser(description="Draws any Offstage app.")
    parser.add_argument("--locale", default="en")
    parser.add_argument("core", nargs=argparse.REMAINDER)
    options = parser.parse_args()
    async with start(options.core, options.locale) as core:
        await talk(Sketch(core))


if __name__ == "__main__":
    asyncio.run(main())
