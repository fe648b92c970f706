"""`codegen check`: report where the output folder differs from a new build. Writes nothing.

    $ codegen check
    stale: generated/heat.py
    missing: generated/steel.py
    run `codegen build`
    $ codegen check --diff | less

It takes no lock and uses no cache: the result is computed from the schemas each time.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from functools import partial
from time import perf_counter

from codegen import pipeline
from codegen.cli.console import Console
from codegen.cli.project import (
    Project,
    add_out,
    add_root,
    compare,
    counted,
    made,
    run_time_note,
    since,
    sources,
)
from codegen.diagnostics import Report
from codegen.output.findings import diff, outdated, refused
from codegen.output.snapshot import is_there

HELP = "check that the generated files are up to date; write nothing"
EXAMPLE = "codegen check --diff"

# Findings with any other code need a full sentence.
_KINDS = {
    "STALE_OUTPUT": "stale",
    "MISSING_OUTPUT": "missing",
    "ORPHANED_OUTPUT": "orphaned",
    "EDITED_OUTPUT": "hand-edited",
}


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments of `check`."""
    add_root(parser)
    add_out(parser)
    parser.add_argument("--diff", action="store_true", help="print what `build` would change")


def run(arguments: Namespace, console: Console) -> int:
    """Check; return 1 if the folder differs from a new build."""
    started = perf_counter()
    project = Project.of(arguments)
    schemas = sources(project, may_be_none=True)
    command = project.build_command
    if schemas:
        files = made(pipeline.compile(schemas, project.options, partial(is_there, project.out)))
    else:
        files = ()
        command += " --force"
        console.status(f"no schema (*.pyi) in `{project.root}` ({project.root_origin})")
    plan = compare(files, project.out, force=not schemas)
    if arguments.diff:
        console.text(diff(plan, project.out))
    findings = outdated(plan, project.out, command)
    if findings or not schemas:
        # Whatever blocks a build must be fixed first, so its advice comes first.
        _print_files_and_advice(findings, refused(plan, project.out, command) or findings, console)
        note = run_time_note(plan, project, "to remove")
        if note:
            console.status(note)
        return 1
    console.status(f"up to date: {counted(len(plan.steps), 'file')} in {since(started)}")
    return 0


def _print_files_and_advice(findings: Report, first: Report, console: Console) -> None:
    """Print one line per file, then the advice on what to do first, each advice once."""
    if console.output_format != "full":
        console.report(findings)
        return
    for finding in findings:
        kind = _KINDS.get(finding.code.value)
        console.finding(f"{kind}: {finding.source.path}" if kind else finding.message)
    for advice in dict.fromkeys(finding.help for finding in first):
        console.finding(advice)
