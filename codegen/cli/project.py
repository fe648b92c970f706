"""The folders and settings that a command uses.

    $ codegen build                 schemas/ -> generated/, next to the nearest pyproject.toml
    $ codegen build stubs --out gen stubs/ -> gen/, in the current folder

    [tool.codegen]
    root = "schemas"
    out = "generated"
    checks = true

An argument overrides a setting, and a setting overrides the default. Settings of `[tool.codegen]`
and defaults are relative to the folder of that pyproject.toml. Arguments are relative to the
current folder. So are the defaults if no pyproject.toml has such a table.
"""

from __future__ import annotations

import os
import shlex
from argparse import ArgumentParser, Namespace
from collections import Counter
from collections.abc import Sequence
from time import perf_counter
from typing import TYPE_CHECKING

from msgspec import Struct

from codegen.cli import settings
from codegen.cli.failure import Failure, Mistakes
from codegen.cli.settings import ProjectSettings
from codegen.emit.rendered import Rendered
from codegen.options import Options, containing_package
from codegen.output import manifest, system
from codegen.output.plan import Action, BuildPlan, plan
from codegen.output.schemas import Schema, misnamed, schemas
from codegen.output.snapshot import snapshot

ROOT, OUT = "schemas", "generated"
"""The default folders."""


def add_root(parser: ArgumentParser) -> None:
    """Add the argument for the schema folder to a verb."""
    parser.add_argument(
        "root", metavar="ROOT", nargs="?", help="the schema folder (default: schemas)"
    )


def add_out(parser: ArgumentParser) -> None:
    """Add the option for the output folder to a verb."""
    parser.add_argument("--out", metavar="DIR", help="the output folder (default: generated)")


class Project(Struct, frozen=True):
    """The folders and settings of one command."""

    options: Options
    """The options of the stages of a build."""
    base: str
    """The folder that settings are relative to."""
    settings: ProjectSettings = ProjectSettings()
    """The settings of the project."""
    root_origin: str = ""
    """Where the name of the schema folder comes from, for messages."""
    arguments: tuple[str, ...] = ()
    """The words that name folders."""

    @classmethod
    def of(
        cls, arguments: Namespace, *, start: str = os.curdir, has_output: bool = True
    ) -> Project:
        """Combine a command's arguments with the settings around the folder `start`.

        `has_output` states whether the command uses the output folder.
        """
        root, out = (getattr(arguments, name, None) for name in ("root", "out"))
        if "" in (root, out):
            raise Failure("a folder name is empty; write `.` for the current folder")
        base, table = settings.load(start)
        base = os.path.join(start, base)
        _keep_inside("root", None if root else table.root, base, start)
        _keep_inside("out", None if out else table.out, base, start)
        project = cls(
            options_of(base, table, root, out),
            base,
            table,
            root_origin=_origin(root, base, table),
            arguments=(*([root] if root else []), *(["--out", out] if out else [])),
        )
        if has_output:
            project.keep_output_safe()
        return project

    @property
    def root(self) -> str:
        """The schema folder, as shown to the user."""
        return self.options.root

    @property
    def out(self) -> str:
        """The output folder, as shown to the user."""
        return self.options.out

    def keep_output_safe(self) -> None:
        """Refuse an unsafe output folder, such as one in the schema folder."""
        self.keep_safe("output", self.out)
        if system.lies_in(self.out, self.root):
            # Type checkers would read the stub and ignore the module next to it.
            raise Failure(
                f"the output folder `{self.out}` is inside the schema folder `{self.root}`: choose "
                "another output folder"
            )

    def keep_safe(self, whose: str, folder: str) -> None:
        """Refuse to write to an unintended folder: settings may come from a stranger."""
        named = f"the {whose} folder `{folder}`"
        if system.lies_in(self.base, folder):
            raise Failure(f"{named} is the project folder or contains it: choose a separate folder")
        if ".git" in os.path.realpath(folder).casefold().split(os.sep):
            raise Failure(f"{named} is inside a folder `.git` of Git: choose another folder")
        self.keep_inside(whose, folder)

    def keep_inside(self, whose: str, folder: str) -> None:
        """Refuse to write through a symbolic link that leads out of the project."""
        link = system.way_out(folder, self.base)
        if link is not None:
            raise Failure(
                f"the {whose} folder `{folder}` is reached through `{link}`, a symbolic link out of "
                f"the project: replace `{link}` with a real folder"
            )

    @property
    def build_command(self) -> str:
        """The command that builds this project. Example: "codegen build stubs --out gen"."""
        return shlex.join(["codegen", "build", *self.arguments])

    @property
    def init_help(self) -> str:
        """Advice. Example: "run `codegen init` to create a first schema"."""
        base = os.path.relpath(self.base)
        command = shlex.join(["codegen", "init", *([] if base == os.curdir else [base])])
        is_named = self.arguments[:1] == (self.root,)
        creates = "set up a project with" if is_named else "create"
        return f"run `{command}` to {creates} a first schema"


def _keep_inside(name: str, folder: str | None, base: str, start: str) -> None:
    """Refuse a setting that names a folder outside its project: a clone may contain anything.

    The schemas may be elsewhere in the git work tree around the project.

    Raises:
        BadSettings: with the place of the setting
    """
    outermost = base if name == "out" else work_tree(base) or base
    if folder is not None and not system.lies_in(os.path.join(base, folder), outermost):
        words = "the project" if name == "out" else "the project and its Git work tree"
        option = "with --out" if name == "out" else "as ROOT"
        raise settings.refusal(
            name,
            folder,
            f"`{name}` is `{folder}`, which is outside {words}",
            f"name a folder inside, or give this one on the command line {option}",
            start,
        )


def work_tree(folder: str) -> str | None:
    """Return the top folder of the git work tree around a folder; None if there is none."""
    top = os.path.realpath(folder)
    while not os.path.lexists(os.path.join(top, ".git")):
        top, below = os.path.dirname(top), top
        if top == below:
            return None
    return top


def options_of(
    base: str, table: ProjectSettings, root: str | None = None, out: str | None = None
) -> Options:
    """Return the options of the stages, from the settings of the folder `base` and arguments."""
    out = out or _shown(base, table.out or OUT)
    return Options(
        root or _shown(base, table.root or ROOT),
        out,
        runtime=table.runtime,
        checks=table.checks,
        holder=containing_package(out),
    )


def _origin(root: str | None, base: str, table: ProjectSettings) -> str:
    if root:
        return "given on the command line"
    if table.root:
        return f"from `root` in [tool.codegen] of {_shown(base, settings.FILE)}"
    return "the default, because neither ROOT nor `root` in [tool.codegen] is given"


def _shown(base: str, folder: str) -> str:
    return os.path.relpath(os.path.join(base, folder))


if TYPE_CHECKING:
    # A build that finds nothing to do does not import the compiler (see `codegen/cli/build.py`).
    from codegen.pipeline import CompileResult


def sources(project: Project, *, may_be_none: bool = False) -> list[Schema]:
    """Return the schema files of a project.

    With `may_be_none` the result may be empty, if an earlier build wrote the output folder.

    Raises:
        Failure: if there are no schemas. A root without schemas is more often a wrong root than a
            request to remove all generated files.
        Mistakes: if a schema has a name that a module cannot have.
    """
    root = project.root
    if not os.path.isdir(root):
        exists = os.path.lexists(root)
        what = f"the schema folder `{root}` {'is not a folder' if exists else 'does not exist'}"
        advice = "choose another folder" if exists else project.init_help
        raise Failure(f"{what} ({project.root_origin}); {advice}")
    files = schemas(root)
    if not files:
        is_output_left = os.path.isfile(os.path.join(project.out, manifest.NAME))
        if is_output_left and may_be_none:
            return []
        what = f"no schema (*.pyi) in `{root}`"
        advice = project.init_help
        if is_output_left:
            command = f"{project.build_command} --force"
            advice += f", or `{command}` to remove all output in `{project.out}`"
        raise Failure(f"{what} ({project.root_origin}); {advice}")
    report = misnamed(files, root)
    if report:
        raise Mistakes(report)
    return files


def made(compiled: CompileResult) -> tuple[Rendered, ...]:
    """Return the files that are generated from the schemas.

    Raises:
        Mistakes: if the schemas have mistakes.
    """
    if compiled.report:
        raise Mistakes(compiled.report)
    return compiled.rendered


def compare(rendered: Sequence[Rendered], out: str, *, force: bool = False) -> BuildPlan:
    """Return the plan of a build of these files in the folder `out`."""
    return plan(rendered, snapshot(out, [file.path for file in rendered]), force=force)


def summary(plan: BuildPlan, done: str) -> str:
    """Count the files by action: "built 3 modules: 2 written, 1 removed, 58 unchanged"."""
    counts = Counter(step.action for step in plan.steps)
    unchanged, removed = counts[Action.UNCHANGED], counts[Action.REMOVE]
    if not plan.changes:
        return f"up to date: {counted(unchanged, 'file')}"
    written = counts[Action.CREATE] + counts[Action.UPDATE]
    return f"{done}: {written} written, {removed} removed, {unchanged} unchanged"


def run_time_note(plan: BuildPlan, project: Project, done: str) -> str | None:
    """Return a line if a build removes the copy of the run time, the default of 1.0.0rc1."""
    removed = sum(
        step.action is Action.REMOVE and step.path.startswith("_runtime/") for step in plan.steps
    )
    if not removed or not plan.manifest.after or project.options.runtime == "vendored":
        return None
    return (
        "the run time is now the installed `pytree-codegen`, which your program then needs: "
        f"{counted(removed, 'file')} {done} from `{project.out}/_runtime`; import from "
        "`codegen.runtime` instead, or keep the copy with "
        '`runtime = "vendored"` in [tool.codegen]'
    )


def since(started_s: float) -> str:
    """Format the time since `started_s`, a value of `perf_counter`: "0.21 s"."""
    return f"{perf_counter() - started_s:.2f} s"


def counted(number: int, noun: str) -> str:
    """Format a number with its noun: "1 file", "9 files"."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
