"""Whether JAX traces, and the function call for which it traces or compiles.

    is_tracing()                                # False
    jax.vmap(lambda x: is_tracing())(xs)        # True inside

    current_call().program, current_call().donated
    user_place()                                # ("run.py", 41)

A tracer exists only while its trace is active, so `is_tracing` covers arguments too.
"""

import contextlib
import functools
import inspect
import os
import sys
import traceback
from collections.abc import Callable, Sequence
from types import CodeType, FrameType
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar

import jax

from .internals import active, no_trace, source_info

if TYPE_CHECKING:
    from .call.programs import CompiledProgram

F = TypeVar("F", bound=Callable[..., Any])

# The directory of this package.
HERE: Final = os.path.dirname(os.path.abspath(__file__)) + os.sep


@functools.cache
def hide_lines(path: str) -> None:
    """Have JAX show the caller's line instead of lines of a file or folder."""
    if source_info is not None:
        source_info.register_exclusion(path)


hide_lines(HERE)
_JAX: Final = os.path.dirname(jax.__file__) + os.sep
# The prefix of module-level functions in generated modules.
_GENERATED: Final = "_codegen_"


# --- whether JAX traces


def is_tracing() -> bool:
    """Return whether any JAX trace is active in this thread."""
    return active.value is not no_trace


def is_mapped() -> bool:
    """Return whether a `jax.vmap` is active, in which arrays lack the mapped axes."""
    trace = active.value
    # Not public: without these, calls within `vmap` are checked like others.
    while trace is not None and type(trace).__name__ != "BatchTrace":
        trace = getattr(trace, "parent_trace", None)
    return trace is not None


# --- calls


class Call(NamedTuple):
    """A call of a program, for which JAX traces."""

    program: "CompiledProgram"
    donated: Sequence[Any]
    kept: Sequence[Any]
    # The method that the user called: "call", "keep", "lower", "donation", ...
    by: str


# The codes of the methods that run a compiled program, or a stage of it, by their ids: the
# codes of two copies of this package are equal. It keeps them, as ids are used again.
_RUNNERS: Final = dict[int, CodeType]()


def runs_program(method: F) -> F:
    """Mark a method of a program with the arguments `donated`, `kept` and maybe `by`, during
    which JAX may trace it.
    """
    _RUNNERS[id(method.__code__)] = method.__code__
    return method


def current_call() -> Call | None:
    """Return the call for which JAX traces in this thread; None if there is none.

    Only traces ask, so that a call has to record nothing: the frame of its method has all.
    """
    for frame, _ in traceback.walk_stack(inspect.currentframe()):
        if id(frame.f_code) in _RUNNERS:
            names = frame.f_locals
            by = names.get("by", "call")
            return Call(names["self"], names["donated"], names["kept"], by)
    return None


def user_place() -> tuple[str, int]:
    """Return the file and line of the user's that led here."""
    for frame, line in traceback.walk_stack(inspect.currentframe()):
        file = frame.f_code.co_filename
        if not (is_ours(frame) or file.startswith(_JAX) or file == contextlib.__file__):
            return file, line
    return "<unknown>", 0


def format_file(file: str) -> str:
    """Name a file; a notebook cell as in IPython: "Cell In[3]"."""
    find_shell: Any = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)
    compiler = getattr(find_shell(), "compile", None)
    cell = getattr(compiler, "format_code_name", lambda _: None)(file)
    return " ".join(cell) if cell else file


def is_ours(frame: FrameType) -> bool:
    """Return whether a frame is of this package, or of a module-level function of a
    generated module.
    """
    code = frame.f_code
    return code.co_filename.startswith(HERE) or code.co_name.startswith(_GENERATED)
