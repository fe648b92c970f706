# Some values have deliberately wrong types.
# mypy: disable-error-code="arg-type, misc, no-untyped-call, operator, comparison-overlap"
# mypy: no-warn-unused-ignores
"""Static fields reject values that can change or that compare by identity. TORAX accepts some of them."""

import dataclasses
import functools
from typing import Any

import pytest

from tests.ids import named
from tests.runtime import model
from tests.runtime.sample import Box, Grid, Linear, Plate


class ById:
    """It hashes by identity, as plain classes do."""


class AsConfigured(ById):
    __hash__ = object.__hash__

    def __eq__(self, other: object) -> bool:
        return isinstance(other, AsConfigured)


@pytest.mark.parametrize("value", [ById(), AsConfigured(), object(), iter(())], ids=named)
def test_field_value_that_hashes_by_identity_is_rejected(value: Any) -> None:
    with pytest.raises(TypeError, match=r"`Box\.value` takes an immutable value"):
        Box(value)


def test_identity_is_allowed_by_the_declared_type() -> None:
    """`static[Callable[...]]` accepts functions. TORAX needs `metadata={"hash_by_id": True}`."""
    plate = Plate(1.0, 1.0, Grid(1, 2), Linear(1.0, 1.0), source=model.double)
    assert plate.source is model.double
    assert plate == Plate(1.0, 1.0, Grid(1, 2), Linear(1.0, 1.0), source=model.double)
    with pytest.raises(TypeError, match=r"`Plate\.source` .*by its own name"):
        Plate(1.0, 1.0, Grid(1, 2), Linear(1.0, 1.0), source=lambda x: x)
    # For a callable object, the advice is different.
    with pytest.raises(TypeError, match=r"lambdas, closures and partials .* `static.Any.`"):
        Plate(1.0, 1.0, Grid(1, 2), Linear(1.0, 1.0), source=Policy(2))
    assert Box(Policy(2)) == Box(Policy(2))
    with pytest.raises(TypeError, match=r"Define a function with `def`"):
        Plate(1.0, 1.0, Grid(1, 2), Linear(1.0, 1.0), source=functools.partial(len))


@dataclasses.dataclass(frozen=True)
class Policy:
    """A callable compared by value, as policies of `jax.checkpoint` are."""

    level: int

    def __call__(self, x: Any) -> Any:
        return x


def test_unfrozen_dataclass_is_rejected() -> None:
    @dataclasses.dataclass
    class Mutable:
        a: int = 1

    with pytest.raises(TypeError, match=r"`Box\.value\[0\]` .*Mutable"):
        Box((Mutable(),))
    with pytest.raises(TypeError, match=r"`Box\.value` .*contains arrays: declare it dynamic"):
        Box(Linear(1.0, 1.0))


@dataclasses.dataclass(unsafe_hash=True)
class Hashable:
    """A mutable class with a hash."""

    a: int = 1


@dataclasses.dataclass(frozen=True)
class Two:
    first: Any
    last: Any


def test_every_field_is_checked() -> None:
    with pytest.raises(TypeError, match=r"`Box\.value\.first` .*Hashable"):
        Box(Two(Hashable(), 1))
    with pytest.raises(TypeError, match=r"`Box\.value\.last` .*Hashable"):
        Box(Two(1, Hashable()))


@pytest.mark.parametrize(
    ("value", "path"),
    [
        ((lambda x: x,), r"\[0\]"),
        ((1, (lambda x: x, 2)), r"\[1\]\[0\]"),
        (frozenset({lambda x: x}), r"\{\.\.\.\}"),
        (Two(1, (lambda x: x,)), r"\.last\[0\]"),
        ((Grid(1, 2).replace,), r"\[0\]"),
        ([].append, ""),
        ("a".upper, ""),
    ],
)
def test_local_functions_are_rejected_at_any_depth(value: Any, path: str) -> None:
    with pytest.raises(TypeError, match=rf"`Box\.value{path}` takes .*was given"):
        Box(value)
