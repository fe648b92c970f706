"""Types of a draft's fields: objects with arrays are read as drafts, and written as either.

tuple[Linear, ...]    ->    tuple[Linear.Draft, ...] to read
                            tuple[Linear | Linear.Draft, ...] to write
"""

from __future__ import annotations

from enum import Enum

from msgspec.structs import replace

from codegen.program import types
from codegen.program.types import ClassType, Ref, Type
from codegen.view.annotations import Annotator, Reading
from codegen.view.expressions import either
from codegen.view.kinds import Kind
from codegen.view.names import Names


class Side(Enum):
    """From which side a draft's field is looked at."""

    GET = "what reading it gives"
    SET = "what may be assigned"
    OBJECT = "what may be assigned where no draft is meant"


def is_part(type: Type, kinds: dict[Ref, Kind]) -> bool:
    """Say whether a value of a type holds objects that have drafts."""
    return any(
        isinstance(part, ClassType) and not kinds[part.ref].is_static for part in types.walk(type)
    )


def twin_type(type: Type, side: Side, names: Names, kinds: dict[Ref, Kind]) -> str:
    """Write a type as an annotation."""
    return _Writer(side, names, kinds).write(type)


class _Writer(Annotator):
    """Writes arrays, what holds them, and collections as one side sees them, and all else as it is."""

    def __init__(self, side: Side, names: Names, kinds: dict[Ref, Kind]) -> None:
        super().__init__(Reading.DYNAMIC, names)
        self.side = side
        self.kinds = kinds

    def write(self, type: Type) -> str:
        if isinstance(type, types.Sequence | types.Mapping):
            if type.is_any and self.side is Side.GET:
                return self.write(replace(type, is_any=False))  # the tuple or dict that it became
            if self.side is Side.SET and not type.is_any and type.container != "tuple":
                # A list of drafts is no list of drafts or objects: either is assigned, or the other.
                sides = (Side.OBJECT, Side.GET)
                return either(*(twin_type(type, side, self.names, self.kinds) for side in sides))
        return super().write(type)

    def _array(self, type: types.Array) -> str:
        writes = self.side is not Side.GET and type.dtype != "key"
        return self.names.use(*("jax.typing", "ArrayLike") if writes else ("jax", "Array"))

    def _reference(self, type: ClassType | types.EnumType) -> str:
        obj = super()._reference(type)
        if isinstance(type, types.EnumType) or self.kinds[type.ref].is_static:
            return obj
        draft = f"{self.names.ref(type.ref)}.Draft"
        return {Side.GET: draft, Side.OBJECT: obj, Side.SET: either(obj, draft)}[self.side]

    def _invariant(self, type: Type) -> str:
        # Read as arrays, or no list of arrays would fit.
        return self._argument(type) if self.side is Side.OBJECT else self.write(type)
