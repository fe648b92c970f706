"""The stages in their order; the only module that names them all.

    compile((("schemas/heat.pyi", "heat", b"..."),), Options("schemas", "generated"))    ->    Compiled(report, rendered)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from codegen.checked.check import check
from codegen.checked.nodes import Checked
from codegen.diagnostics.model import Diagnostic, Report
from codegen.options import Options
from codegen.program.lower import lower
from codegen.program.nodes import Program
from codegen.rendered.nodes import Rendered
from codegen.rendered.render import render
from codegen.schema.decode import decode as decode_schema
from codegen.schema.nodes import ModuleDecl
from codegen.source import Source
from codegen.syntax import decode as decode_source
from codegen.syntax import nodes as syntax
from codegen.syntax import read
from codegen.view.build import build
from codegen.view.nodes import ProgramView

STAGES = ("syntax", "schema", "program", "checked", "view", "rendered", "plan")

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
    """Turn schema files into output files, or into the mistakes of the first stage that found some."""
    stages = run(files, options)
    return Compiled(stages.report, stages.rendered)


def run(files: Sequence[File], options: Options, last: str = "rendered") -> Stages:
    """Run the stages up to `last`; one that finds mistakes stops the next."""
    modules, report = _read(files)
    if report or last == "syntax":
        return Stages(report, modules)
    decoded = [decode_schema(module) for module in modules]
    report = Report().merge(*(r for _, r in decoded))
    schema = tuple(decl for decl, _ in decoded)
    if report or last == "schema":
        return Stages(report, modules, schema)
    program, report = lower(schema)
    if report or last == "program":
        return Stages(report, modules, schema, program)
    checked, report = check(program)
    if checked is None or last == "checked":
        return Stages(report, modules, schema, program, checked)
    registration = "jax" if options.registration == "jax" else "exact"
    view = build(checked, registration)
    rendered = render(view) if last != "view" else ()
    return Stages(report, modules, schema, program, checked, view, rendered)


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
