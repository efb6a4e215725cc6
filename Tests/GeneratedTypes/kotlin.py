"""Kotlin classes: no message may change when it is decoded and encoded again."""

import json
import subprocess
import sys
import sysconfig
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import cast

from openapi import generate
from stated import JSON, MISTAKES, Messages

JARS = Path(sysconfig.get_path("purelib"), "run_kotlin_kernel/jars")
OPTIONS = (
    "serializationLibrary=kotlinx_serialization,generateOneOfAnyOfWrappers=true,"
    "packageName=app,omitGradleWrapper=true"
)
# kotlinx.serialization has no serializers for the classes of the Java library.
TYPES = "number=kotlin.Double,URI=kotlin.String,DateTime=kotlin.String"


def check(description: JSON, messages: Messages, folder: Path) -> None:
    generate(
        *("kotlin", plain(description), folder, "--library", "jvm-retrofit2"),
        *("--additional-properties", OPTIONS, "--type-mappings", TYPES),
        # An enum in Kotlin cannot have a case "name".
        *("--enum-name-mappings", "name=name_"),
        # The generator's union of a string and numbers does not compile.
        *("--schema-mappings", "RequestID=kotlinx.serialization.json.JsonPrimitive"),
    )
    compile(folder)
    for kind, value, again in decode(messages, folder):
        if bare(json.loads(again)) != bare(json.loads(value)):
            sys.exit(f"kotlin: {kind} changes\n{value}\n{again}")
    for kind, value, again in decode(MISTAKES, folder):
        if not again.startswith('"'):
            sys.exit(f"kotlin: {kind} accepts {value}")


def plain(schema: JSON) -> JSON:
    """Removes enums of numbers and Booleans, which the generator takes for strings."""
    if isinstance(schema, list):
        return [plain(each) for each in cast(list[JSON], schema)]
    if not isinstance(schema, dict):
        return schema
    members = cast(dict[str, JSON], schema)
    values = members.get("enum", [members.get("const")])
    if not all(value is None or isinstance(value, str) for value in values):
        members = {k: v for k, v in members.items() if k not in ("enum", "const")}
    return {name: plain(member) for name, member in members.items()}


def compile(folder: Path) -> None:
    # The compiler's file contains the plug-in for serialization, but does not name it.
    registrar = "org.jetbrains.kotlin.compiler.plugin.CompilerPluginRegistrar"
    serialization = "org.jetbrains.kotlinx.serialization.compiler.extensions"
    with zipfile.ZipFile(folder / "plugin.jar", "w") as jar:
        jar.writestr(
            f"META-INF/services/{registrar}", f"{serialization}.SerializationComponentRegistrar"
        )
    subprocess.run(
        [
            *("java", "-cp", f"{JARS}/*", "org.jetbrains.kotlin.cli.jvm.K2JVMCompiler"),
            *("-no-stdlib", "-no-reflect", "-nowarn", f"-Xplugin={folder}/plugin.jar"),
            *("-cp", ":".join(map(str, JARS.glob("kotlin*-[sj]*.jar"))), "-d", folder / "classes"),
            *(Path(__file__).with_name("Check.kt"), *folder.rglob("*.kt")),
        ],
        check=True,
    )


def bare(value: JSON) -> JSON:
    """Removes null members: a property in Kotlin is null if its member is null or missing."""
    if isinstance(value, list):
        return [bare(each) for each in cast(list[JSON], value)]
    if isinstance(value, dict):
        members = cast(dict[str, JSON], value)
        return {name: bare(each) for name, each in members.items() if each is not None}
    return value


def decode(messages: Messages, folder: Path) -> Iterator[tuple[str, str, str]]:
    """Yields each message, and its text after decoding and encoding."""
    sent = [(kind, value) for kind, values in messages.items() for value in sorted(values)]
    output = subprocess.run(
        ["java", "-cp", f"{folder}/classes:{JARS}/*", "CheckKt"],
        check=True,
        input="\n".join(f"{kind} {value}" for kind, value in sent),
        stdout=subprocess.PIPE,
        text=True,
    ).stdout
    for (kind, value), again in zip(sent, output.splitlines(), strict=True):
        yield kind, value, again
