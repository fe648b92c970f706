"""Types of a draft's fields: objects with arrays are read as drafts, and written as either.

tuple[Linear, ...]    ->    tuple[Linear.Draft, ...] to read
                            tuple[Linear | Linear.Draft, ...] to write
"""

from __future__ import annotations

from enum import Enum

from msgspec.structs import replace

from codegen.program import types
from codegen.program.types import ClassType, Ref, Type
from codegen.view.annotations import Reading, annotation
from codegen.view.expressions import either, subscript
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
    return _Writer(names, kinds).write(type, side)


class _Writer:
    def __init__(self, names: Names, kinds: dict[Ref, Kind]) -> None:
        self.names = names
        self.kinds = kinds

    def write(self, type: Type, side: Side) -> str:
        match type:
            case types.Array():
                writes = side is not Side.GET and type.dtype != "key"
                module, name = ("jax.typing", "ArrayLike") if writes else ("jax", "Array")
                return self.names.use(module, name)
            case types.ClassType() if not self.kinds[type.ref].is_static:
                return self._class(type, side)
            case types.Sequence() | types.Mapping() if type.is_any:
                return self._any(type, side)
            case types.Sequence() if type.container == "tuple":
                element = self.write(type.element, side)
                return subscript(self.names.builtin("tuple"), element, "...")
            case types.FixedTuple() if type.elements:
                elements = [self.write(e, side) for e in type.elements]
                return subscript(self.names.builtin("tuple"), *elements)
            case types.Sequence() | types.Mapping():
                return self._invariant(type, side)
            case types.Union():
                return either(*(self.write(member, side) for member in type.members))
            case _:
                return annotation(type, Reading.DYNAMIC, self.names)

    def _class(self, type: ClassType, side: Side) -> str:
        obj = annotation(type, Reading.DYNAMIC, self.names)
        draft = f"{self.names.ref(type.ref)}.Draft"
        return {Side.GET: draft, Side.OBJECT: obj, Side.SET: either(obj, draft)}[side]

    def _any(self, type: types.Sequence | types.Mapping, side: Side) -> str:
        """Write what is read as a tuple or a dict, and given as any sequence or mapping."""
        if side is Side.GET:
            return self.write(replace(type, is_any=False), side)
        if isinstance(type, types.Sequence):
            element = self.write(type.element, side)
            return subscript(self.names.use("collections.abc", "Sequence"), element)
        inner = annotation(type.key, Reading.PLAIN, self.names), self.write(type.value, side)
        return subscript(self.names.use("collections.abc", "Mapping"), *inner)

    def _invariant(self, type: types.Sequence | types.Mapping, side: Side) -> str:
        """A list of drafts is no list of drafts or objects: either is assigned, or the other."""
        if side is not Side.SET:
            element = type.element if isinstance(type, types.Sequence) else type.value
            # Read as arrays, or no list of arrays would fit.
            held = self.write(element, Side.GET) if not is_part(element, self.kinds) else None
            if side is Side.OBJECT:
                held = annotation(element, Reading.DYNAMIC, self.names)
            inner = held or self.write(element, side)
            if isinstance(type, types.Sequence):
                return subscript(self.names.builtin("list"), inner)
            key = annotation(type.key, Reading.PLAIN, self.names)
            return subscript(self.names.builtin("dict"), key, inner)
        return either(self._invariant(type, Side.OBJECT), self._invariant(type, Side.GET))
