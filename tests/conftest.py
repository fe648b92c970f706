"""Options of the tests."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import hypothesis
import pytest

from tests.generated import package
from tests.inputs import examples
from tests.xla import COMPILED_QUICKLY

# The same examples in every run, so that a failure can be repeated. `EXAMPLES_FACTOR=10` draws ten
# times as many, and `--hypothesis-profile=default` draws others.
hypothesis.settings.register_profile(
    "same", derandomize=True, deadline=None, max_examples=examples(50)
)
hypothesis.settings.load_profile("same")
# JAX reads it before its first program, and so do the processes that the tests start.
os.environ.setdefault("XLA_FLAGS", COMPILED_QUICKLY)


@pytest.fixture(scope="session", autouse=True)
def _type_checks_share_a_cache(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """mypy reads JAX once, and not once a folder or once a process of tests."""
    folder = tmp_path_factory.getbasetemp()
    folder = folder.parent if hasattr(request.config, "workerinput") else folder
    os.environ["MYPY_CACHE_DIR"] = str(folder / "mypy")


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Iterator[package.Build]:
    """Return a function that builds a folder of schemas as a package that can be imported.

    `built(HERE / "schemas", "shaped")`; other arguments are those of `package.rendered`.
    """
    folder = tmp_path_factory.mktemp("built")
    names: list[str] = []

    def build(schemas: Path, name: str, **how: Any) -> package.Package:
        names.append(name)
        return package.write(package.rendered(schemas, **how), folder, name)

    sys.path.insert(0, str(folder))
    yield build
    sys.path.remove(str(folder))
    for name in names:
        package.forget(name)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update", action="store_true", help="write what the cases give as what they expect"
    )
    parser.addoption(
        "--runtime",
        default="vendored",
        choices=("vendored", "package"),
        help="where the packages of the tests that do not say have their support package",
    )


@pytest.hookimpl(tryfirst=True)
def pytest_cmdline_main(config: pytest.Config) -> None:
    """Run on all cores where pytest-xdist is installed, and by one process where it is not.

    The tests of a file stay together, because they share what its fixtures build. The files keep
    their order: the slowest ones have few tests, and xdist would start them last.
    """
    if not config.pluginmanager.hasplugin("xdist") or hasattr(config, "workerinput"):
        return
    if config.option.numprocesses is None:
        config.option.numprocesses = "auto"
    if config.option.dist == "no":
        config.option.dist = "loadfile"
        config.option.loadscopereorder = False


def pytest_configure(config: pytest.Config) -> None:
    package.default_runtime = config.getoption("--runtime")


def pytest_collection_finish() -> None:
    """What was imported stays until the end: no collection of garbage has to look at it again.

    And what compilers make is trees, most of them without cycles: they are looked at seldom.
    """
    gc.freeze()
    gc.set_threshold(200_000, 20, 20)
