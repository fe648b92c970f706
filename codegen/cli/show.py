"""`codegen show`: print any stage of the pipeline, of all schemas or of one declaration.

    $ codegen show --stage rendered heat.Plate

The file system distinguishes `ROOT` and `NAME`: a single word that names a folder is the schema
folder.
"""

from __future__ import annotations

import ast
import os
import re
from argparse import ArgumentParser, Namespace
from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from codegen import pipeline
from codegen.check.facts import Facts
from codegen.cli.console import Console
from codegen.cli.dump import dump, shown_fields
from codegen.cli.failure import Failure, Mistakes
from codegen.cli.project import Project, add_root, sources
from codegen.diagnostics import Report
from codegen.diagnostics.suggest import did_you_mean, nearest
from codegen.options import Options
from codegen.output.schemas import Schema
from codegen.program.types import Ref
from codegen.schema.stub import Assignment, target

HELP = "print the result of one stage of the compiler"
EXAMPLE = "codegen show schemas --stage rendered heat.Plate"
_STAGES = """\
syntax    the statements of each schema, as Python parses them
schema    the declarations of each schema, as written
program   the declarations, with all names, types and values resolved
checked   the program, and the facts that its checks found
view      the names, types and expressions that the templates insert
rendered  the generated code"""


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments of `show`."""
    parser.usage = (
        "codegen show [-h] [--output-format FORMAT] [-q] [-v]\n"
        "                    [ROOT] --stage STAGE [NAME]"
    )
    add_root(parser)
    # NAME follows the stage, and argparse can read an optional word there only as part of it.
    parser.add_argument(
        "--stage",
        metavar=("STAGE", "NAME"),
        nargs="+",
        required=True,
        help="required; the stage to print, listed below",
    )
    parser.add_argument_group(
        "NAME", "a module, a declaration or both, such as heat.Plate\n(default: everything)"
    )
    parser.add_argument_group("STAGE", _STAGES)


def run(arguments: Namespace, console: Console) -> int:
    """Print the stage.

    Raises:
        Mistakes: if the schemas must be fixed first.
    """
    stage, name = _stage_and_name(arguments)
    project = Project.of(arguments, has_output=False)
    schemas = sources(project)
    try:
        shown = text_of(schemas, project.options, stage, name)
    except LookupError as error:
        help_text = str(error) or "name a module, a declaration, or both, as in heat.Plate"
        raise Failure(f"no schema declares `{name}`; {help_text}") from error
    if not isinstance(shown, str):
        raise Mistakes(shown)
    console.text(shown)
    return 0


def _stage_and_name(arguments: Namespace) -> tuple[str, str | None]:
    """Return the stage and the name. If the root is really the name, clear the root."""
    stage, *names = arguments.stage
    if stage == "plan":
        raise Failure(
            "the stage `plan` was removed; `codegen check --diff` shows what a build would change"
        )
    if stage not in pipeline.STAGES:
        raise Failure(f"`{stage}` is not a stage; {nearest(stage, pipeline.STAGES)}")
    if arguments.root is not None and not names and not os.path.isdir(arguments.root):
        names, arguments.root = [arguments.root], None
    if len(names) > 1:
        raise Failure(f"give only one NAME, not {', '.join(names)}")
    return stage, names[0] if names else None


def text_of(
    files: Sequence[Schema], options: Options, stage: str, name: str | None
) -> str | Report:
    """Return the text of a stage, for all schemas or for `name`; or the mistakes found on the way.

    A name is a module, "a.b", a declaration, "Plate", or both, "a.b.Plate".

    Raises:
        LookupError: if nothing has that name; its text suggests a similar name.
    """
    stages = pipeline.run(files, options, stage)
    if stages.report:
        return stages.report
    declared = {
        (stub.source.module, _name(node)) for stub in stages.syntax for node in stub.tree.body
    }
    modules = {stub.source.module for stub in stages.syntax}
    known = modules.union(*((own, f"{module}.{own}") for module, own in declared if own))
    if name not in (None, *known):
        raise LookupError(did_you_mean(name or "", known))

    def is_wanted(module: str, own: str) -> bool:
        is_named = (module, own) in declared and name in (own, f"{module}.{own}")
        return is_named or name in (None, module)

    if stage == "rendered":
        own = (name or "").rpartition(".")[2]
        lines = [
            f"==> {file.path} <==\n"
            + (file.text if is_wanted(module, "") else _statements(file.text, own))
            for file in stages.rendered
            if is_wanted(module := _module(file.path), own)
        ]
    else:
        lines = [
            f"{line}\n"
            for module, own, title, value in _parts(stages, stage)
            if is_wanted(module, own)
            for line in dump(f"{module} {title}", value)
        ]
    return "".join(lines)


def _parts(stages: pipeline.Stages, stage: str) -> Iterator[tuple[str, str, str, object]]:
    """Yield the parts of each module: the module, the declaration or "", a title, and the part."""
    modules: Iterable[tuple[str, Struct | ast.AST]] = ()
    if stage == "syntax":
        modules = ((stub.source.module, stub.tree) for stub in stages.syntax)
    elif stage == "schema":
        modules = ((module.name, module) for module in stages.schema)
    elif stage == "view":
        modules = ((_module(view.path), view) for view in stages.view)
    elif stages.program:
        modules = ((module.name, module) for module in stages.program.modules)
    for module, node in modules:
        for title, value in shown_fields(node):
            if isinstance(value, tuple | list) and any(map(_name, value)):
                yield from ((module, _name(one), title, one) for one in value)
            else:
                yield module, "", title, value
    if stage == "checked" and stages.checked:
        yield from _facts(stages.checked.facts)


def _facts(facts: Facts) -> Iterator[tuple[str, str, str, object]]:
    for title in facts.__struct_fields__:
        found = getattr(facts, title)
        for fact in sorted(found.items() if isinstance(found, dict) else found):
            about = fact
            while isinstance(about, tuple):
                about = about[0]
            module, name = (about.module, about.name) if isinstance(about, Ref) else (about, "")
            yield module, name, title, fact


def _name(node: object) -> str:
    """Return the name of a declaration, in any stage."""
    return target(node).id if isinstance(node, Assignment) else getattr(node, "name", "")


def _module(path: str) -> str:
    """Return the name of the module in a file of the output."""
    return path.removesuffix(".py").replace("/", ".")


def _statements(text: str, name: str) -> str:
    """Return the statements that define `Plate`, its helpers such as `_codegen_key_Plate`, or
    register it, unchanged.
    """
    lines = text.split("\n")
    own = re.compile(rf"{name}|_codegen_(?:[a-z]+_{name}|{name}_\w+)")
    found: list[str] = []
    for node in ast.parse(text).body:
        if own.fullmatch(_defined(node)):
            first = min(one.lineno for one in (node, *getattr(node, "decorator_list", ())))
            found.append("\n".join(lines[first - 1 : node.end_lineno]) + "\n")
    return "\n\n".join(found)


def _defined(statement: ast.stmt) -> str:
    """Return the name that a statement of the output defines or registers."""
    match statement:
        case (
            ast.ClassDef(name=name)
            | ast.FunctionDef(name=name)
            | ast.AnnAssign(target=ast.Name(id=name))
            | ast.Assign(targets=[ast.Name(id=name)])
            | ast.Expr(value=ast.Call(args=[ast.Name(id=name), *_]))
        ):
            return name
        case _:
            return ""
