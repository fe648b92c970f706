# mypy: disable-error-code="no-any-return"
"""Test tables of the memory of objects and of calls. `on_eight_devices.py` does so on a mesh."""

from __future__ import annotations

import json
from typing import Any

import jax
import jax.numpy as jnp
import pytest
from rich.console import Console

from codegen.runtime import RetraceError, jit, max_traces, settings, table
from codegen.runtime.tables import Row, format_bytes, format_count
from examples import digits, heat, transformer, transport
from generated.autoencoder import Tied
from generated.digits import Batch, Training, evaluate, train_step
from generated.heat import Grid, Plate, step
from generated.transformer import Config, Scanned
from generated.transformer import Training as Learning
from generated.transformer import train_step as learn
from generated.transport import advance

PLATE = Plate.abstract(grid=Grid(nx=4096, ny=4096), material=heat.COPPER)
BATCH = Batch(images=jnp.zeros((32, 64)), labels=jnp.zeros(32, jnp.int32))


@pytest.fixture(scope="module")
def training() -> Training:
    return digits.make_training()


def large(layers: int = 48) -> Learning:
    """Return a transformer with 1.6 billion weights, and the state of AdamW, without memory."""
    model = Scanned.abstract(
        vocabulary=50304, width=1600, length=1024, heads=25, head=64, layers=layers
    )
    config = Config(layers=layers)
    return jax.eval_shape(lambda: transformer.make_training(model.zeros(), config))


def test_table_of_an_object() -> None:
    found = table(PLATE)
    assert (
        str(found)
        == """\
Plate
  u          donated  f32[4096,4096]  64.0 MiB
  alpha      dynamic  f32[4096,4096]  64.0 MiB
  grid       static   Grid(nx=4096, ny=4096, dx=0.01, dy=0.01)
  material   static   Material(name='copper', conductivity=401.0, density=8960....
  thickness  static   0.001
  t          dynamic  f32[]           4 B
  scheme     static   Scheme.EXPLICIT
  boundary   static   'insulated'
  source     static   None
  total               3 arrays, 33.6 M numbers, 128 MiB"""
    )
    assert found.rows[0] == Row("u", "donated", "float32", (4096, 4096), 1 << 26, 1 << 26, None)
    plate = heat.make_plate(16)
    assert table(plate).rows[0].bytes == plate.u.nbytes
    held = json.loads(json.dumps(found.to_dict()))
    assert held["rows"][2]["path"] == "t"
    assert held["bytes"] == 2 * (1 << 26) + 4


def test_table_of_a_state_with_an_optimiser(training: Training) -> None:
    found = table(training)
    leaves = jax.tree_util.tree_leaves_with_path(training)
    paths = [jax.tree_util.keystr(path).removeprefix(".") for path, _ in leaves]
    assert [row.path for row in found.rows] == paths
    assert "optimiser_state[0].mu.middle[0].w" in paths
    assert [row.bytes for row in found.rows] == [leaf.nbytes for _, leaf in leaves]
    assert {row.role for row in found.rows} == {"donated"}
    assert {row.dtype for row in found.rows} == {"float32", "int32", "key"}
    short = table(training, depth=1)
    assert short.rows == found.rows
    assert [line.split()[0] for line in str(short).splitlines()] == [
        *("Training", "model", "optimiser_state", "rng", "config", "total"),
    ]
    # A tree without a role of its own; an object in a dynamic place donates nothing.
    pair = table((BATCH, training.model))
    assert [(row.path, row.role) for row in pair.rows[:3]] == [
        ("[0].images", "dynamic"),
        ("[0].labels", "dynamic"),
        ("[1].first.w", "donated"),
    ]


def test_shared_parts_and_stacks_are_counted_once() -> None:
    tied = Tied.abstract(pixels=64, codes=8)
    assert [row.path for row in table(tied).rows] == ["dictionary.atoms", "encoder.mean"]
    assert "shared with dictionary" in str(table(tied))
    held = large()
    found = table(held)
    weights = sum(row.size for row in found.rows if row.path.startswith("model."))
    assert weights == sum(leaf.size for leaf in jax.tree.leaves(held.model))
    assert format_count(weights) == "1.6 G"
    block = next(row for row in found.rows if row.path == "model.blocks.up")
    assert block.shape == (48, 1600, 6400)
    assert sum(row.bytes for row in found.rows) > 3 * 4 * weights * 0.99
    # One array in two places is one buffer. Two abstract arrays are two.
    u = jnp.zeros((4, 4))
    plate = Plate(u, u, Grid(4, 4), heat.COPPER)
    assert [row.path for row in table(plate).rows] == ["u", "t"]
    assert "the array of u" in str(table(plate))


def test_table_of_other_values() -> None:
    plate = heat.make_plate(16)
    step(plate, 1e-5)
    assert "u          donated  deleted: <consumed float32[16,12]: by step" in str(table(plate))
    assert [row.path for row in table(plate).rows] == ["alpha", "t"]
    labels = table(plate.like("frozen", alpha=None))
    assert labels.rows == ()
    assert "u          donated  'frozen'" in str(labels)
    assert [str(row) for row in table([jnp.zeros((2, 3), jnp.bfloat16), 1.0, 2]).rows] == [
        *("bf16[2,3]", "f32[]", "i32[]"),
    ]
    assert "  value    f32[3]  12 B" in str(table(jnp.zeros(3)))
    ref = jax.new_ref(jnp.zeros((2, 2)))
    assert table([ref]).rows[0][:4] == ("[0]", "ref", "float32", (2, 2))
    rows: list[Any] = []
    jax.jit(lambda p: rows.extend(table(p).rows))(plate.replace(u=jnp.zeros((16, 12))))
    assert [row.bytes for row in rows] == [768, 768, 4]


def test_output_is_escaped() -> None:
    odd = table({"<b>[red]": jnp.zeros(3)})
    assert "&lt;b&gt;[red]" in odd._repr_html_()
    console = Console(width=200)
    with console.capture() as shown:
        console.print(odd)
    assert "<b>[red]" in shown.get()
    assert [format_bytes(n) for n in (0, 1023, 1024, 102 * 1024, 1 << 20, 3 << 40)] == [
        *("0 B", "1023 B", "1.0 KiB", "102 KiB", "1.0 MiB", "3.0 TiB"),
    ]


# --- calls


def models(training: Training) -> list[tuple[Any, tuple[Any, ...]]]:
    configs = [Config(layers=2, stacked=stacked) for stacked in (True, False)]
    learning = [
        transformer.make_training(transformer.make_model(config, 32), config) for config in configs
    ]
    passages = jax.ShapeDtypeStruct((4, transformer.LENGTH + 1), "int32")
    plasma = transport.make_plasma(transport.make_models()["constant"], transport.LINEAR)
    return [
        (step, (PLATE, 1e-5)),
        (train_step, (training, BATCH)),
        *((learn, (one, passages)) for one in learning),
        (advance, (plasma, 1e-3)),
    ]


def test_arguments_agree_with_xla_on_five_models(training: Training) -> None:
    for function, arguments in models(training):
        found = function.memory(*arguments)
        assert found.analysis is not None
        read = [row for row in found.arguments if row.path not in found.unread]
        said = sum(row.bytes_per_device for row in read)
        assert said == pytest.approx(found.analysis["argument"], rel=0.02)
        new = sum(
            row.bytes_per_device for row in found.results if row.path not in found.passed.values()
        )
        # XLA adds a table of pointers.
        assert new <= found.analysis["output"] <= 1.02 * new + 16 * len(found.results)
        reused = function.donation(*arguments)
        assert {path for path, is_reused in reused.items() if is_reused} == {*found.aliased}
        assert found.peak > said
        json.dumps(found.to_dict())
    assert not any(leaf.is_deleted() for leaf in jax.tree.leaves(training))


def test_memory_of_a_call() -> None:
    found = step.memory(PLATE, 1e-5)
    assert found.aliased == {"plate.u": "result.u"}
    assert found.passed == {"plate.alpha": "result.alpha"}
    assert [row.path for row in found.new_results] == ["result.t"]
    first, *lines = str(found).splitlines()
    assert first == f"step: {format_bytes(found.peak)} at the peak"
    assert lines[:-1] == [
        "  plate.u      64.0 MiB  donated: its buffer becomes result.u",
        "  plate.alpha  64.0 MiB  passed through: not copied",
        "  plate.t      4 B       read",
        "  dt           4 B       read",
        "  result.t     4 B       new",
    ]
    assert lines[-1].split()[0] == "temporaries"
    assert found.temporaries is not None
    assert found._repr_html_().startswith("<pre>step: ")


def test_memory_of_other_functions(training: Training) -> None:
    found = evaluate.memory(training.model, BATCH)
    assert not found.aliased
    assert [row.path for row in found.results] == ["result.loss", "result.accuracy"]

    @jit(donated="x")
    def shrink(x: Any, y: Any, z: Any) -> Any:
        return {"half": x[:2]}, y[:1]

    x = jnp.ones((4, 4))
    small = shrink.memory(x, x + 1, x)
    assert "x                  64 B  donated: no result reuses its buffer" in str(small)
    assert small.unread == ("z",)
    assert [row.path for row in small.results] == ["result[0]['half']", "result[1]"]
    assert not x.is_deleted()

    @jit(donated="x")
    def add(ref: Any, x: Any) -> Any:
        ref[...] = ref[...] + x
        return 2 * x

    added = add.memory(jax.new_ref(x), x)
    assert str(added).splitlines()[1:3] == [
        "  x            64 B  donated: its buffer becomes result",
        "  ref          64 B  ref: read or written in place",
    ]
    assert added.new_results == ()


def test_a_backend_may_report_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jax.stages.Compiled, "memory_analysis", lambda _: None)
    found = step.memory(PLATE, 1e-5)
    assert found.temporaries is None
    assert str(found).startswith("step: at least 128 MiB, by shapes only: ")
    assert "temporaries  unknown   not reported" in str(found)


def test_memory_is_traced_but_not_counted() -> None:
    @jit(donated="x", traces=1)
    def double(x: Any) -> Any:
        return 2 * x

    with settings(traces="error"):
        for size in (2, 3, 4):
            double.memory(jax.ShapeDtypeStruct((size,), "float32"))
        assert [(one.by, one.counts) for one in double.traces] == [("memory", False)] * 3
        assert str(double.traces[0]).startswith("`double` was traced by `memory`, the 1st time")
        double(jnp.ones(5))
        with pytest.raises(RetraceError):
            double(jnp.ones(6))
    with max_traces(0, double), pytest.raises(RetraceError):
        double.memory(jnp.ones(7))
