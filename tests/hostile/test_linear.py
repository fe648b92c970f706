"""The compiler takes linear time: calls are counted, and no time is measured.

Schemas that grow exponentially (generics and aliases that name the previous one twice) are rejected before they are
expanded.
"""

from __future__ import annotations

import cProfile
from collections import Counter
from collections.abc import Callable
from functools import cache, partial
from typing import cast

import pytest

from codegen import pipeline
from codegen.check import abstract_signature
from codegen.cli.show import text_of
from codegen.diagnostics import Code, Report
from codegen.diff.comparison import KINDS
from codegen.options import Options
from tests.inputs import over

OPTIONS = Options("schemas", "generated")
HEAD = """from enum import Enum
from typing import Callable, ClassVar, Generic, Literal, TypeVar

from codegen.schema import Dim, donated, dynamic, f32, field, frozendict, impl, share, static

T = TypeVar("T")
n = Dim()

"""


def _each(line: str) -> Callable[[int], str]:
    return lambda count: "".join(line.format(i, i + 1) for i in range(count))


def _fields(line: str, before: str = "class A: ...\n") -> Callable[[int], str]:
    return lambda count: before + "class C:\n" + _each(line)(count)


def _in_one(before: str, item: str, after: str) -> Callable[[int], str]:
    return lambda count: before + _each(item)(count) + after


def _chain(first: str, further: str) -> Callable[[int], str]:
    return lambda count: first + _each(further)(count)


_ARRAY = "class A0:\n    u: donated[f32[n]]\n"
WIDE = {
    "donated": _fields("    x{0}: donated[f32[n]]\n"),
    "dynamic": _fields("    x{0}: dynamic[f32] = 0.0  # what {0} is\n"),
    "static": _fields("    x{0}: static[int] = 3\n"),
    "optional": _fields("    x{0}: donated[f32[n] | None] = None\n"),
    "converted": _fields("    x{0}: static[int] = field(convert='m:f')\n"),
    "objects": _fields("    x{0}: donated[A0]\n", _ARRAY + "    k: static[int]\n"),
    "grids": _fields("    x{0}: static[A]\n", "class A:\n    n: static[int]\n"),
    "constants": _fields("    x{0}: ClassVar[int] = {0}\n"),
    "shares": _fields(
        "    a{0}: dynamic[A0]\n    b{0}: dynamic[A0]\n    share(a{0}, b{0})\n", _ARRAY
    ),
    "methods": _fields("    @impl('m:f')\n    def run{0}(self) -> f32: ...\n"),
    "functions": lambda count: (
        _ARRAY
        + _each("@impl('m:f')\ndef run{0}(a: donated[A0], n: static[int] = 1) -> A0: ...\n")(count)
    ),
    "parameters": _in_one("@impl('m:f')\ndef f(", "a{0}: dynamic[f32[n]], ", ") -> f32: ...\n"),
    "members": lambda count: "class E(Enum):\n" + _each("    M{0} = {0}\n")(count),
    "aliases": lambda count: (
        _each("A{0} = tuple[f32[n], ...]\n")(count) + _fields("    x{0}: dynamic[A{0}]\n")(count)
    ),
    "dimensions": lambda count: (
        _each("n{0} = Dim()\n")(count) + _fields("    x{0}: dynamic[f32[n{0}]]\n")(count)
    ),
    "dimension parameters": lambda count: (
        _in_one("class A(dims=(", "n{0}, ", ")):\n")(count)
        + _each("    x{0}: dynamic[f32[n{0}]]\n")(count)
    ),
    "entries": _in_one(
        "class C:\n    x: static[frozendict[int, int]] = frozendict({", "{0}: 1, ", "})\n"
    ),
    "literals": _in_one("class C:\n    x: static[Literal[", "'a{0}', ", "]]\n"),
    "union": lambda count: (
        "from m import A\n" + _in_one("class C:\n    x: dynamic[tuple[", "f32, ", "]]\n")(count)
    ),
    "documentation": _in_one(
        "class C:\n    '''", 'it\'s "so" \\\\ {0}\n    ', "'''\n    x: static[int]\n"
    ),
    "bases": lambda count: "".join(
        _chain(f"class A{i}x0: ...\n", f"class A{i}x{{1}}(A{i}x{{0}}): ...\n")(10)
        for i in range(count // 10)
    ),
    "subclasses": _chain(
        "class A0(abstract=True):\n    u: donated[f32[n]]\n",
        "class A{1}(A0):\n    v: static[int]\n",
    ),
    "held": _chain(_ARRAY, "class A{1}:\n    a: donated[A{0}]\n"),
    "held static": _chain("class A0: ...\n", "class A{1}:\n    a: static[A{0}] = A{0}()\n"),
    "generic": _chain(
        "class A0(Generic[T]):\n    a: dynamic[T]\n", "class A{1}:\n    a: dynamic[A0[f32[n]]]\n"
    ),
}
# A class whose objects are contained twice in those of the next one, and a chain that exceeds the
# limit. Both are bounded, so the work is linear beyond the bound.
DEEP = {
    "twice": _chain(
        "class A0:\n    k: static[int]\n    u: dynamic[f32]\n",
        "class A{1}:\n    a: dynamic[A{0}]\n    b: dynamic[A{0}]\n",
    ),
    "twice generic": _chain(
        "class A0(Generic[T]):\n    a: dynamic[T]\n    k: static[int]\n",
        "class A{1}(Generic[T]):\n    a: dynamic[A{0}[T]]\n    b: dynamic[A{0}[T]]\n",
    ),
    "twice in containers": _chain(
        "class A0:\n    u: dynamic[f32]\n",
        "class A{1}:\n    a: dynamic[list[A{0}]]\n    b: dynamic[tuple[A{0}, A{0}]]\n",
    ),
    "a long chain": _chain("class A0: ...\n", "class A{1}(A{0}): ...\n"),
}
_GENERIC = "class A0(Generic[T]):\n    a: dynamic[T]\n"
_STATIC = "class A0(Generic[T]):\n    a: static[T]\n"
DOUBLING = {
    "aliases": _chain("A0 = int\n", "A{1} = tuple[A{0}, A{0}]\n"),
    "a wide alias": _chain(
        "A0 = tuple[int, int, int]\n", "A{1} = frozendict[str, tuple[A{0}, A{0}]]\n"
    ),
    "an alias of arrays": _chain("A0 = f32[n]\n", "A{1} = A{0} | tuple[A{0}, A{0}]\n"),
    "fields": _chain(_GENERIC, "class A{1}(Generic[T]):\n    a: dynamic[A{0}[tuple[T, T]]]\n"),
    "statics": _chain(_STATIC, "class A{1}(Generic[T]):\n    a: static[A{0}[tuple[T, T]]]\n"),
    "unions": _chain(
        _STATIC,
        "class A{1}(Generic[T]):\n    a: static[A{0}[tuple[T, int] | tuple[int, T]] | None] = None\n",
    ),
    "signatures": _chain(
        _STATIC, "class A{1}(Generic[T]):\n    a: static[A{0}[Callable[[T, T], T]]]\n"
    ),
    "containers": _chain(
        _GENERIC, "class A{1}(Generic[T]):\n    a: dynamic[dict[str, A{0}[list[tuple[T, T]]]]]\n"
    ),
    "bases": _chain(_GENERIC, "class A{1}(A{0}[tuple[T, T]], Generic[T]): ...\n"),
    "empty bases": _chain(
        "class A0(Generic[T]): ...\n", "class A{1}(A{0}[tuple[T, T]], Generic[T]): ...\n"
    ),
    "held bases": _chain(
        _GENERIC,
        "class B{1}(Generic[T]):\n    a: dynamic[A{0}[tuple[T, T]]]\nclass A{1}(B{1}[T], Generic[T]): ...\n",
    ),
    "dimensions": _chain(
        "class A0(dims=(n,)):\n    a: dynamic[f32[n]]\n",
        "class A{1}(dims=(n,)):\n    a: dynamic[A{0}[n + n]]\n",
    ),
    "dimensions of bases": _chain(
        "class A0(dims=(n,)):\n    a: dynamic[f32[n]]\n",
        "class A{1}(A{0}[n + n], dims=(n,)): ...\n",
    ),
    "methods": _chain(
        _GENERIC,
        "class A{1}(Generic[T]):\n    @impl('m:f')\n    def f(self) -> A{0}[tuple[T, T]]: ...\n",
    ),
}
VERBS: dict[str, Callable[[list[pipeline.File]], object]] = {
    "build": lambda files: pipeline.compile(files, OPTIONS).report,
    "lint": lambda files: pipeline.lint(files, OPTIONS, list(Code)),
    "breaking": lambda files: _breaking(files),  # noqa: PLW0108 - it stands below
    **{
        f"show {stage}": partial(text_of, options=OPTIONS, stage=stage, name=None)
        for stage in ("syntax", "schema", "checked", "view")
    },
}


def _breaking(files: list[pipeline.File]) -> object:
    (path, name, data), *_ = files
    changed = data.replace(b"donated[", b"dynamic[").replace(b"[int", b"[float")
    old, new = (pipeline.run([(path, name, text)], OPTIONS, "checked") for text in (data, changed))
    if old.checked is None or new.checked is None:
        return old.report
    return pipeline.breaking(old, new, KINDS)


def _files(text: str) -> list[pipeline.File]:
    return [("heat.pyi", "heat", (HEAD + text).encode())]


def _calls(verb: str, text: str) -> Counter[str]:
    """Count the calls of each function, including Python's own."""
    profile = cProfile.Profile()
    profile.enable()
    VERBS[verb](_files(text))
    profile.disable()
    found: Counter[str] = Counter()
    for entry in profile.getstats():
        code = entry.code
        place = code if isinstance(code, str) else f"{code.co_name} of {code.co_filename}"
        found[place] += entry.callcount
    return found


@cache
def _load(verb: str) -> None:
    """Load modules and templates."""
    VERBS[verb](_files(WIDE["objects"](1)))


def _quadratic(verb: str, schema: Callable[[int], str], count: int) -> list[str]:
    """Return the functions that are called much more than twice as often for twice the input."""
    _load(verb)
    once, twice = (_calls(verb, schema(number)) for number in (count, 2 * count))
    return [
        f"{name}: {once[name]}, {calls}"
        for name, calls in twice.items()
        # A function with a few calls per item may be called more often for longer lines.
        if calls > 10 * count and calls > 3 * once[name]
    ]


@over(VERBS, WIDE)
def test_calls_grow_linearly_with_the_schema(verb: str, name: str) -> None:
    assert not _quadratic(verb, WIDE[name], 20)


@over(WIDE)
def test_wide_schema_is_legal(name: str) -> None:
    assert not pipeline.run(_files(WIDE[name](30)), OPTIONS, "checked").report


@over(DEEP)
def test_calls_grow_linearly_with_the_depth(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    # Smaller limits are reached sooner.
    monkeypatch.setattr(abstract_signature, "FREE_MAX", 8)
    is_refused = name == "a long chain"
    for verb in ("build",) if is_refused else ("build", "lint", "breaking"):
        assert not _quadratic(verb, DEEP[name], 120 if is_refused else 12), verb


@over(DOUBLING)
def test_exponential_schema_is_rejected_before_expansion(name: str) -> None:
    text = DOUBLING[name](24)
    for verb, run in VERBS.items():
        found = run(_files(text))
        is_early = verb in ("show syntax", "show schema")
        assert is_early or {d.code for d in cast("Report", found)} == {Code.NESTED_TOO_DEEPLY}
    # The order of the declarations must not matter.
    backwards = "".join(f"\0{text}".replace("\nclass ", "\n\0class ").split("\0")[::-1])
    report = cast("Report", VERBS["build"](_files(backwards)))
    assert {d.code for d in report} == {Code.NESTED_TOO_DEEPLY}
    for one in (text, backwards):
        assert _calls("build", one).total() < 1_000_000


def test_shared_part_is_visited_once() -> None:
    held = "class A{1}:\n    a: dynamic[A{0}]\n    b: dynamic[A{0}]\n    share(a.a, b.a)\n"
    first = "class A0:\n    a: dynamic[f32]\n    b: dynamic[f32]\n"
    once, twice = (_calls("build", _chain(first, held)(count)).total() for count in (9, 18))
    assert twice < 20 * once
