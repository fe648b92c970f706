# mypy: disable-error-code="operator, misc, arg-type, no-untyped-call"
"""States on disk: by orbax, on another mesh, of several versions."""

import gc
import os
import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import pytest

from generated._runtime.checkpoint import CheckpointError, restore, save
from generated.heat import Grid, Plate
from generated.materials import Material
from tests.checkpoint.on_eight_devices import make_plate
from tests.xla import COMPILED_QUICKLY

PROJECT = Path(__file__).parents[2]


def test_a_sharded_state_comes_back_on_other_meshes(tmp_path: Path) -> None:
    flags = f"{COMPILED_QUICKLY} --xla_force_host_platform_device_count=8"
    done = subprocess.run(
        [sys.executable, "-m", "tests.checkpoint.on_eight_devices", str(tmp_path)],
        cwd=PROJECT,
        env=os.environ | {"XLA_FLAGS": flags, "JAX_PLATFORMS": "cpu"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    # This process has one device.
    plate = make_plate()
    like = jax.tree.map(
        lambda leaf: jax.ShapeDtypeStruct(
            leaf.shape, leaf.dtype, sharding=jax.sharding.SingleDeviceSharding(jax.devices()[0])
        ),
        plate,
    )
    assert restore(tmp_path / "eight", Plate, like=like) == plate
    assert restore(tmp_path / "eight", Plate) == plate


def test_static_values_come_from_the_file(tmp_path: Path) -> None:
    plate = make_plate()
    save(tmp_path / "a", plate)
    assert restore(tmp_path / "a", Plate).__codegen_key__ is plate.__codegen_key__
    copper = Material("copper", conductivity=400.0, density=8960.0, specific_heat=385.0)
    asked = Plate.abstract(grid=Grid(nx=8, ny=4), material=copper)
    with pytest.raises(CheckpointError) as caught:
        restore(tmp_path / "a", Plate, like=asked)
    material, thickness = caught.value.differences
    assert material.startswith("`material` was saved as Material(name='iron'")
    assert "`like` has Material(name='copper'" in material
    assert thickness == "`thickness` was saved as 0.5, and `like` has 0.001"


def test_what_is_there_is_not_overwritten(tmp_path: Path) -> None:
    save(tmp_path / "a", make_plate())
    with pytest.raises(ValueError, match="already exists") as refused:
        save(tmp_path / "a", make_plate())
    assert refused.value.__notes__ == ["Give `overwrite=True` to have it replaced."]
    del refused
    with warnings.catch_warnings():
        # Orbax leaves a coroutine behind, of which Python warns where it is collected.
        warnings.simplefilter("ignore", RuntimeWarning)
        gc.collect()


def test_a_part_alone_is_read(values: Any, checkpoint: Any, tmp_path: Path) -> None:
    block = values.Block(w=jnp.ones((2, 3)), count=7)
    state = values.State(blocks=(block,), rng=jax.random.key(5), anything=jnp.zeros((0, 3)))
    checkpoint.save(tmp_path / "a", state)
    assert checkpoint.restore(tmp_path / "a", values.State) == state
    assert checkpoint.restore(tmp_path / "a", values.Block, at="blocks[0]") == block
    like = jax.eval_shape(lambda: state)
    assert checkpoint.restore(tmp_path / "a", values.State, like=like) == state
    with pytest.raises(ValueError, match=r"^nothing was saved at `block`: there is no `block`"):
        checkpoint.restore(tmp_path / "a", values.Block, at="block")
    checkpoint.save(tmp_path / "b", values.Grid(nx=3))
    assert checkpoint.restore(tmp_path / "b", values.Grid) == values.Grid(nx=3)
    with pytest.raises(TypeError, match="give its class, not a `State`"):
        checkpoint.restore(tmp_path / "a", state)


def test_what_is_missing_is_said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("missing", "."):
        with pytest.raises(CheckpointError, match=f"no checkpoint at `.*{name}`: give the path"):
            restore(f"{tmp_path}/{name}", Plate)
    monkeypatch.setitem(sys.modules, "orbax.checkpoint.experimental.v1", None)
    with pytest.raises(ImportError, match="pip install orbax-checkpoint"):
        save(tmp_path / "a", make_plate())
