"""Statements that have no place in a schema, and what to write instead of each.

if DEBUG: ...     STATEMENT: `if` cannot stand in a schema
x += 1            AUGMENTED_ASSIGNMENT: a schema declares each name once
"""

from __future__ import annotations

import ast
import re

from codegen.diagnostics import Code
from codegen.source import Span
from codegen.syntax.keywords import keyword_named
from codegen.syntax.reading import Reading

_KEYWORD = re.compile(r"async[ \t]+\w+|\w+")
_NEVER_RUN = "a schema is read, never run"
_ONE_FORM = "declare every case; what depends on the run belongs in your own module"
_OWN_MODULE = "do it in the function that `@impl` points at"

# The words of a statement, and the advice.
_STATEMENTS: dict[type[ast.stmt], tuple[str, str]] = {
    ast.If: ("`if`", _ONE_FORM),
    ast.For: ("`for`", "write out what the loop would declare"),
    ast.AsyncFor: ("`async for`", "write out what the loop would declare"),
    ast.While: ("`while`", "write out what the loop would declare"),
    ast.Try: ("`try`", _ONE_FORM),
    ast.TryStar: ("`try`", _ONE_FORM),
    ast.With: ("`with`", _OWN_MODULE),
    ast.AsyncWith: ("`async with`", _OWN_MODULE),
    ast.Match: ("`match`", _ONE_FORM),
    ast.Delete: ("`del`", "leave the declaration out instead"),
    ast.Global: ("`global`", "declare the name at the top of the module"),
    ast.Nonlocal: ("`nonlocal`", "declare the name at the top of the module"),
    ast.Assert: ("`assert`", 'give the field a `convert="module:function"` that checks it'),
    ast.Raise: ("`raise`", _OWN_MODULE),
    ast.Return: ("`return`", _OWN_MODULE),
    ast.Break: ("`break`", "leave it out"),
    ast.Continue: ("`continue`", "leave it out"),
}


def refuse_statement(reading: Reading, node: ast.stmt, span: Span) -> None:
    """Say what a statement is, and what to write instead of it."""
    if isinstance(node, ast.AugAssign):
        _refuse_augmented(reading, node)
        return
    if isinstance(node, ast.AsyncFunctionDef):
        _refuse_async(reading, node, span)
        return
    words, advice = _STATEMENTS.get(
        type(node), ("this statement", "declare dimensions, aliases, enums, classes and functions")
    )
    reading.refuse(
        Code.OUTSIDE_LANGUAGE,
        _first_words(reading, span),
        f"{words} cannot stand in a schema",
        label=_NEVER_RUN,
        advice=advice,
    )


def refuse_expression(reading: Reading, node: ast.expr, span: Span) -> None:
    """Say that an expression that stands alone declares nothing."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        reading.refuse(
            Code.OUTSIDE_LANGUAGE,
            span,
            "this string documents nothing",
            label="no field and no other assignment is directly above it",
            advice="put it directly below what it documents, or write a comment",
        )
        return
    if isinstance(node, ast.Lambda):
        # `lambda: static[int]`: the one keyword before a colon that Python reads.
        reading.found.append(
            keyword_named(reading.source, Span(span.start, span.start + len("lambda")))
        )
        return
    name = f"`{node.id}`" if isinstance(node, ast.Name) else "this expression"
    written = node.id if isinstance(node, ast.Name) else "name"
    reading.refuse(
        Code.OUTSIDE_LANGUAGE,
        span,
        f"{name} alone declares nothing",
        label=_NEVER_RUN,
        advice=f"give it a type, `{written}: static[int]`, or a value, `{written} = ...`",
    )


def _refuse_augmented(reading: Reading, node: ast.AugAssign) -> None:
    target = reading.span(node.target)
    equals = reading.code.find("=", target.end) + 1
    reading.refuse(
        Code.OUTSIDE_LANGUAGE,
        Span(target.start, equals),
        "an assignment changes a name that exists; a schema declares each name once",
        label=_NEVER_RUN,
        advice="write the whole value: `name = value`",
    )


def _refuse_async(reading: Reading, node: ast.AsyncFunctionDef, span: Span) -> None:
    reading.refuse(
        Code.OUTSIDE_LANGUAGE,
        _first_words(reading, span),
        f"`{node.name}` is declared with `async`, and no function under `jax.jit` is",
        label="JAX calls a function and waits for nothing",
        advice=f"write `def {node.name}(...)`",
    )


def _first_words(reading: Reading, span: Span) -> Span:
    """The keyword of a statement: a frame with its whole body would say less."""
    match = _KEYWORD.match(reading.code, span.start, span.end)
    return Span(*match.span()) if match else span
