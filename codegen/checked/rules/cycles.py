"""What must exist before itself cannot exist.

    class Node: next: dynamic[Node]    ->    REQUIRED_CYCLE
"""

from __future__ import annotations

from codegen.checked.facts import needed_modules
from codegen.checked.rule import Inspection
from codegen.diagnostics.codes import Code
from codegen.diagnostics.model import Related
from codegen.program.graph import components
from codegen.program.nodes import Field
from codegen.program.types import ClassType, FixedTuple, Ref, Type
from codegen.source import Span


def check_cycles(inspection: Inspection) -> None:
    """Report classes that no finite object can be of, and modules that must import each other."""
    _check_required(inspection)
    _check_imports(inspection)


def _needed(inspection: Inspection, type: Type) -> list[Ref]:
    """Return the classes of which every value of a type holds an instance."""
    match type:
        case ClassType():
            # A subclass of an abstract class may end the circle.
            return [] if inspection.program.classes[type.ref].abstract else [type.ref]
        case FixedTuple():
            return [ref for element in type.elements for ref in _needed(inspection, element)]
        case _:
            return []


def _check_required(inspection: Inspection) -> None:
    classes = inspection.program.classes
    fields: dict[tuple[Ref, Ref], Field] = {}
    edges: dict[Ref, list[Ref]] = {}
    for ref, node in classes.items():
        edges[ref] = []
        for field in node.fields:
            for target in _needed(inspection, field.type):
                edges[ref].append(target)
                fields.setdefault((ref, target), field)
    for group in components(edges):
        first = group[0]
        inner = [t for t in edges[first] if t in group]
        if not inner:
            continue
        field = fields[first, inner[0]]
        names = " -> ".join(r.name for r in [*_round(edges, first, group), first])
        inspection.add(
            Code.REQUIRED_CYCLE,
            classes[field.owner].source,
            field.type.span,
            f"every `{first.name}` would need another one inside it: {names}",
            "no object could ever be complete",
            "make one of these fields optional: `T | None`, or a `tuple[T, ...]`",
        )


def _round(edges: dict[Ref, list[Ref]], start: Ref, group: list[Ref]) -> list[Ref]:
    """Walk within a component until the start is reached again, by the shortest way."""
    paths: list[list[Ref]] = [[start]]
    seen = {start}
    for path in paths:
        for target in edges[path[-1]]:
            if target == start:
                return path
            if target in group and target not in seen:
                seen.add(target)
                paths.append([*path, target])
    return [start]


def _check_imports(inspection: Inspection) -> None:
    program = inspection.program
    modules = {m.name: m for m in program.modules}
    edges = {name: sorted(needed_modules(m) & modules.keys()) for name, m in modules.items()}
    for group in components(edges):
        if len(group) < 2:
            continue
        first = modules[group[0]]
        place = next((c.span for c in first.classes if c.base or c.fields), Span(0, 0))
        others = tuple(
            Related(modules[n].source, Span(0, 0), "imports it in turn") for n in group[1:]
        )
        inspection.add(
            Code.IMPORT_CYCLE,
            first.source,
            place,
            "these modules need each other before either is complete: " + ", ".join(group),
            "a base or a default of one stands in the other",
            "move the class that both need into a module of its own",
            others,
        )
