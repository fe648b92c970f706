"""Reading stubs: the tree, its documentation, and what is refused at which place."""

from __future__ import annotations

import inspect
import warnings
from textwrap import dedent

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codegen.diagnostics import Code, Report, text
from codegen.source import Source, Span
from codegen.syntax import read
from codegen.syntax.comments import clean
from codegen.syntax.limits import NODES_MAX
from codegen.syntax.nodes import (
    Assign,
    Attribute,
    Binary,
    Call,
    Class,
    Constant,
    Expr,
    Expression,
    Function,
    Ignore,
    Import,
    ImportedName,
    ImportFrom,
    Keyword,
    List,
    Module,
    Name,
    Parameter,
    Starred,
    Subscript,
    Tuple,
    Unary,
)
from codegen.syntax.scan import scan
from codegen.syntax.show import show
from tests.inputs import over_rows

AT = Span(0, 0)

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


def _read(text: str) -> Module:
    module, report = read(_source(text))
    assert not report, list(report)
    assert module is not None
    return module


def _refused(text: str) -> Report:
    module, report = read(_source(text))
    assert module is None
    return report


def _name(name: str) -> Name:
    return Name(name, AT)


def _number(value: float) -> Constant:
    return Constant(value, AT)


# --- the tree


def test_a_whole_module() -> None:
    f32, field = _name("f32"), Binary("+", _name("nx"), _number(1), AT)
    plate = Class(
        "Plate",
        (_name("Base"),),
        (Keyword("dims", Tuple((_name("nx"),), AT), AT, AT),),
        (
            Assign(
                "u",
                Subscript(_name("donated"), (Subscript(f32, (_name("nx"), field), AT),), AT),
                None,
                "temperature [K]",
                AT,
                AT,
            ),
            Assign(
                "t",
                Subscript(_name("dynamic"), (f32,), AT),
                Unary("-", _number(0.5), AT),
                "Time [s].",
                AT,
                AT,
            ),
            Expression(Call(_name("share"), (_name("u"), _name("t")), (), AT), AT),
            Function(
                "energy",
                (Parameter("self", None, None, "positional", AT, AT),),
                f32,
                (Call(_name("impl"), (Constant("heat_model:energy", AT),), (), AT),),
                "Heat content [J].",
                AT,
                AT,
            ),
        ),
        (),
        "Temperature of the plate.\n\nAnd its clock.",
        AT,
        AT,
    )
    module = _read(HEAT)
    assert module.doc == "Explicit heat diffusion."
    assert module.body[2] == plate
    assert module.body[1] == Assign(
        "nx",
        None,
        Call(_name("Dim"), (), (Keyword("mesh", Constant("rows", AT), AT, AT),), AT),
        "cells along x",
        AT,
        AT,
    )


def test_a_function() -> None:
    function = _read(HEAT).body[3]
    role, of_int = Subscript(_name("donated"), (_name("Plate"),), AT), (_name("int"),)
    assert function == Function(
        "step",
        (
            Parameter("plate", role, None, "positional", AT, AT),
            Parameter("n", Subscript(_name("static"), of_int, AT), _number(1), "keyword", AT, AT),
        ),
        _name("Plate"),
        (
            Call(
                _name("impl"),
                (Constant("heat_model:step", AT),),
                (Keyword("keep_unused", Constant(True, AT), AT, AT),),
                AT,
            ),
        ),
        "",
        AT,
        AT,
    )


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("a.b", Attribute(_name("a"), "b", AT, AT)),
        ("a[()]", Subscript(_name("a"), (), AT)),
        ("a[*b]", Subscript(_name("a"), (Starred(_name("b"), AT),), AT)),
        ("a[...]", Subscript(_name("a"), (Constant(..., AT),), AT)),
        ("a[[b], c]", Subscript(_name("a"), (List((_name("b"),), AT), _name("c")), AT)),
        ("()", Tuple((), AT)),
        ("(a,)", Tuple((_name("a"),), AT)),
        ("b'x'", Constant(b"x", AT)),
        ("'a' 'b'", Constant("ab", AT)),
        ("2j", Constant(2j, AT)),
        ("None", Constant(None, AT)),
        ("+1", Unary("+", _number(1), AT)),
        *(
            (f"a {operator} b", Binary(operator, _name("a"), _name("b"), AT))
            for operator in ("+", "-", "*", "//", "/", "|", "%", "**")
        ),
        ("9**9**9", Binary("**", _number(9), Binary("**", _number(9), _number(9), AT), AT)),
    ],
)
def test_expressions(written: str, expected: Expr) -> None:
    assert _read(f"x = {written}\n").body == (Assign("x", None, expected, "", AT, AT),)


def test_imports() -> None:
    assert _read("import a.b as c, d\nfrom ..e import f as g\nfrom . import h\n").body == (
        Import((ImportedName("a.b", "c", AT), ImportedName("d", None, AT)), AT),
        ImportFrom("e", 2, (ImportedName("f", "g", AT),), AT),
        ImportFrom("", 1, (ImportedName("h", None, AT),), AT),
    )
    assert ImportedName("a.b", None, AT).bound == "a"
    assert ImportedName("a.b", "c", AT).bound == "c"


def test_pass_and_ellipsis_vanish() -> None:
    assert _read("class A: ...\nclass B:\n    pass\n...\n").body == (
        Class("A", (), (), (), (), "", AT, AT),
        Class("B", (), (), (), (), "", AT, AT),
    )


@pytest.mark.parametrize("prefix", ["", "# é 温\n", 'é = "温"; '])
def test_spans(prefix: str) -> None:
    written = prefix + (
        "@impl('m:f')\ndef step(plate: int = 1) -> a . b: ...\n"
        "class  Box(Base, dims = 3): ...\nx: a = f(mesh=2)\n"
        if "\n" in prefix or not prefix
        else "z = 1"
    )
    source = _source(written)
    spans: dict[str, str] = {}
    for name, span in _spans(_read(written)):
        spans.setdefault(name, source.text[span.start : span.end])
    if prefix and "\n" not in prefix:
        assert spans == {"é": "é", "z": "z"}
    else:
        assert spans == {"step": "step", "plate": "plate", "b": "b", "Box": "Box"} | {
            "dims": "dims",
            "x": "x",
            "mesh": "mesh",
        }


def _spans(node: object) -> list[tuple[str, Span]]:
    """The name and the place of the name of every node that has both."""
    own = [(node.name, node.name_span)] if hasattr(node, "name_span") else []  # type: ignore[attr-defined]
    children = [
        child
        for name in getattr(node, "__slots__", ())
        for value in [getattr(node, name)]
        for child in (value if isinstance(value, tuple) else [value])
    ]
    return own + [found for child in children for found in _spans(child)]


def test_spans_are_no_part_of_a_comparison() -> None:
    assert _read("x = 1").body == _read("\n\nx  =  1").body


def test_the_tree_is_hashable() -> None:
    assert hash(_read(HEAT)) == hash(_read(HEAT))


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
    found = {one.name: one for one in _read(written).body if isinstance(one, Assign)}
    assert found["x"].doc == doc


def test_documentation_within_a_class() -> None:
    (enum,) = _read("class A(Enum):\n    X = 1  # first\n    Y = 2\n    'second'\n").body
    assert isinstance(enum, Class)
    assert [one.doc for one in enum.body if isinstance(one, Assign)] == ["first", "second"]


def test_the_place_of_documentation() -> None:
    written = '"""Doc."""\nx: a  # cells\n'
    module = _read(written)
    (assign,) = module.body
    assert isinstance(assign, Assign)
    assert module.doc_span == Span(0, 10)
    assert assign.doc_span is not None
    assert written[assign.doc_span.start : assign.doc_span.end] == "# cells"


@given(st.text(alphabet=st.sampled_from(" \t\nab")))
def test_clean_is_cleandoc(docstring: str) -> None:
    # Trailing blanks are where versions of Python differ.
    expected = [line.rstrip() for line in inspect.cleandoc(docstring).split("\n")]
    assert [line.rstrip() for line in clean(docstring).split("\n")] == expected


def test_ignores() -> None:
    written = "x = 1  # codegen: ignore[A, B]\n# codegen:ignore[]\ny = '# codegen: ignore[C]'\n"
    ignores = _read(f"{written}#codegen: ignore").ignores
    assert ignores == (Ignore(1, ("A", "B"), AT), Ignore(2, (), AT), Ignore(4, (), AT))
    assert (ignores[0].span.start, ignores[0].span.end) == (7, 30)


# --- what is refused

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
def test_refused(written: str, code: Code, marked: str) -> None:
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
        "class A:\n    '''Doc.'''\n    pass",
        "def f(a, *, b=1): ...",
        "",
        "\n\n# only a comment",
    ],
)
def test_accepted(written: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        _read(written)


def test_all_mistakes_are_reported_in_order() -> None:
    report = _refused("x = lambda: 1\nfrom a import *\nx: 'A' = {1}\nclass B:\n    del x\n")
    assert [one.code for one in report] == [
        Code.OUTSIDE_LANGUAGE,
        Code.OUTSIDE_LANGUAGE,
        Code.QUOTED_ANNOTATION,
        Code.OUTSIDE_LANGUAGE,
        Code.OUTSIDE_LANGUAGE,
    ]


def test_a_frame() -> None:
    written = 'class Plate:\n    u: donated["Field"]  # temperature [K]\n'
    assert text.full(_refused(written)) == dedent(
        """\
        error[QUOTED_ANNOTATION]: a type is written as a string
         --> schemas/a.pyi:2:16
          |
        2 |     u: donated["Field"]  # temperature [K]
          |                ^^^^^^^ a schema may use a name above its declaration
          |
          = help: leave the quotes out: `Field`
        """
    )


def test_a_function_body_is_told_where_code_goes() -> None:
    (found,) = _refused("def step(x: a) -> a:\n    return x\n")
    assert "codegen never runs a schema" in found.message
    assert "point @impl at the function" in found.help


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
    # A text that only Python's parser refuses may be refused as it refuses it.
    codes = {one.code for one in _refused(written)}
    assert codes <= {Code.NESTED_TOO_DEEPLY, Code.OUTSIDE_LANGUAGE}


def test_the_deepest_that_is_accepted() -> None:
    classes = "".join(f"{' ' * depth}class A:\n" for depth in range(99))
    written = f"{classes}{' ' * 99}x: {'a[' * 99}b{']' * 99}\n"
    assert show(_read(written))


def test_long_integers() -> None:
    for digits in ("9" * 4301, "1" + "_0" * 4300, "0x" + "f" * 4000):
        (found,) = _refused(f"x = {digits}\n")
        assert found.code is Code.NUMBER_TOO_LARGE
        assert found.span == Span(4, 4 + len(digits))
    largest = int("9" * 4300)
    assert _read(f"x = {largest}").body == (Assign("x", None, Constant(largest, AT), "", AT, AT),)


def test_too_many_nodes() -> None:
    (found,) = _refused("x = (" + "0," * (NODES_MAX + 5) + ")\n")
    assert found.code is Code.SOURCE_TOO_LARGE
    report = _refused("x = 0\n" * (NODES_MAX // 2 + 5))
    assert [one.code for one in report] == [Code.SOURCE_TOO_LARGE]


def test_one_long_line_is_answered() -> None:
    """At once: in time that grows with the square of its length, it would take hours."""
    for written in ("x = (" + "'é'," * 50_000 + ")", '"' + '\\"' * 400_000, "'''" * 200_001):
        module, report = read(_source(written))
        assert (module is None) == bool(report)


# --- scanning and showing


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
    assert scan(written).code == code


def test_show() -> None:
    written = 'nx = Dim("\u00e9")  # cells\n\nclass A(B):\n    x: c[-1, ...] = None\n'
    assert show(_read(written)) == dedent(
        """\
        Module 1:1 doc=''
          Assign 1:1 name='nx' doc='cells'
            value: Call 1:6
              function: Name 1:6 id='Dim'
              arguments: Constant 1:10 value='\\xe9'
          Class 3:1 name='A' doc=''
            bases: Name 3:9 id='B'
            Assign 4:5 name='x' doc=''
              annotation: Subscript 4:8
                value: Name 4:8 id='c'
                items: Unary 4:10 operator='-'
                  operand: Constant 4:11 value=1
                items: Constant 4:14 value=Ellipsis
              value: Constant 4:21 value=None
        """
    )


# --- whatever the text


def _is_printable(report: Report) -> bool:
    """Whether a terminal shows every character of what is said, and obeys none."""
    return all(c.isprintable() or c == "\n" for c in text.full(report))


@given(st.text())
def test_read_never_raises(written: str) -> None:
    module, report = read(_source(written))
    assert (module is None) == bool(report)
    assert _is_printable(report)


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
