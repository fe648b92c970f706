# mypy: disable-error-code="no-untyped-def"
"""The schemas of these tests, built once a session as the package `drafted`."""

import sys

import pytest

from tests.drafts.impl import HERE
from tests.generated.package import forget, rendered, write


@pytest.fixture(scope="session")
def drafted(tmp_path_factory):
    folder = tmp_path_factory.mktemp("drafts")
    sys.path.insert(0, str(folder))
    yield write(rendered(HERE / "schemas"), folder, "drafted")
    sys.path.remove(str(folder))
    forget("drafted")


@pytest.fixture(scope="session")
def model(drafted):
    return drafted.model


@pytest.fixture(scope="session")
def other(drafted, tmp_path_factory):
    """The same schemas in another package, which has a runtime of its own."""
    folder = tmp_path_factory.mktemp("others")
    sys.path.insert(0, str(folder))
    yield write(rendered(HERE / "schemas"), folder, "others")
    sys.path.remove(str(folder))
    forget("others")


@pytest.fixture(scope="session")
def lift(drafted):
    return drafted.load("_runtime.lift")


@pytest.fixture(scope="session")
def draft_error(drafted):
    return drafted.load("_runtime.drafts.state").DraftError
