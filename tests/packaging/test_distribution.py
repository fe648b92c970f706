# mypy: disable-error-code="no-untyped-def, no-untyped-call, no-any-return"
"""The wheel and the sdist hold all that a build needs, and no other top-level package."""

import os
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).parents[2]
SCHEMA = """
from codegen.schema import donated, f32, static

class Grid:
    nx: static[int]

class Plate:
    u: donated[f32]
    grid: static[Grid]
"""
PROGRAM = """
import jax, codegen
from out.plate import Grid, Plate
plate = jax.jit(lambda p: p.replace(u=p.u + 1))(Plate(u=1.0, grid=Grid(nx=3)))
print(float(plate.u), plate.grid.nx, codegen.__file__)
"""


@pytest.fixture(scope="module")
def distributions(tmp_path_factory):
    """Build the sdist, and the wheel from it, as a release does."""
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", folder, CHECKOUT]
    subprocess.run(command, check=True, capture_output=True, cwd=folder)
    return folder


def wheel_of(folder):
    (wheel,) = folder.glob("*.whl")
    return wheel


def test_the_wheel_installs_codegen_and_nothing_else(distributions):
    with zipfile.ZipFile(wheel_of(distributions)) as wheel:
        tops = {name.partition("/")[0] for name in wheel.namelist()}
    assert tops == {"codegen", "pytree_codegen-0.1.0.dist-info"}


def test_the_wheel_holds_templates_runtime_pages_and_types(distributions):
    with zipfile.ZipFile(wheel_of(distributions)) as wheel:
        names = set(wheel.namelist())
    wanted = {
        *(f"codegen/templates/{p.name}" for p in (CHECKOUT / "templates").glob("*.jinja")),
        *(f"codegen/_runtime/{p.name}" for p in (CHECKOUT / "codegen/_runtime").glob("*.py")),
        *(
            f"codegen/diagnostics/pages/{p.name}"
            for p in (CHECKOUT / "codegen/diagnostics/pages").glob("*.md")
        ),
        "codegen/schema/__init__.pyi",
        "codegen/py.typed",
    }
    assert wanted <= names


def test_the_sdist_holds_what_its_tests_need(distributions):
    (sdist,) = distributions.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        tops = {name.split("/")[1] for name in archive.getnames() if "/" in name}
    assert tops >= {
        "codegen",
        "templates",
        "schemas",
        "generated",
        "examples",
        "tests",
        "README.md",
    }


def test_an_installed_wheel_builds_a_schema_elsewhere(distributions, tmp_path):
    site, elsewhere = tmp_path / "site", tmp_path / "elsewhere"
    install = [sys.executable, "-m", "pip", "install", "--no-deps", "--quiet", "--target", site]
    subprocess.run([*install, wheel_of(distributions)], check=True, capture_output=True)
    (elsewhere / "schemas").mkdir(parents=True)
    (elsewhere / "schemas" / "plate.pyi").write_text(SCHEMA)
    environment = os.environ | {"PYTHONPATH": str(site), "PYTHONDONTWRITEBYTECODE": "1"}

    def run(*command):
        return subprocess.run(
            command, cwd=elsewhere, env=environment, check=True, capture_output=True, text=True
        ).stdout

    run(sys.executable, "-m", "codegen", "build", "schemas", "--out", "out")
    printed = run(sys.executable, "-c", PROGRAM)
    assert printed.split()[:2] == ["2.0", "3"]
    assert printed.split()[2].startswith(str(site))
