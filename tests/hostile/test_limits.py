"""Schemas that are too deep, long or wide, or that contain huge numbers."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterator

import pytest

from codegen import pipeline
from codegen.diagnostics import Code
from codegen.lint.lint import LINTS
from codegen.options import Options
from tests.hostile.schemas import HEAD, codes, compiled
from tests.inputs import over, over_rows

_CLASS = HEAD + "class Grid:\n"
DEPTHS = [99, 1000, 90_000]
# These are long, not deep. Each of their statements is rejected separately.
LONG = ("decorators", "semicolons", "elif")
NESTED: dict[str, Callable[[int], str]] = {
    "tuple": lambda n: f"{_CLASS}    x: static[{'tuple[' * n}int{', ...]' * n}]\n",
    "parentheses": lambda n: f"{_CLASS}    x: static[{'(' * n}int{')' * n}]\n",
    "brackets": lambda n: f"{_CLASS}    x: static[int] = {'[' * n}{']' * n}\n",
    "braces": lambda n: f"{_CLASS}    x: static[int] = {'{' * n}{'}' * n}\n",
    "open": lambda n: f"{_CLASS}    x: static[int] = {'(' * n}\n",
    "signs": lambda n: f"{_CLASS}    x: static[int] = {'-' * n}1\n",
    "not": lambda n: f"{_CLASS}    x: static[int] = {'not ' * n}1\n",
    "union": lambda n: f"{_CLASS}    x: static[{'int | ' * n}str]\n",
    "sum": lambda n: f"{_CLASS}    x: dynamic[f32[{'nx + ' * n}1]]\n",
    "attribute": lambda n: f"{_CLASS}    x: static[a{'.b' * n}]\n",
    "call": lambda n: f"{_CLASS}    x: static[int] = {'f(' * n}{')' * n}\n",
    "calls": lambda n: f"{_CLASS}    x: static[int] = f{'()' * n}\n",
    "subscripts": lambda n: f"{_CLASS}    x: static[int{'[0]' * n}]\n",
    "lambda": lambda n: f"{_CLASS}    x: static[int] = {'lambda: ' * n}1\n",
    "conditional": lambda n: f"{_CLASS}    x: static[int] = {'1 if 1 else ' * n}1\n",
    "power": lambda n: f"{_CLASS}    x: static[int] = {'9**' * n}9\n",
    "comparison": lambda n: f"{_CLASS}    x: static[int] = 1{' < 1' * n}\n",
    "f-string": lambda n: f"{_CLASS}    x: static[int] = {'f(' * n}1\n",
    "string": lambda n: _CLASS + "    x: static[str] = " + "'a' " * n + "\n",
    "quoted": lambda n: f"{_CLASS}    x: static['{'tuple[' * n}int{']' * n}']\n",
    "classes": lambda n: (
        "".join(f"{' ' * i}class A:\n" for i in range(min(n, 1000))) + " " * 1001 + "x: int\n"
    ),
    "decorators": lambda n: "@f\n" * n + "class A: ...\n",
    "semicolons": lambda n: "x=1;" * n + "\n",
    "continued": lambda n: "\\\n" * n + "x = 1\n",
    "if": lambda n: "".join(f"{' ' * i}if 1:\n" for i in range(min(n, 1000))) + "\n",
    "elif": lambda n: "if 1:\n  x\n" + "elif 1:\n  x\n" * n,
}


@over(NESTED, DEPTHS)
def test_deep_nesting_is_reported(form: str, depth: int) -> None:
    """There is no traceback, and the result does not depend on Python's recursion limit."""
    found = codes({"heat.pyi": NESTED[form](min(depth, 3000) if form in LONG else depth)})
    if depth > 1000 and form not in ("string", "continued"):
        assert found, form


NUMBERS = {
    "9**9**9": {Code.WRONG_DEFAULT},
    "9**9**9**9": {Code.WRONG_DEFAULT},
    "1 << 10**9": {Code.OUTSIDE_LANGUAGE},
    "'a' * 10**9": {Code.WRONG_DEFAULT},
    "(0,) * 10**9": {Code.WRONG_DEFAULT},
    "9" * 4301: {Code.NUMBER_TOO_LARGE},
    "9" * 500_000: {Code.NUMBER_TOO_LARGE},
    "-" + "9" * 4301: {Code.NUMBER_TOO_LARGE},
    "0x" + "f" * 4000: {Code.NUMBER_TOO_LARGE},
    "0b" + "1" * 500_000: {Code.NUMBER_TOO_LARGE},
    "1e999": {Code.NUMBER_TOO_LARGE},
    "-1e999": {Code.NUMBER_TOO_LARGE},
    "1" + "_000" * 1000: set[Code](),
    "9" * 4300: set[Code](),
    "1e308": {Code.WRONG_DEFAULT},
}


@over(NUMBERS)
def test_huge_numbers_are_not_computed(number: str) -> None:
    schema = f"{_CLASS}    x: static[int] = {number}\n"
    assert codes({"heat.pyi": schema}) == NUMBERS[number]


def test_thousands_of_fields_are_legal() -> None:
    """The generated module can be parsed again."""
    lines = "".join(f"    x{number}: static[int]\n" for number in range(2000))
    assert codes({"heat.pyi": _CLASS + lines}) == set()


def test_million_names_in_a_small_file_are_rejected() -> None:
    assert codes({"heat.pyi": "x," * 250_000 + "\n"})
    schema = f"{_CLASS}    x: static[tuple[{'A,' * 250_000}]]\n"
    assert codes({"heat.pyi": schema}) == {Code.SOURCE_TOO_LARGE}


@over(["a" * 250_000, "a b " * 60_000, "a\\n" * 75_000, "\\x00" * 60_000])
def test_long_texts_are_reported_or_compiled(text: str) -> None:
    compiled({"heat.pyi": f"{_CLASS}    '''{text}'''\n    x: static[int]\n"})
    compiled({"heat.pyi": f"{_CLASS}    x: static[str] = '{text}'\n"})


def test_long_names() -> None:
    name = "a" * 100_000
    assert codes({"heat.pyi": f"{_CLASS}    {name}: static[int]\n"}) == set()


@pytest.fixture
def stack() -> Iterator[int]:
    """Limit the number of further calls on Python's stack during a test."""
    before, depth = sys.getrecursionlimit(), len(inspect.stack(0))
    sys.setrecursionlimit(depth + 250)
    yield 250
    sys.setrecursionlimit(before)


@over(
    [
        ("A = B\n", Code.NESTED_TOO_DEEPLY),
        ("class A(B):\n    ...\n", Code.NESTED_TOO_DEEPLY),
        ("class A:\n    b: dynamic[B | None]\n", None),
    ],
    [True, False],
)
def test_long_import_chains(declared: tuple[str, Code | None], is_round: bool, stack: int) -> None:
    """Chains are longer than Python's stack. Some of them are cycles."""
    declaration, code = declared
    count = stack
    lines = [f"from .m{n + 1} import A as B\n{declaration}" for n in range(count)]
    lines[-1] = lines[-1].replace(f"m{count}", "m0") if is_round else "class A: ...\n"
    files = {f"m{number}.pyi": HEAD + line for number, line in enumerate(lines)}
    if is_round and declaration.startswith("A = "):
        code = Code.ALIAS_CYCLE
    assert codes(files) == ({code} if code else set())


CHAINS = {
    "bases": ("class A0: ...\n", "class A{1}(A{0}): ...\n", Code.NESTED_TOO_DEEPLY),
    "aliases": ("A0 = int\n", "A{1} = A{0}\n", Code.NESTED_TOO_DEEPLY),
    "tuples": ("A0 = int\n", "A{1} = tuple[A{0}, ...]\n", Code.NESTED_TOO_DEEPLY),
    "parts": ("class A0: ...\n", "class A{1}:\n    a: static[A{0}]\n", None),
    "defaults": ("class A0: ...\n", "class A{1}:\n    a: static[A{0}] = A{0}()\n", None),
    "pairs": ("class A0: ...\n", "class A{1}:\n    a: static[A{0}]\n    b: static[A{0}]\n", None),
    "dimensions": (
        "n = Dim()\nclass A0(dims=(n,)):\n    u: dynamic[f32[n]]\n",
        "class A{1}(dims=(n,)):\n    a: dynamic[A{0}[n]]\n    b: dynamic[A{0}[n]]\n",
        None,
    ),
}


@over_rows(
    [
        *((chain, False) for chain in CHAINS),
        *((chain, True) for chain in ("bases", "aliases", "parts", "defaults")),
    ],
)
def test_long_declaration_chains(chain: str, is_reversed: bool, stack: int) -> None:
    first, further, code = CHAINS[chain]
    lines = [first, *(further.format(n, n + 1) for n in range(stack))]
    text = HEAD + "".join(lines[::-1] if is_reversed else lines)
    assert codes({"heat.pyi": text}) == ({code} if code else set())


@over(["A{0}", "tuple[A{0}, ...]", "A{0} | None", "Box[A{0}]"])
def test_functions_with_deeply_nested_arguments(held: str, stack: int) -> None:
    """Lints follow the arguments of functions to their arrays."""
    lines = [HEAD, "from typing import Generic, TypeVar\nn = Dim()\nT = TypeVar('T')\n"]
    lines += ["class Box(Generic[T]):\n    held: donated[T]\nclass A0:\n    u: donated[f32[n]]\n"]
    lines += [f"class A{n + 1}:\n    a: donated[{held.format(n)}]\n" for n in range(stack)]
    lines += [f"@impl('m:f')\ndef f(a: donated[A{stack}]) -> A{stack}: ...\n"]
    files = [("heat.pyi", "heat", "".join(lines).encode())]
    assert not pipeline.lint(files, Options("", "generated"), list(LINTS)).has_errors


@over(["tuple[A{0}, A{0}]", "A{0} | tuple[A{0}, ...]", "frozendict[str, tuple[A{0}, A{0}]]"])
def test_exponential_aliases_are_rejected(base: str) -> None:
    """Each alias names the previous one twice, as in a YAML bomb."""
    lines = [HEAD, "A0 = int"]
    lines += [f"A{n} = {base.format(n - 1)}" for n in range(1, 40)]
    lines += ["class Grid:", "    x: static[A39]"]
    assert codes({"heat.pyi": "\n".join(lines) + "\n"}) == {Code.NESTED_TOO_DEEPLY}


def test_hundreds_of_unknown_names_are_reported() -> None:
    lines = [f"class Layer{n:04}:\n    x: dynamic[Loyer{n:04}]\n" for n in range(500)]
    lines += [f"class A{n}{'a' * 10_000}:\n    x: dynamic[B{n}{'a' * 10_000}]\n" for n in range(20)]
    assert codes({"heat.pyi": HEAD + "".join(lines)}) == {Code.UNKNOWN_NAME}
