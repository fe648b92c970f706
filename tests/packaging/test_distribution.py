# mypy: disable-error-code="no-untyped-def, no-untyped-call, no-any-return"
"""The wheel and the sdist contain everything that a build needs, and only one top-level package."""

import configparser
import os
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

import codegen

CHECKOUT = Path(__file__).parents[2]
INFO = f"pytree_codegen-{codegen.__version__}.dist-info"
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

# Modules from a zip have no bytecode cache, so one process runs all of these.
VERBS = """
import runpy, sys
sys.argv[1:] = ["-v", "build", "--out", "out"]
try:
    runpy.run_module("codegen", run_name="__main__", alter_sys=True)
except SystemExit as end:
    assert not end.code
from codegen.cli.main import main
for words in (
    ("check", "--out", "out"),
    ("show", "--stage", "rendered", "plate"),
    ("explain", "ALIAS_CYCLE"),
    ("completion", "bash"),
    ("init", "new"),
):
    assert main(["-v", *words]) == 0, words
"""


@pytest.fixture(scope="module")
def distributions(tmp_path_factory):
    """Build the sdist, and the wheel from it, as for a release."""
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", folder, CHECKOUT]
    subprocess.run(command, check=True, capture_output=True, cwd=folder)
    return folder


def wheel_of(folder):
    (wheel,) = folder.glob("*.whl")
    return wheel


def test_distributions_are_reproducible(distributions, tmp_path):
    """The first wheel was built from the sdist, at another time."""
    environment = os.environ | {"TZ": "Asia/Tokyo", "PYTHONHASHSEED": "7"}
    command = [sys.executable, "-m", "hatchling", "build", "--directory", tmp_path]
    subprocess.run(
        command, check=True, capture_output=True, cwd=CHECKOUT, env=environment, umask=0o077
    )
    built = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert len(built) == 2
    assert built == {path.name: path.read_bytes() for path in distributions.iterdir()}


def test_wheel_installs_only_codegen(distributions):
    with zipfile.ZipFile(wheel_of(distributions)) as wheel:
        tops = {name.partition("/")[0] for name in wheel.namelist()}
    assert tops == {"codegen", INFO}


def test_the_wheel_installs_one_program_under_two_names(distributions):
    """Another project on PyPI also installs a command `codegen`."""
    with zipfile.ZipFile(wheel_of(distributions)) as wheel:
        text = wheel.read(f"{INFO}/entry_points.txt").decode()
    parser = configparser.ConfigParser()
    parser.read_string(text)
    commands = dict(parser["console_scripts"])
    assert set(commands) == {"codegen", "pytree-codegen"}
    assert commands["codegen"] == commands["pytree-codegen"]


def test_the_wheel_holds_templates_runtime_pages_and_types(distributions):
    with zipfile.ZipFile(wheel_of(distributions)) as wheel:
        names = set(wheel.namelist())
    wanted = {
        *(f"codegen/templates/{p.name}" for p in (CHECKOUT / "templates").glob("*.jinja")),
        *(f"codegen/runtime/{p.name}" for p in (CHECKOUT / "codegen/runtime").glob("*.py")),
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


@pytest.fixture
def elsewhere(tmp_path):
    """A project outside of the checkout."""
    folder = tmp_path / "elsewhere"
    (folder / "schemas").mkdir(parents=True)
    (folder / "schemas" / "plate.pyi").write_text(SCHEMA)
    return folder


def run_python(folder, site, *command, **environment):
    """Run Python with these arguments, with codegen from `site`; return the output."""
    variables = {"PYTHONPATH": str(site), "XDG_CACHE_HOME": str(folder.parent / "cache")}
    done = subprocess.run(
        [sys.executable, *command],
        cwd=folder,
        env=os.environ | variables | environment,
        check=False,
        capture_output=True,
        text=True,
        umask=0,
    )
    assert done.returncode == 0, (command, done.stderr)
    return done.stdout


def test_an_installed_wheel_builds_a_schema_elsewhere(distributions, elsewhere, tmp_path):
    site = tmp_path / "site"
    # Copy the files like an installer, because not every environment has pip.
    with zipfile.ZipFile(wheel_of(distributions)) as wheel:
        wheel.extractall(site)
    run_python(
        elsewhere, site, "-m", "codegen", "build", "--out", "out", PYTHONDONTWRITEBYTECODE=""
    )
    printed = run_python(elsewhere, site, "-c", PROGRAM, PYTHONDONTWRITEBYTECODE="")
    assert printed.split()[:2] == ["2.0", "3"]
    assert printed.split()[2].startswith(str(site))
    # Files that others can write must not be loaded, because the next build would run them.
    assert [
        path for path in site.rglob("*") if path.is_file() and path.stat().st_mode & 0o022
    ] == []


def test_damage_by_the_other_distribution_is_explained(distributions, elsewhere, tmp_path):
    """Version 0.57.0 of the PyPI project `codegen` overwrites `__init__.py` and `cli/__init__.py`."""
    site = tmp_path / "site"
    with zipfile.ZipFile(wheel_of(distributions)) as wheel:
        wheel.extractall(site)
    own = codegen.__version__
    program = (
        f"import sys\nsys.path[:] = [one for one in sys.path if one != {str(CHECKOUT)!r}]\n"
        "from codegen.cli.main import main\n"
        "from codegen import installation\nfrom codegen.cli import explain\n"
        "print(main(['-q', 'build', '--out', 'out']), installation.__version__, flush=True)\n"
        "explain.run = lambda *_: {}['a bug']\nprint(main(['explain', 'SYNTAX']), flush=True)\n"
        "main(['--version'])"
    )
    # Without `__init__.py`, a whole package later on the path, such as an installed one, would win.
    bare = (
        "import sys\nfrom importlib import machinery, util\n"
        f"spec = machinery.PathFinder.find_spec('codegen', [{str(site)!r}])\n"
        "sys.modules['codegen'] = util.module_from_spec(spec)\n"
    )
    for init in ('__version__ = "0.57.0"', None):
        for path in (site / "codegen/__init__.py", site / "codegen/cli/__init__.py"):
            path.unlink() if init is None else path.write_text(init)
        environment = os.environ | {"PYTHONPATH": str(site)}
        done = subprocess.run(
            [sys.executable, "-c", program if init else bare + program],
            cwd=elsewhere,
            env=environment,
            check=False,
            capture_output=True,
            text=True,
        )
        printed = done.stdout.splitlines()
        assert printed == [f"0 {own}", "2", f"codegen {own} (distribution pytree-codegen)"]
        assert done.returncode == 1
        assert (
            done.stderr.count("`__init__.py` was " + ("deleted" if init is None else "overwritten"))
            == 2
        )
        assert done.stderr.count("Run `pip uninstall -y codegen`, then `pip install") == 2
        assert "this is a bug" not in done.stderr


def test_codegen_works_from_a_zip(distributions, elsewhere):
    """Bazel and zipapp use zips. A wheel is one too."""
    wheel = wheel_of(distributions)
    printed = run_python(elsewhere, wheel, "-c", f"{VERBS}\nprint()\n{PROGRAM}").split()
    assert printed[-3:-1] == ["2.0", "3"]
    assert printed[-1].startswith(str(wheel))
