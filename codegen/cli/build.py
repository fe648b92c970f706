"""`codegen build`: bring the output folder up to date with the schemas.

    $ codegen build
    built 3 modules: 2 written, 1 removed, 58 unchanged in 0.21 s
    $ codegen build
    up to date: 60 files in 0.03 s

    $ codegen build --laws tests/laws
    generated: up to date: 60 files in 0.03 s
    tests/laws: built 3 modules: 15 written, 0 removed, 0 unchanged in 0.30 s

The lock is taken before the schemas are read, so that of two builds at once the one that writes
last is the one that read last. Nothing is written before everything is rendered.
"""

from __future__ import annotations

from time import perf_counter

from codegen.cli.console import Console
from codegen.cli.project import Project, add_out, add_root
from codegen.cli.stages import (
    compare,
    compile_laws,
    counted,
    seconds,
    sources,
    tally,
)
from codegen.files import record
from codegen.files.lock import locked
from codegen.folders import names_of

TYPE_CHECKING = False
if TYPE_CHECKING:  # loaded when there is something to build
    from argparse import ArgumentParser
    from collections.abc import Callable, Sequence

    from codegen.cli.again import Again
    from codegen.cli.plain import Arguments
    from codegen.files.schemas import Schema
    from codegen.pipeline import Compiled
    from codegen.plan.manifest import Content
    from codegen.plan.nodes import Plan

HELP = "bring the output folder up to date with the schemas"
DEFAULTS = {"out": None, "force": False, "no_cache": False, "watch": False, "laws": None}
"""What the options mean that are not given."""


def add_arguments(parser: ArgumentParser) -> None:
    """Say what `build` takes."""
    add_root(parser)
    add_out(parser)
    parser.add_argument(
        "--force",
        action="store_true",
        help="overwrite files that were edited since they were written; where no schema is left, remove "
        "what was made",
    )
    parser.add_argument(
        "--no-cache",
        action="store_true",
        help="do without the record of the last build, and keep none",
    )
    parser.add_argument(
        "--watch", action="store_true", help="build again whenever a schema changes, until Ctrl-C"
    )
    parser.add_argument(
        "--laws",
        metavar="DIR",
        help="write tests of the generated classes to DIR too, with strategies for Hypothesis",
    )


def run(arguments: Arguments, console: Console) -> int:
    """Build; 1 where something has to be mended first."""
    project = Project.of(arguments)

    def once() -> int:
        return build(project, console, force=arguments.force, is_cached=not arguments.no_cache)

    if not arguments.watch:
        return once()
    from codegen.cli.watch import watch

    return watch(project.root, once, console)


def build(
    project: Project, console: Console, *, force: bool = False, is_cached: bool = True
) -> int:
    """Build once, and say in a line what was done; 1 where something has to be mended first."""
    started = perf_counter()
    # By these names no schema imports another.
    names = [*names_of(project.root), "", *names_of(project.out)]
    targets = [
        _Target(
            project.out,
            [project.registration, f"checks {project.checks}", *project.features, "", *names],
        )
    ]
    if project.laws:
        targets.append(_Target(project.laws, ["laws", project.package, *names], is_of_laws=True))

    def write() -> list[str]:
        found = sources(project, [target.folder for target in targets], may_be_none=force)
        for target in targets:
            target.look(found, project, is_cached=is_cached)
        # Nothing is written to one folder before it is known that the other can be.
        waiting = [target for target in targets if target.count is None]
        if waiting:
            with console.progress():
                if not all(_plan(target, found, project, console, force) for target in waiting):
                    return []
        return [_carry_out(target, len(found)) for target in targets]

    done = _locked(targets, write)
    if not done:
        return 1
    for line, target in zip(done, targets, strict=True):
        where = f"{target.folder}: " if len(targets) > 1 else ""
        console.status(f"{where}{line} in {seconds(perf_counter() - started)}")
    return 0


class _Target:
    """A folder that is written, and how."""

    def __init__(self, folder: str, options: list[str], *, is_of_laws: bool = False) -> None:
        self.folder = folder
        self.is_held = False  # its lock
        self.count: int | None = None  # of its files, if each is what it is to be
        self.plan: Plan | None = None
        self.place: str | None = None  # of the record of its last build
        self.key = ""
        self._seed = ""
        self._options = options
        self.content: Content = "laws" if is_of_laws else "package"
        self._again: Again | None = None

    def look(self, found: list[Schema], project: Project, *, is_cached: bool) -> None:
        """See whether there is anything to do."""
        self.place = record.place_of(project.root, self.folder) if is_cached else None
        self._seed = record.seed_of(self._options)
        self.key = record.key_of(found, self._seed)
        self.count = record.up_to_date(self.place, self.key, self.folder)

    def compile(self, found: list[Schema], project: Project) -> Compiled:
        """Compile what the last build did not; of no schema at all nothing is made."""
        if not found:
            from codegen import pipeline
            from codegen.diagnostics import Report

            return pipeline.Compiled(Report(), ())
        if self.content == "laws":
            return compile_laws(found, project)
        from codegen.cli.again import Again

        self._again = Again(self.place, self._seed, self.folder, found)
        return self._again.compile(project)

    def remember(self) -> None:
        """Write down what the next build need not do."""
        if self._again is not None:
            self._again.remember()
        record.remember(self.place, self.key, self.folder)


def _locked(targets: Sequence[_Target], work: Callable[[], list[str]]) -> list[str]:
    """Do the work under the locks of all targets."""
    if not targets:
        return work()
    first, *others = targets
    with locked(first.folder) as first.is_held:
        return _locked(others, work)


def _plan(
    target: _Target, found: list[Schema], project: Project, console: Console, force: bool
) -> bool:
    """Find out what to do; False, when it has been said what is in the way."""
    from codegen.files import leftovers

    compiled = target.compile(found, project)
    console.report(compiled.report)
    if compiled.report.has_errors:
        return False
    if target.is_held:
        leftovers.clear(target.folder)
    plan = compare(compiled.rendered, target.folder, force=force, content=target.content)
    if plan.refusals:
        from codegen.plan.findings import refused

        option = "" if target.folder == project.out else "--laws"
        command = project.build_command
        console.report(refused(plan, target.folder, command, option=option))
        return False
    _tell(plan, target.folder, console)
    target.plan = plan
    return True


def _carry_out(target: _Target, modules: int) -> str:
    """Write what is to be written; what was done."""
    if target.plan is None:
        return f"up to date: {counted(target.count or 0, 'file')}"
    from codegen.files.apply import apply

    record.forget(target.place)
    apply(target.plan, target.folder)
    target.remember()
    return _summary(target.plan, modules)


def _tell(plan: Plan, folder: str, console: Console) -> None:
    from codegen.plan.nodes import Action

    for step in plan.steps:
        if step.action is Action.RELEASE:
            console.status(f"left alone, as no schema makes it: {folder}/{step.path}")
        elif step.action is not Action.UNCHANGED:
            console.detail(f"{step.action} {folder}/{step.path}")


def _summary(plan: Plan, modules: int) -> str:
    written, removed, unchanged = tally(plan)
    if not plan.changes:
        return f"up to date: {counted(unchanged, 'file')}"
    if not modules:
        return f"no schema is left: {counted(removed, 'file')} removed"
    return (
        f"built {counted(modules, 'module')}: {written} written, {removed} removed, "
        f"{unchanged} unchanged"
    )
