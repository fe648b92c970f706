"""Parsing of stubs: the tree, its documentation, and the positions of errors."""

from __future__ import annotations

import ast
import inspect
import warnings
from textwrap import dedent

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codegen.cli.show import text_of
from codegen.diagnostics import Code, Report, text
from codegen.options import Options
from codegen.schema.comments import Doc, Ignore, clean_docstring, scan
from codegen.schema.language import read
from codegen.schema.stub import Assignment, Stub, dotted, items, parameters, statements, target
from codegen.schema.text import NODES_MAX
from codegen.source import NOWHERE, Source
from tests.inputs import over_rows

OPTIONS = Options("schemas", "generated")

HEAT = '''\
"""Explicit heat diffusion."""

from codegen.schema import Dim, donated, dynamic, f32, impl, static

nx = Dim(mesh="rows")  # cells along x

class Plate(Base, dims=(nx,)):
    """Temperature of the plate.

    And its clock.
    """

    u: donated[f32[nx, nx + 1]]  # temperature [K]
    t: dynamic[f32] = -0.5
    """Time [s]."""
    share(u, t)

    @impl("heat_model:energy")
    def energy(self) -> f32:
        """Heat content [J]."""

@impl("heat_model:step", keep_unused=True)
def step(plate: donated[Plate], *, n: static[int] = 1) -> Plate: ...
'''


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


# --- the tree


def test_parse_module() -> None:
    stub = _read(HEAT)
    imported, nx, plate, step = statements(stub.tree.body)
    assert [stub.doc(one) for one in (stub.tree, imported, nx, step)] == [
        "Explicit heat diffusion.",
        "",
        "cells along x",
        "",
    ]
    assert isinstance(plate, ast.ClassDef)
    assert stub.doc(plate) == "Temperature of the plate.\n\nAnd its clock."
    assert [(type(one), stub.doc(one)) for one in statements(plate.body)] == [
        (ast.AnnAssign, "temperature [K]"),
        (ast.AnnAssign, "Time [s]."),
        (ast.Expr, ""),
        (ast.FunctionDef, "Heat content [J]."),
    ]


def test_parse_function() -> None:
    (function,) = _read("def f(a, /, b=1, *, c, d: e = 2): ...".replace("/, ", "")).tree.body
    assert isinstance(function, ast.FunctionDef)
    found = [
        (p.name, p.default and ast.unparse(p.default), p.keyword_only) for p in parameters(function)
    ]
    assert found == [("a", None, False), ("b", "1", False), ("c", None, True), ("d", "2", True)]


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("a[()]", []),
        ("a[*b]", ["*b"]),
        ("a[(b, c)]", ["b", "c"]),
        ("a[[b], c]", ["[b]", "c"]),
        ("a", []),
    ],
)
def test_parse_items_of_subscripts(written: str, expected: list[str]) -> None:
    assert [ast.unparse(one) for one in items(ast.parse(written, mode="eval").body)] == expected


def test_parse_attribute_paths() -> None:
    found = [dotted(ast.parse(one, mode="eval").body) for one in ("a", "a.b.c", "f().b")]
    assert found == [["a"], ["a", "b", "c"], ["", "b"]]


def test_pass_and_ellipsis_are_dropped() -> None:
    body = _read("class A: ...\nclass B:\n    pass\n...\n").tree.body
    assert [one.name for one in statements(body) if isinstance(one, ast.ClassDef)] == ["A", "B"]


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


def test_documentation_inside_a_class() -> None:
    stub = _read("class A(Enum):\n    X = 1  # first\n    Y = 2\n    'second'\n")
    (enum,) = stub.tree.body
    assert isinstance(enum, ast.ClassDef)
    assert [stub.doc(one) for one in statements(enum.body)] == ["first", "second"]


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
    ("x = 1  # a\u202eb", Code.CONTROL_CHARACTER, "\u202e"),
    ("x\u200b = 1", Code.CONTROL_CHARACTER, "\u200b"),
    ("x = '\x00'", Code.CONTROL_CHARACTER, "\x00"),
    ("\x0cx = 1", Code.CONTROL_CHARACTER, "\x0c"),
    ("x = '\x1b'", Code.CONTROL_CHARACTER, "\x1b"),
    ("x = '\u3164'", Code.CONTROL_CHARACTER, "\u3164"),
    ("x = 1\n\ufeff", Code.CONTROL_CHARACTER, "\ufeff"),
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
    ('x = f"{a}"', Code.OUTSIDE_LANGUAGE, 'f"{a}"'),
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
    ("import a\n'stray'", Code.OUTSIDE_LANGUAGE, "'stray'"),
    ("async def f(): ...", Code.OUTSIDE_LANGUAGE, "async def"),
    ("from a import *", Code.OUTSIDE_LANGUAGE, "*"),
    ("x = y = 1", Code.OUTSIDE_LANGUAGE, "x = y"),
    ("x, y = 1", Code.OUTSIDE_LANGUAGE, "x, y"),
    ("[x] = 1", Code.OUTSIDE_LANGUAGE, "[x]"),
    ("x.y = 1", Code.OUTSIDE_LANGUAGE, "x.y"),
    ("x[0]: a = 1", Code.OUTSIDE_LANGUAGE, "x[0]"),
    ("(x): a", Code.OUTSIDE_LANGUAGE, "x"),
    ("x += 1", Code.OUTSIDE_LANGUAGE, "x +="),
    # functions
    ("def f():\n    '''Doc.'''\n    return 1", Code.OUTSIDE_LANGUAGE, "return 1"),
    ("def f():\n    ...\n    if a:\n        b", Code.OUTSIDE_LANGUAGE, "if a:\n        b"),
    ("class A:\n    def f(self): x = 1", Code.OUTSIDE_LANGUAGE, "x = 1"),
    ("def f(*args): ...", Code.OUTSIDE_LANGUAGE, "*args"),
    ("def f(a=2 * b, **kw): ...", Code.OUTSIDE_LANGUAGE, "**kw"),
    ("def f(a, /, b): ...", Code.OUTSIDE_LANGUAGE, "/"),
    ("def f(a: x = 4 / 2, /, b=1): ...", Code.OUTSIDE_LANGUAGE, "/"),
    # expressions
    ("x = lambda: 1", Code.OUTSIDE_LANGUAGE, "lambda: 1"),
    ("from \\\n __future__ import *", Code.OUTSIDE_LANGUAGE, "*"),
    ("from __future__ import barry_as_FLUFL as b\nx = a != b", Code.OUTSIDE_LANGUAGE, "a != b"),
    ("from __future__ import barry_as_FLUFL as b\nx = a <> b", Code.SYNTAX, "<>"),
    ("x = [a for a in b]", Code.OUTSIDE_LANGUAGE, "[a for a in b]"),
    ("x = {a: a for a in b}", Code.OUTSIDE_LANGUAGE, "{a: a for a in b}"),
    ("x = f(a for a in b)", Code.OUTSIDE_LANGUAGE, "(a for a in b)"),
    ("x = (y := 1)", Code.OUTSIDE_LANGUAGE, "y := 1"),
    ("x = {1}", Code.OUTSIDE_LANGUAGE, "{1}"),
    ("x = {1}", Code.OUTSIDE_LANGUAGE, "{1}"),
    ("x: a[1:2]", Code.OUTSIDE_LANGUAGE, "1:2"),
    ("x = 1 if a else 2", Code.OUTSIDE_LANGUAGE, "1 if a else 2"),
    ("x = a and b", Code.OUTSIDE_LANGUAGE, "a and b"),
    ("x = a < b", Code.OUTSIDE_LANGUAGE, "a < b"),
    ("x = not a", Code.OUTSIDE_LANGUAGE, "not a"),
    ("x = ~a", Code.OUTSIDE_LANGUAGE, "~a"),
    ("x = 1 << 2", Code.OUTSIDE_LANGUAGE, "1 << 2"),
    ("x = f(**a)", Code.OUTSIDE_LANGUAGE, "**a"),
    ("class A(**a): ...", Code.OUTSIDE_LANGUAGE, "**a"),
    ("é = 温 @ a", Code.OUTSIDE_LANGUAGE, "温 @ a"),
    ("x = 1e999", Code.NUMBER_TOO_LARGE, "1e999"),
    ("x = 1e999j", Code.NUMBER_TOO_LARGE, "1e999j"),
    # quotes
    ('x: static["A"]', Code.QUOTED_ANNOTATION, '"A"'),
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


def test_all_errors_are_reported_in_order() -> None:
    report = _refused("x = lambda: 1\nfrom a import *\nx: 'A' = {1}\nclass B:\n    del x\n")
    assert [one.code for one in report] == [
        Code.OUTSIDE_LANGUAGE,
        Code.OUTSIDE_LANGUAGE,
        Code.QUOTED_ANNOTATION,
        Code.OUTSIDE_LANGUAGE,
        Code.OUTSIDE_LANGUAGE,
    ]


def test_source_excerpt_of_an_error() -> None:
    written = 'class Plate:\n    u: donated["Field"]  # temperature [K]\n'
    assert text.full(_refused(written)) == dedent(
        """\
        error[QUOTED_ANNOTATION]: a type is written as a string
         --> schemas/a.pyi:2:16
          |
        2 |     u: donated["Field"]  # temperature [K]
          |                ^^^^^^^ a type in quotes
          |
          = help: write `Field`: a schema can use a name above its declaration
        """
    )


def test_function_body_error_names_where_code_goes() -> None:
    (found,) = _refused("def step(x: a) -> a:\n    return x\n")
    assert "codegen never runs a schema" in found.message
    assert 'name it with `@impl("module:step")`' in found.help


# --- limits


@pytest.mark.parametrize(
    "written",
    [
        "x = " + "(" * 101 + ")" * 101,
        "x = " + "[" * 5000,
        "x: " + "a[" * 101 + "b" + "]" * 101,
        "x = " + "-" * 150 + "1",
        "x = " + "-" * 100_000 + "1",
        "x = a" + ".b" * 150,
        "x = a" + ".b" * 100_000,
        "x = a" + " | b" * 150,
        "x = a" + " ** b" * 150,
        "\n".join(" " * depth + "class A:" for depth in range(120)),
        "x = " + "not " * 100_000 + "a",
        "x = " + "lambda: " * 20_000 + "a",
    ],
)
def test_nested_too_deeply(written: str) -> None:
    # If only Python's parser rejects a text, the error may be that of the parser.
    codes = {one.code for one in _refused(written)}
    assert codes <= {Code.NESTED_TOO_DEEPLY, Code.OUTSIDE_LANGUAGE}


def test_maximum_depth_is_accepted() -> None:
    classes = "".join(f"{' ' * depth}class A:\n" for depth in range(99))
    written = f"{classes}{' ' * 99}x: {'a[' * 99}b{']' * 99}\n"
    assert isinstance(text_of([("a.pyi", "a", written.encode())], OPTIONS, "syntax", None), str)


def test_long_integers() -> None:
    for digits in ("9" * 4301, "1" + "_0" * 4300, "0x" + "f" * 4000):
        (found,) = _refused(f"x = {digits}\n")
        assert found.code is Code.NUMBER_TOO_LARGE
        assert (found.span.start, found.span.end) == (4, 4 + len(digits))
    _read(f"x = {'9' * 4300}")


def test_too_many_nodes() -> None:
    (found,) = _refused("x = (" + "0," * (NODES_MAX + 5) + ")\n")
    assert found.code is Code.SOURCE_TOO_LARGE
    report = _refused("x = 0\n" * (NODES_MAX // 2 + 5))
    assert [one.code for one in report] == [Code.SOURCE_TOO_LARGE]


def test_long_line_is_parsed_in_linear_time() -> None:
    """In quadratic time it would take hours."""
    for written in ("x = (" + "'é'," * 50_000 + ")", '"' + '\\"' * 400_000, "'''" * 200_001):
        module, report = read(_source(written))
        assert (module is None) == bool(report)


# --- scanning


@pytest.mark.parametrize(
    ("written", "code"),
    [
        ("a # b", "a    "),
        ("'#' a", "    a"),
        ("'\\'' a", "     a"),
        ("r'\\' a' b", "        b"),
        ("'''a\nb''' c", "    \n     c"),
        ('"""a"b""" c', "          c"),
        ("'a\nb", "  \nb"),
        ("'a\\\nb' c", "   \n   c"),
        ("'' a", "   a"),
        ("rb'a' b", "      b"),
    ],
)
def test_scan_blanks_comments_and_strings(written: str, code: str) -> None:
    assert scan(_source(written)).code == code


# --- whatever the text


def _is_printable(report: Report) -> bool:
    """Whether a report contains only printable characters and no escape codes."""
    return all(c.isprintable() or c == "\n" for c in text.full(report))


@given(st.text(alphabet=st.sampled_from("ax1 \n\t:=()[]{}.,*'\"\\#@/|-é")))
def test_read_never_raises_on_what_looks_like_python(written: str) -> None:
    module, report = read(_source(written))
    assert (module is None) == bool(report)
    assert _is_printable(report)


@given(st.data())
def test_read_never_raises_on_mutated_stubs(data: st.DataObject) -> None:
    written = HEAT
    for _ in range(data.draw(st.integers(1, 4))):
        start = data.draw(st.integers(0, len(written)))
        end = data.draw(st.integers(start, min(start + 20, len(written))))
        piece = data.draw(
            st.one_of(
                st.text(max_size=3),
                st.sampled_from(["lambda: ", "*", "if a:\n", "class B[T]:", '"""', "#", "\\\n"]),
                st.builds(lambda at: HEAT[at : at + 30], st.integers(0, len(HEAT))),
            )
        )
        written = written[:start] + piece + written[end:]
    module, report = read(_source(written))
    assert (module is None) == bool(report)
    for one in report:
        assert 0 <= one.span.start <= one.span.end <= max(len(one.source.text), 0)
    assert "\x1b" not in text.full(report)
