# mypy: disable-error-code="operator, misc, arg-type, no-untyped-call"
"""States on disk: with orbax, on another mesh, with several versions."""

import sys
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from orbax.checkpoint.experimental.v1.training import Checkpointer, preservation_policies

from codegen.runtime.checkpoint import CheckpointError, restore, save, save_async
from generated.heat import Grid, Plate
from generated.materials import Material
from tests import forked
from tests.checkpoint.foreign import Node, Pair
from tests.checkpoint.on_eight_devices import make_plate
from tests.xla import COMPILED_QUICKLY

PROJECT = Path(__file__).parents[2]


def test_sharded_state_is_restored_on_other_meshes(tmp_path: Path) -> None:
    flags = f"{COMPILED_QUICKLY} --xla_force_host_platform_device_count=8"
    program = "tests.checkpoint.on_eight_devices"
    forked.run("-m", program, str(tmp_path), cwd=PROJECT, env={"XLA_FLAGS": flags})
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


def test_static_values_are_restored_from_the_file(tmp_path: Path) -> None:
    plate = make_plate()
    save(tmp_path / "a", plate)
    assert restore(tmp_path / "a", Plate).__codegen_key__ is plate.__codegen_key__
    copper = Material("copper", conductivity=400.0, density=8960.0, specific_heat=385.0)
    asked = Plate.abstract(grid=Grid(nx=8, ny=4), material=copper)
    with pytest.raises(CheckpointError) as caught:
        restore(tmp_path / "a", Plate, like=asked)
    assert caught.value.differences == (
        "`material.conductivity` was saved as 80.0, and `like` has 400.0",
        "`material.density` was saved as 7874.0, and `like` has 8960.0",
        "`material.name` was saved as 'iron', and `like` has 'copper'",
        "`material.specific_heat` was saved as 449.0, and `like` has 385.0",
        "`thickness` was saved as 0.5, and `like` has 0.001",
    )


def test_existing_folder_is_not_overwritten(tmp_path: Path) -> None:
    save(tmp_path / "a", make_plate())
    other = make_plate().replace(thickness=2.0)
    for written in (save, save_async):
        with pytest.raises(CheckpointError, match=r"`.*a` already exists: .*overwrite=True"):
            written(tmp_path / "a", other)
    assert restore(tmp_path / "a", Plate) == make_plate()
    save(tmp_path / "a", other, overwrite=True)
    assert restore(tmp_path / "a", Plate) == other
    save_async(tmp_path / "a", make_plate(), overwrite=True).result()
    assert restore(tmp_path / "a", Plate) == make_plate()
    assert [one.name for one in tmp_path.iterdir()] == ["a"]


def test_overwrite_leaves_other_files_and_folders(tmp_path: Path) -> None:
    save(tmp_path / "a", make_plate())
    (tmp_path / "a.codegen-old").mkdir()
    (tmp_path / "a.codegen-old/thesis.tex").write_text("mine")
    (tmp_path / "a.codegen-new").write_text("mine")
    save(tmp_path / "a", make_plate(), overwrite=True)
    assert (tmp_path / "a.codegen-old/thesis.tex").read_text() == "mine"
    assert (tmp_path / "a.codegen-new").read_text() == "mine"


def test_overwrite_replaces_only_checkpoints(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine/thesis.tex").write_text("")
    (tmp_path / "file").write_text("")
    for name in ("mine", "file"):
        with pytest.raises(CheckpointError, match=f"`.*{name}` was not written by `save`"):
            save(tmp_path / name, make_plate(), overwrite=True)
    assert (tmp_path / "mine/thesis.tex").exists()
    assert (tmp_path / "file").is_file()
    # orbax would remove neither the link nor its target.
    save(tmp_path / "7", make_plate())
    (tmp_path / "latest").symlink_to("7")
    (tmp_path / "dangling").symlink_to("8")
    for name in ("latest", "dangling"):
        for overwrite in (False, True):
            with pytest.raises(CheckpointError, match=f"{name}` is a link: pass the path"):
                save(tmp_path / name, make_plate(), overwrite=overwrite)
    assert restore(tmp_path / "latest", Plate) == make_plate()
    with pytest.raises(CheckpointError, match=r"empty` already exists: pass `overwrite=True`"):
        save(tmp_path / "empty", make_plate())
    for name in ("empty", "new/folder"):
        save(tmp_path / name, make_plate(), overwrite=True)
        assert restore(tmp_path / name, Plate) == make_plate()


def test_refused_save_leaves_the_old_checkpoint(
    values: Any, checkpoint: Any, tmp_path: Path
) -> None:
    state = values.State(blocks=(), rng=jax.random.key(0))
    checkpoint.save(tmp_path / "a", state)
    with pytest.raises(TypeError, match="cannot pack `anything`"):
        checkpoint.save(tmp_path / "a", state.replace(anything=object()), overwrite=True)
    assert checkpoint.restore(tmp_path / "a", values.State) == state


def test_incomplete_checkpoint_is_not_replaced(tmp_path: Path) -> None:
    save(tmp_path / "a", make_plate())
    # As a process leaves it that was killed while it removed the checkpoint.
    (tmp_path / "a/_CHECKPOINT_METADATA").unlink()
    with pytest.raises(CheckpointError, match="was not written by `save`, or is incomplete"):
        save(tmp_path / "a", make_plate(), overwrite=True)


def test_steps_of_orbax_are_restored(values: Any, checkpoint: Any, tmp_path: Path) -> None:
    block = values.Block(w=jnp.ones((2, 3)), count=7)
    state = values.State(blocks=(block,), rng=jax.random.key(5), anything=np.arange(3.0))
    two = preservation_policies.LatestN(2)
    with Checkpointer(tmp_path, preservation_policy=two) as steps:
        for step in range(1, 5):
            arrays, about = checkpoint.pack(state.replace(t=float(step)))
            steps.save(step, arrays, custom_metadata={"codegen_about": about})
    with Checkpointer(tmp_path) as steps:
        assert [one.step for one in steps.checkpoints] == [3, 4]
        path = steps.latest.path
    back = checkpoint.restore(path, values.State)
    assert back.t == 4
    assert back.anything.tolist() == [0, 1, 2]
    assert checkpoint.restore(path, values.Block, at="blocks[0]") == block
    assert checkpoint.restore(path, values.State, like=state).t == 4


# NumPy arrays and numbers: of dtypes that JAX lacks, without elements, not contiguous.
NUMPY: list[Any] = [
    np.arange(3.0), np.array(1.5), np.array(True), np.array([2**63], np.uint64), np.zeros((0, 3)),
    np.ones(2, jnp.bfloat16), np.ones(2, jnp.int4), np.arange(12.0).reshape(3, 4).T[::2],
    np.arange(3.0)[::-1], np.broadcast_to(np.float32(1), (3,)), np.array([1j]),
    np.float64("nan"), np.float64(-0.0), np.bool_(True), np.int64(2**40), jnp.bfloat16(1),
    jnp.bfloat16.dtype.type(1), np.ones((), jnp.float8_e5m2)[()],
]  # fmt: skip


def test_numpy_leaves_are_restored(values: Any, checkpoint: Any, tmp_path: Path) -> None:
    leaves = {f"{i:02}": one for i, one in enumerate(NUMPY)}
    held = [leaves, tuple(NUMPY), [Pair(NUMPY[0], [NUMPY[-1]])], Node(NUMPY[0], 3)]
    state = values.State(
        blocks=(values.Block(w=np.ones((2, 3), np.float32), count=np.int32(7)),),
        rng=jax.random.key(0), t=np.array(0.5), extras={"a": np.ones(2, np.float32)}, anything=held,
    )  # fmt: skip
    checkpoint.save(tmp_path / "a", state)
    back = checkpoint.restore(tmp_path / "a", values.State, like=state)
    require_same_leaves(back, state)
    part = checkpoint.restore(tmp_path / "a", values.Block, at="blocks[0]")
    require_same_leaves(part, state.blocks[0])
    # Without `like`, all but the pytree that no schema declares.
    declared = state.replace(anything=held[:-1])
    checkpoint.save(tmp_path / "a", declared, overwrite=True)
    require_same_leaves(checkpoint.restore(tmp_path / "a", values.State), declared)
    sharding = jax.sharding.SingleDeviceSharding(jax.devices()[0])
    like = jax.tree.map(lambda _: sharding, declared)
    require_same_leaves(checkpoint.restore(tmp_path / "a", values.State, like=like), declared)


def require_same_leaves(state: Any, expected: Any) -> None:
    """Check types, dtypes, shapes and bits of all leaves."""
    assert jax.tree.structure(state) == jax.tree.structure(expected)
    for one, other in zip(jax.tree.leaves(state), jax.tree.leaves(expected), strict=True):
        assert type(one) is type(other)
        assert (one.dtype, one.shape) == (other.dtype, other.shape)
        if isinstance(one, np.ndarray | np.generic):
            assert one.tobytes() == other.tobytes()


def test_changed_numpy_array_is_saved_as_it_was(
    values: Any, checkpoint: Any, tmp_path: Path
) -> None:
    array = np.zeros(10**6)
    state = values.State(blocks=(), rng=jax.random.key(0), anything=array)
    writing = checkpoint.save_async(tmp_path / "a", state)
    array[:] = 1
    writing.result()
    assert not checkpoint.restore(tmp_path / "a", values.State).anything.any()


def test_single_part_is_restored(values: Any, checkpoint: Any, tmp_path: Path) -> None:
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
    with pytest.raises(TypeError, match="pass the class `State`, not an instance"):
        checkpoint.restore(tmp_path / "a", state)


def test_missing_file_or_package_is_a_clear_error(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name in ("missing", "."):
        with pytest.raises(CheckpointError, match=f"no checkpoint at `.*{name}`: pass the path"):
            restore(f"{tmp_path}/{name}", Plate)
    monkeypatch.setitem(sys.modules, "orbax.checkpoint.experimental.v1", None)
    with pytest.raises(ImportError, match="pip install orbax-checkpoint"):
        save(tmp_path / "a", make_plate())
