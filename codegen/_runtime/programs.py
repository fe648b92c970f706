# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false
"""The compiled programs of one structure of a function's arguments.

    program = make_program(entry, implementation, name="step", keep_unused=False)
    ((recipe, leaves),) = program.donating(donated, kept).items()
    recipe.result(leaves, kept)

They are jitted functions of leaves alone: what is static is closed over.
"""

import dataclasses
import re
from collections.abc import Callable, Hashable, Sequence
from typing import Any, Final, TypeAlias

import jax

from .entries import Entry
from .recipes import Recipe, take_result
from .tracing import is_tracing

Results: TypeAlias = dict[Recipe, tuple[Any, ...]]

# How the generated functions are called that import an implementation and call it.
_CALLS: Final = "_codegen_impl_"
# How JAX calls a parameter of them, and how a note begins that says which argument it is.
_LEAF: Final = re.compile(r"\b(donated|kept)\[(\d+)\]")
_LEAVES: Final = "Among the arguments of"


@dataclasses.dataclass(frozen=True, eq=False, slots=True)
class Program:
    """The programs of an entry."""

    entry: Entry
    # From the donated and the kept leaves: donating the former, and donating nothing.
    donating: Any
    keeping: Any
    # The same, with the implementation's own result.
    whole: Any
    # Not empty while there are traces whose donations have not been looked at.
    unchecked: list[None]
    # By the shapes, dtypes and shardings of all leaves: the donated leaves, by position,
    # that XLA does not reuse.
    checked: dict[Hashable, list[int]]
    # The paths of donated leaves that have been reported as not reused.
    reported: set[str]


def make_program(
    entry: Entry, implementation: Callable[..., Any], name: str, *, keep_unused: bool
) -> Program:
    """Return programs that are compiled when they are called."""
    unchecked: list[None] = [None]

    def call(donated: list[Any], kept: list[Any]) -> Any:
        try:
            return entry.call(implementation, donated, kept)
        except (ImportError, AttributeError, TypeError) as error:
            if _is_of_generated(error):
                declared = f"`{name}` of the schema of `{implementation.__module__}`"
                error.add_note(_advice(error, declared))
            else:
                _name_leaves(error, entry.paths, len(donated), name)
            raise

    def donate(donated: list[Any], kept: list[Any]) -> Results:
        if is_tracing():
            unchecked.append(None)
        donated, kept = entry.place(donated, kept)
        result = call(donated, kept)
        return take_result(result, donated, entry.unchanged(result, kept), name)

    def keep(donated: list[Any], kept: list[Any]) -> Results:
        donated, kept = entry.place(donated, kept)
        result = call(donated, kept)
        return take_result(result, [], entry.unchanged(result, kept), name)

    def whole(donated: list[Any], kept: list[Any]) -> Any:
        return call(*entry.place(donated, kept))

    for function in (donate, keep, whole):
        function.__name__ = function.__qualname__ = name
    return Program(
        entry,
        jax.jit(donate, donate_argnums=0, keep_unused=keep_unused),
        jax.jit(keep, keep_unused=keep_unused),
        jax.jit(whole, keep_unused=keep_unused),
        unchecked,
        {},
        set(),
    )


def _advice(error: BaseException, declared: str) -> str:
    """Say what a schema has to do with an implementation that cannot be called."""
    text = str(error)
    if "positional argument" in text or "keyword-only argument" in text:
        return (
            f"{declared} gives it every argument by position, in the declared order: "
            "its parameters stand before any `*`; or `@impl(...)` there means another "
            "function"
        )
    return (
        f"{declared} runs it: `@impl(...)` there says in which module it is, and "
        "its name"
    )


def _name_leaves(
    error: BaseException, paths: Sequence[str], donated: int, name: str
) -> None:
    """Add whose the leaves are that JAX calls `donated[0]` or `kept[0]`.

    Those are the parameters of the function that is traced. An error of another function,
    which this one calls, is of its leaves.
    """
    text = str(error)
    if f"tracing the function {name} at {__file__}" not in text:
        return
    notes = getattr(error, "__notes__", ())
    if any(note.startswith(_LEAVES) for note in notes):
        return
    starts = {"donated": 0, "kept": donated}
    found = {
        f"`{kind}[{index}]` is `{paths[starts[kind] + int(index)]}`"
        for kind, index in _LEAF.findall(text)
    }
    if found:
        error.add_note(f"{_LEAVES} `{name}`: {', '.join(sorted(found))}")


def _is_of_generated(error: BaseException) -> bool:
    """Tell whether the call of an implementation failed, and not what it runs."""
    last = error.__traceback__
    while last is not None and last.tb_next is not None:
        last = last.tb_next
    return last is not None and last.tb_frame.f_code.co_name.startswith(_CALLS)
