"""Fixtures: the schemas of this folder, built once per session as the package `declared`."""

import shutil
from pathlib import Path

import pytest

from tests.generated import checkers
from tests.generated.checkers import Finding
from tests.generated.impl import functions
from tests.generated.package import (
    HERE,
    SCHEMAS,
    Build,
    Package,
    cases,
    rendered,
    write,
)


@pytest.fixture(scope="session")
def site(package: Package) -> Path:
    """A folder on `sys.path` for packages that tests create."""
    return package.folder.parent


@pytest.fixture(scope="session")
def package(built: Build) -> Package:
    """The package of `tests/generated/schemas`."""
    return built(SCHEMAS, "declared")


@pytest.fixture(scope="session")
def again(built: Build) -> Package:
    """The same schemas as another package."""
    return built(SCHEMAS, "declared_again")


@pytest.fixture(autouse=True)
def _no_traces_yet() -> None:
    functions.traces.clear()
    functions.seen.clear()


@pytest.fixture(scope="session")
def clean_names() -> list[str]:
    """The names of the packages that must be clean. The last has a copy of the run time."""
    return ["declared", "cases", "copied"]


@pytest.fixture(scope="session")
def site_of_checks(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the output of every schema of the project, its implementations, and code that uses it."""
    folder = tmp_path_factory.mktemp("checks")
    write(rendered(SCHEMAS), folder, "declared")
    write(cases(), folder, "cases")
    packages = HERE.parent / "packages"
    write(rendered(packages / "schemas", runtime="vendored"), folder, "copied")
    shutil.copy(packages / "both_impl.py", folder)
    write(rendered(HERE / "typing" / "schemas"), folder, "misfit")
    for part in ("impl", "typing"):
        shutil.copytree(HERE / part, folder / "tests" / "generated" / part)
    return folder


@pytest.fixture(scope="session")
def findings(site_of_checks: Path, clean_names: list[str]) -> dict[str, list[Finding]]:
    """The findings of each type checker, in one run over everything."""
    programs = [
        f"tests/generated/typing/{name}.py" for name in ("right", "wrong", "abstract_classes")
    ]
    targets = [*clean_names, "misfit", *programs]
    return {
        "mypy": checkers.mypy(site_of_checks, targets),
        "pyright": checkers.pyright(site_of_checks, targets),
    }
