"""Say of a static type that it is mutable.

mutable(<list[int]>, "the field `n`")    ->    Fault("the field `n` is static, but ...", ...)
"""

from __future__ import annotations

from dataclasses import dataclass

from codegen.program.show import type_text
from codegen.program.types import Mapping, Sequence, Type


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong, and what to write instead."""

    message: str
    label: str
    advice: str


def mutable(type: Type, what: str) -> Fault | None:
    """The mistake of a list or a dict in a static place; None of any other type."""
    match type:
        case Sequence(container="list"):
            immutable = f"tuple[{type_text(type.element)}, ...]"
        case Mapping(container="dict"):
            immutable = f"frozendict[{type_text(type.key)}, {type_text(type.value)}]"
        case _:
            return None
    return Fault(
        f"{what} is static, but a `{type.container}` is mutable",
        "a changed value would run a program made for another",
        f"write `{immutable}`",
    )
