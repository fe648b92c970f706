"""The laws hold for every schema that the project has: those of the other tests are run here."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from codegen.files.schemas import Schema, schemas
from tests.generated import checkers
from tests.laws.package import HERE, PROJECT, Ran, build, names_of_laws, run_all
from tests.laws.test_laws import ROOTS

TESTS = PROJECT / "tests"
# The folders of schemas of each package; the files of one folder know of no other.
PACKAGES = {
    "errors": sorted(TESTS.glob("cases/errors/*/good")),
    "linted": sorted({path.parent for path in TESTS.glob("cases/lints/**/*.pyi")}),
    "compared": sorted({path.parent for path in TESTS.glob("cases/breaking/**/current/*.pyi")}),
    "language": sorted(TESTS.glob("cases/language/*")),
    "shared": [TESTS / "sharing" / "schemas"],
    "oracle": [TESTS / "runtime" / "schemas"],
    "identical": [TESTS / "identities" / "schemas"],
    "drafted": [TESTS / "drafts" / "schemas"],
    "shaped": [TESTS / "shapes" / "schemas"],
    "meshed": [TESTS / "meshes" / "schemas"],
    "comfort": [TESTS / "comfort" / "schemas"],
    "called": [TESTS / "calls" / "schemas"],
}
# What is wrong on purpose, and the language itself.
EXCEPT = [
    *(path for path in TESTS.glob("cases/errors/*/*") if path.name != "good"),
    # They differ from the current ones by a declaration.
    *TESTS.glob("cases/breaking/*/*/previous"),
    TESTS / "generated" / "typing",
    # They are about functions and constants that laws draw elsewhere.
    TESTS / "runtime" / "foreign",
    TESTS / "runtime" / "said",
    TESTS / "runtime" / "sampled",
    # The language's cases have the same forms.
    TESTS / "cases" / "generated",
    PROJECT / "codegen",
    # It has a class of which nothing says how large it is, so that no object of it can be drawn.
    TESTS / "shapes" / "unbound",
]
# They take about as long as each other.
HALVES = [
    ["errors_laws", "drafted_laws", "linted_laws"],
    [
        "compared_laws",
        "language_laws",
        "shared_laws",
        "oracle_laws",
        "identical_laws",
        "shaped_laws",
        "meshed_laws",
        "comfort_laws",
        "called_laws",
    ],
]
# Most cases name functions that exist nowhere, and need none.
NO_IMPLEMENTATION = re.compile(
    r"Cannot find implementation or library stub|Module \"\w+\" has no attribute"
)
FOLDERS = [folder for half in HALVES for folder in half]


def found(package: str) -> list[Schema]:
    """Find the schemas of a package, each folder's in a folder of their own."""
    return [
        (path, f"{'_'.join(root.relative_to(TESTS).parts[-3:]).lower()}.{module}", data)
        for root in PACKAGES[package]
        for path, module, data in schemas(str(root))
    ]


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("every_schema")
    for name in PACKAGES:
        build(found(name), folder, name)
    # What the schemas name and none of them declares.
    shutil.copytree(HERE / "outside", folder, dirs_exist_ok=True)
    for part in ("drafts", "meshes", "shapes"):
        (folder / "tests" / part).mkdir(parents=True)
        shutil.copy(TESTS / part / "impl.py", folder / "tests" / part)
    return folder


@pytest.fixture(scope="session")
def ran(site: Path) -> Ran:
    return run_all(site, HALVES, examples=3)


def test_laws_hold(ran: Ran) -> None:
    assert set(ran.outcomes.values()) == {"passed"}, ran.output


def test_every_class_has_its_laws(ran: Ran) -> None:
    expected = {law for name in PACKAGES for law in names_of_laws(found(name), name)}
    assert set(ran.outcomes) == expected


def test_no_schema_is_forgotten() -> None:
    known = [*ROOTS.values(), *(root for roots in PACKAGES.values() for root in roots), *EXCEPT]
    for folder in ("schemas", "tests", "examples", "benchmarks", "docs", "codegen"):
        for path in (PROJECT / folder).rglob("*.pyi"):
            assert any(path.is_relative_to(root) for root in known), path


def test_laws_are_formatted(site: Path) -> None:
    command = [sys.executable, "-m", "ruff", "format", "--isolated", "--no-cache", "--check"]
    done = subprocess.run(
        [*command, *FOLDERS], cwd=site, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_laws_and_classes_are_typed(site: Path) -> None:
    # Those of lints and comparisons hold the same forms, hundreds of times; and pyright, which
    # takes a minute for these, reads the laws of the other schemas.
    packages = [name for name in PACKAGES if name not in ("linted", "compared")]
    found = checkers.mypy(site, [*packages, *(f"{name}_laws" for name in packages)])
    assert [one for one in found if not NO_IMPLEMENTATION.search(one.message)] == []
