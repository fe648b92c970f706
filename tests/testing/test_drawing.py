"""Hypothesis draws equal values as separate copies."""

from typing import Any, cast

from hypothesis import strategies
from hypothesis.strategies import DrawFn

from codegen.testing.drawing import DrawnValue, Tape, no_near_values


def again(*values: Any) -> list[Any]:
    tape = Tape(cast("DrawFn", None), [DrawnValue(value, is_free=True) for value in values])
    return [tape.take(strategies.none(), no_near_values, is_free=True) for _ in values]


def test_copies_are_different_objects() -> None:
    values = ["text" * 100, 1.5, (1.5, [2.0])]
    copies = again(*values)
    assert copies == values
    assert not any(one is other for one, other in zip(copies, values, strict=True))


def test_copied_set_keeps_the_number_of_nans() -> None:
    nan, other = float("nan"), float("nan")
    assert len(frozenset(again(nan, nan))) == len(frozenset((nan, nan))) == 1
    assert len(frozenset(again(nan, other))) == len(frozenset((nan, other))) == 2
