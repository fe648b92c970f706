"""What several verbs do with the stages: find the schemas, compile them, compare with the disk.

found = sources(project)
compiled = compile_sources(found, project)    # a report, or the rendered files
compare(compiled.rendered, project.out)       # a plan
"""

from __future__ import annotations

import os

from codegen.cli.failure import Failure
from codegen.files.schemas import Schema, schemas
from codegen.plan import manifest

TYPE_CHECKING = False
if TYPE_CHECKING:  # loaded when there is something to build
    from collections.abc import Sequence

    from codegen.cli.project import Project
    from codegen.pipeline import Compiled
    from codegen.plan.nodes import Plan
    from codegen.rendered.nodes import Rendered


def sources(
    project: Project, made: Sequence[str] = (), *, may_be_none: bool = False
) -> list[Schema]:
    """The schema files of a project; with `may_be_none`, none where these folders were made of some.

    Raises:
        Failure: where there is none. A root without schemas is more often a wrong root than the
            wish to remove every file that was ever generated.
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
    return found


def compile_sources(found: list[Schema], project: Project, *, reads_back: bool = True) -> Compiled:
    """What is wrong with the schemas; if nothing is, the files that they make."""
    from codegen import pipeline
    from codegen.files.names import misnamed

    report = misnamed(found, project.root)
    if report:
        return pipeline.Compiled(report, ())
    return pipeline.compile(found, project.options, reads_back=reads_back)


def compile_laws(found: list[Schema], project: Project) -> Compiled:
    """The same for the laws of these files."""
    from msgspec.structs import replace

    from codegen import pipeline

    return pipeline.compile_laws(found, replace(project.options, package=project.package))


def compare(
    rendered: Sequence[Rendered],
    out: str,
    *,
    force: bool = False,
    content: manifest.Content = "package",
) -> Plan:
    """What a build would do with these files in the folder `out`, which is to hold this."""
    from codegen.files.snapshot import snapshot
    from codegen.plan.make import plan

    disk = snapshot(out, [file.path for file in rendered])
    return plan(rendered, disk, force=force, content=content)


def tally(plan: Plan) -> tuple[int, int, int]:
    """How many files are written, removed and left as they are."""
    from codegen.plan.nodes import Action

    actions = [step.action for step in plan.steps]
    written = actions.count(Action.CREATE) + actions.count(Action.UPDATE)
    return written, actions.count(Action.REMOVE), actions.count(Action.UNCHANGED)


def seconds(duration_s: float) -> str:
    """A duration as status lines have it: "0.21 s"."""
    return f"{duration_s:.2f} s"


def counted(number: int, noun: str) -> str:
    """A number and what it counts: "1 file", "9 files"."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
