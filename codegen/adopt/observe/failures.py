"""Record which class an exception is about, and the classes of test files: PYTEST_DONT_REWRITE.

It imports nothing of codegen: see `recorder.py`. pytest loads it as a plugin.
"""

from __future__ import annotations

import linecache
import re
import sys
import traceback
from collections.abc import Iterator
from typing import Any

from .describe import RECORDED

FAILURES: list[tuple[str, str, str]] = []
"""The class, or an empty text; the test, if pytest runs; the exception."""
_RECORDERS: list[Any] = []
_TEXT_MAX = 300
_TEXTS_MAX = 200


def start(recorder: Any) -> None:
    """Record exceptions that end the program, and those of tests."""
    show = sys.excepthook

    def excepthook(kind: Any, error: Any, trace: Any) -> None:
        _record(error, "")
        show(kind, error, trace)

    sys.excepthook = excepthook
    _RECORDERS.append(recorder)


def pytest_itemcollected(item: Any) -> None:
    """Record the classes of the test's file: pytest imports it with its own loader."""
    if hasattr(item, "module"):
        _RECORDERS[0].wrap(item.module)


def pytest_exception_interact(node: Any, call: Any) -> None:
    """Record the exception of a test, or of a test file that cannot be imported."""
    if call.excinfo is not None:
        _record(call.excinfo.value, node.nodeid)


def _record(error: BaseException, test: str) -> None:
    if len(FAILURES) < _TEXTS_MAX:
        text = " ".join(f"{type(error).__name__}: {error}".split())[:_TEXT_MAX]
        FAILURES.append((next(_owners(error), ""), test, text))


def _owners(error: BaseException) -> Iterator[str]:
    """Yield the classes that the exception is about, the most certain first."""
    kind = type(getattr(error, "obj", None))  # what an AttributeError is about
    yield from (RECORDED[one] for one in kind.__mro__ if one in RECORDED)
    frames = [frame for frame, _ in traceback.walk_tb(error.__traceback__)]
    for frame in frames[::-1]:
        yield from _classes_of_code(frame)
    for cls, name in RECORDED.items():
        if re.search(rf"['`\"]{cls.__qualname__}['`\".]", str(error)):
            yield name


def _classes_of_code(frame: Any) -> Iterator[str]:
    """Yield the class whose generated code or mixin a frame runs."""
    recorder = _RECORDERS[0]
    module, name = str(frame.f_globals.get("__name__", "")), frame.f_code.co_qualname
    file = frame.f_code.co_filename
    if recorder.generated and file.startswith(recorder.generated):
        # The classes of a generated module come before the functions that they need.
        lines = linecache.getlines(file)[: frame.f_lineno]
        above = [match[1] for line in lines if (match := re.match(r"class _?(\w+)", line))]
        sources = [
            one for one in recorder.classes if one.rpartition(".")[2] == module.rpartition(".")[2]
        ]
        yield from (
            f"{one}.{above[-1]}" for one in sources if above and above[-1] in recorder.classes[one]
        )
    elif (own := recorder.original_name(module, name)) != name:
        yield f"{module}.{own.partition('.')[0]}"
