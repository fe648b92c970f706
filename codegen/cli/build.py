"""`codegen build`: bring the output folder up to date with the schemas.

    $ codegen build
    built 3 modules: 2 written, 1 removed, 5 unchanged in 0.21 s
    $ codegen build
    up to date: 9 files in 0.03 s

The lock is taken before the schemas are read, so that of two builds at once the one that writes
last is the one that read last. Nothing is written before everything is rendered.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from time import perf_counter

from codegen.cli.console import Console
from codegen.cli.project import Project, add_out, add_root
from codegen.cli.stages import compare, compile_sources, counted, seconds, sources
from codegen.files import record
from codegen.files.lock import locked

TYPE_CHECKING = False
if TYPE_CHECKING:  # loaded when there is something to build
    from codegen.files.schemas import Schema
    from codegen.plan.nodes import Plan

HELP = "bring the output folder up to date with the schemas"


def add_arguments(parser: ArgumentParser) -> None:
    """Say what `build` takes."""
    add_root(parser)
    add_out(parser)
    parser.add_argument(
        "--force",
        action="store_true",
        help="overwrite files that were edited since they were written",
    )
    parser.add_argument(
        "--no-cache",
        action="store_true",
        help="do without the record of the last build, and keep none",
    )


def run(arguments: Namespace, console: Console) -> int:
    """Build; 1 where something has to be mended first."""
    started = perf_counter()
    project = Project.of(arguments)
    place = None if arguments.no_cache else record.place_of(project.root, project.out)
    with locked(project.out) as is_held:
        found = sources(project)
        key = record.key_of(found, [project.registration])
        count = record.up_to_date(place, key, project.out)
        if count is None:
            plan = _plan(found, project, console, clear=is_held, force=arguments.force)
            if plan is None:
                return 1
            _carry_out(plan, project, place, key)
            done = _summary(plan, len(found))
        else:
            done = f"up to date: {counted(count, 'file')}"
    console.status(f"{done} in {seconds(perf_counter() - started)}")
    return 0


def _plan(
    found: list[Schema], project: Project, console: Console, *, clear: bool, force: bool
) -> Plan | None:
    """What to do; None, when it has been said what is in the way."""
    from codegen.files import leftovers
    from codegen.plan.findings import refused

    report, rendered = compile_sources(found, project)
    console.report(report)
    if report.has_errors:
        return None
    if clear:
        leftovers.clear(project.out)
    plan = compare(rendered, project, force=force)
    if plan.refusals:
        console.report(refused(plan, project.out, project.build_command))
        return None
    _tell(plan, project, console)
    return plan


def _carry_out(plan: Plan, project: Project, place: str | None, key: str) -> None:
    from codegen.files.apply import apply

    record.forget(place)
    apply(plan, project.out)
    record.remember(place, key, project.out)


def _tell(plan: Plan, project: Project, console: Console) -> None:
    from codegen.plan.nodes import Action

    for step in plan.steps:
        if step.action is Action.RELEASE:
            console.status(f"left alone, as no schema makes it: {project.out}/{step.path}")
        elif step.action is not Action.UNCHANGED:
            console.detail(f"{step.action} {project.out}/{step.path}")


def _summary(plan: Plan, modules: int) -> str:
    from codegen.plan.nodes import Action

    actions = [step.action for step in plan.steps]
    unchanged = actions.count(Action.UNCHANGED)
    if not plan.changes:
        return f"up to date: {counted(unchanged, 'file')}"
    written = actions.count(Action.CREATE) + actions.count(Action.UPDATE)
    removed = actions.count(Action.REMOVE)
    return (
        f"built {counted(modules, 'module')}: {written} written, {removed} removed, "
        f"{unchanged} unchanged"
    )
