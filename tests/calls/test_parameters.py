# The names of some unused parameters matter.
# ruff: noqa: ARG005
"""Implementations are called by keyword, with the declared names."""

import functools
import importlib
import inspect
import operator
import sys
import types
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from codegen.runtime import jit
from tests.generated.package import forget, write_text

SCHEMA = """
from codegen.schema import Dim, donated, dynamic, f32, field, impl, static

n = Dim()

class Rod:
    u: donated[f32[n]] = field(init="named_impl:started")

    @impl("named_impl:K.blend")
    def blend(self, weight: float, floor: float) -> float: ...

    @impl("named_impl:called")
    def __call__(self, x: float, *, y: float = 2.0) -> float: ...

    @impl("named_impl:at")
    def __matmul__(self, other: float) -> float: ...

    @classmethod
    @impl("named_impl:made")
    def made(cls, size: float, count: float) -> float: ...

    @staticmethod
    @impl("named_impl:mean")
    def mean(low: float, high: float) -> float: ...

    @property
    @impl("named_impl:total")
    def total(self) -> float: ...

@impl("named_impl:step")
def step(rod: donated[Rod], rate: dynamic[f32], dt: dynamic[f32], n: static[int] = 1) -> Rod: ...

@impl("named_impl:kept")
def kept(rate: dynamic[f32], dt: dynamic[f32]) -> f32: ...

@impl("named_impl:printed")
def printed(rate: dynamic[f32]) -> None: ...
"""


@pytest.fixture
def impl(monkeypatch: pytest.MonkeyPatch) -> types.ModuleType:
    """An empty module for implementations, filled by the tests."""
    module = types.ModuleType("named_impl")
    monkeypatch.setitem(sys.modules, "named_impl", module)
    return module


@pytest.fixture
def rods(impl: types.ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """The generated module."""
    write_text(SCHEMA, "rods", tmp_path, "by_name")
    monkeypatch.syspath_prepend(str(tmp_path))
    yield importlib.import_module("by_name.rods")
    forget("by_name")


def _step(rod: Any, rate: Any, dt: Any, n: int) -> Any:
    return rod.replace(u=rod.u - rate * dt * n)


def _with_log(log: Any, rod: Any, rate: Any, dt: Any, n: int) -> Any:
    return _step(rod, rate, dt, n)


def _passing(function: Callable[..., Any], *before: Any) -> Callable[..., Any]:
    """Return a function that passes its arguments on, with additional ones before them."""

    @functools.wraps(function)
    def wrapper(*arguments: Any, **keywords: Any) -> Any:
        return function(*before, *arguments, **keywords)

    return wrapper


def _wrong_decorator(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a decorated function whose decorator fails after the call."""

    @functools.wraps(function)
    def wrapper(**keywords: Any) -> Any:
        function("log", **keywords)
        return len(3)  # type: ignore[arg-type]

    return wrapper


class _Unreadable:
    """A callable whose signature cannot be read, and whose call fails."""

    @property
    def __signature__(self) -> Any:
        raise RuntimeError("no signature")

    def __call__(self, **keywords: Any) -> Any:
        return len(3)  # type: ignore[arg-type]


class _Callable:
    def __call__(self, rod: Any, rate: Any, dt: Any, n: int) -> Any:
        return _step(rod, rate, dt, n)

    def go(self, rod: Any, rate: Any, dt: Any, n: int) -> Any:
        return _step(rod, rate, dt, n)


RIGHT: dict[str, Callable[..., Any]] = {
    "the declared order": _step,
    "another order": lambda dt, n, rod, rate: _step(rod, rate, dt, n),
    "only keywords": lambda *, dt, n, rod, rate: _step(rod, rate, dt, n),
    "more parameters": lambda rod, rate, dt, n=1, more=2: _step(rod, rate, dt, n),
    "any keywords": lambda **given: _step(given["rod"], given["rate"], given["dt"], given["n"]),
    "jitted": jax.jit(_step, static_argnums=3),
    "a checkpoint": jax.checkpoint(_step),
    "a partial function": functools.partial(_with_log, None),
    "a bound method": _Callable().go,
    "an object": _Callable(),
    "a wrapper with a leading argument": _passing(_with_log, "log"),
}
# For each implementation: what the error says, and the call in the wrapper that it proposes.
WRONG: dict[str, tuple[Callable[..., Any], str, str]] = {
    "another name": (
        lambda rod, by, dt, n: rod,
        r"step\(rod, by, dt, n\)`: .* argument 'rate'",
        "rod=rod, by=..., dt=dt, n=n",
    ),
    "another order and name": (
        lambda rod, dt, by, n: rod,
        r"step\(rod, dt, by, n\)`: .* argument 'rate'",
        "rod=rod, dt=dt, by=..., n=n",
    ),
    "jitted": (
        jax.jit(lambda rod, by, dt, n: rod, static_argnums=3),
        r"step\(rod, by, dt, n\)`: .* argument 'rate'",
        "rod=rod, by=..., dt=dt, n=n",
    ),
    "one parameter too many": (
        lambda rod, rate, dt, n, m: rod,
        r"step\(rod, rate, dt, n, m\)`: .* missing 1 required positional argument: 'm'",
        "rod=rod, rate=rate, dt=dt, n=n, m=...",
    ),
    "positional-only": (
        lambda rod, dt, rate, n, /: rod,
        "positional-only arguments passed as keyword",
        "rod, dt, rate, n",
    ),
    "any arguments": (
        lambda *given: given[0],
        r"step\(\*given\)`: .* argument 'rod'",
        "rod, rate, dt, n",
    ),
    "a function without signature": (
        max,
        "but the implementation is `named_impl.step`: max",
        "rod, rate, dt, n",
    ),
    "a built-in function": (operator.add, "takes no keyword arguments", "..."),
    "a function of JAX": (
        jnp.add,
        "got an unexpected keyword argument 'rod'",
        "rod, rate, dt, n",
    ),
    "a jitted function of JAX": (jnp.hypot, r"step\(x1, x2, /\)`: ", "..."),
    "a custom derivative": (jax.nn.relu, r"step\(x\)`: ", "..."),
}


@pytest.mark.parametrize("implementation", RIGHT.values(), ids=RIGHT)
def test_implementation_with_the_declared_names_is_called(
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


@pytest.mark.parametrize(("implementation", "fault", "passed"), WRONG.values(), ids=WRONG)
def test_other_names_are_an_error_before_consuming(
    rods: Any, impl: Any, implementation: Any, fault: str, passed: str
) -> None:
    rod = rods.Rod(u=jnp.zeros(1))
    impl.step = implementation
    ways = (rods.step, rods.step.keep, rods.step.lower, rods.step.eval_shape, jax.jit(rods.step))
    for call in ways * 2:
        with pytest.raises(TypeError, match=fault) as raised:
            call(rod, 3.0, 5.0)
        declared, _, written = str(raised.value).partition(", and the call passes")
        assert declared == "the schema declares `by_name.rods.step(rod, rate, dt, n)`"
        wrapper = f"def call_step(rod, rate, dt, n): return named_impl.step({passed})"
        assert written.endswith(f"or name a wrapper in the schema: `{wrapper}`")
    assert not rod.u.is_deleted()
    # A corrected implementation is found, and a wrong one after that too.
    impl.step = _step
    assert rods.step.keep(rod, 3.0, 5.0).u[0] == -15
    impl.step = implementation
    with pytest.raises(TypeError, match=fault):
        rods.step(rod, 3.0, 5.0)


def test_error_inside_an_implementation_is_its_own(rods: Any, impl: Any) -> None:
    impl.step = lambda rod, rate, dt, n: _step(rod, rate, dt)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match=r"^_step\(\) missing 1 required positional argument: 'n'"):
        rods.step(rods.Rod(u=jnp.zeros(1)), 3.0, 5.0)
    # The same with a decorator that adds an argument, so that the signature does not fit.
    impl.step = jax.jit(_passing(lambda log, rod, rate, dt, n: log(rod), _step))
    with pytest.raises(TypeError, match=r"^_step\(\) missing 3 required positional arguments: "):
        rods.step(rods.Rod(u=jnp.zeros(1)), 3.0, 5.0)
    impl.step = _Unreadable()
    with pytest.raises(TypeError, match=r"^object of type 'int' has no len"):
        rods.step(rods.Rod(u=jnp.zeros(1)), 3.0, 5.0)
    impl.step = _wrong_decorator(_with_log)
    with pytest.raises(TypeError, match=r"^object of type 'int' has no len"):
        rods.step(rods.Rod(u=jnp.zeros(1)), 3.0, 5.0)
    impl.step = _passing(lambda log, rod, rate, dt, n: None, "log")
    with pytest.raises(TypeError, match=r"^the result of `step` is declared as a `Rod`"):
        rods.step(rods.Rod(u=jnp.zeros(1)), 3.0, 5.0)


def test_methods_pass_the_object_first_and_the_rest_by_keyword(rods: Any, impl: Any) -> None:
    rod = rods.Rod(u=jnp.zeros(1))
    impl.K = types.SimpleNamespace(blend=lambda other, floor, weight: weight - floor)
    assert rod.blend(0.5, 2.0) == -1.5
    impl.called = lambda anything, y, x: x - y
    assert rod(3.0, y=5.0) == -2
    impl.at = lambda rod, other: other
    assert rod @ 3.0 == 3
    impl.made = type("Made", (), {"__new__": lambda cls, kind, count, size: size / count})
    assert rod.made(3.0, 4.0) == 0.75
    impl.mean = lambda high, low: low - high
    assert rod.mean(3.0, 4.0) == -1
    impl.total = lambda anything: 4.0
    assert rod.total == 4
    impl.at = lambda rod, x: x
    with pytest.raises(TypeError, match="unexpected keyword argument 'other'"):
        rod @ 3.0


def test_initializer_is_called_by_position_as_by_jax(rods: Any, impl: Any) -> None:
    abstract = rods.Rod.abstract(n=2)
    impl.started = lambda rng, size, dtype=np.float32: jnp.ones(size, dtype)
    assert abstract.init(jax.random.key(0)).u.tolist() == [1, 1]
