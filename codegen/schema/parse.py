r"""Parse a source with `ast`, or report everything that is not Python of every supported version.

parse(Source("heat.pyi", "heat", "class Grid\n"), scan("class Grid\n"))
# Report: SYNTAX: invalid Python syntax: expected ':'

Versions of Python disagree about f-strings in f-strings, `class Box[T]`, `type X = int`, and about
their own limits. Each of them refuses a schema in the same place, with the same message.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from keyword import iskeyword
from typing import Final

from codegen.diagnostics import Code, Diagnostic, Report
from codegen.schema.comments import Scan
from codegen.schema.text import (
    DEPTH_MAX,
    DIGITS_MAX,
    NAME_A_PART,
    nested_too_deeply,
    number_too_large,
)
from codegen.source import Source, Span, parse_python, whole_file

# Python's messages at its own limits, which differ between versions.
_TOO_DEEP: Final = (
    "too many nested parentheses",
    "too many levels of indentation",
    "stack overflow",
)
_ON_EVERY_PYTHON: Final = "not supported, on any version of Python"
_TOO_LONG: Final = "integer string conversion"
_CONFLICT: Final = re.compile(r"^<{7} .*$", re.MULTILINE)

_WORD = re.compile(r"[ \t]*(?P<word>\w+|\S)")
_LONG_INTEGER = re.compile(rf"(?<![\w.])[0-9](?:_?[0-9]){{{DIGITS_MAX},}}+(?![\w.])")
_BRACKET = re.compile(r"[()\[\]{}]")

_GAP = r"(?:[ \t]|\\\n)+"
_NAME = r"(?P<name>[^\W\d]\w*)"
_TYPE_PARAMETERS = re.compile(rf"\b(?:class|def){_GAP}{_NAME}(?:[ \t]|\\\n)*(?P<open>\[)")
_TYPE_STATEMENT = re.compile(
    rf"(?:^|[;:])[ \t]*(?P<type>type{_GAP}{_NAME})(?:[ \t]|\\\n)*[=\[]", re.MULTILINE
)
# Python 3.14 checks the imported names while it parses, and others when they compile. All parse the
# name of another module, which has the same length. The usual import needs no replacement.
_FUTURE = re.compile(
    rf"\bfrom{_GAP}(?P<module>__future__)\b(?!{_GAP}import{_GAP}annotations[ \t]*$)", re.MULTILINE
)
_NO_FUTURE: Final = "__present_"

_ROLE = r"(?:static|dynamic|donated|ClassVar)\b"
# Where a word is declared: as a field or an alias, a class or a function, a parameter.
_DECLARED = re.compile(
    rf"""
    ^[ \t]* (?: (?:class|def) [ \t]+ (?P<head>\w+) [ \t]*(?=[(:])
              | (?P<name>\w+) [ \t]* (?: (?P<colon>:) [ \t]*(?P<role>{_ROLE})? | =(?!=) ) )
    | [(,] [ \t]* (?P<parameter>\w+) [ \t]* : [ \t]* {_ROLE}
    """,
    re.VERBOSE,
)
# In Python a colon may follow these keywords.
_BEFORE_COLON: Final = ("else", "except", "finally", "lambda", "try")


def parse(source: Source, scanned: Scan) -> ast.Module | Report:
    """Return the tree of a text. The text is only parsed, never compiled or run."""
    diagnostics = [
        *(_f_string(span) for span in scanned.f_strings),
        *_deep_brackets(source, scanned.code),
        *_long_integers(source, scanned.code),
    ]
    why = None
    if not diagnostics:
        try:
            return _tree(source.text, scanned.code)
        except SyntaxError as error:
            why = error
        except (RecursionError, MemoryError):
            return Report((_far_too_deep(source),))
    diagnostics += _type_parameters(source, scanned.code)
    diagnostics += _type_statements(source, scanned.code)
    if why is not None and not diagnostics:
        diagnostics.append(_explain(source, scanned.code, why))
    return Report(diagnostics)


def _tree(text: str, code: str) -> ast.Module:
    """Return the tree of a text, with the syntax of Python 3.11."""
    futures = [match.span("module") for match in _FUTURE.finditer(code)]
    for start, end in futures:
        text = f"{text[:start]}{_NO_FUTURE}{text[end:]}"
    tree = parse_python(text, 11)
    for node in ast.walk(tree) if futures else ():
        if isinstance(node, ast.ImportFrom) and node.module == _NO_FUTURE:
            node.module = "__future__"
    return tree


# --- syntax that only some versions of Python read


def _f_string(span: Span) -> Diagnostic:
    message = "an f-string is not allowed, because a schema is never run"
    return Diagnostic(Code.OUTSIDE_LANGUAGE, span, message, help="write a plain string")


def _type_parameters(source: Source, code: str) -> Iterator[Diagnostic]:
    for match in _TYPE_PARAMETERS.finditer(code):
        parameters = source.at(match.start("open"), _find_closing(code, match.start("open")))
        message = f"`{match['name']}` declares type parameters in brackets"
        is_class = code.startswith("class", match.start())
        advice = 'write `T = TypeVar("T")` above and '
        advice += f"`class {match['name']}(Generic[T])`" if is_class else "use `T`"
        advice += f"; for a dimension, `class {match['name']}(dims=(n,))`" if is_class else ""
        yield Diagnostic(Code.PEP_695, parameters, message, _ON_EVERY_PYTHON, advice)


def _type_statements(source: Source, code: str) -> Iterator[Diagnostic]:
    for match in _TYPE_STATEMENT.finditer(code):
        name = match["name"]
        if not iskeyword(name):
            span = source.at(*match.span("type"))
            message = f"`{name}` is declared with a `type` statement"
            advice = f"write `{name} = ...` or `{name}: TypeAlias = ...`"
            yield Diagnostic(Code.PEP_695, span, message, _ON_EVERY_PYTHON, advice)


def _find_closing(code: str, opening: int) -> int:
    """Return the end of a bracketed part, or of its line if it is not closed there."""
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
                yield nested_too_deeply(source.at(*match.span()))
        else:
            depth = max(0, depth - 1)


def _long_integers(source: Source, code: str) -> Iterator[Diagnostic]:
    for match in _LONG_INTEGER.finditer(code):
        yield number_too_large(source.at(*match.span()))


def _far_too_deep(source: Source) -> Diagnostic:
    message = f"this file contains something that is nested far more than {DEPTH_MAX} levels deep"
    return Diagnostic(
        Code.NESTED_TOO_DEEPLY, whole_file(source.path, source.module), message, help=NAME_A_PART
    )


# --- syntax that no version of Python reads


def _explain(source: Source, code: str, error: SyntaxError) -> Diagnostic:
    span = _span(source, error)
    words = error.msg
    if any(part in words for part in _TOO_DEEP):
        return nested_too_deeply(span)
    if _TOO_LONG in words:
        return number_too_large(span)
    line, _ = source.position(span.start)
    if conflict := _CONFLICT.search(source.text):
        advice = (
            "keep the lines that you want, and delete those with `<<<<<<<`, `=======` and `>>>>>>>`"
        )
        message = "Git could not merge this file"
        return Diagnostic(Code.SYNTAX, source.at(*conflict.span()), message, "conflict", advice)
    if keyword := _keyword_as_name(source, code, source.line_span(line)):
        return keyword
    return Diagnostic(
        Code.SYNTAX,
        span,
        "invalid Python syntax" + ("" if words == "invalid syntax" else f": {words}"),
        help="check this line, and the line above, for a missing bracket, quote, colon or comma",
    )


def _span(source: Source, error: SyntaxError) -> Span:
    """Return the position of a syntax error. Python gives it in parts, beyond the end, or not at
    all.
    """
    start = _offset(source, error.lineno, error.offset)
    end = _offset(source, error.end_lineno, error.end_offset)
    line = source.line_span(source.position(start)[0])
    if isinstance(error, IndentationError):
        # Python points at the blanks, or after the line. The first word is a better position.
        start, end = line.start, line.start
    if end <= start and (word := _WORD.match(source.text, start, line.end)):
        start, end = word.span("word")
    return source.at(start, min(max(end, start), line.end))


def _offset(source: Source, line: int | None, column: int | None) -> int:
    """Return the nearest character to a line and a column in characters, both from 1."""
    line = line or 1
    if line > len(source.line_starts):
        return len(source.text)
    span = source.line_span(max(line, 1))
    return min(span.start + max((column or 1) - 1, 0), span.end)


def _keyword_as_name(source: Source, code: str, line: Span) -> Diagnostic | None:
    """Report a line that declares a keyword: Python only says "invalid syntax"."""
    for match in _DECLARED.finditer(code[line.start : line.end]):
        group = next(name for name in ("head", "name", "parameter") if match[name])
        word = match[group]
        is_python = word in _BEFORE_COLON and match["colon"] and not match["role"]
        if iskeyword(word) and not is_python:
            start = line.start + match.start(group)
            return keyword_named(source.at(start, start + len(word)))
    return None


def keyword_named(span: Span) -> Diagnostic:
    """Report a keyword that is used as a name."""
    word = span.text
    return Diagnostic(
        Code.SYNTAX,
        span,
        f"`{word}` is a Python keyword and cannot be used as a name",
        label="Python keyword",
        help=f"use another name, such as `{word}_`",
    )
