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
