# mypy: disable-error-code="no-untyped-def"
"""Fixtures: the schemas of this folder, built once per session as the package `drafted`."""

import pytest

from tests.drafts.impl import HERE


@pytest.fixture(scope="session")
def drafted(built):
    return built(HERE / "schemas", "drafted")


@pytest.fixture(scope="session")
def model(drafted):
    return drafted.model


@pytest.fixture(scope="session")
def other(built):
    """The same schemas in another package with its own runtime."""
    return built(HERE / "schemas", "others")


@pytest.fixture(scope="session")
def lift(drafted):
    return drafted.load("_runtime.lift")


@pytest.fixture(scope="session")
def draft_error(drafted):
    return drafted.load("_runtime.drafts.state").DraftError
