"""A trace lists the fields that differ from the nearest program, and trace budgets are enforced."""

from __future__ import annotations

import contextlib
import dataclasses
import gc
import json
import logging
import re
import threading
import warnings
import weakref
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from codegen import runtime
from codegen.runtime import RetraceError, RetraceWarning, jit, max_traces, traces_as_json
from tests import forked
from tests.generated.package import Package, write_text
from tests.generated.package import forget as forget_package
from tests.inputs import over, over_rows
from tests.traces.plates import make_plate

Call = Callable[[Any], Any]


@pytest.fixture
def settings() -> Iterator[Any]:
    """The settings, restored after the test."""
    settings = runtime.settings
    before = settings.traces
    yield settings
    settings.traces = before


@pytest.fixture
def model(traced: Package) -> Any:
    """The module, without any traces."""
    model = traced.load("model")
    for function in (model.step, model.evaluate, model.limited, model.measure):
        forget(function)
    return model


def forget(function: Any) -> None:
    function.clear_cache()
    function._history._records.clear()
    function._history.count = function._history.counted = 0


def double(x: Any) -> Any:
    return x * 2


@dataclasses.dataclass(frozen=True)
class Mute:
    """A static value whose repr fails."""

    n: int

    def __repr__(self) -> str:
        raise RuntimeError("no")


def redefined_function() -> Any:
    """Redefine a function of this module as a reload does; the old one is freed."""

    def anew(x: Any) -> Any:
        return x

    anew.__qualname__ = "anew"
    globals()["anew"] = anew
    return anew


def triple(x: Any) -> Any:
    return x * 3


def step(context: Any = contextlib.nullcontext, **changes: Any) -> Call:
    """Return a call with changed fields and new arrays, within a context."""

    def call(model: Any) -> Any:
        changed = {
            name: jnp.copy(value) if isinstance(value, jax.Array) else value
            for name, value in changes.items()
        }
        plate, dt = make_plate(model, **changed), jnp.float32(0.1)
        with context():
            return model.step(plate, dt)

    return call


def step_with(**changes: Any) -> Call:
    def call(model: Any) -> Any:
        made = {name: make(model) for name, make in changes.items()}
        return step(**made)(model)

    return call


def values(value: Any, options: Any = None) -> Call:
    return lambda model: model.evaluate(model.Linear(), value, options)


def sizes(n: int = 3, ny: int = 4, batch: int = 2, depth: int = 2) -> Call:
    def call(model: Any) -> Any:
        rows, pair = (jnp.ones((6, ny)),), (jnp.ones(n), jnp.ones(6))
        blocks = model.Block(w=jnp.ones((depth, 7, ny)))
        return model.measure(jnp.ones(n), rows, pair, {"a": jnp.ones((batch, n))}, blocks)

    return call


def unchecked() -> Any:
    return runtime.settings(checks=False)


def make_mesh(kind: Any = jax.sharding.AxisType.Auto) -> Any:
    return jax.make_mesh((1,), ("cols",), axis_types=(kind,))


def on_mesh(kind: Any = jax.sharding.AxisType.Auto) -> Any:
    return jax.set_mesh(make_mesh(kind))


def within_abstract_mesh() -> Any:
    return jax.sharding.use_abstract_mesh(make_mesh().abstract_mesh)


def step_in_vmap(axis: str) -> Call:
    def call(model: Any) -> Any:
        plate = make_plate(model)
        advance = jax.vmap(lambda dt: model.step(plate, dt), axis_name=axis)
        return jax.jit(advance)(jnp.ones(3))

    return call


def in_x64(call: Call) -> Call:
    def called(model: Any) -> Any:
        with jax.enable_x64(True):
            return call(model)

    return called


def call_keep(model: Any) -> Any:
    return model.step.keep(make_plate(model), jnp.float32(0.1))


def times(n: int) -> Call:
    return lambda model: model.step(make_plate(model), jnp.float32(0.1), n)


DIFFERENCES: list[tuple[str, Call, Call, list[tuple[str, ...]]]] = [
    ("static", step(), step(thickness=0.002), [("plate.thickness", "0.001", "0.002", "static")]),
    ("minus zero", step(thickness=0.0), step(thickness=-0.0),
     [("plate.thickness", "0.0", "-0.0", "static")]),
    ("nested", step(), step_with(grid=lambda m: m.Grid(n=5)),
     [("plate.grid.n", "4", "5", "static")]),
    ("item", step_with(grid=lambda m: m.Grid(names=("x", "y"))),
     step_with(grid=lambda m: m.Grid(names=("x", "z"))),
     [("plate.grid.names[1]", "'y'", "'z'", "static")]),
    ("items", step(), step_with(grid=lambda m: m.Grid(names=("x",))),
     [("plate.grid.names", "()", "('x',)", "static")]),
    ("argument", times(1), times(2), [("n", "1", "2", "static")]),
    ("numbers of one hash", values(None, -1), values(None, -2),
     [("options", "-1", "-2", "static")]),
    ("one of many", values(None, (*range(99), -1)), values(None, (*range(99), -2)),
     [("options", "(0, 1, ", "(0, 1, ", "static", "static (another one)")]),
    ("sets of one hash", values(None, frozenset({-1})), values(None, frozenset({-2})),
     [("options", "frozenset({-1})", "frozenset({-2})", "static")]),
    ("without a repr", values(None, (Mute(1), 1)), values(None, (Mute(2), 2)),
     [("options[0]", "<Mute>", "<Mute>", "static", "static (another one)"),
      ("options[1]", "1", "2", "static")]),
    ("constant", values(None, np.arange(9.0)), values(None, np.arange(9.0) + 1),
     [("options", "f64[9]", "f64[9]", "static")]),
    ("class", step(), step_with(law=lambda m: m.Cubic()),
     [("plate.law", "Linear", "Cubic", "class")]),
    ("function", step(source=double), step(source=triple),
     [("plate.source", "double at test_traces.py", "triple at test_traces.py", "function")]),
    ("no function", step(), step(source=triple),
     [("plate.source", "None", "triple at test_traces.py", "function")]),
    ("shape", step(), step(u=jnp.ones((4, 5))),
     [("plate.u", "f32[4,4]", "f32[4,5]", "shape", "ny: 4 -> 5")]),
    ("rank", values(jnp.ones(3)), values(jnp.ones((3, 1))),
     [("values", "f32[3]", "f32[3,1]", "shape")]),
    ("names of sizes", sizes(), sizes(n=5, ny=6),
     [("x", "f32[3]", "f32[5]", "shape", "n: 3 -> 5"),
      ("rows[0]", "f32[6,4]", "f32[6,6]", "shape", "ny: 4 -> 6"),
      ("pair[0]", "f32[3]", "f32[5]", "shape", "n: 3 -> 5"),
      ("many['a']", "f32[2,3]", "f32[2,5]", "shape", "n: 3 -> 5"),
      ("blocks.w", "f32[2,7,4]", "f32[2,7,6]", "shape", "ny: 4 -> 6")]),
    ("sizes of a batch and a stack", sizes(), sizes(batch=5, depth=3),
     [("many['a']", "f32[2,3]", "f32[5,3]", "shape", ""),
      ("blocks.w", "f32[2,7,4]", "f32[3,7,4]", "shape", "depth: 2 -> 3")]),
    ("dtype", step(unchecked), step(unchecked, alpha=jnp.ones(4, jnp.bfloat16)),
     [("plate.alpha", "f32", "bf16", "dtype")]),
    ("keys of another sort", values(jax.random.key(0)), values(jax.random.key(0, impl="rbg")),
     [("values", "key", "key", "dtype", "dtype (another one)")]),
    ("weak type", values(jnp.float32(1)), values(jnp.asarray(1.0)),
     [("values", "f32[]", "weak f32[]", "weak type")]),
    # JAX does not trace again only for another placement.
    ("committed", step(),
     step_with(layers=lambda _: (jnp.ones(4),),
               alpha=lambda _: jax.device_put(jnp.ones(4), jax.devices()[0])),
     [("plate.alpha", "uncommitted", "committed", "committed"),
      ("plate.layers", "tuple of 0", "tuple of 1", "structure")]),
    ("None", step(), step_with(rng=lambda _: jax.random.key(0)),
     [("plate.rng", "None", "key[]", "structure")]),
    ("length", step(), step(layers=(jnp.ones(4),)),
     [("plate.layers", "tuple of 0", "tuple of 1", "structure")]),
    ("keys", step(table={"a": 1.0}), step(table={"b": 1.0}),
     [("plate.table", "{'a': *}", "{'b': *}", "structure")]),
    ("sort", values([jnp.ones(2)]), values((jnp.ones(2),)),
     [("values", "list of 1", "tuple of 1", "structure")]),
    ("three", step(), step(thickness=0.002, u=jnp.ones((4, 5)), layers=(jnp.ones(4),)),
     [("plate.u", "f32[4,4]", "f32[4,5]", "shape", "ny: 4 -> 5"),
      ("plate.thickness", "0.001", "0.002", "static"),
      ("plate.layers", "tuple of 0", "tuple of 1", "structure")]),
    ("dtype for x64", values(np.ones(3)), in_x64(values(np.ones(3))),
     [("values", "f32", "f64", "dtype", "")]),
]  # fmt: skip


@over_rows(DIFFERENCES)
def test_trace_lists_the_differences(
    name: str, first: Call, second: Call, expected: list[tuple[str, ...]], model: Any
) -> None:
    functions = {"values": model.evaluate, "sizes": model.measure}
    function = functions.get(first.__qualname__.partition(".")[0], model.step)
    forget(function)
    first(model)
    assert [len(trace.changes) for trace in function.traces] == [0], name
    second(model)
    assert len(function.traces) == 2, name
    trace = function.traces[-1]
    assert trace.number == 2
    assert trace.seconds > 0
    found = [(c.path, c.before, c.after, c.kind, c.detail) for c in trace.changes]
    assert len(found) == len(expected), found
    for (path, before, after, *kind), change in zip(expected, found, strict=True):
        assert (change[0], *change[3 : 3 + len(kind)]) == (path, *kind), name
        assert before in change[1], name
        assert after in change[2], name
        assert path in str(trace)
    # A known structure is found again without a trace.
    first(model)
    second(model)
    assert len(function.traces) == 2, name


OUTSIDE: dict[str, tuple[Call, Call]] = {
    "x64": (step(), step(lambda: jax.enable_x64(True))),
    "precision": (step(), step(lambda: jax.default_matmul_precision("float32"))),
    "mesh": (step(), step(on_mesh)),
    "another mesh": (step(on_mesh), step(lambda: on_mesh(jax.sharding.AxisType.Explicit))),
    "abstract mesh": (step(), step(within_abstract_mesh)),
    "names of axes": (step_in_vmap("i"), step_in_vmap("j")),
    "no donation": (step(), call_keep),
    "checks": (step(), step(unchecked)),
}


@over(OUTSIDE)
def test_cause_outside_the_arguments_is_not_named(name: str, model: Any) -> None:
    first, second = OUTSIDE[name]
    for _ in range(2):
        first(model)
        second(model)
    assert len(model.step.traces) == 2
    assert model.step.traces[-1].changes == ()
    assert "No argument differs from an earlier program" in str(model.step.traces[-1])
    forget(model.step)


def test_parameters_of_a_class_are_listed_in_order(tmp_path: Path) -> None:
    found = []
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(tmp_path))
        for order in ("n, k", "k, n"):
            name = f"ordered_{order[0]}"
            package = write_text(ORDERED.replace("ORDER", order), "model", tmp_path, name)
            found.append(package.load("model").Lin(jnp.ones((2, 2))))
            forget_package(name)
    total = jit(lambda lin: lin.w.sum())
    for one in found:
        total(one)
    assert "  lin  Lin[n, k] -> Lin[k, n]  class" in str(total.traces[-1])


ORDERED = """
from codegen.schema import Dim, dynamic, f32

n = Dim()
k = Dim()

class Lin(dims=(ORDER)):
    w: dynamic[f32[n, k]]
"""


def test_the_text_is_a_table_with_help(model: Any) -> None:
    for thickness in (0.001, 0.002, 0.003):
        model.step(make_plate(model, thickness=thickness), 0.1)
    model.step(make_plate(model, u=jnp.ones((4, 5)), thickness=0.003, rng=jax.random.key(0)), 0.1)
    text = "\n".join(map(str, model.step.traces[2:]))
    assert re.sub(r":\d+, in \d\.\d{3} s", ":LINE, in 0.412 s", text) == (
        "`step` was traced again, the 3rd time, at test_traces.py:LINE, in 0.412 s. "
        "Against its nearest program:\n"
        "  plate.thickness  0.002 -> 0.003  static\n"
        "help: `thickness` changes from call to call: declare it `dynamic[f32]`\n"
        "`step` was traced again, the 4th time, at test_traces.py:LINE, in 0.412 s. "
        "Against its nearest program:\n"
        "  plate.u    f32[4,4] -> f32[4,5]  ny: 4 -> 5\n"
        "  plate.rng  None -> key[]         structure"
    )
    trace = model.step.traces[-1]
    assert repr(trace) == str(trace)
    assert repr(model.step.traces[:1]) != repr(model.step.traces)


def test_the_nearest_program_differs_in_the_fewest_fields(model: Any) -> None:
    for shape, dtype, n in [((3,), "float32", 1), ((5,), "bfloat16", 2), ((4,), "bfloat16", 1)]:
        model.evaluate(model.Linear(), jnp.ones(shape, dtype), n)
    trace = model.evaluate.traces[-1]
    assert trace.nearest == 1
    assert [(change.path, change.kind) for change in trace.changes] == [
        ("values", "shape"),
        ("values", "dtype"),
    ]


def test_concurrent_traces_in_threads(model: Any) -> None:
    start = threading.Barrier(4)

    def work(first: int) -> None:
        start.wait()
        for n in range(first, 24, 2):  # two threads have the same ones
            model.evaluate(model.Linear(), None, n)

    with ThreadPoolExecutor(4) as pool:
        assert len([*pool.map(work, [0, 1, 0, 1])]) == 4
    numbers = [trace.number for trace in model.evaluate.traces]
    assert len(numbers) >= 24
    assert numbers == sorted({*numbers})


def test_help_depends_on_the_difference(model: Any) -> None:
    for n in range(1, 4):
        model.evaluate(model.Linear(), jnp.ones(n), n)
    pad, dynamic = model.evaluate.traces[-1].help
    assert (
        pad == "`values` has had 3 shapes: pad it to one of a few sizes, chosen by a static field"
    )
    assert dynamic == "`options` changes from call to call: declare it `dynamic[i32]`"
    for n in (4, 5, 6):
        model.step(make_plate(model, u=jnp.ones((n, 4)), alpha=jnp.ones(n)), 0.1)
    assert len(model.step.traces[-1].changes) == 2
    (pad,) = model.step.traces[-1].help
    assert pad.startswith("`plate.u` has had 3 shapes")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(jax, "process_count", lambda: 2)
        model.step(make_plate(model, u=jnp.ones((6, 4)), alpha=jnp.ones(6), thickness=0.5), 0.1)
    (same,) = model.step.traces[-1].help
    assert same.startswith("`thickness` must be the same in every process: check")
    for _ in range(2):
        model.step(make_plate(model, source=redefined_function()), 0.1)
    trace = model.step.traces[-1]
    assert trace.help == ("`source` is a new function at each call: define it at module level",)
    assert "function (another one)" in str(trace)


def test_trace_budget_of_the_schema(model: Any, settings: Any) -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for n in (1, 2, 3, 3, 4):
            model.limited(make_plate(model), 0.1, n)
    assert [one.category for one in caught] == [RetraceWarning] * 2
    assert [one.filename for one in caught] == [__file__] * 2
    text = str(caught[0].message)
    found = r"`limited` was traced again, the 3rd time \(budget 2\), at test_traces.py:\d+\."
    assert re.match(found, text)
    assert text == re.sub(r", in \d\.\d+ s", "", str(model.limited.traces[2]))
    assert "  n  2 -> 3  static\n" in text
    assert text.endswith("declare it `dynamic[i32]`, or raise `traces=`")

    settings.traces = "off"
    model.limited(make_plate(model), 0.1, 5)
    assert model.limited.traces[-1].number == 5
    with settings(traces="error"):
        plate = make_plate(model)
        for _ in range(2):
            with pytest.raises(RetraceError, match=r"would be traced again, the \dth time"):
                model.limited(plate, 0.1, 6)
        assert not plate.u.is_deleted()
        seen: list[Any] = []
        thread = threading.Thread(target=lambda: seen.append(settings.traces))
        thread.start()
        thread.join()
        assert seen == ["off"]
    refused = [trace.refused for trace in model.limited.traces]
    assert refused == [False] * 5 + [True] * 2
    # A refused trace is no program, so nothing is compared with it.
    model.limited(plate, 0.1, 6)
    assert model.limited.traces[-1].changes[0].before == "5"
    with pytest.raises(ValueError, match="`traces` must be one of"):
        settings.traces = "loud"
    with pytest.raises(ValueError, match="`traces` must be one of"), settings(traces="loud"):
        pass


def test_budget_warning_turned_into_an_error_ends_the_call(model: Any) -> None:
    for n in (1, 2):
        model.limited(make_plate(model), 0.1, n)
    plate = make_plate(model)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for _ in range(2):
            with pytest.raises(RetraceWarning, match=r"\(budget 2\)(.|\n)*  n  2 -> 3"):
                model.limited(plate, 0.1, 3)
        model.limited.eval_shape(plate, 0.1, 4)
    assert not plate.u.is_deleted()
    with pytest.warns(RetraceWarning):
        assert model.limited(plate, 0.1, 3).u.shape == (4, 4)


def explicit_traces(model: Any) -> None:
    """Make five traces that only `max_traces` counts."""
    plate = make_plate(model)
    model.limited.keep(plate, 0.1, 1)
    model.limited.keep(plate, 0.1, 2)
    model.limited.lower(plate, 0.1, 3)
    model.limited.eval_shape(plate, 0.1, 4)
    model.limited.donation(plate, 0.1, 5)


def test_a_budget_does_not_count_explicit_traces(model: Any, settings: Any) -> None:
    by = ["keep", "keep", "lower", "eval_shape", "donation"]
    with settings(traces="error"):
        explicit_traces(model)
        assert [trace.by for trace in model.limited.traces] == by
        assert not any(trace.counts for trace in model.limited.traces)
        # A call that compiles what `lower` or `donation` has traced does not count either.
        for n in (3, 5):
            model.limited(make_plate(model), 0.1, n)
        explicit_traces(model)
        assert len(model.limited.traces) == 5
        for n in (6, 7):
            model.limited(make_plate(model), 0.1, n)
        plate = make_plate(model)
        words = r"`limited` would be traced again, the 8th time \(the 3rd by a call, budget 2\)"
        with pytest.raises(RetraceError, match=words):
            model.limited(plate, 0.1, 8)
        assert not plate.u.is_deleted()
        model.limited.keep(plate, 0.1, 9)
    with max_traces(0), pytest.raises(RetraceError, match=r"10th time \(max_tr"):
        model.limited.keep(plate, 0.1, 10)
    assert (model.limited.traces[-1].counts, model.limited.traces[-1].refused) == (False, True)


def test_a_call_within_an_explicit_trace_counts() -> None:
    @jit(traces=1)
    def inner(x: Any) -> Any:
        return x + 1

    @jit(traces=1)
    def outer(x: Any) -> Any:
        return inner(x)

    # If one generated function calls another, each trace is attributed to its caller.
    outer.eval_shape(jnp.ones(2))
    assert [(t.by, t.counts) for t in outer.traces] == [("eval_shape", False)]
    assert [(t.by, t.counts) for t in inner.traces] == [("call", True)]
    with pytest.warns(Warning, match="`inner` was traced again"):
        outer.keep(jnp.ones(3))
    assert [t.counts for t in outer.traces] == [False, False]


def test_max_traces(model: Any) -> None:
    model.step(make_plate(model), 0.1)
    with max_traces(0):
        model.step(make_plate(model), 0.2)
        with pytest.raises(RetraceError, match=r"`evaluate` would be traced, the 1st time"):
            model.evaluate(model.Linear(), None, None)
        with pytest.raises(RetraceError, match=r"\(max_traces\(0\)\)"):
            model.step.lower(make_plate(model), 0.1, 2)
    with max_traces(1, model.step):
        model.step(make_plate(model), 0.1, 2)
        model.evaluate(model.Linear(), None, 1)
        model.evaluate(model.Linear(), None, 2)
        others: list[Any] = []
        thread = threading.Thread(
            target=lambda: others.append(model.step(make_plate(model), 0.1, 3))
        )
        thread.start()
        thread.join()
        assert len(others) == 1
        with pytest.raises(RetraceError):
            model.step(make_plate(model), 0.1, 4)
    model.step(make_plate(model), 0.1, 4)
    for given in [(model.step,), (-1,), (True,), (1, print)]:
        with pytest.raises(TypeError, match="`max_traces` takes"), max_traces(*given):
            pass


def test_traces_of_transformations_and_stages(model: Any) -> None:
    plate = make_plate(model)

    def loss(alpha: Any) -> Any:
        return model.step(plate.replace(alpha=alpha), 0.1).u.sum()

    many = jnp.ones((3, 4))
    for _ in range(2):
        jax.grad(loss)(plate.alpha)
        jax.jit(lambda alpha: loss(alpha) + 1)(plate.alpha)
        jax.jit(jax.vmap(loss))(many)
        jax.eval_shape(loss, plate.alpha)
    assert len(model.step.traces) == 1
    with jax.disable_jit():
        model.step(make_plate(model), 0.1, 7)
    model.step.eval_shape(plate, 0.1, 8)
    lowered = model.step.lower(plate, 0.1, 9)
    assert [trace.by for trace in model.step.traces[-2:]] == ["eval_shape", "lower"]
    assert "was traced again by `lower`" in str(model.step.traces[-1])
    lowered.compile()
    number = len(model.step.traces)
    with max_traces(0):
        model.step.lower(plate, 0.1, 9)
        model.step(plate, 0.1, 9)
    assert len(model.step.traces) == number


def test_nothing_differs_after_a_cache_was_cleared(model: Any) -> None:
    model.evaluate(model.Linear(), None, 1)
    model.evaluate.clear_cache()
    model.evaluate(model.Linear(), None, 1)
    jax.clear_caches()
    model.evaluate(model.Linear(), None, 1)
    for trace in model.evaluate.traces[1:]:
        assert trace.changes == ()
        assert "a cleared cache, a reloaded implementation" in str(trace)
    assert len(model.evaluate.traces) == 3


def test_trace_of_a_call_after_keep_names_donation_as_a_cause(model: Any) -> None:
    model.step.keep(make_plate(model), 0.1)
    model.step(make_plate(model), 0.1)
    assert model.step.traces[-1].changes == ()
    assert "a call with donation after one without it" in str(model.step.traces[-1])


def test_failed_trace_is_not_listed(model: Any) -> None:
    with pytest.raises(ValueError, match=r"axis 0 of `plate\.alpha` has the size 4"):
        model.step(make_plate(model, u=jnp.ones((5, 4))), 0.1)
    assert model.step.traces == ()
    with pytest.raises(ValueError, match=r"axis 0 of `plate\.alpha` has the size 4"):
        model.step.lower(make_plate(model, u=jnp.ones((5, 4))), 0.1)
    history = model.step._history
    assert history.count == history.counted == 0


def test_memory_of_traces_is_bounded(model: Any) -> None:
    value, source = jnp.ones(3), redefined_function()
    model.step.keep(make_plate(model, alpha=jnp.ones(4), source=source), 0.1)
    model.evaluate(model.Linear(), value, None)
    held = [weakref.ref(value), weakref.ref(source)]
    model.step.clear_cache()
    del value, source, globals()["anew"]
    jax.clear_caches()
    gc.collect()
    assert [one() for one in held] == [None, None]
    for n in range(70):
        model.evaluate.eval_shape(model.Linear(), None, n)
    assert len(model.evaluate.traces) == 64
    assert model.evaluate.traces[-1].number == 71


def test_traces_as_json(model: Any) -> None:
    model.limited(make_plate(model), 0.1)
    model.limited(make_plate(model, thickness=0.002), 0.1)
    names: dict[str, Any] = {}
    exec("def nameless(x): return x", names)  # a function without a module
    nameless = jit(names["nameless"])
    nameless(jnp.ones(3))
    functions = {one["function"]: one for one in json.loads(traces_as_json())["functions"]}
    assert functions["nameless"]["count"] == 1
    found = functions["traced.model.limited"]
    assert (found["budget"], found["count"]) == (2, 2)
    (change,) = found["traces"][1]["changes"]
    assert change["path"] == "plate.thickness"
    assert (change["before"], change["after"], change["kind"]) == ("0.001", "0.002", "static")
    assert "traced.model.step" not in functions


def test_traces_are_logged(model: Any, settings: Any, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "codegen.traces")
    settings.traces = "log"
    for n in (1, 2, 3):
        model.limited(make_plate(model), 0.1, n)
    assert [(one.name, one.levelname) for one in caplog.records] == [("codegen.traces", "INFO")] * 2
    assert "`limited` was traced again, the 2nd time, at " in caplog.text


ENVIRONMENT = """
import jax.numpy as jnp
from codegen.runtime import jit
double = jit(lambda x: x * 2, traces=1)
for n in (3, 3, 4):
    double(jnp.ones(n))
"""


def test_the_environment_sets_the_report() -> None:
    said = forked.run("-c", ENVIRONMENT, env={"CODEGEN_TRACES": "log"})
    again = r"`<lambda>` was traced again, the 2nd time \(budget 1\), at <string>:6, in \S+ s"
    assert re.search(again, said.stderr)
    assert "  x  f32[3] -> f32[4]  shape" in said.stderr
    wrong = forked.run("-c", ENVIRONMENT, check=False, env={"CODEGEN_TRACES": "loud"})
    assert (
        "`CODEGEN_TRACES` must be one of ('warn', 'error', 'log', 'off'), not 'loud'"
        in wrong.stderr
    )
