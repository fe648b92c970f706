"""Test the decorators for tests with many inputs."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.inputs import over

SEEN: list[tuple[str, int, bool]] = []


@over("ab", [1, 2])
def test_decorated_test_is_called_with_each_input(letter: str, number: int, tmp_path: Path) -> None:
    SEEN.append((letter, number, tmp_path.is_dir()))


def test_every_input_was_used() -> None:
    assert SEEN == [("a", 1, True), ("a", 2, True), ("b", 1, True), ("b", 2, True)]


def test_every_failing_input_is_reported() -> None:
    @over(range(5))
    def check(number: int) -> None:
        if number == 1:
            pytest.fail("one")
        assert number != 3, "three"

    with pytest.raises(AssertionError, match="2 of 5 inputs fail:\n1: Failed: one\n3: AssertionEr"):
        check()


def test_empty_inputs_are_an_error() -> None:
    with pytest.raises(AssertionError, match="no input"):
        over([])
