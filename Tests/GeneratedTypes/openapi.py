"""Runs OpenAPI Generator for the languages that it supports."""

import json
import subprocess
import sys
from pathlib import Path

from stated import JSON


def generate(language: str, description: JSON, folder: Path, *options: str) -> None:
    """Writes the types into the folder."""
    document = {
        "openapi": "3.1.0",
        "info": description["info"],
        "paths": {},
        "components": {"schemas": description["components"]["schemas"]},
    }
    (folder / "api.json").write_text(json.dumps(document))
    command = Path(sys.executable).with_name("openapi-generator-cli")
    subprocess.run(
        [
            *(command, "generate", "--generator-name", language, *options),
            *("--input-spec", folder / "api.json", "--output", folder),
            *("--global-property", "models,modelDocs=false,modelTests=false"),
        ],
        check=True,
        stdout=subprocess.DEVNULL,
    )
