"""`codegen show`: print any stage of the pipeline, of all schemas or of one declaration.

    $ codegen show --stage rendered heat.Plate
    $ codegen show schemas --stage plan
    update     heat.py
    unchanged  steel.py

`ROOT` and `NAME` are told apart by the disk: a single word that names a folder is the schema
folder.
"""

from __future__ import annotations

import os
from argparse import ArgumentParser, Namespace

from codegen.cli.console import Console
from codegen.cli.failure import Failure
from codegen.cli.project import Project
from codegen.cli.stages import compare, compile_sources, sources

TYPE_CHECKING = False
if TYPE_CHECKING:
    from codegen.diagnostics import Report
    from codegen.files.schemas import Schema

HELP = "print any stage of the pipeline"
STAGES = ("syntax", "schema", "program", "checked", "view", "rendered", "plan")


def add_arguments(parser: ArgumentParser) -> None:
    """Say what `show` takes."""
    parser.usage = "codegen show [ROOT] --stage STAGE [NAME]"
    parser.add_argument(
        "root", metavar="ROOT", nargs="?", help="the schema folder (default: schemas)"
    )
    # NAME comes behind the stage, and argparse reads no optional word there but as part of it.
    parser.add_argument(
        "--stage",
        metavar="STAGE",
        nargs="+",
        required=True,
        help=f"one of {', '.join(STAGES)}; behind it the NAME of a declaration, of a module "
        "or of both, as in heat.Plate",
    )


def run(arguments: Namespace, console: Console) -> int:
    """Show; 1 where the schemas have to be mended first."""
    from codegen import pipeline
    from codegen.files.names import misnamed

    stage, name = _asked(arguments)
    project = Project.of(arguments, has_output=stage == "plan")
    found = sources(project)
    report = misnamed(found, project.root)
    if report:
        console.report(report)
        return 1
    try:
        shown = (
            _plan(found, project, name)
            if stage == "plan"
            else pipeline.show(found, project.options, stage, name)
        )
    except LookupError as error:
        help_text = str(error) or "name a module, a declaration, or both: heat.Plate"
        raise Failure(f"no schema declares `{name}`; {help_text}") from error
    if isinstance(shown, str):
        console.text(shown)
        return 0
    console.report(shown)
    return 1


def _asked(arguments: Namespace) -> tuple[str, str | None]:
    """The stage and the name; a root that turns out to be the name is taken away."""
    stage, *names = arguments.stage
    if stage not in STAGES:
        from codegen.diagnostics.suggest import did_you_mean

        otherwise = f"there are {', '.join(STAGES)}"
        raise Failure(f"`{stage}` is not a stage; {did_you_mean(stage, STAGES, otherwise)}")
    if arguments.root is not None and not names and not os.path.isdir(arguments.root):
        names, arguments.root = [arguments.root], None
    if len(names) > 1:
        raise Failure(f"one name at a time: {', '.join(names)}")
    return stage, names[0] if names else None


def _plan(found: list[Schema], project: Project, name: str | None) -> str | Report:
    """The plan as text, or why there is none: the one stage that looks at the output folder.

    Raises:
        Failure: where a declaration is named, of which no plan knows.
    """
    from codegen.plan.show import show

    if name is not None:
        raise Failure(f"the plan is one of files, and has nothing to say of `{name}` by itself")

    compiled = compile_sources(found, project)
    if compiled.report.has_errors:
        return compiled.report
    return show(compare(compiled.rendered, project.out))
