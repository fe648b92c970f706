"""A generated function that donates the donated fields of its donated arguments.

step: Final = DonatingFunction(..., name="step", donated=["plate"])
new = step(plate, 0.1)              # consumes plate.u alone
new = step.keep(plate, 0.1)         # the same, consuming nothing

Function.__call__ -> _run -> DonatingProgram.donating, make_result, finish
                         (or _keep, while JAX traces)
"""

import sys
from collections.abc import Callable, Collection, Hashable, Sequence
from sys import getrefcount
from typing import Any, Final, ParamSpec, Self, TypeVar

import jax

from ..call import Function, Leaves
from ..call.errors import (
    explain,
    is_deleted,
    is_of_deleted,
    looks_for_nans,
    runs_again,
)
from ..call.programs import CompiledProgram, TraceAgain
from ..call.structures import Results, ResultStructure, is_random_key
from ..settings import settings
from ..tracing import active, calls, current_call, entry, is_tracing, no_trace
from .buffers import (
    check_donations,
    compiles,
    explain_shared,
    refuse_repeated,
    reused_buffers,
    unaliased_donations,
    watch,
)
from .consumed import Consumed, forget_consumed
from .slots import NO_CALLER, Tombstones, find_slots, lock, refuse

P = ParamSpec("P")
R = TypeVar("R")

# How many places that call a function have their markers at hand.
_CALLERS_MAX: Final = 64


def _references(leaves: Sequence[object]) -> int:
    """Count the references to a leaf that a loop over leaves finds."""
    for leaf in leaves:
        return getrefcount(leaf)
    return 0


# How many a call finds to an array that only its object and one list hold.
_REFERENCES: Final = _references([object()]) + 1


class DonatingProgram(CompiledProgram):
    """The programs of one structure: one that donates, and one for `keep`."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # Where the donated leaves are held.
        self.slots = find_slots(self.structure, self.name)
        # The positions of leaves that have been random keys, each a view of its data.
        self.keys: list[int] = []
        # The markers of the latest call by each caller.
        self.callers = [NO_CALLER]
        # Whether there are traces whose donations have not been looked at.
        self.is_unchecked = True
        # Whether JAX has traced for NaNs, and so compiled without donation.
        self.is_undonated = False
        # By the shapes, dtypes and shardings of all leaves: the donated leaves, by
        # position, that XLA does not reuse.
        self.unused = dict[Hashable, list[int]]()
        # The positions of donated leaves that have been reported as not reused.
        self.reported = set[int]()
        self.donating = self.compiled(donates=True)

    def trace_donating(self, leaves: Sequence[Any]) -> Results:
        """Trace what a call runs that donates."""
        if is_tracing():
            self.is_unchecked = True
            self.is_undonated |= looks_for_nans()
            self._note_keys(leaves)
        return self.trace(leaves, unaliased_donations)

    def _note_keys(self, leaves: Sequence[Any]) -> None:
        """Have calls compare the data of these keys, the one that is traced for too."""
        found = {i for i, leaf in enumerate(leaves) if is_random_key(leaf)}
        if found.issubset(self.keys):
            return
        self.keys = sorted(found.union(self.keys))
        if (call := current_call()) is not None:
            refuse_repeated(self, call.leaves)

    def renewed(self) -> Self:
        """Donate again, where JAX looked for NaNs, and does so no longer."""
        if self.is_undonated and not looks_for_nans() and not self.is_ahead:
            self.donating = self.compiled(donates=True)
            self.is_undonated = False
        return self

    def running(self, execute: Callable[..., Any]) -> Self:
        """Return this program as one that runs what JAX has compiled ahead of calls."""
        program = super().running(execute)
        program.callers = [NO_CALLER]
        return program

    def require_distinct(self, donated: Leaves, kept: Leaves) -> Collection[int]:
        """Refuse a call with an array in two places.

        Returns:
            the positions of donated leaves whose call is remembered by the arrays: of
            those that are arguments themselves, and of all if something besides its
            object holds an array, as a second object may do
        """
        refuse_repeated(self, donated + kept)
        firsts = [donated[position] for *_, position in self.slots.owners]
        # The list of them is one more reference.
        is_held = any(getrefcount(first) > _REFERENCES + 1 for first in firsts)
        return range(len(donated)) if is_held else self.slots.unowned

    def find_markers(self, frame: Any, donated: Leaves) -> Tombstones:
        """Return the markers of a caller, by its code and the offset of the call in it."""
        code, offset = frame.f_code, frame.f_lasti
        sharding = getattr(donated[0], "sharding", None)
        for markers in self.callers:
            is_caller = markers.code is code and markers.offset == offset
            if is_caller and markers.sharding is sharding:
                return markers
        # From a caller that is new, or whose arrays lie elsewhere now.
        self.is_unchecked = True
        return self.slots.make_markers(donated, code, offset)

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
        self.slots.put(arguments, back, markers)
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
            self.slots.put(arguments, donated, markers)
            return
        noted = markers.all
        if markers.result is not structure:
            code, offset = markers.code, markers.offset
            if markers.result is not None:
                # They are those of a call with other shapes.
                markers = self.slots.make_markers(donated, code, offset)
                self.slots.put(arguments, markers.all, markers)
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
            elif not self.slots.unowned:
                markers.settled = structure
        finally:
            for position in self.slots.unowned:
                _delete(donated[position], result, noted[position])


class DonatingFunction(Function[P, R]):
    """A function of a schema that consumes the donated fields of its donated arguments."""

    _program_type = DonatingProgram

    def _donation(self, program: Any, donated: Leaves, kept: Leaves) -> dict[str, bool]:
        leaves = donated, kept
        traced = program.staged("trace", program.donating, leaves, "donation")
        reused = reused_buffers(program.donating.args[0], traced, donated)
        return dict(zip(program.structure.paths, reused, strict=False))

    @entry
    def _run(self, program: Any, donated: Leaves, kept: Leaves, arguments: Any) -> R:
        """Call the program that donates, and put markers where it takes arrays from."""
        if not donated or active.value is not no_trace:
            return self._keep(program, donated, kept)
        noted: Collection[int] = ()
        for leaf in donated:
            # Arrays that nothing else holds are in one place only.
            if getrefcount(leaf) > _REFERENCES or program.keys:
                del leaf
                noted = program.require_distinct(donated, kept)
                break
        if program.passed:
            program.require_alive(kept)
        try:
            # Behind this method and `__call__`.
            frame = sys._getframe(2)  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
        except ValueError:  # Called by the interpreter itself, as by `atexit`.
            frame = sys._getframe()  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
        markers, sharding = program.callers[0], getattr(donated[0], "sharding", None)
        is_caller = markers.offset == frame.f_lasti and markers.code is frame.f_code
        if not is_caller or markers.sharding is not sharding:
            markers = program.find_markers(frame, donated)
        taken = False
        try:
            with lock:
                # Check every object first. One array of each is enough, since an object
                # loses all its arrays at once.
                for number, find, first, position, _ in markers.owners:
                    obj = find(arguments[number]) if find else arguments[number]
                    found = first(obj)
                    if found is not donated[position] or type(found) is Consumed:
                        refuse(found, donated[position])
                if noted:
                    program.slots.note(donated, markers, noted)
                taken = True
                for number, find, _, _, puts in markers.owners:
                    obj = find(arguments[number]) if find else arguments[number]
                    for put, marker in puts:
                        put(obj, marker)
            if program.is_unchecked or settings.is_changed:
                check_donations(program.renewed(), donated, kept)
            compiled, stack = program.donating, calls.stack
            stack.append((compiled, donated, kept, "call"))
            try:
                results = None if program.weak else compiled(donated, kept)
            except TraceAgain:
                results = None  # Out of here, so that it is no context of other errors.
            finally:
                stack.pop()
            if results is None:
                results = program.run(compiled, donated, kept)
            structure, travelled = results.popitem()
        except BaseException as error:
            if taken:
                program.give_back(error, arguments, donated, kept, markers)
            raise
        result: R = structure.make_result(travelled, kept)
        if structure is not markers.settled:
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
