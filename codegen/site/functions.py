"""A function on its module's page: its signature, and what a call consumes.

def step(plate: donated[Plate]) -> Plate    ->    Entry("step", ..., facts=(Fact("Consumes", ...),))
"""

from __future__ import annotations

from codegen.program.nodes import Function, Parameter, Program
from codegen.program.show import value_text
from codegen.site.links import Links
from codegen.site.nodes import Entry, Fact, Piece, Row, Table, Text
from codegen.site.text import code, paragraphs, span
from codegen.site.trees import consumed_paths, role


def function_entry(program: Program, links: Links, function: Function) -> Entry:
    """All that is known about a function."""
    consumed = [(code(path),) for path in consumed_paths(program, function)]
    facts = (
        Fact("Runs", ((code(f"{function.impl.module}:{function.impl.attribute}"),),)),
        Fact("Consumes", tuple(consumed) or ((span("nothing"),),)),
        Fact("Returns", (links.type(function.returns),)),
    )
    rows = tuple(_row(links, parameter) for parameter in function.parameters)
    return Entry(
        {"id": function.name},
        function.name,
        "function",
        (code(f"def {function.name}"), *signature(links, function)),
        paragraphs(function.doc),
        facts,
        (),
        (Table("Parameters", ("Name", "Role", "Type", "Default"), rows),) if rows else (),
    )


def _row(links: Links, parameter: Parameter) -> Row:
    default = parameter.default
    assert parameter.role is not None, "it is no method"
    cells = (
        (role(parameter.role),),
        links.type(parameter.type),
        () if default is None else (code(value_text(default)),),
    )
    return Row({}, (code(parameter.name),), cells)


def signature(links: Links, function: Function) -> Text:
    """What stands behind the name; of a property, its type alone."""
    if function.kind == "property":
        return links.type(function.returns)
    found: list[Piece] = [code("(")]
    named = False
    for index, parameter in enumerate(function.parameters):
        # What stands behind a `*` is given by keyword, and so is all that follows.
        star = "*, " if parameter.keyword_only and not named else ""
        named = parameter.keyword_only
        found.append(code(f"{', ' if index else ''}{star}{parameter.name}: "))
        found += links.type(parameter.type)
        if parameter.default is not None:
            found.append(code(f" = {value_text(parameter.default)}"))
    return (*found, code(") -> "), *links.type(function.returns))
