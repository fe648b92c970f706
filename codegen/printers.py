r"""The text of a stage, for `codegen show`: each has a printer of its own.

text(run(files, options, "program"), "program", "heat.Plate")
# "module heat\n  class Plate\n ..."
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from codegen.checked.show import show as show_checked
from codegen.diagnostics.suggest import did_you_mean
from codegen.program.show import show as show_program
from codegen.rendered.show import show as show_rendered
from codegen.schema.show import show as show_schema
from codegen.schema.stub import Assignment, Stub, target
from codegen.stages import Stages
from codegen.view.show import show as show_view
from codegen.wanted import Wanted, find


def text(stages: Stages, stage: str, name: str | None) -> str:
    """What a stage made of all schemas, or of what is called `name`.

    Raises:
        LookupError: where nothing is called so; its text says what was probably meant.
    """
    declared = {
        stub.source.module: [_bound(one) for one in stub.tree.body if _bound(one)]
        for stub in stages.syntax
    }
    wanted = find(declared, name)
    if wanted is None:
        known = {*declared, *(one for names in declared.values() for one in names)}
        if name and "." in name:
            known |= {f"{module}.{one}" for module, names in declared.items() for one in names}
        raise LookupError(did_you_mean(name or "", known))
    return _text(stages, stage, wanted)


def _text(stages: Stages, stage: str, wanted: Wanted) -> str:
    if stage == "syntax":
        return "".join(f"{line}\n" for stub in stages.syntax for line in _tree(stub, wanted))
    if stage == "schema":
        return show_schema(stages.schema, wanted)
    if stage == "program" and stages.program:
        return show_program(stages.program, wanted)
    if stage == "checked" and stages.checked:
        return show_checked(stages.checked, wanted)
    if stage == "view" and stages.view:
        return show_view(stages.view, wanted)
    return show_rendered(stages.rendered, wanted)


def _tree(stub: Stub, wanted: Wanted) -> Iterator[str]:
    """The tree of a stub, or of the declarations in it that are wanted, in ASCII."""
    name = stub.source.module
    if wanted.module(name):
        yield f"module {name}"
        for node in stub.tree.body:
            if wanted.one(name, _bound(node)):
                yield ast.dump(node, indent=2).encode("ascii", "backslashreplace").decode()


def _bound(node: ast.stmt) -> str:
    if isinstance(node, Assignment):
        return target(node).id
    return node.name if isinstance(node, ast.ClassDef | ast.FunctionDef) else ""
