"""Functions: parameters, and a body that holds documentation alone.

@impl("heat_model:step")
def step(plate: donated[Plate], *, n: static[int] = 1) -> Plate:
    \"\"\"Advance the plate.\"\"\"

Function("step", (Parameter("plate", ...), Parameter("n", ..., kind="keyword")), ...)
"""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from typing import Literal

from codegen.diagnostics import Code
from codegen.source import Span
from codegen.syntax import nodes
from codegen.syntax.bodies import docstring, is_nothing
from codegen.syntax.expressions import default_value, expression, several
from codegen.syntax.reading import Reading
from codegen.syntax.special import GENERATED

_NAME = re.compile(r"def(?:[ \t]|\\\n)+(\w+)")
_WORD = re.compile(r"\w+")
_Kind = Literal["positional", "keyword"]


def function(reading: Reading, node: ast.FunctionDef, span: Span) -> nodes.Function:
    """Our node for a function."""
    doc, doc_span, rest = docstring(reading, node.body)
    # Of a function whose very name is refused, `__init__`, nothing else is worth a word.
    if node.name not in GENERATED:
        _refuse_body(reading, node, rest)
        _refuse_unnamed(reading, node.args)
    match = _NAME.match(reading.code, span.start)
    return nodes.Function(
        node.name,
        _parameters(reading, node.args),
        None if node.returns is None else expression(reading, node.returns),
        several(reading, node.decorator_list),
        doc,
        span,
        Span(*match.span(1)) if match else span,
        doc_span,
    )


def _refuse_body(reading: Reading, node: ast.FunctionDef, rest: Sequence[ast.stmt]) -> None:
    for statement in rest:
        if not is_nothing(statement):
            reading.refuse(
                Code.OUTSIDE_LANGUAGE,
                reading.span(statement),
                f"`{node.name}` has a body, but codegen never runs a schema",
                label="only a docstring or `...` stands here",
                advice="point @impl at the function that does this: "
                f'`@impl("module:{node.name}")`, and leave the docstring alone here',
            )
            return


def _refuse_unnamed(reading: Reading, arguments: ast.arguments) -> None:
    """Refuse parameters that a call does not name: each one has a role of its own."""
    for stars, argument in (("*", arguments.vararg), ("**", arguments.kwarg)):
        if argument is not None:
            name = reading.span(argument)
            start = reading.code.rfind(stars, 0, name.start)
            reading.refuse(
                Code.OUTSIDE_LANGUAGE,
                Span(start, name.start + len(argument.arg)),
                f"`{stars}{argument.arg}` takes any number of arguments",
                label="every argument has a name and a role",
                advice="declare each argument, or one with the type `tuple[T, ...]`",
            )
    if arguments.posonlyargs:
        end = reading.span(arguments.posonlyargs[-1]).end
        if len(arguments.defaults) > len(arguments.args):
            last = len(arguments.defaults) - len(arguments.args) - 1
            end = reading.span(arguments.defaults[last]).end
        slash = reading.code.find("/", end)
        reading.refuse(
            Code.OUTSIDE_LANGUAGE,
            Span(slash, slash + 1),
            "`/` hides the names of the parameters before it",
            label="the generated function is called by name, too",
            advice="leave the `/` out",
        )


def _parameters(reading: Reading, arguments: ast.arguments) -> tuple[nodes.Parameter, ...]:
    positional = [*arguments.posonlyargs, *arguments.args]
    undefaulted = len(positional) - len(arguments.defaults)
    defaults = [*[None] * undefaulted, *arguments.defaults]
    return (
        *(
            _parameter(reading, argument, default, "positional")
            for argument, default in zip(positional, defaults, strict=True)
        ),
        *(
            _parameter(reading, argument, default, "keyword")
            for argument, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
        ),
    )


def _parameter(
    reading: Reading, argument: ast.arg, default: ast.expr | None, kind: _Kind
) -> nodes.Parameter:
    span = reading.span(argument)
    annotation = argument.annotation
    name = _WORD.match(reading.code, span.start)
    return nodes.Parameter(
        argument.arg,
        None if annotation is None else expression(reading, annotation),
        None if default is None else default_value(reading, default),
        kind,
        span,
        Span(*name.span()) if name else span,
    )
