# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false, reportUnknownLambdaType=false
"""The compiled programs of one structure of a function's arguments.

    program = make_program(Work("step", structure, implementation, origin, ...))
    ((result, leaves),) = program.donating(donated, kept).items()
    result.make_result(leaves, kept)

They are jitted functions of leaves alone: what is static is closed over.
"""

import dataclasses
from collections.abc import Callable, Hashable
from typing import Any, Final

import jax

from ..classes.arrays import has_weak_type
from ..keys.conversion import statics
from ..keys.names import is_generated
from ..tracing import is_tracing
from .arguments import ArgumentStructure
from .implementations import Implementation
from .results import Results, find_unchanged, require_arrays, take_result
from .taking import Places, find_places
from .tracebacks import describe
from .weak import WeakLeaf, strengthened_at, strong_leaves

# JAX's stubs do not know what it consists of.
_config: Final[Any] = jax.config


@dataclasses.dataclass(eq=False, slots=True)
class Work:
    """What programs run, and what their traces have found out."""

    name: str
    structure: ArgumentStructure
    implementation: Implementation
    # The function behind it, which JAX and tracebacks are to show.
    origin: Callable[..., Any]
    keep_unused: bool
    # Whether objects are held against their declared shapes.
    checks: bool
    # Whether there are traces whose donations have not been looked at.
    unchecked: bool = True
    # Whether JAX has traced for NaNs, and so compiled without donation.
    undonated: bool = False
    # The positions of leaves that have been of weak type, and are declared as arrays.
    weak: list[int] = dataclasses.field(default_factory=list[int])

    def jitted(self, *, donates: bool) -> Any:
        """Return a compiled function of donated and kept leaves."""

        def run(donated: list[Any], kept: list[Any]) -> Results:
            if donates and is_tracing():
                self.unchecked = True
                self.undonated |= looks_for_nans()
            return self._run(donated, kept, donates=donates)

        describe(run, self.name, self.structure.paths, self.origin)
        argnums = (0,) if donates else ()
        return jax.jit(run, keep_unused=self.keep_unused, donate_argnums=argnums)

    def _run(self, donated: list[Any], kept: list[Any], *, donates: bool) -> Results:
        """Call the implementation with arguments made of leaves: this is what is traced.

        Under a mesh, arguments and result are where the schema says; leaves that are
        returned unchanged stay where they were.
        """
        structure, given = self.structure, [*donated, *kept]
        weak = [i for i in structure.strong if has_weak_type(given[i])]
        if weak:
            # Those that are known came from a thread that took its leaves before.
            self.weak.extend(i for i in weak if i not in self.weak)
            raise WeakLeaf
        values = _placed(structure.values(given))
        result = self._call(values)
        leaves, treedef = jax.tree_util.tree_flatten(result)
        if any(map(has_weak_type, leaves)):
            numbered = jax.tree_util.tree_unflatten(treedef, range(len(leaves)))
            strong = strong_leaves(numbered, is_array=False)
            leaves = strengthened_at(leaves, strong)
            result = jax.tree_util.tree_unflatten(treedef, leaves)
        if self.checks:
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
        return take_result(result, donated if donates else (), unchanged)

    def _call(self, values: Any) -> Any:
        arguments = list(map(statics.fresh, self.structure.statics))
        for position, value in zip(self.structure.numbered, values, strict=True):
            arguments[position] = value
        if self.checks:
            _check(values)
        try:
            return self.implementation.run(*arguments)
        except (ImportError, AttributeError, TypeError) as error:
            self.implementation.explain(error, self.name)
            raise


@dataclasses.dataclass(eq=False, slots=True)
class Program:
    """The programs of one structure of arguments."""

    work: Work
    # Where the donated leaves are held.
    places: Places
    # From the donated and the kept leaves: donating the former, and donating nothing.
    donating: Any
    keeping: Any
    # By the shapes, dtypes and shardings of all leaves: the donated leaves, by position,
    # that XLA does not reuse.
    checked: dict[Hashable, list[int]] = dataclasses.field(
        default_factory=dict[Hashable, list[int]]
    )
    # The paths of donated leaves that have been reported as not reused.
    reported: set[str] = dataclasses.field(default_factory=set[str])

    def renew(self) -> None:
        """Donate again, where JAX looked for NaNs, and does so no longer."""
        if self.work.undonated and not looks_for_nans():
            self.donating = self.work.jitted(donates=True)
            self.work.undonated = False

    def strengthened(
        self, donated: list[Any], kept: list[Any]
    ) -> tuple[list[Any], list[Any]]:
        """Return the leaves without the weak types that cost traces before."""
        if not self.work.weak:
            return donated, kept
        leaves = strengthened_at([*donated, *kept], self.work.weak)
        return leaves[: len(donated)], leaves[len(donated) :]

    def run(
        self,
        compiled: Callable[[list[Any], list[Any]], Any],
        donated: list[Any],
        kept: list[Any],
    ) -> Any:
        """Run or trace one, again where there are weak types that are not declared."""
        try:
            return compiled(*self.strengthened(donated, kept))
        except WeakLeaf:
            return compiled(*self.strengthened(donated, kept))


def make_program(work: Work) -> Program:
    """Return programs that are compiled when they are called."""
    places = find_places(work.structure, work.name)
    return Program(work, places, work.jitted(donates=True), work.jitted(donates=False))


def looks_for_nans() -> bool:
    """Tell whether JAX looks for NaNs, and compiles without donation to find them."""
    return bool(_config.jax_debug_nans)


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
