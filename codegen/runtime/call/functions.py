# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false
"""A generated function: typed as declared, compiled once, donating per field.

    step: Final = Function(
        _codegen_bind_step,
        _codegen_impl_step,
        name="step",
        static=["n"],
        donated=["plate"],
    )
    plate = step(plate, 0.1, n=2)       # consumes plate.u alone
    plate = step.keep(plate, 0.1)       # the same, consuming nothing

`bind` has the declared signature. It converts the arguments and takes them apart:

    (structure and static values, donated leaves, kept leaves, all arguments)

The first, hashable and exact, finds the programs of this structure; the leaves go
through one of them. A kept leaf that the implementation returns unchanged does not
travel through it: the result has the caller's own array.
"""

import importlib
import inspect
import sys
from collections.abc import Callable, Hashable, Sequence
from types import FrameType
from typing import Any, Final, Generic, NamedTuple, ParamSpec, TypeAlias, TypeVar, cast

import jax

from ..classes.structures import InexactStructure, located
from ..classes.weak import WeakLeaf
from ..keys.reloading import Patched, find_attribute, keep_from_autoreload
from ..settings import settings
from .aliases import require_distinct
from .debugging import hidden_frames, hide_frames
from .entries import make_entry
from .programs import Program, Work, make_program
from .reports import (
    check_donations,
    compiles,
    explain,
    is_of_deleted,
    reused_in,
    runs_again,
    watch,
)
from .spent import forget_spent
from .tracing import is_tracing

# What looking up an implementation raises that is not there.
_OF_MISSING: Final = (ImportError, AttributeError)
# What evaluating annotations raises that only a type checker can.
_OF_UNKNOWN_TYPES: Final = (NameError, TypeError, AttributeError)

P = ParamSpec("P")
R = TypeVar("R")

Bound: TypeAlias = tuple[Hashable, list[Any], list[Any], tuple[Any, ...]]


class _Checked(NamedTuple):
    """What a program that checks its objects is found by."""

    key: Hashable


class _Signature:
    """The signature of a function, made when it is asked for; of its class there is none."""

    def __get__(self, instance: Any, owner: object) -> inspect.Signature:
        if instance is None:
            raise AttributeError("__signature__")
        signature: inspect.Signature = instance._declared()  # noqa: SLF001
        return signature


class Function(Generic[P, R]):
    """A function of a schema, compiled by `jax.jit` when it is called."""

    __name__: str
    __qualname__: str
    __signature__ = _Signature()

    def __init__(
        self,
        bind: Callable[P, Bound],
        implementation: Callable[..., R],
        *,
        name: str,
        static: Sequence[str] = (),
        donated: Sequence[str] = (),
        keep_unused: bool = False,
        signature: inspect.Signature | None = None,
        runs: str = "",
        weak: Sequence[str] = (),
    ) -> None:
        """Put a function together.

        Args:
            bind: from the declared parameters to the arguments, taken apart
            implementation: called with all arguments in their declared order
            name: its name in its module, and in profiles
            static: the names of the static arguments
            donated: the names of the donated arguments
            keep_unused: `jax.jit`'s option
            signature: what it is for others; None: read where it is asked for
            runs: where the implementation is from, as in `@impl("heat_model:step")`
            weak: the names of the arguments in which other leaves than arrays are declared
        """
        self._bind = bind
        self._implementation = implementation
        self._names = tuple(inspect.signature(bind).parameters)
        self._static = frozenset(static)
        self._donated = frozenset(donated)
        self._weak = frozenset(weak)
        self._keep_unused = keep_unused
        self._signature = signature
        self._module, _, self._attribute = runs.partition(":")
        # Where the implementation is looked up, by which name, and what was there.
        self._imported: dict[str, Any] | None = None
        self._scope: dict[str, Any] | Patched = {}
        self._head = self._attribute.partition(".")[0]
        self._found: Any = None
        # Held for as long as the function is, as jit holds its compiled programs.
        self._programs: dict[Hashable, Program] = {}
        self.__name__ = name
        self.__qualname__ = name
        self.__module__ = bind.__module__
        # What is not of a schema keeps its own documentation.
        self.__doc__ = _documented(bind.__doc__, name) if runs else bind.__doc__
        if runs:
            keep_from_autoreload(bind.__module__)
        # Python's own errors for a wrong call name what is called: the user's function.
        bind.__name__ = bind.__qualname__ = name

    def __call__(self, /, *args: P.args, **kwargs: P.kwargs) -> R:
        """Call it; donated fields are consumed.

        While a JAX trace is active nothing is: eager `grad` would donate what its
        backward pass needs.

        Raises:
            ConsumedError: a field has been consumed by another call
            ValueError: an array is donated, and is in a second place too
        """
        try:
            key, donated, kept, arguments = self._bind(*args, **kwargs)
            if settings.checks or self._scope.get(self._head) is not self._found:
                key = self._key(key)
            try:
                program = self._programs.get(key) or self._add_program(key, arguments)
            except InexactStructure as error:
                raise located(error, arguments, self._names, self.__name__) from None
            if not donated or is_tracing():
                return self._keep(program, donated, kept)
            leaves = donated + kept
            if len({*map(id, leaves)}) < len(leaves):
                require_distinct(donated, kept, program.entry.paths, self.__name__)
            try:
                frame = sys._getframe(1)  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
            except ValueError:  # Called by the interpreter itself, as by `atexit`.
                frame = sys._getframe()  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
            return self._donate(program, donated, kept, arguments, frame)
        except BaseException as error:
            hide_frames(error)
            raise

    def keep(self, /, *args: P.args, **kwargs: P.kwargs) -> R:
        """Call it with nothing donated, for notebooks and debugging."""
        with hidden_frames:
            return self._keep(*self._bound(*args, **kwargs))

    def lower(self, /, *args: P.args, **kwargs: P.kwargs) -> jax.stages.Lowered:
        """Lower the program of a call, for these arguments, without running it."""
        with hidden_frames:
            program, donated, kept = self._bound(*args, **kwargs)
            lowered = _strongly(program.donating.lower, program, donated, kept)
            return cast("jax.stages.Lowered", lowered)

    def eval_shape(self, /, *args: P.args, **kwargs: P.kwargs) -> R:
        """Return a call's result, with a ShapeDtypeStruct in place of each array."""
        with hidden_frames:
            program, donated, kept = self._bound(*args, **kwargs)
            return cast(
                "R", _strongly(program.whole.eval_shape, program, donated, kept)
            )

    def donation(self, /, *args: P.args, **kwargs: P.kwargs) -> dict[str, bool]:
        """Tell for each donated leaf, by path, whether XLA reuses its buffer.

        Nothing is run, and nothing consumed; ShapeDtypeStructs do as arguments. It is
        about the program: in a call on a CPU, a NumPy view of an array that is still
        alive (`numpy.asarray` makes one, `numpy.array` does not) makes XLA copy it all
        the same. Such a call is reported by a DonationWarning.
        """
        with hidden_frames:
            program, donated, kept = self._bound(*args, **kwargs)
            traced = _strongly(program.donating.trace, program, donated, kept)
            reused = reused_in(program, traced, donated)
            return dict(zip(program.entry.paths, reused, strict=False))

    def clear_cache(self) -> None:
        """Forget its programs: the next call traces and compiles anew."""
        self._programs.clear()

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        # What has this is a routine for Python, whose signature `help` shows.
        return self

    def _declared(self) -> inspect.Signature:
        """Return the declared signature; its types are evaluated, where all can be."""
        if self._signature is None:
            try:
                self._signature = self._read(eval_str=True)
            except _OF_UNKNOWN_TYPES:
                # Of what is imported, or generic, for type checkers alone.
                return self._read(eval_str=False)
        return self._signature

    def _read(self, *, eval_str: bool) -> inspect.Signature:
        signature = inspect.signature(self._bind, eval_str=eval_str)
        result = inspect.signature(self._implementation, eval_str=eval_str)
        return signature.replace(return_annotation=result.return_annotation)

    def __repr__(self) -> str:
        return f"<generated function {self.__module__}.{self.__qualname__}>"

    def __reduce__(self) -> Any:
        # Pickled by its name in its module, as functions are.
        return self.__qualname__

    def _bound(
        self, /, *args: P.args, **kwargs: P.kwargs
    ) -> tuple[Program, list[Any], list[Any]]:
        key, donated, kept, arguments = self._bind(*args, **kwargs)
        key = self._key(key)
        try:
            program = self._programs.get(key) or self._add_program(key, arguments)
        except InexactStructure as error:
            raise located(error, arguments, self._names, self.__name__) from None
        program.renew()
        return program, donated, kept

    def _key(self, key: Hashable) -> Hashable:
        """Return which program a call looks for; where what runs is new, there is none."""
        if self._scope.get(self._head) is not self._found:
            self._found = self._scope.get(self._head)
            self.clear_cache()
        return _Checked(key) if settings.checks else key

    def _add_program(self, key: Hashable, arguments: tuple[Any, ...]) -> Program:
        entry = make_entry(
            arguments, self._names, self._static, self._donated, self._weak
        )
        implementation = self._implementation
        work = Work(self.__name__, implementation, self._origin(), self._keep_unused)
        program = make_program(entry, work, checks=type(key) is _Checked)
        # One of two threads that come here with one key wins; `setdefault` is atomic.
        return self._programs.setdefault(key, program)

    def _origin(self) -> Callable[..., Any]:
        """Look up what runs; a trace looks for it too, and says what is wrong with it."""
        if not self._module:
            return self._implementation
        try:
            names = vars(importlib.import_module(self._module))
            if names is not self._imported:
                # The module is another one: what is compiled is of the earlier one.
                self._imported, self._scope = names, names
                if "IPython" in sys.modules:
                    ours = (self._bind, self._implementation)
                    self._scope = Patched(names, self._attribute, ours)
                self.clear_cache()
            self._found = self._scope.get(self._head)
            found = find_attribute(names, self._attribute)
        except _OF_MISSING:
            found = None
        return found or self._implementation

    def _keep(self, program: Program, donated: list[Any], kept: list[Any]) -> R:
        given, passed = donated, kept
        try:
            if program.weak:
                given, passed = program.strengthened(donated, kept)
            recipe, leaves = program.keeping(given, passed).popitem()
        except WeakLeaf:
            return self._keep(program, donated, kept)
        except BaseException as error:
            explain(error, program, donated, kept)
            raise
        return cast("R", recipe.result(leaves, kept))

    def _donate(
        self,
        program: Program,
        donated: list[Any],
        kept: list[Any],
        arguments: tuple[Any, ...],
        frame: FrameType,
    ) -> R:
        """Call the program that donates, and put markers where it takes arrays from."""
        claims = program.entry.claims
        name, code, offset = self.__name__, frame.f_code, frame.f_lasti
        markers = claims.latest
        if markers is None or markers.code is not code or markers.offset != offset:
            markers = claims.markers_at(donated, name, code, offset)
        sharding = getattr(donated[0], "sharding", None)
        claims.take(arguments, donated, markers)
        given, passed = donated, kept
        try:
            if program.weak:
                given, passed = program.strengthened(donated, kept)
            # From a place that is new, the arrays may lie elsewhere.
            is_new = markers.recipe is None or markers.sharding is not sharding
            if is_new or program.unchecked or settings.raises:
                check_donations(program, given, passed)
            recipe, travelled = program.donating(given, passed).popitem()
        except WeakLeaf:
            claims.give_back(arguments, donated, deleted=True)
            return self._donate(program, donated, kept, arguments, frame)
        except BaseException as error:
            self._give_back(error, program, arguments, donated, kept)
            raise
        result: R = recipe.result(travelled, kept)
        if markers.recipe is not recipe or markers.sharding is not sharding:
            if not compiles():
                # Nothing was donated: as JAX traces nothing, this may be within a jit.
                claims.give_back(arguments, donated, deleted=False)
                return result
            markers = claims.correct(arguments, donated, name, markers, recipe)
            if program.unchecked:
                check_donations(program, given, passed)
        if markers.watched:
            markers.watched -= 1
            watch(program, given)
        if claims.bare:
            _delete(claims.bare, donated, result)
        return result

    def _give_back(
        self,
        error: BaseException,
        program: Program,
        arguments: tuple[Any, ...],
        donated: list[Any],
        kept: list[Any],
    ) -> None:
        """Put back what a call has taken that failed."""
        deleted = is_of_deleted(error) and not runs_again()
        program.entry.claims.give_back(arguments, donated, deleted=deleted)
        explain(error, program, donated, kept)


def _strongly(
    run: Callable[[list[Any], list[Any]], Any],
    program: Program,
    donated: list[Any],
    kept: list[Any],
) -> Any:
    """Trace a program, again where there are weak types that are not declared."""
    try:
        return run(*program.strengthened(donated, kept))
    except WeakLeaf:
        return run(*program.strengthened(donated, kept))


def _documented(text: str | None, name: str) -> str:
    """Return a function's documentation with what else it has."""
    return (
        f"{inspect.cleandoc(text or '')}\n\n"
        f"`{name}.keep(...)` is the same call with nothing donated;\n"
        f"`{name}.donation(...)` says which donated buffers XLA reuses, by path;\n"
        f"`{name}.lower(...)` and `{name}.eval_shape(...)` are `jax.jit`'s, and\n"
        f"`{name}.clear_cache()` forgets what is compiled."
    ).lstrip()


def _delete(bare: frozenset[int], donated: list[Any], result: object) -> None:
    """Delete donated arguments that XLA did not take; no object holds them."""
    for i in bare:
        leaf = donated[i]
        if not isinstance(leaf, jax.Array) or leaf.is_deleted():
            continue
        # Without donation, what is returned may be the argument itself.
        if any(leaf is each for each in jax.tree_util.tree_leaves(result)):
            forget_spent(leaf)
        else:
            leaf.delete()
