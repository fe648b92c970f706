# pyright: reportUnknownMemberType=false
"""Correct uses of generated classes and functions."""

from __future__ import annotations

import copy
import dataclasses
import pickle
import sys
from typing import Any, ClassVar, assert_type

import jax
import jax.numpy as jnp
import numpy as np
from declared import arrays, fields, functions, inheritance, plates, shadows, trees, values
from declared.cycle.deep.bottom import Params
from declared.cycle.left import Left, right_of
from declared.cycle.right import Params as RightParams
from declared.cycle.right import Right
from jax import Array
from jax.sharding import PartitionSpec

from codegen.runtime import frozendict, jit, lift, stack, unstack
from tests.generated.impl.foreign import Config, Pair


def half(x: Array) -> Array:
    return x / 2


def statics() -> None:
    grid = values.Grid(3)
    assert_type(grid.nx, int)
    assert_type(grid.dx, float)
    assert_type(grid.replace(nx=2, dx=1), values.Grid)
    assert_type(dataclasses.replace(grid, ny=2), values.Grid)
    assert_type(copy.copy(grid), values.Grid)
    if sys.version_info >= (3, 13):
        assert_type(copy.replace(grid, ny=2), values.Grid)
    assert {grid: 1}[values.Grid(3)] == 1
    restored: values.Grid = pickle.loads(pickle.dumps(grid))
    assert restored == grid
    scalars = values.Scalars(1, 2, True, 3, "text", b"data", None)
    assert_type(scalars.number, complex)
    assert_type(scalars.nothing, None)
    choices = values.Choices(
        values.Color.RED, values.Level.HIGH, values.Name.PLAIN, values.Permission.READ, "fast", 1
    )
    assert choices.replace(mixed=None, mode="slow").level is values.Level.HIGH
    constants = values.Constants(
        table=np.ones((2, 3), np.float32),
        any_shape=np.ones(1),
        brain=np.ones(1, jnp.bfloat16),
        mask=np.ones(1, np.bool_),
        count=np.asarray(1, np.int32),
    )
    assert constants.table.dtype == np.float32


def containers(spec: PartitionSpec) -> None:
    made = values.Containers(
        sizes=(1, 2),
        record=(1, "a", values.Color.MIXED),
        names=frozenset({"a"}),
        rates=frozendict({"a": (1.0, 2.0)}),
        either="a",
        wide=None,
        nested=((values.Empty(),), None),
        tables=(np.ones(2, np.float32),),
    )
    assert_type(made.either, int | str)
    assert_type(made.rates["a"], tuple[float, ...])
    assert_type(made.record[2], values.Color)
    for size in made.sizes:
        assert_type(size, int)
    defaults = values.Defaults(integer=1, chosen=frozenset({1}))
    assert_type(defaults.ORDER, int)
    assert_type(values.Defaults.NAMES, tuple[str, ...])
    references = values.References(
        function=half, force=None, kind="float32", anything=(1, "a", half)
    )
    assert_type(references.kind, np.dtype[Any])
    references.replace(kind=jnp.float32)
    foreign = values.Foreign(
        mesh=jax.make_mesh((1,), ("x",)),
        spec=spec,
        config=Config("a"),
        pair=Pair(1.0, 2.0),
    )
    assert_type(foreign.config.name, str)
    assert values.Converted(sizes=3, text=" a ").sizes == (3,)
    assert_type(values.Nested(values.Grid(1)).grids, tuple[values.Grid, ...])


def pytrees() -> None:
    linear = arrays.Linear(jnp.ones((3, 3)), np.zeros(3))
    assert_type(linear.w.sum(), Array)
    parts = arrays.Parts(
        jnp.ones(3),
        b=1.0,
        items=[jnp.ones(()), jnp.ones(())],
        table={"x": jnp.ones(3)},
        stack=(1.0, jnp.ones(())),
        record=(jnp.ones(3), 1, linear),
        anything={"any": ["tree", 1]},
        layers=(linear,),
        either=linear,
        lent=linear,
    )
    assert_type(parts.total(), Array)
    point = arrays.Point.along(jnp.ones(()))
    assert_type(point + point, arrays.Point)
    assert_type(point(jnp.ones(()), shift=1.0), Array)
    assert_type(point.distance(point, arrays.Point.along(point.x)), Array)
    assert_type(parts.total(3.0, name="y"), Array)
    assert_type(parts.head[1], int)
    assert_type(parts.layers[0].b, Array)
    if isinstance(parts.either, arrays.Linear):
        parts.either.replace(b=0.0)
    if parts.own is not None:
        assert_type(parts.own, arrays.Linear)
    parts.replace(maybe=None, kind="int8", items=[])
    weak = arrays.Weak(rng=jax.random.key(0), real=2, flag=False)
    assert_type(weak.real, float | Array)
    assert_type(weak.replace(real=jnp.ones(3)), arrays.Weak)
    match arrays.Point(1.0):
        case arrays.Point(x, y):
            assert_type(x - y, Array)
    assert arrays.Tagged(1.0, tag=("anything", 1)).tag


def mode_of(mode: inheritance.Mode) -> str:
    return mode.mode


def classes() -> None:
    network = inheritance.Network(inheritance.Disc(radius=1.0), inheritance.Scale(2.0))
    assert_type(network.shape.size(), float)
    shape: inheritance.Shape = inheritance.Square(side=1)
    assert_type(shape.area, float)
    assert_type(inheritance.Derived(1, b=2.0).replace(a=3), inheritance.Derived)
    wave = inheritance.Wave(jnp.ones(3), limit=2)
    assert_type(wave.doubled(), inheritance.Wave)
    assert_type(inheritance.Ripple(wave.u).limit, int)
    box = inheritance.Box(item=3, value=1.0)
    assert_type(box, inheritance.Box[int])
    assert_type(box.item, int)
    assert_type(inheritance.Rack(box).box.item, int)
    named = inheritance.Named(values.Color.RED, 1.0)
    assert_type(named.replace(item=values.Color.MIXED).item, values.Color)
    assert_type(mode_of(inheritance.Narrow(mode="slow", x=1.0)), str)
    plate = plates.Plate(jnp.ones(3), nx=3)
    assert_type(plate.mean(), Array)
    assert_type(plate.replace(u=plate.u * 2), plates.Plate)
    assert hash(plates.Settings(3)) == hash(plates.Settings(3))
    node = trees.Node(1.0, next=trees.Node(2.0, friends={}), friends={"a": trees.Friend([])})
    assert_type(node.friends["a"].nodes, list[trees.Node])
    left = Left(
        right=None,
        rights=(),
        dense=arrays.Linear(jnp.ones((3, 3)), jnp.ones(3)),
        v=jnp.ones(3),
        params=Params(1),
        other=RightParams(2),
        shape=shape,
    )
    assert_type(right_of(left), Right)
    shadow = shadows.Array(1.0)
    assert_type(shadow.Float32, Array)


class Triangle(inheritance.Shape):
    """A subclass with methods, properties and constants."""

    corners: ClassVar[int] = 3

    def size(self) -> float:
        return super().size() / 2 * self.corners

    @property
    def halved(self) -> Triangle:
        return self.replace(area=self.area / 2)


class Newton(inheritance.Solver):
    """A subclass of an abstract class that implements the methods of its mixin."""

    def solve(self, x: float) -> float:
        return x / self.steps


def plug_ins(network: inheritance.Network) -> None:
    assert_type(Newton(steps=3).replace(steps=4).solve(1.0), float)
    assert_type(inheritance.Fixed(steps=3).solve(1.0), float)
    near = inheritance.Near(1.0)
    assert_type(near == inheritance.Near(1.01), bool)
    assert {near: 1}[near] == 1
    made = Triangle(area=3)
    assert_type(made.halved.replace(area=1.0), Triangle)
    assert_type(made.size(), float)
    assert_type(network.replace(shape=made).shape, inheritance.Shape)


def calls(plant: functions.Plant, parts: arrays.Parts, linear: arrays.Linear) -> None:
    advanced = functions.advance(plant, 0.1, n=2)
    assert_type(advanced, functions.Plant)
    assert_type(functions.advance.keep(advanced, 0.1), functions.Plant)
    assert_type(functions.advance.eval_shape(advanced, 0.1, 3).cold, functions.Tank)
    assert_type(functions.advance.donation(advanced, 0.1, n=3), dict[str, bool])
    text: str = functions.advance.lower(advanced, 0.1).as_text()
    assert text
    compiled = functions.advance.lower(advanced, 0.1).compile()
    assert_type(compiled(advanced, 0.1, n=1), functions.Plant)
    moved, total = functions.step(
        parts,
        jnp.ones(3),
        linear,
        np.ones(3, np.float32),
        2,
        flag=True,
        grid=values.Grid(4),
    )
    assert_type(moved, arrays.Parts)
    assert_type(total, Array)
    assert_type(functions.constant(), Array)
    assert_type(functions.warm(plates.Plate(0.0, nx=1), by=2), plates.Plate)
    assert_type(functions.applied(half, 1.0), Array)
    assert jax.jit(functions.read)(advanced) is not None
    assert_type(shadows.shadowed(1.0, 2.0, 3.0, "x", shadows.Array(1.0))["x"], Array)


def generic(plant: functions.Plant, x: Array) -> None:
    assert_type(inheritance.same(plant), functions.Plant)
    assert_type(inheritance.same({"x": x})["x"] + 1, Array)
    assert_type(inheritance.same.keep(x), Array)
    assert_type(inheritance.same.eval_shape(plant).cold, functions.Tank)
    assert_type(inheritance.same.donation(plant), dict[str, bool])
    assert_type(inheritance.pair(x, half, swap=True), tuple[Array, Array])


@jit(static="n", donated="plant")
def cooled(plant: functions.Plant, dt: Array, n: int = 1) -> functions.Plant:
    return functions.advance(plant, -dt, n)


def outside_any_schema(plant: functions.Plant, dt: Array) -> None:
    assert_type(cooled(plant, dt, n=2), functions.Plant)
    assert_type(cooled.keep(plant, dt), functions.Plant)


def made(key: Array) -> None:
    linear = arrays.Linear.abstract(n=3, m=2).init(key)
    assert_type(linear, arrays.Linear)
    assert_type(linear.check(), arrays.Linear)
    assert_type(values.Grid(3).check(), values.Grid)
    assert_type(arrays.Linear.abstract(n=3, m=2).w, Array)
    assert_type(linear.zeros(), arrays.Linear)
    assert_type(jax.jit(linear.init)(key), Any)
    assert_type(linear.axes("n"), arrays.Linear)
    assert_type(arrays.Weak.abstract().zeros().real, float | Array)
    assert_type(plates.Plate.abstract(n=3, nx=2).zeros(), plates.Plate)
    assert_type(inheritance.Wave.abstract(limit=2, n=3), inheritance.Wave)
    assert_type(inheritance.Ripple.abstract(n=3).zeros(), inheritance.Ripple)
    assert_type(inheritance.Narrow.abstract(mode="slow"), inheritance.Narrow)
    box = inheritance.Box[int].abstract(item=3).zeros()
    assert_type(box, inheritance.Box[int])
    mesh = jax.make_mesh((1,), ("rows",))
    assert_type(linear.globalize(mesh), arrays.Linear)
    assert_type(linear.shardings(mesh), arrays.Linear)


def drafts(
    linear: arrays.Linear, parts: arrays.Parts, weak: arrays.Weak, point: arrays.Point, x: Array
) -> None:
    draft = parts.draft()
    assert_type(draft, arrays.Parts.Draft)
    assert_type(draft.a, Array)
    assert_type(draft.maybe, Array | None)
    assert_type(draft.size, int)
    assert_type(draft.lent, arrays.Linear.Draft)
    assert_type(draft.own, arrays.Linear.Draft | None)
    assert_type(draft.layers, tuple[arrays.Linear.Draft, ...])
    assert_type(draft.items, list[Array])
    assert_type(draft.table, dict[str, Array])
    draft.pairs = parts.pairs
    draft.pairs = [(linear.draft(), x)]
    assert_type(draft.freeze(), arrays.Parts)
    draft.a = 1.0
    draft.a += x
    draft.maybe = None
    draft.lent = linear
    draft.lent = draft.layers[0]
    draft.layers = (linear, draft.lent)
    draft.own = None
    draft.stack = (x, 1.0)
    draft.table = {"a": x}
    draft.anything = object()
    draft.lent.w *= 2
    draft.at.a[0, ..., 1:] = 0.0
    draft.at.a[x > 0] += 1
    draft.at.maybe[0] = x
    assert_type(weak.draft().next_key(), Array)
    assert_type(weak.draft().real, float | Array)
    moving = point.draft()
    moving.x += 1
    assert_type(moving.freeze(), arrays.Point)


def bases(
    network: inheritance.Network, scale: inheritance.Scale, derived: inheritance.Derived
) -> None:
    draft = network.draft()
    assert_type(draft.layer, inheritance.Layer.Draft)
    draft.layer = scale
    draft.layers = (scale, draft.layer)
    assert_type(draft.layer.freeze(), inheritance.Layer)
    draft.layer = scale.draft()
    assert_type(derived.draft().a, int)
    assert_type(inheritance.Narrow(x=1.0).draft().freeze(), inheritance.Narrow)
    ripple = inheritance.Ripple(1.0).draft()
    ripple.at.u[0] = 1.0
    assert_type(ripple.phase, float)


def moved(draft: arrays.Point.Draft, x: Array, scale: float = 1.0) -> Array:
    draft.x += x * scale
    return draft.x


def moved_again(draft: arrays.Point.Draft, _: object) -> Array:
    draft.x += 1
    return draft.x


def halted(draft: arrays.Point.Draft) -> Array:
    return draft.x < 3


def fallen(draft: arrays.Point.Draft) -> None:
    draft.y -= 1


def loss(w: arrays.Linear, draft: arrays.Point.Draft, x: Array) -> Array:
    return moved(draft, x) * w.w.sum()


def loss_and_size(w: arrays.Linear, draft: arrays.Point.Draft) -> tuple[Array, int]:
    return draft.x * w.w.sum(), w.w.size


def lifted(point: arrays.Point, linear: arrays.Linear, x: Array) -> None:
    draft = point.draft()
    assert_type(lift.jit(moved)(draft, x, scale=2.0), Array)
    assert_type(lift.checkpoint(moved)(draft, x), Array)
    assert_type(lift.scan(moved, draft, x), Array)
    assert_type(lift.scan(moved_again, draft, length=3), Array)
    lift.while_loop(halted, fallen, draft)
    assert_type(lift.cond(x > 0, moved, moved, draft, x), Array)
    assert_type(lift.vmap(moved, (point, 0))(draft, x), Array)
    assert_type(lift.grad(loss)(linear, draft, x), arrays.Linear)
    assert_type(lift.value_and_grad(loss)(linear, draft, x), tuple[Array, arrays.Linear])
    assert_type(lift.grad(loss_and_size, True)(linear, draft), tuple[arrays.Linear, int])
    found = lift.value_and_grad(loss_and_size, has_aux=True)(linear, draft)
    assert_type(found, tuple[tuple[Array, int], arrays.Linear])


def tags(net: fields.Net) -> None:
    assert_type(net.labels(), fields.Net)
    assert_type(net.first.mask("decay"), fields.Linear)


def made_anew() -> None:
    one = fields.Made({}, None, jnp.ones(2), half, Config("a"))
    assert_type(one.table, dict[str, Array])
    assert_type(fields.Made(config=Config("a")).replace(table={}, activation=half), fields.Made)


def identities() -> None:
    one = fields.Same(lambda x: 2 * x, client=Config("a"))
    assert_type(one.client, Config | None)
    assert_type(one.replace(function=half).function(jnp.ones(2)), Array)


def bags(linear: fields.Linear, rates: frozendict[str, Array]) -> None:
    bag = fields.Bag([linear], rates=rates)
    assert_type(bag.parts[0], fields.Linear)
    for rate in bag.replace(parts=(linear,), rates={"a": 1.0}).rates.values():
        assert_type(rate, Array)


def layers(both: arrays.Layers, linear: arrays.Linear) -> None:
    assert_type(both.scanned, arrays.Linear)
    assert_type(both.unrolled, tuple[arrays.Linear, ...])
    assert_type(stack([linear, linear]), arrays.Linear)
    assert_type(unstack(both.scanned), tuple[arrays.Linear, ...])
    assert_type(both.replace(scanned=stack(both.unrolled)), arrays.Layers)
    assert_type(both.replace(unrolled=unstack(both.scanned)), arrays.Layers)
    assert_type(arrays.Layers.abstract(n=2, m=3, layers=4), arrays.Layers)
    assert_type(both.axes("layers").scanned, arrays.Linear)
