"""The parts of a class by their paths. A shared part has several paths.

share(a.table, b.table) in Model    ->    of a class that holds a model, `model.a.table` and
                                          `model.b.table` are one part, and so is what is below
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct, field

from codegen.program.graph import cycles, reachable
from codegen.program.nodes import Class, Program
from codegen.program.substitution import arguments_of, dims_of, substitute
from codegen.program.types import AnyDim, ClassType, Dim, Ref, Type


class SharedPart(Struct, eq=False):
    """The part at one path, or at several."""

    held: Class | None = None
    type: Type | None = None
    dims: dict[str, Dim] = field(default_factory=dict[str, Dim])
    arguments: dict[str, Type] = field(default_factory=dict[str, Type])
    parts: dict[str, SharedPart] = field(default_factory=dict[str, "SharedPart"])
    same: SharedPart | None = None  # the part that it was united with


class SharedParts:
    """The parts of a class on its shared paths, and on the shared paths of these parts."""

    def __init__(self, program: Program, node: Class) -> None:
        self.program = program
        self.root = SharedPart(node)
        self._seen: set[SharedPart] = set()
        self._look_into(self.root, set())

    def at(self, path: Sequence[str], start: SharedPart | None = None) -> SharedPart:
        """Return the part at a path."""
        part = _only(start or self.root)
        for name in path:
            if name not in part.parts:
                part.parts[name] = part_of(self.program, part, name)
            part = _only(part.parts[name])
        return part

    def unite(self, first: SharedPart, other: SharedPart) -> None:
        """Unite two parts, and those of their parts that have the same name."""
        first, other = _only(first), _only(other)
        if first is other:
            return
        other.same = first
        for name, part in other.parts.items():
            self.unite(_only(first).parts.setdefault(name, part), part)

    def is_endless(self) -> bool:
        """Return whether a part has become a part of itself."""
        return bool(cycles({part: _inside(part) for part in reachable([self.root], _inside)}))

    def _look_into(self, part: SharedPart, above: set[Ref]) -> None:
        """Unite the shared parts of the classes that lie on this one's shared paths.

        The outer class comes first, so the united parts are visited once. Otherwise a chain of
        classes in which each shares parts of its parts would be visited along every path.
        """
        held = part.held
        if held is None or held.ref in above or part in self._seen:
            return
        self._seen.add(part)
        for share in held.shares if above else ():
            owner, *borrowers = (self.at(member.parts, part) for member in share.paths)
            for borrower in borrowers:
                # If one lies within the other, that class already has a report.
                if not is_within(owner, borrower) and not is_within(borrower, owner):
                    self.unite(owner, borrower)
        above.add(held.ref)
        for share in held.shares:
            for member in share.paths:
                for end in range(1, len(member.parts)):
                    self._look_into(self.at(member.parts[:end], part), above)
        above.discard(held.ref)


def part_of(program: Program, holder: SharedPart, name: str) -> SharedPart:
    """Return the content of a field of a part. For a field that does not exist, nothing
    is known.
    """
    fields = program.fields[holder.held.ref] if holder.held else {}
    if name not in fields:
        return SharedPart()
    type = substitute(fields[name].type, holder.dims, holder.arguments)
    if not isinstance(type, ClassType):
        return SharedPart(type=type)
    held = program.classes[type.ref]
    dims: dict[str, Dim] = dict.fromkeys(held.dims, AnyDim())
    return SharedPart(held, type, dims | dims_of(type, held), arguments_of(type, held))


def is_within(part: SharedPart, holder: SharedPart) -> bool:
    """Return whether something is a part of something, at any depth."""
    return _only(part) in below(holder)


def below(holder: SharedPart) -> dict[SharedPart, None]:
    """Return the parts of something, at any depth."""
    return reachable(_inside(_only(holder)), _inside)


def _inside(part: SharedPart) -> list[SharedPart]:
    return [_only(one) for one in part.parts.values()]


def _only(part: SharedPart) -> SharedPart:
    while part.same is not None:
        if part.same.same is not None:
            part.same = part.same.same  # so that a long chain is followed once
        part = part.same
    return part
