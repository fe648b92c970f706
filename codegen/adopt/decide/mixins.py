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

from codegen.adopt.decide.refusals import unsupported_features
from codegen.adopt.find.fields import all_fields
from codegen.adopt.find.names import PackageNames
from codegen.adopt.find.nodes import FoundClasses, SourceClass
from codegen.adopt.libraries import LIBRARIES


def find_mixins(
    found: FoundClasses, names: PackageNames, constructed: Collection[str] = ()
) -> dict[str, SourceClass]:
    """Return these classes, by name. Classes in `constructed`, whose objects were observed, are excluded.

    A decorator made each of them a pytree. A subclass has its own decorator, so it loses nothing.
    """
    bases = {base for one in found.classes.values() for base in one.bases}
    chosen = {
        name: one
        for name, one in found.classes.items()
        if name in bases and name not in constructed and _is_mixin(one, found, names)
    }
    called = {
        names.resolve(module.name, node.func)
        for module in (found.modules.values() if chosen else ())
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Call)
    }
    return {name: one for name, one in chosen.items() if name not in called}


def _is_mixin(cls: SourceClass, found: FoundClasses, names: PackageNames) -> bool:
    decorators = {names.decorator(cls.module, each).name for each in cls.node.decorator_list}
    return (
        not all_fields(cls, found.classes)
        and not decorators.isdisjoint(LIBRARIES[cls.library].decorators)
        and not any(unsupported_features(cls, found, names))
    )


def exclude_mixins(found: FoundClasses, mixins: Mapping[str, SourceClass]) -> FoundClasses:
    """Return the same package with these classes as plain bases."""
    rest = {name: one for name, one in found.classes.items() if name not in mixins}
    return structs.replace(found, classes=rest, mixins=frozenset(mixins))
