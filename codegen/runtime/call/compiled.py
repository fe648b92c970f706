"""The result of `step.lower(...)`: JAX's own stages, called with the declared
arguments.

    compiled = step.lower(plate, 0.1, n=2).compile()
    compiled.memory_analysis()          # all that `jax.stages.Compiled` has
    plate = compiled(plate, 0.2, n=2)   # as `step(plate, 0.2, n=2)`: it consumes plate.u

A call converts its arguments and builds its result as a call of the function does. Only
the program is fixed: other static values, structures and shapes are refused, by path.
"""

import copy
from collections.abc import Hashable, Sequence
from typing import Any, Final, Generic, ParamSpec, TypeVar, cast

import jax

from ..keys.names import is_ref
from ..traces.messages import find_changes, format_changes
from ..traces.signature import Aspects, describe_call
from ..tracing import Call, is_tracing
from .errors import hidden_frames, refuse_repeated_refs
from .programs import CompiledProgram

P = ParamSpec("P")
R = TypeVar("R")

# Differences that do not matter to a compiled program, or that JAX explains better.
_IRRELEVANT: Final = ("committed", "weak type")


class Origin:
    """The function and arguments for which a program was lowered."""

    def __init__(
        self,
        function: Any,
        key: Hashable,
        program: CompiledProgram,
        leaves: Sequence[Any],
    ) -> None:
        """Describe the arguments, without keeping references to them."""
        self.function, self.key, self.program = function, key, program
        self.aspects = _describe(program, leaves)
        # The positions of Refs among the leaves.
        self.refs = _refs(leaves)

    def refusal(
        self, program: CompiledProgram, leaves: Sequence[Any]
    ) -> TypeError | None:
        """Return an error that lists how other arguments differ, if they do."""
        found = find_changes(self.aspects, _describe(program, leaves))
        changes = [change for change in found if change.kind not in _IRRELEVANT]
        if not changes:
            return None
        name = self.function.__name__
        first = f"`{name}` was compiled for other arguments than those of this call:"
        last = (
            f"help: call `{name}` itself, which compiles for any arguments, or call "
            f"`{name}.lower(...).compile()` with these arguments"
        )
        return TypeError("\n".join([first, *format_changes(changes), last]))


class Lowered(jax.stages.Lowered, Generic[P, R]):
    """A function lowered for certain arguments: a `jax.stages.Lowered`."""

    def __init__(self, lowered: jax.stages.Lowered, origin: Origin) -> None:
        """Copy the state of JAX's own `Lowered`."""
        _take_over(self, lowered)
        self._origin = origin

    def compile(self, *args: Any, **kwargs: Any) -> "Compiled[P, R]":
        """Compile it, with the options of `jax.stages.Lowered.compile`."""
        return Compiled(super().compile(*args, **kwargs), self._origin)


class Compiled(jax.stages.Compiled, Generic[P, R]):
    """A function compiled for certain arguments: a `jax.stages.Compiled`."""

    def __init__(self, compiled: jax.stages.Compiled, origin: Origin) -> None:
        """Copy the state of JAX's own `Compiled`."""
        _take_over(self, compiled)
        self._origin = origin
        self._program = copy.copy(origin.program)
        self._program.is_ahead = True
        self._program.donating = self._program.retaining = self._execute

    def __call__(self, /, *args: P.args, **kwargs: P.kwargs) -> R:
        """Call it like the function: donated fields are consumed.

        Raises:
            TypeError: it was compiled for other arguments, or a JAX trace is active
        """
        function = self._origin.function
        with hidden_frames:
            key, donated, kept, arguments = function.split(*args, **kwargs)
            leaves = [*donated, *kept]
            # JAX would write into an array that is passed instead of a Ref.
            if key != self._origin.key or _refs(leaves) != self._origin.refs:
                program = function._program(function._key(key), arguments)  # noqa: SLF001
                refusal = self._origin.refusal(program, leaves)
                raise refusal or TypeError(
                    f"`{function.__name__}` was compiled for other arguments than "
                    "those of this call"
                )
            if is_tracing():
                raise TypeError(
                    f"the compiled `{function.__name__}` cannot be called inside "
                    "`jit`, `grad`, `vmap` or another trace: call "
                    f"`{function.__name__}` itself"
                )
            ours = self._program
            if donated:
                return cast("R", ours.call(donated, kept, arguments))
            return cast("R", ours.keep(donated, kept))

    def _execute(self, donated: list[Any], kept: list[Any]) -> Any:
        if self._origin.refs:
            paths, name = self._program.structure.paths, self._program.name
            refuse_repeated_refs([*donated, *kept], paths, name)
        try:
            call: Any = super().__call__  # JAX's stubs have no type for it.
            return call(donated, kept)
        except (TypeError, ValueError) as error:
            refusal = self._origin.refusal(self._program, [*donated, *kept])
            if refusal is None:
                raise
            raise refusal from error


def _refs(leaves: Sequence[Any]) -> list[int]:
    return [number for number, leaf in enumerate(leaves) if is_ref(leaf)]


def _describe(program: CompiledProgram, leaves: Sequence[Any]) -> Aspects:
    return describe_call(Call(program, leaves, [], "call"))


def _take_over(stage: object, other: object) -> None:
    """Copy all attributes of another stage of the same base class."""
    for cls in type(other).__mro__:
        for name in getattr(cls, "__slots__", ()):
            if hasattr(other, name):
                setattr(stage, name, getattr(other, name))
    vars(stage).update(vars(other))
