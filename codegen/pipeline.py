"""The stages in their order; the only module that names them all.

compile((("schemas/heat.pyi", "heat", b"..."),), Options("schemas", "generated"))
# Compiled(report, rendered)
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace

from codegen.checked.check import check
from codegen.checked.nodes import Checked
from codegen.checked.show import show as show_checked
from codegen.diagnostics import Diagnostic, Report
from codegen.diagnostics.suggest import did_you_mean
from codegen.options import Options
from codegen.program.lower import lower
from codegen.program.nodes import Program
from codegen.program.show import show as show_program
from codegen.rendered.laws import render_laws
from codegen.rendered.nodes import Rendered
from codegen.rendered.render import render
from codegen.rendered.show import show as show_rendered
from codegen.schema.decode import decode as decode_schema
from codegen.schema.nodes import ModuleDecl
from codegen.schema.show import show as show_schema
from codegen.source import Source
from codegen.syntax import decode as decode_source
from codegen.syntax import nodes as syntax
from codegen.syntax import read
from codegen.syntax.show import show as show_syntax
from codegen.view.build import build
from codegen.view.laws import build_laws
from codegen.view.nodes import ProgramView
from codegen.view.show import show as show_view
from codegen.wanted import Wanted, find

STAGES = ("syntax", "schema", "program", "checked", "view", "rendered")

# A schema file: the path as shown, the dotted module, the bytes.
File = tuple[str, str, bytes]


@dataclass(frozen=True, slots=True)
class Stages:
    """What every stage made of the schemas, up to the one that found mistakes."""

    report: Report
    syntax: tuple[syntax.Module, ...] = ()
    schema: tuple[ModuleDecl, ...] = ()
    program: Program | None = None
    checked: Checked | None = None
    view: ProgramView | None = None
    rendered: tuple[Rendered, ...] = ()


@dataclass(frozen=True, slots=True)
class Compiled:
    """The files to write, none where there are mistakes."""

    report: Report
    rendered: tuple[Rendered, ...]


def compile(files: Sequence[File], options: Options) -> Compiled:
    """Turn schema files into output files, or into the mistakes of the first stage with some."""
    stages = run(files, options)
    return Compiled(stages.report, stages.rendered)


def compile_laws(files: Sequence[File], options: Options) -> Compiled:
    """Turn schema files into laws of what is generated from them, tests and strategies."""
    stages = run(files, options, "checked")
    if stages.checked is None:
        return Compiled(stages.report, ())
    return Compiled(stages.report, render_laws(build_laws(stages.checked, options.package)))


def run(files: Sequence[File], options: Options, last: str = "rendered") -> Stages:
    """Run the stages up to `last`; one that finds mistakes stops the next."""
    modules, report = _read(files)
    if report or last == "syntax":
        return Stages(report, modules)
    decoded = [decode_schema(module) for module in modules]
    report = report.merge(*(found for _, found in decoded))
    schema = tuple(decl for decl, _ in decoded)
    if report or last == "schema":
        return Stages(report, modules, schema)
    program, report = lower(schema, _folders(options))
    if report or last == "program":
        return Stages(report, modules, schema, program)
    checked, report = check(program)
    if checked is None or last == "checked":
        return Stages(report, modules, schema, program, checked)
    view = build(checked, "jax" if options.registration == "jax" else "exact")
    rendered = render(view) if last != "view" else ()
    return Stages(report, modules, schema, program, checked, view, rendered)


def _folders(options: Options) -> frozenset[str]:
    """The last parts of the schema folder and of the output folder."""
    paths = (options.root, options.out)
    return frozenset(os.path.basename(os.path.normpath(path)) for path in paths) - {"."}


def _read(files: Sequence[File]) -> tuple[tuple[syntax.Module, ...], Report]:
    found: list[Diagnostic] = []
    modules: list[syntax.Module] = []
    for path, module, data in files:
        source = decode_source(path, module, data)
        if not isinstance(source, Source):
            found.append(source)
            continue
        tree, report = read(source)
        found.extend(report)
        if tree is not None:
            modules.append(tree)
    return tuple(modules), Report(found)


def show(files: Sequence[File], options: Options, stage: str, name: str | None) -> str | Report:
    """The text of a stage, of all schemas or of what is called `name`; or the mistakes before it.

    Raises:
        LookupError: where nothing is called so; its text says what was probably meant.
    """
    stages = run(files, options, stage)
    if stages.report:
        return stages.report
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
