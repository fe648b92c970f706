"""`codegen check`: say where the output folder is not what `build` would make. Writes nothing.

    $ codegen check
    stale: generated/heat.py
    missing: generated/steel.py
    run `codegen build`
    $ codegen check --diff | less

It takes no lock and believes no record: what it says is worked out from the schemas, each time.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from time import perf_counter

from codegen.cli.console import Console
from codegen.cli.project import Project, add_out, add_root
from codegen.cli.stages import compare, compile_sources, counted, seconds, sources

TYPE_CHECKING = False
if TYPE_CHECKING:
    from codegen.diagnostics import Report

HELP = "say where the output folder is not what `build` would make; write nothing"

# What else there is needs a sentence.
_KINDS = {
    "STALE_OUTPUT": "stale",
    "MISSING_OUTPUT": "missing",
    "ORPHANED_OUTPUT": "orphaned",
    "EDITED_OUTPUT": "hand-edited",
}


def add_arguments(parser: ArgumentParser) -> None:
    """Say what `check` takes."""
    add_root(parser)
    add_out(parser)
    parser.add_argument("--diff", action="store_true", help="show what `build` would change")


def run(arguments: Namespace, console: Console) -> int:
    """Check; 1 where the folder is not what a build would make."""
    from codegen.plan.diff import diff
    from codegen.plan.findings import outdated, refused

    started = perf_counter()
    project = Project.of(arguments)
    found = sources(project, [project.out], may_be_none=True)
    if not found:
        return _emptied(project, console, is_diff=arguments.diff)
    compiled = compile_sources(found, project, reads_back=False)
    console.report(compiled.report)
    if compiled.report.has_errors:
        return 1
    plan = compare(compiled.rendered, project.out)
    if arguments.diff:
        console.text(diff(plan, project.out))
    findings = outdated(plan, project.out, project.build_command)
    if findings:
        # Nothing is built before what stands in the way of a build is mended.
        first = refused(plan, project.out, project.build_command)
        _tell(findings, first or findings, console)
        return 1
    duration = seconds(perf_counter() - started)
    console.status(f"up to date: {counted(len(plan.steps), 'file')} in {duration}")
    return 0


def _emptied(project: Project, console: Console, *, is_diff: bool) -> int:
    """Say what is left where the last schema is gone."""
    from codegen.plan.diff import diff
    from codegen.plan.findings import outdated

    plan = compare((), project.out, force=True)
    if is_diff:
        console.text(diff(plan, project.out))
    console.status(f"no schema (*.pyi) below `{project.root}`: {project.root_origin}")
    findings = outdated(plan, project.out, f"{project.build_command} --force")
    _tell(findings, findings, console)
    return 1


def _tell(findings: Report, first: Report, console: Console) -> None:
    """One line a file, then what to do first, each advice once."""
    if console.output_format != "full":
        console.report(findings)
        return
    for finding in findings:
        kind = _KINDS.get(finding.code.value)
        console.finding(f"{kind}: {finding.source.path}" if kind else finding.message)
    for advice in dict.fromkeys(finding.help for finding in first):
        console.finding(advice)
