"""Passes the core's questions on to the agent's user."""

from __future__ import annotations

from typing import Any

from mcp.types import ElicitRequest, ElicitRequestFormParams, ElicitResult
from offstage import JSON, Description

_ANSWER = "answer"
_PRIMITIVES = {"string", "number", "integer", "boolean"}


def question(prompt: JSON, description: Description) -> ElicitRequest | None:
    """Returns the form for a prompt, or None if a form cannot hold the answer."""
    kind: str = prompt["kind"]
    params: JSON = prompt["params"] or {}
    if "buttons" in params:
        return _dialog(params)
    schemas = description.prompts.get(kind, {})
    properties = _answer_properties(kind, description)
    if any(schema.get("type") not in _PRIMITIVES for schema in properties.values()):
        return None
    about = description.say(params, schemas.get("params", {}))
    message = f"The app asks for {kind}." + (f" {about}" if about else "")
    required = description.resolve(schemas.get("answer", {})).get("required", [])
    return _form(message, properties, [*required, *({_ANSWER} & properties.keys())])


def answer(
    prompt: JSON, result: ElicitResult, description: Description
) -> dict[str, Any]:
    """Returns the arguments of `Core.answer` for the user's action."""
    if result.action != "accept":
        return {"dismissed": True}
    content: dict[str, JSON] = dict(result.content or {})
    params: JSON = prompt["params"] or {}
    if "buttons" in params:
        button = content.pop("button", None)
        return {"value": {"button": button, "fields": content or None}}
    if _ANSWER in _answer_properties(prompt["kind"], description):
        return {"value": content.get(_ANSWER)}
    return {"value": content or None}


def _answer_properties(kind: str, description: Description) -> dict[str, JSON]:
    """Returns the members of a prompt's answer, or a single value as `answer`."""
    schema = description.resolve(description.prompts.get(kind, {}).get("answer", {}))
    if "type" in schema and "properties" not in schema:
        return {_ANSWER: dict(schema)}
    return {
        name: dict(description.member(schema, name))
        for name in schema.get("properties", {})
    }


def _dialog(params: JSON) -> ElicitRequest:
    message = "\n".join(filter(None, [params["title"], params.get("message")]))
    properties: dict[str, JSON] = {
        "button": {
            "type": "string",
            "title": "Button",
            "enum": [button["id"] for button in params["buttons"]],
            "enumNames": [button["title"] for button in params["buttons"]],
        }
    }
    fields: list[JSON] = params.get("fields") or []
    for field in fields:
        properties[field["id"]] = {"type": "string", "title": field["placeholder"]}
    return _form(message, properties, ["button"])


def _form(message: str, properties: JSON, required: list[str]) -> ElicitRequest:
    schema: JSON = {"type": "object", "properties": properties, "required": required}
    return ElicitRequest(
        params=ElicitRequestFormParams(message=message, requested_schema=schema)
    )
