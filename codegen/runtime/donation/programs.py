"""The programs of a function that donates, and the call of one.

_codegen_call_step -> run -> DonatingProgram.call -> donating, make_result, finish
                             (or Function._keep, while JAX traces)
"""

import contextlib
import functools
from collections.abc import Callable, Collection, Hashable, Sequence
from sys import _getframe, getrefcount  # pyright: ignore[reportPrivateUsage]
from types import SimpleNamespace
from typing import Any, Final, Self

import jax

from ..call import Leaves
from ..call.errors import (
    DonationWarning,
    ask_sharding,
    compiles,
    explain,
    is_deleted,
    is_of_deleted,
    looks_for_nans,
    runs_again,
)
from ..call.programs import CompiledProgram, TraceAgain
from ..call.structures import Results, ResultStructure, is_random_key
from ..keys.names import is_ref
from ..options import settings
from ..refs import refuse_donated
from ..tracing import calls, current_call, entry, is_tracing
from .buffers import (
    check_donations,
    explain_shared,
    refuse_repeated,
    unaliased_donations,
    watch,
)
from .consumed import Consumed, forget_consumed
from .slots import NO_CALLER, Tombstones, find_slots, lock, refuse

# `with lock` takes twice as long.
_acquire, _release = lock.acquire, lock.release
# The number of call sites whose markers are kept ready.
_CALLERS_MAX: Final = 64


def _data_references(key: object) -> int:
    """Count the references to the data of a random key, which only JAX's key class names."""
    return getrefcount(getattr(key, "_base_array", None))


# The count in a call for an array that only its object and one list refer to. One line counts it,
# because a debugger that reads the variables between two lines keeps references to them.
_REFERENCES: Final = next(getrefcount(leaf) for leaf in [object()]) + 1
# The count for data that only its key refers to.
_DATA_REFERENCES: Final = _data_references(SimpleNamespace(_base_array=object()))
_NOWHERE: Final[Collection[int]] = ()
# Errors of asking a value other than an array for its sharding, or of a short stack.
_NO_SHARDING: Final = (TypeError, AttributeError, ValueError)


class DonatingProgram(CompiledProgram):
    """The programs of one structure: one that donates, and one for `keep`."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # The slots that hold the donated leaves.
        self.slots = find_slots(self.structure, self.name)
        # The positions of leaves that have been random keys, which are views of their
        # data.
        self.keys: list[int] = []
        # The markers of the latest call from each call site.
        self.callers = [NO_CALLER]
        # Whether there are traces whose donations were not checked yet.
        self.is_unchecked = True
        # Whether JAX traced while it looked for NaNs, and so compiled without donation.
        self.is_undonated = False
        # The positions of donated leaves that XLA does not reuse, by the shapes, dtypes
        # and shardings of all leaves.
        self.unused = dict[Hashable, list[int]]()
        # A warning that is an error, and that the next call raises.
        self.late: DonationWarning | None = None
        # The positions of donated leaves that were reported as not reused.
        self.reported = set[int]()
        self.donating = self.compiled(donates=True)

    def trace_donating(self, leaves: Sequence[Any]) -> Results:
        """Trace the donating variant."""
        has_refs = any(map(is_ref, leaves))
        if has_refs:
            refuse_donated(leaves[: len(self.slots.sites)], self.structure.paths)
        if is_tracing():
            self.is_unchecked = True
            self.is_undonated |= looks_for_nans()
            self._note_keys(leaves)
        unaliased = functools.partial(unaliased_donations, is_exact=has_refs)
        return self.trace(leaves, unaliased)

    def _note_keys(self, leaves: Sequence[Any]) -> None:
        """Record keys whose data calls must compare, and check those of this call too."""
        positions = {i for i, leaf in enumerate(leaves) if is_random_key(leaf)}
        if positions.issubset(self.keys):
            return
        self.keys = sorted(positions.union(self.keys))
        if (call := current_call()) is not None:
            refuse_repeated(self, call.leaves)

    def renewed(self) -> Self:
        """Donate again, if JAX looked for NaNs and no longer does."""
        if self.is_undonated and not looks_for_nans() and not self.is_ahead:
            self.donating = self.compiled(donates=True)
            self.is_undonated = False
        return self

    def running(self, execute: Callable[..., Any]) -> Self:
        """Return a copy of this program that runs a function that JAX compiled ahead of
        time.
        """
        program = super().running(execute)
        program.callers = [NO_CALLER]
        return program

    def may_share_keys(self, donated: Leaves) -> bool:
        """Return whether a donated random key, or its data, may be in two places of a call.

        If the data of a key in a field is in two places, not only the key refers to it. Flattening a
        container or an object of another library may create keys, to which nothing else refers.
        """
        for position in self.keys:
            if position >= len(donated):
                break
            is_field = position in self.slots.direct
            if not is_field or _data_references(donated[position]) > _DATA_REFERENCES:
                return True
        return False

    def require_distinct(self, donated: Leaves, kept: Leaves) -> Collection[int]:
        """Refuse a call with an array in two places.

        Returns:
            the positions of donated leaves whose arrays must remember the call: those
                of arguments that are arrays themselves; or all positions, if an array
                has a reference besides its object, such as a second object
        """
        refuse_repeated(self, donated + kept)
        firsts = [donated[position] for *_, position in self.slots.owners]
        # The list of leaves is one more reference.
        is_held = any(getrefcount(first) > _REFERENCES + 1 for first in firsts)
        return range(len(donated)) if is_held else self.slots.unowned

    def find_markers(self, frame: Any, donated: Leaves) -> Tombstones:
        """Return the markers of a call site, by its code and the offset of the call in
        it.
        """
        code, offset = frame.f_code, frame.f_lasti
        sharding = getattr(donated[0], "sharding", None)
        for markers in self.callers:
            is_caller = markers.code is code and markers.offset == offset
            if is_caller and markers.sharding is sharding:
                return markers
        # The call site is new, or its arrays have another placement now.
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
        """Restore the leaves that a failed call has taken, and explain the error.

        Raises:
            ConsumedError: an array was deleted
            ValueError: two arrays share a buffer
        """
        # Leaves that were deleted before the call are restored too; those that the call
        # consumed are not.
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
        """Finish a call that needs more than the fast path.

        It is the first from its line or with its shapes, it is still watched, or it has
        donated arguments that are arrays themselves.
        """
        if not compiles():
            # Nothing was donated: under `jax.disable_jit` JAX does not trace, so this
            # may be within a jit.
            self.slots.put(arguments, donated, markers)
            return
        noted = markers.all
        if markers.result is not structure:
            code, offset = markers.code, markers.offset
            if markers.result is not None:
                # The markers are those of a call with other shapes.
                markers = self.slots.make_markers(donated, code, offset)
                self.slots.put(arguments, markers.all, markers)
            markers.result = structure
            others = [
                m for m in self.callers if m.code is not code or m.offset != offset
            ]
            self.callers = [markers, *others[: _CALLERS_MAX - 1]]
            if self.is_unchecked:
                # The call has run, and an error would lose its result. A warning that a
                # filter made an error is raised by the next call, before it runs.
                with contextlib.suppress(DonationWarning):
                    check_donations(self.renewed(), donated, kept, frames=6)
        try:
            if markers.watched:
                watch(self, donated, markers)
            elif not self.slots.unowned:
                markers.settled = structure
        except DonationWarning as warning:
            self.late, self.is_unchecked = warning, True
        finally:
            for position in self.slots.unowned:
                _delete(donated[position], result, noted[position])

    @entry
    def call(self, donated: Leaves, kept: Leaves, arguments: Any) -> Any:
        """Run the donating variant, and replace the arrays that it takes by markers."""
        markers, taken, noted = self.callers[0], False, _NOWHERE
        shares_keys = self.keys and self.may_share_keys(donated)
        for leaf in donated:
            if shares_keys or getrefcount(leaf) > _REFERENCES:  # Maybe in two places.
                del leaf
                noted = self.require_distinct(donated, kept)
                break
        if self.passed:
            kept = self.passing(kept)
        try:
            frame, sharding = _getframe(3), ask_sharding(donated[0])
        except _NO_SHARDING:
            frame, sharding = _find_caller(), getattr(donated[0], "sharding", None)
        if (
            markers.offset != frame.f_lasti
            or markers.code is not frame.f_code
            or markers.sharding is not sharding
        ):
            markers = self.find_markers(frame, donated)
        try:
            try:
                _acquire()
                # Check each object first. It loses all its arrays together.
                for number, find, first, position, _ in markers.owners:
                    obj = find(arguments[number]) if find else arguments[number]
                    current = first(obj)
                    if current is not donated[position] or type(current) is Consumed:
                        refuse(current, donated[position])
                if noted:
                    self.slots.note(donated, markers, noted)
                taken = True
                for number, find, _, _, puts in markers.owners:
                    obj = find(arguments[number]) if find else arguments[number]
                    for put, marker in puts:
                        put(obj, marker)
            finally:
                _release()
            if self.is_unchecked or settings.is_changed:
                check_donations(self.renewed(), donated, kept)
            compiled, stack = self.donating, calls.stack
            stack.append((compiled, donated, kept, "call"))
            try:
                results = None if self.weak else compiled(donated, kept)
            except TraceAgain:
                results = None  # Not the context of later errors.
            finally:
                stack.pop()
            results = results or self.run(compiled, donated, kept)
            structure, result = results.popitem()
        except BaseException as error:
            if taken:
                self.give_back(error, arguments, donated, kept, markers)
            raise
        result = structure.make_result(result, kept) if structure.unflatten else result
        if structure is not markers.settled:
            self.finish(arguments, donated, kept, markers, structure, result)
        return result


def _find_caller() -> Any:
    """Return the frame above `_run`, `run` and `__call__`; this one if there is none."""
    try:
        return _getframe(4)
    except ValueError:  # Called by the interpreter, as by `atexit`.
        return _getframe()


def _delete(leaf: object, result: object, marker: Consumed) -> None:
    """Delete a donated argument that XLA did not reuse, and that no object holds."""
    if not isinstance(leaf, jax.Array) or is_deleted(leaf):
        return
    # Without donation, a returned array may be the argument itself.
    if any(leaf is each for each in jax.tree_util.tree_leaves(result)):
        forget_consumed(leaf, marker)
    else:
        leaf.delete()
