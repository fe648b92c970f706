"""Two generated packages in one process. The schema of the second imports a class of the first."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import pytest

from tests.generated.package import forget, write_text

OSCILLATORS = (Path(__file__).parents[1] / "frozen/schemas/osc.pyi").read_text()
WORLD = """
from oscillators.osc import Osc

from codegen.schema import donated, dynamic, f32, impl

class World(draft=True):
    osc: donated[Osc]
    others: dynamic[tuple[Osc, ...]] = ()
    t: dynamic[f32] = 0.0

@impl("tests.packages.impl:step")
def step(world: donated[World]) -> World: ...
"""


class Pair(NamedTuple):
    """The modules of the inner and of the outer package."""

    osc: ModuleType
    world: ModuleType


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pair]:
    """A package with objects of another one."""
    folder = tmp_path_factory.mktemp("two")
    write_text(OSCILLATORS, "osc", folder, "oscillators")
    write_text(WORLD, "world", folder, "worlds")
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(folder)
        yield Pair(*map(importlib.import_module, ("oscillators.osc", "worlds.world")))
        forget("oscillators")
        forget("worlds")


def _osc(pair: Pair, size: int = 3, rate: float = 1.0) -> Any:
    return pair.osc.Osc(jnp.ones(size), jnp.zeros(size), rate=rate)


def test_field_requires_an_object_of_the_other_package(pair: Pair) -> None:
    with pytest.raises(TypeError, match=r"`World\.osc` takes an? `Osc`.*"):
        pair.world.World(osc=3)
    with pytest.raises(TypeError, match=r"`World\.others\[0\]` takes an? `Osc`"):
        pair.world.World(osc=_osc(pair), others=(3,))
    assert pair.world.World(osc=_osc(pair), others=(_osc(pair),)).others[0].rate == 1.0


def test_shapes_of_the_inner_object_are_checked(pair: Pair) -> None:
    wrong = pair.osc.Osc(jnp.ones(3), jnp.zeros(4))
    assert pair.world.World(osc=_osc(pair)).check()
    with pytest.raises(ValueError, match=r"osc\.v"):
        pair.world.World(osc=wrong).check()


def test_statics_of_the_inner_object_are_part_of_the_key(pair: Pair) -> None:
    structures: list[Any] = [
        jax.tree.structure(pair.world.World(osc=_osc(pair, rate=rate))) for rate in (1.0, 1.0, 2.0)
    ]
    assert structures[0] == structures[1]
    assert structures[0] != structures[2]
    one, other = (pair.world.World(osc=_osc(pair, rate=rate)) for rate in (1.0, 2.0))
    assert one == pair.world.World(osc=_osc(pair))
    assert one != other


def test_fields_of_the_inner_object_are_donated(pair: Pair) -> None:
    world = pair.world.World(osc=_osc(pair))
    moved = pair.world.step(world)
    assert moved.osc.x.tolist() == [1.0, 1.0, 1.0]
    assert moved.osc.v.tolist() == [-1.0, -1.0, -1.0]
    with pytest.raises(RuntimeError, match=r"osc\.v"):
        world.osc.v + 1


def test_draft_reaches_the_inner_object(pair: Pair) -> None:
    @jax.jit
    def pushed(world: Any) -> Any:
        draft = world.draft()
        draft.osc.v += 1.0
        draft.osc.at.x[0] = 5.0
        return draft.freeze()

    made = pushed(pair.world.World(osc=_osc(pair)))
    assert made.osc.v.tolist() == [1.0, 1.0, 1.0]
    assert made.osc.x.tolist() == [5.0, 1.0, 1.0]
