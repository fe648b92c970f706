"""Find base classes without fields. They stay where they are, as plain Python bases.

    @struct.dataclass                  class Base:
    class Base:                   ->       def __add__(self, other): ...
        def __add__(self, other): ...

mixins(found, names)    ->    {"heat.Base": <Class Base>}

So such a base does not force its whole family to be adopted or left together.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Mapping

from msgspec import structs

from codegen.adopted.decided.refusals import own
from codegen.adopted.finding.fields import all_fields
from codegen.adopted.finding.names import PackageNames
from codegen.adopted.finding.nodes import Found, SourceClass
from codegen.adopted.mechanisms import MECHANISMS


def mixins(found: Found, names: PackageNames, made: Collection[str] = ()) -> dict[str, SourceClass]:
    """Return these classes, by name. Classes in `made`, whose objects were observed, are excluded.

    A decorator made each of them a pytree. A subclass has its own decorator, so it loses nothing.
    """
    bases = {base for one in found.classes.values() for base in one.bases}
    chosen = {
        name: one
        for name, one in found.classes.items()
        if name in bases and name not in made and _is_bare(one, found, names)
    }
    called = {
        names.resolve(module.name, node.func)
        for module in (found.modules.values() if chosen else ())
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Call)
    }
    return {name: one for name, one in chosen.items() if name not in called}


def _is_bare(one: SourceClass, found: Found, names: PackageNames) -> bool:
    said = {names.decorator(one.module, each).name for each in one.node.decorator_list}
    return (
        not all_fields(one, found.classes)
        and not said.isdisjoint(MECHANISMS[one.mechanism].decorators)
        and not any(own(one, found, names))
    )


def without(found: Found, mixins: Mapping[str, SourceClass]) -> Found:
    """Return the same package with these classes as plain bases."""
    rest = {name: one for name, one in found.classes.items() if name not in mixins}
    return structs.replace(found, classes=rest, mixins=frozenset(mixins))
