"""`Sequence[T]` and `Mapping[K, V]` accept any sequence or mapping, and store a tuple or a dict."""

import collections
import importlib
import pickle
import types
from typing import Any

# mypy: disable-error-code="operator"
import pytest
from jax import numpy as jnp


@pytest.fixture(scope="module")
def containers(plates: Any) -> Any:
    """The module of `schemas/containers.pyi`."""
    return importlib.import_module(f"{plates.__package__}.containers")


@pytest.fixture
def cell(plates: Any) -> Any:
    return plates.Cell(jnp.ones(2))


def test_containers_are_rebuilt_in_the_same_order(containers: Any, cell: Any) -> None:
    rates = collections.OrderedDict(b=1.0, a=2)
    for given in ([cell, cell], (cell, cell), collections.deque([cell, cell])):
        for mapping in (rates, types.MappingProxyType(rates), collections.ChainMap({}, rates)):
            bag = containers.Bag(given, mapping, {1: [0.5], 0: range(2)}, [jnp.ones(2)])
            assert (type(bag.cells), type(bag.rates)) == (tuple, dict)
            assert [*bag.rates] == [*mapping]
            assert bag.rates["a"].dtype == jnp.float32
            assert bag.nested == {1: (0.5,), 0: (0, 1)}
            assert bag == bag.replace(cells=[*bag.cells], rates=rates)
            assert pickle.loads(pickle.dumps(bag)) == bag
            assert bag.check() is bag
    rates["c"] = 3.0
    assert "c" not in bag.rates
    assert containers.Bag([], {}).nested is not containers.Bag([], {}).nested


def test_other_types_are_rejected(containers: Any, cell: Any) -> None:
    for given in ("text", b"text", {"a": cell}, iter([cell]), cell, jnp.ones(2), None):
        with pytest.raises(TypeError, match=r"`Bag.cells` takes a tuple, but was given"):
            containers.Bag(given, {})
    for given in ([("a", 1.0)], "text", None):
        with pytest.raises(TypeError, match=r"`Bag.rates` takes a dict, but was given"):
            containers.Bag([], given)
    with pytest.raises(TypeError, match=r"`Bag.cells\[1\]` takes a `Cell`"):
        containers.Bag([cell, 1.0], {})


def test_functions_and_drafts_accept_containers(containers: Any, cell: Any) -> None:
    sums = containers.scaled(collections.OrderedDict(a=2.0), [jnp.ones(2), jnp.ones(2)])
    assert (type(sums), [x.tolist() for x in sums]) == (tuple, [[2.0, 2.0]] * 2)
    draft = containers.Bag([cell], {"a": 1.0}).draft()
    draft.rates = collections.OrderedDict(b=2.0)
    draft.cells = [cell, cell]
    bag = draft.freeze()
    assert (type(bag.rates), type(bag.cells), len(bag.cells)) == (dict, tuple, 2)
    shapes = containers.Bag.abstract(cells=2, rates=("a",), n=2)
    assert (type(shapes.cells), shapes.nested, shapes.several) == (tuple, {}, None)
