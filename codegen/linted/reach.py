"""What functions reach of the objects that they take.

def step(plate: donated[Plate]): ...    ->    Reach(reached={(Plate, "u"), (Plate, "t")},
                                                    consumed={(Plate, "u")})
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from msgspec import Struct, field

from codegen.checked.facts import descendants
from codegen.program.nodes import Class, Program
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
    # No recursion: a chain of classes may be longer than Python's stack.
    waiting = [
        (parameter.type, parameter.role == "donated")
        for module in program.modules
        for function in module.functions
        for parameter in function.parameters
        if parameter.role != "static"
    ]
    while waiting:
        type, is_donated = waiting.pop()
        for part in walk(type):
            if isinstance(part, Anything) and is_donated:
                found.anything_is_donated = True
            if not isinstance(part, ClassType):
                continue
            for ref in (part.ref, *descendants(program, part.ref)):
                if (ref, is_donated) not in done:
                    done.add((ref, is_donated))
                    waiting += _fields(program.classes[ref], is_donated, found)
    return found


def _fields(node: Class, is_donated: bool, found: Reach) -> Iterator[tuple[Type, bool]]:
    """Note the fields of a class, and yield what is in them."""
    for one in node.fields:
        if one.role == "static":
            continue
        found.reached.add((one.owner, one.name))
        is_consumed = is_donated and one.role == "donated"
        if is_consumed:
            found.consumed.add((one.owner, one.name))
        yield one.type, is_consumed
