"""What JAX is given to compile, and so what it says in errors, profiles and explanations.

    jits = CompiledPair("step", heat_model.step, jit, keep)
    jits.calling(ProgramKey(program, donates=True), [u], [alpha, t, dt])
    # ... while tracing the function step at heat_model.py:14 ... depends on the value of
    # the argument plate.u

For JAX the programs of a function are one function of leaves, those that may be donated
and those that are kept, with a static argument that tells them apart: so it can say
itself what made it trace again. How it is compiled stands in the generated module.
"""

import collections
import inspect
import itertools
import types
import weakref
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from ..keys.messages import REST, flat
from .calls import current_call

# `jax.jit`, with what is static and donated of the structure and the two lists of leaves.
Compile: TypeAlias = Callable[[Callable[..., Any]], Any]


class ProgramKey:
    """What stands for a program in JAX's caches, which tell it by identity.

    They hold it for as long as the function lives that is compiled, so it holds nothing.
    """

    __slots__ = ("donates", "is_mapped", "program")

    def __init__(self, program: Any, *, donates: bool, is_mapped: bool = False) -> None:
        self.program = weakref.ref(program)
        self.donates = donates
        # Whether its traces are of calls within `jax.vmap` over a declared dimension.
        self.is_mapped = is_mapped

    def trace(self, leaves: Sequence[Any]) -> Any:
        """Trace the program, as a call that donates or as one that does not."""
        program: Any = self.program()
        program.require_strong(leaves)
        with program.jits.history.tracing():
            if self.donates:
                return program.trace_donating(leaves)
            return program.trace(leaves, is_mapped=self.is_mapped)

    def __repr__(self) -> str:
        """Return what is static of the arguments: `step(Plate(u=..., thickness=0.001), 1)`."""
        program = self.program()
        if program is None:
            return "a program that is gone"
        structure = program.structure
        shown = [*structure.statics]
        values = structure.treedef.unflatten([REST] * len(structure.paths))
        for position, value in zip(structure.numbered, values, strict=True):
            shown[position] = value
        name = program.name if self.donates else f"{program.name}.keep"
        return f"{name}({', '.join(map(flat, shown))})"


class CompiledPair:
    """The function of leaves that `jax.jit` compiles for all programs of a function."""

    def __init__(
        self, history: Any, origin: Callable[..., Any], jit: Compile, keep: Compile
    ) -> None:
        """Compile nothing yet.

        Args:
            history: the function's, which has its name
            origin: the function behind the implementation, which JAX is to show
            jit: what compiles calls
            keep: what compiles those that donate nothing
        """
        self.history = history

        def run(static: ProgramKey, donated: list[Any], kept: list[Any]) -> Any:
            return static.trace([*donated, *kept])

        _describe(run, history.name, origin)
        self.calling, self.keeping = jit(run), keep(run)


class _Leaves(inspect.Signature):
    """The signature of a function of leaves, in which JAX finds a name for each of them.

    JAX binds arguments to a signature, and takes what an argument is called from there.
    """

    __slots__ = ()

    def bind(self, *args: Any, **kwargs: Any) -> inspect.BoundArguments:
        """Bind each leaf to its path."""
        bound = super().bind(*args, **kwargs)
        call = current_call()
        if call is not None:
            paths = call.program.structure.paths
            counts = collections.Counter(paths)
            # A class may give two of its leaves one key.
            names = [
                path if counts[path] == 1 else f"{path} (leaf {number})"
                for number, path in enumerate(paths)
            ]
            # In front of the leaves is what is static.
            bound.arguments = dict(zip(names, itertools.chain(*args[1:]), strict=True))
        return bound


def _describe(function: Any, name: str, origin: Callable[..., Any]) -> None:
    """Say what a function of leaves is called, and what is shown in its place."""
    function.__name__ = function.__qualname__ = name
    parameters = inspect.signature(function).parameters.values()
    function.__signature__ = _Leaves([*parameters])
    code = getattr(inspect.unwrap(origin), "__code__", None)
    if code is not None:
        # What JAX asks for the place; of several names it would take the innermost.
        function.__wrapped__ = types.SimpleNamespace(__name__=name, __code__=code)
