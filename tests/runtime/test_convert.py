# Some values have deliberately wrong types.
# mypy: disable-error-code="arg-type, operator, comparison-overlap"
# mypy: disable-error-code="union-attr, index, attr-defined, unreachable"
# mypy: no-warn-unused-ignores
"""Values are converted to their declared types, or rejected with the field name."""

import dataclasses
import enum
import math
import re
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from codegen.runtime import KEEP, Keep, converters, frozendict
from codegen.runtime.classes.values import as_argument, as_array
from codegen.runtime.converters import as_part
from codegen.runtime.declared import (
    array,
    identity,
    list_of,
    literal,
    optional,
    tuple_of,
    union,
)
from codegen.runtime.keys import conversion as convert
from codegen.runtime.statics.composites import as_constant
from tests.runtime.sample import Box, Circle, Grid, Linear, Shape, Square

BF16: Any = np.dtype(jnp.bfloat16).type
INT4: Any = np.dtype(jnp.int4).type


class Level(enum.IntEnum):
    ONE = 1


class MyFloat(float):
    pass


@pytest.mark.parametrize(
    ("function", "given", "expected"),
    [
        (convert.as_int, np.int8(3), 3),
        (convert.as_int, np.uint64(2**64 - 1), 2**64 - 1),
        (convert.as_int, INT4(3), 3),
        (convert.as_float, 1, 1.0),
        (convert.as_float, np.float32(0.5), 0.5),
        (convert.as_float, np.float64(0.1), 0.1),
        (convert.as_float, BF16(1.5), 1.5),
        (convert.as_float, np.int64(2**53), 2.0**53),
        (convert.as_float, -0.0, -0.0),
        (convert.as_float, -math.inf, -math.inf),
        (convert.as_complex, 1, 1 + 0j),
        (convert.as_complex, np.float32(0.5), 0.5 + 0j),
        (convert.as_complex, np.complex64(1 + 2j), 1 + 2j),
        (convert.as_bool, np.True_, True),
    ],
)
def test_numbers_are_converted(function: Any, given: Any, expected: Any) -> None:
    found = function(given, Grid, "nx")
    assert type(found) is type(expected)
    assert repr(found) == repr(expected)


@pytest.mark.parametrize(
    ("function", "given", "error"),
    [
        (convert.as_int, Level.ONE, TypeError),
        (convert.as_int, np.True_, TypeError),
        (convert.as_int, np.timedelta64(1, "s"), TypeError),
        (convert.as_int, np.array(1), TypeError),
        (convert.as_float, Level.ONE, TypeError),
        (convert.as_float, MyFloat(1), TypeError),
        (convert.as_float, np.longdouble(1) / 3, ValueError),
        (convert.as_complex, 2**53 + 1, ValueError),
        (convert.as_complex, np.clongdouble(1) / 3, ValueError),
        (converters.as_dtype, "i,i", TypeError),
        (converters.as_dtype, "M8[s]", TypeError),
        (converters.as_dtype, np.dtype("m8[1000ms]"), TypeError),
        (converters.as_dtype, "U5", TypeError),
        (converters.as_dtype, None, TypeError),
        (converters.as_callable, Grid(1, 2).replace, TypeError),
    ],
)
def test_other_types_are_an_error_that_names_the_field(
    function: Any, given: Any, error: Any
) -> None:
    with pytest.raises(error, match=r"^`Grid\.nx` takes "):
        function(given, Grid, "nx")
    with pytest.raises(error, match=r"^argument `n` of `step` takes "):
        function(given, "step", "n")


def test_constants() -> None:
    for declared in ("float32", "Float", "Inexact", "Real", "Num", "Shaped"):
        assert as_constant(np.ones(2, "f"), declared, Grid, "x").dtype == np.float32
    for declared in ("float64", "Int", "UInt", "Bool", "Complex"):
        with pytest.raises(TypeError, match=r"`Grid\.x` takes a constant"):
            as_constant(np.ones(2, "f"), declared, Grid, "x")
    for value in ([1.0], jnp.ones(2), np.array([None]), np.ma.ones(2), "a", None):
        with pytest.raises(TypeError, match=r"`Grid\.x` takes a constant"):
            as_constant(value, "Shaped", Grid, "x")
    assert as_constant(0.5, "float32", Grid, "x").shape == ()
    assert as_constant(np.float32(0.5), "float32", Grid, "x").dtype == np.float32
    swapped = as_constant(np.ones(2, ">f4"), "float32", Grid, "x")
    assert swapped.dtype.isnative
    assert (swapped == 1).all()
    empty = as_constant(np.zeros((0, 3), np.int32), "Int", Grid, "x")
    assert empty.shape == (0, 3)


def test_unions_prefer_the_exact_type() -> None:
    number = union(float, int)
    assert number.static(1, Box, "x") == (1, (1, 1))
    assert type(number.static(1, Box, "x")[0]) is int
    assert number.static(1.0, Box, "x") == (1.0, (0, 1.0))
    assert type(number.static(np.int64(1), Box, "x")[0]) is float
    with pytest.raises(TypeError, match=r"takes `float \| int`"):
        number.static(True, Box, "x")
    either = union(identity, int)
    assert either.static(np.int64(3), Grid, "n") == either.static(3, Grid, "n") == (3, (1, 3))
    nested = union(tuple_of(int, ...), None)
    with pytest.raises(TypeError, match=r"`Box\.x\[1\]` takes an int"):
        nested.static((1, "a"), Box, "x")
    shapes = union(Circle, Square)
    assert shapes.static(Square(1.0), Box, "x")[1][0] == 1


def test_frozendicts() -> None:
    first = frozendict({"a": 1, "b": (2,)}, c=None)
    assert dict(first) == {"a": 1, "b": (2,), "c": None}
    assert first == frozendict(a=1, b=(2,), c=None)
    assert first != frozendict(b=(2,), a=1, c=None)
    assert frozendict(a=1) != frozendict(a=True)
    assert frozendict(a=1) | {"a": 2} == frozendict(a=2)
    assert first["a"] == 1
    assert "z" not in first
    assert repr(frozendict(a=1)) == "frozendict({'a': 1})"
    with pytest.raises(TypeError, match="use a tuple"):
        frozendict(a=[1])
    with pytest.raises(AttributeError, match="immutable"):
        first.x = 1  # type: ignore[attr-defined]
    with pytest.raises(AttributeError):
        first._items = {}


def test_arrays_of_every_dtype() -> None:
    for name in ("float32", "bfloat16", "int4", "uint8", "complex64", "float8_e4m3fn"):
        array = as_array(1, name, Linear, "x")
        assert array.dtype == np.dtype(name)
        assert array.shape == ()
        assert not array.weak_type
    with pytest.raises(ValueError, match="from -8 to 7"):
        as_array(8, "int4", Linear, "x")
    with pytest.raises(TypeError, match=r"random.key"):
        as_array(8, "key", Linear, "x")


_X64 = re.escape('it fits after `jax.config.update("jax_enable_x64", True)`')


@pytest.mark.parametrize(
    ("declared", "value", "held"),
    [
        ("int64", 2**40 + 7, r"int64, which is int32 here, from -2147483648 to 2147483647"),
        ("int64", -(2**31) - 1, r"int64, which is int32 here, from -2147483648 to"),
        ("uint64", 2**33 + 5, r"uint64, which is uint32 here, from 0 to 4294967295"),
        ("float64", 1e300, r"float64, which is float32 here, whose range it exceeds"),
        ("float64", 2**150, r"float64, which is float32 here, whose range it exceeds"),
        ("complex128", 1e300j, r"complex128, which is complex64 here, whose range it exceeds"),
        ("Int", 2**40, r"Int, which is int32 here, from -2147483648 to 2147483647"),
        ("Float", 1e300, r"Float, which is float32 here, whose range it exceeds"),
    ],
)
def test_a_number_of_64_bits(declared: str, value: complex, held: str) -> None:
    """Without 64-bit mode, JAX would keep the lower half of an integer."""
    for bring in (as_array, as_argument):
        message = rf"`Linear\.x` takes an array of {held}.*, but was given .*: {_X64}$"
        with pytest.raises(ValueError, match=message):
            bring(value, declared, Linear, "x")
        with jax.enable_x64(True):
            assert np.asarray(bring(value, declared, Linear, "x")).item() == value


@pytest.mark.parametrize("wide", [False, True])
def test_limits_of_64_bit_dtypes(wide: bool) -> None:
    with jax.enable_x64(wide):
        bits = 64 if wide else 32
        for value in (-(2 ** (bits - 1)), 0, 2 ** (bits - 1) - 1):
            assert int(as_array(value, "int64", Linear, "x")) == value
        assert int(as_array(2**bits - 1, "uint64", Linear, "x")) == 2**bits - 1
        for number in (math.inf, -math.inf, 3.4028234663852886e38, complex(math.inf, 0)):
            assert as_array(number, "complex128", Linear, "x") == number
        assert math.isnan(as_array(math.nan, "float64", Linear, "x"))


def test_number_of_more_than_64_bits_gives_no_advice() -> None:
    with pytest.raises(ValueError, match=r"of int64, from -9\d+ to 9\d+, but .* \(int\)$"):
        as_array(2**70, "int64", Linear, "x")
    with pytest.raises(ValueError, match=r"of float64, whose range it exceeds, but .* \(int\)$"):
        as_array(10**400, "float64", Linear, "x")
    with pytest.raises(ValueError, match=r"of uint64, from 0 to \d+, but was given -1 \(int\)$"):
        as_array(-1, "uint64", Linear, "x")


def test_constant_keeps_64_bits() -> None:
    """It is a NumPy array, which JAX does not convert."""
    assert as_constant(2**40 + 7, "int64", Linear, "x") == 2**40 + 7
    assert as_constant(1e300, "float64", Linear, "x") == 1e300


def test_union_error_names_all_alternatives_or_the_error_in_one() -> None:
    item = array("float32")
    either = union(item, tuple_of(item, ...), None)
    for value, told in (
        (
            "a",
            r"`Linear\.x` takes an array of float32 or a tuple or None, but was given 'a' \(str\)",
        ),
        ([1.0], r"takes .*\(list\): convert it with `jnp\.array\(\.\.\.\)`$"),
        ((1.0, "b"), r"^`Linear\.x\[1\]` takes an array of float32, but was given 'b' \(str\)"),
    ):
        with pytest.raises(TypeError, match=told):
            either.dynamic(value, Linear, "x")
    small = optional(array("int8"))
    with pytest.raises(ValueError, match="from -128 to 127"):
        small.dynamic(300, Linear, "x")


def test_error_for_a_dynamic_field_gives_no_advice_for_statics() -> None:
    """`make it dynamic` is useless advice for a dynamic field."""
    item = array("float32")
    given = r"an array float32\[2\] \(ArrayImpl\)$"
    with pytest.raises(TypeError, match=rf"`Linear\.x` takes a `Linear`, but was given {given}"):
        as_part(jnp.ones(2), Linear, Linear, "x")
    with pytest.raises(TypeError, match=rf"`Linear\.x` takes a list, but was given {given}"):
        list_of(item).dynamic(jnp.ones(2), Linear, "x")
    with pytest.raises(TypeError, match=rf"`Linear\.x` takes a tuple, but was given {given}"):
        tuple_of(item, ...).dynamic(jnp.ones(2), Linear, "x")
    with pytest.raises(TypeError, match=r": use a tuple$"):
        tuple_of(item, ...).dynamic([1.0], Linear, "x")
    with pytest.raises(TypeError, match=r": use a list$"):
        list_of(item).dynamic((1.0,), Linear, "x")


def test_keep_sentinel() -> None:
    assert repr(KEEP) == "KEEP"
    assert Keep.KEEP is KEEP


def test_union_tag_is_that_of_the_converted_value() -> None:
    """So a stored value has the same tag when it is passed again."""
    number = union(literal(1), int)
    for given in (1, np.int8(1), 2, np.int8(2)):
        stored, tag = number.static(given, "step", "n")
        assert number.static(stored, "step", "n") == (stored, tag)
    either = union(Shape, Circle)
    assert either.static(Circle(1.0), "step", "s") == either.static(Circle(1.0), "step", "s")


@dataclasses.dataclass(frozen=True)
class Lines:
    text: str

    def __repr__(self) -> str:
        return f"Lines(\n    {self.text}\n)"


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        (Linear(jnp.ones((2, 2)), jnp.ones(2)), "a `Linear` with arrays"),
        ([jnp.ones((2, 2))], "a `list` with arrays"),
        ({"a": np.ones(3)}, "a `dict` with arrays"),
        (Lines("a"), r"Lines\( a \) \(Lines\)"),
        (Grid(1, 2), r"Grid\(.*\) \(Grid\)"),
    ],
)
def test_object_in_a_message_is_printed_on_one_line(given: Any, shown: str) -> None:
    with pytest.raises(TypeError, match=rf"^`Linear\.x` takes a `Circle`, but was given {shown}$"):
        as_part(given, Circle, Linear, "x")


def test_long_path_is_shortened() -> None:
    path = f"rates[{'x' * 100_000!r}]"
    with pytest.raises(TypeError, match=r"argument `rates\['xxx.*\.\.\.` of `f` takes") as raised:
        as_argument("text", "float32", "f", path)
    assert len(str(raised.value)) < 400
