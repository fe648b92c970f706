"""Test the decorators for tests with many inputs."""

from __future__ import annotations

import pytest

from tests.inputs import over


def test_every_failing_input_is_reported() -> None:
    @over(range(5))
    def check(number: int) -> None:
        if number == 1:
            pytest.fail("one")
        assert number != 3, "three"

    with pytest.raises(AssertionError, match="2 of 5 inputs fail:\n1: Failed: one\n3: AssertionEr"):
        check()
