"""Python classes: no message may change when it is decoded and encoded again."""

import importlib.util
import json
import subprocess
import sys
from pathlib import Path
from types import ModuleType

from stated import ALL_MISTAKES, JSON, Messages
from pydantic import BaseModel, ValidationError

PYTHON = Path(sys.executable).parent


def check(description: JSON, messages: Messages, folder: Path) -> None:
    generate(description, folder)
    (folder / "pyrightconfig.json").write_text('{"typeCheckingMode": "strict"}')
    pyright = [PYTHON / "pyright", "--pythonpath", sys.executable, "--project", folder]
    subprocess.run(pyright, check=True, stdout=subprocess.DEVNULL)
    models = load(folder / "api.py")
    for kind, values in messages.items():
        for value in values:
            decoded = getattr(models, kind).model_validate_json(value)
            again = json.loads(decoded.model_dump_json(by_alias=True, exclude_unset=True))
            if again != json.loads(value):
                sys.exit(f"python: {kind} changes\n{value}\n{json.dumps(again)}")
    for kind, values in ALL_MISTAKES.items():
        for value in values:
            if accepts(getattr(models, kind), value):
                sys.exit(f"python: {kind} accepts {value}")


def accepts(model: type[BaseModel], value: str) -> bool:
    try:
        model.model_validate_json(value)
    except ValidationError:
        return False
    return True


def generate(description: JSON, folder: Path) -> None:
    (folder / "api.json").write_text(json.dumps(description))
    subprocess.run(
        [
            *(PYTHON / "datamodel-codegen", "--input", folder / "api.json"),
            *("--input-file-type", "openapi", "--output", folder / "api.py"),
            *("--output-model-type", "pydantic_v2.BaseModel"),
            *("--target-python-version", "3.11", "--extra-fields", "forbid"),
            *("--formatters", "builtin", "--use-annotated"),
            # An enum in Python cannot have a case "name".
            *("--enum-field-as-literal", "all"),
        ],
        check=True,
    )


def load(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location("api", path)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules["api"] = module
    spec.loader.exec_module(module)
    return module
