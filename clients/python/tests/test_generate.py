"""The generated module: its types for pyright, and its requests to the app."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from offstage import Prompt, launch
from offstage.generate import generate
from offstage.schema import snake

REPOSITORY = Path(__file__).parents[3]

GOOD = """
from typing import assert_type

import offstage
from app import Dialog, DialogAnswer, Map, Pokedex, Prompts, SignUp


class Answers(Prompts):
    async def alert(self, prompt: offstage.Prompt[Dialog]) -> DialogAnswer:
        return {"button": prompt.params["buttons"][0]["id"]}


async def main() -> None:
    async with offstage.launch("showcase", prompts=Answers()) as core:
        form = await core.wait_for(SignUp)
        reply = await form.input.name_text("Kim")
        await form.input.name_text(None, settle=True)
        assert_type(reply.revision, int)
        assert_type(form.output["isConfirmEnabled"], bool)
        form.fields.email_text.write("kim@example.com")
        assert_type(form.fields.email_text.value, str | None)
        async for event in form.events.finished():
            assert_type(event.value["email"], str)
        plan = await core.wait_for(Map)
        await plan.input.bounds_changed(
            {"minLat": 37.4, "minLng": 126, "maxLat": 37.7, "maxLng": 128}
        )
        await plan.input.sort_by("rating")
        await plan.input.did_appear()
        dex = core.find(Pokedex)
        names: list[str] = [row["name"] for row in dex.output["pokemon"]] if dex else []
        print(names)
"""

BAD = {
    "form.input.naem_text('Kim')": "reportAttributeAccessIssue",
    "form.input.name_text(5)": "reportArgumentType",
    "form.input.name_text()": "reportCallIssue",
    "form.input.confirm('now')": "reportCallIssue",
    "form.fields.name_text.write(5)": "reportArgumentType",
    "form.output['isConfirmed']": "reportGeneralTypeIssues",
    "plan.input.sort_by('colour')": "reportArgumentType",
    "plan.input.bounds_changed({'minLat': 1})": "reportArgumentType",
    "plan.input.place_tapped('1')": "reportArgumentType",
    "plan.output['places'][0]['name'] + 1": "reportOperatorIssue",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, showcase: str) -> Path:
    """A folder with the generated module `app` in it."""
    folder = tmp_path_factory.mktemp("generated")
    command = [sys.executable, "-m", "offstage.generate", "--output", "app.py"]
    subprocess.run(
        [*command, showcase, "--deterministic"], cwd=folder, check=True, timeout=600
    )
    return folder


def pyright(folder: Path, *files: str) -> list[tuple[str, int, str]]:
    """Checks files in strict mode. Returns the file, line, and rule of each error."""
    settings = {"typeCheckingMode": "strict", "include": list(files)}
    (folder / "pyrightconfig.json").write_text(json.dumps(settings))
    result = subprocess.run(
        [
            sys.executable,
            "-m",
            "pyright",
            "--outputjson",
            "--pythonpath",
            sys.executable,
        ],
        cwd=folder,
        capture_output=True,
        check=False,
        timeout=600,
    )
    found = json.loads(result.stdout)["generalDiagnostics"]
    return [
        (Path(d["file"]).name, d["range"]["start"]["line"], d.get("rule", d["message"]))
        for d in found
    ]


def test_pyright_accepts_right_uses_and_rejects_wrong_ones(folder: Path) -> None:
    (folder / "good.py").write_text(GOOD)
    lines = [
        "from app import Map, SignUp",
        "def main(form: SignUp, plan: Map) -> None:",
    ]
    lines += [f"    print({use})" for use in BAD]
    (folder / "bad.py").write_text("\n".join(lines) + "\n")
    found = pyright(folder, "app.py", "good.py", "bad.py")
    assert [error for error in found if error[0] != "bad.py"] == []
    rules: dict[int, set[str]] = {}
    for _, line, rule in found:
        rules.setdefault(line, set()).add(rule)
    for number, (use, rule) in enumerate(BAD.items(), start=2):
        assert rule in rules.get(number, set()), use


def load(folder: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location("app", folder / "app.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


async def test_the_generated_module_drives_the_app(folder: Path, showcase: str) -> None:
    app: Any = load(folder)

    class Answers(app.Prompts):  # type: ignore[misc]
        async def alert(self, prompt: Prompt[Any]) -> Any:
            return {"button": prompt.params["buttons"][0]["id"]}

    assert list(Answers().handlers()) == ["alert"]
    arguments = ["--deterministic", "--root", "gallery"]
    async with launch(showcase, *arguments, prompts=Answers()) as core:
        gallery = await core.wait_for(app.Gallery)
        await gallery.input.alert("one")
        answer = await core.until(lambda: gallery.output["answer"])
        assert answer["button"]
        await gallery.input.close_count(1)


def test_the_description_in_the_repository_gives_a_module() -> None:
    path = REPOSITORY / "Protocol/openrpc.json"
    compile(generate(json.loads(path.read_text())), "app.py", "exec")


def test_named_types_keep_their_names_and_awkward_names_become_identifiers() -> None:
    mood = {"enum": ["fine", 'so "so"']}
    pet = {
        "type": "object",
        "properties": {"class": {"$ref": "#/components/schemas/Mood"}},
        "required": ["class"],
    }
    reference = {"$ref": "#/components/schemas/Pet"}
    inputs = {
        "class": {"x-role": "trigger"},
        "2nd-try": reference,
        "_screen": {"anyOf": [reference, {"type": "null"}]},
        "didTap": {},
        "did_tap": {},
        "note": {"type": "string", "x-role": "text", "title": 'A \\ "note"'},
    }
    source = generate(
        {
            "info": {"title": "pets", "version": "1"},
            "components": {"schemas": {"Pet": pet, "Mood": mood}},
            "x-screens": {"any": {"inputs": inputs, "outputs": {"pet": reference}}},
        }
    )
    compile(source, "app.py", "exec")
    for line in [
        'Mood: TypeAlias = "Literal[\\"fine\\", \\"so \\\\\\"so\\\\\\"\\"]"',
        "class Any2(offstage.Screen):",
        "def class_(self, *, settle: bool = False)",
        "def n2nd_try(",
        "def screen(",
        "value: Pet | None",
        "def did_tap2(",
        "def note(self) -> offstage.Field[str]:",
        "pet: Pet",
    ]:
        assert line in source, line


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("didAppear", "did_appear"),
        ("location.current", "location_current"),
        ("openURL", "open_url"),
        ("URLTapped", "url_tapped"),
        ("row2Tapped", "row2_tapped"),
    ],
)
def test_names_become_snake_case(name: str, expected: str) -> None:
    assert snake(name) == expected
