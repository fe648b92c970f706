"""What becomes of what was saved: the rows of `docs/checkpoints.md`, which `unpack` follows.

u: dynamic[f32[n]]    ->    u: dynamic[f64[n]]    # "unpack" takes it with `cast=True`

What is refused without more being said or given breaks checkpoints. What depends on the values that
were saved, as whether a number is exact, does not.
"""

from __future__ import annotations

import re

from msgspec.structs import replace

from codegen.diff.comparison import CHECKPOINT, Comparison
from codegen.program import types
from codegen.program.declared import class_digest
from codegen.program.nodes import Class, Field, Program
from codegen.program.substitution import rebuilt, union
from codegen.program.types import Ref, Type

# What breaks, and what becomes of what was saved.
Row = tuple[tuple[str, ...], str]

RENAMED: Row = ((), "what was saved is taken under its old name")
MOVED: Row = ((), "what was saved is taken by name")
LEFT_OUT: Row = ((), "what was saved of it is left out")
_MIGRATED: Row = ((CHECKPOINT,), "what was saved needs `migrate")
_DEFAULT: Row = ((), "what was saved without it gets the default")
_MADE: Row = ((CHECKPOINT,), "what was saved without it needs `key=`, for its `init=`")
_NUMBER: Row = ((), "a number that was saved is converted where that is exact")
_STACKED: Row = ((), "what was saved is converted where all layers have the same static values")
_TAKEN: Row = ((), "what was saved is taken as it is")
_WIDENED: Row = ((CHECKPOINT,), "what was saved is widened where `cast=True` is given")

_NUMBER_NAME = re.compile(r"(f|i|u|c|bf)(\d+)")


def row_of(row: Row, since: str, new: Class) -> Row:
    """A row as it is for a class of an earlier digest: one that migrates takes whatever it was."""
    if any(since.startswith(one.since) for one in new.migrations):
        return (), "what was saved is migrated"
    return (row[0], f'{row[1]}(since="{since[:8]}")`') if row is _MIGRATED else row


def migrated(old: Class, new: Class) -> Row:
    """What becomes of what was saved of a class that is another one now."""
    return row_of(_MIGRATED, class_digest(old), new)


def is_held(program: Program, ref: Ref) -> bool:
    """Whether objects hold members of an enum, as far as their types say."""
    types_held = (field.type for node in program.classes.values() for field in node.fields)
    held = (one for type in types_held for one in types.iter_held(type))
    return any(isinstance(one, types.EnumType) and one.ref == ref for one in held)


def removed(field: Field) -> Row:
    """What becomes of what was saved of a field that is gone."""
    return (
        CHECKPOINT,
    ), f'what was saved is refused until `reserved("{field.name}")` is in the class'


def added(field: Field) -> Row:
    """What a new field makes of what was saved without it."""
    if field.default is not None:
        return _DEFAULT
    return _MIGRATED if field.init is None else _MADE


def moved_role(old: Field, new: Field) -> Row:
    """What becomes of a field that was static and is traced, or the other way round."""
    return _NUMBER if _is_number(old.type) and _is_number(new.type) else _MIGRATED


def retyped(comparison: Comparison, old: Type, new: Type) -> Row:
    """What becomes of a field of another type."""
    if isinstance(new, types.Anything) or comparison.takes(_apart(new), _apart(old)):
        return _TAKEN
    if _is_stacked_alike(comparison, old, new) or _is_stacked_alike(comparison, new, old):
        return _STACKED
    arrays = [*zip(_arrays(old), _arrays(new), strict=False)]
    is_alike = comparison.is_same(_without_widths(old), _without_widths(new))
    is_wider = all(_width(one) <= _width(other) for one, other in arrays)
    return _WIDENED if is_alike and is_wider else _MIGRATED


def _is_number(type: Type) -> bool:
    if isinstance(type, types.Array):
        return not type.shape and _NUMBER_NAME.fullmatch(type.written) is not None
    return isinstance(type, types.Scalar) and type.name in ("int", "float", "complex", "bool")


def _apart(type: Type) -> Type:
    """The values of a literal one by one."""
    members = type.members if isinstance(type, types.Union) else (type,)
    found = [
        one
        for member in members
        for one in (
            [types.Literals((value,)) for value in member.values]
            if isinstance(member, types.Literals)
            else [member]
        )
    ]
    return union(tuple(found), type.span)


def _is_stacked_alike(comparison: Comparison, listed: Type, stacked: Type) -> bool:
    """Whether the one is a tuple of what the other is a stack of."""
    if not isinstance(listed, types.Sequence) or listed.container != "tuple":
        return False
    if not isinstance(stacked, types.ClassType) or not stacked.stacked:
        return False
    layer = replace(stacked, stacked=stacked.stacked[:-1])
    return comparison.is_same(listed.element, layer) or comparison.is_same(layer, listed.element)


def _arrays(type: Type) -> list[types.Array]:
    return [one for one in types.iter_held(type) if isinstance(one, types.Array)]


def _width(array: types.Array) -> int:
    match = _NUMBER_NAME.fullmatch(array.written)
    return int(match[2]) if match else 0


def _without_widths(type: Type) -> Type:
    """A type in which a dtype says its kind alone."""
    if isinstance(type, types.Array) and (match := _NUMBER_NAME.fullmatch(type.written)):
        return replace(type, dtype=match[1].strip("b"))
    return rebuilt(type, _without_widths)
