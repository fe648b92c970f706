"""On which other modules the output of a module depends.

    from .steel import Steel      heat needs steel
    class Shape(abstract=True)    whoever needs shape needs the modules below it too

    found = Outlines({"heat": outline(heat), "steel": outline(steel)})
    found.reach(["heat"])                                          # {"heat", "steel"}
    found.fingerprints({"heat": "1de70b...", "steel": "cae669..."})    # {"heat": "30c6a5...", ...}

A module's text says which modules it may need before any name is resolved. It needs these of them that
there are, so that one that comes or goes is noticed. A class that is abstract stands for its subclasses,
wherever they are declared, so whoever depends on its module depends on all that may have one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from msgspec import Struct

from codegen.checksum import checksum
from codegen.program.graph import components
from codegen.program.names import absolute_module
from codegen.schema.nodes import Import, ModuleDecl


class Outline(Struct, frozen=True):
    """What can be told of a module by itself."""

    needs: tuple[str, ...]
    """The modules that its imports may mean, sorted, whether there are such modules or not."""
    is_open: bool
    """Whether one of its classes stands for subclasses in other modules."""


def outline(module: ModuleDecl) -> Outline:
    """Return the outline of a module."""
    needs = {name for decl in module.imports for name in _meant(module.name, decl)}
    return Outline(tuple(sorted(needs)), any(node.abstract for node in module.classes))


def _meant(importer: str, decl: Import) -> Iterator[str]:
    """The modules that one import may mean."""
    if decl.level:
        target = absolute_module(importer, decl.level, decl.module)
        if target is not None:
            yield target
        return
    # From outside; or, which is an error, a schema by the name of a folder that holds it.
    parts = [*decl.module.split("."), *([decl.attribute] if decl.attribute else [])]
    for start in range(len(parts)):
        for end in range(start + 1, len(parts) + 1):
            yield ".".join(parts[start:end])


class Outlines:
    """The modules of a schema root, and which of them depends on which."""

    def __init__(self, outlines: Mapping[str, Outline]) -> None:
        self._edges = {
            name: [need for need in one.needs if need in outlines and need != name]
            for name, one in sorted(outlines.items())
        }
        importers: dict[str, list[str]] = {name: [] for name in self._edges}
        for name, needs in self._edges.items():
            for need in needs:
                importers[need].append(name)
        for name, one in outlines.items():
            if one.is_open:
                self._edges[name] = sorted(_reach(importers, [name]) | {*self._edges[name]})

    def reach(self, names: Iterable[str]) -> set[str]:
        """Return the modules on whose text the output of some depends, themselves among them."""
        return _reach(self._edges, names)

    def fingerprints(self, sums: Mapping[str, str]) -> dict[str, str]:
        """Return a digest for each module of all on which its output depends.

        Args:
            sums: for each module a digest of its own text, and of what it depends on besides
        """
        found: dict[str, str] = {}
        for members in components(self._edges):
            own = [f"{name} {sums[name]}" for name in members]
            others = {t for name in members for t in self._edges[name] if t not in members}
            below = [f"{name} {found[name]}" for name in sorted(others)]
            whole = "\n".join([*own, "", *below]).encode()
            found |= {name: checksum(f"{name}\n".encode() + whole) for name in members}
        return found


def _reach(edges: Mapping[str, Iterable[str]], names: Iterable[str]) -> set[str]:
    found = set(names)
    waiting = list(found)
    while waiting:
        fresh = set(edges[waiting.pop()]) - found
        found |= fresh
        waiting += fresh
    return found
