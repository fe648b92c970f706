"""Check whether every value of one type is a value of another type.

is_narrower(<f32[3]>, <Float[...]>, program)    ->    True
"""

from __future__ import annotations

from codegen.program import types
from codegen.program.nodes import Program
from codegen.program.types import Dim, Ref, Type


def is_subclass(program: Program, ref: Ref, ancestor: Ref) -> bool:
    """Return whether a class is another, or one of its subclasses."""
    return ancestor in (ref, *program.graph.bases(ref))


def is_narrower(new: Type, old: Type, program: Program) -> bool:
    """Return whether every value of `new` is one of `old`.

    is_narrower(<f32[3]>, <Float[...]>, program)    ->    True
    """
    match new, old:
        case types.Literals(), types.Literals():
            # In Python `1` equals `True`.
            return {(value, value.__class__) for value in new.values} <= {
                (value, value.__class__) for value in old.values
            }
        case _ if new == old or isinstance(old, types.Anything):
            return True
        case types.Union(), _:
            return all(is_narrower(member, old, program) for member in new.members)
        case _, types.Union():
            return any(is_narrower(new, member, program) for member in old.members)
        case (types.Sequence() | types.FixedTuple() | types.Mapping(), _):
            return _is_narrower_container(new, old, program)
        case types.ClassType(), types.ClassType():
            same_dims = new.ref != old.ref or _covers_shape(
                old.dims or new.dims, new.dims or old.dims
            )
            same_dims = same_dims and _covers_shape(old.stacked, new.stacked)
            return same_dims and is_subclass(program, new.ref, old.ref)
        case types.Array(), types.Array():
            same_dtype = new.dtype == old.dtype or _is_of_kind(new.dtype, old.dtype)
            return same_dtype and _covers_shape(old.shape, new.shape)
        case types.Literals(), types.Scalar():
            return all(type(value).__name__ == old.name for value in new.values)
        case types.Identity(), types.Identity():
            return is_narrower(new.type, old.type, program)
        case types.Callable(), types.Callable(parameters=None):
            return is_narrower(new.result, old.result, program)
        case types.External() | types.EnumType() | types.ClassType(), types.External():
            # Nothing is known about the other type; type checkers will report it.
            return isinstance(new, types.External)
        case _:
            return False


def _is_narrower_container(
    new: types.Sequence | types.FixedTuple | types.Mapping, old: Type, program: Program
) -> bool:
    match new, old:
        case types.Sequence(), types.Sequence():
            same = new.container == old.container and old.size in (None, new.size)
            same = same and new.is_any <= old.is_any
            fits = new.container != "list" or _is_exchangeable(new.element, old.element)
            return same and fits and is_narrower(new.element, old.element, program)
        case types.FixedTuple(), types.Sequence(container="tuple", size=size):
            same = size is None or size == types.Size(len(new.elements))
            return same and all(is_narrower(e, old.element, program) for e in new.elements)
        case types.FixedTuple(), types.FixedTuple():
            return len(new.elements) == len(old.elements) and all(
                is_narrower(n, o, program) for n, o in zip(new.elements, old.elements, strict=True)
            )
        case types.Mapping(), types.Mapping():
            same = new.container == old.container and new.key == old.key
            same = same and new.is_any <= old.is_any
            is_fixed = new.container != "dict" or old.is_any
            fits = is_fixed or _is_exchangeable(new.value, old.value)
            return same and fits and is_narrower(new.value, old.value, program)
        case _:
            return False


def _is_exchangeable(new: Type, old: Type) -> bool:
    """Return whether type checkers accept each for the other, as they require for items of a
    mutable container.

    They ignore sizes and dtypes.
    """
    match new, old:
        case types.Array(), types.Array():
            return True
        case types.ClassType(), types.ClassType():
            same = new.ref == old.ref and new.arguments == old.arguments
            return same and len(new.stacked) == len(old.stacked)
        case types.Sequence(), types.Sequence():
            return new.is_any == old.is_any and _is_exchangeable(new.element, old.element)
        case types.Mapping(), types.Mapping():
            return new.is_any == old.is_any and _is_exchangeable(new.value, old.value)
        case _:
            return new == old


def _covers_shape(old: tuple[Dim, ...], new: tuple[Dim, ...]) -> bool:
    """Return whether every shape that `new` describes is one that `old` describes."""
    at = next(
        (i for i, dim in enumerate(old) if isinstance(dim, types.AnyDims | types.Batch)), None
    )
    if at is None:
        return len(old) == len(new) and all(map(_covers_dim, old, new))
    after = len(old) - at - 1
    if len(new) < at + after:
        return False
    ends = [*zip(old[:at], new[:at], strict=True)]
    ends += zip(old[at + 1 :], new[len(new) - after :], strict=True)
    return all(_covers_dim(o, n) for o, n in ends)


def _covers_dim(old: Dim, new: Dim) -> bool:
    return old == new or (
        isinstance(old, types.AnyDim) and not isinstance(new, types.AnyDims | types.Batch)
    )


_KINDS: dict[str, tuple[str, ...]] = {
    "Bool": ("bool",),
    "Complex": ("complex",),
    "Float": ("float", "bfloat"),
    "Inexact": ("float", "bfloat", "complex", "Float", "Complex"),
    "Int": ("int",),
    "Num": ("float", "bfloat", "int", "uint", "complex", "Float", "Int", "UInt", "Complex", "Real"),
    "Real": ("float", "bfloat", "int", "uint", "Float", "Int", "UInt"),
    "Shaped": ("",),
    "UInt": ("uint",),
}


def _is_of_kind(dtype: str, kind: str) -> bool:
    below = _KINDS.get(kind, ())
    return dtype.startswith(below) or (kind == "Num" and dtype == "Inexact")
