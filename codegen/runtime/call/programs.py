# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false
"""The compiled programs of one structure of a function's arguments.

    program = make_program(entry, Work("step", call, step, keep_unused=False), ...)
    ((recipe, leaves),) = program.donating(donated, kept).items()
    recipe.result(leaves, kept)

They are jitted functions of leaves alone: what is static is closed over.
"""

import dataclasses
from collections.abc import Callable, Hashable
from typing import Any, Final, TypeAlias

import jax

from ..classes.weak import WeakLeaf, has_weak_type, strengthened_at
from .debugging import describe
from .entries import Entry
from .recipes import Recipe, take_result
from .tracing import is_tracing

Results: TypeAlias = dict[Recipe, tuple[Any, ...]]

# How the generated functions are called that import an implementation and call it.
_CALLS: Final = "_codegen_impl_"


@dataclasses.dataclass(frozen=True, slots=True)
class Work:
    """What the programs of a function run."""

    name: str
    # Called with all arguments by position: what the generated module has for it.
    implementation: Callable[..., Any]
    # The function behind it, which JAX and tracebacks are to show.
    origin: Callable[..., Any]
    keep_unused: bool


@dataclasses.dataclass(eq=False, slots=True)
class Program:
    """The programs of an entry."""

    work: Work
    entry: Entry
    # From the donated and the kept leaves: donating the former, and donating nothing.
    donating: Any
    keeping: Any
    # The same, with the implementation's own result.
    whole: Any
    make_donating: Callable[[], Any]
    # Not empty while there are traces whose donations have not been looked at.
    unchecked: list[None]
    # Not empty where JAX has traced for NaNs, and so compiled without donation.
    undonated: list[None]
    # The positions of leaves that have been of weak type, and are declared as arrays.
    weak: list[int]
    # By the shapes, dtypes and shardings of all leaves: the donated leaves, by position,
    # that XLA does not reuse.
    checked: dict[Hashable, list[int]]
    # The paths of donated leaves that have been reported as not reused.
    reported: set[str]

    def renew(self) -> None:
        """Donate again, where JAX looked for NaNs, and does so no longer."""
        if self.undonated and not looks_for_nans():
            self.donating = self.make_donating()
            self.undonated.clear()

    def strengthened(
        self, donated: list[Any], kept: list[Any]
    ) -> tuple[list[Any], list[Any]]:
        """Return the leaves without the weak types that cost traces before."""
        leaves = strengthened_at([*donated, *kept], self.weak)
        return leaves[: len(donated)], leaves[len(donated) :]


def make_program(entry: Entry, work: Work, *, checks: bool) -> Program:
    """Return programs that are compiled when they are called.

    Args:
        entry: the structure of their arguments
        work: what they run
        checks: whether objects are held against their declared shapes
    """
    name = work.name
    unchecked: list[None] = [None]
    undonated: list[None] = []
    weak: list[int] = []
    call = _caller(entry, work, weak, checks=checks)

    def make_donating() -> Any:
        def donate(donated: list[Any], kept: list[Any]) -> Results:
            if is_tracing():
                unchecked.append(None)
                if looks_for_nans():
                    undonated.append(None)
            result, donated, unchanged = call(donated, kept)
            return take_result(result, donated, unchanged, name)

        return jitted(donate, donate_argnums=0)

    def keep(donated: list[Any], kept: list[Any]) -> Results:
        result, _, unchanged = call(donated, kept)
        return take_result(result, [], unchanged, name)

    def whole(donated: list[Any], kept: list[Any]) -> Any:
        return call(donated, kept)[0]

    def jitted(function: Any, **options: Any) -> Any:
        describe(function, name, entry.paths, work.origin)
        return jax.jit(function, keep_unused=work.keep_unused, **options)

    return Program(
        work,
        entry,
        make_donating(),
        jitted(keep),
        jitted(whole),
        make_donating,
        unchecked,
        undonated,
        weak,
        {},
        set(),
    )


def _caller(entry: Entry, work: Work, weak: list[int], *, checks: bool) -> Any:
    """Return what is traced: from the leaves to the result, and what of it passes by."""

    def call(donated: list[Any], kept: list[Any]) -> Any:
        leaves = [*donated, *kept]
        found = [i for i in entry.strong if has_weak_type(leaves[i])]
        if found:
            # Those that are known came from a thread that took its leaves before.
            weak.extend(i for i in found if i not in weak)
            raise WeakLeaf
        donated, kept = entry.place(donated, kept)
        try:
            result = entry.call(work.implementation, donated, kept, checks=checks)
        except (ImportError, AttributeError, TypeError) as error:
            if _is_of_generated(error):
                module = work.implementation.__module__
                declared = f"`{work.name}` of the schema of `{module}`"
                error.add_note(_advice(error, declared))
            raise
        return result, donated, entry.unchanged(result, kept)

    return call


def looks_for_nans() -> bool:
    """Tell whether JAX looks for NaNs, and compiles without donation to find them."""
    config: Any = jax.config
    return bool(config.jax_debug_nans)


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


def _is_of_generated(error: BaseException) -> bool:
    """Tell whether the call of an implementation failed, and not what it runs."""
    last = error.__traceback__
    while last is not None and last.tb_next is not None:
        last = last.tb_next
    return last is not None and last.tb_frame.f_code.co_name.startswith(_CALLS)
