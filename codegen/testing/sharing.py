"""Put one part at all paths that share it.

share([[("embed",), ("encoder", "embed")]], arguments)  # arguments["encoder"].embed is theirs
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any

from codegen.testing.declared import record_of, roles_of


def share(shares: Any, arguments: dict[str, Any]) -> None:
    """Put the owner's part at every path of a row."""
    for owner, *borrowers in shares:
        part = _get(arguments, owner)
        # A class on the way to a borrower may share parts of it.
        for path in (*borrowers, owner, *borrowers):
            _put(arguments, shares, path, part)
            part = _get(arguments, path)


def _get(arguments: Mapping[str, Any], path: tuple[str, ...]) -> Any:
    return functools.reduce(getattr, path[1:], arguments[path[0]])


def _put(arguments: dict[str, Any], shares: Any, path: tuple[str, ...], part: Any) -> None:
    """Put a part at a path, and at the paths that share it."""
    waiting = [(tuple(path), part)]
    done: set[tuple[str, ...]] = set()
    while waiting:
        path, part = waiting.pop()
        if path in done:
            continue
        done.add(path)
        name, *rest = path
        arguments[name] = _with(arguments[name], tuple(rest), part)
        for row in shares:
            for one in map(tuple, row):
                if path[: len(one)] == one:
                    waiting += [((*each, *path[len(one) :]), part) for each in row]
                elif one[: len(path)] == path:
                    waiting += [(tuple(each), _get(arguments, one)) for each in row]


def _with(obj: Any, path: tuple[str, ...], part: Any) -> Any:
    if not path:
        return part
    before = {name: getattr(obj, name) for name in roles_of(obj) or ()}
    after = dict(before)
    _put(after, record_of(type(obj)).shares, path, part)
    changed = {name: each for name, each in after.items() if each is not before[name]}
    return obj.replace(**changed) if changed else obj
