#!/usr/bin/env python3
"""An app whose screen has parts: a cart with a header and lines, and notes in a line.

cart.py            serves on standard input and output
cart.py describe   prints the description
"""

from __future__ import annotations

import json
import sys
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


def serve(app: Any, description: Any) -> None:
    def send(**message: Any) -> None:
        print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)

    def frame(cause: Any, events: list[Any]) -> None:
        app.revision += 1
        patch = [{"op": "replace", "path": "", "value": app.document}]
        params = {"revision": app.revision, "cause": cause, "patch": patch}
        if events:
            params["events"] = [{"screen": "1", **event} for event in events]
        send(method="frame", params=params)

    for text in sys.stdin:
        request = json.loads(text)
        id, params = request.get("id"), request.get("params", {})
        result: Any = {"revision": app.revision}
        match request["method"]:
            case "initialize":
                frame(id, [])
                result = {"protocol": 1, "app": {"name": "cart", "version": "1"}}
            case "rpc.discover":
                result = description
            case "state/snapshot":
                result["state"] = app.document
            case "input":
                try:
                    frame(id, app.input(params["name"].split("/"), params.get("value")))
                    result = {"revision": app.revision}
                except LookupError:
                    data: Any = {"screen": "1", "inputs": []}
                    error = {"code": 1002, "message": "no such input", "data": data}
                    send(id=id, error=error)
                    continue
            case _:
                pass
        if id is not None:
            send(id=id, result=result)
        if request["method"] == "shutdown":
            return


if __name__ == "__main__":
    print(json.dumps(DESCRIPTION)) if sys.argv[1:] == ["describe"] else serve(
        Cart(), DESCRIPTION
    )
