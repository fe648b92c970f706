"""Report cycles in which something must exist before itself.

class Node: next: dynamic[Node]    ->    REQUIRED_CYCLE
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

from codegen.check.imports import iter_needed_modules, needed_modules
from codegen.check.inhabitants import Inhabitants
from codegen.check.rule import Inspection
from codegen.diagnostics import Code, Related
from codegen.options import naming_schema
from codegen.program.graph import Node, cycles, shortest_cycle
from codegen.program.nodes import Module
from codegen.program.references import constructed_classes, declared_values, required_classes
from codegen.program.types import ClassType, Ref, Type, display_names
from codegen.schema.scope import listed
from codegen.source import Span


def check_cycles(inspection: Inspection) -> None:
    """Report classes that cannot have a finite object, and definitions that need
    themselves first.
    """
    classes = inspection.program.classes
    needed = {
        ref: [r for r in required_classes(node) if r in classes] for ref, node in classes.items()
    }
    circles = _shortest_cycles(needed)
    _check_fields(inspection)
    _check_definitions(inspection, circles)
    _check_imports(inspection, {ref.module for path in circles for ref in path})


# --- objects that need an endless chain of objects


def _uninhabited_classes(objects: Inhabitants, type: Type) -> list[Ref]:
    """Return the classes without objects that leave a type without values."""
    if objects.has_value(type):
        return []
    if isinstance(type, ClassType) and not objects.has_object(type.ref):
        return [type.ref]
    return [ref for part in type.held for ref in _uninhabited_classes(objects, part)]


def _check_fields(inspection: Inspection) -> None:
    objects = Inhabitants(inspection.program)
    edges: dict[Ref, list[Ref]] = {}
    places: dict[tuple[Ref, Ref], Span] = {}
    for module in inspection.program.modules:
        with naming_schema(module.source.path):
            empty = [node for node in module.classes if not objects.has_object(node.ref)]
        for node in empty:
            edges[node.ref] = []
            for field in node.fields:
                for target in _uninhabited_classes(objects, field.type):
                    edges[node.ref].append(target)
                    places.setdefault((node.ref, target), field.type.span)
    for path in _shortest_cycles(edges):
        first = path[0]
        inspection.add(
            Code.REQUIRED_CYCLE,
            places[first, path[1]],
            f"every `{first.name}` would have to contain another `{first.name}`: {_format_cycle(path)}",
            label="such an object cannot be created",
            advice=f"make one of these fields optional, as in `{path[1].name} | None`, or a tuple, "
            f"`tuple[{path[1].name}, ...]`",
        )


# --- definitions of classes that need each other


def _check_definitions(inspection: Inspection, circles: list[list[Ref]]) -> None:
    """Report cycles of bases and of defaults that call classes. Cycles of only bases were reported
    before.
    """
    classes = inspection.program.classes
    for path in circles:
        # In a cycle of a base and a default, report the default: it is the one to fix.
        for here, needed in pairwise(path):
            values = declared_values(classes[here])
            value = next((one for one in values if needed in constructed_classes(one)), None)
            if value is not None:
                inspection.add(
                    Code.REQUIRED_CYCLE,
                    value.span,
                    f"a default of `{here.name}` needs `{here.name}` itself: {_format_cycle(path)}",
                    label="created before the class is complete",
                    advice="remove this default, or make the field optional: "
                    f"`{needed.name} | None = None`",
                )
                break


# --- modules


def _check_imports(inspection: Inspection, reported: set[str]) -> None:
    """Report modules that need each other. A cycle within `reported` was already reported for its
    classes.
    """
    modules = {m.name: m for m in inspection.program.modules}
    edges = {name: sorted(needed_modules(m) & modules.keys()) for name, m in modules.items()}
    for path in _shortest_cycles(edges):
        if reported.issuperset(path):
            continue
        first = _span_of_need(modules[path[0]], path[1])
        others = [_span_of_need(modules[a], b) for a, b in pairwise(path[1:])]
        needed_names = dict.fromkeys(place.name for place in (first, *others) if place.name)
        inspection.add(
            Code.IMPORT_CYCLE,
            first,
            f"these modules import each other: {' -> '.join(path)}",
            label=f"needs `{path[1]}`",
            advice=f"move {listed(needed_names, 'or')} into another module, which imports none of "
            "these",
            related=tuple(
                Related(place, f"needs `{needed}`")
                for place, needed in zip(others, path[2:], strict=False)
            ),
        )


def _span_of_need(module: Module, needed: str) -> Span:
    """Return the base, default or type parameter for which a module needs another."""
    return next(span for name, span in iter_needed_modules(module) if name == needed)


def _shortest_cycles(edges: Mapping[Node, Sequence[Node]]) -> list[list[Node]]:
    """Return the shortest path around each cycle, from its first node back to it."""
    return [shortest_cycle(edges, group) for group in cycles(edges)]


def _format_cycle(path: list[Ref]) -> str:
    return " -> ".join(display_names(*path))
