"""Prompts: forms for the user, or else the tool `answer`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from mcp import Client
from mcp.client import ClientRequestContext
from mcp.types import ElicitRequestFormParams, ElicitRequestParams, ElicitResult

from offstage_mcp import build

from .support import Mode, both, call, connect, look, names, text


@both
async def test_prompts_are_put_to_the_user(showcase: str, mode: Mode) -> None:
    asked: list[ElicitRequestFormParams] = []

    async def elicit(
        context: ClientRequestContext, params: ElicitRequestParams
    ) -> ElicitResult:
        assert isinstance(params, ElicitRequestFormParams)
        asked.append(params)
        button = params.requested_schema["properties"]["button"]["enum"][0]
        return ElicitResult(action="accept", content={"button": button})

    options: dict[str, Any] = {"mode": mode, "elicitation_callback": elicit}
    async with connect(showcase, "--root", "gallery", **options) as client:
        changed = await call(client, "gallery-alert", value="Sure?")
        assert changed["prompts"] == {}
        assert changed["settled"]
        [form] = asked
        assert "Sure?" in form.message
        answer = await look(client, "/screens/1/output/answer")
        assert answer["button"] in form.requested_schema["properties"]["button"]["enum"]


@both
async def test_prompts_for_the_device_are_forms_with_named_members(
    showcase: str, mode: Mode
) -> None:
    async def elicit(
        context: ClientRequestContext, params: ElicitRequestParams
    ) -> ElicitResult:
        assert isinstance(params, ElicitRequestFormParams)
        assert params.requested_schema["required"] == ["lat", "lng"]
        assert params.requested_schema["properties"]["lat"]["maximum"] == 90
        return ElicitResult(action="accept", content={"lat": 37.5, "lng": 127.0})

    server = build(
        *(showcase, "--deterministic", "--root", "map"), announce=["location.current"]
    )
    async with Client(server, mode=mode, elicitation_callback=elicit) as client:
        await call(client, "map-locateTapped")
        center = await look(client, "/screens/1/output/center")
        assert center == {"lat": 37.5, "lng": 127}


@both
async def test_a_client_without_forms_answers_by_a_tool(
    showcase: str, mode: Mode
) -> None:
    async with connect(showcase, "--root", "gallery", mode=mode) as client:
        assert "answer" not in await names(client)
        changed = await call(client, "gallery-alert", value="Sure?")
        [(id, prompt)] = changed["prompts"].items()
        button = prompt["params"]["buttons"][0]["id"]
        value = {"button": button, "fields": None}
        await call(client, "answer", prompt=id, value=value)
        answer = await look(client, "/screens/1/output/answer")
        assert answer["button"] == button


PICTURE = b"PNG, or so"
ANSWERS: list[tuple[str, Any, str]] = [
    ("tellFriends", {}, "shared"),
    ("copyWord", {}, "copied"),
    ("openMap", {}, "opened"),
    ("addPhoto", {"path": "house.png"}, f"house.png {len(PICTURE)}"),
    ("savePlan", {"path": "new.svg"}, "saved"),
    ("pickDay", {"date": "2026-03-02"}, "2026-03-02"),
    (
        "signIn",
        {"url": "meanings://done?code=1", "callback": None},
        "meanings://done?code=1",
    ),
    ("lend", True, "true"),
    ("ring", {}, "rung"),
]


@pytest.mark.parametrize(("asks", "value", "reply"), ANSWERS)
async def test_an_agent_answers_each_prompt_by_the_tool(
    meanings: str, tmp_path: Path, asks: str, value: Any, reply: str
) -> None:
    (tmp_path / "house.png").write_bytes(PICTURE)
    match value:
        case {"path": name}:
            value = {"path": str(tmp_path / name)}
        case _:
            pass
    async with connect(meanings, "--root", "ask") as client:
        [prompt] = (await call(client, f"ask-{asks}"))["prompts"]
        await call(client, "answer", prompt=prompt, value=value)
        assert await look(client, "/screens/1/output/reply") == reply
    if asks == "savePlan":
        assert b"<svg" in (tmp_path / "new.svg").read_bytes()


@pytest.mark.parametrize(("asks", "value", "reply"), ANSWERS)
async def test_a_user_answers_each_prompt_by_a_form(
    meanings: str, tmp_path: Path, asks: str, value: Any, reply: str
) -> None:
    (tmp_path / "house.png").write_bytes(PICTURE)

    async def elicit(
        context: ClientRequestContext, params: ElicitRequestParams
    ) -> ElicitResult:
        assert isinstance(params, ElicitRequestFormParams)
        content: dict[str, Any] = {"answer": value}
        if isinstance(value, dict):
            content = {**value}
        if "path" in content:
            content["path"] = str(tmp_path / content["path"])
        assert content.keys() <= params.requested_schema["properties"].keys()
        content = {name: each for name, each in content.items() if each is not None}
        return ElicitResult(action="accept", content=content)

    options: dict[str, Any] = {"elicitation_callback": elicit}
    async with connect(meanings, "--root", "ask", **options) as client:
        await call(client, f"ask-{asks}")
        assert await look(client, "/screens/1/output/reply") == reply


async def test_the_path_of_a_file_is_suggested_and_checked(
    meanings: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "Downloads").mkdir()
    (tmp_path / "plan.svg").write_text("mine")
    async with connect(meanings, "--root", "ask") as client:
        [prompt] = (await call(client, "ask-savePlan"))["prompts"]
        [tool] = [
            each
            for each in (await client.list_tools(cache_mode="bypass")).tools
            if each.name == "answer"
        ]
        value = tool.input_schema["properties"]["value"]
        suggested = value["properties"]["path"]["default"]
        # The name that the app gives is ../plan.svg.
        assert suggested == str(tmp_path / "Downloads" / "plan.svg")
        taken = {"path": str(tmp_path / "plan.svg")}
        refused = await client.call_tool("answer", {"prompt": prompt, "value": taken})
        assert refused.is_error and "already exists" in text(refused)
        await call(client, "answer", prompt=prompt, value={"path": suggested})
        assert await look(client, "/screens/1/output/reply") == "saved"
    assert (tmp_path / "plan.svg").read_text() == "mine"


@pytest.mark.parametrize("asks", ["locate", "permit", "remind"])
async def test_what_only_a_device_can_do_is_refused(
    meanings: str, capfd: pytest.CaptureFixture[str], asks: str
) -> None:
    async with connect(meanings, "--root", "ask") as client:
        await call(client, f"ask-{asks}")
        reply = await look(client, "/screens/1/output/reply")
        assert (
            reply == "no answer: An assistant uses the app, and has no device for this."
        )
    assert "Traceback" not in capfd.readouterr().err


async def test_a_mistake_is_told_while_a_prompt_waits(meanings: str) -> None:
    async with connect(meanings, "--root", "ask") as client:
        [prompt] = (await call(client, "ask-pickDay"))["prompts"]
        early = {"date": "2025-01-01"}
        for tool, arguments in (
            ("answer", {"prompt": prompt, "value": early}),
            ("ask-signInAt", {"value": 3}),
        ):
            assert (await client.call_tool(tool, arguments)).is_error
        assert prompt in (await call(client, "look"))["value"]["prompts"]
