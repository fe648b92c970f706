"""Test what `codegen adopt` writes: schemas, sources, and no changes in a second run.

A case is a folder. `before` is the package, `after` has the generated schemas, and `sources.diff` the changes of the
sources. The built output is not stored. `report.txt` has the report.
"""

from __future__ import annotations

import ast
import difflib
import json
import shutil
import sys
from pathlib import Path

import pytest

from codegen.adopt.decide.fields import dimensions
from codegen.adopt.decide.imports import find_import_place
from codegen.adopt.observe.run import Observation, compare_runs
from codegen.cli.main import main
from tests.adopt.short_report import short_lines

CASES = Path(__file__).parents[1] / "cases" / "adopt" / "rewritten"
STANDINS = CASES.parent / "standins"
WORDS = ("--schemas", "schemas", "--rewrite")


def _copy_case(case: str, folder: Path) -> str:
    """Copy the package of a case; return its name."""
    shutil.copytree(CASES / case / "before", folder, dirs_exist_ok=True)
    (package,) = (one.name for one in (CASES / case / "before").iterdir() if one.is_dir())
    return package


def _texts(folder: Path) -> dict[str, str]:
    return {
        path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8")
        for path in sorted(folder.rglob("*.py*"))
        if "_generated" not in path.parts and path.suffix in (".py", ".pyi")
    }


@pytest.mark.parametrize("case", sorted(one.name for one in CASES.iterdir()))
def test_package_is_rewritten_as_in_case(
    case: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    request: pytest.FixtureRequest,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    package = _copy_case(case, tmp_path)
    words = ["-q", "adopt", package, *WORDS, "--out", f"{package}/_generated", "--no-import"]
    before = _texts(tmp_path)
    report = tmp_path / "report.json"
    assert main([*words, "--dry-run", "--report", str(report)]) == 0
    _check_report(report, CASES / case / "report.txt", request)
    assert _texts(tmp_path) == before
    assert f"+++ {package}/_generated/" in capsys.readouterr().out
    assert main(words) == 0
    after = _texts(tmp_path)
    schemas = {path: text for path, text in after.items() if path.startswith("schemas/")}
    changes = "".join(
        _difference(path, before.get(path, ""), text)
        for path, text in after.items()
        if path not in schemas
    )
    if request.config.getoption("--update"):
        _write(CASES / case, schemas, changes)
    assert schemas == _texts(CASES / case / "after")
    assert changes == (CASES / case / "sources.diff").read_text(encoding="utf-8")
    assert after.keys() - schemas.keys() == before.keys()
    assert main(words) == 0
    assert _texts(tmp_path) == after
    settings = f'[tool.codegen]\nroot = "schemas"\nout = "{package}/_generated"\n'
    (tmp_path / "pyproject.toml").write_text(settings, encoding="utf-8")
    assert main(["-q", "check"]) == 0


def _difference(path: str, before: str, after: str) -> str:
    old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    return "".join(difflib.unified_diff(old, new, f"before/{path}", f"after/{path}"))


def _write(case: Path, schemas: dict[str, str], changes: str) -> None:
    shutil.rmtree(case / "after", ignore_errors=True)
    for path, text in schemas.items():
        target = case / "after" / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
    (case / "sources.diff").write_text(changes, encoding="utf-8")


def _check_report(file: Path, expected: Path, request: pytest.FixtureRequest) -> None:
    lines = short_lines(json.loads(file.read_text(encoding="utf-8")))
    if request.config.getoption("--update"):
        expected.write_text(lines, encoding="utf-8")
    assert lines == expected.read_text(encoding="utf-8")


def test_rewritten_classes_of_libraries_run_as_before(
    tmp_path: Path,
    preloaded: str,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    """Test flax, chex, equinox, TORAX and NamedTuple classes under jit, vmap, grad, scan and cond."""
    monkeypatch.chdir(tmp_path)
    _copy_case("zoo", tmp_path)
    # The libraries themselves may be missing, and import slowly.
    monkeypatch.setenv("PYTHONPATH", str(STANDINS))
    words = ["adopt", "zoo", *WORDS, "--out", "zoo/_generated", "--observe", "--report", "r.json"]
    monkeypatch.setattr(sys, "executable", preloaded)
    command = [preloaded, "-W", "ignore", "-m", "zoo.check"]
    assert main([*words, "--", *command]) == 0
    said = capfd.readouterr()
    assert said.err.count("done") == 2
    assert "of both runs: no difference" in said.out
    report = json.loads((tmp_path / "r.json").read_text(encoding="utf-8"))
    refused = {one["name"]: one["refused"] for one in report["classes"] if one["refused"]}
    assert {name: one[0]["construct"] for name, one in refused.items()} == {
        "zoo.animals.Counted": "own __init__",
        "zoo.animals.Found": "own __init__",
        "zoo.animals.Lost": "subclass",
        "zoo.animals.Mapped": "used as a mapping",
        "zoo.animals.Pair": "used as a tuple",
        "zoo.bees.FarCrowd": "roles by types",
        "zoo.bees.FarSwarm": "roles by types",
        "zoo.fish.Fish": "member",
        "zoo.swarms.Crowd": "subclass",
        "zoo.swarms.Flock": "subclass",
        "zoo.swarms.Swans": "order of bases",
        "zoo.tables.Extended": "__dict__",
        "zoo.tables.Kept": "__dict__",
        "zoo.tables.Passed": "__dict__",
        "zoo.tables.Shared": "__dict__",
    }
    assert "`one, two = Pair(1, 2)` at zoo/check.py:" in refused["zoo.animals.Pair"][0]["why"]
    schema = (tmp_path / "schemas" / "animals.pyi").read_text(encoding="utf-8")
    assert "optimizer: static[identity[Any] | None] = None" in schema
    assert "class Keywords(_KeywordsMethods):" in schema
    assert "class Step(_StepMethods, kw_only=False):" in schema


def test_other_failing_tests_after_rewrite_are_a_difference() -> None:
    """Also test that nothing is reported as verified if nothing can be compared."""
    before = Observation(5, 1, ("tests/test_a.py::test_one",), {})
    (said,) = compare_runs(before, before).lines()
    assert "created no object to compare" in said
    after = Observation(5, 1, ("tests/test_a.py::test_two",), {})
    assert compare_runs(before, after).lines() == (
        "`tests/test_a.py::test_one` failed before, but does not fail now",
        "`tests/test_a.py::test_two` did not fail before, but fails now",
    )


def test_observed_program_runs_as_before_after_rewrite(
    tmp_path: Path,
    preloaded: str,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    """Observe, rewrite, run again and compare. If the program fails afterwards, restore the sources."""
    monkeypatch.chdir(tmp_path)
    package = _copy_case("plants", tmp_path)
    before = _texts(tmp_path)
    words = ["adopt", package, *WORDS, "--out", f"{package}/_generated", "--observe"]
    monkeypatch.setattr(sys, "executable", preloaded)
    program = [preloaded, "-W", "ignore", "-c"]
    # This works only before the rewrite, because annotations of generated classes are not types.
    asks = (
        "import dataclasses, plants.base as b; dataclasses.fields(b.Part)[0].type[0]; b.Part(1.0)"
    )
    assert main([*words, "--", *program, f"{asks} if False else b.Part.__slots__"]) == 1
    assert _texts(tmp_path) == before
    assert not (tmp_path / "schemas").exists()
    assert main([*words, "--", preloaded, "-m", "plants.check"]) == 0
    said = capfd.readouterr()
    assert "nothing was adopted" in said.out
    assert "of both runs: no difference" in said.out
    assert said.err.count("done ['.level', '.count', '.heat', '.start', '.angle']") == 2


def test_observations_of_a_run_are_read(
    tmp_path: Path,
    preloaded: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(sys, "executable", preloaded)
    monkeypatch.chdir(tmp_path)
    package = _copy_case("plants", tmp_path)
    assert main(["observe", package, "--", preloaded, "-m", "plants.check"]) == 0
    words = ["-q", "adopt", package, "--schemas", "declared", "--out", "made", "--shapes"]
    assert main([*words, "--observed", "observed.json"]) == 0
    schema = (tmp_path / "declared" / "plants" / "plant.pyi").read_text(encoding="utf-8")
    assert "\nn = Dim()\nm = Dim()\n" in schema
    assert "class Wall(Shown, dims=(n, m)):" in schema
    assert "links: dynamic[Shaped[m, m]]" in schema
    words = ["-q", "adopt", package, *WORDS, "--out", f"{package}/_generated"]
    assert main([*words, "--observed", "observed.json", "--no-import"]) == 0
    schema = (tmp_path / "schemas" / "plant.pyi").read_text(encoding="utf-8")
    assert "maybe: dynamic[float | None] = 0.0" in schema
    assert "heat: dynamic[Shaped[...]]" in schema
    assert "parts: dynamic[tuple[Boiler, ...]]" in schema
    assert "by_name: dynamic[dict[str, Part]] = {}" in schema
    assert "rows: dynamic[list[Shaped[...]] | None] = None" in schema
    assert "odd: dynamic[Any] = None" in schema
    assert (
        "    # Observed: heat[n, m], mass[m], sides[n], links[m, m]; `--shapes` declares such dimensions.\n"
        "    heat: dynamic[Shaped[...]]\n" in schema
    )
    (tmp_path / "observed.json").write_text("{}", encoding="utf-8")
    assert main([*words, "--observed", "observed.json"]) == 2
    assert main(["adopt", package, "--observe", "--dry-run"]) == 2
    assert main([*words, "--leave", "plants.plant.Od"]) == 2
    assert "did you mean `plants.plant.Odd`?" in capsys.readouterr().err
    assert main(["adopt", package, "--observed", "observed.json", "--dry-run"]) == 2
    assert main(["observe", package]) == 2
    assert main(["adopt", package, "--schemas", "schemas"]) == 2
    assert "belong together" in capsys.readouterr().err


def test_missing_libcst_is_an_error_with_advice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    package = _copy_case("plants", tmp_path)
    monkeypatch.setattr("codegen.adopt.adopt.find_spec", lambda _: None)
    assert main(["adopt", package, *WORDS, "--out", f"{package}/_generated"]) == 2
    assert "pip install 'pytree-codegen[adopt]'" in capsys.readouterr().err


def test_lazy_type_alias_does_not_use_a_class_on_import() -> None:
    """The node is written by hand because Python 3.11 cannot parse `type Alias = Plate`."""
    tree = ast.parse("Alias = Plate\nclass Plate: ...")
    eager, plate = tree.body
    assert isinstance(eager, ast.Assign)
    assert isinstance(plate, ast.ClassDef)
    assert find_import_place(tree, {"Plate": plate}, {"Plate"}).late == ("Plate",)
    node = type("TypeAlias", (ast.stmt,), {"_fields": ("value",)})
    tree.body[0] = node(value=eager.value, lineno=1)
    assert find_import_place(tree, {"Plate": plate}, {"Plate"}).late == ()


def test_dimensions_are_derived_from_observed_shapes() -> None:
    seen: list[dict[str, tuple[int, ...]]] = [
        {"u": (3, 4), "heat": (4,), "one": (1,), "odd": (2,), "weight": ()},
        {"u": (5, 6), "heat": (6,), "one": (1,), "odd": (2, 2), "weight": ()},
        {"u": (5, 6), "one": (1,), "many": (7,)},
    ]
    assert dimensions(seen, {"n"}) == {
        "u": ("_", "m"),
        "heat": ("m",),
        "one": ("_",),
        "weight": (),
        "many": ("_",),
    }
