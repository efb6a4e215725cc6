"""TypeScript types: tsc checks every message as a literal.

A missing member, an unknown one, and a wrong type are errors.
"""

import subprocess
from pathlib import Path

from openapi import generate
from stated import ALL_MISTAKES, JSON, Messages

OPTIONS = "withSeparateModelsAndApi=true,apiPackage=api,modelPackage=models"


def check(description: JSON, messages: Messages, folder: Path) -> None:
    generate("typescript-axios", description, folder, "--additional-properties", OPTIONS)
    # The generator would export the models in a file of the API, which is not generated.
    names = [path.stem for path in (folder / "models").glob("*.ts")]
    index = "".join(f"export * from './{name}';\n" for name in names if name != "index")
    (folder / "models/index.ts").write_text(index)
    # JavaScript already has an Error, so the generator renames ours.
    lines = ["import type {Document, Frame, ModelError as Error} from './models';"]
    for kind, values in messages.items():
        for number, value in enumerate(sorted(values)):
            lines.append(f"export const {kind}{number}: {kind} = {value};")
    for kind, values in ALL_MISTAKES.items():
        for number, value in enumerate(sorted(values)):
            lines.append("// @ts-expect-error")
            lines.append(f"export const mistaken{kind}{number}: {kind} = {value};")
    (folder / "check.ts").write_text("\n".join(lines))
    options = ("--strict", "--noEmit", "--module", "commonjs", "--target", "es2020")
    subprocess.run(["tsc", *options, folder / "check.ts"], check=True)
