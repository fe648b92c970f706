# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false
"""A generated function: typed as declared, compiled once, donating per field.

    step: Final = Function(
        _codegen_bind_step,
        _codegen_impl_step,
        name="step",
        static=["n"],
        donated=["plate"],
    )
    plate = step(plate, 0.1, n=2)       # consumes plate.u alone
    plate = step.keep(plate, 0.1)       # the same, consuming nothing

`bind` has the declared signature. It converts the arguments and takes them apart:

    (structure and static values, donated leaves, kept leaves, all arguments)

The first, hashable and exact, finds the entry of this structure; the entry, by its
identity, and the leaves go through one `jax.jit`. A kept leaf that the implementation
returns unchanged does not travel through it: the result has the caller's own array.
"""

import inspect
from collections.abc import Callable, Hashable, Sequence
from typing import Any, Generic, ParamSpec, TypeAlias, TypeVar, cast

import jax

from .entries import Entry, make_entry
from .recipes import Recipe, take_result
from .tracing import is_tracing

P = ParamSpec("P")
R = TypeVar("R")

Bound: TypeAlias = tuple[Hashable, list[Any], list[Any], tuple[Any, ...]]


class Function(Generic[P, R]):
    """A function of a schema, compiled by `jax.jit` when it is called."""

    __name__: str
    __qualname__: str

    def __init__(
        self,
        bind: Callable[P, Bound],
        implementation: Callable[..., R],
        *,
        name: str,
        static: Sequence[str] = (),
        donated: Sequence[str] = (),
        keep_unused: bool = False,
    ) -> None:
        """Put a function together.

        Args:
            bind: from the declared parameters to the arguments, taken apart
            implementation: called with all arguments in their declared order
            name: its name in its module, and in profiles
            static: the names of the static arguments
            donated: the names of the donated arguments
            keep_unused: `jax.jit`'s option
        """
        signature = inspect.signature(bind)
        result = inspect.signature(implementation).return_annotation
        self._bind = bind
        self._implementation = implementation
        self._names = tuple(signature.parameters)
        self._static = frozenset(static)
        self._donated = frozenset(donated)
        # Held for as long as the function is, as jit holds its compiled programs.
        self._entries: dict[Hashable, Entry] = {}
        self._donating, self._keeping, self._whole = self._compiled(
            name, keep_unused=keep_unused
        )
        self.__signature__ = signature.replace(return_annotation=result)
        self.__name__ = name
        self.__qualname__ = name
        self.__module__ = bind.__module__
        self.__doc__ = bind.__doc__

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Call it; the buffers of donated fields are consumed.

        While a JAX trace is active nothing is: eager `grad` would donate what its
        backward pass needs.
        """
        key, donated, kept, arguments = self._bind(*args, **kwargs)
        entry = self._entries.get(key) or self._add_entry(key, arguments)
        run = self._donating if donated and not is_tracing() else self._keeping
        recipe, leaves = run(entry, donated, kept)
        return cast("R", recipe.result(leaves, kept))

    def keep(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Call it with nothing donated, for notebooks and debugging."""
        key, donated, kept, arguments = self._bind(*args, **kwargs)
        entry = self._entries.get(key) or self._add_entry(key, arguments)
        recipe, leaves = self._keeping(entry, donated, kept)
        return cast("R", recipe.result(leaves, kept))

    def lower(self, *args: P.args, **kwargs: P.kwargs) -> jax.stages.Lowered:
        """Lower the program of a call, for these arguments, without running it."""
        key, donated, kept, arguments = self._bind(*args, **kwargs)
        entry = self._entries.get(key) or self._add_entry(key, arguments)
        return cast("jax.stages.Lowered", self._donating.lower(entry, donated, kept))

    def eval_shape(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Return a call's result, with a ShapeDtypeStruct in place of each array."""
        key, donated, kept, arguments = self._bind(*args, **kwargs)
        entry = self._entries.get(key) or self._add_entry(key, arguments)
        return cast("R", self._whole.eval_shape(entry, donated, kept))

    def __repr__(self) -> str:
        return f"<generated function {self.__module__}.{self.__qualname__}>"

    def __reduce__(self) -> str:
        # Pickled by its name in its module, as functions are.
        return self.__qualname__

    def _add_entry(self, key: Hashable, arguments: tuple[Any, ...]) -> Entry:
        entry = make_entry(arguments, self._names, self._static, self._donated)
        # One of two threads that come here with one key wins; `setdefault` is atomic.
        return self._entries.setdefault(key, entry)

    def _compiled(self, name: str, *, keep_unused: bool) -> tuple[Any, Any, Any]:
        """Return the program that donates, the one that does not, and all results."""
        implementation = self._implementation

        def run(
            entry: Entry, donated: list[Any], kept: list[Any]
        ) -> tuple[Recipe, Any]:
            return take_result(entry.call(implementation, donated, kept), kept, name)

        def whole(entry: Entry, donated: list[Any], kept: list[Any]) -> R:
            return cast("R", entry.call(implementation, donated, kept))

        run.__name__ = whole.__name__ = name
        run.__qualname__ = whole.__qualname__ = name
        return (
            jax.jit(run, static_argnums=0, donate_argnums=1, keep_unused=keep_unused),
            jax.jit(run, static_argnums=0, keep_unused=keep_unused),
            jax.jit(whole, static_argnums=0, keep_unused=keep_unused),
        )
