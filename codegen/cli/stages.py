"""What several verbs do around the stages: find the schemas, compare with the disk, count.

found = sources(project)                               # the schema files
files = made(pipeline.compile(found, project.options)) # what they make
compare(files, project.out)                            # a plan
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from time import perf_counter
from typing import TYPE_CHECKING

from codegen.cli.failure import Failure, Mistakes
from codegen.cli.project import Project
from codegen.emit.rendered import Rendered
from codegen.output import manifest
from codegen.output.plan import Action, Plan, plan
from codegen.output.schemas import Schema, misnamed, schemas
from codegen.output.snapshot import snapshot

if TYPE_CHECKING:
    # A build that finds nothing to do loads no compiler (see `codegen/cli/build.py`).
    from codegen.pipeline import Compiled


def sources(
    project: Project, made: Sequence[str] = (), *, may_be_none: bool = False
) -> list[Schema]:
    """The schema files of a project; with `may_be_none`, none where these folders were made of some.

    Raises:
        Failure: where there is none. A root without schemas is more often a wrong root than the
            wish to remove every file that was ever generated.
        Mistakes: where the name of one is none that a module can have.
    """
    root = project.root
    if not os.path.isdir(root):
        exists = os.path.lexists(root)
        what = f"the schema folder `{root}` {'is no folder' if exists else 'does not exist'}"
        advice = "name another" if exists else project.init_help
        raise Failure(f"{what}: {project.root_origin}; {advice}")
    found = schemas(root)
    if not found:
        left = [folder for folder in made if os.path.isfile(os.path.join(folder, manifest.NAME))]
        if left and may_be_none:
            return []
        what = f"no schema (*.pyi) below `{root}`"
        advice = project.init_help
        if left:
            named = " and ".join(f"`{folder}`" for folder in left)
            advice += f", and `{project.build_command} --force` removes what was made in {named}"
        raise Failure(f"{what}: {project.root_origin}; {advice}")
    report = misnamed(found, root)
    if report:
        raise Mistakes(report)
    return found


def made(compiled: Compiled) -> tuple[Rendered, ...]:
    """The files that the schemas make.

    Raises:
        Mistakes: where they are wrong.
    """
    if compiled.report:
        raise Mistakes(compiled.report)
    return compiled.rendered


def compare(
    rendered: Sequence[Rendered],
    out: str,
    *,
    force: bool = False,
    content: manifest.Content = "package",
) -> Plan:
    """What a build would do with these files in the folder `out`, which is to hold this."""
    disk = snapshot(out, [file.path for file in rendered])
    return plan(rendered, disk, force=force, content=content)


def summary(plan: Plan, done: str) -> str:
    """What becomes of how many files: "built 3 modules: 2 written, 1 removed, 58 unchanged"."""
    counts = Counter(step.action for step in plan.steps)
    unchanged, removed = counts[Action.UNCHANGED], counts[Action.REMOVE]
    if not plan.changes:
        return f"up to date: {counted(unchanged, 'file')}"
    written = counts[Action.CREATE] + counts[Action.UPDATE]
    return f"{done}: {written} written, {removed} removed, {unchanged} unchanged"


def since(started_s: float) -> str:
    """The time that has passed since, by `perf_counter`, as status lines have it: "0.21 s"."""
    return f"{perf_counter() - started_s:.2f} s"


def counted(number: int, noun: str) -> str:
    """A number and what it counts: "1 file", "9 files"."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
