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
from collections.abc import Awaitable, Callable, Collection, Sequence
from functools import partial
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "python/src"))

import offstage
from offstage import Core, CoreStopped, Event, Owner, Port, RPCError, Screen, launch

PAGE = 10  # rows of a list to draw at a time
MARKS = {None: "", False: "[ ] ", True: "[x] "}  # what an input switches
WEIGHTS: dict[str | None, str] = {"main": " *", "destructive": " !"}
WORDS = {"title", "subtitle", "label"}
ELSEWHERE = WORDS | {"condition", "selection", "options", "sections", "more", "hidden"}
SCOPE = ("busy", "failure", "notice", "stale", "progress")  # what the app says on every screen
STATES = (*SCOPE, "empty")
UNSAFE = "[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]"
TEXT = {"type": "string"}
Action = Callable[..., Awaitable[Any]]


class Sketch:
    """The lines on the screen, and a numbered action for each thing that a person can do."""

    def __init__(self, core: Core) -> None:
        self.core, self.page = core, 0
        self.typed: dict[str, dict[str, Any]] = {}  # of a prompt with several texts, by its id

    def draw_event(self, event: Event[Any]) -> None:
        """Draws a failure or a notice with what it offers. Other events are for scripts."""
        owner, port = self.core.source(event) or (None, None)
        if owner and port and port.role in ("failure", "notice"):
            self.draw_state(owner, port, event.value, "")

    def draw(self, news: Sequence[Event[Any]] = (), refusal: str = "") -> list[str]:
        self.lines: list[str] = []
        self.actions: list[tuple[Action, Any]] = []
        core, document = self.core, self.core.document
        tabs = document.navigation["root"].get("tabs", [])
        acts = [(f"{tab['title']} {tab.get('badge') or ''}", tab["id"]) for tab in tabs]
        self.put("", [self.act(name.rstrip(), partial(core.select_tab, id)) for name, id in acts])
        for id in [*["app"] * bool(core.description.app), *reversed(core.visible)]:
            screen = Screen(core, id)
            title, subtitle = ("", "") if id == "app" else (screen.heading, screen.subtitle)
            self.put(f"── {title or screen.about.title} ──")
            self.put(subtitle)
            self.draw_ports(screen, "")
        self.put("", [self.act("Back", core.back)])
        self.typed = {id: self.typed.get(id, {}) for id in document.prompts}
        for id, prompt in document.prompts.items():
            if prompt["screen"] in ["app", *core.visible]:
                self.draw_prompt(id, prompt["kind"], prompt["params"] or {})
        for event in news:
            self.draw_event(event)
        self.put(refusal)
        return [re.sub(UNSAFE, " ", line) for line in self.lines]

    def draw_prompt(self, id: str, kind: str, params: Any) -> None:
        describe, answer = self.core.description, partial(self.core.answer, id)
        schemas, typed = describe.prompts[kind], self.typed[id]
        said = describe.say(params, schemas["params"])
        texts = [] if "buttons" in params else [schemas["title"], schemas.get("description")]
        self.put(f"── {' · '.join(filter(None, [*texts, said]))} ──")
        schema = {"pickFile": params, "saveFile": TEXT}.get(kind, schemas["answer"])
        asked = {name: (port.title, port.schema) for name, port in describe.members(schema).items()}
        if "buttons" in params:
            asked = {each["id"]: (each["placeholder"], TEXT) for each in params["fields"] or ()}
        for name, (title, inner) in asked.items():
            acts = self.offer(inner, partial(self.keep, id, name))
            self.put(f"{title}: {describe.say(typed.get(name), inner)}", acts)
        acts = list[str]()
        for button in params.get("buttons", ()):
            fields = {name: typed.get(name, "") for name in asked}
            value = {"button": button["id"], "fields": fields}
            acts.append(self.act(button["title"], partial(answer, value)))
        if kind == "saveFile":
            path = offstage.downloads(params["name"])
            save = partial(self.save, id, path, params["uri"])
            acts = [self.act(f"Save as {path} or …", save, schema)]
        elif asked and not acts:
            acts = [self.act("Done", partial(answer, {name: typed.get(name) for name in asked}))]
        acts = acts or self.offer(schema, answer, "Answer")
        if "buttons" not in params:
            acts.append(self.act("Dismiss", partial(answer, dismissed=True)))
        self.put("", acts)

    def draw_ports(self, at: Owner, pad: str, drawn: Collection[str] = ()) -> None:
        """Draws the outputs and inputs of a screen, or of a part. `drawn` are roles drawn above."""
        inputs, output, offered = at.about.inputs, at.output, set[str]()
        conditions = {by for port in inputs.values() for by in (port.enabled_by, port.visible_by)}
        for name, port in at.about.outputs.items():
            if port.role in ELSEWHERE or name in conditions or port.role in drawn:
                continue
            if at.id == "app" and port.role not in SCOPE:
                continue  # The app's values are for its screens.
            if port.is_window:
                now, schema = output[name], self.core.description.within(at.about.outputs, name)
                starts = {"Previous": max(now["first"] - PAGE, 0), "Next": now["first"] + PAGE}
                asks = {word: partial(at.window, name, n, PAGE) for word, n in starts.items()}
                acts = [self.act(word, ask) for word, ask in asks.items()]
                self.put(f"{pad}! {now['failure']}" if now["failure"] else pad, acts)
                title = f"{port.title}, {now['count']} from {now['first'] + 1}"
                schema = {**schema, "title": title, "placeholder": port.placeholder}
                self.draw_value(at, name, now["rows"][:PAGE], schema, [], pad)
            elif port.role in STATES:
                offered |= self.draw_state(at, port, output[name], pad)
            else:
                schema = {**port.schema, "title": port.title}
                self.draw_value(at, name, output[name], schema, [], pad)
        for name, port in inputs.items():
            is_offered = name in at.about.offered
            if port.role in ("lifecycle", "row", "move", "hidden") or name in offered:
                continue
            if not output.get(port.visible_by, True):
                continue
            if not output.get(port.enabled_by, not is_offered):
                reason = "" if is_offered else at.reason(port)
                self.put(f"{pad}{at.title_of(port)}: {reason}" if reason else "")
                continue
            if port.role == "trigger" or port.schema.get("type") == "null":
                self.put(pad, [self.press(at, name)])
                continue
            shown = at.about.of_input("selection", name)
            now, error = output[shown.name] if shown else at.current(name), at.field(name).error
            acts = self.choices(at, port, now)
            text = f"{at.title_of(port)}: {self.core.description.say(now, port.schema, rows=True)}"
            text = pad + text * (port.role != "toggle")  # The switch has the title.
            self.put(f"{text}  ! {error}" if error else text, acts)

    def draw_state(self, at: Owner, port: Port, value: Any, pad: str) -> set[str]:
        """Draws what a screen says about itself, and what it offers then: the drawn inputs."""
        if not (text := self.core.description.say_state(value, port)):
            return set()
        names = port.offers(value)
        mark = {"failure": "! ", "notice": "» ", "busy": "… "}.get(port.role, "")
        self.put(f"{pad}{mark}{text}", [self.press(at, each) for each in names])
        return {*names}

    def choices(self, at: Owner, port: Port, now: Any) -> list[str]:
        """Numbers the values of a choice, a switch, or typing a value."""
        send = partial(at.send, port.name)
        if port.role == "toggle":
            return [self.act(MARKS[bool(now)] + at.title_of(port), partial(send, not now))]
        options = at.about.of_input("options", port.name)
        schema = {**port.schema, "enum": at.output[options.name]} if options else port.schema
        return self.offer(port.accepts or schema, send)

    def offer(self, schema: Any, send: Action, title: str = "") -> list[str]:
        """Numbers each value of a few, or typing a value."""
        schema, say = self.core.description.resolve(schema), self.core.description.say
        offered = schema.get("enum", [True, False] if schema.get("type") == "boolean" else [])
        acts = [self.act(say(v, schema) or json.dumps(v), partial(send, v)) for v in offered]
        return acts or [self.act(f"{title} {self.mark(schema)}".strip(), send, schema)]

    async def keep(self, prompt: str, name: str, value: Any) -> None:
        """Keeps a member of an answer until the person sends it."""
        self.typed[prompt][name] = value

    def draw_value(
        self, at: Owner, path: str, value: Any, schema: Any, rows: list[Any], pad: str
    ) -> None:
        """Draws an output: a text, a part, or a list. `rows` are the enclosing rows."""
        describe, title = self.core.description, schema.get("title", "")
        parts = at.children(path) if path in at.about.children else []
        if not value or not describe.is_table(schema):
            text = "" if parts else self.core.description.say(value, schema)
            if value == [] and not any(
                at.output[p.name] for p in at.about.about_list("empty", path)
            ):
                text = schema.get("placeholder") or ""
            self.put(f"{pad}{title}: {text}".rstrip() if text or parts else "")
            for part in parts:
                said = " · ".join(filter(None, [part.heading, part.subtitle]))
                self.put(f"{pad}  {said}" if said else "")
                self.draw_ports(part, f"{pad}  ")
            self.draw_lists(at, path, {} if parts else value, schema, rows, pad)
            return
        start = 0 if rows or at.path else self.page % -(-len(value) // PAGE) * PAGE
        items, shown = describe.items(schema), value[start : start + PAGE]
        self.put(f"{pad}{title}: {start + 1} to {start + len(shown)} of {len(value)}")
        if start + PAGE >= len(value):
            at.reached_end(path, len(value))
        headers, section = at.headers(path), None
        if schema.get("x-role") == "table":
            self.put(f"{pad}  {' · '.join(port.title for port in describe.columns(schema))}")
        for number, row in enumerate(shown, start):
            acts = list[str]()
            for title, port, taken in at.about.row_actions(path, value, number, rows):
                title = MARKS[port.is_shown(row)] + title + WEIGHTS.get(port.weight, "")
                acts.append(self.act(title, partial(at.send, port.name, taken)))
            ports = parts[number].about.outputs if parts else None
            text, header = describe.say_row(row, schema, ports)
            if header != section:
                self.put(f"{pad} {headers.get(section := header, header)}")
            self.put(f"{pad}  {text}", acts)
            if parts:
                self.draw_ports(parts[number], f"{pad}    ", describe.IN_ROW)
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

    def press(self, at: Owner, name: str) -> str:
        """Numbers a button. Its weight is behind its title."""
        port = at.about.inputs[name]
        title = at.title_of(port) + WEIGHTS.get(port.weight, "")
        return self.act(title, partial(at.send, name))

    def mark(self, schema: Any) -> str:
        """Returns what stands for a value to type: several texts are typed as JSON."""
        return '["…", …]' if self.core.description.is_words(schema) else "…"

    async def save(self, prompt: str, path: Path, uri: str, typed: str) -> None:
        offstage.save_file(typed or path, (await self.core.read(uri)).data)
        await self.core.answer(prompt, {})

    def parse(self, schema: Any, text: str) -> Any:
        """Reads what a person typed: a value, or the path of a file by what the app accepts."""
        read = offstage.read_file if "maxBytes" in schema else self.core.description.parse
        return read(text, schema)


async def do(action: Action, *typed: Any, parse: Callable[[Any], Any] = lambda it: it) -> str:
    """Performs an action. Returns the reason for refusing it, or an empty text."""
    try:
        await action(*map(parse, typed))
    except (RPCError, offstage.FileRefused) as error:
        return error.message if isinstance(error, RPCError) else str(error)
    return ""


async def talk(sketch: Sketch) -> None:
    """Draws after each change, and performs what is typed."""
    frames = sketch.core.frames()
    typed = asyncio.create_task(asyncio.to_thread(sys.stdin.readline))
    changed = asyncio.ensure_future(anext(frames))
    news, refusal = list[Event[Any]](), ""
    while True:
        print("\033[H\033[J" * sys.stdout.isatty() + "\n".join(sketch.draw(news, refusal)))
        print("NUMBER [VALUE], m for more rows, o URL, q > ", end="", flush=True)
        await asyncio.wait([typed, changed], return_when=asyncio.FIRST_COMPLETED)
        if changed.done():
            arrived = [changed.result(), *frames.pending()]
            news += [event for frame in arrived for event in frame.events]
            changed = asyncio.ensure_future(anext(frames))
            continue
        word, _, rest = typed.result().strip().partition(" ")
        if word == "q" or not typed.result():
            changed.cancel()
            return
        sketch.page = sketch.page + 1 if word == "m" else 0
        news, refusal = [], ""
        if word == "o":
            refusal = await do(sketch.core.open, rest)
        elif word.isdigit() and 0 < int(word) <= len(sketch.actions):
            action, schema = sketch.actions[int(word) - 1]
            value = [] if schema is None else [rest]
            refusal = await do(action, *value, parse=partial(sketch.parse, schema))
        typed = asyncio.create_task(asyncio.to_thread(sys.stdin.readline))


def start(command: list[str], locale: str) -> Core:
    """Returns a core. It may ask prompts of every kind."""
    return launch(*command, announce=["*"], locale=locale, client=("sketch", "1"))


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
