"""A generated function that donates the donated fields of its donated arguments.

step: Final = DonatingFunction(..., name="step", donated=["plate"])
new = step(plate, 0.1)              # consumes plate.u alone
new = step.keep(plate, 0.1)         # the same, consuming nothing

Function.__call__ -> _run -> DonatingProgram.calling, make_result, finish
                         (or _keep, while JAX traces)
"""

import functools
import sys
from collections.abc import Callable, Hashable, Sequence
from sys import getrefcount
from typing import Any, Final, ParamSpec, Self, TypeVar

import jax

from ..call.arguments import is_random_key
from ..call.errors import explain, is_deleted, is_of_deleted, looks_for_nans, runs_again
from ..call.functions import Function, Leaves
from ..call.programs import CompiledProgram
from ..call.results import Results, ResultStructure
from ..settings import settings
from ..traces.calls import current_call
from ..traces.jits import ProgramKey
from ..tracing import is_tracing
from .consumed import Consumed, forget_consumed
from .reuse import check_donations, compiles, left_over, reused_buffers, watch
from .slots import (
    Tombstones,
    explain_shared,
    find_places,
    key_data_of,
    lock,
    refuse,
    require_distinct,
)

P = ParamSpec("P")
R = TypeVar("R")

# How many places that call a function have their markers at hand.
_CALLERS_MAX: Final = 64
# How many references a routine call finds to an array that only its object holds: the
# object's, those of two lists, and those of the name and the argument that it is asked by.
_REFERENCES: Final = 5
# As exact as `id`, which Python audits: where somebody listens, that takes long.
_address: Final = object.__hash__


class DonatingProgram(CompiledProgram):
    """The programs of one structure: one that donates, and one for `keep`."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # Where the donated leaves are held.
        self.places = find_places(self.structure, self.name)
        # The markers of the latest call by each caller.
        self.callers: list[Tombstones] = []
        # The positions of leaves that have been random keys, each a view of its data.
        self.keys: list[int] = []
        # Whether there are traces whose donations have not been looked at.
        self.is_unchecked = True
        # Whether JAX has traced for NaNs, and so compiled without donation.
        self.is_undonated = False
        # By the shapes, dtypes and shardings of all leaves: the donated leaves, by
        # position, that XLA does not reuse.
        self.unused = dict[Hashable, list[int]]()
        # The positions of donated leaves that have been reported as not reused.
        self.reported = set[int]()
        self.renew()

    def renew(self) -> None:
        """Donate from the next trace on, whatever JAX has compiled."""
        static = ProgramKey(self, donates=True)
        self.calling = functools.partial(self.jits.calling, static)
        self.is_undonated = False

    def trace_donating(self, leaves: Sequence[Any]) -> Results:
        if is_tracing():
            self.is_unchecked = True
            self.is_undonated |= looks_for_nans()
            self._note_keys(leaves)
        return self.trace(leaves, left_over)

    def _note_keys(self, leaves: Sequence[Any]) -> None:
        """Have calls compare the data of these keys, the one that is traced for too."""
        found = {i for i, leaf in enumerate(leaves) if is_random_key(leaf)}
        if found.issubset(self.keys):
            return
        self.keys = sorted(found.union(self.keys))
        if (call := current_call()) is not None:
            require_distinct(self, call.leaves)

    def renewed(self) -> Self:
        """Donate again, where JAX looked for NaNs, and does so no longer."""
        if self.is_undonated and not looks_for_nans() and not self.is_ahead:
            self.renew()
        return self

    def running(self, execute: Callable[..., Any]) -> Self:
        program = super().running(execute)
        program.callers = []
        return program

    def give_back(
        self,
        error: BaseException,
        arguments: tuple[Any, ...],
        donated: Leaves,
        kept: Leaves,
        markers: Tombstones,
    ) -> None:
        """Put back what a call has taken that has failed, and say what it failed for.

        Raises:
            ConsumedError: an array was deleted
            ValueError: two arrays share a buffer
        """
        # What was deleted before the call goes back too; what the call took does not.
        refused = is_of_deleted(error) and not runs_again()
        pairs = zip(donated, markers.all, strict=True)
        back = [x if refused or not is_deleted(x) else marker for x, marker in pairs]
        self.places.put(arguments, back, markers)
        leaves = donated + kept
        explain(error, leaves, self.structure.paths, self.name)
        explain_shared(error, self, leaves)

    def finish(
        self,
        arguments: tuple[Any, ...],
        donated: Leaves,
        kept: Leaves,
        markers: Tombstones,
        structure: ResultStructure,
        result: object,
    ) -> None:
        """Finish a call that is no routine one.

        It is the first of its line or of its shapes, one that is still watched, or one
        with donated arguments that are arrays themselves.
        """
        if not compiles():
            # Nothing was donated. As JAX traces nothing, this may be within a jit.
            self.places.put(arguments, donated, markers)
            return
        noted = markers.all
        if markers.result is not structure:
            code, offset = markers.code, markers.offset
            if markers.result is not None:
                # They are those of a call with other shapes.
                markers = self.places.make_markers(donated, code, offset)
                self.places.put(arguments, markers.all, markers)
            markers.result = structure
            others = [
                m for m in self.callers if m.code is not code or m.offset != offset
            ]
            self.callers = [markers, *others[: _CALLERS_MAX - 1]]
            if self.is_unchecked:
                check_donations(self.renewed(), donated, kept, frames=5)
        try:
            if markers.watched:
                watch(self, donated, markers)
        finally:
            for position in self.places.bare:
                _delete(donated[position], result, noted[position])


class DonatingFunction(Function[P, R]):
    """A function of a schema that consumes the donated fields of its donated arguments."""

    _program_type = DonatingProgram

    def _donation(self, program: Any, donated: Leaves, kept: Leaves) -> dict[str, bool]:
        traced = program.staged("trace", program.calling, donated, kept)
        reused = reused_buffers(program.calling.args[0], traced, donated)
        return dict(zip(program.structure.paths, reused, strict=False))

    def _run(self, program: Any, donated: Leaves, kept: Leaves, arguments: Any) -> R:
        """Call the program that donates, and put markers where it takes arrays from."""
        if not donated or is_tracing():
            return self._keep(program, donated, kept)
        leaves = donated + kept
        keys = program.keys
        if len(leaves) > 1:
            distinct = {*map(_address, key_data_of(leaves, keys) if keys else leaves)}
            if len(distinct) < len(leaves):
                require_distinct(program, leaves)
        if program.passed:
            program.require_alive(kept)
        try:
            # Behind this method and `__call__`.
            frame = sys._getframe(2)  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
        except ValueError:  # Called by the interpreter itself, as by `atexit`.
            frame = sys._getframe()  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
        code, offset = frame.f_code, frame.f_lasti
        sharding = getattr(donated[0], "sharding", None)
        for markers in program.callers:
            is_caller = markers.code is code and markers.offset == offset
            if is_caller and markers.sharding is sharding:
                break
        else:
            # From a caller that is new, or whose arrays lie elsewhere now.
            markers = program.places.make_markers(donated, code, offset)
            program.is_unchecked = True
        taken = False
        try:
            with lock:
                # Check every object first. One array of each is enough, since an object
                # loses all its arrays at once.
                is_held = False
                for find, get, position, _ in markers.objects:
                    found = get(find(arguments))
                    if found is not donated[position] or type(found) is Consumed:
                        refuse(found, donated[position])
                    is_held = is_held or getrefcount(found) > _REFERENCES
                if is_held or program.places.bare:
                    program.places.note(donated, markers, is_held)
                taken = True
                for find, _, _, puts in markers.objects:
                    obj = find(arguments)
                    for put, marker in puts:
                        put(obj, marker)
            if program.is_unchecked or settings.is_changed:
                check_donations(program.renewed(), donated, kept)
            results = program.run(program.calling, donated, kept)
            structure, travelled = results.popitem()
        except BaseException as error:
            if taken:
                program.give_back(error, arguments, donated, kept, markers)
            raise
        result: R = structure.make_result(travelled, kept)
        if markers.watched or markers.result is not structure or program.places.bare:
            program.finish(arguments, donated, kept, markers, structure, result)
        return result


def _delete(leaf: Any, result: object, marker: Consumed) -> None:
    """Delete a donated argument that XLA did not take; no object holds it."""
    if not isinstance(leaf, jax.Array) or is_deleted(leaf):
        return
    # Without donation, what is returned may be the argument itself.
    if any(leaf is each for each in jax.tree_util.tree_leaves(result)):
        forget_consumed(leaf, marker)
    else:
        leaf.delete()
