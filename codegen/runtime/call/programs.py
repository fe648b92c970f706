"""The compiled programs of one structure of a function's arguments.

    program = CompiledProgram("step", structure, implementation, history, ...)
    program.call(donated, kept, (plate, dt, n))     # consumes the donated leaves
    program.keep(donated, kept)                     # consumes nothing

JAX sees all programs of a function as one function, so that JAX itself can explain a
retrace. This function takes a static argument that distinguishes the programs, the
donated leaves and the kept leaves. It returns a dict whose only key is the structure of
the result: one object for each trace, with all that a call needs afterwards.
"""

import contextlib
import functools
import inspect
import types
import weakref
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

import jax

from ..containers import unchanged
from ..declared import described
from ..implementations import Implementation
from ..internals import active, identity, is_array_deleted, no_trace
from ..keys.messages import REST, RESULT, format_line
from ..keys.names import has_dtype, is_ref
from ..refs import check_trace, explain_refusal, refuse_donated
from ..statics.views import fresh
from ..traces import History
from ..tracing import current_call, is_mapped, runs_program
from .buffers import (
    is_on_cpu_devices,
    refuse_repeated,
    report_unused,
    unaliased_donations,
)
from .checks import CallCheck
from .errors import (
    LeafSignature,
    compiles,
    explain,
    is_deleted,
    raise_deleted,
    runs_again,
)
from .places import Marks, Place, find_places, make_marks
from .structures import (
    ArgumentStructure,
    Pick,
    Results,
    ResultStructure,
    as_arrays,
    find_unchanged,
    make_pick,
    placed_on_mesh,
    require_arrays,
    strengthened,
    strengthened_at,
    take_result,
)

# Errors of asking a leaf that is no array whether it is deleted.
_OF_NO_ARRAY: Final = (TypeError, AttributeError)


class ProgramKey:
    """The static argument that represents a program in JAX's caches. It is compared by
    identity.

    The caches keep it for as long as the compiled function lives, so its reference is
    weak.
    """

    __slots__ = ("donates", "is_mapped", "program")

    def __init__(
        self,
        program: "CompiledProgram",
        *,
        donates: bool = False,
        is_mapped: bool = False,
    ) -> None:
        self.program = weakref.ref(program)
        self.donates = donates
        # Whether its traces are of calls within `jax.vmap` over a declared dimension.
        self.is_mapped = is_mapped

    def __repr__(self) -> str:
        """Return the static arguments: `step(Plate(u=..., thickness=0.001), 1)`."""
        program = self.program()
        if program is None:
            return "a program that no longer exists"
        structure = program.structure
        shown = [*structure.statics]
        values = structure.treedef.unflatten([REST] * len(structure.paths))
        for position, value in zip(structure.numbered, values, strict=True):
            shown[position] = value
        name = program.name if self.donates else f"{program.name}.keep"
        return f"{name}({', '.join(map(format_line, shown))})"


class CompiledProgram:
    """The programs of one structure of arguments, and facts that their traces have
    found.
    """

    # Whether it runs a function that JAX compiled ahead of time, and never traces.
    is_ahead = False

    def __init__(
        self,
        structure: ArgumentStructure,
        implementation: Implementation,
        history: History,
        origin: Callable[..., Any],
        *,
        is_checked: bool,
    ) -> None:
        """Compile nothing yet.

        JAX shows the place of `origin`, the user's function. Traces check dtypes and
        shapes if `is_checked`.
        """
        self.name = history.name
        self.structure = structure
        self.implementation = implementation
        self.history = history
        self.is_checked = is_checked
        # The result of a function that is declared to return nothing was checked before.
        declared = structure.parameters.types.get("return")
        self.convert_result = (
            unchanged if declared is None else described(declared).result
        )
        # The positions of kept leaves that some trace passes on to the result. No
        # program reads them, so JAX does not notice if they were deleted.
        self.passed: set[int] = set()
        self.pick_passed: Pick = make_pick(())
        # The positions of leaves that have been random keys, which are views of their
        # data.
        self.keys: list[int] = []
        self.places: list[Place] = find_places(structure)
        # `clear_cache` in another thread may reset the history's own at any time.
        pair: tuple[Any, Any] = history.pair or _jit_pair(history, origin)
        history.pair = self._pair = pair
        # The functions that calls run, of the donated and the kept leaves.
        self.retaining: Callable[..., Any] = self._compiled(ProgramKey(self))
        self.mapped = self._compiled(ProgramKey(self, is_mapped=True))
        self.donating: Callable[..., Any] = self._compiled(
            ProgramKey(self, donates=True)
        )

    def _compiled(self, key: ProgramKey) -> functools.partial[Any]:
        """Return JAX's compiled function for this program."""
        function, structure = self._pair[key.donates], self.structure
        if structure.refs:
            from ..in_place import InPlace

            count = len(structure.paths) - len(structure.donated)
            function = InPlace(self._pair, structure.refs, count, donates=key.donates)
        return functools.partial(function, key)

    # --- calls

    @runs_program
    def call(
        self, donated: list[Any], kept: list[Any], arguments: tuple[Any, ...]
    ) -> object:
        """Run the donating program outside any trace; afterwards its markers are in the
        fields whose arrays it has consumed.
        """
        first, second = donated, kept
        if self.keys:
            first, second = self.key_data(donated, kept)
        ids = {*map(identity, first)}
        if len(ids) < len(first) or not ids.isdisjoint(map(identity, second)):
            refuse_repeated(self, donated, kept)
        pick_passed = self.pick_passed
        try:
            if self.passed:
                kept = self.passing(kept)
            structure, result = self.donating(donated, kept).popitem()
        except BaseException as error:
            self._explain(error, donated, kept)
            raise
        marks = known = structure.marks
        if marks is None:
            marks = self._marks(structure, donated)
        for number, find, puts in marks:
            obj = find(arguments[number]) if find else arguments[number]
            for put, marker in puts:
                put(obj, marker)
        if known is None or self.pick_passed is not pick_passed:
            return self._finish(structure, result, donated, kept)
        return structure.make_result(result, kept) if structure.unflatten else result

    def _finish(
        self,
        structure: ResultStructure,
        result: object,
        donated: list[Any],
        kept: list[Any],
    ) -> object:
        """Finish a call during which its program was traced, maybe by another thread:
        build its result, and report the trace.
        """
        if not compiles():
            return structure.make_result(result, kept)
        result = structure.make_result(result, self.passing(kept))
        try:
            structure.finish_trace()
            if structure.unused is None and not self.is_ahead:
                self.report_donations(donated, kept)
        except Exception as warning:
            # A filter has made an error of a warning. The call has run.
            warning.result = result  # type: ignore[attr-defined]
            warning.add_note(
                "The call has run: `result` of this exception has its result"
            )
            raise
        return result

    def _marks(self, structure: ResultStructure, donated: Sequence[Any]) -> Marks:
        """Return the markers of the donated arrays of the first call of a trace.

        With several devices, each call needs it, since markers have the placement of their
        arrays, and one trace may have several.
        """
        if not compiles():
            return []  # Under `jax.disable_jit` nothing was donated.
        shardings = [getattr(leaf, "sharding", None) for leaf in donated]
        placed = structure.placed
        if placed is None or placed[0] != shardings:
            marks = make_marks(self.places, self.structure, donated, self.name)
            placed = structure.placed = shardings, marks
            # Beside another backend there is always a CPU.
            if jax.device_count() == 1 and jax.default_backend() == "cpu":
                structure.marks = marks
        return placed[1]

    @runs_program
    def keep(self, donated: list[Any], kept: list[Any], by: str = "call") -> Any:
        """Run the program that donates nothing, as every call within a trace does."""
        is_nested = active.value is not no_trace
        run = self.retaining
        if is_nested and is_mapped():
            run = self._run_of_mapped(donated, kept)
        pick_passed = self.pick_passed
        try:
            if self.passed:
                kept = self.passing(kept)
            structure, result = run(donated, kept).popitem()
        except BaseException as error:
            self._explain(error, donated, kept)
            raise
        if structure.trace is not None:
            structure.finish_trace()
        if self.pick_passed is not pick_passed:
            kept = self.passing(kept)
        return structure.make_result(result, kept)

    @runs_program
    def staged(
        self, stage: str, donated: Sequence[Any], kept: Sequence[Any], by: str
    ) -> Any:
        """Run only one stage of JAX's compiled functions, such as `lower`."""
        is_donating = donated and stage != "eval_shape"
        compiled: Any = self.donating if is_donating else self.retaining
        return getattr(compiled.func, stage)(*compiled.args, donated, kept)

    def report_donations(
        self,
        donated: Sequence[Any],
        kept: Sequence[Any],
        *,
        is_error: bool = False,
    ) -> None:
        """Report the donated buffers that XLA does not reuse, once for each trace. Nothing
        runs.

        Raises:
            DonationWarning: always with `is_error`
            ValueError: a donated array is in two places; then nothing is traced
        """
        refuse_repeated(self, donated, kept)
        try:
            traced = self.staged("trace", donated, kept, "call")
        except BaseException as error:
            self._explain(error, donated, kept)
            raise
        if runs_again():
            return  # JAX donates nothing.
        report_unused(self, traced, donated, kept, is_error=is_error)

    def _run_of_mapped(self, donated: list[Any], kept: list[Any]) -> Any:
        """Return what a call within `jax.vmap` runs.

        If its arrays lack the axis of a declared dimension, it has traces of its
        own: calls outside `vmap` with such arrays are wrong.
        """
        check, values = self._check(), self.structure.values([*donated, *kept])
        named = self._named(values)
        with contextlib.suppress(ValueError):
            check.arguments(named)
            return self.retaining
        return self.mapped if check.fits_without_axes(named) else self.retaining

    def _explain(
        self, error: BaseException, donated: Sequence[Any], kept: Sequence[Any]
    ) -> None:
        """Raise an error that names a leaf of a failed call, if a leaf is the cause."""
        explain(error, [*donated, *kept], self.structure.paths, self.name)
        refuse_repeated(self, donated, kept, error)

    def key_data(
        self, donated: Sequence[Any], kept: Sequence[Any]
    ) -> tuple[list[Any], list[Any]]:
        """Return the leaves, with each random key replaced by the array of its data."""
        leaves, count = [*donated, *kept], len(donated)
        for position in self.keys:
            # The result of `jax.random.key_data`, which would take as long as the call.
            leaves[position] = getattr(leaves[position], "_base_array", None)
        return leaves[:count], leaves[count:]

    def passing(self, kept: list[Any]) -> list[Any]:
        """Return the kept leaves, with numbers that the result gets as arrays.

        After the program ran, its result would be lost if a conversion failed.

        Raises:
            ConsumedError: a leaf is deleted, and the program would pass it on unread;
                names the path
            OverflowError: a number does not fit an array
        """
        try:
            if True not in map(is_array_deleted, self.pick_passed(kept)):
                return kept
        except _OF_NO_ARRAY:
            pass  # Some are numbers, keys or Refs, or tracers of these.
        # Another thread may add positions meanwhile.
        positions = sorted(self.passed)
        leaves = make_pick(positions)(kept)
        if any(map(is_deleted, leaves)):
            paths = self.structure.paths[len(self.structure.donated) :]
            raise_deleted(kept, paths, self.name)
        kept = [*kept]
        for position, array in zip(positions, as_arrays(leaves), strict=True):
            kept[position] = array
        return kept

    # --- traces

    def trace(self, inputs: Sequence[Any], key: ProgramKey) -> Results:
        """Call the implementation with arguments built from leaves. JAX traces this
        function.

        Under a mesh, arguments and result are where the schema says; leaves that are
        returned unchanged stay where they were. `inputs` are the donated leaves, then
        the kept ones.
        """
        structure = self.structure
        has_refs, donated = any(map(is_ref, inputs)), inputs[: len(structure.donated)]
        if key.donates:
            if has_refs:
                refuse_donated(donated, structure.paths)
            self._note_keys(inputs)
            self._refuse_shared()
        # A weak type is no part of a declaration, and must not change a result.
        values = strengthened_at(inputs, structure.strong)
        values = placed_on_mesh(structure.values(values))
        check = self._check()
        named = self._named(values)
        if key.is_mapped:
            check.fits_without_axes(named)
        else:
            check.arguments(named)
        declared = structure.parameters.types.get("return", Any)
        result = strengthened(self._call(named, inputs), declared)
        leaves, treedef = jax.tree_util.tree_flatten(result)
        traced = jax.tree_util.tree_leaves(values)
        never = structure.never_donated.items()
        never_donated = {id(traced[number]): position for number, position in never}
        unchanged = find_unchanged(leaves, treedef, never_donated)
        if has_refs:
            places = structure.pick(structure.paths)
            check_trace(self.name, values, places, result, traced)
        require_arrays(result, unchanged, self.name)
        self._note_passed(i for n, i in unchanged.items() if not is_ref(leaves[n]))
        check.result(result)
        placed = placed_on_mesh(result)
        if placed is not result:
            moved = jax.tree_util.tree_leaves(placed)
            for number in unchanged:
                moved[number] = leaves[number]
            result = jax.tree_util.tree_unflatten(treedef, moved)
        donated = donated if key.donates else []
        unaliased = functools.partial(unaliased_donations, donated, is_exact=has_refs)
        return take_result(result, unchanged, unaliased)

    def _check(self) -> CallCheck:
        """Return the check of a call. A static value without arrays is not checked."""
        parameters = self.structure.parameters
        types = parameters.types.items() if self.is_checked else ()
        static = parameters.static
        shapes = {
            n: t for n, t in types if n not in static or described(t).has_shapes()
        }
        return CallCheck(self.name, shapes)

    def _named(self, values: Any) -> dict[str, Any]:
        """Return all arguments by their names; some of them are traced."""
        arguments = list(map(fresh, self.structure.statics))
        for position, value in zip(self.structure.numbered, values, strict=True):
            arguments[position] = value
        return dict(zip(self.structure.parameters.all, arguments, strict=True))

    def _note_passed(self, found: Iterable[int]) -> None:
        """Add kept leaves that each call must check and convert, and check those of
        this call too.
        """
        call, positions = current_call(), [*found]
        if call is not None and not self.passed.issuperset(positions):
            self.passed.update(positions)
            self.pick_passed = make_pick(sorted(self.passed))
            # Within a trace, JAX would convert the numbers only when the program runs.
            with jax.ensure_compile_time_eval():
                self.passing([*call.kept])

    def _note_keys(self, leaves: Sequence[Any]) -> None:
        """Add random keys whose data calls must compare, and compare those of this call
        too.
        """
        call = current_call()
        dtypes = [getattr(leaf, "dtype", None) for leaf in leaves]
        positions = {i for i, dtype in enumerate(dtypes) if has_dtype(dtype, "key")}
        if call is not None and not positions.issubset(self.keys):
            self.keys = sorted(positions.union(self.keys))
            refuse_repeated(self, call.donated, call.kept)

    def _refuse_shared(self) -> None:
        """Refuse a traced call with two arrays over one buffer on several CPU devices.

        With jax 0.10, such a program ends the process. Comparing buffers takes too long
        for every call, so only the call that is traced is checked.
        """
        call = current_call()
        if call is not None and any(map(is_on_cpu_devices, call.donated)):
            refuse_repeated(self, call.donated, call.kept, by_pointer=True)

    def _call(self, named: Mapping[str, Any], inputs: Sequence[Any]) -> object:
        try:
            result = self.implementation.run(*named.values())
            return self.convert_result(result, self.name, RESULT)
        except Exception as error:
            if any(map(is_ref, inputs)):
                pairs = zip(self.structure.paths, inputs, strict=True)
                explain_refusal(error, pairs, f" of `{self.name}`")
            if isinstance(error, ImportError | AttributeError | TypeError):
                self.implementation.explain(error, self.name)
            raise


# --- the function that JAX compiles


def _jit_pair(history: History, origin: Callable[..., Any]) -> tuple[Any, Any]:
    """Return the jitted functions for calls that retain everything and for calls that
    donate. JAX shows the place of `origin`, the user's function.
    """

    def run(key: ProgramKey, donated: Any, kept: list[Any]) -> object:
        program: Any = key.program()
        if type(donated) is tuple:
            from ..in_place import run_in_place

            nested = functools.partial(run, key)
            refs = program.structure.refs_after(len(donated[1]))
            return run_in_place(nested, donated, kept, refs)
        with program.history.tracing() as trace:
            results = program.trace([*donated, *kept], key)
            (structure,) = results
            structure.trace = trace
            return results

    run.__name__ = run.__qualname__ = history.name
    parameters = inspect.signature(run).parameters.values()
    run.__signature__ = LeafSignature([*parameters])  # type: ignore[attr-defined]
    code = getattr(inspect.unwrap(origin), "__code__", None)
    if code is not None:
        # JAX takes the place from this. It would use the innermost of several names.
        shown = types.SimpleNamespace(__name__=history.name, __code__=code)
        run.__wrapped__ = shown  # type: ignore[attr-defined]
    return history.keep(run), history.jit(run)
