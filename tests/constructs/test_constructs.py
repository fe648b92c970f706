"""Compare each construct with the same program on plain pytrees, under `jit`, `grad`, `vmap` and `scan`.

A row has a generated object, a plain pytree of the same arrays, and a function of each (the same function if both have
the same attributes). The results must be equal to the last bit.
"""

import collections
import dataclasses
import functools
import operator
import typing
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, ClassVar

import jax
import jax.numpy as jnp
import pytest

from tests.constructs import impl
from tests.generated.package import Build


@dataclasses.dataclass(frozen=True)
class Row:
    """The same program in both forms."""

    ours: Any
    plain: Any
    program: Callable[[Any], Any]
    # The function of the plain form, if it differs.
    other: Callable[[Any], Any] | None = None


@functools.cache
def _named_tuple(*names: str) -> Any:
    return typing.NamedTuple("Plain", [(name, Any) for name in names])


def _plain(**fields: Any) -> Any:
    """A plain pytree with attributes."""
    return _named_tuple(*fields)(**fields)


X = jnp.array([0.5, -1.0, 2.0])


def _layer(scale: float) -> dict[str, Any]:
    return {"w": scale * jnp.eye(3) + 0.1, "b": scale * X}


def _through(blocks: Any) -> Any:
    x = X
    for block in blocks:
        x = impl.apply(block, x)
    return x.sum()


def _scanned(blocks: Any) -> Any:
    return jax.lax.scan(lambda x, block: (impl.apply(block, x), None), X, blocks)[0].sum()


def _staged(stages: Any) -> Any:
    def stage(x: Any, held: Any) -> Any:
        for block in held.blocks:
            x = impl.apply(block, x)
        return x, None

    return jax.lax.scan(stage, X, stages)[0].sum()


def _stack(*trees: Any) -> Any:
    return jax.tree.map(lambda *leaves: jnp.stack(leaves), *trees)


def _layers(m: Any) -> Iterator[tuple[str, Row]]:
    """Tuples and stacks of a dimension, also nested."""
    ours = [m.Block(**_layer(s)) for s in (0.5, 1.0)]
    plain = [_plain(**_layer(s)) for s in (0.5, 1.0)]
    yield (
        "tuple of a dimension",
        Row(m.Unrolled(tuple(ours)), _plain(blocks=tuple(plain)), lambda o: _through(o.blocks)),
    )
    yield (
        "stacked",
        Row(
            m.Scanned(_stack(*ours)),
            _plain(blocks=_stack(*plain)),
            lambda o: _scanned(o.blocks),
        ),
    )
    stages = [(m.Unrolled(tuple(ours)), _plain(blocks=tuple(plain)))] * 2
    yield (
        "a stack of tuples",
        Row(
            m.Stages(_stack(*(one for one, _ in stages))),
            _plain(stages=_stack(*(other for _, other in stages))),
            lambda o: _staged(o.stages),
        ),
    )
    yield (
        "__call__",
        Row(ours[0], plain[0], lambda o: o(X).sum(), lambda o: impl.apply(o, X).sum()),
    )


def _objects(m: Any) -> Iterator[tuple[str, Row]]:
    """Tags, sharing, base classes without fields, mixins."""
    ours = m.Block(**_layer(1.0))
    plain = _plain(**_layer(1.0))

    def decayed(o: Any, mask: Any) -> Any:
        kept = jax.tree.map(lambda x, decays: x * x * decays, o, mask)
        return sum(jnp.sum(leaf) for leaf in jax.tree.leaves(kept))

    yield (
        "tags",
        Row(
            m.Tagged(ours, X),
            _plain(block=plain, gain=X),
            lambda o: decayed(o, o.mask("decay")),
            lambda o: decayed(o, _plain(block=_plain(w=True, b=False), gain=True)),
        ),
    )
    yield (
        "share",
        Row(
            m.Tied(ours, ours),
            _plain(first=plain),
            lambda o: _through([o.first, o.last]),
            lambda o: _through([o.first, o.first]),
        ),
    )
    yield (
        "bases without fields",
        Row(
            m.Layers((m.Identity(), m.Scale(X))),
            _plain(layers=((), _plain(s=X))),
            lambda o: sum(one.s.sum() for one in o.layers if type(one) is m.Scale),
            lambda o: o.layers[1].s.sum(),
        ),
    )
    yield (
        "mixins, eq=False",
        Row(m.Mixed(X), _plain(x=X), lambda o: (-o.doubled()).x.sum(), lambda o: -(o.x * 2).sum()),
    )
    yield (
        "special methods, class methods, static ones, properties",
        Row(
            m.Point(X),
            _plain(x=X),
            lambda o: (o + m.Point.along(m.Point.halved(o.x))).norm,
            lambda o: impl.norm(_plain(x=o.x + o.x / 2)),
        ),
    )


def _values(m: Any) -> Iterator[tuple[str, Row]]:
    """Defaults, functions, numbers, containers."""
    made = m.Made(table={"b": 2.0, "a": 3.0}, items=[X[0]])
    table = {"b": jnp.float32(2.0), "a": jnp.float32(3.0)}

    def total(o: Any) -> Any:
        return (o.w * o.table["a"]).sum() - o.table["b"] + sum(o.items)

    yield "factory=, {}, []", Row(made, _plain(w=impl.weights(), table=table, items=[X[0]]), total)
    yield (
        "imported defaults",
        Row(
            m.Chosen(X),
            _plain(x=X),
            lambda o: o.activation(o.x).sum() * o.kind.value * o.rates["a"],
            lambda o: jax.nn.relu(o.x).sum() * 0.5 * 0.5,
        ),
    )

    yield (
        "identity",
        Row(
            m.Same(X, functools.partial(operator.mul, 3.0)),
            _plain(x=X),
            lambda o: o.function(o.x).sum(),
            lambda o: (3.0 * o.x).sum(),
        ),
    )
    yield (
        "numbers of a batch",
        Row(m.Numbers(X, 0.5), _plain(x=X, rate=0.5), lambda o: (o.rate * o.x).sum()),
    )
    positional = _plain(x=X, y=jnp.float32(4.0), z=jnp.float32(3.0))
    yield "kw_only=False", Row(m.Positional(X, 4.0), positional, lambda o: (o.x * o.y + o.z).sum())
    rates = collections.OrderedDict(b=0.5, a=2.0)
    yield (
        "Sequence, Mapping",
        Row(
            m.Bag([m.Block(**_layer(1.0))], rates),
            _plain(
                parts=(_plain(**_layer(1.0)),),
                rates={name: jnp.float32(rate) for name, rate in rates.items()},
            ),
            lambda o: _through(o.parts) * o.rates["a"] - o.rates["b"],
        ),
    )


def _subclasses(m: Any) -> Iterator[tuple[str, Row]]:
    """Python subclasses of generated classes: a static model, and one with arrays."""

    class Constant(m.Transport):  # type: ignore[misc]
        level: ClassVar[float] = 2.0

        def chi(self, x: Any) -> Any:
            return x * self.level * self.scale

    class Twice(Constant):
        def chi(self, x: Any) -> Any:
            return 2 * super().chi(x)

    class Spring(m.Law):  # type: ignore[misc]
        def force(self, x: Any) -> Any:
            return -self.k * x

    yield (
        "Python subclasses of a static class",
        Row(
            m.Solver(model=Twice(scale=3.0), x=X),
            _plain(x=X),
            lambda o: o.model.chi(o.x).sum(),
            lambda o: (2 * (o.x * 2.0 * 3.0)).sum(),
        ),
    )
    yield (
        "Python subclasses with arrays",
        Row(
            m.World(Spring(2 * X), X),
            _plain(law=_plain(k=2 * X), x=X),
            lambda o: o.law.force(o.x).sum(),
            lambda o: (-o.law.k * o.x).sum(),
        ),
    )


@pytest.fixture(scope="module")
def rows(built: Build) -> dict[str, Row]:
    m = built(Path(__file__).parent / "schemas", "rows").load("_src.rows")
    return {
        name: row for part in (_layers, _objects, _values, _subclasses) for name, row in part(m)
    }


def _transformed(tree: Any, program: Callable[[Any], Any]) -> list[Any]:
    """Return the leaves of the result of a program, without and under each transformation."""

    def moved(carry: Any, _: object) -> Any:
        slopes = jax.grad(program)(carry)
        carry = jax.tree.map(lambda x, slope: x - 0.1 * slope, carry, slopes)
        return carry, program(carry)

    @jax.jit
    def run(tree: Any) -> Any:
        batch = jax.tree.map(lambda x: jnp.stack([x, 2 * x, -x]), tree)
        tree = jax.tree.map(jnp.asarray, tree)
        several = jax.vmap(jax.value_and_grad(program))(batch)
        return program(tree), jax.grad(program)(tree), several, jax.lax.scan(moved, tree, length=2)

    return jax.tree.leaves(run(tree))


def test_generated_object_computes_the_same_as_plain_pytree(rows: dict[str, Row]) -> None:
    assert len(rows) == 17
    wrong = []
    for name, row in rows.items():
        ours = _transformed(row.ours, row.program)
        plain = _transformed(row.plain, row.other or row.program)
        same = jax.tree.map(lambda a, b: a.dtype == b.dtype and (a == b).all(), ours, plain)
        if len(ours) != len(plain) or not all(same):
            wrong.append(name)
    assert wrong == []


def test_generated_object_keeps_class_and_treedef(rows: dict[str, Row]) -> None:
    for name, row in rows.items():
        values, treedef = jax.tree.flatten(row.ours)
        out = jax.jit(lambda o: jax.tree.map(operator.neg, o))(row.ours)
        again: Any = jax.tree.structure(out)
        assert again == treedef, name
        assert type(out) is type(row.ours), name
        assert len(values) == len(jax.tree.leaves(row.plain)), name
