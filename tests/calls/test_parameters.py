# The names of some unused parameters matter.
# ruff: noqa: ARG005
"""The parameters of an implementation must have the declared order. Otherwise a call is an error."""

import functools
import importlib
import inspect
import sys
import types
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from codegen import pipeline
from codegen.options import Options
from codegen.runtime.jit import jit
from tests.generated.package import forget, write

SCHEMA = """
from codegen.schema import Dim, donated, dynamic, f32, field, impl, static

n = Dim()

class Rod:
    u: donated[f32[n]] = field(init="order_impl:started")

    @impl("order_impl:K.blend")
    def blend(self, weight: float, floor: float) -> float: ...

    @impl("order_impl:called")
    def __call__(self, x: float, *, y: float = 2.0) -> float: ...

    @impl("order_impl:at")
    def __matmul__(self, other: float) -> float: ...

    @classmethod
    @impl("order_impl:made")
    def made(cls, size: float, count: float) -> float: ...

    @staticmethod
    @impl("order_impl:mean")
    def mean(low: float, high: float) -> float: ...

    @property
    @impl("order_impl:total")
    def total(self) -> float: ...

@impl("order_impl:step")
def step(rod: donated[Rod], rate: dynamic[f32], dt: dynamic[f32], n: static[int] = 1) -> Rod: ...

@impl("order_impl:kept")
def kept(rate: dynamic[f32], dt: dynamic[f32]) -> f32: ...

@impl("order_impl:product")
def product(rate: dynamic[f32], dt: dynamic[f32]) -> f32: ...

@impl("order_impl:product")
def exchanged(dt: dynamic[f32], rate: dynamic[f32]) -> f32: ...

@impl("order_impl:one")
def one(rate: dynamic[f32]) -> f32: ...
"""


@pytest.fixture
def impl(monkeypatch: pytest.MonkeyPatch) -> types.ModuleType:
    """An empty module for implementations, filled by the tests."""
    module = types.ModuleType("order_impl")
    monkeypatch.setitem(sys.modules, "order_impl", module)
    return module


@pytest.fixture
def rods(impl: types.ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """The generated module."""
    compiled = pipeline.compile([("rods.pyi", "rods", SCHEMA.encode())], Options("", "generated"))
    assert not compiled.report, [one.message for one in compiled.report]
    write(compiled.rendered, tmp_path, "in_order")
    monkeypatch.syspath_prepend(str(tmp_path))
    yield importlib.import_module("in_order.rods")
    forget("in_order")


def _step(rod: Any, rate: Any, dt: Any, n: int) -> Any:
    return rod.replace(u=rod.u - rate * dt * n)


def _swapped(rod: Any, dt: Any, rate: Any, n: int) -> Any:
    return _step(rod, rate, dt, n)


def _without_wraps(rod: Any, *rest: Any) -> Any:
    return _step(rod, *rest)


def _passing(function: Callable[..., Any], *before: Any) -> Callable[..., Any]:
    """Return a function that passes its arguments on, with additional ones before them."""

    @functools.wraps(function)
    def wrapper(*arguments: Any) -> Any:
        return function(*before, *arguments)

    return wrapper


def _logged(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a wrapper with its own parameters, which are the ones that count."""

    @functools.wraps(function)
    def wrapper(rod: Any, rate: Any, dt: Any, n: int) -> Any:
        return function(rod, dt, rate, n)

    return wrapper


def _with_log(log: Any, rod: Any, rate: Any, dt: Any, n: int) -> Any:
    return _step(rod, rate, dt, n)


class _Callable:
    def __call__(self, rod: Any, rate: Any, dt: Any, n: int) -> Any:
        return _step(rod, rate, dt, n)

    def go(self, rod: Any, rate: Any, dt: Any, n: int) -> Any:
        return _step(rod, rate, dt, n)


RIGHT: dict[str, Callable[..., Any]] = {
    "the declared names": _step,
    "jitted": jax.jit(_step, static_argnums=3),
    "other names": lambda x, by, step, count: x.replace(u=x.u - by * step * count),
    "some other names": lambda rod, by, dt, n=1, more=2: _step(rod, by, dt, n),
    "any arguments": _without_wraps,
    "a partial function": functools.partial(_with_log, None),
    "a bound method": _Callable().go,
    "an object": _Callable(),
    "a wrapper with a leading argument": _passing(_with_log, "log"),
    "the same, jitted": jax.jit(_passing(_with_log, "log"), static_argnums=3),
    "the same, as a partial function": functools.partial(_passing(_with_log), "log"),
    "a wrapper that has the order": _logged(_swapped),
}
WRONG: dict[str, tuple[Callable[..., Any], str]] = {
    "swapped": (_swapped, "`rate` would be passed as `dt`"),
    "jitted": (jax.jit(_swapped, static_argnums=3), "`rate` would be passed as `dt`"),
    "passed on": (_passing(_swapped), "`rate` would be passed as `dt`"),
    "a default between": (lambda rod, by=1, rate=2, dt=3, n=4: rod, "as `by`"),
    "by keyword": (lambda rod, rate, *, dt, n: rod, "the implementation takes it only by keyword"),
    "a bound method": (types.MethodType(lambda self, rod, dt, rate, n: rod, 1), "as `dt`"),
    "a partial function": (functools.partial(lambda log, rod, dt, rate, n: rod, 1), "as `dt`"),
}


@pytest.mark.parametrize("implementation", RIGHT.values(), ids=RIGHT)
def test_implementation_with_declared_order_is_accepted(
    rods: Any, impl: Any, implementation: Any
) -> None:
    impl.step = implementation
    for _ in range(2):
        assert rods.step(rods.Rod(u=jnp.zeros(1)), 3.0, 5.0, 2).u[0] == -30


# Python 3.14 evaluates annotations only when they are read.
LAZY = "" if sys.version_info >= (3, 14) else "from __future__ import annotations\n"
UNKNOWN = f"{LAZY}def step(rod: Rod, rate: rods.Rate, dt, n: list[N]) -> Rod: return start(rod, rate, dt, n)"


def test_annotations_of_an_implementation_may_use_missing_names(rods: Any, impl: Any) -> None:
    names: dict[str, Any] = {"start": _step}
    exec(compile(UNKNOWN, "<impl>", "exec", dont_inherit=True), names)
    impl.step = names["step"]
    assert rods.step(rods.Rod(u=jnp.zeros(1)), 3.0, 5.0, 2).u[0] == -30
    compiled = jit(names["step"], static="n")
    assert compiled(rods.Rod(u=jnp.zeros(1)), 3.0, 5.0, 2).u[0] == -30
    assert [*inspect.signature(compiled).parameters] == ["rod", "rate", "dt", "n"]


@pytest.mark.parametrize(("implementation", "fault"), WRONG.values(), ids=WRONG)
def test_other_parameter_order_is_an_error_before_consuming(
    rods: Any, impl: Any, implementation: Any, fault: str
) -> None:
    rod = rods.Rod(u=jnp.zeros(1))
    impl.step = implementation
    ways = (rods.step, rods.step.keep, rods.step.lower, rods.step.eval_shape, jax.jit(rods.step))
    for call in ways * 2:
        with pytest.raises(TypeError, match=r"Rename or reorder .* or write a wrapper") as raised:
            call(rod, 3.0, 5.0)
        declared, _, written = str(raised.value).partition(", but the implementation is")
        assert declared == "the schema declares `in_order.rods.step(rod, rate, dt, n)`"
        assert "(rod, " in written.partition("Arguments")[0]
        assert fault in written
        # Without the check, the traceback would show a different error here.
        assert raised.value.__context__ is None
    assert not rods.step.traces
    assert not rod.u.is_deleted()
    # A corrected implementation is found, and a wrong one after that too.
    impl.step = _step
    assert rods.step.keep(rod, 3.0, 5.0).u[0] == -15
    impl.step = implementation
    with pytest.raises(TypeError, match="passed by position"):
        rods.step(rod, 3.0, 5.0)


def test_library_and_generated_functions_are_accepted(rods: Any, impl: Any) -> None:
    for implementation in (jnp.add, jnp.hypot, jax.lax.atan2):
        impl.kept = implementation
        assert rods.kept(3.0, 4.0) == implementation(3.0, 4.0)
    impl.product, impl.kept = (lambda rate, dt: rate * dt), rods.product
    assert rods.kept(3.0, 4.0) == 12
    impl.kept = rods.exchanged
    with pytest.raises(TypeError, match="`rate` would be passed as `dt`"):
        rods.kept(3.0, 4.0)
    # The order does not matter for one parameter.
    impl.one = lambda x, rate=1: x
    assert rods.one(3.0) == 3


METHODS: dict[str, tuple[Callable[[Any], Any], str, Any, Any, Any]] = {
    "method": (
        lambda rod: rod.blend(0.5, 2.0),
        "blend",
        lambda weight, factor, floor: factor * floor,
        lambda rod, floor, weight: weight * floor,
        1.0,
    ),
    "call": (
        lambda rod: rod(3.0, y=5.0),
        "called",
        lambda rod, x, y: x - y,
        lambda rod, y, x: x - y,
        -2.0,
    ),
    "operator": (
        lambda rod: rod @ 3.0,
        "at",
        lambda a, b: b,
        lambda rod, scale=1.0, other=2.0: other,
        3.0,
    ),
    "class method": (
        lambda rod: rod.made(3.0, 4.0),
        "made",
        lambda kind, size, count: size / count,
        lambda kind, count, size: size / count,
        0.75,
    ),
    "static method": (
        lambda rod: rod.mean(3.0, 4.0),
        "mean",
        lambda low, high: low - high,
        lambda high, low: low - high,
        -1.0,
    ),
}


@pytest.mark.parametrize("case", METHODS.values(), ids=METHODS)
def test_method_parameters_must_have_the_declared_order(rods: Any, impl: Any, case: Any) -> None:
    call, name, right, wrong, expected = case
    rod = rods.Rod(u=jnp.zeros(1))
    impl.K = types.SimpleNamespace()
    owner = impl.K if name == "blend" else impl
    for _ in range(2):
        setattr(owner, name, right)
        assert call(rod) == expected
        assert call(rod) == expected
        setattr(owner, name, wrong)
        for _ in range(2):
            with pytest.raises(TypeError, match=r"the schema declares `rods\.Rod\.") as raised:
                call(rod)
            assert "would be passed as" in str(raised.value)


def test_first_parameter_of_a_method_may_have_any_name(rods: Any, impl: Any) -> None:
    rod = rods.Rod(u=jnp.zeros(1))
    impl.at = lambda other, x: x
    assert rod @ 3.0 == 3
    impl.total = lambda anything: 4.0
    assert rod.total == 4
    impl.made = type("Made", (), {"__new__": lambda cls, kind, size, count: size / count})
    assert rod.made(3.0, 4.0) == 0.75
    impl.K = type("K", (), {"blend": classmethod(lambda cls, rod, floor, weight: floor)})
    with pytest.raises(TypeError, match="`weight` would be passed as `floor`"):
        rod.blend(0.5, 2.0)
    impl.K.blend = classmethod(lambda cls, rod, weight, floor: floor)
    assert rod.blend(0.5, 2.0) == 2


def test_object_is_the_first_argument_of_a_method(rods: Any, impl: Any) -> None:
    # Both arguments may have one class, as in `__sub__`. Then a swap would not be noticed otherwise.
    impl.at = lambda other, self: other
    with pytest.raises(TypeError, match="the object would be passed as `other`, not as `self`"):
        rods.Rod(u=jnp.zeros(1)) @ 3.0


def test_initializer_must_have_the_parameter_order_of_jax(rods: Any, impl: Any) -> None:
    abstract = rods.Rod.abstract(n=2)
    impl.started = lambda key, shape, dtype: jnp.ones(shape, dtype)
    assert abstract.init(jax.random.key(0)).u.tolist() == [1, 1]
    impl.started = lambda rng, size, dtype=np.float32: jnp.ones(size, dtype)
    assert abstract.init(jax.random.key(0)).u.tolist() == [1, 1]
    impl.started = lambda shape, key, dtype: jnp.ones(shape, dtype)
    with pytest.raises(TypeError, match="`key` would be passed as `shape`"):
        abstract.init(jax.random.key(0))
