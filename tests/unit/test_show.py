"""Test `text_of`: the text of every stage, for everything or for one name."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from codegen import pipeline
from codegen.cli.show import text_of
from codegen.diagnostics import Code, Report
from codegen.options import Options

FILES = [
    (
        "schemas/plants/boiler.pyi",
        "plants.boiler",
        b"""\
from codegen.schema import Dim, donated, f32, impl, static

from ..heat import Grid

n = Dim()

class Boiler:
    level: donated[f32[n]]  # water [m]
    grid: static[Grid]

@impl("plant:step")
def step(boiler: donated[Boiler]) -> Boiler: ...
""",
    ),
    (
        "schemas/heat.pyi",
        "heat",
        b"""\
from enum import Enum
from codegen.schema import static

class Scheme(Enum):
    EXPLICIT = 1

class Grid:
    nx: static[int]
    scheme: static[Scheme] = Scheme.EXPLICIT
""",
    ),
]
OPTIONS = Options("schemas", "generated")
ROOT = Path(__file__).parents[2]


def _show(stage: str, name: str | None = None) -> str:
    shown = text_of(FILES, OPTIONS, stage, name)
    assert isinstance(shown, str)
    return shown


@pytest.mark.parametrize("stage", pipeline.STAGES)
def test_whole_stage_is_printed(stage: str) -> None:
    shown = _show(stage)
    assert shown.isascii()
    assert shown.endswith("\n")
    assert all(name in shown for name in ("Boiler", "Grid", "Scheme", "step"))
    assert shown == text_of(FILES[::-1], OPTIONS, stage, None) or stage in (
        "syntax",
        "schema",
    )


@pytest.mark.parametrize("stage", pipeline.STAGES)
@pytest.mark.parametrize("name", ["heat", "Grid", "heat.Grid"])
def test_named_part_is_printed(stage: str, name: str) -> None:
    shown = _show(stage, name)
    assert "Grid" in shown
    assert "Boiler" not in shown
    if name != "heat":
        assert "class Scheme" not in shown
        assert "EnumView" not in shown


@pytest.mark.parametrize("stage", pipeline.STAGES)
@pytest.mark.parametrize(
    ("name", "nearest"),
    [
        ("Gird", "did you mean `Grid`?"),
        ("heatt", "did you mean `heat`?"),
        ("heat.Gird", "did you mean `heat.Grid`?"),
        ("heat.Boiler", ""),
        ("q", ""),
    ],
)
def test_unknown_name_is_an_error_with_suggestion(stage: str, name: str, nearest: str) -> None:
    with pytest.raises(LookupError) as caught:
        text_of(FILES, OPTIONS, stage, name)
    assert nearest in str(caught.value)


def test_errors_are_reported_first() -> None:
    broken = [("a.pyi", "a", b"class Grid: nx: int\n")]
    shown = text_of(broken, OPTIONS, "schema", "Nothing")
    assert isinstance(shown, Report)
    assert [one.code for one in shown] == [Code.MISSING_ROLE]
    assert isinstance(text_of(broken, OPTIONS, "syntax", None), str)


def test_rendered_declaration() -> None:
    shown = _show("rendered", "plants.boiler.Boiler")
    assert shown.startswith("==> plants/boiler.py <==\n@")
    found = [
        line.split("(")[0]
        for line in shown.splitlines()
        if line[:1].isalpha() or "_rt." in line[:4]
    ]
    assert found[0] == "class Boiler"
    assert found[-1] == "_rt.register_dataclass"
    assert {f"def _codegen_{one}_Boiler" for one in ("flatten", "unflatten")} <= {*found}
    compile(shown.partition("\n")[2], "boiler.py", "exec")
    assert "step: " in _show("rendered", "step")
    assert "def _codegen_call_step" in _show("rendered", "step")


def test_facts_stage() -> None:
    static, donating = "heat static: heat.Grid\n", "plants.boiler donating: plants.boiler.Boiler\n"
    assert _show("checked") == _show("program") + static + donating
    assert _show("checked", "Grid") == _show("program", "Grid") + static


def _roots(*tops: str) -> dict[Path, list[pipeline.File]]:
    """Return every schema folder below these, with its files."""
    paths = [path for top in tops for path in sorted((ROOT / top).rglob("*.pyi"))]
    holding = {path.parent for path in paths}
    found: dict[Path, list[pipeline.File]] = {}
    for path in paths:
        root = next(folder for folder in reversed(path.parents) if folder in holding)
        module = ".".join(path.relative_to(root).with_suffix("").parts)
        found.setdefault(root, []).append((path.name, module, path.read_bytes()))
    return found


def _require_printable(stage: str, roots: Mapping[Path, list[pipeline.File]]) -> None:
    for root, files in roots.items():
        shown = text_of(files, OPTIONS, stage, None)
        if isinstance(shown, str):
            assert all(line.isprintable() for line in shown.split("\n")), root


@pytest.mark.parametrize("stage", ["syntax", "schema"])
def test_early_stages_of_every_schema_can_be_printed(stage: str) -> None:
    roots = _roots("schemas", "tests", "examples", "benchmarks", "docs")
    assert len(roots) > 300
    _require_printable(stage, roots)


def test_syntax_stage_has_the_statements_of_python() -> None:
    schema = "nx = Dim()\nclass Grid:\n    x: static[Literal['é\\u202e']]\n".encode()
    shown = text_of([("heat.pyi", "heat", schema)], OPTIONS, "syntax", "Grid")
    assert isinstance(shown, str)
    assert shown == (
        "heat body: ClassDef name='Grid'\n"
        "  body: AnnAssign target=x annotation=static[Literal['é\\u202e']] simple=1\n"
    )
