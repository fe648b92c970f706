# pyright: reportUnknownArgumentType=false, reportUnknownLambdaType=false, reportUnknownMemberType=false, reportUnknownVariableType=false
"""A generated function that donates the donated fields of its donated arguments.

step: Final = DonatingFunction(..., name="step", donated=["plate"])
new = step(plate, 0.1)              # consumes plate.u alone
new = step.keep(plate, 0.1)         # the same, consuming nothing

Function.__call__ -> _run -> Places.take, DonatingProgram.calling, make_result
"""

import sys
from collections.abc import Hashable
from types import FrameType
from typing import Any, ParamSpec, TypeVar

import jax

from ..call.errors import explain, is_deleted, is_of_deleted, looks_for_nans, runs_again
from ..call.functions import Function
from ..call.programs import Program
from ..call.results import Results
from ..call.weak import WeakLeaf
from ..settings import settings
from ..tracing import is_tracing
from .consumed import forget_consumed
from .reuse import check_donations, compiles, left_over, reused_buffers, watch
from .taking import find_places, require_distinct

P = ParamSpec("P")
R = TypeVar("R")


class DonatingProgram(Program):
    """The programs of one structure: one that donates, and one for `keep`."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # Where the donated leaves are held.
        self.places = find_places(self.structure, self.name)
        # Whether there are traces whose donations have not been looked at.
        self.is_unchecked = True
        # Whether JAX has traced for NaNs, and so compiled without donation.
        self.is_undonated = False
        # By the shapes, dtypes and shardings of all leaves: the donated leaves, by
        # position, that XLA does not reuse.
        self.unused = dict[Hashable, list[int]]()
        # The paths of donated leaves that have been reported as not reused.
        self.reported = set[str]()
        self.renew()

    def renew(self) -> None:
        """Donate from the next trace on, whatever JAX has compiled."""
        self.calling = self.jitted(self._trace_donating, donate_argnums=(0,))
        self.is_undonated = False

    def _trace_donating(self, donated: list[Any], kept: list[Any]) -> Results:
        if is_tracing():
            self.is_unchecked = True
            self.is_undonated |= looks_for_nans()
        return self.trace(donated, kept, left_over)

    def renewed(self) -> "DonatingProgram":
        """Donate again, where JAX looked for NaNs, and does so no longer."""
        if self.is_undonated and not looks_for_nans():
            self.renew()
        return self


class DonatingFunction(Function[P, R]):
    """A function of a schema that consumes the donated fields of its donated arguments."""

    _program_type = DonatingProgram

    def _bound(
        self, /, *args: P.args, **kwargs: P.kwargs
    ) -> tuple[DonatingProgram, list[Any], list[Any]]:
        program, donated, kept = super()._bound(*args, **kwargs)
        return program.renewed(), donated, kept

    def _donation(
        self, program: DonatingProgram, donated: list[Any], kept: list[Any]
    ) -> dict[str, bool]:
        traced = program.run(program.calling.trace, donated, kept)
        reused = reused_buffers(program, traced, donated)
        return dict(zip(program.structure.paths, reused, strict=False))

    def _run(
        self,
        program: DonatingProgram,
        donated: list[Any],
        kept: list[Any],
        arguments: tuple[Any, ...],
    ) -> R:
        if not donated or is_tracing():
            return self._keep(program, donated, kept)
        leaves = donated + kept
        if len({*map(id, leaves)}) < len(leaves):
            require_distinct(donated, kept, program.structure.paths, self.__name__)
        try:
            # Behind this method and `__call__`.
            frame = sys._getframe(2)  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
        except ValueError:  # Called by the interpreter itself, as by `atexit`.
            frame = sys._getframe()  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
        return self._donate(program, donated, kept, arguments, frame)

    def _donate(
        self,
        program: DonatingProgram,
        donated: list[Any],
        kept: list[Any],
        arguments: tuple[Any, ...],
        frame: FrameType,
    ) -> R:
        """Call the program that donates, and put markers where it takes arrays from."""
        places = program.places
        code, offset = frame.f_code, frame.f_lasti
        markers = places.callers.get((id(code), offset))
        if markers is None:
            markers = places.make_markers(donated, code, offset)
        sharding = getattr(donated[0], "sharding", None)
        places.take(arguments, donated, markers)
        given, passed = donated, kept
        try:
            if program.weak:
                given, passed = program.strengthened(donated, kept)
            # From a caller that is new, the arrays may lie elsewhere.
            is_new = markers.result is None or markers.sharding is not sharding
            if is_new or program.is_unchecked or settings.raises:
                check_donations(program.renewed(), given, passed)
            structure, travelled = program.calling(given, passed).popitem()
        except WeakLeaf:
            places.put(arguments, donated)
            return self._donate(program, donated, kept, arguments, frame)
        except BaseException as error:
            deleted = is_of_deleted(error) and not runs_again()
            places.put(arguments, donated, deleted=deleted)
            explain(error, donated + kept, program.structure.paths, self.__name__)
            raise
        result: R = structure.make_result(travelled, kept)
        if markers.result is not structure or markers.sharding is not sharding:
            if not compiles():
                # Nothing was donated: as JAX traces nothing, this may be within a jit.
                places.put(arguments, donated, deleted=False)
                return result
            markers = places.settle(arguments, donated, markers, structure)
            if program.is_unchecked:
                check_donations(program.renewed(), given, passed)
        if markers.watched:
            markers.watched -= 1
            watch(program, given)
        if places.bare:
            _delete([donated[i] for i in places.bare], result)
        return result


def _delete(arguments: list[Any], result: object) -> None:
    """Delete donated arguments that XLA did not take; no object holds them."""
    for leaf in arguments:
        if not isinstance(leaf, jax.Array) or is_deleted(leaf):
            continue
        # Without donation, what is returned may be the argument itself.
        if any(leaf is each for each in jax.tree_util.tree_leaves(result)):
            forget_consumed(leaf)
        else:
            leaf.delete()
