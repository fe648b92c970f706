"""Errors of failed calls, with the path of the array that is their cause."""

import inspect
import itertools
import types
from collections import Counter
from collections.abc import Sequence
from typing import Any, Final

import jax
import numpy as np
from jax.core import Tracer

from ..keys.messages import format_value
from ..keys.names import is_ref
from ..tracing import current_call, is_ours

# JAX's messages for a deleted argument, one for each way to pass it.
_OF_DELETED: Final = (
    "Array has been deleted",
    "Buffer has been deleted",
    "deleted or donated buffer",
)
# JAX's messages for an argument that another thread has donated since the call began.
_OF_DONATED: Final = tuple(
    f"INVALID_ARGUMENT: {kind} buffer passed to Execute()"
    for kind in ("Wrong", "Invalid")
)
# The end of XLA's message for a buffer in two places.
_OF_REPEATED: Final = "donate the same buffer twice"

# JAX's stubs do not know its attributes.
_config: Final[Any] = jax.config


class ConsumedError(RuntimeError):
    """A field was used after a call had consumed it."""


class DonationWarning(UserWarning):
    """A donated buffer is not reused."""


def is_concrete(leaf: object) -> bool:
    """Return whether a leaf is an array, and not a tracer of one."""
    return isinstance(leaf, jax.Array) and not isinstance(leaf, Tracer)


def is_deleted(leaf: Any) -> bool:
    """Return whether a leaf is a deleted array."""
    return is_concrete(leaf) and leaf.is_deleted()


def is_of_deleted(error: BaseException) -> bool:
    """Return whether JAX refused an argument because it was deleted before the call.

    A program that fails while it runs raises a subclass, with whatever text.
    """
    text = str(error)
    if type(error) not in (RuntimeError, ValueError):
        return text.startswith(_OF_DONATED) and isinstance(error, RuntimeError)
    return any(words in text for words in _OF_DELETED)


def compiles() -> bool:
    """Return whether JAX compiles, as it does not under `jax.disable_jit`."""
    return not _config.jax_disable_jit


def runs_again() -> bool:
    """Return whether JAX runs a call a second time to find the source of a NaN or
    infinity.
    """
    return bool(_config.jax_debug_nans or _config.jax_debug_infs)


def explain(
    error: BaseException, leaves: Sequence[Any], paths: Sequence[str], name: str
) -> None:
    """Raise an error with the path of the deleted leaf, if JAX reports a deleted one;
    of a number that does not fit; or with both paths of a Ref that occurs twice.

    Raises:
        ConsumedError: names the path
        OverflowError: names the path
        ValueError: names both paths
    """
    if isinstance(error, OverflowError):
        explain_overflow(error, leaves, paths, name)
    refuse_repeated_refs(leaves, paths, name, error)
    if _OF_REPEATED in str(error) and any(map(is_ref, leaves)):
        error.add_note(
            f"The implementation of `{name}` may use a Ref of this call from outside, such "
            "as a global or in a closure: use only the argument"
        )
    if not is_of_deleted(error):
        return
    if _is_of_nan(error):
        error.add_note(
            "`jax_debug_nans` or `jax_debug_infs` found a NaN or an infinity in the "
            f"result of `{name}`, and runs `{name}` again to find its origin. This "
            "fails, since the first run has donated its arguments: to find the "
            f"origin, call `{name}.keep(...)`"
        )
        return
    raise_deleted(leaves, paths, name, error)


def _is_of_nan(error: BaseException | None) -> bool:
    """Return whether an error is of a call that JAX runs again to find the source of a
    NaN or infinity.
    """
    while error is not None:
        # The class is not public.
        if type(error).__name__ == "InternalFloatingPointError":
            return runs_again()
        error = error.__context__
    return False


def explain_overflow(
    error: OverflowError, leaves: Sequence[Any], paths: Sequence[str], name: str
) -> None:
    """Raise an error with the path of an int that does not fit JAX's dtype of an int.

    Raises:
        OverflowError: names the path
    """
    limits = np.iinfo(jax.dtypes.canonicalize_dtype(np.int64))
    for leaf, path in zip(leaves, paths, strict=True):
        if not isinstance(leaf, int) or limits.min <= leaf <= limits.max:
            continue
        remedy = "pass a float, or declare it static"
        if leaf.bit_length() < np.iinfo(np.int64).bits:
            remedy = 'it fits after `jax.config.update("jax_enable_x64", True)`'
        raise OverflowError(
            f"`{path}` of `{name}` is {format_value(leaf)}, which does not fit an "
            f"{limits.dtype}, from {limits.min} to {limits.max}: {remedy}"
        ) from error


def refuse_repeated_refs(
    leaves: Sequence[Any],
    paths: Sequence[str],
    name: str,
    cause: BaseException | None = None,
) -> None:
    """Refuse a call that gets one Ref twice.

    Each call of a compiled function is also refused by JAX, before it runs.

    Raises:
        ValueError: names both paths
    """
    first: dict[int, str] = {}
    for leaf, path in zip(leaves, paths, strict=True):
        if not is_ref(leaf):
            continue
        if id(leaf) in first:
            raise ValueError(
                f"`{first[id(leaf)]}` and `{path}` of `{name}` are the same Ref, which a "
                "call can write only under one path: pass it once, or pass a new Ref of "
                "its content, `jax.new_ref(ref[...])`"
            ) from cause
        first[id(leaf)] = path


def raise_deleted(
    leaves: Sequence[Any],
    paths: Sequence[str],
    name: str,
    cause: BaseException | None = None,
) -> None:
    """Refuse the first deleted leaf of a call.

    Raises:
        ConsumedError: names the path
    """
    for leaf, path in zip(leaves, paths, strict=True):
        if not is_deleted(leaf):
            continue
        raise ConsumedError(
            f"`{path}` of `{name}` is a deleted array: a call has consumed it, maybe "
            "through another object that holds the same array, or `delete()` was called. "
            "Use the result of that call, or give one of the objects a copy, "
            "`jnp.copy(...)`"
        ) from cause


def hide_frames(error: BaseException) -> None:
    """Remove the frames of this package from a traceback, if JAX removes its own."""
    if _config.jax_traceback_filtering == "off":
        return
    each, shown = error.__traceback__, list[types.TracebackType]()
    while each is not None:
        if not is_ours(each.tb_frame):
            shown.append(each)
        each = each.tb_next
    for step, following in itertools.zip_longest(shown, shown[1:]):
        step.tb_next = following
    error.__traceback__ = shown[0] if shown else None


class _HiddenFrames:
    """A context manager that removes the frames of this package from errors."""

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, tb: object) -> None:
        if error is not None:
            hide_frames(error)


hidden_frames: Final = _HiddenFrames()


# --- names of leaves in JAX's messages


class LeafSignature(inspect.Signature):
    """The signature of a function of leaves, in which JAX finds a name for each leaf.

    JAX binds arguments to a signature and takes the argument names from it: "...
    depends on the value of the argument plate.u".
    """

    __slots__ = ()

    def bind(self, *args: Any, **kwargs: object) -> inspect.BoundArguments:
        """Bind each leaf to its path."""
        bound = super().bind(*args, **kwargs)
        call = current_call()
        if call is None:
            return bound
        paths: Sequence[str] = call.program.structure.paths
        _, leaves, kept = args
        if type(leaves) is tuple:
            from ..in_place import in_order

            count = len(leaves[1])
            refs = call.program.structure.refs_after(count)
            paths = in_order(paths, count, refs)
            leaves = itertools.chain(*leaves)
        counts = Counter(paths)
        # A class may give two of its leaves one key.
        names = [
            path if counts[path] == 1 else f"{path} (leaf {number})"
            for number, path in enumerate(paths)
        ]
        leaves = itertools.chain(leaves, kept)
        bound.arguments = dict(zip(names, leaves, strict=True))
        return bound
