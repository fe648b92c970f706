"""Test tables of memory of objects with Refs, and of calls that write them."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import pytest
from jax.sharding import AbstractMesh

from codegen.runtime import table


def test_table_shows_the_role(cache: Any) -> None:
    mesh = AbstractMesh((2,), ("rows",))
    for obj in (
        cache.Pair.abstract(n=4, m=2),
        cache.Stack.abstract(n=4, m=2, layers=3),
        cache.Made.abstract(),  # It has no dimension of the mesh.
    ):
        found = table(obj, mesh=mesh)
        assert table(obj.zeros(), mesh=mesh).rows == found.rows
    pair = table(cache.Pair.abstract(n=4, m=2)).rows
    assert [(row.path, row.role) for row in pair] == [
        ("first.k", "ref"),
        ("first.u", "donated"),
        ("first.t", "dynamic"),
        ("second.k", "ref"),
        ("second.u", "dynamic"),
        ("second.t", "dynamic"),
        ("rng", "ref"),
    ]
    one = cache.Made(x=jnp.ones(2), y=jnp.ones(2))
    found = table([one, one.x])  # One Ref in two places is one buffer.
    assert [row.path for row in found.rows] == ["[0].x", "[0].y"]
    assert "the array of [0].x" in str(found)


def test_memory_of_a_call_that_writes_a_ref(cache: Any) -> None:
    abstract = cache.Cache.abstract(n=64, m=2)
    row = jnp.int32(0)
    found = cache.step.memory(abstract, row)
    assert str(found).splitlines()[1:5] == [
        "  cache.u      256 B  donated: its buffer becomes result.u",
        "  cache.k      512 B  ref: read or written in place",
        "  cache.t      4 B    passed through: not copied",
        "  row          4 B    read",
    ]
    assert found.new_results == ()
    read = [one for one in found.arguments if one.path not in found.unread]
    assert sum(one.bytes for one in read) == pytest.approx(found.analysis["argument"], rel=0.02)
    real = cache.step.memory(abstract.zeros(), row)
    assert (real.arguments, real.results) == (found.arguments, found.results)
