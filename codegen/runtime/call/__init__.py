"""A generated function: typed as declared, and compiled once for each structure.

    step: Final = Function(
        _codegen_call_step,
        _codegen_run_step,
        name="step",
    )
    plate = step(plate, 0.1, n=2)

`call` is the `__call__` of this object, with the declared parameters. It converts the
arguments, splits them, and calls `run` with

    (structure and static values, donated leaves, kept leaves, all arguments)

The first item is hashable and exact. It finds the program of this structure, and is the
static argument for `jax.jit`. The leaves pass through the program. A kept leaf that the
implementation returns unchanged does not pass through it: the result contains the
caller's own array.

    new = step(plate, 0.1)          # consumes plate.u, which is donated
    new = step.keep(plate, 0.1)     # the same, consuming nothing
"""

import inspect
from collections.abc import Callable, Hashable, Mapping, Sequence
from types import MappingProxyType, SimpleNamespace
from typing import (
    TYPE_CHECKING,
    Any,
    Concatenate,
    Final,
    Generic,
    NamedTuple,
    ParamSpec,
    TypeAlias,
    TypeVar,
    cast,
)

import jax

from ..compiler_options import compilers
from ..declared import Declared
from ..implementations import Implementation
from ..internals import active, no_trace
from ..keys.annotations import signature_of
from ..keys.names import abstract_ref, is_ref
from ..splitting import Leaves
from ..switches import settings
from ..traces import History
from ..tracing import hide_lines, is_tracing
from .errors import ConsumedError as ConsumedError
from .errors import DonationWarning as DonationWarning
from .errors import compiles, hidden_frames
from .errors import hide_frames as hide_frames

if TYPE_CHECKING:
    from ..memory import CallMemory
    from ..traces.messages import Trace
    from .compiled import Lowered
    from .programs import CompiledProgram

# Errors of evaluating annotations that only a type checker can evaluate.
_OF_UNKNOWN_TYPES: Final = (NameError, TypeError, AttributeError)

P = ParamSpec("P")
R = TypeVar("R")

# The structure with the static values, the donated leaves, the kept ones, all arguments.
Split: TypeAlias = tuple[Hashable, Leaves, Leaves, tuple[Any, ...]]


class Parameters(NamedTuple):
    """The names of the parameters that a function declares."""

    all: tuple[str, ...]
    static: frozenset[str]
    # Parameters whose donated fields are donated.
    donated: frozenset[str]
    # The declared types of parameters, and of the result ("return").
    types: Mapping[str, Declared]


# The receiver of a call that only splits its arguments.
_splitter: Final = SimpleNamespace(run=lambda *arguments: arguments)


class _Unchecked(NamedTuple):
    """The key of a program that does not check dtypes and shapes."""

    key: Hashable


class Function(Generic[P, R]):
    """A function of a schema. Each call runs a program that `jax.jit` compiled."""

    __name__: str
    __qualname__: str

    def __init__(
        self,
        call: Callable[Concatenate[Any, P], R],
        implementation: Callable[..., Any],
        *,
        name: str,
        static: Sequence[str] = (),
        donated: Sequence[str] = (),
        traces: int | None = None,
        runs: str = "",
        types: Mapping[str, Declared] = MappingProxyType({}),
        checks: bool = True,
        jit: Mapping[str, Any] = MappingProxyType({}),
    ) -> None:
        """Create a function.

        Args:
            call: the `__call__` of this object, with the declared parameters
            implementation: called with all arguments in their declared order
            name: its name in its module, and in profiles
            static: the names of the static arguments
            donated: the names of the donated arguments
            traces: how often it may be traced
            runs: the place of the implementation, as in `@impl("heat_model:step")`
            types: the declared types of the arguments, by their names, and of the result
                ("return")
            checks: whether a trace checks dtypes and shapes
            jit: options of `jax.jit`
        """
        self._call = call
        self._implementation = Implementation(implementation, runs, call)
        self._parameters = Parameters(
            tuple(signature_of(implementation).parameters),
            frozenset(static),
            frozenset(donated),
            types,
        )
        self._checks = checks
        keep, donate = compilers(jit)
        # Its traces and compiled functions, which all programs of one function share.
        self._history = History(name, call.__module__ or "", traces, donate, keep)
        # Kept for as long as the function, as jit keeps its compiled programs.
        self._programs: dict[Hashable, CompiledProgram] = {}
        self.__name__ = self.__qualname__ = name
        self.__module__ = call.__module__
        # A function that is not from a schema keeps its own docstring.
        self.__doc__ = call.__doc__
        if runs:
            self.__doc__ = _documented(call.__doc__, name, runs, donates=bool(donated))
            hide_lines(inspect.getfile(call))
        self.__class__ = _called_by(call, type(self), name)

    def __call__(self, /, *args: P.args, **kwargs: P.kwargs) -> R:
        """Call the function, which consumes the donated fields.

        While a JAX trace is active nothing is consumed: eager `grad` would donate
        arrays that its backward pass needs.

        Raises:
            ConsumedError: another call has consumed a field
            ValueError: a donated array is also in a second place
        """
        return self._call(self, *args, **kwargs)

    def run(
        self,
        key: Hashable,
        donated: Leaves,
        kept: Leaves,
        arguments: tuple[Any, ...],
    ) -> Any:
        """Run the program of split arguments, as in a `Split`."""
        runs = self._implementation
        program = self._programs.get(key)
        if (
            program is None
            or settings.is_changed
            or runs.scope.get(runs.head) is not runs.found
        ):
            program = self._prepared(key, donated, kept, arguments)
        if not donated or active.value is not no_trace:
            return program.keep(donated, kept)
        return program.call(donated, kept, arguments)

    def keep(self, /, *args: P.args, **kwargs: P.kwargs) -> R:
        """Call the function without donation, for notebooks and debugging."""
        with hidden_frames:
            program, *leaves = self._found(*args, **kwargs)
            return cast("R", program.keep(*leaves, by="keep"))

    def lower(self, /, *args: P.args, **kwargs: P.kwargs) -> "Lowered[P, R]":
        """Lower the program for these arguments without running it.

        Call `lower(...).compile()` with the declared arguments, too.
        """
        with hidden_frames:
            key, donated, kept, arguments = self.split(*args, **kwargs)
            program = self._program(self._key(key), arguments)
            if any(map(is_ref, kept)):
                from ..refs import on_default_device

                kept = on_default_device(kept)
            from .compiled import Lowered, Origin

            lowered = program.staged("lower", donated, kept, "lower")
            return Lowered(lowered, Origin(self, key, program, [*donated, *kept]))

    def eval_shape(self, /, *args: P.args, **kwargs: P.kwargs) -> R:
        """Return the result of a call with a `ShapeDtypeStruct` for each array."""
        with hidden_frames:
            program, donated, kept = self._found(*args, **kwargs)
            shapes = program.staged("eval_shape", donated, kept, "eval_shape")
            result, travelled = shapes.popitem()
            # JAX does not return a Ref, not even abstractly.
            abstract = [
                abstract_ref(x) if is_ref(x) else jax.eval_shape(lambda x: x, x)
                for x in kept
            ]
            return cast("R", result.make_result(travelled, abstract))

    def donation(self, /, *args: P.args, **kwargs: P.kwargs) -> dict[str, bool]:
        """Return for each donated leaf, by path, whether XLA reuses its buffer.

        Nothing runs and nothing is consumed. The arguments may be ShapeDtypeStructs.
        The answer is about the program. On a CPU, XLA may still copy a buffer in a
        call: it does so if a NumPy view of the array is alive (`numpy.asarray` creates
        one, `numpy.array` does not).
        """
        with hidden_frames:
            program, donated, kept = self._found(*args, **kwargs)
            if not donated:
                return {}
            from .buffers import reused_by

            traced = program.staged("trace", donated, kept, "donation")
            reused = reused_by(traced, donated)
            paths = program.structure.paths[: len(donated)]
            return {path: i in reused for i, path in enumerate(paths)}

    def memory(self, /, *args: P.args, **kwargs: P.kwargs) -> "CallMemory":
        """Return the memory of a call, by path: its arguments, results and temporaries.

        The program is compiled, but nothing runs and nothing is consumed. The arguments
        may be ShapeDtypeStructs.
        """
        with hidden_frames:
            from ..memory import measure

            return measure(self.__name__, *self._found(*args, **kwargs))

    @property
    def traces(self) -> "tuple[Trace, ...]":
        """The latest 64 traces, each with its differences from the nearest program."""
        return self._history.traces

    def clear_cache(self) -> None:
        """Discard all compiled programs: the next call retraces and recompiles."""
        self._history.pair = None
        self._programs.clear()

    if not TYPE_CHECKING:  # It would give every name a type.

        def __getattr__(self, name: str) -> Any:
            """Return the declared signature, created on first access; and the
            implementation, if it was imported: no access imports the user's code.
            """
            if name == "__signature__":
                # Kept, since jaxtyping creates another class at each evaluation.
                found = vars(self)[name] = _declared_signature(self._call)
                return found
            found = self._implementation.imported if name == "__wrapped__" else None
            return object.__getattribute__(self, name) if found is None else found

    def __get__(self, instance: object, owner: Any = None) -> Any:
        # With `__get__`, Python treats this object as a routine, and `help` shows its
        # signature.
        return self

    def __repr__(self) -> str:
        return f"<generated function {self.__module__}.{self.__qualname__}>"

    def __reduce__(self) -> Any:
        # Pickled by its name in its module, as Python functions are.
        return self.__qualname__

    def split(self, /, *args: P.args, **kwargs: P.kwargs) -> Split:
        """Convert and split the arguments of a call."""
        return cast("Split", self._call(_splitter, *args, **kwargs))

    def _found(
        self, /, *args: P.args, **kwargs: P.kwargs
    ) -> tuple[Any, Leaves, Leaves]:
        key, donated, kept, arguments = self.split(*args, **kwargs)
        return self._program(self._key(key), arguments), donated, kept

    def _prepared(
        self,
        key: Hashable,
        donated: Leaves,
        kept: Leaves,
        arguments: tuple[Any, ...],
    ) -> "CompiledProgram":
        """Return the program of a call that is new, or follows a changed setting."""
        key = self._key(key)
        is_new, program = key not in self._programs, self._program(key, arguments)
        if donated and compiles() and not is_tracing():
            is_error = settings.unused_donation == "error"
            if is_new or is_error:
                program.report_donations(donated, kept, is_error=is_error)
        return program

    def _key(self, key: Hashable) -> Hashable:
        """Return the key by which a call finds its program."""
        self._implementation.watch(self.clear_cache)
        return key if settings.checks else _Unchecked(key)

    def _program(self, key: Hashable, arguments: tuple[Any, ...]) -> "CompiledProgram":
        """Return the program of a key; create it if there is none."""
        program = self._programs.get(key)
        if program is not None:
            return program
        from .programs import CompiledProgram
        from .structures import find_structure

        origin = self._implementation.find(self.clear_cache)
        program = CompiledProgram(
            find_structure(arguments, self._parameters),
            self._implementation,
            self._history,
            origin,
            is_checked=self._checks and type(key) is not _Unchecked,
        )
        # If two threads arrive with one key, one wins: `setdefault` is atomic.
        return self._programs.setdefault(key, program)


def _declared_signature(call: Callable[..., Any]) -> inspect.Signature:
    """Return the signature of a `__call__`, without its receiver."""
    try:
        signature = inspect.signature(call, eval_str=True)
    except _OF_UNKNOWN_TYPES:
        # Some annotations use imported or generic types that only type checkers can
        # evaluate.
        signature = signature_of(call)
    _, *parameters = signature.parameters.values()
    return signature.replace(parameters=parameters)


def _called_by(call: Any, kind: type[Any], name: str) -> Any:
    """Return a subclass whose `__call__` has the declared parameters.

    Python looks for `__call__` in the class only. With this one, no arguments are
    packed into a tuple and a dict.
    """
    # Python's errors for a wrong call then name the user's function.
    call.__name__ = call.__qualname__ = name
    return type(kind.__name__, (kind,), {"__call__": call})


def _documented(text: str | None, name: str, runs: str, *, donates: bool) -> str:
    """Return a function's docstring, with its other methods added."""
    donation = (
        "A call consumes the donated arrays of its arguments.\n"
        f"`{name}.keep(...)` is the same call without donation;\n"
        f"`{name}.donation(...)` reports which donated buffers XLA reuses, by path;\n"
    )
    return (
        f"{inspect.cleandoc(text or '')}\n\nRuns `{runs}` under `jax.jit`.\n\n"
        f"{donation if donates else ''}"
        f"`{name}.lower(...)` and `{name}.eval_shape(...)` work as in `jax.jit`, and\n"
        f"`{name}.clear_cache()` discards the compiled programs."
    ).lstrip()
