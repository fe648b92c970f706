# mypy: ignore-errors
"""Test tables of memory on a mesh. `tests/meshes/test_meshes.py` runs this file."""

import jax
import pytest
from jax.sharding import AxisType, NamedSharding
from jax.sharding import PartitionSpec as P

from codegen.runtime import table
from examples import digits, heat
from generated.digits import Batch, train_step
from generated.heat import Grid, Plate, step

ROWS = Grid(nx=512, ny=256)


def make_mesh(names, sizes=(4, 2)):
    return jax.make_mesh(sizes, names, axis_types=(AxisType.Auto,) * 2)


def test_bytes_per_device():
    mesh = make_mesh(("rows", "cols"))
    plate = Plate.abstract(grid=ROWS, material=heat.COPPER)
    planned = table(plate, mesh=mesh)
    assert str(planned).splitlines()[:3] == [
        "Plate on 8 devices",
        '  u          donated  f32[512,256]  512 KiB  64.0 KiB/device  P("rows", "cols")',
        '  alpha      dynamic  f32[512,256]  512 KiB  64.0 KiB/device  P("rows", "cols")',
    ]
    assert planned.rows[2].spec == ()
    placed = jax.device_put(plate.zeros(), plate.shardings(mesh))
    assert table(placed).rows == planned.rows
    assert table(plate.zeros()).rows[0].bytes_per_device == 512 * 256 * 4
    with pytest.raises(ValueError, match="sharded over"):
        table(plate, mesh=make_mesh(("x", "y")))
    with pytest.raises(ValueError, match="multiple of 4"):
        table(Plate.abstract(grid=Grid(nx=6, ny=4), material=heat.COPPER), mesh=mesh)


def test_a_state_with_an_optimiser():
    mesh = make_mesh(("data", "model"))
    training = digits.make_training()
    planned = table(training, mesh=mesh)
    shared = {row.path: row for row in planned.rows}
    for path in ("model.first.w", "optimiser_state[0].mu.first.w"):
        assert shared[path].spec == (None, "model")
        assert 2 * shared[path].bytes_per_device == shared[path].bytes
    assert table(jax.device_put(training, training.shardings(mesh))).rows == planned.rows
    # A tree of objects that have their own declarations.
    assert table((training, {"more": training.model}), mesh=mesh).rows[-1].spec == ()


def test_memory_of_calls():
    mesh = make_mesh(("rows", "cols"))
    plate = Plate.abstract(grid=ROWS, material=heat.COPPER)
    placed = jax.tree.map(lambda x, s: x.update(sharding=s), plate, plate.shardings(mesh))
    found = step.memory(placed, 1e-5)
    assert str(found).startswith("step on 8 devices: ")
    assert "/device at the peak\n  plate.u      64.0 KiB  donated: its buffer becomes" in str(found)
    assert found.aliased == {"plate.u": "result.u"}
    assert found.arguments[0].spec == ("rows", "cols")
    mesh = make_mesh(("data", "model"))
    training = digits.make_training()
    training = jax.device_put(training, training.shardings(mesh))
    batch = Batch(images=jax.numpy.zeros((32, 64)), labels=jax.numpy.zeros(32, "int32"))
    found = train_step.memory(training, jax.device_put(batch, NamedSharding(mesh, P("data"))))
    said = sum(row.bytes_per_device for row in found.arguments)
    assert said == pytest.approx(found.analysis["argument"], rel=0.02)
    assert not any(leaf.is_deleted() for leaf in jax.tree.leaves(training))
