"""Passes the core's questions on to the agent's user."""

from __future__ import annotations

from mcp.types import ElicitRequest, ElicitRequestFormParams
from offstage import JSON, Description

from .prompts import answer_schema

_ANSWER = "answer"
_PRIMITIVES = {"string", "number", "integer", "boolean"}


def question(prompt: JSON, description: Description) -> ElicitRequest | None:
    """Returns the form for a prompt, or None if a form cannot hold the answer."""
    params: JSON = prompt["params"] or {}
    if "buttons" in params:
        return _dialog(params)
    about = description.prompts.get(prompt["kind"], {"title": prompt["kind"]})
    schema = description.resolve(answer_schema(prompt, description))
    properties = _properties(schema, description)
    if any(each.get("type") not in _PRIMITIVES for each in properties.values()):
        return None
    said = description.say(params, about.get("params", {}))
    texts = [about["title"], about.get("description"), said]
    required = schema.get("required", [])
    return _form(
        "\n".join(filter(None, texts)),
        properties,
        [*required, *({_ANSWER} & properties.keys())],
    )


def answer(prompt: JSON, content: dict[str, JSON], description: Description) -> JSON:
    """Returns the answer that a filled-in form has."""
    if "buttons" in (prompt["params"] or {}):
        button = content.pop("button", None)
        return {"button": button, "fields": content or None}
    schema = description.resolve(answer_schema(prompt, description))
    is_single = _ANSWER in _properties(schema, description)
    return content.get(_ANSWER) if is_single else content


def _properties(schema: JSON, description: Description) -> dict[str, JSON]:
    """Returns the members of a prompt's answer, or a single value as `answer`."""
    is_open = schema.get("type") != "object" or "additionalProperties" in schema
    if is_open and "properties" not in schema:
        return {_ANSWER: dict(schema)}
    return {
        name: _without_null(description.member(schema, name))
        for name in schema.get("properties", {})
    }


def _without_null(schema: JSON) -> JSON:
    """Returns the schema of a member that a form may leave out."""
    match schema.get("type"):
        case [kind, "null"]:
            return {**schema, "type": kind}
        case _:
            return dict(schema)


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
