# mypy: disable-error-code="no-untyped-def, no-any-return"
"""In random graphs, the places with identical objects are the same before, inside and after a call."""

import dataclasses
from typing import Any

import jax
import jax.numpy as jnp
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from codegen.runtime import preserve_identities
from tests.inputs import examples

# A node: its kind, and the indices of its parts.
KINDS = ("array", "number", "none", "table", "grid", "node", "model", "list", "dict", "tuple")
plans = st.lists(
    st.tuples(st.sampled_from(KINDS), st.integers(0, 99), st.integers(0, 99)),
    min_size=1,
    max_size=12,
)


def build(graph, plan):
    """Create the objects of a plan. Each may contain earlier ones."""
    made: list[Any] = [jnp.ones(3)]
    tables = [graph.Table(rows=jnp.zeros(3))]
    for kind, first, second in plan:
        one, other = made[first % len(made)], made[second % len(made)]
        table = tables[first % len(tables)]
        new: Any = None
        match kind:
            case "array":
                new = jnp.full(3, float(first))
            case "number":
                new = 2.5
            case "table":
                new = graph.Table(rows=jnp.full(3, float(second)))
                tables.append(new)
            case "grid":
                new = graph.Grid(nx=1 + first % 2)
            case "node":
                new = graph.Node(x=made[0], left=one, right=other)
            case "model":
                coder = graph.Coder(table)
                new = graph.Model(encoder=coder, table=table, decoder=graph.Coder(table))
                made += [coder, table]
            case "list":
                new = [one, other]
            case "dict":
                new = {"b": one, "a": other}
            case "tuple":
                new = (one, 1.5, other)
        made.append(new)
    return made


def partition(value):
    """Return one number per place, equal for identical objects or arrays."""
    numbers: dict[int, int] = {}
    places: list[int] = []

    def visit(part):
        if isinstance(part, (list, tuple)):
            for item in part:
                visit(item)
        elif isinstance(part, dict):
            for key in sorted(part):
                visit(part[key])
        elif dataclasses.is_dataclass(part) or hasattr(part, "dtype"):
            scalar = not dataclasses.is_dataclass(part) and not getattr(part, "shape", ())
            places.append(-1 if scalar else numbers.setdefault(id(part), len(numbers)))
            if dataclasses.is_dataclass(part):
                for field in dataclasses.fields(part):
                    visit(getattr(part, field.name))
        else:
            places.append(-1)

    visit(value)
    return places


def unknown_transformation(f):
    """A transformation that `preserve_identities` does not know."""
    return jax.jit(f)


TRANSFORMS = {
    "jit": jax.jit,
    "my jit": unknown_transformation,
    "checkpoint": jax.checkpoint,
    "shapes": lambda f: lambda *args: jax.eval_shape(f, *args),
    "none": lambda f: f,
}


@pytest.mark.parametrize("name", TRANSFORMS)
@settings(max_examples=examples(10), deadline=None)
@given(plan=plans, arguments=st.lists(st.integers(0, 99), min_size=1, max_size=4))
def test_random_graph_keeps_identities(graph, name, plan, arguments):
    made = build(graph, plan)
    given = tuple(made[number % len(made)] for number in arguments)
    inside = []
    transform: Any = TRANSFORMS[name]

    @preserve_identities(transform)
    def f(*args):
        inside.append(partition(args))
        fresh = [graph.Table(rows=jnp.zeros(3))]
        return (*args, fresh, fresh[0])

    result = f(*given)
    assert inside == [partition(given)]
    assert partition(result[:-2]) == partition(given)
    assert result[-2][0] is result[-1]


@settings(max_examples=examples(10), deadline=None)
@given(plan=plans, arguments=st.lists(st.integers(0, 99), min_size=1, max_size=3))
def test_random_graph_has_one_gradient_per_array(graph, plan, arguments):
    """The gradient is the sum over all places."""
    made = build(graph, plan)
    given = tuple(made[number % len(made)] for number in arguments)

    def loss(*args):
        return sum(jnp.sum(leaf) for leaf in jax.tree.leaves(args))

    if not jax.tree.leaves(given):
        return
    numbers = tuple(range(len(given)))
    found = preserve_identities(jax.grad)(loss, argnums=numbers)(*given)
    assert partition(found) == partition(given)
    count: dict[int, int] = {}
    for leaf in jax.tree.leaves(given):
        count[id(leaf)] = count.get(id(leaf), 0) + 1
    for leaf, gradient in zip(jax.tree.leaves(given), jax.tree.leaves(found), strict=True):
        if hasattr(leaf, "dtype"):
            assert float(jnp.max(gradient)) == count[id(leaf)]
