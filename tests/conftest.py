"""Options of the tests."""

from __future__ import annotations

import os

import hypothesis
import pytest

from tests.generated import package

# The same examples in every run, so that whoever sees a failure can show it to others;
# `--hypothesis-profile=default` looks further.
hypothesis.settings.register_profile("same", derandomize=True, deadline=None)
hypothesis.settings.load_profile("same")


@pytest.fixture(scope="session", autouse=True)
def _type_checks_share_a_cache(tmp_path_factory: pytest.TempPathFactory) -> None:
    """mypy reads JAX once a process of tests, and not once a folder."""
    os.environ["MYPY_CACHE_DIR"] = str(tmp_path_factory.getbasetemp() / "mypy")


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


def pytest_configure(config: pytest.Config) -> None:
    package.default_runtime = config.getoption("--runtime")
