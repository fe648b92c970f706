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
from argparse import SUPPRESS, ArgumentParser, Namespace
from contextlib import ExitStack, suppress
from functools import partial
from time import perf_counter

from msgspec.structs import replace

from codegen.cli.console import Console
from codegen.cli.failure import Failure, Mistakes
from codegen.cli.project import (
    Project,
    add_out,
    add_root,
    compare,
    counted,
    made,
    since,
    sources,
    summary,
)
from codegen.cli.watch import watch
from codegen.emit.rendered import Rendered
from codegen.options import Options, import_names
from codegen.output import stamp, write
from codegen.output.findings import refused
from codegen.output.lock import locked
from codegen.output.manifest import Content
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
    parser.add_argument("--laws", metavar="DIR", help=SUPPRESS)


def run(arguments: Namespace, console: Console) -> int:
    """Build once, or repeatedly with `--watch`; return the exit status."""
    if arguments.laws is not None:
        raise Failure(
            "`--laws` was removed. In a test, write `from codegen.testing import properties` and "
            "`test_heat = properties(generated.heat)`"
        )
    project = Project.of(arguments)

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
    target = OutputFolder(project.out, "package", project.options)

    def read() -> list[Schema]:
        return sources(project, [target.folder], may_be_none=force)

    schemas = read()
    with ExitStack() as locks:
        if not target.is_made(schemas, is_cached=is_cached):
            _name_stale_attribute(project, console)
            target.is_held = locks.enter_context(locked(target.folder, console.status))
            if target.is_held:
                write.clear_temporary_files(project.base, below=False)
            # Another process may have built while it held the lock.
            schemas = read()
            if not target.is_made(schemas, is_cached=is_cached):
                with console.progress():
                    target.prepare(schemas, project.build_command, console, force=force)
        done = target.carry_out(len(schemas))
    console.status(f"{done} in {since(started)}")
    return 0


def _name_stale_attribute(project: Project, console: Console) -> None:
    """Report a .gitattributes that still has the merge driver of an earlier version."""
    path = os.path.relpath(os.path.join(project.base, ".gitattributes"))
    with suppress(OSError, UnicodeDecodeError):
        if "merge=codegen-manifest" in (write.text_of(path) or ""):
            console.status(f"{path}: write `merge=union` instead of `merge=codegen-manifest`")


# For each content, the option that names its folder; empty if the setting `out` does.
_OPTIONS: dict[Content, str] = {"package": "", "site": "--out"}


class OutputFolder:
    """A folder to write, and the state of the build that writes it."""

    def __init__(self, folder: str, content: Content, options: Options) -> None:
        self.folder = folder
        self.is_held = False  # whether its lock is held
        self.plan: BuildPlan | None = None
        self._content: Content = content
        self._options = options
        self._place: str | None = None
        self._key = ""

    def is_made(self, schemas: list[Schema], *, is_cached: bool) -> bool:
        """Return whether the stamp of the last build shows that there is nothing to do."""
        root, out = self._options.root, self._options.out
        # Only these names matter, not the location: no schema may import another by one of them.
        names = (*import_names(root), "", *import_names(out))
        settings = repr(replace(self._options, root="", out=""))
        self._place = stamp.place_of(root, self.folder) if is_cached else None
        seed = stamp.seed_of([self._content, settings, *names])
        self._key = stamp.key_of(schemas, seed)
        self._count = stamp.up_to_date(self._place, self._key, self.folder)
        return self._count is not None

    def prepare(
        self, schemas: list[Schema], command: str, console: Console, *, force: bool
    ) -> None:
        """Compile the schemas and plan the build.

        Raises:
            Mistakes: if the schemas have mistakes, or something blocks the build.
        """
        files = self._compiled(schemas)
        if self.is_held:
            write.clear_temporary_files(self.folder)
        self.plan = compare(files, self.folder, force=force, content=self._content)
        if self.plan.refusals:
            option = _OPTIONS[self._content]
            raise Mistakes(refused(self.plan, self.folder, command, option=option))
        for step in self.plan.steps:
            if step.action is Action.RELEASE:
                console.status(f"kept, although no schema generates it: {self.folder}/{step.path}")
            elif step.is_merged:
                console.status(f"rebuilt, because Git merged it: {self.folder}/{step.path}")
            elif step.action is not Action.UNCHANGED:
                console.detail(f"{step.action} {self.folder}/{step.path}")

    def _compiled(self, schemas: list[Schema]) -> tuple[Rendered, ...]:
        """Return the files generated from the schemas; none if there are no schemas."""
        # Importing the compiler would double the time of a build that finds nothing to do.
        from codegen import pipeline  # noqa: PLC0415

        if not schemas:
            return ()
        if self._content == "site":
            return made(pipeline.compile_site(schemas, self._options))
        return made(pipeline.compile(schemas, self._options, partial(is_there, self.folder)))

    def write(self) -> BuildPlan:
        """Carry out the plan, and record the result for the next build."""
        assert self.plan is not None, "it was prepared"
        stamp.forget(self._place)
        apply(self.plan, self.folder)
        stamp.remember(self._place, self._key, self.folder)
        return self.plan

    def carry_out(self, modules: int) -> str:
        """Write the changes, if any; return what was done, for a status line."""
        if self.plan is None:
            return f"up to date: {counted(self._count or 0, 'file')}"
        plan = self.write()
        if plan.changes and not modules:
            removed = sum(step.action is Action.REMOVE for step in plan.steps)
            return f"no schema is left: {counted(removed, 'file')} removed"
        return summary(plan, f"built {counted(modules, 'module')}")
