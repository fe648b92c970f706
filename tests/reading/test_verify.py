"""Test that verifying the output finds code that no schema declares."""

from __future__ import annotations

from pathlib import Path

import pytest

from codegen.cli.main import main
from codegen.emit.names import ModuleNames
from codegen.emit.render import print_module
from codegen.emit.rendered import Rendered
from codegen.emit.view import ModuleView
from codegen.options import Options
from codegen.output.schemas import schemas
from codegen.pipeline import Stages, run
from tests.inputs import over
from tests.reading.verify import Verifier, verified

TESTS = Path(__file__).parents[1]
ROOTS = sorted(
    {path.parent for path in (TESTS / "cases/language").glob("*/expected")}
    | {*TESTS.glob("*/schemas"), *TESTS.glob("cases/errors/*/good"), TESTS.parent / "schemas"}
)
FUTURE = "from __future__ import annotations"
# Lines of the module that is changed.
VALUES = "        values = (nx, name)\n"
SCHEMA = '''"""A plate."""

from enum import Enum
from typing import TypeVar

import plate_model
from codegen.schema import donated, dynamic, f32, field, impl, static

T = TypeVar("T")

class Scheme(Enum):
    EXPLICIT = "explicit"

class Grid:
    """Cells."""

    nx: static[int] = 3
    name: static[str] = "x"

class Plate(draft=True):
    u: donated[f32]
    grid: static[Grid] = Grid(nx=4)
    of: static[plate_model.Solver | None] = None

    @impl("plate_model:energy")
    def energy(self) -> f32: ...

@impl("plate_model:step")
def step(plate: donated[Plate]) -> Plate: ...

@impl("plate_model:same")
def same(x: dynamic[T]) -> T: ...
'''


@pytest.fixture(scope="module")
def plate() -> Stages:
    stages = run([("plate.pyi", "plate", SCHEMA.encode())], Options("", "generated"))
    assert not stages.report, [one.message for one in stages.report]
    return stages


@over(ROOTS)
def test_rendered_output_passes_verification(root: Path) -> None:
    files = schemas(str(root))
    assert files
    assert verified(files, Options(str(root), "generated")).rendered


@pytest.mark.parametrize(
    ("old", "new", "found"),
    [
        # Text that ends a literal early.
        (FUTURE, f'{FUTURE}\nexec("")', "`exec('')` must not run here"),
        (FUTURE, f"{FUTURE}; import os", "imports `os`"),
        ('"""A plate."""', "", "the docstring is missing"),
        ('"""Cells.', '"""Cells."""\n    exec("")\n    """', "must not run here"),
        ('"""Cells.', '"""Cells."""\n    import os\n    """', "imports `os`"),
        ('name: str = "x"', 'name: str = exec("x")', "`exec` is called"),
        ('name: str = "x"', 'name: str = (lambda: "x")', "runs"),
        ('name: str = "x"', 'name: str = [x for x in "x"]', "runs"),
        ('name: str = "x"', 'name: str = (x := "x")', "runs"),
        ('name: str = "x"', 'name: str = f"{exec()}"', "runs"),
        ('name: str = "x"', "name: str = 9**9**9", "is computed"),
        ("nx: int\n", "nx: exec('')\n", "`exec` is called"),
        ("(frozen=True, init=False, eq=False, repr=False)", "(frozen=exec())", "`exec` is called"),
        ("class Grid(_rt.Static)", "class Grid(_rt.Static, metaclass=exec)", "the head of `Grid`"),
        ("class Grid(_rt.Static)", "class Grid(exec())", "`exec` is called"),
        ('("nx", "name")', 'exec("nx")', "`exec` is called"),
        # The bodies of functions.
        (VALUES, f'        exec("")\n{VALUES}', "`exec` is called"),
        (VALUES, f'        nx = exec("")\n{VALUES}', "`exec` is called"),
        (VALUES, f"        import os\n{VALUES}", "imports `os`"),
        (VALUES, f"        del nx\n{VALUES}", "no place in a function"),
        (VALUES, f"        while 1: ...\n{VALUES}", "no place in a function"),
        (VALUES, f"        nx = [x for x in name]\n{VALUES}", "no place in a function"),
        (VALUES, f'        "".join(exec())\n{VALUES}', "is called"),
        (VALUES, f'        getattr(nx, "x")()\n{VALUES}', "`getattr` is called"),
        ("intern(cls, values, ", "intern(cls, open(name), ", "`open` is called"),
        # What the module calls.
        ("_rt.protocol_v2(__name__", "_rt.protocol_v2(exec()", "`exec` is called"),
        ("_rt.register_dataclass(\n", "exec(\n", "must not run here"),
        ("step: Final = _rt.Function(", "step: Final = exec(", "`exec` is called"),
        ("            at = _rt.ItemsOf(At)", "            at = exec()", "`exec` is called"),
        ("\n    if TYPE_CHECKING:\n", "\n    if exec():\n", "must not run here"),
        ("        def keep(", "        print()\n\n        def keep(", "must not run here"),
        ("        def keep(", "        @exec()\n        def keep(", "`exec` is called"),
        ("same(_rt.Function[", "same(exec()[", "`exec` is called"),
        ("import dataclasses\n", "import dataclasses, os\n", "imports `os`"),
        ("import dataclasses\n", "from os import system\n", "imports `os`"),
        ("import dataclasses\n", "from builtins import exec as x\n", "imports `exec`"),
        ("from codegen import runtime", "from codegen import cli", "imports `codegen`"),
        ("import runtime as _rt", "import runtime as other", "imports `codegen`"),
        # Errors that Python reports only when it compiles.
        ("def energy(self)", "def energy(self, self)", "duplicate argument 'self'"),
        ("(frozen=True, ", "(eq=False, frozen=True, ", "is given a keyword twice"),
        # Missing and additional declarations.
        ("    nx: int\n", "    nx: int\n    ny: int\n", "the members of `Grid`"),
        ("    nx: int\n", "", "the members of `Grid`"),
        ('("nx", "name")\n', '("nx", "name")\n    x = 1\n', "the members of `Grid`"),
        ("    def energy(", "    def energies(", "the members of `Plate`"),
        (
            "    def energy(",
            "    def energy(self): ...\n\n    def energy(",
            "the members of `Plate`",
        ),
        ('EXPLICIT = "explicit"', 'IMPLICIT = "explicit"', "the members of `Scheme`"),
        ('EXPLICIT = "explicit"', 'EXPLICIT = exec("")', "`exec` is called"),
        ('["Grid", ', '["Grit", ', "`__all__`"),
        ("class Scheme(", "class Schema(", "declares Schema, Scheme"),
        ("step: Final =", "stop: Final =", "declares step, stop"),
        ("step: Final =", "x = 1\nstep: Final =", "declares x"),
        ("def _codegen_unflatten_Grid(", "def exec(", "declares exec"),
        # Forbidden characters.
        ("Cells.", "Cells.\r", r"holds '\r'"),
        ("Cells.", "Cells.\u202e", r"holds '\u202e'"),
        ("Cells.", "Cells.\ud800", r"holds '\ud800'"),
        ("Cells.", 'Cells."""', "line "),
    ],
)
def test_undeclared_code_fails_verification(plate: Stages, old: str, new: str, found: str) -> None:
    assert plate.checked is not None
    (file,) = (one for one in plate.rendered if one.path == "plate.py")
    assert old in file.text
    changed = Rendered(file.path, file.text.replace(old, new, 1))
    with pytest.raises(AssertionError) as raised:
        Verifier(plate.checked).verify(changed)
    assert str(raised.value).startswith("plate.py, line ")
    assert found in str(raised.value)


@pytest.mark.parametrize(
    "file",
    [
        Rendered("other.py", '"""A module that no schema has."""\n'),
        Rendered("__init__.py", '"""A package."""\nimport os\n'),
        Rendered("__init__.py", "import os\n"),
    ],
)
def test_files_of_no_schema_fail_verification(plate: Stages, file: Rendered) -> None:
    assert plate.checked is not None
    with pytest.raises(AssertionError):
        Verifier(plate.checked).verify(file)


@pytest.mark.parametrize("count", [1, 20])  # Enough modules for several processes.
@pytest.mark.parametrize(
    ("added", "found"),
    [
        ("x = 1", "declares x not as its schema does"),
        ("def f(: pass", "line 8: invalid syntax"),
        ("# \u202e", r"line 8: holds '\u202e'"),
    ],
)
def test_invalid_rendered_output_is_not_written(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    count: int,
    added: str,
    found: str,
) -> None:
    def printed(view: ModuleView, names: ModuleNames, holder: str) -> Rendered:
        file = print_module(view, names, holder)
        return Rendered(file.path, f"{file.text}{added}\n")

    monkeypatch.chdir(tmp_path)
    Path("schemas").mkdir()
    for number in range(count):
        Path(f"schemas/heat{number}.pyi").write_text('"""Nothing but this."""\n')
    monkeypatch.setattr("codegen.pipeline.print_module", printed)
    assert main(["build"]) == 2
    assert found in capsys.readouterr().err
    assert not Path("generated").exists()
