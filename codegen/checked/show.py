"""What was found out about a program, as text, for `codegen show --stage checked`.

module heat
  class Grid: static
  class Plate: dynamic, donates
"""

from __future__ import annotations

from collections.abc import Iterator

from codegen.checked.nodes import Checked
from codegen.dump import Wanted
from codegen.program.nodes import Class, Module
from codegen.program.show import show as show_program


def show(checked: Checked, wanted: Wanted) -> str:
    """The program, and below it the facts about what is wanted of it."""
    facts = [
        line
        for module in checked.program.modules
        if wanted.module(module.name)
        for line in _module(checked, module, wanted)
    ]
    return show_program(checked.program, wanted) + "".join(f"{line}\n" for line in facts)


def _module(checked: Checked, module: Module, wanted: Wanted) -> Iterator[str]:
    yield f"facts about {module.name}"
    for node in module.classes:
        if wanted.one(module.name, node.ref.name):
            yield f"  class {node.ref.name}: {', '.join(_class(checked, node))}"
    if wanted.whole(module.name):
        for importer, imported in sorted(checked.facts.late):
            if importer == module.name:
                yield f"  {imported} is imported late"


def _class(checked: Checked, node: Class) -> Iterator[str]:
    yield "static" if checked.facts.is_static(node.ref) else "dynamic"
    if node.ref in checked.facts.donating:
        yield "donates"
    for name in node.type_parameters:
        roles = sorted(checked.facts.parameter_roles[node.ref, name])
        yield f"{name} is {' and '.join(roles) or 'not used'}"
