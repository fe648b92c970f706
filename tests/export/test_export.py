# mypy: disable-error-code="arg-type, no-untyped-call"
"""Exported programs run without their source: in a new process, on other platforms, with symbolic sizes."""

import importlib
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import export as jax_export

import generated.materials
from codegen.runtime.export import export, register_for_export
from examples import digits, transformer
from generated.digits import Batch, evaluate
from generated.heat import Grid, Plate, step
from generated.transformer import Config, train_step
from tests import forked
from tests.checkpoint.on_eight_devices import make_plate

PROJECT = Path(__file__).parents[2]
SERVER = """
import sys
# Neither the implementation nor what it imports is there.
sys.modules["examples"] = sys.modules["optax"] = None
from pathlib import Path
import numpy as np
from jax import export
from codegen.runtime.checkpoint import unpack
from codegen.runtime.export import register_for_export
from generated.heat import Plate

folder = Path(sys.argv[1])
register_for_export()
program = export.deserialize(bytearray((folder / "step.bin").read_bytes()))
arrays = dict(np.load(folder / "plate.npz"))
plate = unpack(Plate, arrays, (folder / "about.json").read_text())
after = program.call(plate, np.float32(0.5))
assert type(after) is Plate and after.grid is plate.grid
np.save(folder / "after.npy", after.u)
try:
    program.call(plate.replace(thickness=2.0), np.float32(0.5))
except ValueError:
    print("refused")
"""


def test_exported_program_runs_in_a_new_process(tmp_path: Path) -> None:
    from codegen.runtime.checkpoint import pack

    plate = make_plate()
    exported = export(step, plate, jnp.float32(0.5), 3)
    (tmp_path / "step.bin").write_bytes(exported.serialize())
    packed = pack(plate)
    np.savez(tmp_path / "plate.npz", **{n: np.asarray(one) for n, one in packed.arrays.items()})
    (tmp_path / "about.json").write_text(packed.about, encoding="utf-8")
    done = forked.run("-c", SERVER, str(tmp_path), cwd=PROJECT)
    assert done.stdout.strip() == "refused"
    expected = step.keep(plate, jnp.float32(0.5), 3)
    np.testing.assert_array_equal(np.load(tmp_path / "after.npy"), expected.u)


class Staggered(Grid):
    """A Python subclass of a generated class."""


def test_exported_python_subclass_keeps_its_class() -> None:
    """After saving and exporting, it is neither its base class nor another subclass."""
    from codegen.runtime.checkpoint import CheckpointError, from_dict, pack, to_dict, unpack

    plate = make_plate()
    staggered = Staggered(**to_dict(plate.grid))
    ours = plate.replace(grid=staggered)
    packed = pack(ours)
    for like in ({}, {"like": ours}):
        assert type(unpack(Plate, packed.arrays, packed.about, **like).grid) is Staggered
    with pytest.raises(
        CheckpointError, match="`grid` was saved as a `Staggered`, and `like` has a `Grid`"
    ):
        unpack(Plate, packed.arrays, packed.about, like=plate)
    with pytest.raises(CheckpointError, match=r"a `Grid`, which `.*:Staggered` does not accept"):
        unpack(Staggered, {}, pack(plate.grid).about)
    assert unpack(Grid, {}, pack(staggered).about) == staggered
    assert type(from_dict(Staggered, to_dict(staggered))) is Staggered
    program = jax_export.deserialize(export(step, ours, jnp.float32(0.5)).serialize())
    assert type(program.call(ours, np.float32(0.5)).grid) is Staggered
    with pytest.raises(ValueError, match="same pytree structure"):
        program.call(plate, np.float32(0.5))


def test_export_donates_only_donated_fields() -> None:
    plate = jax.eval_shape(make_plate)
    exported = export(step, plate, jnp.float32(0.5))
    text = exported.mlir_module()
    main = next(line for line in text.splitlines() if "func.func public @main" in line)
    arguments = main.split("->")[0].split("%arg")[1:]
    assert [("tf.aliasing_output" in one or "jax.buffer_donor" in one) for one in arguments] == [
        True,
        False,
        False,
        False,
    ]


def test_export_for_another_platform() -> None:
    exported = export(step, jax.eval_shape(make_plate), jnp.float32(0.5), platforms=["cuda"])
    assert exported.platforms == ("cuda",)
    assert jax_export.deserialize(exported.serialize()).platforms == ("cuda",)


def test_export_with_symbolic_dimensions_of_objects() -> None:
    config = digits.CONFIG.architecture.replace(hidden=8)
    model = digits.make_model(config, jax.random.key(0))

    def images(count: int) -> Batch:
        return Batch(images=jnp.ones((count, 64)), labels=jnp.zeros(count, jnp.int32))

    exported = export(evaluate, model, images(3), symbolic=("batch",))
    assert "batch" in str(exported.in_avals[-1])
    again = jax_export.deserialize(exported.serialize())
    for count in (1, 5):
        found = again.call(model, images(count))
        np.testing.assert_allclose(found.loss, evaluate(model, images(count)).loss, rtol=1e-6)
    with pytest.raises(ValueError, match=r"its size is the static value `plate\.grid\.nx`"):
        export(step, make_plate(), jnp.float32(0.5), symbolic=("nx",))
    with pytest.raises(ValueError, match="no array or object among its arguments"):
        export(evaluate, model, images(3), symbolic=("bath",))


def test_export_with_symbolic_dimensions_of_array_arguments() -> None:
    config = Config(layers=1)
    training = transformer.make_training(transformer.make_model(config, 4), config)
    passages = jnp.zeros((2, transformer.LENGTH + 1), jnp.int32)
    exported = export(train_step, training, passages, symbolic=("batch",))
    assert str(exported.in_avals[-1].shape) == f"(batch, {transformer.LENGTH + 1})"
    with pytest.raises(ValueError, match=r"`passages` has an axis of size `length\+1`"):
        export(train_step, training, passages, symbolic=("length",))
    with pytest.raises(TypeError, match="only functions that a schema declares"):
        export(transformer.train, training)


def test_register_for_export_twice_is_no_error() -> None:
    register_for_export()
    register_for_export()
    old = generated.materials.Material
    try:
        importlib.reload(generated.materials)
        register_for_export()
    finally:
        # The other tests continue with the class that they have imported.
        generated.materials.Material = old  # type: ignore[misc]
