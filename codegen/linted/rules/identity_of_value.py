"""`identity` around what is compared by value.

name: static[identity[str]]    ->    IDENTITY_OF_VALUE: equal texts would be two keys
"""

from __future__ import annotations

from collections.abc import Iterator

from codegen.checked.places import Place, places
from codegen.diagnostics import Code, Diagnostic
from codegen.linted.linting import Linting
from codegen.program.show import type_text
from codegen.program.types import (
    ClassType,
    DType,
    EnumType,
    FixedTuple,
    Identity,
    Literals,
    NoneType,
    Scalar,
    Sequence,
    Type,
    Union,
    parts,
    walk,
)

_VALUES = (DType, EnumType, Literals, NoneType, Scalar)


def check(linting: Linting) -> Iterator[Diagnostic]:
    """Report each `identity` that is of no use."""
    for place in places(linting.program):
        for part in walk(place.type):
            if isinstance(part, Identity) and _is_value(linting, part.type):
                yield _found(linting, place, part)


def _is_value(linting: Linting, type: Type) -> bool:
    """Whether a static value of a type has an exact `==` without `identity`."""
    match type:
        case ClassType():
            return linting.facts.is_static(type.ref)
        case FixedTuple() | Union():
            return all(_is_value(linting, part) for part in parts(type))
        case Sequence():
            return type.container != "list" and _is_value(linting, type.element)
        case _:
            return isinstance(type, _VALUES)


def _found(linting: Linting, place: Place, part: Identity) -> Diagnostic:
    written = type_text(part.type)
    return linting.warn(
        Code.IDENTITY_OF_VALUE,
        place.source,
        part.span,
        f"{place.what} compares `{written}` by identity, and equal ones would be traced anew",
        label="compared by value otherwise",
        advice=f"write `{written}` alone",
    )
