"""`codegen show`: print any stage of the pipeline, of all schemas or of one declaration.

    $ codegen show --stage rendered heat.Plate
    $ codegen show schemas --stage plan
    update     heat.py
    unchanged  steel.py

`ROOT` and `NAME` are told apart by the disk: a single word that names a folder is the schema
folder.
"""

from __future__ import annotations

import ast
import os
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Sequence

from codegen import pipeline
from codegen.checked.show import show as show_checked
from codegen.cli.console import Console
from codegen.cli.failure import Failure, Mistakes
from codegen.cli.project import Project, add_root
from codegen.cli.stages import compare, made, sources
from codegen.diagnostics import Report
from codegen.diagnostics.suggest import did_you_mean, nearest
from codegen.dump import Wanted, find
from codegen.emit.show import show_rendered, show_view
from codegen.options import Options
from codegen.output.plan import Plan
from codegen.output.schemas import Schema
from codegen.program.show import show as show_program
from codegen.schema.show import show as show_schema
from codegen.schema.stub import Assignment, Stub, target

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
        shown = text_of(found, project.options, stage, name)
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


def show_plan(plan: Plan) -> str:
    """One line for each file and each refusal, sorted by path, the manifest last."""
    lines = [(step.path, f"{step.action:<9}  {step.path}") for step in plan.steps]
    lines += [(one.path, f"{'refuse':<9}  {one.path}: {one.reason}") for one in plan.refusals]
    last = f"{plan.manifest.action:<9}  {plan.manifest.path}"
    return "".join(f"{line}\n" for line in (*(line for _, line in sorted(lines)), last))


def text_of(
    files: Sequence[Schema], options: Options, stage: str, name: str | None
) -> str | Report:
    """The text of a stage, of all schemas or of what is called `name`; or the mistakes before it.

    Raises:
        LookupError: where nothing is called so; its text says what was probably meant.
    """
    stages = pipeline.run(files, options, stage)
    if stages.report:
        return stages.report
    declared = {
        stub.source.module: [_bound(one) for one in stub.tree.body if _bound(one)]
        for stub in stages.syntax
    }
    wanted = find(declared, name)
    if wanted is None:
        known = {*declared, *(one for names in declared.values() for one in names)}
        if name and "." in name:
            known |= {f"{module}.{one}" for module, names in declared.items() for one in names}
        raise LookupError(did_you_mean(name or "", known))
    return _text(stages, stage, wanted)


def _text(stages: pipeline.Stages, stage: str, wanted: Wanted) -> str:
    if stage == "syntax":
        return "".join(f"{line}\n" for stub in stages.syntax for line in _tree(stub, wanted))
    if stage == "schema":
        return show_schema(stages.schema, wanted)
    if stage == "program" and stages.program:
        return show_program(stages.program, wanted)
    if stage == "checked" and stages.checked:
        return show_checked(stages.checked, wanted)
    if stage == "view" and stages.view:
        return show_view(stages.view, wanted)
    return show_rendered(stages.rendered, wanted)


def _tree(stub: Stub, wanted: Wanted) -> Iterator[str]:
    """The tree of a stub, or of the declarations in it that are wanted, in ASCII."""
    name = stub.source.module
    if wanted.module(name):
        yield f"module {name}"
        for node in stub.tree.body:
            if wanted.one(name, _bound(node)):
                yield ast.dump(node, indent=2).encode("ascii", "backslashreplace").decode()


def _bound(node: ast.stmt) -> str:
    if isinstance(node, Assignment):
        return target(node).id
    return node.name if isinstance(node, ast.ClassDef | ast.FunctionDef) else ""
