"""Who holds a class, who derives from it, and which functions take it.

relations.holders[Ref("heat", "Grid")]    ->    [(Ref("heat", "Plate"), "grid")]
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

from msgspec import Struct

from codegen.program.nodes import Function, Program
from codegen.program.types import Ref, Type, class_refs


class Relations(Struct, frozen=True):
    """The other ends of what a class's own declaration says."""

    holders: Mapping[Ref, list[tuple[Ref, str]]]  # the class and its field
    takers: Mapping[Ref, list[tuple[Ref, Function, str]]]  # the function and its parameter
    makers: Mapping[Ref, list[Ref]]  # functions that return it


def find_relations(program: Program) -> Relations:
    """Look at every field, parameter and result once."""
    holders: defaultdict[Ref, list[tuple[Ref, str]]] = defaultdict(list)
    takers: defaultdict[Ref, list[tuple[Ref, Function, str]]] = defaultdict(list)
    makers: defaultdict[Ref, list[Ref]] = defaultdict(list)
    for module in program.modules:
        for node in module.classes:
            for field in node.own_fields:
                for ref in _classes(field.type):
                    holders[ref].append((node.ref, field.name))
        for function in module.functions:
            own = Ref(module.name, function.name)
            for parameter in function.parameters:
                for ref in _classes(parameter.type):
                    takers[ref].append((own, function, parameter.name))
            for ref in _classes(function.returns):
                makers[ref].append(own)
    return Relations(holders, takers, makers)


def _classes(type: Type) -> list[Ref]:
    return list(dict.fromkeys(class_refs(type)))
