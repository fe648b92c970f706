"""Whether JAX traces, and the function call for which it traces or compiles.

    is_tracing()                                # False
    jax.vmap(lambda x: is_tracing())(xs)        # True inside
    trace_state() == trace_state()              # True in one trace

    current_call().program, current_call().leaves
    current_call().where                        # "run.py:41"

A tracer exists only while its trace is active, so `is_tracing` covers arguments too. A
call adds itself to `calls.stack` of its thread, as a tuple. If its program is already
compiled, no further work is done.
"""

import contextlib
import functools
import os
import sys
import threading
from collections.abc import Callable, Iterator
from types import FrameType
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar

import jax

if TYPE_CHECKING:
    from .call.programs import CompiledProgram, ProgramKey
    from .traces import History

F = TypeVar("F", bound=Callable[..., Any])

# The directory of this package.
HERE: Final = os.path.dirname(os.path.abspath(__file__)) + os.sep


@functools.cache
def hide_lines(path: str) -> None:
    """Have JAX show the caller's line instead of lines of a file or folder."""
    if _source_info is not None:
        _source_info.register_exclusion(path)


_source_info: Any = None
# `jax.extend` has it, too, but imports Pallas.
with contextlib.suppress(ImportError):
    from jax._src import source_info_util as _source_info
hide_lines(HERE)
_JAX: Final = os.path.dirname(jax.__file__) + os.sep
# The prefix of module-level functions in generated modules.
_GENERATED: Final = "_codegen_"
# The methods that compile what they trace and make JAX report it.
_COMPILING: Final = ("call", "keep")


# --- whether JAX traces


def trace_state() -> Any:
    """Return JAX's trace state of this thread. It is opaque, but supports `==`."""
    # Imported on first use, since `jax.extend` imports Pallas.
    from jax.extend import core

    untyped: Any = core
    return untyped.get_opaque_trace_state()


@functools.cache
def _outside() -> Any:
    """Return the state outside any trace, in which a new thread starts."""
    states: list[Any] = []
    thread = threading.Thread(target=lambda: states.append(trace_state()))
    thread.start()
    thread.join()
    return states[0]


def is_tracing_publicly() -> bool:
    """Return whether any JAX trace is active, by JAX's public interface only."""
    return bool(trace_state() != _outside())


class _PublicState:
    """A replacement of `trace_state_strong_ref` that uses only JAX's public interface."""

    @property
    def value(self) -> object:
        return is_tracing_publicly()


active: Any = _PublicState()
no_trace: Any = False
# Each call reads it once. It is in C++, and takes a tenth of the time of the public
# function.
with contextlib.suppress(ImportError):
    from jax._src.core import eval_trace as no_trace
    from jax._src.core import trace_state_strong_ref as active


def is_tracing() -> bool:
    """Return whether any JAX trace is active in this thread."""
    return active.value is not no_trace


# --- calls


class _Calls(threading.local):
    """The running calls of each thread, the innermost last, as tuples for
    `ProgramCall`.
    """

    def __init__(self) -> None:
        self.stack: list[tuple[Any, list[Any], list[Any], str]] = []


calls: Final = _Calls()
# The methods that record a call and run a compiled program, by the ids of their codes:
# the codes of two generated packages are equal.
_ENTRIES: Final = set[int]()


def entry(method: F) -> F:
    """Mark a method that records a call and runs a compiled program."""
    _ENTRIES.add(id(method.__code__))
    return method


class ProgramCall(NamedTuple):
    """A call of a compiled function."""

    # JAX's compiled function, with its static argument.
    compiled: Any
    donated: list[Any]
    kept: list[Any]
    # The method that the user called: "call", "keep", "lower", "donation", ...
    by: str = "call"

    @property
    def leaves(self) -> list[Any]:
        """The donated leaves, then the kept ones."""
        return [*self.donated, *self.kept]

    @property
    def frames(self) -> Iterator[FrameType]:
        """The frame that runs it, if it is the innermost call, and its callers."""
        frame: FrameType | None = sys._getframe(1)  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
        while frame is not None and id(frame.f_code) not in _ENTRIES:
            frame = frame.f_back
        while frame is not None:
            yield frame
            frame = frame.f_back

    @property
    def key(self) -> "ProgramKey":
        """The static argument of the compiled function: a `ProgramKey`."""
        key: ProgramKey = self.compiled.args[0]
        return key

    @property
    def program(self) -> "CompiledProgram":
        """The program that it runs."""
        program = self.key.program()
        assert program is not None, "a call keeps its program"
        return program

    @property
    def history(self) -> "History":
        """The history of the function."""
        return self.program.history

    @property
    def compiles(self) -> bool:
        """Whether JAX compiles and reports it: not within a trace, and not for an
        inspection.
        """
        is_nested = any(map(_is_of_jax, self.frames))
        return self.by in _COMPILING and not is_nested

    @property
    def is_mapped(self) -> bool:
        """Whether it is within `jax.vmap`, where arrays lack the mapped axes."""
        return any(
            frame.f_code.co_name == "vmap_f" and _is_of_jax(frame)
            for frame in self.frames
        )

    @property
    def place(self) -> tuple[str, int]:
        """The user's file and line."""
        for frame in self.frames:
            if not is_ours(frame) and not _is_of_jax(frame):
                return frame.f_code.co_filename, frame.f_lineno
        return "<unknown>", 0

    @property
    def where(self) -> str:
        """The user's line, in short form."""
        file, line = self.place
        return f"{os.path.basename(format_file(file))}:{line}"


def current_call() -> ProgramCall | None:
    """Return the innermost call of this thread."""
    return ProgramCall(*calls.stack[-1]) if calls.stack else None


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


def _is_of_jax(frame: FrameType) -> bool:
    return frame.f_code.co_filename.startswith(_JAX)
