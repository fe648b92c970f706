"""Python subclasses of generated classes: what they may add, and that each is a separate class."""

import abc
import copy
import dataclasses
import functools
import gc
import pickle
import sys
from types import ModuleType
from typing import Any, ClassVar

import jax
import pytest
from jax import numpy as jnp

MODELS = """
from mixins import Named

class Model(Named, abstract=True, use="static"):
    scale: static[float] = 1.0

    @impl("builtins:NotImplemented")
    def chi(self, x: f32) -> f32: ...

class Constant(Model):
    level: static[float]

class State(draft=True):
    u: donated[f32[n]]
    w: dynamic[f32] = 1.0
    limit: static[int] = 3

class Tied:
    one: donated[State]
    other: donated[State]
    share(one.u, other.u)

class Solver:
    model: static[Model]
    state: dynamic[State]
"""
MIXINS = """
class Named:
    name: str
    def shown(self): return f"{self.name} x {self.scale}"
"""


@pytest.fixture
def models(make: Any) -> Any:
    return make(MIXINS, MODELS)


PLUG_IN = """
from typing import ClassVar

REGISTRY = {}

def register(cls):
    REGISTRY[cls.name] = cls
    return cls

@register
class Mine(Model):
    name: ClassVar[str] = "mine"
    factor: "ClassVar[float]" = 2.0

    def chi(self, x):
        return x * self.factor * self.scale

    def shown(self):
        return "my " + super().shown()

    @property
    def twice(self):
        return self.replace(scale=self.scale * 2)
"""


def _plug_in(models: Any, name: str) -> Any:
    module = ModuleType(name)
    sys.modules[name] = module
    vars(module)["Model"] = models.Model
    exec(PLUG_IN, vars(module))
    return module


def test_subclass_from_another_distribution(models: Any) -> None:
    """Its class is part of the key and of the program, also beside a class with the same name."""
    one, other = _plug_in(models, "plug_in_one"), _plug_in(models, "plug_in_other")
    other.Mine.factor = 3.0
    mine = one.REGISTRY["mine"](scale=0.5)
    assert mine == one.Mine(scale=0.5) == mine.replace()
    assert hash(mine) == hash(one.Mine(scale=0.5))
    assert mine != other.Mine(scale=0.5)
    theirs: Any = jax.tree.structure(other.Mine(scale=0.5))
    assert jax.tree.structure(mine) != theirs
    assert (mine.shown(), mine.twice.scale, type(mine.twice)) == ("my mine x 0.5", 1.0, one.Mine)
    assert repr(mine) == "Mine(scale=0.5)"
    assert [f.name for f in dataclasses.fields(mine)] == ["scale"]
    for again in (copy.copy(mine), copy.deepcopy(mine), pickle.loads(pickle.dumps(mine))):
        assert (again == mine, type(again)) == (True, one.Mine)
    traced: list[Any] = []

    @jax.jit
    def run(solver: Any, x: Any) -> Any:
        traced.append(solver.model)
        return solver.model.chi(x) * solver.state.w

    state = models.State(jnp.ones(2), w=2.0)
    solvers = [models.Solver(model=m(scale=1.0), state=state) for m in (one.Mine, other.Mine)]
    assert [run(solver, 1.0) for solver in (*solvers, *solvers)] == [4, 6, 4, 6]
    assert len(traced) == 2
    assert solvers[0] != solvers[1]
    with pytest.raises(TypeError, match=r"`Solver\.model`"):
        models.Solver(model=one.Mine, state=state)


def test_subclass_with_arrays_is_a_pytree_of_the_inherited_fields(models: Any) -> None:
    class Mine(models.State):  # type: ignore[misc]
        def total(self) -> Any:
            return self.u.sum() * self.w

        @functools.cached_property
        def seen(self) -> list[int]:
            return [1]

    mine = Mine(jnp.arange(3.0), w=2)
    plain = models.State(jnp.arange(3.0), w=2)
    assert mine != plain
    assert jax.tree.leaves(mine)[0] is mine.u
    assert mine.seen is mine.seen
    assert mine.total() == 6
    assert jax.tree.map(lambda x: x, mine) == mine == jax.jit(lambda m: m)(mine)
    assert jax.tree_util.tree_leaves_with_path(mine)[1][0] == (jax.tree_util.GetAttrKey("w"),)
    draft = mine.draft()
    draft.w += 1
    frozen = draft.freeze()
    assert (type(frozen), frozen) == (Mine, mine.replace(w=3.0))
    assert mine.like(None, u=0) == Mine.abstract(n=3).like(None, u=0)
    assert models.Solver(model=models.Constant(level=1.0), state=mine).state is mine
    with pytest.raises(ValueError, match=r"Mine\.u` is declared"):
        mine.replace(u=jnp.ones((2, 2))).check()
    with pytest.raises(dataclasses.FrozenInstanceError, match=r"`.*Mine`, which is frozen"):
        mine.w = 1.0


def test_subclass_of_a_class_with_sharing(models: Any) -> None:
    class MyTied(models.Tied):  # type: ignore[misc]
        pass

    state = models.State(jnp.ones(2))
    tied = MyTied(state, models.State(state.u, w=3.0))
    assert len(jax.tree.leaves(tied)) == 3
    moved = jax.jit(lambda t: jax.tree.map(lambda x: x + 1, t))(tied)
    assert type(moved) is MyTied
    assert moved.one.u is moved.other.u


def test_abstract_subclass_cannot_be_constructed(models: Any) -> None:
    class Shaped(models.Model, abc.ABC):  # type: ignore[misc]
        @abc.abstractmethod
        def shape(self) -> int: ...

    class Round(Shaped):
        def shape(self) -> int:
            return 3

    for cls in (models.Model, Shaped):
        with pytest.raises(TypeError, match="abstract"):
            cls()
    assert Round(scale=2.0).shape() == 3
    assert issubclass(Round, models.Model)


class _Eager:
    def shown(self) -> str:
        return "eager"


class _Equal:
    def __eq__(self, other: object) -> bool:
        return True

    __hash__ = None  # type: ignore[assignment]


@dataclasses.dataclass(frozen=True)
class _Data:
    level: float = 2.0


def test_subclass_with_mixins(models: Any) -> None:
    class Mine(_Eager, models.Model):  # type: ignore[misc]
        pass

    assert Mine().shown() == "eager"
    for mixin, text in ((_Equal, "`__eq__`"), (_Data, "a dataclass cannot be")):
        with pytest.raises(TypeError, match=rf"has the mixin `{mixin.__name__}`: .*{text}"):
            type("Bad", (mixin, models.Model), {})


def test_subclass_that_adds_fields_or_hides_generated_members_is_an_error(models: Any) -> None:
    """The error is raised at the class definition, with advice."""
    base = models.Model

    def annotated(**kinds: Any) -> Any:
        return type("Bad", (base,), {"__annotations__": kinds})

    declared = r"adds the field `level`: declare it in the schema, as `class Bad\(Model\)`"
    for kind in (float, "float", "list[ClassVar[int]]", "ClassVars"):
        with pytest.raises(TypeError, match=declared):
            annotated(level=kind)
    constants: tuple[Any, ...] = (
        ClassVar[int],
        ClassVar,
        "ClassVar[int]",
        "typing.ClassVar",
        "t.ClassVar[int]",
    )
    for kind in constants:
        annotated(level=kind)
    for decorate in (
        dataclasses.dataclass,
        dataclasses.dataclass(frozen=True),
        dataclasses.dataclass(frozen=True, eq=False),
        dataclasses.dataclass(frozen=True, slots=True),
    ):
        with pytest.raises(TypeError, match=r"`Bad` .*remove `@dataclass`, .* the schema"):
            decorate(type("Bad", (base,), {}))
    for name in ("replace", "check", "__init__", "__new__", "__eq__", "__reduce__", "scale"):
        with pytest.raises(TypeError, match=f"both define `{name}`"):
            type("Bad", (base,), {name: lambda self: self})
    with pytest.raises(TypeError, match=r"`scale` .*To change the default, change the schema"):
        type("Bad", (base,), {"scale": 2.0})
    with pytest.raises(TypeError, match="has the slots `level`"):
        type("Bad", (base,), {"__slots__": ("level",)})
    # A failed definition has no effect on later ones.
    assert type("Good", (base,), {})() is not None
    gc.collect()
    assert base.__dataclass_params__.frozen


# Python 3.14 evaluates annotations only when they are read.
LAZY = "" if sys.version_info >= (3, 14) else "from __future__ import annotations\n"


@pytest.mark.parametrize("kind", ["Missing", "list[Missing]", "missing.Kind", "'Missing'", "int"])
def test_annotations_of_a_subclass_may_use_missing_names(models: Any, kind: str) -> None:
    def define(kind: str) -> None:
        body = f"{LAZY}import typing\nclass Mine(Model):\n    level: {kind}\n"
        exec(compile(body, "<mine>", "exec", dont_inherit=True), {"Model": models.Model})

    with pytest.raises(TypeError, match=r"adds the field `level`: declare it in the schema"):
        define(kind)
    for constant in (f"typing.ClassVar[{kind}]", f"missing.ClassVar[{kind}]"):
        define(constant)


def test_check_init_of_a_subclass_is_called(models: Any) -> None:
    class Mine(models.Model):  # type: ignore[misc]
        def __check_init__(self) -> None:
            if self.scale < 0:
                raise ValueError(f"{self.scale} < 0")

    assert Mine(scale=2.0).replace(scale=0.0).scale == 0
    with pytest.raises(ValueError, match=r"-1\.0 < 0"):
        Mine(scale=-1.0)
    with pytest.raises(TypeError, match=r"`__check_init__`, which is called only if a base is"):
        type("Bad", (models.State,), {"__check_init__": lambda _: None})


def test_base_with_fields_must_be_first(models: Any) -> None:
    class Mine(models.Constant, models.Model):  # type: ignore[misc]
        pass

    assert Mine(level=2.0).level == 2
    with pytest.raises(TypeError, match=r"consistent method resolution|write this base first"):
        type("Bad", (models.Model, models.Constant), {})
