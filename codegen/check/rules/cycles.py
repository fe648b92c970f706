"""What must exist before itself cannot exist.

class Node: next: dynamic[Node]    ->    REQUIRED_CYCLE
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

from codegen.check.imports import needed_modules, needs
from codegen.check.inhabitants import Inhabitants
from codegen.check.rule import Inspection
from codegen.diagnostics import Code, Related
from codegen.options import naming_schema
from codegen.program import types
from codegen.program.graph import Node, cycles, shortest_cycle
from codegen.program.nodes import Module
from codegen.program.references import constructed, declared_values, required
from codegen.program.types import ClassType, Ref, Type, display_names
from codegen.source import Span


def check_cycles(inspection: Inspection) -> None:
    """Report classes that no finite object can be of, and what must be defined before itself."""
    classes = inspection.program.classes
    needed = {ref: [r for r in required(node) if r in classes] for ref, node in classes.items()}
    circles = _circles(needed)
    _check_fields(inspection)
    _check_definitions(inspection, circles)
    _check_imports(inspection, {ref.module for path in circles for ref in path})


# --- every object holds another


def _missing(objects: Inhabitants, type: Type) -> list[Ref]:
    """The classes without objects for which a type has no values."""
    if objects.depth(type) is not None:
        return []
    if isinstance(type, ClassType) and not objects.has_object(type.ref):
        return [type.ref]
    return [ref for part in types.held_children(type) for ref in _missing(objects, part)]


def _check_fields(inspection: Inspection) -> None:
    # A Python class below an abstract one has its fields, and may end the circle.
    objects = Inhabitants(inspection.program, is_open=True)
    edges: dict[Ref, list[Ref]] = {}
    places: dict[tuple[Ref, Ref], Span] = {}
    for module in inspection.program.modules:
        with naming_schema(module.source.path):
            found = [node for node in module.classes if not objects.has_object(node.ref)]
        for node in found:
            edges[node.ref] = []
            for field in node.fields:
                for target in _missing(objects, field.type):
                    edges[node.ref].append(target)
                    places.setdefault((node.ref, target), field.type.span)
    for path in _circles(edges):
        first = path[0]
        inspection.add(
            Code.REQUIRED_CYCLE,
            places[first, path[1]],
            f"every `{first.name}` would need another one inside it: {_shown(path)}",
            label="no object could ever be complete",
            advice="make one of these fields optional, `T | None`, or a `tuple[T, ...]`",
        )


# --- a class is defined after those it needs


def _check_definitions(inspection: Inspection, circles: list[list[Ref]]) -> None:
    """Bases and defaults that call classes; rounds of bases alone were reported before."""
    classes = inspection.program.classes
    for path in circles:
        # Of a round through a base and a default, the default is the one to mend.
        for here, needed in pairwise(path):
            made = declared_values(classes[here])
            value = next((one for one in made if needed in constructed(one)), None)
            if value is not None:
                inspection.add(
                    Code.REQUIRED_CYCLE,
                    value.span,
                    f"a default of `{here.name}` needs `{here.name}` itself: {_shown(path)}",
                    label="made before the class is complete",
                    advice="leave this default out, or make the field optional: `T | None = None`",
                )
                break


# --- modules


def _check_imports(inspection: Inspection, told: set[str]) -> None:
    """Report modules that need each other; of those `told`, it was said of their classes."""
    modules = {m.name: m for m in inspection.program.modules}
    edges = {name: sorted(needed_modules(m) & modules.keys()) for name, m in modules.items()}
    for path in _circles(edges):
        if told.issuperset(path):
            continue
        others = [_needing(modules[a], b) for a, b in pairwise(path[1:])]
        inspection.add(
            Code.IMPORT_CYCLE,
            _needing(modules[path[0]], path[1]),
            f"these modules need each other before either is complete: {' -> '.join(path)}",
            label=f"needs `{path[1]}`",
            advice="move what both need into a module of its own",
            related=tuple(
                Related(place, f"needs `{needed}`")
                for place, needed in zip(others, path[2:], strict=False)
            ),
        )


def _needing(module: Module, needed: str) -> Span:
    """The base, default or type parameter for which a module needs another."""
    return next(span for name, span in needs(module) if name == needed)


def _circles(edges: Mapping[Node, Sequence[Node]]) -> list[list[Node]]:
    """The shortest way round each circle, from its first node back to it."""
    return [shortest_cycle(edges, group) for group in cycles(edges)]


def _shown(path: list[Ref]) -> str:
    return " -> ".join(display_names(*path))
