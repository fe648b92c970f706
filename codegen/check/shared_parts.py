"""The parts of a class by their paths. A shared part has several paths.

share(a.table, b.table) in Model    ->    of a class that holds a model, `model.a.table` and
                                          `model.b.table` are one part, and so is what is below
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct, field

from codegen.program.graph import cycles, reachable
from codegen.program.nodes import Class, Program
from codegen.program.substitution import arguments_of, dims_of
from codegen.program.types import AnyDim, ClassType, Dim, Ref, Type


class SharedPart(Struct, eq=False):
    """The part at one path, or at several."""

    node: Class | None = None
    type: Type | None = None
    dims: dict[str, Dim] = field(default_factory=dict[str, Dim])
    arguments: dict[str, Type] = field(default_factory=dict[str, Type])
    children: dict[str, SharedPart] = field(default_factory=dict[str, "SharedPart"])
    merged_into: SharedPart | None = None  # the part that it was united with


class SharedParts:
    """The parts of a class on its shared paths, and on the shared paths of these parts."""

    def __init__(self, program: Program, node: Class) -> None:
        self.program = program
        self.root = SharedPart(node)
        self._seen: set[SharedPart] = set()
        self._merge_shared_paths(self.root, set())

    def find(self, path: Sequence[str], start: SharedPart | None = None) -> SharedPart:
        """Return the part at a path."""
        part = _representative(start or self.root)
        for name in path:
            if name not in part.children:
                part.children[name] = field_part(self.program, part, name)
            part = _representative(part.children[name])
        return part

    def merge(self, first: SharedPart, other: SharedPart) -> None:
        """Unite two parts, and those of their parts that have the same name."""
        first, other = _representative(first), _representative(other)
        if first is other:
            return
        other.merged_into = first
        for name, part in other.children.items():
            self.merge(_representative(first).children.setdefault(name, part), part)

    def has_cycle(self) -> bool:
        """Return whether a part has become a part of itself."""
        return bool(cycles({part: _children(part) for part in reachable([self.root], _children)}))

    def _merge_shared_paths(self, part: SharedPart, above: set[Ref]) -> None:
        """Unite the shared parts of the classes that lie on this one's shared paths.

        The outer class comes first, so the united parts are visited once. Otherwise a chain of
        classes in which each shares parts of its parts would be visited along every path.
        """
        held = part.node
        if held is None or held.ref in above or part in self._seen:
            return
        self._seen.add(part)
        for share in held.shares if above else ():
            owner, *borrowers = (self.find(member.parts, part) for member in share.paths)
            for borrower in borrowers:
                # If one lies within the other, that class already has a report.
                if not is_within(owner, borrower) and not is_within(borrower, owner):
                    self.merge(owner, borrower)
        above.add(held.ref)
        for share in held.shares:
            for member in share.paths:
                for end in range(1, len(member.parts)):
                    self._merge_shared_paths(self.find(member.parts[:end], part), above)
        above.discard(held.ref)


def field_part(program: Program, holder: SharedPart, name: str) -> SharedPart:
    """Return the content of a field of a part. For a field that does not exist, nothing
    is known.
    """
    fields = program.fields[holder.node.ref] if holder.node else {}
    if name not in fields:
        return SharedPart()
    type = fields[name].type.substitute(holder.dims, holder.arguments)
    if not isinstance(type, ClassType):
        return SharedPart(type=type)
    held = program.classes[type.ref]
    dims: dict[str, Dim] = dict.fromkeys(held.dims, AnyDim())
    return SharedPart(held, type, dims | dims_of(type, held), arguments_of(type, held))


def is_within(part: SharedPart, holder: SharedPart) -> bool:
    """Return whether something is a part of something, at any depth."""
    return _representative(part) in descendants(holder)


def descendants(holder: SharedPart) -> dict[SharedPart, None]:
    """Return the parts of something, at any depth."""
    return reachable(_children(_representative(holder)), _children)


def _children(part: SharedPart) -> list[SharedPart]:
    return [_representative(one) for one in part.children.values()]


def _representative(part: SharedPart) -> SharedPart:
    while part.merged_into is not None:
        if part.merged_into.merged_into is not None:
            part.merged_into = part.merged_into.merged_into  # so that a long chain is followed once
        part = part.merged_into
    return part
