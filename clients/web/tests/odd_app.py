#!/usr/bin/env python3
"""An app whose names say nothing, or the wrong thing: only its description says what they are.

odd_app.py            serves on standard input and output
odd_app.py describe   prints the description
"""

from __future__ import annotations

import json
import sys
from typing import Any

FLAG, TEXT = {"type": "boolean"}, {"type": ["string", "null"]}
TRIGGER: Any = {"type": "null", "x-role": "trigger"}

MARKDOWN = """# A **bold** start

Some *words*, `code`, and [a link](https://example.com/page).
<script>window.attacked = 1</script> <img src=x onerror="window.attacked = 2">

- ![a picture](https://example.com/picture.png)
- [not a link](javascript:window.attacked=3)
- [no link either](data:text/html,<script>window.attacked=4</script>)

```
<b>not bold</b>
```
"""

ROW: Any = {
    "type": "object",
    "properties": {
        "id": {"type": "integer", "x-role": "hidden"},
        "title": {"type": "string", "x-role": "subtitle"},
        "message": {"type": "string", "x-role": "title"},
        "retryable": {**FLAG, "x-role": "state", "x-state": "done"},
    },
}
DESCRIPTION: Any = {
    "info": {"title": "odd", "version": "1"},
    "components": {"schemas": {"Row": ROW}},
    "x-screens": {
        "odd": {
            "title": "Odd",
            "inputs": {
                "retry": {**TRIGGER, "title": "Go again"},
                "isSending": {**TRIGGER, "title": "Keep", "x-visibleBy": "stale"},
                "email": {"type": "string", "title": "Nickname", "x-role": "text"},
                "notes": {
                    "type": "string",
                    "title": "Where to find you",
                    "x-role": "text",
                    "x-purpose": "email",
                },
            },
            "fields": {},
            "outputs": {
                "problem": {**TEXT, "x-role": "failure", "x-retry": "retry"},
                "isMissing": {**FLAG, "title": "Missing"},
                "isLoadingMore": {
                    **FLAG,
                    "title": "Fetching more",
                    "x-role": "busy",
                    "x-of": ["query"],
                },
                "message": {**TEXT, "title": "Message"},
                "stale": {**FLAG, "title": "Stale", "x-role": "condition"},
                "heading": {**TEXT, "title": "Heading", "x-role": "title"},
                "query": {
                    "type": "array",
                    "items": {"$ref": "#/components/schemas/Row"},
                    "title": "Rows",
                },
                "pieces": {
                    "type": "array",
                    "items": {"type": "string"},
                    "title": "Pieces",
                },
                "mood": {**TEXT, "title": "Mood", "x-role": "mood"},
                "story": {**TEXT, "title": "Story", "contentMediaType": "text/markdown"},
            },
            "events": {},
        }
    },
}


class Odd:
    """The state and the inputs."""

    def __init__(self) -> None:
        self.revision = self.tries = 0

    @property
    def document(self) -> Any:
        output = {
            "problem": None if self.tries else "The line is cut.",
            "isMissing": True,
            "isLoadingMore": self.tries == 1,
            "message": "Not a failure",
            "stale": False,
            "heading": "A name of its own",
            "query": [
                {"id": 1, "title": "below", "message": "Above", "retryable": True},
                {"id": 2, "title": "low", "message": "High", "retryable": False},
            ],
            "pieces": ["one", "two"],
            "mood": "Sunny",
            "story": MARKDOWN,
        }
        root = {"type": "stack", "screens": ["1"]}
        return {
            "navigation": {"root": root, "presented": [], "modals": []},
            "screens": {"1": {"kind": "odd", "output": output}},
            "prompts": {},
        }

    def serve(self) -> None:
        for text in sys.stdin:
            request = json.loads(text)
            id, method = request.get("id"), request["method"]
            result: Any = {}
            match method:
                case "initialize":
                    self.frame(id)
                    result = {"protocol": 1, "app": {"name": "odd", "version": "1"}}
                case "rpc.discover":
                    result = DESCRIPTION
                case "state/snapshot":
                    result = {"state": self.document}
                case "input":
                    self.tries += request["params"]["name"] == "retry"
                    self.frame(id)
                case _:
                    pass
            if id is not None:
                result = {"revision": self.revision, **result}
                if method == "rpc.discover":
                    result = DESCRIPTION
                self.send(id=id, result=result)
            if method == "shutdown":
                return

    def frame(self, cause: Any) -> None:
        self.revision += 1
        patch = [{"op": "replace", "path": "", "value": self.document}]
        params = {"revision": self.revision, "cause": cause, "patch": patch}
        self.send(method="frame", params=params)

    @staticmethod
    def send(**message: Any) -> None:
        print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)


if __name__ == "__main__":
    print(json.dumps(DESCRIPTION)) if sys.argv[1:] == ["describe"] else Odd().serve()
