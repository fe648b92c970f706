"""Correct and wrong uses of abstract classes. `wrong.py` explains the marks.

Type checkers report the construction of an abstract class. Where an abstract class is declared, they accept only its
subclasses, from schemas and from Python.
"""
# pyright: reportUnknownMemberType=false
# ruff: noqa: B018

from __future__ import annotations

import dataclasses
from typing import Any, ClassVar, Generic, TypeVar, assert_type

from jax import Array
from misfit import abstract
from misfit.other import abstract as other

T = TypeVar("T")


# --- abstract classes have no objects


def abstract_classes() -> None:
    abstract.Empty()  # E: rotocol
    abstract.Model()  # E: rotocol
    abstract.Solver(1)  # E: rotocol
    abstract.Solver(order=1, steps=2)  # E: rotocol
    abstract.Solver()  # E: rotocol
    abstract.Implicit(1)  # E: rotocol
    abstract.Direct(1)  # E: rotocol
    abstract.Stopped(1.0)  # E: rotocol
    abstract.Grid(1.0)  # E: rotocol
    abstract.Box(1)  # E: rotocol
    abstract.Box[int](item=1)  # E: rotocol
    abstract.Pair(1, other="x")  # E: rotocol
    abstract.Asking()  # E: rotocol
    abstract.Doubled(1.0)  # E: rotocol
    abstract.DoubledByAMixinAndTaggedWithAnotherOne(1.0, tag=1)  # E: rotocol
    made: abstract.Solver = abstract.Solver(1)  # E: rotocol
    assert_type(made, abstract.Solver)


# --- subclasses can be constructed


class MyEmpty(abstract.Empty):
    pass


class MyModel(abstract.Model):
    unit: ClassVar[str] = "cm"

    def size(self) -> float:
        return 2 * super().size() + super().area


class MySolver(abstract.Solver):
    def total(self) -> int:
        return self.order * self.steps


class MyImplicit(abstract.Implicit):
    pass


class MyDirect(abstract.Direct):
    pass


class MyStopped(abstract.Stopped):
    pass


class MyGrid(abstract.Grid):
    pass


class MyBox(abstract.Box[int]):
    pass


class MyGenericBox(abstract.Box[T], Generic[T]):
    pass


class MyPair(abstract.Pair[int, str]):
    pass


class MyAsking(abstract.Asking):
    def solve(self, x: float) -> float:
        return x


class NotAnswering(abstract.Asking):
    pass


class MyDoubled(abstract.Doubled):
    pass


class MyWide(abstract.DoubledByAMixinAndTaggedWithAnotherOne[int]):
    pass


def subclasses_of_python(x: Array) -> None:
    assert_type(MyEmpty(), MyEmpty)
    assert_type(MyModel()(), float)
    assert_type(MyModel().area, float)
    assert_type(MySolver(1).replace(order=2).total(), int)
    assert_type(MySolver(order=1, steps=2), MySolver)
    assert_type(dataclasses.replace(MySolver(1), steps=2), MySolver)
    assert_type(MyImplicit(1, tolerance=1.0).tolerance, float)
    assert_type(MyDirect(1).steps, int)
    assert_type(MyStopped(1.0).now, Array)
    assert_type(MyGrid.abstract(n=3).zeros(), MyGrid)
    assert_type(MyGrid(x).like(None), MyGrid)
    assert_type(MyGrid(x).draft().u, Array)
    assert_type(MyBox(1).item, int)
    assert_type(MyGenericBox("x").item, str)
    assert_type(MyPair(1, other="x").other, str)
    assert_type(MyAsking(steps=3).solve(1.0), float)
    assert_type(MyDoubled(x).doubled(), MyDoubled)
    assert_type(MyWide(x, tag=1).tagged(1), tuple[MyWide, int])
    MySolver()  # E: order
    MySolver("x")  # E: "str"  # E-pyright: "order"
    MySolver(1, rate=1.0)  # E: rate
    MySolver(1).replace(rate=1.0)  # E: rate
    MySolver(1).steps = 2  # E: read-only
    MySolver(1).rate  # E: rate
    MyEmpty(1)  # E: argument  # E-pyright: positional
    MyBox("x")  # E: "str"  # E-pyright: "item"
    MyGrid.abstract()  # E: "n"
    NotAnswering()  # E: abstract


def subclasses_of_schemas(x: Array) -> None:
    assert_type(abstract.Full(1.0).x, Array)
    assert_type(abstract.Line(x).replace(length=1.0).size(), float)
    assert_type(abstract.Fixed(1).replace(rate=2.0).steps, int)
    assert_type(abstract.Newton(1, tolerance=1.0).steps, int)
    assert_type(abstract.Gauss(order=1), abstract.Gauss)
    assert_type(abstract.Broken(1.0).now, Array)
    assert_type(abstract.Ring.abstract(n=3).zeros().u, Array)
    assert_type(abstract.Crate(1), abstract.Crate[int])
    assert_type(abstract.Case("x").item, str)
    assert_type(abstract.Twins(1, other="x").other, str)
    assert_type(abstract.Answering().solve(1.0), float)
    assert_type(abstract.Once(x).doubled(), abstract.Once)
    assert_type(abstract.Wide(x, tag=1).tag, int)
    abstract.Fixed()  # E: order
    abstract.Case(1)  # E: "int"  # E-pyright: "item"


# --- and are accepted where the abstract class is declared


class Unrelated:
    """It has the fields of `Solver`, but is not a subclass."""

    order: int = 1
    steps: int = 1


@dataclasses.dataclass(frozen=True)
class UnrelatedDataclass:
    order: int
    steps: int = 1

    def replace(self, *, order: Any = None, steps: Any = None) -> UnrelatedDataclass:
        return self


def total(solver: abstract.Solver, model: abstract.Model) -> float:
    return solver.order + solver.replace(steps=2).steps + model.size()


def places(x: Array, holder: abstract.Holder) -> None:
    full = abstract.Holder(
        empty=MyEmpty(), solver=MySolver(1), box=MyBox(1), grid=MyGrid(x), others=(MyDirect(1),)
    )
    assert_type(full.solver, abstract.Solver)
    assert_type(full.box.item, int)
    others = (abstract.Gauss(1), MySolver(1))
    full.replace(empty=abstract.Full(1.0), solver=abstract.Newton(1), others=others)
    full.replace(box=abstract.Crate(1), grid=abstract.Ring(x, v=x))
    total(MyImplicit(1), MyModel())
    assert_type(abstract.held(MyModel()), abstract.Model)
    solvers: list[abstract.Solver] = [MySolver(1), abstract.Fixed(1)]
    assert solvers
    implicit: abstract.Implicit = abstract.Newton(1)
    assert implicit
    full.replace(solver=Unrelated())  # E: "Unrelated"
    full.replace(solver=UnrelatedDataclass(1))  # E: "UnrelatedDataclass"
    full.replace(empty=other.Full())  # E: "Full"
    full.replace(empty=MySolver(1))  # E: "MySolver"
    full.replace(box=abstract.Case("x"))  # E: "Case"  # E-pyright: "str"
    total(MySolver(1), abs)  # E: "model"  # E-mypy: "Model"
    total(MySolver(1), MySolver(1))  # E: "MySolver"
    wrong: abstract.Implicit = MySolver(1)  # E: "MySolver"
    assert wrong
    direct: abstract.Direct = MyImplicit(1)  # E: "MyImplicit"
    assert direct


# --- and are distinguished at run time


def kinds(value: object, solver: abstract.Solver, optional: abstract.Solver | None) -> None:
    if isinstance(value, abstract.Solver):
        assert_type(value, abstract.Solver)
    if isinstance(value, (abstract.Empty, abstract.Model)):
        assert_type(value, abstract.Empty | abstract.Model)
    if isinstance(solver, MySolver):
        assert_type(solver.total(), int)
    if isinstance(optional, abstract.Solver):
        assert_type(optional, abstract.Solver)
    else:
        assert_type(optional, None)
    match value:
        case abstract.Implicit(tolerance=tolerance):
            assert_type(tolerance, float)
        case abstract.Solver():
            assert_type(value.order, int)
        case abstract.Empty():
            assert_type(value, abstract.Empty)
        case _:
            pass


def made(kind: type[abstract.Solver]) -> abstract.Solver:
    return kind(1, steps=3)


def same(kind: type[T]) -> type[T]:
    return kind


def classes(kind: type[Any]) -> None:
    made(MySolver)
    made(abstract.Fixed)
    known: dict[str, type[abstract.Solver]] = {"mine": MySolver, "fixed": abstract.Fixed}
    assert_type(known["mine"](1), abstract.Solver)
    assert_type(abstract.Solver.__subclasses__(), list[type[abstract.Solver]])
    assert_type(same(MySolver)(1), MySolver)
    # A class from which objects are constructed must not be abstract.
    made(abstract.Solver)  # E: concrete
    made(Unrelated)  # E: "kind"  # E-mypy: "type[Unrelated]"
    same(abstract.Solver)  # E-mypy: concrete
    # Type checkers allow `issubclass` only for protocols without attributes.
    issubclass(kind, abstract.Solver)  # E: rotocols
    assert abstract.Solver in kind.__mro__
