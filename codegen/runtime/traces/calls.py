"""The call of a function that JAX traces or compiles for, found on the stack.

    current_call().program, current_call().leaves
    current_call().where            # "run.py:41"

Nothing is noted by a call, for that would cost those that find what is compiled.
"""

import contextlib
import itertools
import os
import sys
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
# How the functions of generated modules are called that belong to no class.
_GENERATED: Final = "_codegen_"
# What calls a compiled function, with locals named as in `Program.run`. By ids, as
# the codes of two generated packages are equal.
_ENTRIES: Final = set[int]()
# The methods by which a program is asked for explicitly, by the ids of their codes.
_REQUESTS: Final = dict[int, str]()
# Those of them that compile what they trace, as far as JAX reports it.
_COMPILING: Final = ("call", "keep")


class ProgramCall(NamedTuple):
    """A call of a compiled function."""

    # What JAX has compiled, with what stands before the leaves.
    compiled: Any
    program: Any
    leaves: list[Any]
    frame: FrameType

    @property
    def history(self) -> Any:
        """The history of the function."""
        return self.program.jits.history

    @property
    def donates(self) -> bool:
        """Whether it consumes what is donated."""
        donates: bool = self.compiled.args[0].donates
        return donates

    @property
    def by(self) -> str:
        """The method that asked for it: "call", "keep", "lower", "donation", ..."""
        outer = itertools.takewhile(
            lambda frame: is_ours(frame.f_code), frames(self.frame.f_back)
        )
        asked = (_REQUESTS.get(id(frame.f_code)) for frame in outer)
        # One method may call another: the user called the outermost.
        return [*filter(None, ("call", *asked))][-1]

    @property
    def compiles(self) -> bool:
        """Whether JAX compiles and reports it: not within a trace, and not to look at it."""
        outer = frames(self.frame.f_back)
        is_nested = any(frame.f_code.co_filename.startswith(_JAX) for frame in outer)
        return self.by in _COMPILING and not is_nested

    @property
    def is_mapped(self) -> bool:
        """Whether it is within `jax.vmap`, where arrays lack the axes that it maps."""
        return any(
            frame.f_code.co_name == "vmap_f"
            and frame.f_code.co_filename.startswith(_JAX)
            for frame in frames(self.frame)
        )

    @property
    def place(self) -> tuple[str, int]:
        """The user's file and line."""
        for frame in frames(self.frame.f_back):
            code = frame.f_code
            if not is_ours(code) and not code.co_filename.startswith(_JAX):
                return code.co_filename, frame.f_lineno
        return "<unknown>", 0

    @property
    def where(self) -> str:
        """The user's line, in short."""
        file, line = self.place
        return f"{os.path.basename(shown_file(file))}:{line}"


def entry(method: F) -> F:
    """Have calls found by this method of a program, which compiled functions are called by."""
    _ENTRIES.add(id(method.__code__))
    return method


def request(method: F) -> F:
    """Have calls of this method recorded by its name, and kept out of budgets."""
    _REQUESTS[id(method.__code__)] = method.__name__
    return method


def current_call() -> ProgramCall | None:
    """Return the innermost call of this thread."""
    for frame in frames(sys._getframe(1)):  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
        if id(frame.f_code) in _ENTRIES:
            given = frame.f_locals
            leaves = [*given["donated"], *given["kept"]]
            return ProgramCall(given["compiled"], given["self"], leaves, frame)
    return None


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
