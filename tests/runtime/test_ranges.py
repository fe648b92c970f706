"""Builds and constructors agree on the range of a number."""

from __future__ import annotations

import math
import sys

import pytest

from codegen.check.assignable import is_exact, out_of_range
from codegen.runtime.classes.values import as_number
from codegen.runtime.keys.conversion import as_complex, as_float
from codegen.schema.vocabulary import DTYPES

_LARGE = [float.fromhex(text) for text in ("0x1.feffffp+127", "0x1.ffffffp+127", "0x1.d0p+8")]
_LARGE += [30.0, 31.0, 240.0, 248.0, 57344.0, 61440.0, 65504.0, 65520.0, sys.float_info.max]
FLOATS = [near for x in _LARGE for near in (math.nextafter(x, 0), x, -x, math.nextafter(x, 1e308))]
INTEGERS = [
    sign * (2**bits + more)
    for bits in (1, 2, 3, 7, 8, 16, 31, 32, 53, 63, 64, 127, 128, 1024)
    for more in (-1, 0, 1)
    for sign in (1, -1)
]


class Owner:
    """The owner that messages name."""


def _is_taken(number: complex, dtype: str) -> bool:
    try:
        as_number(number, dtype, Owner, "x")
    except ValueError:
        return False
    return True


@pytest.mark.parametrize("dtype", [long for long in DTYPES.values() if long != "key"])
def test_default_is_in_range_exactly_if_the_constructor_accepts_it(dtype: str) -> None:
    numbers: list[complex] = [*INTEGERS]
    if not dtype.startswith(("int", "uint")):
        numbers += FLOATS
    if dtype.startswith("complex"):
        numbers += [complex(1, number) for number in FLOATS]
    for number in numbers:
        assert (out_of_range(number, dtype) == "") == _is_taken(number, dtype), number


@pytest.mark.parametrize("convert", [as_float, as_complex])
def test_int_is_exact_exactly_if_a_static_float_accepts_it(convert: object) -> None:
    assert callable(convert)
    for number in INTEGERS:
        if is_exact(number):
            assert convert(number, Owner, "x") == number
        else:
            with pytest.raises(ValueError, match=r"cannot be converted to a .* without loss"):
                convert(number, Owner, "x")
