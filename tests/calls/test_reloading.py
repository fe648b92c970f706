"""Compiled programs are dropped on demand, and when an implementation was edited."""

import importlib
import shutil
import sys
import types
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import pytest

from codegen.runtime import implementations, jit
from tests.calls.conftest import edit
from tests.calls.test_tracebacks import make_plate


def test_clear_cache_drops_compiled_programs(model: Any, impl: Any) -> None:
    model.inner.clear_cache()
    for times in (1, 1, 2, 2):
        if times == 2 and impl.traces["inner"] == 1:
            model.inner.clear_cache()
        model.inner(jnp.ones(3))
        assert impl.traces["inner"] == times
    traces = []

    @jit
    def function(x: Any) -> Any:
        traces.append(x)
        return x + 1

    for times in (1, 2):
        function(jnp.ones(3))
        assert len(traces) == times
        function.clear_cache()


def test_edited_implementation_is_used(model: Any, impl: Any) -> None:
    text = Path(impl.__file__).read_text(encoding="utf-8")
    x = jnp.ones(3)
    ways = {
        "called": lambda: float(model.step(make_plate(model), 1.0).u[0]),
        "keep": lambda: float(model.step.keep(make_plate(model), 1.0).u[0]),
        "in a class": lambda: float(model.inner(x)[0]),
        "lower": lambda: 2.0 if "constant dense<1" in model.inner.lower(x).as_text() else 3.0,
        "eval_shape": lambda: 2.0 + (model.inner.eval_shape(x).shape == (4,)),
        "in jit": lambda: float(jax.jit(lambda x: model.inner(x) * 1)(x)[0]),
    }
    assert {way: call() for way, call in ways.items()} == dict.fromkeys(ways, 2.0)
    changed = text.replace("plate.u + n", "plate.u + 1 + n").replace(
        "x + 1", "(x + 2) * (x[0] < 9)"
    )
    for way, call in ways.items():
        edit(impl, changed)
        if way != "eval_shape":
            assert call() == 3.0, way
        edit(impl, text)
        assert call() == 2.0, way
    # A reload without a change of the file retraces, and only that.
    model.step(make_plate(model), 1.0)
    count = impl.traces["step"]
    model.step(make_plate(model), 1.0)
    assert impl.traces["step"] == count
    importlib.reload(impl)
    model.step(make_plate(model), 1.0)
    model.step(make_plate(model), 1.0)
    assert impl.traces["step"] == 1


@pytest.mark.parametrize("in_notebook", [False, True])
def test_implementation_replaced_in_its_class_is_used(
    model: Any, impl: Any, in_notebook: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if in_notebook:
        shell = types.SimpleNamespace(get_ipython=object, version_info=(9,))
        monkeypatch.setitem(sys.modules, "IPython", shell)
    base = type("Base", (), {"inner": classmethod(lambda cls, x: x + cls.added), "added": 7})
    other = type("Other", (base,), {"added": 8})
    changes = [
        (impl.Several, "inner", staticmethod(lambda x: x + 5), 6),
        (impl.Several, "inner", jax.jit(lambda x: x + 6), 7),
        (impl, "Several", base, 8),
        (impl, "Several", other, 9),  # which has the same function
        (base, "inner", classmethod(lambda cls, x: x - cls.added), -7),
        (impl, "Several", base(), -6),
    ]
    # The module is watched from the moment it is found.
    model.inner._implementation._names = None
    model.inner.clear_cache()
    assert model.inner(jnp.ones(3))[0] == 2
    with pytest.MonkeyPatch.context() as patch:
        for owner, name, value, expected in changes:
            patch.setattr(owner, name, value)
            before = len(model.inner.traces)
            assert [model.inner(jnp.ones(3))[0] for _ in range(3)] == [expected] * 3
            assert len(model.inner.traces) == before + 1
    assert model.inner(jnp.ones(3))[0] == 2
    model.inner._implementation._names = None


def test_implementation_replaced_while_a_program_is_prepared_is_used(model: Any, impl: Any) -> None:
    """Regression: programs of the old implementation stayed, if another thread replaced it then."""
    model.step.clear_cache()
    plates = [make_plate(model).replace(name=each) for each in ("earlier", "later")]
    assert model.step.keep(plates[0], 1.0).u[0] == 2
    module: Any = implementations
    step, looked_up = impl.step, module.use_running_script

    def replacing(modules: Any) -> None:
        patch.setattr(impl, "step", lambda **given: step(**given | {"dt": 2.0}))
        patch.setattr(implementations, "use_running_script", looked_up)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(implementations, "use_running_script", replacing)
        assert [model.step.keep(each, 1.0).u[0] for each in plates[::-1]] == [3, 3]


def test_removed_implementation_is_a_clear_error(model: Any, impl: Any) -> None:
    model.step(make_plate(model), 1.0)
    with pytest.MonkeyPatch.context() as patch:
        patch.delattr(impl, "step")
        plate = make_plate(model)
        with pytest.raises(ImportError, match="cannot import name 'step'") as raised:
            model.step(plate, 1.0)
        assert "`@impl(...)` there gives its module and name" in raised.value.__notes__[0]
        assert not plate.u.is_deleted()
    model.step(plate, 1.0)


def test_reimported_module_has_its_own_programs(model: Any, impl: Any) -> None:
    """The change is noticed when a function gets arguments that it has not seen before."""
    text, name = Path(impl.__file__).read_text(encoding="utf-8"), impl.__name__
    plates = [make_plate(model).replace(name=each) for each in ("earlier", "later")]
    try:
        model.step.clear_cache()
        assert model.step.keep(plates[0], 1.0).u[0] == 2
        changed = text.replace("plate.u + n", "plate.u + 100 + n")
        Path(impl.__file__).write_text(changed, encoding="utf-8")
        del sys.modules[name]
        importlib.invalidate_caches()
        shutil.rmtree(Path(impl.__file__).parent / "__pycache__", ignore_errors=True)
        assert [model.step.keep(each, 1.0).u[0] for each in plates[::-1]] == [102, 102]
    finally:
        Path(impl.__file__).write_text(text, encoding="utf-8")
        shutil.rmtree(Path(impl.__file__).parent / "__pycache__", ignore_errors=True)
        sys.modules[name] = impl
        importlib.reload(impl)
        model.step.clear_cache()
