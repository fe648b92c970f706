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

import inspect
import sys
from collections.abc import Callable, Hashable, Sequence
from typing import Any, Final, Generic, ParamSpec, TypeAlias, TypeVar, cast

import jax

from .aliases import require_distinct
from .donation import (
    DonationWarning,
    on_mesh,
    report_unused,
    report_view,
    reused_buffers,
    settings,
)
from .entries import make_entry
from .messages import shown_shape
from .programs import Program, make_program
from .reloading import keep_from_autoreload
from .spent import find_spent, forget_spent
from .structures import InexactStructure, located
from .tracing import is_tracing

# What JAX says of a deleted argument, by the way it is passed.
_OF_DELETED: Final = (
    "Array has been deleted",
    "Buffer has been deleted",
    "deleted or donated buffer",
)
# And of one that another thread has donated since the call began.
_OF_DONATED: Final = "INVALID_ARGUMENT: Invalid buffer passed to Execute()"
# What reading JAX's internals raises where they are others.
_OF_INTERNALS: Final = (
    AttributeError,
    ImportError,
    LookupError,
    TypeError,
    ValueError,
)
# And what evaluating annotations raises that only a type checker can.
_OF_UNKNOWN_TYPES: Final = (NameError, TypeError, AttributeError)

P = ParamSpec("P")
R = TypeVar("R")

Bound: TypeAlias = tuple[Hashable, list[Any], list[Any], tuple[Any, ...]]


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
        """
        self._bind = bind
        self._implementation = implementation
        self._names = tuple(inspect.signature(bind).parameters)
        self._static = frozenset(static)
        self._donated = frozenset(donated)
        self._keep_unused = keep_unused
        self._signature = signature
        # Held for as long as the function is, as jit holds its compiled programs.
        self._programs: dict[Hashable, Program] = {}
        self.__name__ = name
        self.__qualname__ = name
        self.__module__ = bind.__module__
        self.__doc__ = bind.__doc__
        if bind.__name__.startswith("_codegen_"):
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
        key, donated, kept, arguments = self._bind(*args, **kwargs)
        try:
            program = self._programs.get(key) or self._add_program(key, arguments)
        except InexactStructure as error:
            raise located(error, arguments, self._names, self.__name__) from None
        if not donated or is_tracing():
            return self._keep(program, donated, kept)
        leaves = donated + kept
        if len({*map(id, leaves)}) < len(leaves):
            require_distinct(donated, kept, program.entry.paths, self.__name__)
        claims = program.entry.claims
        try:
            frame = sys._getframe(1)  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
        except ValueError:  # Called by the interpreter itself, as by `atexit`.
            frame = sys._getframe()  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
        name, code, offset = self.__name__, frame.f_code, frame.f_lasti
        markers = claims.latest
        if markers is None or markers.code is not code or markers.offset != offset:
            markers = claims.markers_at(donated, name, code, offset)
        sharding = getattr(donated[0], "sharding", None)
        claims.take(arguments, donated, markers)
        try:
            # From a place that is new, the arrays may lie elsewhere.
            is_new = markers.recipe is None or markers.sharding is not sharding
            if is_new or program.unchecked or settings.raises:
                self._check(program, donated, kept)
            recipe, travelled = program.donating(donated, kept).popitem()
        except BaseException as error:
            self._give_back(error, program, arguments, donated, kept)
            raise
        result: R = recipe.result(travelled, kept)
        if markers.recipe is not recipe or markers.sharding is not sharding:
            if not _compiles():
                # Nothing was donated: as JAX traces nothing, this may be within a jit.
                claims.give_back(arguments, donated, deleted=False)
                return result
            markers = claims.correct(arguments, donated, name, markers, recipe)
            if program.unchecked:
                self._check(program, donated, kept)
        if markers.watched:
            markers.watched -= 1
            self._watch(program, donated)
        if claims.bare:
            self._delete(claims.bare, donated, result)
        return result

    def keep(self, /, *args: P.args, **kwargs: P.kwargs) -> R:
        """Call it with nothing donated, for notebooks and debugging."""
        return self._keep(*self._bound(*args, **kwargs))

    def lower(self, /, *args: P.args, **kwargs: P.kwargs) -> jax.stages.Lowered:
        """Lower the program of a call, for these arguments, without running it."""
        program, donated, kept = self._bound(*args, **kwargs)
        return cast("jax.stages.Lowered", program.donating.lower(donated, kept))

    def eval_shape(self, /, *args: P.args, **kwargs: P.kwargs) -> R:
        """Return a call's result, with a ShapeDtypeStruct in place of each array."""
        program, donated, kept = self._bound(*args, **kwargs)
        return cast("R", program.whole.eval_shape(donated, kept))

    def donation(self, /, *args: P.args, **kwargs: P.kwargs) -> dict[str, bool]:
        """Tell for each donated leaf, by path, whether XLA reuses its buffer.

        Nothing is run, and nothing consumed; ShapeDtypeStructs do as arguments. It is
        about the program: in a call on a CPU, a NumPy view of an array that is still
        alive (`numpy.asarray` makes one, `numpy.array` does not) makes XLA copy it all
        the same. Such a call is reported by a DonationWarning.
        """
        program, donated, kept = self._bound(*args, **kwargs)
        traced = program.donating.trace(donated, kept)
        reused = self._reused(traced, donated)
        return dict(zip(program.entry.paths, reused, strict=False))

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
        try:
            program = self._programs.get(key) or self._add_program(key, arguments)
        except InexactStructure as error:
            raise located(error, arguments, self._names, self.__name__) from None
        return program, donated, kept

    def _add_program(self, key: Hashable, arguments: tuple[Any, ...]) -> Program:
        entry = make_entry(arguments, self._names, self._static, self._donated)
        program = make_program(
            entry, self._implementation, self.__name__, keep_unused=self._keep_unused
        )
        # One of two threads that come here with one key wins; `setdefault` is atomic.
        return self._programs.setdefault(key, program)

    def _keep(self, program: Program, donated: list[Any], kept: list[Any]) -> R:
        try:
            recipe, leaves = program.keeping(donated, kept).popitem()
        except BaseException as error:
            self._explain(error, program, donated, kept)
            raise
        return cast("R", recipe.result(leaves, kept))

    def _check(self, program: Program, donated: list[Any], kept: list[Any]) -> None:
        """Report the donations of a program, once for what it is compiled for.

        What is traced and lowered for it is found again by the call.
        """
        if not _donates():
            return
        program.unchecked.clear()
        signature = _signature(donated + kept)
        unused = program.checked.get(signature)
        if unused is not None and not settings.raises:
            return
        if unused is None:
            traced = program.donating.trace(donated, kept)
            try:
                reused = self._reused(traced, donated)
            except _OF_INTERNALS:
                # In a version of JAX that is not known yet there is no report.
                reused = [True] * len(donated)
            unused = [i for i, used in enumerate(reused) if not used]
            program.checked[signature] = unused
            program.unchecked.clear()
        paths = program.entry.paths
        program.reported.update(paths[i] for i in unused)
        if unused:
            named = [_named(paths[i], donated[i]) for i in unused]
            try:
                report_unused(self.__name__, named, on_mesh=on_mesh(donated + kept))
            except DonationWarning:
                # The next call is to raise again.
                program.unchecked.append(None)
                program.checked.pop(signature, None)
                raise

    def _reused(self, traced: Any, donated: list[Any]) -> list[bool]:
        return reused_buffers(traced, donated, keep_unused=self._keep_unused)

    def _give_back(
        self,
        error: BaseException,
        program: Program,
        arguments: tuple[Any, ...],
        donated: list[Any],
        kept: list[Any],
    ) -> None:
        """Put back what a call has taken that failed."""
        deleted = _is_of_deleted(error) and not _runs_again()
        program.entry.claims.give_back(arguments, donated, deleted=deleted)
        self._explain(error, program, donated, kept)

    def _explain(
        self,
        error: BaseException,
        program: Program,
        donated: list[Any],
        kept: list[Any],
    ) -> None:
        """Say which argument is deleted, where JAX says that one is."""
        if not _is_of_deleted(error):
            return
        if _runs_again():
            error.add_note(
                f"`jax_debug_nans` and `jax_debug_infs` run `{self.__name__}` again where "
                "they find a NaN or an infinity in its result, but it was compiled with "
                "donation, and its arguments are gone: to see where that comes from, "
                f"call `{self.__name__}.keep(...)`"
            )
        else:
            spent = find_spent(donated + kept, program.entry.paths, self.__name__)
            if spent is not None:
                raise spent from error

    def _delete(self, bare: frozenset[int], donated: list[Any], result: R) -> None:
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

    def _watch(self, program: Program, donated: list[Any]) -> None:
        """Report buffers that the program reuses, but not in this call."""
        paths = program.entry.paths
        viewed = [
            i
            for i, leaf in enumerate(donated)
            if paths[i] not in program.reported and _is_alive_on_cpu(leaf)
        ]
        program.reported.update(paths[i] for i in viewed)
        if viewed and _donates():
            report_view(self.__name__, [_named(paths[i], donated[i]) for i in viewed])


def _is_of_deleted(error: BaseException) -> bool:
    """Tell whether JAX refused an argument that was deleted before the call.

    A program that fails while it runs raises a subclass, with whatever text.
    """
    text = str(error)
    if type(error) not in (RuntimeError, ValueError):
        return text.startswith(_OF_DONATED) and isinstance(error, RuntimeError)
    return any(words in text for words in _OF_DELETED)


def _runs_again() -> bool:
    """Tell whether JAX runs a call a second time, to find what made a NaN or infinity."""
    config: Any = jax.config
    return bool(config.jax_debug_nans or config.jax_debug_infs)


def _donates() -> bool:
    """Tell whether JAX donates at all, as it does not while it looks for NaNs."""
    config: Any = jax.config
    return _compiles() and not config.jax_debug_nans


def _compiles() -> bool:
    """Tell whether JAX compiles, as it does not under `jax.disable_jit`."""
    config: Any = jax.config
    return not config.jax_disable_jit


def _signature(leaves: list[Any]) -> Hashable:
    """Return what a program is compiled for, of leaves of one structure."""
    kinds = [(jax.typeof(leaf), getattr(leaf, "sharding", None)) for leaf in leaves]
    return jax.sharding.get_abstract_mesh(), *kinds


def _is_alive_on_cpu(leaf: Any) -> bool:
    if not isinstance(leaf, jax.Array) or leaf.is_deleted():
        return False
    return all(device.platform == "cpu" for device in leaf.devices())


def _named(path: str, leaf: Any) -> str:
    return f"`{path}` ({shown_shape(leaf)})"
