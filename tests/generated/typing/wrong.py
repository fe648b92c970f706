"""Wrong uses of generated code. A mark on each line describes the expected error.

`# E: text` is part of the rule or message of both type checkers. `# E-mypy` and `# E-pyright` are for one checker. A
checker without a mark must report nothing on the line.
"""
# pyright: reportUnknownMemberType=false
# ruff: noqa: B018

from __future__ import annotations

import dataclasses
from typing import Any, assert_type

import jax.numpy as jnp
import numpy as np
from declared import arrays, fields, functions, inheritance, plates, trees, values
from declared.cycle.deep.bottom import Params
from declared.cycle.left import Left
from declared.cycle.right import Params as RightParams
from jax import Array

from codegen.runtime import frozendict, jit, lift, stack, unstack


def static_classes(grid: values.Grid, choices: values.Choices) -> None:
    values.Grid()  # E: nx
    values.Grid(nx="3")  # E: "nx"
    values.Grid(nx=3.0)  # E: "float"
    values.Grid(nx=None)  # E: None
    values.Grid(3, 4)  # E: positional
    values.Grid(3, nz=4)  # E: nz
    grid.replace(nz=4)  # E: nz
    grid.replace(nx="4")  # E: "nx"
    grid.replace(4)  # E: positional
    dataclasses.replace(grid, nx="4")  # E-mypy: "str"
    dataclasses.replace(grid, nz=4)  # E-mypy: nz
    grid.nx = 4  # E: read-only
    del grid.nx  # E-pyright: read-only
    grid.nz  # E: nz
    grid.nx.foo  # E: foo
    _ = grid.nx + "a"  # E: perator
    values.Grid.nx = 3  # E-mypy: conflicts
    choices.replace(color="red")  # E: "color"
    choices.replace(color=values.Level.LOW)  # E: "color"
    choices.replace(color=values.Color.GREEN)  # E: GREEN
    choices.replace(level=1)  # E: "level"
    choices.replace(mode="middling")  # E: "mode"
    choices.replace(mixed=2)  # E: "mixed"
    values.Scalars(1, 1.0, True, 1j, "a", "b", None)  # E: bytes
    values.Scalars(1, 1j, True, 1j, "a", b"", None)  # E: complex
    values.Scalars(1, 1.0, True, 1j, "a", b"", 0)  # E: None
    values.Defaults(1)  # E: positional
    values.Defaults.ORDER.foo  # E: foo
    assert_type(grid.dx, int)  # E: assert


def containers(
    made: values.Containers, nested: values.Nested, references: values.References
) -> None:
    made.replace(sizes=[1, 2])  # E: list[int]
    made.replace(sizes=(1, "a"))  # E: "sizes"
    made.replace(record=(1, 2, values.Color.RED))  # E: tuple
    made.replace(record=(1, "a"))  # E: tuple
    made.replace(names={"a"})  # E: set[str]
    made.replace(rates={"a": (1.0,)})  # E: dict
    made.replace(rates=frozendict({1: (1.0,)}))  # E: tuple[float, ...]
    made.replace(either=1.0)  # E: "float"
    made.replace(tables=(jnp.ones(3),))  # E: Array
    nested.replace(grid=values.Empty())  # E: "Empty"
    nested.replace(grids=values.Grid(1))  # E: tuple
    made.rates["a"] = ()  # E: __setitem__  # E-mypy: indexed assignment
    made.sizes[0] = 3  # E: __setitem__  # E-mypy: indexed assignment
    references.replace(function=3)  # E: Callable  # E-pyright: function
    values.Constants(jnp.ones((2, 3)), np.ones(1), np.ones(1), np.ones(1), np.ones(1))  # E: ndarray


def pytrees(parts: arrays.Parts, linear: arrays.Linear, point: arrays.Point) -> None:
    point + 3  # E: perator
    point(jnp.ones(()), 1.0)  # E: positional
    point("a")  # E: Array
    arrays.Point.along()  # E: "y"
    arrays.Point.distance(point)  # E: "other"
    arrays.Linear(linear.w)  # E: "b"
    arrays.Linear(linear.w, "b")  # E: "str"  # E-pyright: "b"
    arrays.Linear(linear.w, None)  # E: None
    arrays.Linear(linear.w, linear)  # E: "Linear"
    linear.replace(c=1.0)  # E: "c"
    linear.replace(w="w")  # E: "w"
    linear.w = linear.b  # E: read-only
    point.replace(n=1.5)  # E: "float"
    arrays.Point(1.0, 2.0)  # E: positional
    parts.replace(items=(1.0,))  # E: tuple
    parts.replace(table={"x": "y"})  # E: str
    parts.replace(layers=(point,))  # E: Point
    parts.replace(lent=None)  # E: None
    parts.replace(lent=point)  # E: "Point"
    parts.own.w  # E-mypy: union-attr  # E-pyright: reportOptionalMemberAccess
    parts.head = (linear.b, 1)  # E: "head"
    parts.head()  # E: callable
    parts.total("x")  # E: "total"  # E-pyright: "scale"
    parts.total(1.0, "x")  # E: positional
    parts.totals()  # E: totals
    assert_type(parts.total(), float)  # E: assert
    arrays.Weak(rng=1.0)  # E: "float"
    arrays.Weak(rng=linear.w, integer="1")  # E: "integer"


class Triangle(inheritance.Shape):
    def size(self) -> str:  # E: "size"
        return ""


class Lazy(inheritance.Solver):
    pass


def classes(network: inheritance.Network, plate: plates.Plate) -> None:
    network.replace(shape=inheritance.Identity())  # E: "Identity"
    Triangle(corners=3)  # E: "corners"
    Triangle(area="3")  # E: "area"
    Triangle().replace(corners=3)  # E: "corners"
    network.replace(layer=Triangle())  # E: "Triangle"
    network.replace(layer=inheritance.Square(side=1.0))  # E: "Square"
    inheritance.Solver()  # E: rotocol
    Lazy(steps=3)  # E: abstract
    _ = inheritance.Near(1.0) < inheritance.Near(2.0)  # E: perator
    inheritance.Square(1.0)  # E: side  # E-pyright: positional
    inheritance.Narrow(mode="middling", x=1.0)  # E: mode
    inheritance.Wave(1.0, limit=1).tripled()  # E: tripled
    assert_type(inheritance.Box(item=3, value=1.0), inheritance.Box[str])  # E: assert
    inheritance.Named("red", 1.0)  # E: "Color"
    plates.Plate(1.0)  # E: "nx"
    plates.Plate(1.0, nx="3")  # E: "nx"
    plate.replace(nx="3")  # E: "nx"
    plate.nx = 3  # E: read-only
    trees.Node(1.0, next=trees.Friend([]), friends={})  # E: Friend
    Left.replace(params=RightParams(1))  # E: self


def modules(left: Left) -> None:
    left.replace(params=RightParams(1))  # E: Params
    left.replace(other=Params(1))  # E: Params


def calls(plant: functions.Plant, tank: functions.Tank, x: Array) -> None:
    functions.advance(tank, 0.1)  # E: "Tank"
    functions.advance(plant)  # E: dt
    functions.advance(plant, "0.1")  # E: "str"  # E-pyright: "dt"
    functions.advance(plant, 0.1, 1.5)  # E: "float"
    functions.advance(plant, 0.1, 1, 2)  # E: positional  # E-mypy: Too many
    functions.advance(plant, 0.1, m=1)  # E: "m"
    functions.advance(plant, 0.1).level  # E: level
    functions.advance.keep(plant, 0.1, m=1)  # E: "m"
    functions.advance.keep(tank, 0.1)  # E: "Tank"
    functions.advance.lower(plant, 0.1, m=1)  # E: "m"
    functions.advance.lower(plant, 0.1).compile()(plant, 0.1, m=1)  # E: "m"
    functions.advance.donation(plant, 0.1, m=1)  # E: "m"
    functions.advance.eval_shape(plant, 0.1, m=1)  # E: "m"
    functions.advance.eval_shape(plant, 0.1).level  # E: level
    functions.advance.upper(plant, 0.1)  # E: upper
    assert_type(functions.read(plant), float)  # E: assert
    functions.constant(1)  # E: 0 positional  # E-mypy: Too many
    functions.applied(3, x)  # E: Callable  # E-pyright: "function"
    functions.recolored("red", x)  # E: "str"  # E-pyright: "color"
    functions.tree_sum({}, {"a": x})  # E: list
    functions.noise(0, x)  # E: "int"  # E-pyright: "rng"
    functions.advance = functions.read  # E-mypy: final


def generic(plant: functions.Plant, x: Array) -> None:
    inheritance.same(plant).level  # E: level
    inheritance.same(plant, x)  # E: positional  # E-mypy: Too many
    inheritance.same.keep(plant).level  # E: level
    inheritance.same.lower()  # E: value
    inheritance.same.donation(plan=plant)  # E: plan
    inheritance.pair(plant, twice)  # E: Plant
    inheritance.pair(x, twice, True)  # E: positional  # E-mypy: Too many
    assert_type(inheritance.same(x), Any)  # E: assert
    assert_type(functions.nothing(plant), Array)  # E: assert


def twice(x: Array) -> Array:
    return x * 2


@jit(static="n")
def cooled(x: Array, n: int = 1) -> Array:
    return x - n


def outside_any_schema(x: Array) -> Any:
    cooled(x, n="2")  # E: "n"
    cooled.keep(x, m=2)  # E: "m"
    return frozendict({"a": 1})["b"].foo  # E: foo


def made(key: Array) -> None:
    arrays.Linear.abstract(n=3)  # E: "m"
    arrays.Linear.abstract(3, 2)  # E: positional  # E-mypy: Too many
    arrays.Linear.abstract(n=3, m=2.0)  # E: "float"  # E-pyright: "m"
    linear = arrays.Linear.abstract(n=3, m=2)
    arrays.Linear.abstract(n=3, m=2, k=1)  # E: "k"
    linear.init()  # E: key
    linear.init(0)  # E: "int"  # E-pyright: "key"
    linear.zeros().check().x  # E: x
    arrays.Shapes.abstract(n=3, m=2)  # E: abstract
    arrays.Kinds.abstract().init(key)  # E: init
    arrays.Weak.abstract().init(key)  # E: init
    arrays.Weak.abstract().zeros().real.foo  # E: foo
    arrays.Point(1.0).shardings(key)  # E: shardings
    arrays.Twin(1.0).draft()  # E: draft
    inheritance.Narrow.abstract(mode="other")  # E: "mode"  # E-mypy: Literal
    inheritance.Wave.abstract(limit=2)  # E: "n"
    linear.globalize(key)  # E: Mesh
    values.Grid(3).zeros()  # E: zeros


def drafts(
    parts: arrays.Parts, point: arrays.Point, weak: arrays.Weak, network: inheritance.Network
) -> None:
    draft = parts.draft()
    draft.xyz  # E: xyz
    draft.xyz = 1.0  # E: xyz
    draft.at.xyz[0] = 1.0  # E: xyz
    draft.at.lent[0] = 1.0  # E: lent
    draft.a = "a"  # E: "a"  # E-mypy: "str"
    draft.a = None  # E: None
    draft.at.a[0] = "a"  # E: ArrayLike  # E-mypy: "str"
    draft.at.a[0] += "a"  # E: not supported  # E-mypy: "str"
    draft.at.a = 1.0  # E: Items
    draft.size = 4  # E: Never
    draft.lent = point  # E: "Point"
    draft.lent = point.draft()  # E: Draft
    draft.lent = None  # E: None
    draft.lent.v  # E: "v"
    draft.own.w  # E-mypy: union-attr  # E-pyright: reportOptionalMemberAccess
    draft.layers = (point,)  # E: Point
    draft.freeze().x  # E: "x"
    weak.draft().rng = 1.0  # E: "float"
    weak.draft().next_key(1)  # E: "int"  # E-pyright: "field"
    network.draft().layer.w  # E: "w"
    network.draft().layer = inheritance.Square(side=1.0)  # E: "Square"
    assert_type(point.draft().freeze(), arrays.Parts)  # E: assert


def moved(draft: arrays.Point.Draft, x: Array) -> Array:
    draft.x += x
    return draft.x


def loss(w: arrays.Linear, draft: arrays.Point.Draft) -> Array:
    return draft.x * w.w.sum()


def lifted(point: arrays.Point, parts: arrays.Parts, linear: arrays.Linear, x: Array) -> None:
    draft = point.draft()
    lift.jit(moved)(point, x)  # E: "Point"
    lift.jit(moved)(parts.draft(), x)  # E: Draft
    lift.jit(moved)(draft)  # E: "x"  # E-mypy: Too few
    lift.jit(moved)(draft, x, 3)  # E: positional  # E-mypy: Too many
    lift.scan(moved, point, x)  # E: scan
    lift.scan(moved, draft, length=3)  # E: scan
    lift.cond(x > 0, moved, moved, draft)  # E: Ts@cond  # E-mypy: expected
    lift.while_loop(moved, moved, draft)  # E: "body"  # E-mypy: expected
    lift.grad(loss)(draft, linear)  # E: "Draft"
    lift.grad(loss, has_aux=True)  # E: No overload  # E-mypy: overload
    lift.vmap(moved)(draft)  # E: "x"  # E-mypy: Too few
    assert_type(lift.grad(loss)(linear, draft), Array)  # E: assert


def tags(net: fields.Net, trees: trees.Node) -> None:
    net.mask()  # E: tag
    net.mask(tag=1)  # E: "tag"
    net.labels("decay")  # E-mypy: arguments  # E-pyright: positional
    trees.labels()  # E: labels


def made_anew() -> None:
    fields.Made(3)  # E: dict
    fields.Made(table=[])  # E: dict
    fields.Made({}, [], 1.0, 2)  # E-mypy: Callable  # E-pyright: activation
    fields.Made({}, [], 1.0, jnp.sin, None, 3)  # E-mypy: Too many  # E-pyright: positional


def identities(one: fields.Same) -> None:
    fields.Same(3)  # E-mypy: Callable  # E-pyright: "function"
    one.replace(client="a")  # E: "client"


def bags(bag: fields.Bag, linear: fields.Linear) -> None:
    fields.Bag({linear})  # E-mypy: Sequence  # E-pyright: "parts"
    bag.replace(rates=[1.0])  # E: "rates"
    bag.parts.append(linear)  # E: append
    bag.rates["a"] = 1.0  # E-mypy: Unsupported target  # E-pyright: __setitem__


def layers(both: arrays.Layers, linear: arrays.Linear) -> None:
    both.replace(scanned=both.unrolled)  # E: "scanned"
    both.replace(unrolled=both.scanned)  # E: "unrolled"
    both.replace(unrolled=[linear])  # E: "unrolled"
    arrays.Layers.abstract(n=2, m=3)  # E: layers
    stack(linear)  # E: Iterable
    stack([linear]).v  # E: v
    unstack(both.scanned).w  # E: w
    assert_type(unstack(linear), list[arrays.Linear])  # E: assert
