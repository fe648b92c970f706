# mypy: disable-error-code="operator, attr-defined, func-returns-value"
# mypy: no-warn-unused-ignores
"""Metadata of foreign pytrees is compared exactly like static values, or rejected."""

from __future__ import annotations

import collections
import dataclasses
import enum
import math
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.experimental import sparse

from codegen.runtime import frozendict, jit, lift, preserve_identities
from tests.generated.package import Build
from tests.runtime.oracle_model import description
from tests.runtime.sample import Box, Grid, Linear


@jax.tree_util.register_dataclass
@dataclasses.dataclass
class Foreign:
    x: Any
    meta: Any = dataclasses.field(metadata={"static": True})


@jax.tree_util.register_dataclass
@dataclasses.dataclass
class Twin:
    x: Any
    meta: Any = dataclasses.field(metadata={"static": True})


@jax.tree_util.register_pytree_node_class
class Custom:
    """Its metadata is returned by its own flatten function."""

    def __init__(self, x: Any, meta: Any) -> None:
        self.x, self.meta = x, meta

    def tree_flatten(self) -> tuple[tuple[Any], Any]:
        return (self.x,), self.meta

    @classmethod
    def tree_unflatten(cls, meta: Any, children: tuple[Any]) -> Custom:
        return cls(*children, meta)


class Pair(NamedTuple):
    a: Any
    b: Any = 0


@dataclasses.dataclass(frozen=True)
class Config:
    a: Any


class Word(enum.StrEnum):
    A = "a"


class Plain:
    """A mutable object compared by identity."""


# Values of a row are equal in Python.
ROWS: list[tuple[Any, ...]] = [
    (1, True, 1.0, np.float32(1), np.int64(1)),
    (0.0, -0.0, 0),
    ("a", Word.A),
    ((1, 0), (True, 0), (1.0, 0), Pair(1, 0)),
    (Pair(1), Pair(True), Pair(1.0), Pair(1, -0.0)),
    (frozenset({1}), frozenset({True}), frozenset({1.0})),
    (frozenset({0.0}), frozenset({-0.0})),
    (range(0, 3, 2), range(0, 4, 2)),
    (Config(1), Config(True), Config(1.0)),
    (Config(0.0), Config(-0.0), Config((0.0,))),
    (((Config((Pair(1),)),),), ((Config((Pair(True),)),),)),
    (frozendict(a=1), frozendict(a=True)),
    (Box(1), Box(True)),
]

TREES: dict[str, Callable[[Any, Any], Any]] = {
    "dataclass": Foreign,
    "custom": Custom,
    "in a list": lambda x, meta: [Foreign(x, meta)],
    "in a dict": lambda x, meta: {"a": Foreign(x, meta)},
    "in another": lambda x, meta: Foreign(Foreign(x, meta), None),
    "in an ordered dict": lambda x, meta: collections.OrderedDict(a=Foreign(x, meta)),
    "a key": lambda x, meta: {meta: x},
    "keys of an ordered dict": lambda x, meta: collections.OrderedDict({meta: x}),
    "keys inside": lambda x, meta: Foreign({meta: x}, None),
}


def seen(tree: Any) -> Any:
    """Return an array whose shape encodes the structure of a tree."""
    return jnp.zeros(_number(tree))


def _number(tree: Any) -> int:
    return zlib.crc32(", ".join(_described(tree)).encode()) % 2**20


def seen_in(obj: Any) -> Any:
    return seen(obj.tree)


def _described(tree: Any) -> Iterator[str]:
    if isinstance(tree, Foreign | Twin | Custom):
        yield description(tree.meta)
        yield from _described(tree.x)
    elif isinstance(tree, dict):
        for key, item in tree.items():
            yield description(key)
            yield from _described(item)
    elif isinstance(tree, list):
        for item in tree:
            yield from _described(item)
    if isinstance(tree, list | dict | Foreign | Twin | Custom):
        yield type(tree).__name__


@pytest.fixture(scope="module")
def held(built: Build) -> ModuleType:
    return built(Path(__file__).parent / "foreign", "foreign_trees").held


def _trees(x: Any) -> Iterator[tuple[str, list[Any]]]:
    """Return trees whose structures are equal for JAX."""
    for kind, make in TREES.items():
        for row in ROWS if kind in ("dataclass", "custom", "a key") else ROWS[:4]:
            yield f"{kind} {row}", [make(x, meta) for meta in row]
    yield "classes", [Foreign(x, 1), Twin(x, 1)]


def test_different_metadata_retraces(held: ModuleType) -> None:
    x = jnp.zeros(())
    run, inside = jit(seen), jit(seen_in)
    kept = jit(lambda tree: tree)
    for name, trees in _trees(x):
        for tree in trees:
            obj = held.Held(x, tree=tree)
            calls = [(run, tree), (held.held, obj)]
            # The other kinds of trees are passed on in the same way.
            calls += [(inside, obj), (held.bare, tree)] if name.startswith("dataclass") else []
            for call, given in calls:
                assert call.eval_shape(given).shape == (_number(tree),), (name, tree)
            assert [*_described(kept.eval_shape(tree))] == [*_described(tree)], name
    for tree in (Foreign(x, 1), Foreign(x, True)):
        assert run(tree).shape == held.bare(tree).shape == (_number(tree),)


def test_metadata_of_results_is_never_compared() -> None:
    """JAX compares the structures of results when it looks for a compiled function."""

    def run(number: int, meta: Callable[[], Any]) -> Any:
        return jit(lambda x: Custom(x + number, meta()))(jnp.ones(()))

    for meta in (lambda: np.arange(2), lambda: [np.arange(2)]):
        assert [float(run(number, meta).x) for number in range(2)] == [1, 2]


def test_equal_metadata_does_not_retrace() -> None:
    traces: list[Any] = []
    run = jit(lambda tree: (traces.append(0), tree.x)[1])
    metas: list[Callable[[], Any]] = [
        *(lambda: 1000003, lambda: (1, "a", 0.5), lambda: Config((Pair(1.5),))),
        *(lambda: frozenset({"a", 1}), lambda: float("nan"), lambda: Grid(2, 2)),
        *(lambda: math.sin, lambda: seen, lambda: None, lambda: _LAMBDA, lambda: Plain.__init__),
        *(lambda: (_LAMBDA, Pair(_LAMBDA)), lambda: _PLAIN.__eq__, lambda: [1, (2,)]),
    ]
    for make in metas:
        traces.clear()
        for kind in (Foreign, Custom):
            if kind is Foreign and type(make()) is list:
                continue
            traces.clear()
            for _ in range(3):
                run(kind(jnp.zeros(()), make()))
            assert len(traces) == 1, (kind, make())


_LAMBDA = lambda: 0  # noqa: E731
_PLAIN = Plain()


def test_pytrees_of_libraries_are_accepted() -> None:
    matrix = sparse.BCOO.fromdense(jnp.eye(3))
    partial = jax.tree_util.Partial(lambda x, y: x + y, jnp.ones(3))
    run = jit(lambda matrix, partial: partial(matrix @ jnp.ones(3)))
    assert run(matrix, partial).tolist() == [2, 2, 2]
    assert run(matrix, partial).tolist() == [2, 2, 2]


def test_inexact_metadata_is_an_error_that_names_class_and_field(held: ModuleType) -> None:
    x = jnp.zeros(())
    for meta, text in (
        ([1], r"meta` .* use a tuple"),
        ((1, {2}), r"meta\[1\]` .* use a frozenset"),
        (np.ones(2), r"meta` .* an array .* one of its children"),
        (Config(Box(np.ones(2)).value), r"meta` .* one of its children"),
        (x, r"meta` .* "),
        (Plain(), r"meta` .* an exact `__eq__` and `__hash__` in `Plain`"),
        (Config([1]), r"meta\.a` .* use a tuple"),
    ):
        tree = {"a": [Foreign(x, meta)]}
        for call in (jit(seen), held.bare, held.bare.keep):
            with pytest.raises(TypeError, match=r"`Foreign\." + text):
                call(tree)
        obj = held.Held(x, tree=tree)
        with pytest.raises(TypeError, match=r"`Foreign\." + text):
            held.held(obj)
    with pytest.raises(TypeError, match=r"`Custom\.<metadata>` .*Plain") as caught:
        held.bare(Custom(x, Plain()))
    assert caught.value.__context__ is None  # No chained exception repeats it.
    # A tree that is only returned is not compared.
    assert jit(lambda x: Foreign(x, [1]))(x).meta == [1]


def test_objects_with_other_metadata_are_not_equal(held: ModuleType) -> None:
    x = jnp.zeros(())
    for name, trees in _trees(x):
        objects = [held.Held(x, tree=tree) for tree in trees]
        for i, one in enumerate(objects):
            for j, other in enumerate(objects):
                assert (one == other) is (i == j), name
    assert held.Held(x, tree=Foreign(x, [1])) == held.Held(x, tree=Foreign(x, [1]))


def test_preserve_identities_keeps_the_metadata() -> None:
    """If JAX considers two trees equal, they must still not be exchanged."""
    x = jnp.zeros(())
    part = Linear(jnp.ones(2), jnp.ones(2))
    same = preserve_identities(lambda f: f)(lambda a, b, tree: (a, b, tree))
    for name, trees in _trees(x):
        for tree in trees:
            if "key" in name and any("Word" in text for text in _described(tree)):
                continue  # This key equals the plain key of a dict that was read earlier.
            one, other, back = same(part, part, tree)
            assert one is other
            assert [*_described(back)] == [*_described(tree)], name


def test_lift_with_different_metadata_retraces(held: ModuleType) -> None:
    def body(draft: Any, x: Any) -> Any:
        return x + _number(draft.tree)

    def both(draft: Any) -> Any:
        return jnp.float32(_number(draft.tree))

    def write(draft: Any) -> None:
        draft.x = draft.x + _number(draft.tree)

    def once(draft: Any) -> Any:
        return draft.x == 0

    compiled, saved = lift.jit(both), lift.checkpoint(both)
    x = jnp.zeros(())
    for tree in (*[Foreign(x, one) for one in (1, True, -0.0, 0.0)], Twin(x, 1), {1: x}, {True: x}):
        draft = held.Held(jnp.zeros(()), tree=tree).draft()
        truth = float(_number(tree))
        numbers = [
            lift.scan(body, draft, jnp.zeros(1))[0],
            compiled(draft),
            saved(draft),
            lift.cond(jnp.array(True), both, both, draft),
        ]
        assert [*map(float, numbers)] == [truth] * 4, tree
        lift.while_loop(once, write, draft)
        assert float(draft.x) == truth, tree


def test_metadata_changed_in_place_keeps_its_traced_value(held: Any) -> None:
    """A program that is traced again for other shapes gets the metadata of its key."""
    made = Custom(jnp.ones(3), {"n": 1})
    for function in (jit(lambda x: x.x * x.meta["n"]), jit(lambda x: [x.x * x.meta["n"]])):
        function(made)
        made.meta["n"] = 2
        (result,) = jax.tree.leaves(function(Custom(jnp.ones(5), {"n": 1})))
        assert result.tolist() == [1.0] * 5
        (result,) = jax.tree.leaves(function(made))
        assert result.tolist() == [2.0] * 3
        made.meta["n"] = 1
    kept = jit(lambda x: x)
    kept(made).meta["n"] = 7
    assert made.meta == {"n": 1}
