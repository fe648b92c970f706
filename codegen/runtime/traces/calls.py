# pyright: reportUnknownArgumentType=false, reportUnknownLambdaType=false, reportUnknownMemberType=false, reportUnknownVariableType=false
"""The call of a function that JAX traces or compiles for, found on the stack.

    current_call().program, current_call().leaves

Nothing is noted by a call, for that would cost those that find what is compiled.
"""

import contextlib
import os
import sys
from collections.abc import Callable, Iterator
from types import CodeType, FrameType
from typing import Any, Final, NamedTuple, TypeVar

F = TypeVar("F", bound=Callable[..., Any])

# The package that this folder is in.
HERE: Final = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep
# `jax.extend` has it, too, but imports Pallas. Without it JAX shows a line of ours.
with contextlib.suppress(ImportError):
    from jax._src.source_info_util import register_exclusion

    register_exclusion(HERE)

# What calls a compiled function: with locals named as the fields of `Call`.
_ENTRIES: Final = set[CodeType]()


class Call(NamedTuple):
    """A call of a compiled function."""

    # The function of JAX that is called, with what stands before the leaves.
    compiled: Any
    program: Any
    leaves: list[Any]
    frame: FrameType


def entry(method: F) -> F:
    """Have calls found by this method of a program, which compiled functions are called by."""
    _ENTRIES.add(method.__code__)
    return method


def current_call() -> Call | None:
    """Return the innermost call of this thread."""
    for frame in frames(sys._getframe(1)):  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
        if frame.f_code in _ENTRIES:
            given = frame.f_locals
            return Call(given["compiled"], given["self"], given["leaves"], frame)
    return None


def frames(frame: FrameType | None) -> Iterator[FrameType]:
    """Return a frame and those that called it."""
    while frame is not None:
        yield frame
        frame = frame.f_back
