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
def site(declared: Package) -> Path:
    """A folder on `sys.path` for packages that tests create."""
    return declared.folder.parent


@pytest.fixture(scope="session")
def declared(built: Build) -> Package:
    """The package of `tests/generated/schemas`."""
    return built(SCHEMAS, "declared")


@pytest.fixture(scope="session")
def declared_for_jax(built: Build) -> Package:
    """The same schemas with `registration="jax"` as default, on `codegen.runtime`."""
    return built(SCHEMAS, "declared_for_jax", registration="jax", runtime="package")


@pytest.fixture(scope="session", params=["exact", "jax"])
def package(
    request: pytest.FixtureRequest, declared: Package, declared_for_jax: Package
) -> Package:
    """Both packages, one after the other."""
    return declared if request.param == "exact" else declared_for_jax


@pytest.fixture(scope="session")
def again(built: Build) -> Package:
    """The same schemas as another package."""
    return built(SCHEMAS, "declared_again")


@pytest.fixture(autouse=True)
def _no_traces_yet() -> None:
    functions.traces.clear()
    functions.seen.clear()


# The packages that must be clean, by name, besides the test cases of the language. Only the first
# has a copy of the support package, which `.ci/run` checks in `generated/`.
ROOTS = {
    "declared": (SCHEMAS, "exact", "vendored"),
    "declared_for_jax": (SCHEMAS, "jax", "package"),
}


@pytest.fixture(scope="session")
def clean_names() -> list[str]:
    """The names of the packages that must be clean."""
    return [*ROOTS, "cases"]


@pytest.fixture(scope="session")
def site_of_checks(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the output of every schema of the project, its implementations, and code that uses it."""
    folder = tmp_path_factory.mktemp("checks")
    for name, how in ROOTS.items():
        write(rendered(*how), folder, name)
    write(cases(), folder, "cases")
    write(rendered(HERE / "typing" / "schemas", runtime="package"), folder, "misfit")
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
