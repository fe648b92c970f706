"""Options of the tests."""

from __future__ import annotations

import hypothesis
import pytest

# The same examples in every run, so that whoever sees a failure can show it to others;
# `--hypothesis-profile=default` looks further.
hypothesis.settings.register_profile("same", derandomize=True, deadline=None)
hypothesis.settings.load_profile("same")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update", action="store_true", help="write what the cases give as what they expect"
    )
