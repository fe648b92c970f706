"""`codegen lint`: say what is legal in the schemas, and likely a mistake.

    $ codegen lint
    warning[UNUSED_DIMENSION]: the dimension `nz` is declared but never used
    ...
    $ codegen lint --fix
    schemas/heat.pyi: remove the dimension `nz`
    schemas/heat.pyi: remove the import of `Dim`
    nothing to say about 3 modules, 2 mended, in 0.06 s

Exit status 1 where something is left to mend.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from time import perf_counter

from codegen import pipeline
from codegen.cli.console import Console
from codegen.cli.project import Project, add_root, counted, since, sources
from codegen.cli.selection import removed_lints, selection
from codegen.diagnostics import Code, Report
from codegen.lint.fix import fix
from codegen.lint.linting import Python
from codegen.output import system
from codegen.output.schemas import Schema
from codegen.output.write import rewrite

HELP = "say what is legal in the schemas, and likely a mistake"


def add_arguments(parser: ArgumentParser) -> None:
    """Say what `lint` takes."""
    add_root(parser)
    parser.add_argument("--fix", action="store_true", help="mend what can be mended safely")
    parser.add_argument(
        "--select", metavar="CODES", help="the lints to run, separated by commas; ALL, DEFAULT"
    )
    parser.add_argument(
        "--ignore", metavar="CODES", help="the lints not to run, separated by commas"
    )


def run(arguments: Namespace, console: Console) -> int:
    """Lint; 1 where something is left to mend."""
    started = perf_counter()
    project = Project.of(arguments, has_output=False)
    chosen = selection(arguments)
    if arguments.fix:
        project.keep_inside("schema", project.root)
    found = sources(project)
    for notice in removed_lints(arguments, found):
        console.status(notice)
    mended = 0
    if arguments.fix:
        report, mended = _fix(found, project, chosen, console)
    else:
        report = pipeline.lint(found, project.options, chosen, _python(project))
    console.report(report)
    if report.has_errors:
        return 1
    said = counted(len(report), "warning") if report else "nothing to say"
    done = f", {mended} mended," if arguments.fix else ""
    console.status(f"{said} about {counted(len(found), 'module')}{done} in {since(started)}")
    return 1 if report else 0


def _python(project: Project) -> Python:
    return lambda module: system.python_source(module, project.base)


def _fix(
    found: list[Schema], project: Project, chosen: frozenset[Code], console: Console
) -> tuple[Report, int]:
    """Mend and write; what is left, and how many were mended."""
    python = _python(project)
    fixed = fix(found, lambda files: pipeline.lint(files, project.options, chosen, python))
    for (path, _, before), (_, _, after) in zip(found, fixed.files, strict=True):
        if before != after:
            rewrite(path, before, after)
    for path, message in fixed.done:
        console.status(f"{path}: {message}")
    for path, message in fixed.left:
        console.status(f"{path}: not mended, for the schemas would be wrong then: {message}")
    return fixed.report, len(fixed.done)
