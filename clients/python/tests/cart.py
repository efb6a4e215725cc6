#!/usr/bin/env python3
"""An app whose screen has parts: a cart with a header and lines, and notes in a line.

cart.py            serves on standard input and output
cart.py describe   prints the description
"""

from __future__ import annotations

import copy
import json
import socket
import sys
from collections.abc import Callable
from threading import Thread
from typing import Any

PRICES = {"milk": 4, "a/b": 3, "egg": 2}
HIDDEN: Any = {"x-role": "hidden"}
TRIGGER: Any = {"x-role": "trigger"}
COUNT: Any = {"type": "string", "title": "Count", "x-role": "text"}


def reference(name: str) -> Any:
    return {"$ref": f"#/components/schemas/{name}"}


def structure(**members: Any) -> Any:
    return {"type": "object", "properties": members, "required": list(members)}


CONDITION: Any = {"type": "boolean", "x-role": "condition"}
FAILED: Any = {
    **reference("Failure"),
    "x-role": "failure",
    "x-message": "message",
    "x-retryable": "retryable",
    "x-retry": "retry",
}
NUMBER, TEXT, FLAG = {"type": "integer"}, {"type": "string"}, {"type": "boolean"}
FIELD = structure(value=TEXT, error={"type": ["string", "null"]})
NOTES: Any = {"type": "array", "items": reference("Note")}
LINES: Any = {"type": "array", "items": reference("CartLine"), "title": "Lines"}
ROWS: Any = [{"list": "lines", "member": "id"}]
LABELS: Any = {"type": "array", "items": {"type": "string"}, "title": "Labels"}
MOVES: Any = [{"list": "lines", "members": {"id": "lines/*/id"}, "before": "before"}]
DESCRIPTION: Any = {
    "info": {"title": "cart", "version": "1"},
    "components": {
        "schemas": {
            "Header": structure(name=TEXT, retries=NUMBER),
            "Failure": structure(message=TEXT, retryable=FLAG),
            "Note": structure(id={**NUMBER, **HIDDEN}, text=TEXT),
            "CartLine": structure(
                id={**TEXT, **HIDDEN},
                cost=NUMBER,
                canAdd=CONDITION,
                notes=NOTES,
                fields=structure(countText=FIELD),
            ),
        }
    },
    "x-screens": {
        "cart": {
            "title": "Cart",
            "inputs": {
                "signIn": {"type": ["string", "null"], "x-role": "text"},
                "fill": TRIGGER,
                "grow": {**NUMBER, "minimum": 0, "maximum": 100, "x-role": "value"},
                "labels": {**LABELS, "x-role": "value"},
                "lineTapped": {
                    **TEXT,
                    "title": "Open",
                    "x-role": "row",
                    "x-rows": ROWS,
                },
                "lineMoved": {
                    **structure(id=TEXT, before={"type": ["string", "null"]}),
                    "title": "Move",
                    "x-role": "move",
                    "x-rows": MOVES,
                },
            },
            "outputs": {
                "header": {"anyOf": [reference("Header"), {"type": "null"}]},
                "lines": LINES,
                "total": {**NUMBER, "title": "Total"},
            },
            "fields": {"labels": LABELS},
            "children": {"header": "Header", "lines": "CartLine"},
        }
    },
    "x-parts": {
        "Header": {
            "title": "Header",
            "inputs": {
                "didAppear": {"x-role": "lifecycle", "x-when": "appear"},
                "refresh": {**TRIGGER, "title": "Refresh"},
                "retry": {**TRIGGER, "title": "Retry"},
            },
            "outputs": {"name": TEXT, "retries": NUMBER},
            "events": {
                "appeared": TEXT,
                "refreshed": TEXT,
                "failed": FAILED,
            },
        },
        "CartLine": {
            "title": "Line",
            "inputs": {
                "countText": COUNT,
                "add": {**TRIGGER, "title": "One more", "x-enabledBy": "canAdd"},
                "note": {**NUMBER, "title": "Write", "x-role": "value"},
                "remove": {**TRIGGER, "title": "Remove", "x-weight": "destructive"},
            },
            "fields": {"countText": COUNT},
            "outputs": {"cost": NUMBER, "canAdd": CONDITION, "notes": NOTES},
            "children": {"notes": "Note"},
        },
        "Note": {
            "title": "Note",
            "inputs": {"text": {**TEXT, "x-role": "text"}},
            "outputs": {"text": TEXT},
        },
    },
}


class Cart:
    """The state and the inputs."""

    def __init__(self) -> None:
        self.revision = 0
        self.header: Any = None
        self.labels: list[str] = ["food"]
        self.lines: list[Any] = [line("milk"), line("a/b")]

    @property
    def document(self) -> Any:
        total = sum(line["cost"] for line in self.lines)
        output = {
            "header": self.header,
            "lines": self.lines,
            "total": total,
        }
        fields = {"labels": {"value": self.labels, "error": None}}
        root = {"type": "stack", "screens": ["1"]}
        return {
            "navigation": {"root": root, "presented": [], "modals": []},
            "screens": {"1": {"kind": "cart", "output": output, "fields": fields}},
            "prompts": {},
        }

    def input(self, path: list[str], value: Any) -> list[Any]:
        """Handles an input. Returns its events; raises `LookupError` if it is unknown."""
        match path:
            case ["signIn"]:
                self.header = {"name": value, "retries": 0} if value else None
            case ["fill"]:
                self.lines = [line(id) for id in PRICES]
            case ["grow"]:
                self.lines = [line(str(number)) for number in range(int(value or 0))]
            case ["lineTapped"]:
                self.lines.sort(key=lambda line: line["id"] != value)
            case ["labels"]:
                self.labels = value
            case ["lineMoved"]:
                moved = self._find(self.lines, value["id"])
                self.lines.remove(moved)
                ids = [line["id"] for line in self.lines]
                below = value["before"]
                self.lines.insert(ids.index(below) if below else len(ids), moved)
            case ["header", "refresh"] if (
                self.header and self.header["name"] == "Offline"
            ):
                failure = {"message": "No connection.", "retryable": True}
                return [{"name": "header/failed", "value": failure}]
            case ["header", "retry"] if self.header:
                self.header["retries"] += 1
            case ["header", "didAppear" | "refresh" as name] if self.header:
                event = "refreshed" if name == "refresh" else "appeared"
                return [{"name": f"header/{event}", "value": self.header["name"]}]
            case ["lines", id, *rest]:
                self._line(self._find(self.lines, id), rest, value)
            case _:
                raise LookupError
        return []

    def _line(self, line: Any, path: list[str], value: Any) -> None:
        count = line["fields"]["countText"]
        match path:
            case ["countText"]:
                enter(line, value or "")
            case ["add"]:
                enter(line, str(int(count["value"] or 0) + 1))
            case ["note"]:
                line["notes"].append({"id": len(line["notes"]), "text": ""})
            case ["notes", id, "text"]:
                self._find(line["notes"], id)["text"] = value
            case ["remove"]:
                self.lines.remove(line)
            case _:
                raise LookupError

    @staticmethod
    def _find(rows: list[Any], token: str) -> Any:
        id = token.replace("~1", "/").replace("~0", "~")
        return next((row for row in rows if str(row["id"]) == id), None) or unknown()


def unknown() -> Any:
    raise LookupError


def line(id: str) -> Any:
    made: Any = {"id": id, "cost": 0, "canAdd": True, "notes": []}
    made["fields"] = {"countText": {"value": "1", "error": None}}
    enter(made, "1")
    return made


def enter(line: Any, count: str) -> None:
    """Fills in the field of a line."""
    error = None if count.isascii() and count.isdecimal() else "Enter a number."
    cost = 0 if error else int(count) * PRICES.get(line["id"], 1)
    line["fields"]["countText"] = {"value": count, "error": error}
    line.update(cost=cost, canAdd=not error and cost < 50)


LIMITS = dict.fromkeys(("queuedEffects", "timers", "keys", "resource", "frames"), 0)
HANDSHAKE: Any = {
    "protocol": 1,
    "app": {"name": "cart", "version": "1"},
    "revision": 1,
    "session": "0",
    "schema": None,
    "language": "en",
    "capabilities": ["fields"],
    "clock": "virtual",
    "links": [],
    "prompts": ["alert", "confirmationDialog"],
    "limits": {
        **LIMITS,
        "line": 16 << 20,
        "depth": 512,
        "inFlight": 1024,
        "batch": 1,
        "out": 16 << 20,
        "screens": 1,
    },
}


class Refusal(Exception):
    """An error of the protocol."""

    def __init__(self, code: int, message: str, **data: Any) -> None:
        self.error: dict[str, Any] = {"code": code, "message": message}
        if data:
            self.error["data"] = data


def lacking(name: str) -> Refusal:
    data = {"path": f"/{name}", "expected": "string", "found": "nothing"}
    return Refusal(-32602, f"{name} is missing", **data)


class Server:
    """Answers requests. It has no notion of keys, and of batches only that it has none."""

    def __init__(
        self, app: Any, description: Any, source: Any = sys.stdin, target: Any = None
    ) -> None:
        self.app, self.description = app, description
        self.sent: Any = None
        self._source, self._target = source, target

    def serve(self) -> None:
        for number, text in enumerate(self._source, start=1):
            if not text.strip():
                continue
            id, method = None, ""
            try:
                id, method, params = self._parse(text, number)
                result = self._perform(id, method, params)
                if id is not None:
                    self._send(id=id, result=result)
            except Refusal as refusal:
                if id is None and method:
                    self._send(method="error", params=refusal.error)
                else:
                    self._send(id=id, error=refusal.error)
            if method == "shutdown":
                return

    def _parse(self, text: str, number: int) -> tuple[Any, str, Any]:
        try:
            request = json.loads(text)
        except ValueError:
            raise Refusal(-32700, "not JSON", line=number) from None
        match request:
            case {"jsonrpc": "2.0", "method": str(method)}:
                return request.get("id"), method, request.get("params") or {}
            case _:
                raise Refusal(-32600, "not a request", line=number)

    def _perform(self, id: Any, method: str, params: Any) -> Any:
        if method == "initialize" and self.sent is not None:
            raise Refusal(-32600, "the core is initialized already")
        if method not in METHODS:
            raise Refusal(-32601, f"unknown method {method!r}")
        if self.sent is None and method != "$/cancelRequest":
            self._frame(id, [])
        events = METHODS[method](self, params)
        if method == "input":
            self._frame(id, events)
        revision = {"revision": self.app.revision}
        match method:
            case "initialize":
                return HANDSHAKE
            case "rpc.discover":
                return self.description
            case "state/snapshot":
                return {**revision, "state": self.app.document}
            case "state/settle" if params.get("pending"):
                return {**revision, "pending": []}
            case "shutdown":
                return None
            case _:
                return revision

    def input(self, params: Any) -> list[Any]:
        for name in "screen", "name":
            if not isinstance(params.get(name), str):
                raise lacking(name)
        if params["screen"] not in self.app.document["screens"]:
            raise Refusal(1001, "unknown screen", screen=params["screen"])
        try:
            path = params["name"].split("/")
            events: list[Any] = self.app.input(path, params.get("value"))
            return events
        except LookupError:
            (screen,) = self.description["x-screens"].values()
            ports = screen["inputs"]
            names = {"screen": "1", "inputs": sorted(ports)}
            raise Refusal(1002, "no such input", **names) from None

    def window(self, params: Any) -> Any:
        raise Refusal(1002, "no list with a window", screen="1", inputs=[])

    def answer(self, params: Any) -> Any:
        if "prompt" not in params:
            raise lacking("prompt")
        raise Refusal(1003, "unknown prompt", prompt=params["prompt"])

    def refuse(self, params: Any) -> Any:
        data = params or {"screen": "1"}
        raise Refusal(
            1004, "there is one screen, and a clock that stands still", **data
        )

    def resource(self, params: Any) -> Any:
        raise Refusal(1006, "no resources", uri=params.get("uri", ""))

    def nothing(self, params: Any) -> None:
        pass

    def _frame(self, cause: Any, events: list[Any]) -> None:
        document = copy.deepcopy(self.app.document)
        params: Any = {}
        if document != self.sent:
            params["patch"] = [{"op": "replace", "path": "", "value": document}]
        if events:
            params["events"] = [{"screen": "1", **event} for event in events]
        if self.sent is None:
            params["navigation"] = [{"type": "setRoot", "screens": ["1"]}]
        if not params:
            return
        self.sent = document
        self.app.revision += 1
        if cause is not None:
            params["cause"] = cause
        params["revision"] = self.app.revision
        self._send(method="frame", params=params)

    def _send(self, **message: Any) -> None:
        line = json.dumps({"jsonrpc": "2.0", **message})
        print(line, file=self._target, flush=True)


def serve(app: Any, description: Any) -> None:
    """Serves, or prints the description, as the command line asks."""
    if sys.argv[1:] == ["describe"]:
        print(json.dumps(description))
    elif "host" in sys.argv:
        address = sys.argv[sys.argv.index("--listen") + 1]
        host(app, description, address.removeprefix("unix:"))
    else:
        Server(app, description).serve()


def host(app: Any, description: Any, path: str) -> None:
    """Serves a new app to each front end that connects to a socket."""
    with socket.create_server(path, family=socket.AF_UNIX) as listener:
        print(f"listening on unix:{path}", flush=True)
        while True:
            connection, _ = listener.accept()
            # Not one file for both: it forgets what it has read ahead whenever it is written to.
            source, target = connection.makefile("r"), connection.makefile("w")
            connection.close()
            server = Server(copy.deepcopy(app), description, source, target)
            Thread(target=server.serve, daemon=True).start()


METHODS: dict[str, Callable[[Server, Any], Any]] = {
    "initialize": Server.nothing,
    "input": Server.input,
    "field/check": Server.nothing,
    "list/window": Server.window,
    "answer": Server.answer,
    "navigation/back": Server.refuse,
    "navigation/dismiss": Server.refuse,
    "navigation/popTo": Server.refuse,
    "navigation/selectTab": Server.refuse,
    "navigation/open": Server.refuse,
    "state/snapshot": Server.nothing,
    "state/settle": Server.nothing,
    "clock/advance": Server.refuse,
    "resource/read": Server.resource,
    "rpc.discover": Server.nothing,
    "$/cancelRequest": Server.nothing,
    "shutdown": Server.nothing,
}


if __name__ == "__main__":
    serve(Cart(), DESCRIPTION)
