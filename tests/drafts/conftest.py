# mypy: disable-error-code="no-untyped-def"
"""The schemas of these tests, built once a session as the package `drafted`."""

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
    """The same schemas in another package, which has a runtime of its own."""
    return built(HERE / "schemas", "others")


@pytest.fixture(scope="session")
def lift(drafted):
    return drafted.load("_runtime.lift")


@pytest.fixture(scope="session")
def draft_error(drafted):
    return drafted.load("_runtime.drafts.state").DraftError
