"""Tests that try many inputs."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.inputs import over

SEEN: list[tuple[str, int, bool]] = []


@over("ab", [1, 2])
def test_a_test_is_called_with_each(letter: str, number: int, tmp_path: Path) -> None:
    SEEN.append((letter, number, tmp_path.is_dir()))


def test_it_was() -> None:
    assert SEEN == [("a", 1, True), ("a", 2, True), ("b", 1, True), ("b", 2, True)]


def test_every_input_that_fails_is_told() -> None:
    @over(range(5))
    def check(number: int) -> None:
        if number == 1:
            pytest.fail("one")
        assert number != 3, "three"

    with pytest.raises(AssertionError, match="2 of 5 inputs fail:\n1: Failed: one\n3: AssertionEr"):
        check()


def test_no_input_is_no_test() -> None:
    with pytest.raises(AssertionError, match="no input"):
        over([])
