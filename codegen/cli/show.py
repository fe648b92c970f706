"""`codegen show`: print any stage of the pipeline, of all schemas or of one declaration.

    $ codegen show --stage rendered heat.Plate

The file system distinguishes `ROOT` and `NAME`: a single word that names a folder is the schema
folder.
"""

from __future__ import annotations

import ast
import os
from argparse import ArgumentParser, Namespace
from collections.abc import Iterable, Iterator, Sequence

from codegen import pipeline
from codegen.check.check import Checked
from codegen.cli.console import Console
from codegen.cli.failure import Failure, Mistakes
from codegen.cli.project import Project, add_root, sources
from codegen.diagnostics import Report
from codegen.diagnostics.suggest import did_you_mean, nearest
from codegen.emit.show import show_rendered, show_view
from codegen.node import dump
from codegen.options import Options
from codegen.output.schemas import Schema
from codegen.program.nodes import Class, Module
from codegen.program.show import Selection, show_program
from codegen.schema.nodes import ModuleDecl, Ref, declarations
from codegen.schema.stub import Assignment, Stub, target
from codegen.schema.vocabulary import LanguageWord

HELP = "print the result of one stage of the compiler"
EXAMPLE = "codegen show schemas --stage rendered heat.Plate"
_STAGES = """\
syntax    the syntax tree of each schema, as Python parses it
schema    the declarations of each schema, as written
program   the declarations, with all names, types and values resolved
checked   the program, and whether each class is static and has donated fields
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

    Raises:
        LookupError: if nothing has that name; its text suggests a similar name.
    """
    stages = pipeline.run(files, options, stage)
    if stages.report:
        return stages.report
    declared = {
        stub.source.module: [_bound(one) for one in stub.tree.body if _bound(one)]
        for stub in stages.syntax
    }
    wanted = _find(declared, name)
    if wanted is None:
        known = {*declared, *(one for names in declared.values() for one in names)}
        if name and "." in name:
            known |= {f"{module}.{one}" for module, names in declared.items() for one in names}
        raise LookupError(did_you_mean(name or "", known))
    return _text(stages, stage, wanted)


def _find(declared: dict[str, list[str]], name: str | None) -> Selection | None:
    """Find `name` among the modules and the names that they declare; None if it is not there.

    It is a module, "a.b", a declaration, "Plate", or both, "a.b.Plate".
    """
    if name is None:
        return Selection(None)
    places = {(module, "") for module in declared if module == name}
    places |= {
        (module, own)
        for module, names in declared.items()
        for own in names
        if name in (own, f"{module}.{own}")
    }
    return Selection(frozenset(places)) if places else None


def _text(stages: pipeline.Stages, stage: str, wanted: Selection) -> str:
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


def _tree(stub: Stub, wanted: Selection) -> Iterator[str]:
    """Yield the syntax tree of a stub, or of the wanted declarations in it, in ASCII."""
    name = stub.source.module
    if wanted.has_module(name):
        yield f"module {name}"
        for node in stub.tree.body:
            if wanted.has_declaration(name, _bound(node)):
                yield ast.dump(node, indent=2).encode("ascii", "backslashreplace").decode()


def _bound(node: ast.stmt) -> str:
    if isinstance(node, Assignment):
        return target(node).id
    return node.name if isinstance(node, ast.ClassDef | ast.FunctionDef) else ""


def show_schema(modules: Iterable[ModuleDecl], wanted: Selection) -> str:
    """Return the text of the wanted declarations.

    module heat
      ClassDecl name='Grid'
        fields: FieldDecl name='nx' role='static' type=int doc='cells along x'
    """
    selected = (module for module in modules if wanted.has_module(module.name))
    return "".join(f"{line}\n" for module in selected for line in _schema_module(module, wanted))


def _schema_module(module: ModuleDecl, wanted: Selection) -> Iterator[str]:
    def leaf(value: object) -> str | None:
        """Return the source of an expression, in one line."""
        if isinstance(value, LanguageWord):
            return value.name
        if isinstance(value, Ref):
            return ascii(value.name)
        if isinstance(value, ast.expr):
            text = module.source.span(value).text
            return " ".join(ascii(text)[1:-1].replace("\\n", " ").split())
        return None

    yield f"module {module.name}"
    if wanted.has_whole_module(module.name):
        for imported in module.imports:
            yield from (f"  {line}" for line in dump(imported, leaf))
    for decl in declarations(module):
        if wanted.has_declaration(module.name, decl.name):
            yield from (f"  {line}" for line in dump(decl, leaf))


def show_checked(checked: Checked, wanted: Selection) -> str:
    """Return the text of the program, and below it the facts about the wanted declarations.

    module heat
      class Grid: static
      class Plate: dynamic, donates
    """
    facts = [
        line
        for module in checked.program.modules
        if wanted.has_module(module.name)
        for line in _checked_module(checked, module, wanted)
    ]
    return show_program(checked.program, wanted) + "".join(f"{line}\n" for line in facts)


def _checked_module(checked: Checked, module: Module, wanted: Selection) -> Iterator[str]:
    yield f"facts about {module.name}"
    for node in module.classes:
        if wanted.has_declaration(module.name, node.ref.name):
            yield f"  class {node.ref.name}: {', '.join(_facts_of(checked, node))}"
    if wanted.has_whole_module(module.name):
        for importer, imported in sorted(checked.facts.late):
            if importer == module.name:
                yield f"  {imported} is imported late"


def _facts_of(checked: Checked, node: Class) -> Iterator[str]:
    yield "static" if checked.facts.is_static(node.ref) else "dynamic"
    if node.ref in checked.facts.donating:
        yield "donates"
    for name in node.type_parameters:
        roles = sorted(checked.facts.parameter_roles[node.ref, name])
        yield f"{name} is {' and '.join(roles) or 'not used'}"
