"""A class without fields is a pytree without leaves, also as a base class."""

import copy
import importlib
import pickle
from typing import Any

# mypy: disable-error-code="operator"
import jax
import pytest
from jax import numpy as jnp


@pytest.fixture(scope="module")
def bare(plates: Any) -> Any:
    """The module of `schemas/bare.pyi`."""
    return importlib.import_module(f"{plates.__package__}.bare")


def test_class_without_fields_has_no_leaves(bare: Any) -> None:
    for cls in (bare.Plain, bare.Marker):
        one = cls()
        assert jax.tree.leaves(one) == []
        assert jax.tree.structure(one) == jax.tree.structure(cls())
        assert one == cls()
        assert pickle.loads(pickle.dumps(copy.deepcopy(one))) == one
        assert repr(one) == f"{cls.__name__}()"
        assert one.check() is one
        assert jax.jit(lambda x: x)(one) == one
        with pytest.raises(TypeError, match="takes 1 positional argument"):
            cls(1)
    assert jax.tree.structure(bare.Marker()) != jax.tree.structure(bare.Plain())
    # It is static by default, and then a valid key. With `use="dynamic"` it is not a key.
    assert {bare.Plain(): 1}[bare.Plain()] == 1
    with pytest.raises(TypeError, match="unhashable"):
        hash(bare.Marker())


def test_class_without_fields_is_a_base_of_static_and_dynamic_classes(bare: Any) -> None:
    assert {bare.Config(1): 1}[bare.Config(1)] == 1
    for cls in (bare.Layer, bare.Data):
        one = cls(jnp.ones(2))
        assert jax.tree.map(lambda x: 2 * x, one).w.tolist() == [2.0, 2.0]
        assert jax.grad(lambda x: (x.w**2).sum())(one) == cls(jnp.full(2, 2.0))
        assert cls.abstract(n=2).zeros() == cls(jnp.zeros(2))
    assert isinstance(bare.Deep(jnp.ones(1), jnp.ones(1)), bare.Marker)


def test_field_of_class_without_fields_accepts_subclasses(bare: Any) -> None:
    ones, traced = jnp.ones(2), []

    @jax.jit
    def total(holder: Any) -> Any:
        traced.append(type(holder.marker))
        return sum(x.sum() for x in jax.tree.leaves(holder))

    made = [bare.Marker(), bare.Layer(ones), bare.Deep(ones, ones)]
    holders = [bare.Holder(one, bare.Config(3), several=tuple(made), x=ones) for one in made]
    assert [total(holder).item() for holder in holders * 2] == [8.0, 10.0, 12.0] * 2
    assert traced == [type(one) for one in made]
    assert [holder.check().plain.k for holder in holders] == [3, 3, 3]


def test_functions_and_drafts_accept_class_without_fields(bare: Any) -> None:
    holder = bare.Holder(bare.Marker(), bare.Plain(), x=jnp.ones(2))
    assert bare.moved(bare.Marker(), holder) == bare.Marker()
    layer = bare.Layer(jnp.ones(2))
    assert bare.moved(layer, holder).w.tolist() == [2.0, 2.0]
    with pytest.raises(RuntimeError, match="was consumed by `moved`"):
        _ = layer.w + 1
    assert bare.Marker().draft().freeze() == bare.Marker()
    draft = bare.Layer(jnp.ones(2)).draft()
    draft.w = draft.w + 1
    assert draft.freeze().w.tolist() == [2.0, 2.0]
