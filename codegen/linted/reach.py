"""What functions reach of the objects that they take.

def step(plate: donated[Plate]): ...    ->    Reach(reached={(Plate, "u"), (Plate, "t")},
                                                    consumed={(Plate, "u")})
"""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct, field

from codegen.checked.facts import descendants
from codegen.program.nodes import Program
from codegen.program.types import Anything, ClassType, Ref, Type, walk

# A field, by the class that declares it.
FieldPlace: TypeAlias = tuple[Ref, str]


class Reach(Struct):
    """The fields below the arguments of all functions."""

    reached: set[FieldPlace] = field(default_factory=set[FieldPlace])
    consumed: set[FieldPlace] = field(default_factory=set[FieldPlace])
    anything_is_donated: bool = False  # a donated `Any` may hold whatever there is


def find_reach(program: Program) -> Reach:
    """Follow every argument of every function down to its arrays."""
    found = Reach()
    done: set[tuple[Ref, bool]] = set()
    for module in program.modules:
        for function in module.functions:
            for parameter in function.parameters:
                if parameter.role != "static":
                    _visit(program, parameter.type, parameter.role == "donated", found, done)
    return found


def _visit(
    program: Program,
    type: Type,
    is_donated: bool,
    found: Reach,
    done: set[tuple[Ref, bool]],
) -> None:
    for part in walk(type):
        if isinstance(part, Anything) and is_donated:
            found.anything_is_donated = True
        if not isinstance(part, ClassType):
            continue
        for ref in (part.ref, *descendants(program, part.ref)):
            if (ref, is_donated) in done:
                continue
            done.add((ref, is_donated))
            for one in program.classes[ref].fields:
                if one.role == "static":
                    continue
                found.reached.add((one.owner, one.name))
                is_consumed = is_donated and one.role == "donated"
                if is_consumed:
                    found.consumed.add((one.owner, one.name))
                _visit(program, one.type, is_consumed, found, done)
