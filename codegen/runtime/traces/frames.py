"""The call of a function that JAX traces or compiles for, and the user's line of it.

    current_call().program, current_call().leaves
    current_call().where            # "run.py:41"

A call notes itself in `calls.stack` of its thread, as a tuple: what finds its compiled
program makes nothing of it.
"""

import contextlib
import os
import sys
import threading
from collections.abc import Callable, Iterator
from types import CodeType, FrameType
from typing import Any, Final, NamedTuple, TypeVar

import jax

F = TypeVar("F", bound=Callable[..., Any])

# The package that this folder is in.
HERE: Final = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep
# `jax.extend` has it, too, but imports Pallas. Without it JAX shows a line of ours.
with contextlib.suppress(ImportError):
    from jax._src.source_info_util import register_exclusion

    register_exclusion(HERE)
_JAX: Final = os.path.dirname(jax.__file__) + os.sep
# The prefix of the module-level functions of generated modules.
_GENERATED: Final = "_codegen_"
# The methods that note a call and run what is compiled, by the ids of their codes: the
# codes of two generated packages are equal.
_ENTRIES: Final = set[int]()
# The methods that compile what they trace, and have JAX report it.
_COMPILING: Final = ("call", "keep")


class _Calls(threading.local):
    """The calls of each thread that run, the innermost last: what a `ProgramCall` has."""

    def __init__(self) -> None:
        self.stack: list[tuple[Any, list[Any], list[Any], str]] = []


calls: Final = _Calls()


class ProgramCall(NamedTuple):
    """A call of a compiled function."""

    # What JAX has compiled, with its static argument.
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
    def frame(self) -> FrameType | None:
        """The frame that runs it, as long as it is the innermost call."""
        start = sys._getframe(1)  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
        return next((f for f in frames(start) if id(f.f_code) in _ENTRIES), None)

    @property
    def key(self) -> Any:
        """The static argument of the compiled function: a `ProgramKey`."""
        return self.compiled.args[0]

    @property
    def program(self) -> Any:
        """The program that it runs."""
        return self.key.program()

    @property
    def history(self) -> Any:
        """The history of the function."""
        return self.program.history

    @property
    def compiles(self) -> bool:
        """Whether JAX compiles and reports it: not within a trace, and not to look at it."""
        is_nested = any(_is_of_jax(frame.f_code) for frame in frames(self.frame))
        return self.by in _COMPILING and not is_nested

    @property
    def is_mapped(self) -> bool:
        """Whether it is within `jax.vmap`, where arrays lack the axes that it maps."""
        return any(
            frame.f_code.co_name == "vmap_f" and _is_of_jax(frame.f_code)
            for frame in frames(self.frame)
        )

    @property
    def place(self) -> tuple[str, int]:
        """The user's file and line."""
        for frame in frames(self.frame):
            if not is_ours(frame.f_code) and not _is_of_jax(frame.f_code):
                return frame.f_code.co_filename, frame.f_lineno
        return "<unknown>", 0

    @property
    def where(self) -> str:
        """The user's line, in short."""
        file, line = self.place
        return f"{os.path.basename(shown_file(file))}:{line}"


def entry(method: F) -> F:
    """Mark a method that notes a call and runs what is compiled."""
    _ENTRIES.add(id(method.__code__))
    return method


def current_call() -> ProgramCall | None:
    """Return the innermost call of this thread."""
    return ProgramCall(*calls.stack[-1]) if calls.stack else None


def frames(frame: FrameType | None) -> Iterator[FrameType]:
    """Return a frame and those that called it."""
    while frame is not None:
        yield frame
        frame = frame.f_back


def shown_file(file: str) -> str:
    """Name a file; a cell of a notebook as IPython does: "Cell In[3]"."""
    find_shell: Any = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)
    compiler = getattr(find_shell(), "compile", None)
    cell = getattr(compiler, "format_code_name", lambda _: None)(file)
    return " ".join(cell) if cell else file


def is_ours(code: CodeType) -> bool:
    """Tell whether code is of this package, or of a generated module and of no class."""
    return code.co_filename.startswith(HERE) or code.co_name.startswith(_GENERATED)


def _is_of_jax(code: CodeType) -> bool:
    return code.co_filename.startswith(_JAX)
