"""The compiled programs of one structure of a function's arguments.

    program = CompiledProgram("step", structure, implementation, history, ...)
    ((result, travelled),) = program.retain(donated, kept).items()
    result.make_result(travelled, kept)

JAX sees all programs of a function as one function, so that JAX itself can explain a
retrace. This function takes the leaves that may be donated, the kept leaves, and a
static argument that distinguishes the programs. Generated modules define how it is
compiled.
"""

import copy
import functools
import inspect
import types
import weakref
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, Self

import jax

from ..classes.values import has_weak_type
from ..containers import unchanged
from ..converters import Convert
from ..declared import Declared, converter
from ..implementations import Implementation
from ..keys.messages import REST, RESULT, format_line
from ..keys.names import is_ref
from ..refs import check_trace, explain_refusal
from ..statics.views import fresh
from ..traces import History
from ..tracing import calls, current_call, entry
from .checks import CallCheck
from .errors import (
    LeafSignature,
    ask_deleted,
    explain_overflow,
    is_deleted,
    raise_deleted,
)
from .structures import (
    ArgumentStructure,
    Pick,
    Results,
    as_arrays,
    find_unchanged,
    make_pick,
    placed_on_mesh,
    require_arrays,
    strengthened_at,
    strong_leaves,
    take_result,
)

# Errors of asking a leaf that is no array whether it is deleted.
_OF_NO_ARRAY: Final = (TypeError, AttributeError)


class TraceAgain(Exception):
    """Ends a trace. The call then runs again in another way."""


class WeakLeaf(TraceAgain):
    """Ends a trace that would differ from another one only by a weak type.

    JAX compiles a separate program for an argument of weak type. Checking every
    argument of every call would take too long, so only traces check. From then on, the
    arguments that a trace has found lose their weak type before each call.
    """


class MappedCall(TraceAgain):
    """Ends a trace within `jax.vmap` over a declared dimension, whose arrays lack its
    axis.

    JAX would reuse this trace for a call outside `vmap` whose arrays are wrong. So the
    call gets a trace that no other call finds.
    """


class ProgramKey:
    """The static argument that represents a program in JAX's caches. It is compared by
    identity.

    The caches keep it for as long as the compiled function lives, so its reference is
    weak.
    """

    __slots__ = ("donates", "is_mapped", "program")

    def __init__(
        self, program: "CompiledProgram", *, donates: bool, is_mapped: bool = False
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


def result_converter(types: Mapping[str, Declared]) -> Convert:
    """Return the function that converts the result of a function to its declared type.

    The result of a function that is declared to return nothing was checked before.
    """
    declared = types.get("return")
    return unchanged if declared is None else converter(declared, "result")


class CompiledProgram:
    """The programs of one structure of arguments, and facts that their traces have
    found.
    """

    # Whether it runs a function that JAX compiled ahead of time, and never traces.
    is_ahead = False

    def __init__(
        self,
        name: str,
        structure: ArgumentStructure,
        implementation: Implementation,
        convert_result: Convert,
        history: History,
        origin: Callable[..., Any],
        shapes: Mapping[str, Declared] | None,
    ) -> None:
        """Compile nothing yet.

        Args:
            name: the function's name
            structure: the structure of its arguments
            implementation: the implementation to run
            convert_result: converts its result to the declared type
            history: the function's `History`
            origin: the user's function, whose place JAX shows
            shapes: the declared shapes of the arrays in its arguments and its result,
                by their names; None if nothing is checked
        """
        self.name = name
        self.structure = structure
        self.implementation = implementation
        self.convert_result = convert_result
        self.history = history
        self.shapes = shapes
        # The positions of leaves that are declared as arrays and have had a weak type.
        self.weak: list[int] = []
        # The positions of kept leaves that some trace passes on to the result. No
        # program reads them, so JAX does not notice if they were deleted.
        self.passed: set[int] = set()
        self.pick_passed: Pick = make_pick(())
        history.pair = history.pair or _jit_pair(history, origin)
        self._pair: tuple[Any, Any] = history.pair
        self._mapped = ProgramKey(self, donates=False, is_mapped=True)
        # The functions that calls run, of the donated and the kept leaves.
        self.retaining = self.compiled(donates=False)
        self.donating = self.retaining

    def compiled(self, *, donates: bool) -> functools.partial[Any]:
        """Return JAX's compiled function for this program, with a new key: earlier
        traces are not reused.
        """
        function, structure = self._pair[donates], self.structure
        if structure.refs:
            from ..in_place import InPlace

            count = len(structure.paths) - len(structure.donated)
            function = InPlace(self._pair, structure.refs, count, donates=donates)
        return functools.partial(function, ProgramKey(self, donates=donates))

    def renewed(self) -> Self:
        """Return the program for the next call; a donating one may have to be
        recompiled.
        """
        return self

    def running(self, execute: Callable[..., Any]) -> Self:
        """Return a copy of this program that runs a function that JAX compiled ahead of
        time.
        """
        program = copy.copy(self)
        program.is_ahead = True
        key = self.donating.args[0]
        program.donating = functools.partial(lambda _, *leaves: execute(*leaves), key)
        program.retaining = program.donating
        return program

    @entry
    def run(
        self,
        compiled: functools.partial[Any],
        donated: list[Any],
        kept: list[Any],
        by: str = "call",
    ) -> Any:
        """Run a compiled function or one of its stages, again if a trace requires that.

        Args:
            compiled: called with the donated and the kept leaves
            donated: the donated leaves
            kept: the kept leaves
            by: the method that the user called
        """
        while True:
            if self.weak:
                leaves = strengthened_at([*donated, *kept], self.weak)
                donated, kept = leaves[: len(donated)], leaves[len(donated) :]
            stack = calls.stack
            stack.append((compiled, donated, kept, by))
            try:
                return compiled(donated, kept)
            except WeakLeaf:
                pass  # Run again below: not the context of later errors.
            except MappedCall:
                rest = compiled.args[1:]
                compiled = functools.partial(compiled.func, self._mapped, *rest)
            finally:
                stack.pop()

    def staged(
        self, stage: str, compiled: Any, leaves: tuple[list[Any], list[Any]], by: str
    ) -> Any:
        """Run only one stage of JAX's compiled functions, such as `lower`."""
        method = getattr(compiled.func, stage)
        return self.run(functools.partial(method, *compiled.args), *leaves, by)

    def require_strong(self, leaves: Sequence[Any]) -> None:
        """End a trace if leaves that are declared as arrays have a weak type."""
        weak = [i for i in self.structure.strong if has_weak_type(leaves[i])]
        if weak:
            # Leaves that are known here came from a thread that collected its leaves
            # earlier.
            self.weak.extend(i for i in weak if i not in self.weak)
            raise WeakLeaf

    def trace_donating(self, leaves: Sequence[Any]) -> Results:
        """Trace the donating variant."""
        return self.trace(leaves)

    def trace(
        self,
        inputs: Sequence[Any],
        unaliased: Callable[..., list[Any]] = lambda *_: [],
        *,
        is_mapped: bool = False,
    ) -> Results:
        """Call the implementation with arguments built from leaves. JAX traces this
        function.

        Under a mesh, arguments and result are where the schema says; leaves that are
        returned unchanged stay where they were.

        Args:
            inputs: the donated leaves, then the kept ones
            unaliased: a function from the donated leaves and the new leaves to the
                donated ones that must travel with these
            is_mapped: whether arrays may lack the axes of a dimension
        """
        structure = self.structure
        values = placed_on_mesh(structure.values(inputs))
        arguments = self._arguments(values)
        check = None if self.shapes is None else CallCheck(self.name, self.shapes)
        if check is not None:
            self._check_arguments(check, arguments, is_mapped=is_mapped)
        result = self._call(arguments, inputs)
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
        if any(map(is_ref, inputs)):
            places = structure.pick(structure.paths)
            check_trace(self.name, values, places, result, traced)
        require_arrays(result, unchanged, self.name)
        self._note_passed(i for n, i in unchanged.items() if not is_ref(leaves[n]))
        if check is not None:
            check.result(result)
        placed = placed_on_mesh(result)
        if placed is not result:
            moved = jax.tree_util.tree_leaves(placed)
            for number in unchanged:
                moved[number] = leaves[number]
            result = jax.tree_util.tree_unflatten(treedef, moved)
        donated = inputs[: len(structure.donated)]
        return take_result(result, unchanged, lambda new: unaliased(donated, new))

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
                self.passing(call.kept)

    def passing(self, kept: list[Any]) -> list[Any]:
        """Return the kept leaves, with numbers that the result gets as arrays.

        After the program ran, its result would be lost if a conversion failed.

        Raises:
            ConsumedError: a leaf is deleted, and the program would pass it on unread;
                names the path, and the call that consumed it if that is known
            OverflowError: a number does not fit an array; names the path
        """
        leaves = self.pick_passed(kept)
        try:
            if True not in map(ask_deleted, leaves):
                return kept
        except _OF_NO_ARRAY:
            pass  # Some are numbers, keys or Refs, or tracers of these.
        paths = self.structure.paths[len(self.structure.donated) :]
        if any(map(is_deleted, leaves)):
            raise_deleted(kept, paths, self.name)
        try:
            arrays = as_arrays(leaves)
        except OverflowError as error:
            explain_overflow(error, kept, paths, self.name)
            raise
        kept = [*kept]
        for position, array in zip(sorted(self.passed), arrays, strict=True):
            kept[position] = array
        return kept

    def _check_arguments(
        self, check: CallCheck, arguments: list[Any], *, is_mapped: bool
    ) -> None:
        named = dict(zip(self.history.parameters, arguments, strict=True))
        try:
            check.arguments(named)
        except ValueError:
            call = current_call()
            if call is None or not call.is_mapped or not check.fits_without_axes(named):
                raise
            if not is_mapped:
                raise MappedCall from None

    def _arguments(self, values: Any) -> list[Any]:
        """Return all arguments in order; some of them are traced."""
        arguments = list(map(fresh, self.structure.statics))
        for position, value in zip(self.structure.numbered, values, strict=True):
            arguments[position] = value
        return arguments

    def _call(self, arguments: list[Any], inputs: Sequence[Any]) -> Any:
        try:
            result = self.implementation.run(*arguments)
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
    donate.

    Args:
        history: the function's history, with its name and the way to compile it
        origin: the user's function, whose place JAX shows
    """

    def run(key: ProgramKey, donated: Any, kept: list[Any]) -> Any:
        program: Any = key.program()
        if type(donated) is tuple:
            from ..in_place import run_in_place

            nested = functools.partial(run, key)
            refs = program.structure.refs_after(len(donated[1]))
            return run_in_place(nested, donated, kept, refs)
        leaves = [*donated, *kept]
        program.require_strong(leaves)
        with program.history.tracing():
            if key.donates:
                return program.trace_donating(leaves)
            return program.trace(leaves, is_mapped=key.is_mapped)

    run.__name__ = run.__qualname__ = history.name
    parameters = inspect.signature(run).parameters.values()
    run.__signature__ = LeafSignature([*parameters])  # type: ignore[attr-defined]
    code = getattr(inspect.unwrap(origin), "__code__", None)
    if code is not None:
        # JAX takes the place from this. It would use the innermost of several names.
        shown = types.SimpleNamespace(__name__=history.name, __code__=code)
        run.__wrapped__ = shown  # type: ignore[attr-defined]
    return history.keep(run), history.jit(run)
