"""`codegen build`: update the output folder from the schemas.

    $ codegen build
    built 3 modules: 2 written, 1 removed, 58 unchanged in 0.21 s
    $ codegen build
    up to date: 60 files in 0.03 s

If there is something to do, the schemas are read again under the lock. So if two builds run at
once, the build that writes last is the one that read last. Nothing is written before everything is
rendered.
"""

from __future__ import annotations

import os
from argparse import ArgumentParser, Namespace
from contextlib import suppress
from functools import partial
from time import perf_counter

from msgspec.structs import replace

from codegen.cli.console import Console
from codegen.cli.failure import Mistakes
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
    summary,
)
from codegen.cli.settings import NO_FEATURES
from codegen.cli.watch import watch
from codegen.emit.rendered import Rendered
from codegen.options import import_names
from codegen.output import stamp, write
from codegen.output.findings import refused
from codegen.output.lock import locked
from codegen.output.plan import Action, BuildPlan
from codegen.output.schemas import Schema
from codegen.output.snapshot import is_there
from codegen.output.write import apply

HELP = "generate the Python code from the schemas"
EXAMPLE = "codegen build schemas --out generated"


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments of `build`."""
    add_root(parser)
    add_out(parser)
    parser.add_argument(
        "--force",
        action="store_true",
        help="overwrite generated files even if you edited them. If there is no schema any more, "
        "delete all generated files except those that you edited",
    )
    parser.add_argument(
        "--no-cache",
        action="store_true",
        help="do not use the record of the last build, and do not write one",
    )
    parser.add_argument(
        "--watch", action="store_true", help="build again whenever a schema changes, until Ctrl-C"
    )


def run(arguments: Namespace, console: Console) -> int:
    """Build once, or repeatedly with `--watch`; return the exit status."""
    project = Project.of(arguments)
    if project.settings.features:
        console.status(
            f"`features` in [tool.codegen] is no longer needed: {NO_FEATURES}. Remove it"
        )

    def once() -> int:
        return build(project, console, force=arguments.force, is_cached=not arguments.no_cache)

    return watch(project.root, once, console) if arguments.watch else once()


def build(
    project: Project, console: Console, *, force: bool = False, is_cached: bool = True
) -> int:
    """Build once, and print a line about what was done.

    Raises:
        Mistakes: if something must be fixed first.
    """
    started = perf_counter()
    place = stamp.place_of(project.root, project.out) if is_cached else None
    schemas = sources(project, may_be_none=force)
    count = stamp.up_to_date(place, _key(project, schemas), project.out)
    if count is None:
        _name_stale_attribute(project, console)
        with locked(project.out, console.status) as is_held:
            if is_held:
                write.clear_temporary_files(project.base, below=False)
            # Another process may have built while it held the lock.
            schemas = sources(project, may_be_none=force)
            count = stamp.up_to_date(place, key := _key(project, schemas), project.out)
            if count is None:
                with console.progress():
                    files = _compiled(project, schemas)
                if is_held:
                    write.clear_temporary_files(project.out)
                plan = _plan(project, files, console, force=force)
                stamp.forget(place)
                apply(plan, project.out)
                stamp.remember(place, key, project.out)
                console.status(f"{_summary(plan, len(schemas))} in {since(started)}")
                return 0
    console.status(f"up to date: {counted(count, 'file')} in {since(started)}")
    return 0


def _key(project: Project, schemas: list[Schema]) -> str:
    """Return a checksum of all inputs of a build."""
    root, out = project.root, project.out
    # Only these names matter, not the location: no schema may import another by one of them.
    names = (*import_names(root), "", *import_names(out))
    settings = repr(replace(project.options, root="", out=""))
    return stamp.key_of(schemas, [settings, *names])


def _compiled(project: Project, schemas: list[Schema]) -> tuple[Rendered, ...]:
    """Return the files generated from the schemas; none if there are no schemas.

    Raises:
        Mistakes: if the schemas have mistakes.
    """
    # Importing the compiler would double the time of a build that finds nothing to do.
    from codegen import pipeline  # noqa: PLC0415

    if not schemas:
        return ()
    return made(pipeline.compile(schemas, project.options, partial(is_there, project.out)))


def _plan(
    project: Project, files: tuple[Rendered, ...], console: Console, *, force: bool
) -> BuildPlan:
    """Plan the build, and print the steps that the user should know about.

    Raises:
        Mistakes: if something blocks the build.
    """
    out = project.out
    plan = compare(files, out, force=force)
    note = run_time_note(plan, project, "to remove" if plan.refusals else "removed")
    if note:
        console.status(note)
    if plan.refusals:
        raise Mistakes(refused(plan, out, project.build_command))
    for step in plan.steps:
        if step.action is Action.RELEASE:
            console.status(f"kept, although no schema generates it: {out}/{step.path}")
        elif step.is_merged:
            console.status(f"rebuilt, because Git merged it: {out}/{step.path}")
        elif step.action is not Action.UNCHANGED:
            console.detail(f"{step.action} {out}/{step.path}")
    return plan


def _summary(plan: BuildPlan, modules: int) -> str:
    if plan.changes and not modules:
        removed = sum(step.action is Action.REMOVE for step in plan.steps)
        return f"no schema is left: {counted(removed, 'file')} removed"
    return summary(plan, f"built {counted(modules, 'module')}")


def _name_stale_attribute(project: Project, console: Console) -> None:
    """Report a .gitattributes that still has the merge driver of an earlier version."""
    path = os.path.relpath(os.path.join(project.base, ".gitattributes"))
    with suppress(OSError, UnicodeDecodeError):
        if "merge=codegen-manifest" in (write.text_of(path) or ""):
            console.status(f"{path}: write `merge=union` instead of `merge=codegen-manifest`")
