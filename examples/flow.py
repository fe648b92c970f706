"""Train a flow from noise to handwritten digits, resume the training, and draw digits.

    python -m examples.flow train runs/flow --config.architecture.hidden 256
    python -m examples.flow resume runs/flow
    python -m examples.flow sample runs/flow

The commands use all devices. `XLA_FLAGS=--xla_force_host_platform_device_count=8` creates eight
on a CPU. A training may resume on another number of devices that divides the batch.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import tyro
from jax import Array
from jax.sharding import AxisType, Mesh
from orbax.checkpoint.experimental.v1.training import Checkpointer, preservation_policies
from sklearn.datasets import load_digits
from tyro.conf import Positional

from codegen.runtime.checkpoint import pack, restore
from examples.flow_model import CLASSES, make_training
from generated import flow
from generated.flow import Config, Images, Training, Velocity

CONFIG = Config()


def load() -> Images:
    """Load the digits, with grey levels from -1 to 1.

    Source: E. Alpaydin and C. Kaynak, Optical Recognition of Handwritten Digits, UCI
    Machine Learning Repository (1998).
    """
    images, labels = load_digits(return_X_y=True)
    x = np.asarray(images / 8.0 - 1.0, np.float32)
    return Images(x=jnp.asarray(x), label=jnp.asarray(labels, jnp.int32)).check()


def make_mesh(model: int = 1) -> Mesh:
    """Return a mesh of all devices: groups of `model` devices divide layers, and the batch."""
    groups, rest = divmod(jax.device_count(), model)
    if rest:
        raise SystemExit(f"{model} does not divide the number of devices, {jax.device_count()}")
    return jax.make_mesh((groups, model), ("data", "model"), axis_types=(AxisType.Auto,) * 2)


def checkpoints(folder: Path) -> Checkpointer:
    """Open the checkpoints of a run. It keeps the last two."""
    last_two: Any = preservation_policies.LatestN(2)  # The annotations of orbax do not accept it.
    return Checkpointer(str(folder.absolute()), preservation_policy=last_two)


def latest(folder: Path) -> Path | None:
    """Return the path of the last complete checkpoint, if there is one."""
    if not folder.is_dir():
        return None  # A Checkpointer would create it.
    with checkpoints(folder) as steps:
        return None if steps.latest is None else Path(steps.latest.path)


def saved(folder: Path) -> Path:
    """Return the path of the last complete checkpoint."""
    if (path := latest(folder)) is None:
        raise SystemExit(f"{folder} has no complete checkpoint")
    return path


def run(training: Training, folder: Path, chunks: int, mesh: Mesh) -> Training:
    """Train until `chunks` chunks are done. Save the state after each."""
    size, images = training.config.chunk, load()
    training = jax.device_put(training.check(), training.shardings(mesh))
    done = int(training.step) // size
    with jax.set_mesh(mesh), checkpoints(folder) as steps:
        for number in range(done + 1, chunks + 1):
            training, losses = flow.train(training, images, steps=size)
            print(f"step {int(training.step):5}, loss {float(losses.mean()):.3f}", flush=True)
            packed = pack(training)
            steps.save(number, packed.arrays, custom_metadata={"codegen_about": packed.about})
    return training


def train(
    folder: Positional[Path], config: Config = CONFIG, chunks: int = 10, model_devices: int = 1
) -> None:
    """Train from the beginning.

    Args:
        folder: for the checkpoints
        config: the settings
        chunks: number of calls, with a checkpoint after each
        model_devices: number of devices that divide a layer; the others divide the batch
    """
    if latest(folder) is not None:
        raise SystemExit(f"{folder} has checkpoints: resume, or train in another folder")
    run(make_training(config), folder, chunks, make_mesh(model_devices))


def resume(folder: Positional[Path], chunks: int = 10, model_devices: int = 1) -> None:
    """Continue from the last checkpoint, with its settings.

    Args:
        folder: with the checkpoints
        chunks: number of calls, with those before the checkpoint
        model_devices: number of devices that divide a layer; the others divide the batch
    """
    run(restore(saved(folder), Training), folder, chunks, make_mesh(model_devices))


def sample(folder: Positional[Path], guidance: float = 2.0, seed: int = 0) -> None:
    """Draw each digit, with the average of the weights in the last checkpoint.

    Args:
        folder: with the checkpoints
        guidance: strength of the label
        seed: for the noise
    """
    average = restore(saved(folder), Velocity, at="average")
    print(as_text(flow.sample(average, jnp.arange(CLASSES), jax.random.key(seed), guidance)))


def as_text(images: Array) -> str:
    """Write images side by side, with a character for each pixel."""
    level = np.clip(np.asarray(images) * 5 + 5, 0, 9).astype(int).reshape(-1, 8, 8)
    rows = np.array([*" .:-=+*#%@"])[level].swapaxes(0, 1)
    return "\n".join("  ".join(map("".join, row)) for row in rows)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run a command."""
    commands: dict[str, Callable[..., None]] = {"train": train, "resume": resume, "sample": sample}
    tyro.extras.subcommand_cli_from_dict(commands, args=arguments)


if __name__ == "__main__":
    main()
