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

from codegen import pipeline
from codegen.cli.console import Console
from codegen.cli.failure import Failure, Mistakes
from codegen.cli.project import Project, add_root
from codegen.cli.stages import compare, made, sources
from codegen.diagnostics.suggest import nearest
from codegen.plan.show import show as show_plan

HELP = "print any stage of the pipeline"
STAGES = (*pipeline.STAGES, "plan")


def add_arguments(parser: ArgumentParser) -> None:
    """Say what `show` takes."""
    parser.usage = "codegen show [ROOT] --stage STAGE [NAME]"
    add_root(parser)
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
    """Show.

    Raises:
        Mistakes: where the schemas have to be mended first.
    """
    stage, name = _asked(arguments)
    project = Project.of(arguments, has_output=stage == "plan")
    found = sources(project)
    if stage == "plan":
        # The one stage that looks at the output folder.
        if name is not None:
            raise Failure(f"the plan is one of files, and has nothing to say of `{name}` by itself")
        files = made(pipeline.compile(found, project.options))
        console.text(show_plan(compare(files, project.out)))
        return 0
    try:
        shown = pipeline.show(found, project.options, stage, name)
    except LookupError as error:
        help_text = str(error) or "name a module, a declaration, or both: heat.Plate"
        raise Failure(f"no schema declares `{name}`; {help_text}") from error
    if not isinstance(shown, str):
        raise Mistakes(shown)
    console.text(shown)
    return 0


def _asked(arguments: Namespace) -> tuple[str, str | None]:
    """The stage and the name; a root that turns out to be the name is taken away."""
    stage, *names = arguments.stage
    if stage not in STAGES:
        raise Failure(f"`{stage}` is not a stage; {nearest(stage, STAGES)}")
    if arguments.root is not None and not names and not os.path.isdir(arguments.root):
        names, arguments.root = [arguments.root], None
    if len(names) > 1:
        raise Failure(f"one name at a time: {', '.join(names)}")
    return stage, names[0] if names else None
