"""The declarations in the records of classes are those of the compiler, byte for byte."""

import importlib
import itertools
import sys
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from codegen import pipeline
from codegen.options import Options
from codegen.output.schemas import schemas
from codegen.program.declaration_tables import Table, declaration_table
from codegen.runtime.checkpoint import pack, unpack
from codegen.runtime.checkpoint.schemas import Package, declarations
from tests.checkpoint.foreign import Options as ForeignOptions
from tests.checkpoint.imported import importable
from tests.generated import package, test_random

PROJECT = Path(__file__).parents[2]
FOLDERS = [PROJECT / "schemas"]
FOLDERS += sorted(p for p in PROJECT.glob("tests/**/schemas") if "cases" not in p.parts)
_count = itertools.count()


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.syspath_prepend(tmp_path)
    return tmp_path


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda p: p.relative_to(PROJECT).as_posix())
def test_records_have_the_declarations_of_the_schemas(
    folder: Path, site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(folder.parent)
    _require_equal(schemas(str(folder)), site)


def test_records_have_the_declarations_of_the_cases(site: Path) -> None:
    cases = PROJECT / "tests/cases"
    files = [
        (path, f"{root.parent.name.lower()}_{root.name}.{module}", data)
        for root in sorted([*cases.glob("errors/*/good"), *cases.glob("language/*")])
        for path, module, data in schemas(str(root))
    ]
    with importable():
        _require_equal(files, site)


def test_records_have_the_declarations_of_random_classes(site: Path) -> None:
    head = test_random._HEAD
    files = [
        (f"module{n}.pyi", f"module{n}", (head + made.schema()).encode())
        for n, made in enumerate(test_random._examples())
    ]
    _require_equal(files, site)


def _require_equal(files: Sequence[pipeline.File], site: Path) -> None:
    stages = pipeline.run(files, Options("schemas", "generated"))
    assert not stages.report, [(one.source.path, one.message) for one in stages.report]
    assert stages.program is not None
    name = f"declared_{next(_count)}"
    package.write(stages.rendered, site, name)
    expected: dict[str, Table] = {}
    try:
        for module in stages.program.modules:
            importlib.import_module(f"{name}.{module.name}")
            expected |= declaration_table(module)
        found = declarations(f"{name}.")
    finally:
        package.forget(name)
    for module in stages.program.modules:
        _require_module(found.pop(module.name, {}), expected.pop(module.name))
    assert found == expected
    orders = [{n: [*one.get("fields", ())] for n, one in t.items()} for t in (found, expected)]
    assert orders[0] == orders[1]


def _require_module(found: dict[str, Any], expected: Any) -> None:
    """Compare the dimensions in fields, and all imports. A module without definitions has none."""
    dims, own = found.get("dims", {}), expected.get("dims", {})
    assert all(dims[one] == own[one] for one in dims.keys() & own.keys())
    assert not found or {*expected.get("imports", ())} <= {*found.get("imports", ())}


COMMON = """
import optax
from codegen.schema import Dim, f32

n = Dim()  # codegen: was[cells]
Field = f32[n]
State = optax.OptState
"""
USER = """
from codegen.schema import dynamic
from .common import Field, State

class Plate:
    u: dynamic[Field]
    state: dynamic[State]
"""


def test_names_of_a_module_that_is_not_imported_are_known(site: Path) -> None:
    (site / "schemas").mkdir()
    (site / "schemas/common.pyi").write_text(COMMON)
    (site / "schemas/user.pyi").write_text(USER)
    package.write(package.rendered(site / "schemas", runtime="package"), site, "partly")
    user = importlib.import_module("partly.user")
    sys.modules.pop("partly.common", None)
    found = Package.of(user.Plate)
    assert found.table["user"]["dims"] == {"n": ["cells"]}
    assert "optax:OptState" in found.imports
    package.forget("partly")


def test_class_of_another_run_time_is_an_error(site: Path) -> None:
    (site / "schemas").mkdir()
    (site / "schemas/user.pyi").write_text("class Grid: ...\n")
    package.write(package.rendered(site / "schemas", runtime="vendored"), site, "copied")
    grid = importlib.import_module("copied.user").Grid()
    with pytest.raises(TypeError, match=r"`Grid` uses the run time `copied\._runtime`"):
        pack(grid)
    own = importlib.import_module("copied._runtime.checkpoint")
    assert own.unpack(type(grid), *own.pack(grid)) == grid
    package.forget("copied")


def test_reload_gives_the_new_declarations(site: Path) -> None:
    (site / "schemas").mkdir()
    for body in ("n: static[int]", "n: static[int]\n    m: static[float] = 0.5"):
        text = f"from codegen.schema import static\n\nclass Grid:\n    {body}\n"
        (site / "schemas/user.pyi").write_text(text)
        package.write(package.rendered(site / "schemas", runtime="package"), site, "reloaded")
        if "reloaded.user" in sys.modules:
            saved = pack(sys.modules["reloaded.user"].Grid(n=3))
            importlib.reload(sys.modules["reloaded.user"])
        grid = importlib.import_module("reloaded.user").Grid(n=3)
    assert Package.of(type(grid)).entry("user.Grid")["fields"] == {
        "n": "static int",
        "m": "static float",
    }
    assert unpack(type(grid), *saved) == grid
    package.forget("reloaded")


def test_top_level_module_makes_no_other_class_reachable(site: Path) -> None:
    """Regression: every module was in its package, which has no name. So a saved state could call the
    constructor of any dataclass.
    """
    (site / "schemas").mkdir()
    (site / "schemas/topmost.pyi").write_text(
        "from fractions import Fraction\n\nfrom codegen.schema import static\n\n"
        "class Grid:\n    n: static[Fraction | None] = None\n"
    )
    package.write(package.rendered(site / "schemas", runtime="package"), site, "")
    # What the schemas of another package import is not reachable either.
    module = ForeignOptions.__module__
    other = (
        f"from {module} import Options\n\nfrom codegen.schema import static\n\n"
        "class Run:\n    options: static[Options]\n"
    )
    package.write_text(other, "run", site, "other_package").load("run")
    found = Package.of(importlib.import_module("topmost").Grid)
    assert found.name == ""
    assert found.find_class(f"{module}:Options") is None
    assert found.find_class("fractions:Fraction") is Fraction
    assert found.find_class("topmost.Grid").__name__ == "Grid"
    package.forget("topmost")
    package.forget("other_package")
