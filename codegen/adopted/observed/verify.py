"""Compare the objects of two runs: of the classes as they were, and as they are generated.

differences(before, after)    ->    12, ["heat.Plate, made in tests.test_plate:test_step: leaf .u was jax ..."]

Twins are objects that the same function made of the same kinds of arguments.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from codegen.adopted.observed.run import Observation

_SHOWN_MAX = 50


def differences(before: Observation, after: Observation) -> tuple[int, list[str]]:
    """How many objects have a twin, and what differs, a line each; the command's exit status too."""
    compared = 0
    found: list[str] = []
    if before.status != after.status:
        found.append(f"the command ended with {before.status} before, and with {after.status} now")
    for name, objects in before.objects.items():
        twins = after.objects.get(name, {})
        both = [key for key in objects if key in twins]
        compared += len(both)
        for key in both:
            for what in _differs(objects[key], twins[key]):
                found.append(f"`{name}`, made in {json.loads(key)[0]}: {what}")
        found += _treedefs(name, both, objects, twins)
    if any(before.objects.values()) and not compared:
        found.append("no object of before was made again, so that nothing can be compared")
    if len(found) > _SHOWN_MAX:
        found[_SHOWN_MAX:] = [f"and {len(found) - _SHOWN_MAX} more"]
    return compared, found


def _differs(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[str]:
    paths = [path for path, _ in old["leaves"]]
    if paths != [path for path, _ in new["leaves"]]:
        now = ", ".join(path for path, _ in new["leaves"])
        yield f"its leaves were {', '.join(paths)}, and are {now}"
    else:
        for (path, was), (_, now) in zip(old["leaves"], new["leaves"], strict=True):
            if was != now:
                yield f"the leaf `{path}` was {was}, and is {now}"
    for name, was in old["statics"].items():
        if new["statics"].get(name) != was:
            yield f"the static `{name}` was {was}, and is {new['statics'].get(name)}"
    if old["hash"] and old["asked"] and not new["hash"]:
        yield "it had a hash, which the command asked for, and has none"
    if old["kept"] and not new["kept"]:
        yield "`jax.tree.map` kept its class, and does not now"


def _treedefs(
    name: str, keys: list[str], objects: Mapping[str, Any], twins: Mapping[str, Any]
) -> Iterator[str]:
    """Objects whose treedefs were equal, and are not any more: each would be traced by itself."""
    groups: dict[str, str] = {}
    for key in keys:
        first = groups.setdefault(objects[key]["treedef"], key)
        old, new = twins[first]["treedef"], twins[key]["treedef"]
        if old.split()[0] == new.split()[0] and old != new:
            yield f"`{name}`: objects made in {json.loads(key)[0]} had equal treedefs, and have not now"
