"""What the objects of a program's classes are made of: sizes, constants, and other objects.

drawing = Drawing(program)
drawing.dims(Ref("heat", "Plate"))          # {"nx", "ny"}: what sizes its arrays have
drawing.concrete(Ref("shapes", "Shape"))    # [Ref("shapes", "Disc"), ...], simplest first
"""

from __future__ import annotations

from functools import cached_property

from codegen.check.facts import descendants
from codegen.check.inhabitants import Inhabitants
from codegen.program import types
from codegen.program.nodes import Class, Program
from codegen.program.types import Ref, Type

# The least size that is tried for all dimensions alike, so that no arithmetic gets negative.
_LEAST_MAX = 64


class Drawing:
    """Facts about the classes of one program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._classes = program.classes
        self._objects = Inhabitants(program, is_open=False)
        # Classes whose static values are known to have no shapes, at any depth.
        self._plain: set[Ref] = set()

    def has_shapes(self, type: Type) -> bool:
        """Say whether a static value may hold constant arrays, or objects of classes with parameters."""
        seen: set[Ref] = set()
        waiting = [type]
        while waiting:
            for part in types.walk(waiting.pop()):
                if types.dims_in(part) or isinstance(part, types.Array):
                    return True
                if not isinstance(part, types.ClassType) or part.ref in self._plain:
                    continue
                if part.ref not in seen:
                    seen.add(part.ref)
                    concrete = self.concrete(part.ref)
                    waiting += [f.type for ref in concrete for f in self._classes[ref].fields]
        self._plain |= seen
        return False

    def concrete(self, ref: Ref) -> list[Ref]:
        """Return the classes whose objects a field of this type may hold, simplest first."""
        below = descendants(self.program, ref) if self._classes[ref].abstract else []
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
        return frozenset[str]().union(*map(names_of_dim, self._dims[ref]))

    def least(self, ref: Ref) -> int:
        """Return the least size of all dimensions alike that leaves no axis with a negative one."""
        sums = [dim for dim in self._dims[ref] if isinstance(dim, types.DimSum)]
        for size in range(1, _LEAST_MAX + 1):
            if all(_value(dim, size) >= 0 for dim in sums):
                return size
        return 1  # the law says then that no example is left

    @cached_property
    def _dims(self) -> dict[Ref, frozenset[types.Dim]]:
        """Every dimension in the arrays of each class, and in those of what it holds.

        What a class calls its own parameters is not what its holder calls them.
        """
        found: dict[Ref, frozenset[types.Dim]] = dict.fromkeys(self._classes, frozenset())
        held_by: dict[Ref, list[Ref]] = {}
        for ref, node in self._classes.items():
            for below in self._held(node):
                held_by.setdefault(below, []).append(ref)
        waiting = dict.fromkeys(self._classes)
        while waiting:
            ref = waiting.popitem()[0]
            dims = self._dims_of(self._classes[ref], found)
            if dims != found[ref]:
                found[ref] = dims
                waiting |= dict.fromkeys(held_by.get(ref, ()))
        return found

    def decides(self, type: Type) -> bool:
        """Say whether values of a type decide sizes: of which class an object is does."""
        parts = types.walk(type)
        return any(
            isinstance(part, types.ClassType) and part.ref in self._deciding for part in parts
        )

    @cached_property
    def _deciding(self) -> frozenset[Ref]:
        """The classes that are abstract and have dimensions, and those that hold such."""
        found = {ref for ref, node in self._classes.items() if node.abstract and node.dims}
        held = {ref: self._held(node) for ref, node in self._classes.items()}
        count = 0
        while count < len(found):
            count = len(found)
            found |= {ref for ref, below in held.items() if below & found}
        return frozenset(found)

    def _held(self, node: Class) -> set[Ref]:
        """The classes that objects of a class hold or, where it is abstract, are of."""
        types_held = [part for field in node.fields for part in types.walk(field.type)]
        held = {part.ref for part in types_held if isinstance(part, types.ClassType)}
        return held | {*(self.concrete(node.ref) if node.abstract else [])}

    def _dims_of(self, node: Class, known: dict[Ref, frozenset[types.Dim]]) -> frozenset[types.Dim]:
        # A parameter may be what a static integer alone says.
        found: set[types.Dim] = {types.DimName(name) for name in node.dims}
        for below in self.concrete(node.ref) if node.abstract else []:
            found |= known[below]
        for field in node.fields:
            for part in types.walk(field.type):
                found |= {*types.dims_in(part)}
                if isinstance(part, types.ClassType):
                    own = {*self._classes[part.ref].dims}
                    found |= {d for d in known[part.ref] if not names_of_dim(d) & own}
        return frozenset(found)


def names_of_dim(dim: types.Dim) -> frozenset[str]:
    """Return the names whose sizes a dimension has."""
    match dim:
        case types.DimName():
            return frozenset({dim.name})
        case types.DimSum():
            return names_of_dim(dim.left) | names_of_dim(dim.right)
        case _:
            return frozenset()


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
