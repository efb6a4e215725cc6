"""What pages need of an app's description: one file for all visitors, which browsers keep."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from weakref import WeakValueDictionary

from offstage import Description
from offstage.connection import dump
from offstage.pointer import JSON, is_array, is_object
from offstage.share import About

UNDRAWN = {"methods", "components", "x-language", "x-notifications", "x-state"}
"""The members that no page draws. Without them, half of the bytes are left."""
UNSEEN = {"argument", "result"}
"""The members of a screen that no page draws."""


@dataclass(eq=False)
class File(About):
    """A description in one language, as long as a core has it.

    Attributes:
        address: changes with the content.
    """

    address: str
    content: bytes


files: WeakValueDictionary[str, File] = WeakValueDictionary()
"""By address, since the cores of all visitors share them."""


def publish(description: JSON) -> File:
    """Returns the file with what is drawn of a description."""
    part = drawn(description)
    content = dump(part)
    digest = hashlib.sha256(content).hexdigest()[:16]
    address = f"/page/description-{digest}.json"
    members = {"description": address}
    file = File(Description(part), address, content, members=members)
    return files.setdefault(address, file)


def drawn(description: JSON) -> JSON:
    """Returns the screens, parts, and prompts of a description, and the types in them."""
    kept = {name: description[name] for name in description if name not in UNDRAWN}
    screens: dict[str, JSON] = description.get("x-screens", {})
    kept["x-screens"] = {
        kind: {name: screen[name] for name in screen if name not in UNSEEN}
        for kind, screen in screens.items()
    }
    types = description.get("components", {}).get("schemas", {})
    used: dict[str, JSON] = {}
    rest: list[JSON] = [kept]
    while rest:
        value = rest.pop()
        if is_object(value):
            name = str(value.get("$ref", "")).rpartition("/")[2]
            if name in types and name not in used:
                used[name] = types[name]
                rest.append(types[name])
            rest.extend(value.values())
        elif is_array(value):
            rest.extend(value)
    return _lean({**kept, "components": {"schemas": used}})


def _lean(value: JSON) -> JSON:
    """Leaves out which members an object must have, since a page draws those that it has."""
    if is_array(value):
        return [_lean(each) for each in value]
    if not is_object(value):
        return value
    return {
        name: _lean(each)
        for name, each in value.items()
        # A member that an app calls so has a schema.
        if not (name == "required" and is_array(each))
    }
