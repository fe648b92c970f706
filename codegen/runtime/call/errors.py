"""What is said of a call that fails: of a deleted array, whoever has deleted it, and where."""

import types
import weakref
from collections.abc import Callable, Sequence
from typing import Any, Final, TypeAlias

import jax
from jax.core import Tracer

from ..tracing import is_ours

# What JAX says of a deleted argument, by the way it is passed.
_OF_DELETED: Final = (
    "Array has been deleted",
    "Buffer has been deleted",
    "deleted or donated buffer",
)
# And of one that another thread has donated since the call began.
_OF_DONATED: Final = "INVALID_ARGUMENT: Invalid buffer passed to Execute()"

# The markers of consumed arrays, each with a weak reference to its array, whose id is the
# key: of arguments that are arrays themselves, and of arrays that other objects hold too.
Notes: TypeAlias = dict[int, tuple[weakref.ref[Any], Any]]
notes: Final[Notes] = {}
held_elsewhere: Final[Notes] = {}

# JAX's stubs do not know what it consists of.
_config: Final[Any] = jax.config


class ConsumedError(RuntimeError):
    """A field was used after a call that had consumed it."""


class DonationWarning(UserWarning):
    """A donated buffer is not reused."""


def noted_marker(array: Any, *tables: Notes) -> Any:
    """Return the marker that one of some tables has for an array; None of others."""
    for table in tables:
        reference, marker = table.get(id(array), (None, None))
        if reference is not None and reference() is array:
            return marker
    return None


def is_deleted(leaf: Any) -> bool:
    """Tell whether a leaf is an array that was deleted."""
    is_array = isinstance(leaf, jax.Array) and not isinstance(leaf, Tracer)
    return is_array and leaf.is_deleted()


try:
    # Of arrays without a Python function between, as calls ask for leaves one by one.
    from jax._src.array import ArrayImpl

    ask_deleted: Callable[[Any], bool] = ArrayImpl.is_deleted
except ImportError:
    ask_deleted = is_deleted


def is_of_deleted(error: BaseException) -> bool:
    """Tell whether JAX refused an argument that was deleted before the call.

    A program that fails while it runs raises a subclass, with whatever text.
    """
    text = str(error)
    if type(error) not in (RuntimeError, ValueError):
        return text.startswith(_OF_DONATED) and isinstance(error, RuntimeError)
    return any(words in text for words in _OF_DELETED)


def looks_for_nans() -> bool:
    """Tell whether JAX looks for NaNs, and compiles without donation to find them."""
    return bool(_config.jax_debug_nans)


def runs_again() -> bool:
    """Tell whether JAX runs a call a second time, to find what made a NaN or infinity."""
    return looks_for_nans() or bool(_config.jax_debug_infs)


def explain(
    error: BaseException, leaves: Sequence[Any], paths: Sequence[str], name: str
) -> None:
    """Say which leaf of a call is deleted, where JAX says that one is.

    Raises:
        ConsumedError: with its path
    """
    if not is_of_deleted(error):
        return
    if runs_again():
        error.add_note(
            f"`jax_debug_nans` and `jax_debug_infs` run `{name}` again where "
            "they find a NaN or an infinity in its result, but it was compiled with "
            "donation, and its arguments are gone: to see where that comes from, "
            f"call `{name}.keep(...)`"
        )
        return
    raise_deleted(leaves, paths, name, error)


def raise_deleted(
    leaves: Sequence[Any],
    paths: Sequence[str],
    name: str,
    cause: BaseException | None = None,
) -> None:
    """Refuse the first leaf of a call that is deleted.

    Raises:
        ConsumedError: with its path, and the call that consumed it where that is known
    """
    for leaf, path in zip(leaves, paths, strict=True):
        if not is_deleted(leaf):
            continue
        marker = noted_marker(leaf, notes, held_elsewhere)
        if marker is not None:
            raise marker.__codegen_consumed__(f"`{path}` of `{name}`") from cause
        raise ConsumedError(
            f"`{path}` of `{name}` is an array that was deleted: a call has consumed it "
            "in another object that holds the same array, or `delete()` was called. Use "
            "what the call returned; or give one of the objects `jnp.copy(...)` of it"
        ) from cause


def hide_frames(error: BaseException) -> None:
    """Leave out the frames of this package, where JAX leaves out its own."""
    if _config.jax_traceback_filtering == "off":
        return
    each, steps = error.__traceback__, list[types.TracebackType]()
    while each is not None:
        if not is_ours(each.tb_frame):
            steps.append(each)
        each = each.tb_next
    shown: types.TracebackType | None = None
    for step in reversed(steps):
        shown = types.TracebackType(
            shown, step.tb_frame, step.tb_lasti, step.tb_lineno or 0
        )
    error.__traceback__ = shown


class _HiddenFrames:
    """Hides the frames of this package from errors that pass."""

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, tb: object) -> None:
        if error is not None:
            hide_frames(error)


hidden_frames: Final = _HiddenFrames()
