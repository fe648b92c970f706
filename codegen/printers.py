r"""The text of a stage, for `codegen show`: each has a printer of its own.

text(run(files, options, "program"), "program", "heat.Plate")
# "module heat\n  class Plate\n ..."
"""

from __future__ import annotations

from msgspec.structs import replace

from codegen.checked.show import show as show_checked
from codegen.diagnostics.suggest import did_you_mean
from codegen.program.show import show as show_program
from codegen.rendered.show import show as show_rendered
from codegen.schema.show import show as show_schema
from codegen.stages import Stages
from codegen.syntax import nodes as syntax
from codegen.syntax.show import show as show_syntax
from codegen.view.show import show as show_view
from codegen.wanted import Wanted, find


def text(stages: Stages, stage: str, name: str | None) -> str:
    """What a stage made of all schemas, or of what is called `name`.

    Raises:
        LookupError: where nothing is called so; its text says what was probably meant.
    """
    declared = {m.source.module: [_bound(s) for s in m.body if _bound(s)] for m in stages.syntax}
    wanted = find(declared, name)
    if wanted is None:
        known = {*declared, *(one for names in declared.values() for one in names)}
        if name and "." in name:
            known |= {f"{module}.{one}" for module, names in declared.items() for one in names}
        raise LookupError(did_you_mean(name or "", known))
    return _text(stages, stage, wanted)


def _text(stages: Stages, stage: str, wanted: Wanted) -> str:
    if stage == "syntax":
        trees = (module for module in stages.syntax if wanted.module(module.source.module))
        return "".join(show_syntax(_part(module, wanted)) for module in trees)
    if stage == "schema":
        return show_schema(stages.schema, wanted)
    if stage == "program" and stages.program:
        return show_program(stages.program, wanted)
    if stage == "checked" and stages.checked:
        return show_checked(stages.checked, wanted)
    if stage == "view" and stages.view:
        return show_view(stages.view, wanted)
    return show_rendered(stages.rendered, wanted)


def _part(module: syntax.Module, wanted: Wanted) -> syntax.Module:
    name = module.source.module
    return replace(module, body=tuple(s for s in module.body if wanted.one(name, _bound(s))))


def _bound(statement: syntax.Stmt) -> str:
    return (
        statement.name
        if isinstance(statement, syntax.Assign | syntax.Class | syntax.Function)
        else ""
    )
