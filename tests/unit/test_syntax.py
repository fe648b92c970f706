"""Parsing of stubs: the tree, its documentation, and the positions of errors."""

from __future__ import annotations

import ast
import inspect
import warnings

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codegen.cli.show import text_of
from codegen.diagnostics import Code, Report, text
from codegen.options import Options
from codegen.schema.comments import Doc, Ignore, clean_docstring
from codegen.schema.language import read
from codegen.schema.stub import Assignment, Stub, statements, target
from codegen.source import NOWHERE, Source
from tests.inputs import over_rows

OPTIONS = Options("schemas", "generated")


def _source(text: str) -> Source:
    return Source("schemas/a.pyi", "a", text)


def _read(text: str) -> Stub:
    module, report = read(_source(text))
    assert not report, list(report)
    assert module is not None
    return module


def _refused(text: str) -> Report:
    module, report = read(_source(text))
    assert module is None
    return report


SPANS = """\
@impl('m:f')
def step(plate: int = 1, *, size  : c) -> a . b: ...
class  Box(Base, dims = 3, draft # of = it
    =True): x = Base. \\
  \
  last
class \\
 Grid: é = (Box. # of.it
 first)
"""


@pytest.mark.parametrize("prefix", ["", "# é 温\n", 'é = "温"\n'])
def test_spans(prefix: str) -> None:
    source = _source(f"{prefix}{SPANS.replace('é', 'e') if not prefix else SPANS}")
    found: list[str] = []
    for node in ast.walk(_read(source.text).tree):
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.arg | ast.keyword | ast.Attribute):
            span = source.name_span(node)
            found.append(source.text[span.start : span.end])
        elif isinstance(node, ast.Name):
            assert source.text_of(node) == node.id
    expected = ["step", "Box", "Grid", "plate", "size", "dims", "draft", "b", "last", "first"]
    assert sorted(found) == sorted(expected)


# --- documentation


@pytest.mark.parametrize(
    ("written", "doc"),
    [
        ("x: a  # cells along x", "cells along x"),
        ("x = 1  # cells", "cells"),
        ("x: a = 1  ## cells ", "cells"),
        ("x: a  #: cells", "cells"),
        ("x: a  # cells  # noqa", "cells"),
        ("x: a  # cells  # NOQA: E501", "cells"),
        ("x: a  # type: ignore", ""),
        ("x: a  # codegen: ignore[SOME_CODE]", ""),
        ("x: a  # codegen: ignore[SOME_CODE]  # cells", "cells"),
        ("x: a  # noqa: F821  # cells", "cells"),
        ("x: a  # noqa: F821  #: cells", "cells"),
        ("x: a  # noqa  # type: ignore  # cells of #12", "cells of #12"),
        ("x: a  # cells  # noqa: F821  # of the plate", "cells"),
        ("x: a  # pyright: ignore[x], as #12 says", ""),
        ("x: a  # cells  # pyright: ignore[x]", "cells"),
        ("x: a  # Type: the kind of cell", "Type: the kind of cell"),
        ("x: a  # issue #12", "issue #12"),
        ("x: a\n# below", ""),
        ("# above\nx: a", ""),
        ("x: b[  # the first\n  a,  # the last\n]", "the last"),
        ("x: b[  # the first\n  a,\n]  # noqa", "the first"),
        ("x: b[\n  a,\n]  # behind", "behind"),
        ("x = '#'  # a hash", "a hash"),
        ("x = '#'", ""),
        ("x = '''\n# no comment'''", ""),
        ('x: a  # comment\n"""String."""', "String."),
        ('x: a  # comment\n""', "comment"),
        ('x: a\n"""First.\n\n    Second.\n    """', "First.\n\nSecond."),
        ("x: a; y: a  # of y", ""),
        ("y: a; x: a  # of x", "of x"),
        ("x: a;  # of x", "of x"),
        ("x: a  # é 温", "é 温"),
    ],
)
def test_documentation(written: str, doc: str) -> None:
    stub = _read(written)
    found = [one for one in stub.tree.body if isinstance(one, Assignment)]
    assert [stub.doc(one) for one in found if target(one).id == "x"] == [doc]


def test_position_of_documentation() -> None:
    written = '"""Doc."""\nx: a  # cells\n'
    stub = _read(written)
    (assign,) = statements(stub.tree.body)
    assert stub.docs == {
        stub.tree: Doc("Doc.", stub.source.at(0, 10)),
        assign: Doc("cells", stub.source.at(17, 24)),
    }


@given(st.text(alphabet=st.sampled_from(" \t\nab")))
def test_clean_is_cleandoc(docstring: str) -> None:
    # Python versions treat trailing blanks differently.
    expected = [line.rstrip() for line in inspect.cleandoc(docstring).split("\n")]
    assert [line.rstrip() for line in clean_docstring(docstring).split("\n")] == expected


def test_ignore_comments() -> None:
    written = "x = 1  # codegen: ignore[A, B]\n# codegen:ignore[]\ny = '# codegen: ignore[C]'\n"
    ignores = _read(f"{written}#codegen: ignore").ignores
    assert ignores == (
        Ignore(1, ("A", "B"), NOWHERE),
        Ignore(2, (), NOWHERE),
        Ignore(4, (), NOWHERE),
    )
    assert (ignores[0].span.start, ignores[0].span.end) == (7, 30)


# --- errors

REFUSED = [
    # characters
    ("x\u200b = 1", Code.CONTROL_CHARACTER, "\u200b"),
    ("x = '\u3164'", Code.CONTROL_CHARACTER, "\u3164"),
    ("x = '\ud800'", Code.CONTROL_CHARACTER, "\ud800"),
    ("x = 1  # a\ry = 2", Code.CARRIAGE_RETURN, "\r"),
    # forms
    ("class Box[T]: ...", Code.PEP_695, "[T]"),
    ("class Box[T: (int, str), *S](A[B]): ...", Code.PEP_695, "[T: (int, str), *S]"),
    ("def f[T](x: T) -> T: ...", Code.PEP_695, "[T]"),
    ("class A:\n    def f [T](self): ...", Code.PEP_695, "[T]"),
    ("type X = int", Code.PEP_695, "type X"),
    ("class A: type X[T] = int", Code.PEP_695, "type X"),
    ("class \\\n A[T]: ...", Code.PEP_695, "[T]"),
    ('x = Rf"""{\na}"""', Code.OUTSIDE_LANGUAGE, 'Rf"""{\na}"""'),
    ("x = t'{a}'", Code.OUTSIDE_LANGUAGE, "t'{a}'"),
    # Python
    ("class A\n", Code.SYNTAX, ""),
    ("x = (", Code.SYNTAX, "("),
    ("x = 'a", Code.SYNTAX, "'"),
    ("x = 1 1", Code.SYNTAX, "1"),
    ("if a:\n    b\n  c", Code.SYNTAX, "c"),
    ("x = 1\n  y = 2", Code.SYNTAX, "y"),
    ("class A:\nx = 1", Code.SYNTAX, "x"),
    # statements
    ("if a:\n    b = 1", Code.OUTSIDE_LANGUAGE, "if"),
    ("for a in b: ...", Code.OUTSIDE_LANGUAGE, "for"),
    ("while a: ...", Code.OUTSIDE_LANGUAGE, "while"),
    ("try: ...\nfinally: ...", Code.OUTSIDE_LANGUAGE, "try"),
    ("with a: ...", Code.OUTSIDE_LANGUAGE, "with"),
    ("match a:\n    case 1: ...", Code.OUTSIDE_LANGUAGE, "match"),
    ("del a", Code.OUTSIDE_LANGUAGE, "del"),
    ("global a", Code.OUTSIDE_LANGUAGE, "global"),
    ("assert a", Code.OUTSIDE_LANGUAGE, "assert"),
    ("raise a", Code.OUTSIDE_LANGUAGE, "raise"),
    ("return a", Code.OUTSIDE_LANGUAGE, "return"),
    ("class A:\n    if a: ...", Code.OUTSIDE_LANGUAGE, "if"),
    ("name", Code.OUTSIDE_LANGUAGE, "name"),
    ("a.b", Code.OUTSIDE_LANGUAGE, "a.b"),
    ("x = y = 1", Code.OUTSIDE_LANGUAGE, "x = y"),
    ("x, y = 1", Code.OUTSIDE_LANGUAGE, "x, y"),
    ("[x] = 1", Code.OUTSIDE_LANGUAGE, "[x]"),
    ("(x): a", Code.OUTSIDE_LANGUAGE, "x"),
    # functions
    ("def f():\n    ...\n    if a:\n        b", Code.OUTSIDE_LANGUAGE, "if a:\n        b"),
    ("class A:\n    def f(self): x = 1", Code.OUTSIDE_LANGUAGE, "x = 1"),
    ("def f(a=2 * b, **kw): ...", Code.OUTSIDE_LANGUAGE, "**kw"),
    ("def f(a: x = 4 / 2, /, b=1): ...", Code.OUTSIDE_LANGUAGE, "/"),
    # expressions
    ("from \\\n __future__ import *", Code.OUTSIDE_LANGUAGE, "*"),
    ("from __future__ import barry_as_FLUFL as b\nx = a != b", Code.OUTSIDE_LANGUAGE, "a != b"),
    ("from __future__ import barry_as_FLUFL as b\nx = a <> b", Code.SYNTAX, "<>"),
    ("x = {a: a for a in b}", Code.OUTSIDE_LANGUAGE, "{a: a for a in b}"),
    ("x = (y := 1)", Code.OUTSIDE_LANGUAGE, "y := 1"),
    ("x: a[1:2]", Code.OUTSIDE_LANGUAGE, "1:2"),
    ("x = a and b", Code.OUTSIDE_LANGUAGE, "a and b"),
    ("x = ~a", Code.OUTSIDE_LANGUAGE, "~a"),
    ("x = 1 << 2", Code.OUTSIDE_LANGUAGE, "1 << 2"),
    ("class A(**a): ...", Code.OUTSIDE_LANGUAGE, "**a"),
    ("é = 温 @ a", Code.OUTSIDE_LANGUAGE, "温 @ a"),
    ("x = 1e999j", Code.NUMBER_TOO_LARGE, "1e999j"),
    # quotes
    ('x: "A"', Code.QUOTED_ANNOTATION, '"A"'),
    ('def f(a: b["A"]): ...', Code.QUOTED_ANNOTATION, '"A"'),
    ('def f() -> "A": ...', Code.QUOTED_ANNOTATION, '"A"'),
    ('class A(B["C"]): ...', Code.QUOTED_ANNOTATION, '"C"'),
    ('class A:\n    x: a[b[[c], "D" | None]]', Code.QUOTED_ANNOTATION, '"D"'),
]


@over_rows(REFUSED)
def test_unsupported_syntax_is_reported_at_its_place(written: str, code: Code, marked: str) -> None:
    (found,) = _refused(written)
    assert (found.code, written[found.span.start : found.span.end]) == (code, marked)
    assert found.help


@pytest.mark.parametrize(
    "written",
    [
        "type = 1",
        "type: a = 1",
        "x = type[a]",
        "x: static[Literal['a', 'b'] | None]",
        "from typing import Literal as L\nx: L['a']",
        "x: typing.Literal['a']",
        "x: a = f('b', c='d')",
        "x = 'class A[T]: ...'  # class A[T]: ...\n",
        "x = 'f' 'type X = 1'\n",
        "# f'a'\nx = rb'a'\n",
        "match = 1\ncase: a\n",
        "x = '\\d'\n",
        "x = 'a' 'b'\n",
        "x = 2j",
        "x = 9**9**9",
        *(f"x = a {operator} b" for operator in ("+", "-", "*", "//", "/", "|", "%", "**")),
        "import a.b as c, d\nfrom ..e import f as g\nfrom . import h\n",
        "x = frozenset({1, 2})",
        "class A:\n    '''Doc.'''\n    pass",
        "def f(a, *, b=1): ...",
        "",
        "\n\n# only a comment",
    ],
)
def test_unusual_syntax_is_accepted(written: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        _read(written)


# --- limits


def test_maximum_depth_is_accepted() -> None:
    classes = "".join(f"{' ' * depth}class A:\n" for depth in range(99))
    written = f"{classes}{' ' * 99}x: {'a[' * 99}b{']' * 99}\n"
    assert isinstance(text_of([("a.pyi", "a", written.encode())], OPTIONS, "syntax", None), str)


def test_long_line_is_parsed_in_linear_time() -> None:
    """In quadratic time it would take hours."""
    for written in ("x = (" + "'é'," * 50_000 + ")", '"' + '\\"' * 400_000, "'''" * 200_001):
        module, report = read(_source(written))
        assert (module is None) == bool(report)


# --- whatever the text


def _is_printable(report: Report) -> bool:
    """Whether a report contains only printable characters and no escape codes."""
    return all(c.isprintable() or c == "\n" for c in text.full(report))


@given(st.text(alphabet=st.sampled_from("ax1 \n\t:=()[]{}.,*'\"\\#@/|-é")))
def test_read_never_raises_on_what_looks_like_python(written: str) -> None:
    module, report = read(_source(written))
    assert (module is None) == bool(report)
    assert _is_printable(report)
