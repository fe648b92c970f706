# mypy: disable-error-code="no-untyped-def"
"""Item assignment, compared with NumPy."""

import operator

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst

from codegen.runtime import DraftError
from tests.inputs import examples

SHAPE = (4, 3)
# Few examples, because JAX compiles for each new index.
SETTINGS = settings(
    max_examples=examples(20),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)

integers = npst.integer_array_indices(
    SHAPE, result_shape=npst.array_shapes(max_dims=2, max_side=3), dtype=np.dtype(np.int32)
)
masks = st.one_of(npst.arrays(bool, SHAPE), npst.arrays(bool, SHAPE[:1]))
indices = st.one_of(npst.basic_indices(SHAPE, allow_newaxis=False), integers, masks)

OPERATORS = {
    "+=": operator.iadd,
    "-=": operator.isub,
    "*=": operator.imul,
    "/=": operator.itruediv,
    "//=": operator.ifloordiv,
    "%=": operator.imod,
    "**=": operator.ipow,
}
BITS = {
    "&=": operator.iand,
    "|=": operator.ior,
    "^=": operator.ixor,
    "<<=": operator.ilshift,
    ">>=": operator.irshift,
}


@pytest.fixture
def arrays(model):
    return model.Arrays(
        real=jnp.arange(1.0, 13.0).reshape(SHAPE),
        whole=jnp.arange(12, dtype=jnp.int32).reshape(SHAPE),
        mask=jnp.arange(12).reshape(SHAPE) % 2 == 0,
        half=jnp.ones(4, jnp.bfloat16),
        any_float=jnp.ones(4),
    )


def values_of(index, shared):
    """Return a number, or an array that fits the shape of the indexed part."""
    shape = np.empty(SHAPE)[index].shape
    drawn = npst.arrays(np.float32, shape, elements=st.floats(0.5, 8, width=16))
    return shared.draw(st.one_of(st.floats(0.5, 8, width=16), drawn))


def is_repeated(index):
    places = np.arange(12).reshape(SHAPE)[index].ravel()
    return len(set(places)) < len(places)


@SETTINGS
@given(index=indices, data=st.data())
def test_set(arrays, index, data):
    value = values_of(index, data)
    if is_repeated(index) and np.ndim(value):
        value = 2.0  # With repeated indices, the remaining value is undefined
    expected = np.array(arrays.real)
    expected[index] = value
    draft = arrays.draft()
    draft.at.real[index] = value
    np.testing.assert_array_equal(draft.real, expected)


@SETTINGS
@given(index=indices, name=st.sampled_from(sorted(OPERATORS)), data=st.data())
def test_update(arrays, index, name, data):
    value = values_of(index, data)
    if is_repeated(index) and np.ndim(value):
        value = 2.0
    expected = np.array(arrays.real)
    expected[index] = OPERATORS[name](expected[index], np.float32(value))
    draft = arrays.draft()
    draft.at.real[index] = OPERATORS[name](draft.at.real[index], value)
    np.testing.assert_allclose(draft.real, expected, rtol=1e-6)


@pytest.mark.parametrize("name", BITS)
@pytest.mark.parametrize("index", [np.s_[1:], np.array([0, 2]), np.arange(12).reshape(SHAPE) > 4])
def test_update_of_bits(arrays, name, index):
    expected = np.array(arrays.whole)
    expected[index] = BITS[name](expected[index], 3)
    draft = arrays.draft()
    draft.at.whole[index] = BITS[name](draft.at.whole[index], 3)
    np.testing.assert_array_equal(draft.whole, expected)


def test_item_assignments_give_expected_values(arrays):
    draft = arrays.draft()
    draft.at.real[0, 1:] = 0.0
    draft.at.real[-1] += 100.0
    draft.at.real[jnp.array([1, 2]), 0] *= -1.0
    draft.at.real[draft.real < 0] = 7.0
    draft.at.mask[0] = False
    draft.at.half[1] = 3
    expected = [[1, 0, 0], [7, 5, 6], [7, 8, 9], [110, 111, 112]]
    assert draft.real.tolist() == expected
    assert draft.mask[0].tolist() == [False] * 3
    assert draft.half.tolist() == [1, 3, 1, 1]


def test_updated_item_keeps_writes_in_between(arrays):
    draft = arrays.draft()
    items = draft.at.real
    item = items[0]
    item += 100.0
    items[1] = 0.0
    items[0] = item
    assert draft.real.tolist()[:2] == [[101, 102, 103], [0, 0, 0]]


@pytest.mark.parametrize("shape", [SHAPE, SHAPE[:1]])
def test_masks_work_in_a_trace(arrays, shape):
    mask = np.arange(np.prod(shape)).reshape(shape) % 3 == 0

    @jax.jit
    def written(arrays, mask):
        draft = arrays.draft()
        draft.at.real[mask] += 0.5
        draft.at.real[mask] = jnp.abs(draft.real[0, 0])
        draft.at.whole[mask] *= 2
        return draft.freeze()

    found = written(arrays, mask)
    real, whole = np.array(arrays.real), np.array(arrays.whole)
    real[mask] = 1.5
    whole[mask] *= 2
    np.testing.assert_array_equal(found.real, real)
    np.testing.assert_array_equal(found.whole, whole)


@pytest.mark.parametrize(
    ("name", "other"), [("**=", 0.5), ("**=", -1), ("/=", 0.5), ("//=", 2.0), ("%=", 0.0)]
)
def test_gradient_of_elements_outside_a_mask(arrays, name, other):
    values = jnp.array([-1.0, 0.0, 4.0, 9.0])

    def total(any_float, other):
        draft = arrays.replace(any_float=any_float).draft()
        mask = any_float > 1
        item = draft.at.any_float[mask]
        draft.at.any_float[mask] = OPERATORS[name](item, other)
        return draft.freeze().any_float.sum()

    def meant(any_float, other):
        chosen = OPERATORS[name](any_float[2:], other)
        return any_float[:2].sum() + chosen.sum()

    found = jax.grad(total)(values, other)
    np.testing.assert_allclose(found[:2], [1, 1])
    np.testing.assert_allclose(found, jax.grad(meant)(values, other))
    if name != "%=":
        with jax.debug_nans(True):
            total(values, other)


def test_operator_with_a_mask_keeps_weak_types(arrays):
    draft = arrays.draft()
    draft.at.half[jnp.arange(4) > 1] *= 2.5
    draft.at.mask[draft.mask] ^= True
    draft.at.whole[draft.whole > 5] //= 2
    assert draft.half.dtype == jnp.bfloat16
    assert draft.half.tolist() == [1, 1, 2.5, 2.5]
    assert not draft.mask.any()
    assert draft.whole.ravel().tolist() == [0, 1, 2, 3, 4, 5, 3, 3, 4, 4, 5, 5]


def test_items_of_key_arrays(model):
    keys = jax.random.split(jax.random.key(0), 4)
    draft = model.Keys(many=keys).draft()
    draft.at.many[0] = keys[3]
    assert (draft.many == keys[jnp.array([3, 1, 2, 3])]).all()
    with pytest.raises(TypeError, match=r"`Keys\.many\[\.\.\.\]` takes an array of keys, but"):
        draft.at.many[0] = 1


@pytest.mark.parametrize("value", [1.5, jnp.ones(()), jnp.ones((), bool), [1, 2]])
def test_assigning_another_dtype_to_items_is_an_error_that_names_the_field(arrays, value):
    draft = arrays.draft()
    with pytest.raises(TypeError, match=r"`Arrays\.whole\[\.\.\.\]` takes an array of int32"):
        draft.at.whole[0] = value
    if isinstance(value, float):
        for index in (0, arrays.whole > 3):
            with pytest.raises(TypeError, match=r"`Arrays\.whole\[\.\.\.\]` takes an array"):
                draft.at.whole[index] += value
    assert draft.whole is arrays.whole


def test_items_of_other_fields_are_an_error(arrays):
    draft = arrays.draft()
    with pytest.raises(DraftError, match=r"`Arrays\.maybe` is not an array, so `draft"):
        draft.at.maybe[0] = 1.0
    with pytest.raises(IndexError, match=r"a mask of shape \(2,\) does not fit an array of"):
        draft.at.half[jnp.ones(2, bool)] = 1
