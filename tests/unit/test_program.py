"""The program stage: the equality of types, the order of declarations, and imports of the output."""

from __future__ import annotations

from itertools import permutations

import pytest

from codegen import pipeline
from codegen.cli.show import text_of
from codegen.diagnostics import Code
from codegen.options import Options
from codegen.program.types import DimName, Scalar, TypeParameter
from codegen.source import Source


def test_equality_of_types_ignores_positions_and_mesh_axes() -> None:
    source = Source("heat.pyi", "heat", "nx = ny + 1")
    one, other = (TypeParameter("nx", span=source.at(*at)) for at in ((0, 2), (7, 9)))
    assert one == other
    assert hash(one) == hash(other)
    assert one != TypeParameter("ny", span=one.span)
    assert TypeParameter("int", span=one.span) != Scalar("int", span=one.span)
    assert DimName("nx", ("rows",)) == DimName("nx")
    assert hash(DimName("nx", ("rows",))) == hash(DimName("nx"))


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
