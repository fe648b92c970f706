"""The compiled program of one structure of a function's arguments.

    program = Program("step", structure, implementation, jits, ...)
    ((result, travelled),) = program.run(program.keeping, donated, kept).items()
    result.make_result(travelled, kept)

It is a jitted function of a static argument, which stands for the structure, and leaves:
those that a call may donate, and the others.
All programs of a function are of one function for JAX, whose explanations tell them apart.
"""

import copy
import functools
from collections.abc import Callable, Sequence
from typing import Any, Self

import jax

from ..classes.arrays import has_weak_type
from ..keys.conversion import statics
from ..keys.names import is_generated
from ..traces.calls import entry
from ..traces.jits import Jits, Static
from .arguments import ArgumentStructure, WeakLeaf, strengthened_at, strong_leaves
from .implementations import Implementation
from .results import Results, find_unchanged, require_arrays, take_result


class Program:
    """What runs for one structure of arguments, and what its traces have found out."""

    # Whether it runs what JAX has compiled ahead of calls, and traces nothing.
    is_ahead = False

    def __init__(
        self,
        name: str,
        structure: ArgumentStructure,
        implementation: Implementation,
        jits: Jits,
        checks: bool,
        stacked: frozenset[int],
    ) -> None:
        """Compile nothing yet.

        Args:
            name: the function's
            structure: that of its arguments
            implementation: what it runs
            jits: what is compiled, with a place for this program
            checks: whether objects are held against their declared shapes
            stacked: but for these arguments; the number behind the last is the result
        """
        self.name = name
        self.structure = structure
        self.implementation = implementation
        self.jits = jits
        self.checks = checks
        self.stacked = stacked
        # The positions of leaves that have been of weak type, and are declared as arrays.
        self.weak: list[int] = []
        # From the leaves: donating nothing, and what a call runs.
        static = Static(self, donates=False)
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
        self, compiled: Callable[..., Any], donated: list[Any], kept: list[Any]
    ) -> Any:
        """Run or trace it, again where there are weak types that are not declared."""
        try:
            if not self.weak:
                return compiled(donated, kept)
            return compiled(*self._strengthened(donated, kept))
        except WeakLeaf:
            pass  # Out of here, so that it is no context of other errors.
        return compiled(*self._strengthened(donated, kept))

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
        self, given: Sequence[Any], left_over: Callable[..., list[Any]] = lambda *_: []
    ) -> Results:
        """Call the implementation with arguments made of leaves: this is what is traced.

        Under a mesh, arguments and result are where the schema says; leaves that are
        returned unchanged stay where they were.

        Args:
            given: the donated leaves, then the others
            left_over: of the donated leaves and of those that are made, which others are
                to travel with these
        """
        structure = self.structure
        values = _placed(structure.values(given))
        result = self._call(values)
        leaves, treedef = jax.tree_util.tree_flatten(result)
        if any(map(has_weak_type, leaves)):
            numbered = jax.tree_util.tree_unflatten(treedef, range(len(leaves)))
            strong = strong_leaves(numbered, is_array=False)
            leaves = strengthened_at(leaves, strong)
            result = jax.tree_util.tree_unflatten(treedef, leaves)
        if self.checks and len(structure.statics) not in self.stacked:
            _check(result)
        arguments = jax.tree_util.tree_leaves(values)
        never = structure.never_donated.items()
        never_donated = {id(arguments[number]): position for number, position in never}
        unchanged = find_unchanged(leaves, treedef, never_donated)
        require_arrays(result, self.name)
        placed = _placed(result)
        if placed is not result:
            moved = jax.tree_util.tree_leaves(placed)
            for number in unchanged:
                moved[number] = leaves[number]
            result = jax.tree_util.tree_unflatten(treedef, moved)
        donated = given[: len(structure.donated)]
        return take_result(result, unchanged, lambda made: left_over(donated, made))

    def _call(self, values: Any) -> Any:
        arguments = list(map(statics.fresh, self.structure.statics))
        for position, value in zip(self.structure.numbered, values, strict=True):
            arguments[position] = value
            if self.checks and position not in self.stacked:
                _check(value)
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


def _check(tree: Any) -> None:
    """Hold the objects of a tree against their declared dtypes and shapes."""
    for value in jax.tree_util.tree_leaves(tree, is_leaf=is_generated):
        if is_generated(value):
            value.check()
