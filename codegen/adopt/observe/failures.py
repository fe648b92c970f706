"""Record which class an exception is about, and the classes of test files: PYTEST_DONT_REWRITE.

It imports nothing of codegen: see `recorder.py`. pytest loads it as a plugin.
"""

from __future__ import annotations

import linecache
import os
import re
import sys
import traceback
from collections.abc import Iterator
from typing import Any

from .describe import RECORDED

FAILURES: list[tuple[str, str, str]] = []
"""The class, or an empty text; the test, if pytest runs; the exception."""
_TEXT_MAX = 300
_TEXTS_MAX = 200
_OWNERS = ("cls", "self", "obj")


def start(classes: dict[str, Any], generated: str, wrap: Any) -> None:
    """Record exceptions that end the program; `generated` is the folder of the output.

    `wrap` records the classes of a module. pytest imports test files with its own loader.
    """
    show = sys.excepthook

    def excepthook(kind: Any, error: Any, trace: Any) -> None:
        _record(error, "")
        show(kind, error, trace)

    sys.excepthook = excepthook
    _CONFIG.update(classes=classes, generated=generated, wrap=wrap)


_CONFIG: dict[str, Any] = {}


def pytest_itemcollected(item: Any) -> None:
    """Record the classes of the test's file."""
    if hasattr(item, "module"):
        _CONFIG["wrap"](item.module)


def pytest_exception_interact(node: Any, call: Any) -> None:
    """Record the exception of a test, or of a test file that cannot be imported."""
    if call.excinfo is not None:
        _record(call.excinfo.value, node.nodeid)


def _record(error: BaseException, test: str) -> None:
    if len(FAILURES) < _TEXTS_MAX:
        text = " ".join(f"{type(error).__name__}: {error}".split())[:_TEXT_MAX]
        frames = [frame for frame, _ in traceback.walk_tb(error.__traceback__)][::-1]
        FAILURES.append((next(_owners(error, frames), ""), test, text))


def _owners(error: BaseException, frames: list[Any]) -> Iterator[str]:
    """Yield the classes that the exception is about, the most certain first."""
    yield from _recorded(getattr(error, "obj", None))  # what an AttributeError is about
    ours = [one for one in frames if _is_generated(one)]
    for frame in ours:
        for name in _OWNERS:
            yield from _recorded(frame.f_locals.get(name))
    for cls, name in RECORDED.items():
        if re.search(rf"['`\"]{cls.__qualname__}['`\".]", str(error)):
            yield name
    for frame in ours:
        if frame.f_code.co_name == "<module>":
            yield from _class_above(frame)
    for frame in frames:
        for name in _OWNERS:
            yield from _recorded(frame.f_locals.get(name))


def _recorded(value: Any) -> Iterator[str]:
    cls = value if isinstance(value, type) else type(value)
    for one in cls.__mro__:
        if one in RECORDED:
            yield RECORDED[one]


def _is_generated(frame: Any) -> bool:
    file: str = frame.f_code.co_filename
    folder: str = _CONFIG["generated"]
    return bool(folder) and file.replace(os.sep, "/").startswith(folder)


def _class_above(frame: Any) -> Iterator[str]:
    """Yield the class that a generated module was defining when its import failed."""
    lines = linecache.getlines(frame.f_code.co_filename)[: frame.f_lineno]
    found = [match[1] for line in lines if (match := re.match(r"class _?(\w+)", line))]
    last = str(frame.f_globals.get("__name__", "")).rpartition(".")[2]
    for module, classes in _CONFIG["classes"].items():
        if found and found[-1] in classes and module.rpartition(".")[2] == last:
            yield f"{module}.{found[-1]}"
