r"""A source to the tree of one stub, or everything that is wrong with it.

    read(Source("heat.pyi", "heat", "nx = Dim()  # cells\n"))
    (Module(body=(Assign("nx", value=Call(Name("Dim")), doc="cells"),)), Report())

Four passes, each of which stops the ones below it where it finds something: characters, forms that
Python's versions read differently, Python's own syntax, and the language.
"""

from __future__ import annotations

import ast

from codegen.diagnostics import Diagnostic, Report
from codegen.source import Source, Span
from codegen.syntax.bodies import docstring
from codegen.syntax.characters import check_characters
from codegen.syntax.forms import check_forms
from codegen.syntax.nodes import Module
from codegen.syntax.parse import parse
from codegen.syntax.quoted import check_quoted
from codegen.syntax.reading import Reading
from codegen.syntax.scan import scan
from codegen.syntax.statements import statements


def read(source: Source) -> tuple[Module | None, Report]:
    """The tree of a stub; None where the report is not empty."""
    report = check_characters(source)
    if report:
        return None, report
    scanned = scan(source.text)
    report = check_forms(source, scanned)
    if report:
        return None, report
    parsed = parse(source)
    if isinstance(parsed, Diagnostic):
        return None, Report((parsed,))
    reading = Reading(source, scanned)
    module = _module(reading, parsed)
    report = Report(reading.found).merge(check_quoted(module))
    return (None if report else module), report


def _module(reading: Reading, parsed: ast.Module) -> Module:
    doc, doc_span, rest = docstring(reading, parsed.body)
    return Module(
        doc,
        statements(reading, rest),
        reading.source,
        Span(0, len(reading.source.text)),
        doc_span,
        reading.comments.ignores(),
        reading.comments.renames(),
    )
