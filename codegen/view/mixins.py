"""The Python classes that bring methods to a class, and what is asked of them.

class Wave(Doubling): ...    ->    check_mixins("Wave", Doubling)
                                   class Wave(Doubling, Pytree): ...
                                   check_members(Wave)
"""

from __future__ import annotations

from codegen.program.bind import bases_of
from codegen.program.nodes import Class
from codegen.program.types import External, Ref
from codegen.view.kinds import Kind
from codegen.view.layout import call, statement
from codegen.view.literals import py_str
from codegen.view.names import Names
from codegen.view.nodes import LinesView


def added(node: Class, classes: dict[Ref, Class]) -> tuple[External, ...]:
    """Return the mixins of a class that none of its bases has: Python takes each once, before its bases."""
    inherited = [mixin for base, _ in bases_of(node, classes) for mixin in base.mixins]
    return tuple(mixin for mixin in node.mixins if mixin not in inherited)


def required(node: Class, names: Names, classes: dict[Ref, Class]) -> tuple[LinesView, ...]:
    """Write the call that stands before a class: it refuses what is no mixin."""
    own = [names.external(mixin) for mixin in added(node, classes)]
    if not own:
        return ()
    made = call(names.runtime("mixins", "check_mixins"), py_str(node.ref.name), *own)
    return (LinesView((statement("", made, 0),)),)


def checked(kind: Kind, names: Names) -> tuple[LinesView, ...]:
    """Write the call that stands behind a class: it refuses what its mixins define too."""
    if not kind.checks_init:
        return ()
    made = call(names.runtime("mixins", "check_members"), kind.node.ref.name)
    return (LinesView((statement("", made, 0),)),)
