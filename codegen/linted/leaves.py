"""The arrays that a value of a type holds, as far as a schema says.

leaves(program, <Plate>, only_donated=True)    ->    Leaves({Leaf("float32", 2)})
"""

from __future__ import annotations

from msgspec import Struct, field

from codegen.checked.facts import descendants
from codegen.program.nodes import Field, Program
from codegen.program.types import (
    AnyDims,
    Anything,
    Array,
    Batch,
    ClassType,
    External,
    Ref,
    Type,
    TypeParameter,
    walk,
)
from codegen.schema.vocabulary import RANK_MAX


class Leaf(Struct, frozen=True):
    """One array."""

    dtype: str  # NumPy's name, "key", or a kind. Example: "float32", "Float"
    rank: int | None  # the number of its axes; None: any

    def may_replace(self, other: Leaf) -> bool:
        """Whether one may take the other's buffer, as far as dtype and rank go."""
        is_kind = self.dtype[0].isupper() or other.dtype[0].isupper()
        same_rank = self.rank is None or other.rank is None or self.rank == other.rank
        return same_rank and (is_kind or self.dtype == other.dtype)


class Leaves(Struct):
    """Arrays, and whether there may be others of which nothing is known."""

    known: set[Leaf] = field(default_factory=set[Leaf])
    is_open: bool = False


def leaves(program: Program, type: Type, *, only_donated: bool) -> Leaves:
    """The arrays below a type; with `only_donated`, those on paths that are donated throughout."""
    found = Leaves()
    done: set[tuple[Ref, int]] = set()
    # With each type, the axes that are stacked on all its arrays.
    waiting = [(type, 0)]
    while waiting:
        type, axes = waiting.pop()
        for part in walk(type):
            if isinstance(part, Array):
                is_any = any(isinstance(dim, AnyDims | Batch) for dim in part.shape)
                found.known.add(Leaf(part.dtype, None if is_any else axes + len(part.shape)))
            elif isinstance(part, Anything | External | TypeParameter):
                found.is_open = True
            elif isinstance(part, ClassType):
                # Of classes that hold each other there is no end.
                inner = min(axes + len(part.stacked), RANK_MAX)
                below = {(ref, inner) for ref in (part.ref, *descendants(program, part.ref))} - done
                done |= below
                fields = [one for ref, _ in below for one in program.classes[ref].fields]
                waiting += [(one.type, inner) for one in fields if _counts(one, only_donated)]
    return found


def _counts(field: Field, only_donated: bool) -> bool:
    return field.role == "donated" or (field.role == "dynamic" and not only_donated)
