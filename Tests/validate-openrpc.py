"""Checks an OpenRPC 1.3 document from stdin, such as `showcase describe` prints.

    showcase describe | python3 Tests/validate-openrpc.py [META_SCHEMA]

Validates the document against the OpenRPC meta-schema (schema.json of
github.com/open-rpc/meta-schema, Apache-2.0) if given. Always checks the rules that no JSON Schema
can express: unique names, resolvable references, and valid schemas. Fetches nothing: the
meta-schema's own references resolve to the jsonschema package.
"""

import json
import sys

from jsonschema import Draft7Validator
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT7

DRAFT_7 = "http://json-schema.org/draft-07/schema#"


def main():
    document = json.load(sys.stdin, object_pairs_hook=without_duplicates)
    faults = list(check_document(document))
    held_against = "its own rules"
    if len(sys.argv) > 1:
        with open(sys.argv[1], encoding="utf-8") as file:
            faults += check_meta_schema(document, json.load(file))
        held_against = "the meta-schema and its own rules"
    for fault in faults:
        print(f"OpenRPC: {fault}", file=sys.stderr)
    if faults:
        sys.exit(1)
    print(f"OpenRPC: {len(document['methods'])} methods, valid against {held_against}")


def check_meta_schema(document, meta_schema):
    # The repository's file leaves the list of versions to its release script.
    meta_schema["properties"]["openrpc"] = {"type": "string", "pattern": r"^1\.3\.\d+$"}
    meta_schema["$schema"] = DRAFT_7
    registry = Registry(retrieve=json_schema_tools)
    validator = Draft7Validator(meta_schema, registry=registry)
    for error in validator.iter_errors(document):
        yield f"{pointer(error.absolute_path)}: {deepest(error).message}"


def json_schema_tools(uri):
    """Returns JSON Schema draft 7 for the address that the meta-schema expects."""
    if "json-schema" not in uri:
        raise LookupError(uri)
    reference = {"type": "string", "format": "uri-reference"}
    contents = {
        "$schema": DRAFT_7,
        "allOf": [{"$ref": DRAFT_7}],
        "definitions": {"JSONSchemaObject": {"properties": {"$ref": reference}}},
    }
    if uri.rstrip("#") == DRAFT_7.rstrip("#").replace("http:", "https:"):
        contents = Draft7Validator.META_SCHEMA
    return Resource(contents=contents, specification=DRAFT7)


def check_document(document):
    if not isinstance(document, dict):
        yield "not an object"
        return
    if not str(document.get("openrpc", "")).startswith("1.3."):
        yield f"/openrpc: expected 1.3.x, found {document.get('openrpc')!r}"
    for member in ("title", "version"):
        if not isinstance(document.get("info", {}).get(member), str):
            yield f"/info/{member}: missing"
    if not isinstance(document.get("methods"), list):
        yield "/methods: missing"
        return
    yield from check_names(document["methods"], "/methods")
    for index, method in enumerate(document["methods"]):
        yield from check_method(document, method, f"/methods/{index}")
    for name, schema in document.get("components", {}).get("schemas", {}).items():
        yield from check_schema(schema, f"/components/schemas/{name}")
    yield from check_references(document, document, "")


def check_method(document, method, path):
    if "$ref" in method:
        return
    yield from check_names(method.get("params", []), f"{path}/params")
    if not method.get("params", []) == sorted(
        method.get("params", []), key=lambda param: not param.get("required", False)
    ):
        yield f"{path}/params: a required one after an optional one"
    for index, param in enumerate(method.get("params", [])):
        yield from check_schema(param.get("schema", True), f"{path}/params/{index}/schema")
    yield from check_schema(method.get("result", {}).get("schema", True), f"{path}/result/schema")
    yield from check_examples(document, method, path)
    codes = [error["code"] for error in method.get("errors", []) if "code" in error]
    if len(codes) != len(set(codes)):
        yield f"{path}/errors: a code twice"


def check_examples(document, method, path):
    """Yields an error for each example that does not fit the method's own schemas."""
    if not method.get("description"):
        yield f"{path}: no description"
    if not method.get("examples"):
        yield f"{path}: no examples"
    for index, example in enumerate(method.get("examples", [])):
        params = {param["name"]: param["value"] for param in example["params"]}
        pairs = [(params, method["x-params"], "params")]
        if "result" in example:
            pairs.append((example["result"]["value"], method["result"]["schema"], "result"))
        for value, schema, part in pairs:
            whole = {"components": document["components"], "allOf": [schema]}
            for error in Draft7Validator(whole).iter_errors(value):
                yield f"{path}/examples/{index}/{part}: {error.message}"


def check_names(items, path):
    names = [item["name"] for item in items if "name" in item]
    for name in sorted({name for name in names if names.count(name) > 1}):
        yield f"{path}: {name} twice"


def check_schema(schema, path):
    for error in Draft7Validator(Draft7Validator.META_SCHEMA).iter_errors(schema):
        yield f"{path}{pointer(error.absolute_path)}: {error.message}"


def check_references(value, document, path):
    """Yields an error for each local `$ref` that does not resolve."""
    for key, child in children(value):
        if key == "$ref" and isinstance(child, str) and child.startswith("#"):
            if not resolves(child[1:], document):
                yield f"{path}/$ref: {child} leads nowhere"
        yield from check_references(child, document, f"{path}/{key}")


def resolves(text, document):
    for token in text.split("/")[1:]:
        token = token.replace("~1", "/").replace("~0", "~")
        found = {str(key): child for key, child in children(document)}
        if token not in found:
            return False
        document = found[token]
    return True


def children(value):
    if isinstance(value, dict):
        return value.items()
    return enumerate(value) if isinstance(value, list) else ()


def deepest(error):
    """Returns the closest alternative of an `anyOf` or `oneOf`, which explains more."""
    while error.context:
        error = max(error.context, key=lambda inner: len(inner.absolute_path))
    return error


def pointer(path):
    return "".join(f"/{token}" for token in path)


def without_duplicates(pairs):
    if len(pairs) != len(dict(pairs)):
        raise ValueError(f"a member twice in {[name for name, _ in pairs]}")
    return dict(pairs)


main()
