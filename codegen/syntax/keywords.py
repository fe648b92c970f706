"""Names that Python keeps for itself, of which its parser says no more than "invalid syntax".

class: static[int]    SYNTAX: `class` is a keyword of Python, and nothing can be called so
"""

from __future__ import annotations

import re
from keyword import iskeyword

from codegen.diagnostics import Code, Diagnostic
from codegen.source import Source, Span
from codegen.syntax.scan import scan

_ROLE = r"(?:static|dynamic|donated|ClassVar)\b"
# Where a word declares something: a field or an alias, a class or a function, a parameter.
_DECLARED = re.compile(
    rf"""
    ^[ \t]* (?: (?:class|def) [ \t]+ (?P<head>\w+) [ \t]*(?=[(:])
              | (?P<name>\w+) [ \t]* (?: (?P<colon>:) [ \t]*(?P<role>{_ROLE})? | =(?!=) ) )
    | [(,] [ \t]* (?P<parameter>\w+) [ \t]* : [ \t]* {_ROLE}
    """,
    re.VERBOSE,
)
# A colon follows these in what is Python.
_BEFORE_COLON = ("else", "except", "finally", "lambda", "try")


def keyword_as_name(source: Source, line: Span) -> Diagnostic | None:
    """What is said of a line that Python refuses, where it declares a keyword."""
    code = scan(source.text).code[line.start : line.end]
    for match in _DECLARED.finditer(code):
        group = next(name for name in ("head", "name", "parameter") if match[name])
        word = match[group]
        is_python = word in _BEFORE_COLON and match["colon"] and not match["role"]
        if iskeyword(word) and not is_python:
            start = line.start + match.start(group)
            return keyword_named(source, Span(start, start + len(word)))
    return None


def keyword_named(source: Source, span: Span) -> Diagnostic:
    """What is said of a keyword in the place of a name."""
    word = source.text[span.start : span.end]
    return Diagnostic(
        Code.SYNTAX,
        source,
        span,
        f"`{word}` is a keyword of Python, and nothing can be called so",
        label="a keyword",
        help=f"take another name, such as `{word}_`",
    )
