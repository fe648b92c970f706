"""What the objects of a program's classes are made of: sizes, constants, and other objects.

drawing = Drawing(program)
drawing.dims(Ref("heat", "Plate"))          # {"nx", "ny"}: what sizes its arrays have
drawing.concrete(Ref("shapes", "Shape"))    # [Ref("shapes", "Disc"), ...], simplest first
"""

from __future__ import annotations

from functools import cached_property

from codegen.check.inhabitants import Inhabitants
from codegen.program import types
from codegen.program.graph import Ask, FixedPoint, reachable
from codegen.program.nodes import Program
from codegen.program.types import Ref, Type

# The least size that is tried for all dimensions alike, so that no arithmetic gets negative.
_LEAST_MAX = 64


class Drawing:
    """Facts about the classes of one program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._classes = program.classes
        self._objects = Inhabitants(program, is_open=False)

    def has_shapes(self, type: Type) -> bool:
        """Say whether a static value may hold constant arrays, or objects of classes with parameters."""
        refs = (ref for one in types.class_refs(type) for ref in self.concrete(one))
        return _names_shapes(type) or any(ref in self._shaped for ref in refs)

    @cached_property
    def _shaped(self) -> dict[Ref, None]:
        """The classes that are not abstract whose objects hold something with a shape."""
        concrete = {ref: node for ref, node in self._classes.items() if not node.abstract}
        holders: dict[Ref, list[Ref]] = {ref: [] for ref in concrete}
        for ref, node in concrete.items():
            held = {inner for field in node.fields for inner in types.class_refs(field.type)}
            for inner in (one for above in held for one in self.concrete(above)):
                holders[inner].append(ref)
        shaped = (r for r, n in concrete.items() if any(_names_shapes(f.type) for f in n.fields))
        return reachable(shaped, holders.__getitem__)

    def concrete(self, ref: Ref) -> list[Ref]:
        """Return the classes whose objects a field of this type may hold, simplest first."""
        below = self.program.graph.subclasses(ref) if self._classes[ref].abstract else []
        found = [r for r in (ref, *below) if not self._classes[r].abstract]
        return sorted(found, key=lambda r: (self._objects.depth(types.ClassType(r)) or 0, r))

    def can_be_drawn(self, ref: Ref) -> bool:
        """Say whether there is an object of a class that ends somewhere."""
        return self._objects.has_object(ref)

    def simplest(self, members: tuple[Type, ...]) -> list[Type]:
        """Sort the alternatives of a union: what ends soonest first."""
        depths = [(self._objects.depth(member), i) for i, member in enumerate(members)]
        known = [(depth, i) for depth, i in depths if depth is not None]
        return [members[i] for _, i in sorted(known)]

    def dims(self, ref: Ref) -> frozenset[str]:
        """Return the dimensions of a class: its parameters, and those of the arrays in its objects."""
        return frozenset[str]().union(*map(_names_of, self._dims.of(ref)))

    def least(self, ref: Ref) -> int:
        """Return the least size of all dimensions alike that leaves no axis with a negative one."""
        sums = [dim for dim in self._dims.of(ref) if isinstance(dim, types.DimSum)]
        for size in range(1, _LEAST_MAX + 1):
            if all(_value(dim, size) >= 0 for dim in sums):
                return size
        return 1  # the law says then that no example is left

    @cached_property
    def _dims(self) -> FixedPoint[Ref, frozenset[types.Dim]]:
        """Every dimension in the arrays of each class, and in those of what it holds."""
        return FixedPoint(frozenset[types.Dim](), self._dims_of)

    def decides(self, type: Type) -> bool:
        """Say whether values of a type decide sizes: of which class an object is does."""
        parts = types.iter_held(type)
        return any(
            isinstance(part, types.ClassType) and part.ref in self._deciding for part in parts
        )

    @cached_property
    def _deciding(self) -> dict[Ref, None]:
        """The classes that are abstract and have dimensions, and those that hold such."""
        first = [ref for ref, node in self._classes.items() if node.abstract and node.dims]
        return self.program.graph.propagate(first, "static", "dynamic", "donated")

    def _dims_of(self, ref: Ref, known: Ask[Ref, frozenset[types.Dim]]) -> frozenset[types.Dim]:
        node = self._classes[ref]
        # A parameter may be what a static integer alone says.
        found: set[types.Dim] = {types.DimName(name) for name in node.dims}
        for below in self.concrete(ref) if node.abstract else []:
            found |= known(below)
        for field in node.fields:
            for part in types.iter_held(field.type):
                found |= {*types.dims_in(part)}
                if isinstance(part, types.ClassType):
                    # The names of a class's own parameters mean nothing to its holder.
                    own = {*self._classes[part.ref].dims}
                    found |= {d for d in known(part.ref) if not _names_of(d) & own}
        return frozenset(found)


def _names_shapes(type: Type) -> bool:
    return any(
        types.dims_in(part) or isinstance(part, types.Array) for part in types.iter_held(type)
    )


def _names_of(dim: types.Dim) -> set[str]:
    """Return the names whose sizes a dimension has."""
    return {name for name in types.names_in(dim) if not name.startswith("*")}


def _value(dim: types.Dim, size: int) -> int:
    """Work a dimension out where every name has the same size."""
    match dim:
        case types.Size():
            return dim.value
        case types.DimSum():
            left, right = _value(dim.left, size), _value(dim.right, size)
            match dim.operator:
                case "+":
                    return left + right
                case "-":
                    return left - right
                case "*":
                    return left * right
                case "//":
                    return left // right if right else -1
        case _:
            return size
