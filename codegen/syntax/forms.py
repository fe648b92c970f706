"""Forms that versions of Python read differently, refused before Python reads them.

    class Box[T]:        PEP_695: Python 3.12 parses it, Python 3.11 calls it a syntax error
    f"{x["a"]}"          F_STRING: likewise

So that a schema means the same, and is refused in the same place, on every Python.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from keyword import iskeyword

from codegen.diagnostics import Code, Diagnostic, Report
from codegen.source import Source, Span
from codegen.syntax.limits import DEPTH_MAX, DIGITS_MAX, nested_too_deeply, number_too_large
from codegen.syntax.scan import Scan

_GAP = r"(?:[ \t]|\\\n)+"
_NAME = r"(?P<name>[^\W\d]\w*)"
_TYPE_PARAMETERS = re.compile(rf"\b(?:class|def){_GAP}{_NAME}(?:[ \t]|\\\n)*(?P<open>\[)")
_TYPE_STATEMENT = re.compile(
    rf"(?:^|[;:])[ \t]*(?P<type>type{_GAP}{_NAME})(?:[ \t]|\\\n)*[=\[]", re.MULTILINE
)
_LONG_INTEGER = re.compile(rf"(?<![\w.])[0-9](?:_?[0-9]){{{DIGITS_MAX},}}+(?![\w.])")
_DIMENSION = re.compile(r"\b(\w+)[ \t]*=[ \t]*Dim\b")
_BRACKET = re.compile(r"[()\[\]{}]")


def check_forms(source: Source, scanned: Scan) -> Report:
    """Every such form in a text, and whatever is beyond the limits of some Python."""
    return Report(
        (
            *(_f_string(source, span) for span in scanned.f_strings),
            *_type_parameters(source, scanned.code),
            *_type_statements(source, scanned.code),
            *_deep_brackets(source, scanned.code),
            *_long_integers(source, scanned.code),
        )
    )


def _f_string(source: Source, span: Span) -> Diagnostic:
    return Diagnostic(
        Code.OUTSIDE_LANGUAGE,
        source,
        span,
        "an f-string is computed, and a schema is never run",
        help="write a plain string",
    )


def _type_parameters(source: Source, code: str) -> Iterator[Diagnostic]:
    dims: set[str] | None = None
    for match in _TYPE_PARAMETERS.finditer(code):
        dims = {*_DIMENSION.findall(code)} if dims is None else dims
        parameters = Span(match.start("open"), _closing(code, match.start("open")))
        name = match["name"]
        yield Diagnostic(
            Code.PEP_695,
            source,
            parameters,
            f"`{name}` declares type parameters in brackets",
            label="this form is refused on every Python",
            help=_instead(code, match, parameters, dims),
        )


def _instead(code: str, match: re.Match[str], parameters: Span, dims: set[str]) -> str:
    """What to write for a class or a function with parameters in brackets."""
    above = 'write `T = TypeVar("T")` above and '
    if code[match.start()] != "c":
        return f"{above}use `T`"
    names = re.findall(r"\w+", code[parameters.start : parameters.end])
    sizes = ", ".join(name for name in names if name in dims)
    sizes = f"dims=({sizes}{'' if ', ' in sizes else ','})" if sizes else ""
    if sizes and dims.issuperset(names):
        return f"write `class {match['name']}({sizes})`"
    return f"{above}`class {match['name']}({', '.join(filter(None, ('Generic[T]', sizes)))})`"


def _type_statements(source: Source, code: str) -> Iterator[Diagnostic]:
    for match in _TYPE_STATEMENT.finditer(code):
        name = match["name"]
        if not iskeyword(name):
            yield Diagnostic(
                Code.PEP_695,
                source,
                Span(*match.span("type")),
                f"`{name}` is declared by a `type` statement",
                label="this form is refused on every Python",
                help=f"write `{name} = ...` or `{name}: TypeAlias = ...`",
            )


def _closing(code: str, opening: int) -> int:
    """The end of a bracketed part, or of its line where it is not closed there."""
    depth = 0
    for at in range(opening, len(code)):
        depth += (code[at] == "[") - (code[at] == "]")
        if depth == 0:
            return at + 1
        if code[at] == "\n":
            return at
    return len(code)


def _deep_brackets(source: Source, code: str) -> Iterator[Diagnostic]:
    depth = 0
    for match in _BRACKET.finditer(code):
        if match[0] in "([{":
            depth += 1
            if depth == DEPTH_MAX + 1:
                yield nested_too_deeply(source, Span(*match.span()))
        else:
            depth = max(0, depth - 1)


def _long_integers(source: Source, code: str) -> Iterator[Diagnostic]:
    for match in _LONG_INTEGER.finditer(code):
        yield number_too_large(source, Span(*match.span()))
