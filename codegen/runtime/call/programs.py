"""The compiled program of one structure of a function's arguments.

    program = CompiledProgram("step", structure, implementation, jits, ...)
    ((result, travelled),) = program.run(program.keeping, donated, kept).items()
    result.make_result(travelled, kept)

It is a jitted function of a static argument, which stands for the structure, and leaves:
those that a call may donate, and the others.
All programs of a function are of one function for JAX, whose explanations tell them apart.
"""

import copy
import functools
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Self

import jax

from ..classes.arrays import has_weak_type
from ..declared import Declared
from ..keys.conversion import statics
from ..traces.calls import current_call, entry
from ..traces.jits import CompiledPair, ProgramKey
from .arguments import (
    ArgumentStructure,
    Pick,
    WeakLeaf,
    make_pick,
    strengthened_at,
    strong_leaves,
)
from .checks import CallCheck
from .errors import ask_deleted, is_deleted, raise_deleted
from .implementations import Implementation
from .results import Results, find_unchanged, require_arrays, take_result


class MappedCall(Exception):
    """Ends a trace within `jax.vmap` over a declared dimension, whose arrays lack its axis.

    JAX would find this trace for a call that is not within `vmap`, and whose arrays are
    wrong. So the call gets a trace that no other call finds.
    """


class CompiledProgram:
    """What runs for one structure of arguments, and what its traces have found out."""

    # Whether it runs what JAX has compiled ahead of calls, and traces nothing.
    is_ahead = False

    def __init__(
        self,
        name: str,
        structure: ArgumentStructure,
        implementation: Implementation,
        jits: CompiledPair,
        shapes: Mapping[str, Declared] | None,
    ) -> None:
        """Compile nothing yet.

        Args:
            name: the function's
            structure: that of its arguments
            implementation: what it runs
            jits: what is compiled, with a place for this program
            shapes: what is declared of the arrays in its arguments and its result, by
                their names; None where nothing is checked
        """
        self.name = name
        self.structure = structure
        self.implementation = implementation
        self.jits = jits
        self.shapes = shapes
        # The positions of leaves that have been of weak type, and are declared as arrays.
        self.weak: list[int] = []
        # The positions of kept leaves that some trace passes on to the result: as no
        # program reads them, JAX does not see whether they were deleted.
        self.passed: set[int] = set()
        self.pick_passed: Pick = make_pick(())
        self.mapped = ProgramKey(self, donates=False, is_mapped=True)
        # From the leaves: donating nothing, and what a call runs.
        static = ProgramKey(self, donates=False)
        self.keeping = functools.partial(jits.keeping, static)
        self.calling = functools.partial(jits.calling, static)

    def renewed(self) -> Self:
        """Return what a call runs: a program that donates may have to be compiled again."""
        return self

    def running(self, execute: Callable[..., Any]) -> Self:
        """Return this program as one that runs what JAX has compiled ahead of calls."""
        program = copy.copy(self)
        program.is_ahead = True
        static = self.calling.args[0]
        program.calling = functools.partial(lambda _, *leaves: execute(*leaves), static)
        program.keeping = program.calling
        return program

    @entry
    def run(
        self,
        compiled: functools.partial[Any],
        donated: list[Any],
        kept: list[Any],
    ) -> Any:
        """Run or trace it, again where there are weak types that are not declared."""
        while True:
            try:
                if not self.weak:
                    return compiled(donated, kept)
                return compiled(*self._strengthened(donated, kept))
            except WeakLeaf:
                pass  # Out of here, so that it is no context of other errors.
            except MappedCall:
                first, *rest = self.mapped, *compiled.args[1:]
                compiled = functools.partial(compiled.func, first, *rest)

    def _strengthened(
        self, donated: list[Any], kept: list[Any]
    ) -> tuple[list[Any], list[Any]]:
        leaves = strengthened_at([*donated, *kept], self.weak)
        return leaves[: len(donated)], leaves[len(donated) :]

    def staged(
        self, stage: str, compiled: Any, donated: list[Any], kept: list[Any]
    ) -> Any:
        """Do only so much as a method of JAX's compiled functions: lower it, say."""
        method = getattr(compiled.func, stage)
        return self.run(functools.partial(method, *compiled.args), donated, kept)

    def require_strong(self, given: Sequence[Any]) -> None:
        """End a trace for leaves of weak type that are declared as arrays."""
        weak = [i for i in self.structure.strong if has_weak_type(given[i])]
        if weak:
            # Those that are known came from a thread that took its leaves before.
            self.weak.extend(i for i in weak if i not in self.weak)
            raise WeakLeaf

    def trace(
        self,
        given: Sequence[Any],
        left_over: Callable[..., list[Any]] = lambda *_: [],
        *,
        is_mapped: bool = False,
    ) -> Results:
        """Call the implementation with arguments made of leaves: this is what is traced.

        Under a mesh, arguments and result are where the schema says; leaves that are
        returned unchanged stay where they were.

        Args:
            given: the donated leaves, then the others
            left_over: of the donated leaves and of those that are made, which others are
                to travel with these
            is_mapped: whether arrays may lack the axes of a dimension
        """
        structure = self.structure
        values = _placed(structure.values(given))
        arguments = self._arguments(values)
        check = None if self.shapes is None else CallCheck(self.name, self.shapes)
        if check is not None:
            self._check_arguments(check, arguments, is_mapped=is_mapped)
        result = self._call(arguments)
        leaves, treedef = jax.tree_util.tree_flatten(result)
        if any(map(has_weak_type, leaves)):
            numbered = jax.tree_util.tree_unflatten(treedef, range(len(leaves)))
            strong = strong_leaves(numbered, is_array=False)
            leaves = strengthened_at(leaves, strong)
            result = jax.tree_util.tree_unflatten(treedef, leaves)
        traced = jax.tree_util.tree_leaves(values)
        never = structure.never_donated.items()
        never_donated = {id(traced[number]): position for number, position in never}
        unchanged = find_unchanged(leaves, treedef, never_donated)
        require_arrays(result, unchanged, self.name)
        self._note_passed(unchanged.values())
        if check is not None:
            check.result(result)
        placed = _placed(result)
        if placed is not result:
            moved = jax.tree_util.tree_leaves(placed)
            for number in unchanged:
                moved[number] = leaves[number]
            result = jax.tree_util.tree_unflatten(treedef, moved)
        donated = given[: len(structure.donated)]
        return take_result(result, unchanged, lambda made: left_over(donated, made))

    def _note_passed(self, positions: Collection[int]) -> None:
        """Have calls look at these kept leaves, the one that is traced for too."""
        call = current_call()
        if call is not None and not self.passed.issuperset(positions):
            self.passed.update(positions)
            self.pick_passed = make_pick(sorted(self.passed))
            self.require_alive(call.leaves[len(self.structure.donated) :])

    def require_alive(self, kept: Sequence[Any]) -> None:
        """Refuse a call with a deleted leaf that it would pass on unread.

        Raises:
            ConsumedError: with its path, and the call that consumed it where that is known
        """
        leaves = self.pick_passed(kept)
        try:
            if True not in map(ask_deleted, leaves):
                return
        except (
            TypeError
        ):  # Some are numbers, keys or Refs; or stand for them in a trace.
            if not any(map(is_deleted, leaves)):
                return
        paths = self.structure.paths[len(self.structure.donated) :]
        raise_deleted(kept, paths, self.name)

    def _check_arguments(
        self, check: CallCheck, arguments: list[Any], *, is_mapped: bool
    ) -> None:
        named = dict(zip(self.jits.history.parameters, arguments, strict=True))
        try:
            check.arguments(named)
        except ValueError:
            call = current_call()
            if call is None or not call.is_mapped or not check.fits_without_axes(named):
                raise
            if not is_mapped:
                raise MappedCall from None

    def _arguments(self, values: Any) -> list[Any]:
        """Return all arguments in their order, of which some are traced."""
        arguments = list(map(statics.fresh, self.structure.statics))
        for position, value in zip(self.structure.numbered, values, strict=True):
            arguments[position] = value
        return arguments

    def _call(self, arguments: list[Any]) -> Any:
        try:
            return self.implementation.run(*arguments)
        except (ImportError, AttributeError, TypeError) as error:
            self.implementation.explain(error, self.name)
            raise


def _placed(tree: Any) -> Any:
    """Return a tree whose objects are where their schema says, if there is a mesh.

    Those of which it says something know how, by protocol.
    """
    if jax.sharding.get_abstract_mesh().empty:
        return tree
    return jax.tree_util.tree_map(
        lambda value: value.__codegen_place__() if _is_sharded(value) else value,
        tree,
        is_leaf=_is_sharded,
    )


def _is_sharded(value: Any) -> bool:
    return hasattr(type(value), "__codegen_place__")
