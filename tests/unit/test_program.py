"""Functions of the program stage: graphs, imports, substitution."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codegen import pipeline
from codegen.cli.show import text_of
from codegen.diagnostics import Code
from codegen.options import Options
from codegen.program.graph import components
from codegen.program.names import absolute_module
from codegen.program.types import (
    AnyDim,
    Array,
    ClassType,
    DimName,
    DimSum,
    NoneType,
    Ref,
    Scalar,
    Size,
    TypeParameter,
    Union,
    union,
)
from codegen.source import NOWHERE, Source

GRAPHS = st.integers(1, 8).flatmap(
    lambda count: st.fixed_dictionaries(
        {node: st.lists(st.integers(0, count - 1), max_size=4) for node in range(count)}
    )
)


@given(GRAPHS)
def test_components_are_in_order(edges: dict[int, list[int]]) -> None:
    found = components(edges)
    assert sorted(node for group in found for node in group) == sorted(edges)
    place = {node: i for i, group in enumerate(found) for node in group}
    assert all(place[target] <= place[node] for node in edges for target in edges[node])


@given(GRAPHS)
def test_components_contain_nodes_that_reach_each_other(edges: dict[int, list[int]]) -> None:
    def reached(start: int) -> set[int]:
        seen: set[int] = {start}
        waiting = [start]
        while waiting:
            new = [n for n in edges[waiting.pop()] if n not in seen]
            seen.update(new)
            waiting += new
        return seen

    for group in components(edges):
        for node in edges:
            mutual = node in reached(group[0]) and group[0] in reached(node)
            assert (node in group) == mutual


def test_a_long_chain_needs_no_recursion() -> None:
    count = 20_000
    chain = {node: [node + 1] for node in range(count)} | {count: []}
    assert [group[0] for group in components(chain)] == list(range(count, -1, -1))


@pytest.mark.parametrize(
    ("importer", "level", "module", "expected"),
    [
        ("a", 1, "b", "b"),
        ("a.b", 1, "c", "a.c"),
        ("a.b", 2, "c", "c"),
        ("a.b", 2, "c.d", "c.d"),
        ("a.b", 1, "", "a"),
        ("a.b", 2, "", ""),
        ("a", 2, "b", None),
        ("a.b", 3, "c", None),
    ],
)
def test_absolute_module(importer: str, level: int, module: str, expected: str | None) -> None:
    assert absolute_module(importer, level, module) == expected


def test_substitution() -> None:
    linear = ClassType(Ref("a", "Linear"), (DimName("n"), DimSum("*", Size(4), DimName("n"))))
    found = linear.substitute({"n": DimName("hidden")}, {})
    assert found == ClassType(
        Ref("a", "Linear"), (DimName("hidden"), DimSum("*", Size(4), DimName("hidden")))
    )
    unknown = linear.substitute({"n": AnyDim()}, {})
    assert unknown == ClassType(Ref("a", "Linear"), (AnyDim(), AnyDim()))
    optional = Union((TypeParameter("T"), NoneType()))
    flat = optional.substitute({}, {"T": Union((Scalar("int"), NoneType()))})
    assert flat == Union((Scalar("int"), NoneType()))
    assert union((NoneType(), NoneType()), NOWHERE) == NoneType()


def test_substituted_alias_has_the_position_of_its_use() -> None:
    source = Source("heat.pyi", "heat", "Field = f32[nx]")
    at = source.at(3, 5)
    array = Array("float32", "f32", (), span=source.at(9, 9))
    moved = Union((array, NoneType()), span=source.at(8, 8)).with_span(at)
    assert {part.span for part in moved.iter_held()} == {at}


PARTS = (
    "class Base(abstract=True): ...\n",
    "class Grid(Base):\n    n: static[int] = 1\n",
    "class Plate:\n    grid: static[Grid] = Grid(n=2)\n    next: static[Plate | None] = None\n",
    "class Sub(Plate):\n    grid: static[Grid] = Grid()\n",
    "Pair = tuple[Grid, Alias]\n",
    "Alias = Plate | None\n",
)


def test_order_of_declarations_does_not_matter() -> None:
    meanings: set[frozenset[str]] = set()
    for order in permutations(PARTS):
        schema = "from codegen.schema import static\n" + "".join(order)
        files = [("a.pyi", "a", schema.encode())]
        shown = text_of(files, Options("", ""), "program", None)
        assert isinstance(shown, str)
        meanings.add(frozenset(shown.replace("\n    ", " ").splitlines()))
    assert len(meanings) == 1


@pytest.mark.parametrize(
    ("out", "imported", "is_own"),
    [
        ("generated", "generated.steel", True),
        ("src/plates/generated", "plates.generated.steel", True),
        ("src/plates/generated", "src.plates.generated.steel", True),
        ("../plates/generated", "plates.generated.steel", True),
        ("a b/generated", "generated.steel", True),
        ("generated", "plates.generated.steel", False),
        ("src/plates/generated", "plates.steel", False),
        ("src/plates/generated", "plates.generated.iron", False),
        ("src/plates/generated", "generated_too.steel", False),
    ],
)
def test_schema_that_imports_the_output_is_an_error(
    out: str, imported: str, *, is_own: bool
) -> None:
    schema = f"from codegen.schema import static\nfrom {imported} import Steel\n"
    files = [
        ("heat.pyi", "heat", f"{schema}class Grid:\n    steel: static[Steel]\n".encode()),
        ("steel.pyi", "steel", b"class Steel: ...\n"),
    ]
    report = pipeline.run(files, Options("schemas", out)).report
    assert [one.code for one in report] == ([Code.UNKNOWN_MODULE] if is_own else [])
    assert all(one.help == "write `from .steel import Steel`" for one in report)
