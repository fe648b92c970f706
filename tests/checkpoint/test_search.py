# mypy: disable-error-code="no-untyped-call, arg-type"
"""Search for values that can be saved, but not restored."""

import enum
import json
import pickle
import re
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from codegen.runtime import frozendict
from tests.checkpoint.foreign import (
    DOUBLE,
    Few,
    Kept,
    Level,
    Named,
    Options,
    Pair,
    Rights,
    Wrapping,
    heating,
)
from tests.inputs import examples

LONG = 10**5000
# Surrogates in and out of order, and characters that are special in paths and JSON.
TEXTS = st.text(st.sampled_from("a\0é\ud83d\ude00\udcff😀[]'\"."), max_size=3)
INTS = st.sampled_from([0, 1, -1, 2**53, 2**53 + 1]) | st.integers()
FLOATS = st.floats() | st.sampled_from([-0.0, float("nan"), 5e-324])
DTYPES = st.sampled_from(
    [
        *(jnp.bool_, jnp.int8, jnp.uint64, jnp.float16, jnp.bfloat16, jnp.complex64),
        *(jnp.int4, jnp.uint2, jnp.float8_e5m2, "int1", "float6_e2m3fn"),
        *("M8[25s]", "m8[ns]", "S2", "U2", ">f4", "longdouble"),
    ]
).map(np.dtype)


def _array(dtype: np.dtype[Any], shape: tuple[int, ...], order: Any) -> Any:
    numbers = np.arange(np.prod(shape)).reshape(shape, order=order) % 2
    return np.asarray(numbers).astype(dtype, order=order)


ARRAYS = st.builds(
    _array, DTYPES, st.sampled_from([(), (0, 3), (2,), (2, 3)]), st.sampled_from("CF")
)
SCALARS = ARRAYS.map(lambda array: array.ravel()[0] if array.size else np.float32(0))
FLAGS: list[enum.Enum] = [
    *(Rights(0), ~Rights.READ, Kept(0), Kept(9), Kept(8), ~Kept.A, Kept(3), Few(7), Few(5)),
    *(Level.SMALL, *Level, Named["a"], Named["a|b"]),
]
STATIC: st.SearchStrategy[Any] = st.deferred(
    lambda: (
        LEAVES
        | st.lists(STATIC, max_size=2).map(tuple)
        | st.frozensets(LEAVES, max_size=2)
        | st.builds(Pair, STATIC, STATIC)
        | st.builds(Options, STATIC)
        | st.builds(Wrapping, STATIC)
        | st.lists(st.tuples(LEAVES, STATIC), max_size=2).map(_Items)
    )
)
LEAVES: st.SearchStrategy[Any] = (
    st.none() | st.booleans() | TEXTS | INTS | FLOATS | st.complex_numbers() | SCALARS
    | st.binary(max_size=3)
    | TEXTS.map(np.str_)
    | st.binary(max_size=2).map(np.bytes_)
    | st.builds(range, INTS, INTS, st.sampled_from([1, -2]))
    | st.sampled_from([*FLAGS, heating, DOUBLE, len, ..., jnp.float32, np.dtype("M8[25s]")])
    | st.just(jax.sharding.PartitionSpec("a"))
)  # fmt: skip
KEYS = (
    TEXTS | TEXTS.map(np.str_) | INTS | FLOATS | st.sampled_from([Kept(9), Level.LOW, Named["a"]])
)
DYNAMIC: st.SearchStrategy[Any] = st.deferred(
    lambda: st.none() | st.booleans() | TEXTS | INTS | FLOATS | ARRAYS | SCALARS
    | ARRAYS.filter(lambda array: array.dtype == jnp.bfloat16).map(jnp.asarray)
    | TEXTS.map(np.str_)
    | st.lists(DYNAMIC, max_size=2)
    | st.lists(DYNAMIC, max_size=2).map(tuple)
    | st.builds(Pair, DYNAMIC, DYNAMIC)
    # JAX sorts keys, which fails for keys of different types.
    | st.builds(lambda key, item: {key: item}, KEYS, DYNAMIC)
)  # fmt: skip


class _Items(list[Any]):
    """Items of a frozendict."""


def _with_frozendicts(value: Any) -> Any:
    """Return a value with frozendicts; raise a TypeError for values that are not static."""
    if isinstance(value, _Items):
        return frozendict((key, _with_frozendicts(item)) for key, item in value)
    if type(value) is tuple:
        return tuple(_with_frozendicts(item) for item in value)
    if type(value) is Pair:
        return Pair(*(_with_frozendicts(item) for item in value))
    return value


def _object_or_none(values: Any, **fields: Any) -> Any:
    """Return an object with unusual values, or None if the class rejects them."""
    try:
        return values.Searched(**{n: _with_frozendicts(one) for n, one in fields.items()})
    except (TypeError, ValueError):
        return None


def _result_or_none(said: str, function: Any, value: Any) -> Any:
    """Call a function with a value; return None if it raises an error that names the place."""
    try:
        return function(value)
    except TypeError as error:
        if re.search(said, str(error)):
            return None
        raise


@settings(max_examples=examples(100))
@given(STATIC)
def test_static_value_round_trips_or_is_rejected(values: Any, checkpoint: Any, value: Any) -> None:
    made = _object_or_none(values, anything=value)
    if made is None:
        return
    key = made.__codegen_key__
    assert pickle.loads(pickle.dumps(made)).__codegen_key__ is key
    assert pickle.loads(pickle.dumps(key)) is key
    packed = _result_or_none("`anything", checkpoint.pack, made)
    if packed is None:
        return
    try:
        back = checkpoint.unpack(values.Searched, *packed)
    except checkpoint.CheckpointError as error:
        # Lambdas, and objects of classes that no schema imports, have no text.
        if not re.search("pass `statics=|import its module first", str(error)):
            raise
        back = checkpoint.unpack(values.Searched, *packed, statics={"anything": made.anything})
    assert back.__codegen_key__ is key
    assert checkpoint.pack(back).about == packed.about


@settings(max_examples=examples(100))
@given(st.fixed_dictionaries({}, optional={
    "anything": STATIC, "table": ARRAYS,
    "rates": st.lists(st.tuples(FLOATS, TEXTS | INTS), max_size=2).map(_Items),
}))  # fmt: skip
def test_plain_data_round_trips_or_is_rejected(
    values: Any, checkpoint: Any, fields: dict[str, Any]
) -> None:
    made = _object_or_none(values, **fields)
    if made is None:
        return
    if (data := _result_or_none(r"`Searched\.", checkpoint.to_dict, made)) is None:
        return
    text = checkpoint.to_json(made)
    assert text.isascii()
    for one in (data, json.loads(text)):
        back = checkpoint.from_dict(values.Searched, one)
        assert back.__codegen_key__ is made.__codegen_key__


def _exact(value: Any) -> Any:
    """Return a value that distinguishes a leaf from every other leaf."""
    if hasattr(value, "dtype"):
        return type(value), value.dtype, value.shape, np.asarray(value).tobytes()
    return type(value), value if type(value) in (int, str) else repr(value)


@settings(max_examples=examples(100))
@given(DYNAMIC)
def test_dynamic_value_round_trips_or_is_rejected(values: Any, checkpoint: Any, value: Any) -> None:
    state = values.State(blocks=(), rng=jax.random.key(0), anything=value)
    packed = _result_or_none("`anything", checkpoint.pack, state)
    if packed is None:
        return
    for like in ({}, {"like": state}):
        back = checkpoint.unpack(values.State, *packed, **like)
        assert checkpoint.pack(back).about == packed.about
        leaves, others = (jax.tree.leaves(one.anything) for one in (state, back))
        assert list(map(_exact, leaves)) == list(map(_exact, others))
        if "nan" not in repr(value):
            structures = {jax.tree.structure(one) for one in (state, back)}
            assert len(structures) == 1


def test_known_difficult_values_round_trip_or_are_rejected(values: Any, checkpoint: Any) -> None:
    difficult: tuple[Any, ...] = (
        frozendict({"\udcff": 1}), frozendict({"\ud83d\ude00": "\ud83d\ude00"}), Kept(9), Kept(8),
        frozendict({1: LONG}), np.str_("a\0"), np.bytes_(b"\0"), np.bytes_(b""), (LONG, range(LONG)),
        Named["a|b"], Named["\ud83d\ude00"], Options(np.str_("a\0")), Few(5),
    )  # fmt: skip
    for value in difficult:
        made = values.Searched(anything=value)
        back = checkpoint.unpack(values.Searched, *checkpoint.pack(made))
        assert back.__codegen_key__ is made.__codegen_key__
        assert pickle.loads(pickle.dumps(made)).__codegen_key__ is made.__codegen_key__
    with pytest.raises(
        TypeError, match=r"`anything`: the constructor of `.*:Wrapping` does not return an equal"
    ):
        checkpoint.pack(values.Searched(anything=Wrapping(1)))
    state = values.State(blocks=(), rng=jax.random.key(0))
    for path, wrong in ((r"anything\[0\]", [np.str_("a\0")]), ("anything", {LONG: 1})):
        with pytest.raises(TypeError, match=f"`{path}`"):
            checkpoint.pack(state.replace(anything=wrong))
    for field, value in (
        ("anything", "\ud83d\ude00"),
        ("anything", LONG),
        ("table", np.zeros(2, np.int8)),
    ):
        with pytest.raises(TypeError, match=f"`Searched.{field}`"):
            checkpoint.to_json(values.Searched(**{field: value}))
