"""Fields and arguments that are a `jax.Ref`: an array that functions write in place.

    k = as_ref(k, "bfloat16", cls, "k")     # a Ref as it is; a new Ref of an array

A Ref is a leaf like an array. A call never donates it, and its result contains the Ref
itself.
"""

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from .classes.values import CONVERTED, without_weak_type
from .keys.messages import Owner, describe_array_type, unfit
from .keys.names import has_dtype, is_ref, new_ref
from .shapes import dtype_remedy


def as_ref(value: Any, declared: str, owner: Owner, path: str) -> Any:
    """Accept a Ref of a dtype or kind; copy an array into a new Ref.

    Other values that may replace a leaf are kept, such as a ShapeDtypeStruct.
    """
    if isinstance(value, jax.Array | np.ndarray | np.generic):
        if isinstance(value, jax.Ref):  # A tracer of a Ref is an instance of both.
            return _of_dtype(value, declared, owner, path)
        array = without_weak_type(jnp.asarray(value))
        return jax.new_ref(_of_dtype(array, declared, owner, path))
    if is_ref(value):
        return _of_dtype(value, declared, owner, path)
    if type(value) in CONVERTED:
        remedy = (
            "pass a Ref, or an array that is copied into a new Ref; for a tree of axes, "
            "masks or labels use `like`"
        )
        raise _refused(value, declared, owner, path, remedy)
    return value


def as_ref_argument(value: Any, declared: str, owner: Owner, path: str) -> Any:
    """Accept only a Ref of a dtype or kind, since a call would lose a new one."""
    if not is_ref(value):
        remedy = "create one with `jax.new_ref(array)`"
        if isinstance(value, jax.ShapeDtypeStruct):
            remedy = "write `jax.ShapeDtypeStruct(..., is_ref=True)`"
        raise _refused(value, declared, owner, path, remedy)
    return _of_dtype(value, declared, owner, path)


class _PicklableRef:
    """Replaces a Ref in a pickle. JAX 0.12 cannot read a Ref that it has unpickled."""

    def __init__(self, ref: Any) -> None:
        self.ref = ref

    def __reduce__(self) -> tuple[Any, ...]:
        return new_ref, (self.ref[...],)


def picklable(children: list[Any]) -> list[Any]:
    """Replace each Ref by an object whose unpickling creates a Ref of its content."""
    return [_PicklableRef(x) if isinstance(x, jax.Ref) else x for x in children]


def _of_dtype(value: Any, declared: str, owner: Owner, path: str) -> Any:
    if has_dtype(value.dtype, declared):
        return value
    remedy = dtype_remedy(value, declared)
    if is_ref(value):
        remedy = f"create another one with `jax.new_ref(ref[...].astype({declared!r}))`"
    raise _refused(value, declared, owner, path, remedy)


def _refused(
    value: Any, declared: str, owner: Owner, path: str, remedy: str
) -> TypeError:
    expected = f"a Ref of {describe_array_type(declared)}"
    return TypeError(str(unfit(value, owner, path, expected, remedy)))
