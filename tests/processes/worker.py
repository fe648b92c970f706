"""A worker process: `python -m tests.processes.worker PORT COUNT INDEX ROWS COLUMNS OUT`.

It trains on its part of the data with its part of the model. Then it receives another configuration than the other
processes, which must be an error.
"""

import json
import sys
from pathlib import Path
from typing import Any

import jax
import numpy as np
from jax.experimental import multihost_utils
from jax.sharding import AxisType, Mesh

from codegen.runtime import assert_same_everywhere
from codegen.runtime.checkpoint import restore, save
from generated.digits import Training, train_step
from tests.processes.training import CONFIG, STEPS, make_batches, make_training

SECONDS_MAX = 120


def join(port: int, count: int, index: int) -> None:
    """Connect to the other processes. Every wait has a timeout."""
    jax.config.update("jax_platforms", "cpu")
    # The preemption service would swallow SIGTERM.
    jax.config.update("jax_enable_preemption_service", False)
    jax.distributed.initialize(
        f"127.0.0.1:{port}",
        count,
        index,
        coordinator_bind_address=f"127.0.0.1:{port}",
        initialization_timeout=SECONDS_MAX,
        heartbeat_timeout_seconds=30,
        shutdown_timeout_seconds=SECONDS_MAX,
    )


def part(obj: Any, mesh: Mesh) -> Any:
    """Return the part of an object that belongs to this process."""

    def cut(array: jax.Array, sharding: jax.sharding.NamedSharding) -> jax.Array:
        (index,) = sharding.addressable_devices_indices_map(array.shape).values()
        return array[index or ()]

    return jax.tree.map(cut, obj, obj.shardings(mesh))


def train(training: Training, mesh: Mesh) -> tuple[Training, float]:
    """Take donated steps; return the last loss too."""
    loss = 0.0
    parts = [part(batch, mesh) for batch in make_batches()]
    batches = [mine.globalize(mesh) for mine in parts]
    for step in range(STEPS):
        batch = batches[step % len(batches)]
        old = training.model.first.w
        training, metrics = train_step(training, batch)
        assert old.is_deleted()
        loss = float(metrics.loss)
    return training, loss


def checkpoint_round_trips(training: Training, folder: Path) -> bool:
    """Whether each process restores what all processes saved together."""
    save(folder, training)
    like = jax.tree.map(
        lambda leaf: jax.ShapeDtypeStruct(leaf.shape, leaf.dtype, sharding=leaf.sharding), training
    )
    restored = restore(folder, Training, like=like)
    pairs = zip(jax.tree.leaves(training.model), jax.tree.leaves(restored.model), strict=True)
    return restored.config is training.config and all(
        np.array_equal(one.addressable_data(0), other.addressable_data(0)) for one, other in pairs
    )


def refusal(config: Any) -> str:
    """Return the error for a configuration that differs between processes."""
    try:
        assert_same_everywhere(make_training(config))
    except ValueError as error:
        return str(error)
    return ""


def main() -> None:
    port, count, index, rows, columns = map(int, sys.argv[1:6])
    out = Path(sys.argv[6])
    join(port, count, index)
    mesh = jax.make_mesh((rows, columns), ("data", "model"), axis_types=(AxisType.Auto,) * 2)
    with jax.set_mesh(mesh):
        mine = part(make_training(), mesh)
        training = mine.globalize(mesh)
        assert_same_everywhere(training)
        pieces = training.model.first.w.addressable_data(0).shape
        trained, loss = train(training, mesh)
        restored = checkpoint_round_trips(trained, out / "state")
        weights = multihost_utils.process_allgather(trained.model, tiled=True)
    odd = CONFIG.optimiser.replace(learning_rate=1e-3 * (1 + index // 2), weight_decay=0.1 * index)
    # After the error, the processes are still synchronised and agree on equal values.
    refused = refusal(CONFIG.replace(optimiser=odd))
    shorter = refusal(CONFIG.replace(epochs=2))
    said = {
        "fingerprint": trained.fingerprint(),
        "pieces": pieces,
        "loss": loss,
        "refused": refused,
        "restored": restored,
        "agreed": shorter,
    }
    (out / f"{index}.json").write_text(json.dumps(said), encoding="utf-8")
    if index == 0:
        np.savez(out / "weights.npz", *map(np.asarray, jax.tree.leaves(weights)))
    jax.distributed.shutdown()


if __name__ == "__main__":
    main()
