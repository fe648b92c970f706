"""Options and fixtures of all tests."""

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

# Cases contain packages with tests of their own, which only `codegen adopt` runs.
collect_ignore = ["cases"]
# All runs use the same examples, so failures are reproducible. `EXAMPLES_FACTOR=10` draws ten times
# as many, and `--hypothesis-profile=default` draws random ones.
hypothesis.settings.register_profile(
    "same", derandomize=True, deadline=None, max_examples=examples(50)
)
hypothesis.settings.load_profile("same")
# JAX reads these variables before its first program. Child processes of the tests inherit them.
# Some tests need several devices, or views of buffers, which only CPUs have.
os.environ.setdefault("JAX_PLATFORMS", "cpu")
os.environ.setdefault("XLA_FLAGS", COMPILED_QUICKLY)
# Hypothesis computes a table of all characters, and stores it. Child processes read the same one.
os.environ.setdefault(
    "HYPOTHESIS_STORAGE_DIRECTORY", str(Path(__file__).parents[1] / ".hypothesis")
)


@pytest.fixture(scope="session", autouse=True)
def _type_checks_share_a_cache(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Let mypy read JAX only once, instead of once per folder and test process."""
    folder = tmp_path_factory.getbasetemp()
    folder = folder.parent if hasattr(request.config, "workerinput") else folder
    os.environ["MYPY_CACHE_DIR"] = str(folder / "mypy")


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Iterator[package.Build]:
    """Return a function that builds a folder of schemas as an importable package.

    Example: `built(HERE / "schemas", "shaped")`. Other arguments are passed to `package.rendered`.
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


@pytest.hookimpl(tryfirst=True)
def pytest_cmdline_main(config: pytest.Config) -> None:
    """Run on all cores if pytest-xdist is installed, otherwise in one process.

    The tests of a file stay in one process, because they share what its fixtures build. The files keep their order,
    because the slowest files have few tests and xdist would start them last.
    """
    if not config.pluginmanager.hasplugin("xdist") or hasattr(config, "workerinput"):
        return
    if config.option.numprocesses is None:
        config.option.numprocesses = "auto"
    if config.option.dist == "no":
        config.option.dist = "loadfile"
        config.option.loadscopereorder = False


def pytest_collection_finish() -> None:
    """Exclude imported objects from garbage collection until the end.

    Compilers create many trees, most of them without cycles, so collections run rarely.
    """
    gc.freeze()
    gc.set_threshold(200_000, 20, 20)
