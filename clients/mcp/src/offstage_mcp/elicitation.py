"""Puts the core's prompts to the agent's user."""

from __future__ import annotations

from typing import Any

from mcp.types import ElicitRequest, ElicitRequestFormParams, ElicitResult
from offstage import JSON

_ALERTS = ("alert", "confirmationDialog")
_PRIMITIVES = {"string", "number", "integer", "boolean"}


def question(prompt: JSON, description: JSON) -> ElicitRequest | None:
    """Returns the form for a prompt, or None if its answer does not fit in a form."""
    kind: str = prompt["kind"]
    params: JSON = prompt["params"]
    if kind in _ALERTS:
        message = "\n".join(filter(None, [params["title"], params.get("message")]))
        properties: dict[str, JSON] = {
            "button": {
                "type": "string",
                "title": "Button",
                "enum": [button["id"] for button in params["buttons"]],
                "enumNames": [button["title"] for button in params["buttons"]],
            }
        }
        fields: list[JSON] = params["fields"] or []
        for field in fields:
            properties[field["id"]] = {"type": "string", "title": field["placeholder"]}
        return _form(message, properties, ["button"])
    answer = description.get("x-prompts", {}).get(kind, {}).get("answer", {})
    properties = answer.get("properties", {})
    if any(schema.get("type") not in _PRIMITIVES for schema in properties.values()):
        return None
    return _form(f"The app asks for {kind}.", properties, answer.get("required", []))


def answer(prompt: JSON, result: ElicitResult) -> dict[str, Any]:
    """Returns the arguments of `Core.answer` for what the user did."""
    if result.action != "accept":
        return {"dismissed": True}
    content = dict(result.content or {})
    if prompt["kind"] not in _ALERTS:
        return {"value": content}
    button = content.pop("button", None)
    fields = content if prompt["params"].get("fields") else None
    return {"value": {"button": button, "fields": fields}}


def _form(message: str, properties: JSON, required: list[str]) -> ElicitRequest:
    schema: JSON = {"type": "object", "properties": properties, "required": required}
    return ElicitRequest(
        params=ElicitRequestFormParams(message=message, requested_schema=schema)
    )
